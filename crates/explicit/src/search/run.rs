//! The ways to search: of every state, or with less.

use crate::abstraction::data_abstraction;
use crate::abstraction::lazy_initial_values::Deferred;
use crate::search::breadth_first::{Less, NotFound, search_for};
use crate::search::counter_bounds::with_room;
use crate::state::partial_value::Keeps;
use std::sync::Arc;
use verdict::{Budget, ConeOfInfluence, Question, Refusal, Report, TimedReductions};

/// Answers every property of a Machine, by every state.
pub fn run(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    with_room(question, &|question, widest| {
        let deferred = Deferred::nothing(question.machine);
        search(question, deferred, None, Less::default(), budget, widest)
    })
}

/// The same, by fewer instances: of those that differ only in who is who one is enough.
pub fn run_up_to_symmetry(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    let less = Less {
        symmetric: true,
        ..Less::default()
    };
    with_room(question, &|question, widest| {
        let deferred = Deferred::nothing(question.machine);
        search(question, deferred, None, less, budget, widest)
    })
}

/// Answers every property of a Machine on a grid of times, by fewer states: what is not relevant is left out, and so is
/// what nobody can tell.
pub fn run_in_time(
    question: &Question<'_>,
    cone: &ConeOfInfluence<'_>,
    timed_reductions: &TimedReductions,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let less = Less {
        cone: Some(cone),
        timed_reductions: Some(timed_reductions),
        ..Less::default()
    };
    with_room(question, &|question, widest| {
        let deferred = Deferred::nothing(question.machine);
        search(question, deferred, None, less, budget, widest)
    })
}

/// Answers every property of a Machine, by fewer states: nobody chooses an initial value before it is read,
/// and what is not relevant is left out.
pub fn run_with_less(
    question: &Question<'_>,
    cone: &ConeOfInfluence<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    with_room(question, &|question, widest| {
        run_with_less_room(question, cone, budget, widest)
    })
}

/// The same, with the room for counters that there is.
fn run_with_less_room(
    question: &Question<'_>,
    cone: &ConeOfInfluence<'_>,
    budget: &dyn Budget,
    widest: bool,
) -> Result<Report, NotFound> {
    let machine = question.machine;
    // Who begins again reads initial values anew, and what must follow in time asks before anything is read.
    let begins_once = machine.runtime_faults.is_empty() && machine.digitisation().is_none();
    let deferred = || match begins_once {
        true => Deferred::everything(machine),
        false => Deferred::nothing(machine),
    };
    let less = Less {
        cone: Some(cone),
        ..Less::default()
    };
    if !begins_once {
        return search(question, deferred(), None, less, budget, widest);
    }
    // Which states are the same depends on all counters: none is unknown.
    let loosely = || data_abstraction::loosely(question.machine, &deferred());
    if machine.counters.is_empty()
        && let Some(loose) = loosely()
    {
        let loose = Some(loose.into());
        match search(question, deferred(), loose, less, budget, widest) {
            Err(NotFound::Loose) => {}
            done => return done,
        }
    }
    search(question, deferred(), None, less, budget, widest)
}

fn search(
    question: &Question<'_>,
    deferred: Deferred,
    loose: Option<Arc<[Keeps]>>,
    less: Less<'_>,
    budget: &dyn Budget,
    widest: bool,
) -> Result<Report, NotFound> {
    search_for(question, deferred, loose, less, None, budget, widest)
}
