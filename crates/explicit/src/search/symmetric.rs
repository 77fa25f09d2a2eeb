//! Answers by states up to symmetry: the entries.

use crate::abstraction::lazy_initial_values::Deferred;
use crate::search::breadth_first::{Less, search_for};
use crate::search::counter_bounds::with_room;
use crate::symmetry::representative_claims::one_for_all;
use verdict::{Budget, ConeOfInfluence, Question, Refusal, Report};

/// Answers every property of a Machine, by fewer instances and fewer states: of those that differ only in who is who one is
/// enough. Where that is not so all are visited, and the report says why.
pub fn run_symmetric(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    let less = Less {
        symmetric: true,
        who_is_who: true,
        ..Less::default()
    };
    run(question, less, budget)
}

/// The same without what is not relevant, where nodes that can change places have the same left out.
pub fn run_symmetric_with_less(
    question: &Question<'_>,
    cone: &ConeOfInfluence<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let less = Less {
        cone: Some(cone),
        who_is_who: true,
        ..Less::default()
    };
    run(question, less, budget)
}

fn run(question: &Question<'_>, less: Less<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    about_fewer(question, &|question| {
        with_room(question, &|question, widest| {
            let deferred = Deferred::nothing(question.machine);
            search_for(question, deferred, None, less, None, budget, widest)
        })
    })
}

/// Asks of one node what is claimed of all that are alike.
pub(crate) fn about_fewer<E>(
    question: &Question<'_>,
    search: &dyn Fn(&Question<'_>) -> Result<Report, E>,
) -> Result<Report, E> {
    let Some((machine, told)) = one_for_all(question.machine) else {
        return search(question);
    };
    let about_one = Question {
        machine: &machine,
        ..*question
    };
    let mut report = search(&about_one)?;
    report.findings.reduced.extend(told);
    Ok(report)
}
