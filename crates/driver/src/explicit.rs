//! The explicit engine on a Machine that has been made smaller, where that pays.

use machine::InboxStart;
use verdict::{Answer, Budget, Question, Refusal, Report, Run};

/// Answers a question by visiting every state. Inboxes that begin with messages make many initial states,
/// and with time a question is asked again and again: there what nobody can tell apart is removed before.
/// Elsewhere counts of states stay those of the model as it is written.
pub(crate) fn answer(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    let machine = question.machine;
    if machine.inbox.start == InboxStart::Empty && !machine.has_time() {
        return engine_explicit::run(question, budget);
    }
    let shrunk = passes::shrink(machine);
    let small = Question {
        machine: &shrunk.machine,
        fair: question.fair,
    };
    let mut report = engine_explicit::run_deciding_late(&small, budget)?;
    for answer in &mut report.answers {
        *answer = lifted(&shrunk, std::mem::replace(answer, Answer::Holds));
    }
    let back = |run: Box<Run>| shrunk.lift(&run).map(Box::new);
    report.findings.deadlock = report.findings.deadlock.and_then(back);
    report.findings.error = report.findings.error.and_then(back);
    Ok(report)
}

/// The same answer with a run of the Machine as it was.
fn lifted(shrunk: &passes::Shrunk, answer: Answer) -> Answer {
    let Some(run) = answer.run() else {
        return answer;
    };
    match shrunk.lift(run) {
        Some(run) => answer.with_run(Box::new(run)),
        None => Answer::Unknown(
            "a run of the smaller machine has no counterpart; this is a bug in Scrutineer, please report it with the model".into(),
        ),
    }
}
