//! Whether a model detects a seeded defect: by a contradiction between methods or by a panic.

use crate::models::comparison::{Case, Truth, outcome};
use crate::random_runs::StateLimited;
use explicit::defects::{Breaking, Defect};
use machine::{Frozen, Machine, Property};
use testkit::sample::catch_quietly;
use verdict::{Answer, Influence, NodeCone, Question};

/// Whether the engine with a seeded defect contradicts another method on this model, or panics.
pub fn is_noticed(rule: Defect, case: &Case) -> bool {
    let breaking = Breaking::rule(rule);
    let reports = catch_quietly(|| case.ask());
    drop(breaking);
    reports.is_none_or(|reports| case.check(&reports).is_err())
}

/// A seeded defect of the cone of influence: removes something from it.
pub type ConeDefect = fn(&mut [NodeCone]);

/// Removes the first variable from the cone.
pub fn omit_a_variable(relevant: &mut [NodeCone]) {
    let mut vars = relevant.iter_mut().flat_map(|node| &mut node.vars);
    if let Some(var) = vars.find(|var| var.at_all()) {
        *var = Influence::Nothing;
    }
}

/// Removes all inboxes from the cone.
pub fn omit_inboxes(relevant: &mut [NodeCone]) {
    let inboxes = relevant.iter_mut().flat_map(|node| &mut node.inbox);
    inboxes.for_each(|matters| *matters = Influence::Nothing);
}

/// Whether the explicit search with a cone of influence that is too small gives a wrong answer.
pub fn cone_defect_is_noticed(defect: ConeDefect, case: &Case) -> bool {
    each_property(case, &mut |machine, truth| {
        let cone = |frozen: &Frozen| {
            let mut relevant = passes::cone_of_influence(machine, frozen);
            defect(&mut relevant);
            relevant
        };
        let question = Question {
            machine,
            fair: true,
        };
        let options = explicit::Options {
            cone: Some(&cone),
            abstraction: true,
            ..explicit::Options::default()
        };
        let run = || explicit::run(&question, &options, &StateLimited::states(2_000));
        let Some(Ok(report)) = catch_quietly(run) else {
            return true;
        };
        let answer = &report.results[0].answer;
        outcome(answer).is_some_and(|stated| stated != truth)
            || audit::confirm(&question, 0, answer).is_err()
    })
}

/// Whether a claim about all nodes gets a wrong answer if it is checked for all nodes but the last.
pub fn missing_node_is_noticed(case: &Case) -> bool {
    each_property(case, &mut |machine, truth| {
        let Some(parts) = passes::each_node(machine) else {
            return false;
        };
        let holds = |part: &Property| {
            let machine = &Machine {
                properties: vec![part.clone()],
                ..machine.clone()
            };
            let fair = true;
            let options = explicit::Options::default();
            let limit = StateLimited::states(2_000);
            let report = explicit::run(&Question { machine, fair }, &options, &limit);
            report.is_ok_and(|report| report.only_answer() == Some(&Answer::Holds))
        };
        truth == Truth::Happens && parts[..parts.len() - 1].iter().all(holds)
    })
}

/// Whether `is` is true for some property of known truth, as the only property of a Machine without time.
fn each_property(case: &Case, is: &mut dyn FnMut(&Machine, Truth) -> bool) -> bool {
    let mut truth = case.truth.iter();
    let machines = case.machines.iter().filter(|machine| !machine.has_time());
    { machines }.any(|machine| {
        let truth: Vec<_> = truth.by_ref().take(machine.properties.len()).collect();
        let mut properties = machine.properties.iter().zip(truth);
        properties.any(|(property, truth)| {
            let alone = Machine {
                properties: vec![property.clone()],
                ..machine.clone()
            };
            truth.is_some_and(|truth| is(&alone, truth))
        })
    })
}
