//! Whether a model notices a defect: by a contradiction or by a panic.

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

/// Suppresses the messages of expected panics from now on. Idempotent.
pub fn keep_quiet() {
    let loud = take_hook();
    set_hook(Box::new(move |panic| {
        if !QUIET.get() {
            loud(panic);
        }
    }));
}

/// Whether an engine with a defect contradicts another method, or panics.
pub fn is_noticed(rule: Defect, case: &Case) -> bool {
    let breaking = Breaking::rule(rule);
    QUIET.set(true);
    let said = catch_unwind(AssertUnwindSafe(|| case.ask()));
    QUIET.set(false);
    drop(breaking);
    said.map_or(true, |said| case.check(&said).is_err())
}

/// A defect of the cone of influence.
pub type Forgetting = fn(&mut [NodeCone]);

/// Removes one variable.
pub fn forget_a_variable(relevant: &mut [NodeCone]) {
    let mut vars = relevant.iter_mut().flat_map(|node| &mut node.vars);
    if let Some(var) = vars.find(|var| var.at_all()) {
        *var = Influence::Nothing;
    }
}

/// Removes all inboxes.
pub fn forget_inboxes(relevant: &mut [NodeCone]) {
    let inboxes = relevant.iter_mut().flat_map(|node| &mut node.inbox);
    inboxes.for_each(|matters| *matters = Influence::Nothing);
}

/// Whether an engine with too small a cone of influence contradicts the truth.
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
        let run = || explicit::run_with_less(&question, &cone, &Few::states(2_000));
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

/// Whether a check of all nodes but the last one contradicts the truth.
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
            let report = explicit::run(&Question { machine, fair }, &Few::states(2_000));
            report.is_ok_and(|report| report.answers == [Answer::Holds])
        };
        truth == Truth::Happens && parts[..parts.len() - 1].iter().all(holds)
    })
}

/// Whether a predicate is true for a Machine without times, with one property of known truth.
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
