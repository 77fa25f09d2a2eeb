//! Whether a model notices that somebody breaks a rule: by a contradiction, or by falling over.

use crate::opinions::{Case, Truth, opinion};
use crate::strolls::Few;
use explicit::defects::{Breaking, Defect};
use machine::{Frozen, Machine, Property};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use verdict::{Answer, Influence, NodeCone, Question};

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Panics of threads that expect some are not printed from now on.
pub fn keep_quiet() {
    let loud = take_hook();
    set_hook(Box::new(move |panic| {
        if !QUIET.get() {
            loud(panic);
        }
    }));
}

/// Whether an engine that breaks a rule contradicts somebody.
pub fn is_noticed(rule: Defect, case: &Case) -> bool {
    let breaking = Breaking::rule(rule);
    QUIET.set(true);
    let said = catch_unwind(AssertUnwindSafe(|| case.ask()));
    QUIET.set(false);
    drop(breaking);
    said.map_or(true, |said| case.check(&said).is_err())
}

/// Who says what makes a difference, and is wrong.
pub type Forgetting = fn(&mut [NodeCone]);

/// One variable less.
pub fn forget_a_variable(relevant: &mut [NodeCone]) {
    let mut vars = relevant.iter_mut().flat_map(|node| &mut node.vars);
    if let Some(var) = vars.find(|var| var.at_all()) {
        *var = Influence::Nothing;
    }
}

/// Nothing of what is in inboxes.
pub fn forget_inboxes(relevant: &mut [NodeCone]) {
    let inboxes = relevant.iter_mut().flat_map(|node| &mut node.inbox);
    inboxes.for_each(|matters| *matters = Influence::Nothing);
}

/// Whether an engine that leaves too much out contradicts what is true.
pub fn is_missed(forgetting: Forgetting, case: &Case) -> bool {
    each_property(case, &mut |machine, truth| {
        let cone = |frozen: &Frozen| {
            let mut relevant = passes::cone_of_influence(machine, frozen);
            forgetting(&mut relevant);
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
        let run = || explicit::run(&question, &options, &Few::states(2_000));
        QUIET.set(true);
        let report = catch_unwind(AssertUnwindSafe(run));
        QUIET.set(false);
        let Ok(Ok(report)) = report else {
            return true;
        };
        let answer = &report.answers[0];
        opinion(answer).is_some_and(|said| said != truth)
            || audit::confirm(&question, 0, answer).is_err()
    })
}

/// Whether somebody who asks about all nodes but the last one contradicts what is true.
pub fn last_node_is_missed(case: &Case) -> bool {
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
            let report = explicit::run(
                &Question { machine, fair },
                &explicit::Options::default(),
                &Few::states(2_000),
            );
            report.is_ok_and(|report| report.answers == [Answer::Holds])
        };
        truth == Truth::Happens && parts[..parts.len() - 1].iter().all(holds)
    })
}

/// Whether something is the case for a Machine with one property of which the truth is known, without times.
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
