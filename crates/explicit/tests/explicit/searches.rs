//! The searches that the tests compare, each with its options.

use explicit::{Options, SymmetryReduction};
use verdict::{
    Budget, ConeOfInfluence, NoPartialOrder, Question, Reduction, Refusal, Report, TimedReductions,
};

/// No reduction: every state of every instance, up to rotation.
pub fn run(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    explicit::run(question, &Options::default(), budget)
}

/// Symmetry reduction of instances.
pub fn run_symmetric_instances(
    question: &Question<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let options = Options {
        symmetry: SymmetryReduction::Instances,
        ..Options::default()
    };
    explicit::run(question, &options, budget)
}

/// Symmetry reduction of instances and states.
pub fn run_symmetric(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    let options = Options {
        symmetry: SymmetryReduction::States,
        ..Options::default()
    };
    explicit::run(question, &options, budget)
}

/// Symmetry reduction of states in the cone of influence.
pub fn run_symmetric_in_cone(
    question: &Question<'_>,
    cone: &ConeOfInfluence<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let options = Options {
        symmetry: SymmetryReduction::States,
        cone: Some(cone),
        ..Options::default()
    };
    explicit::run(question, &options, budget)
}

/// Lazy initial values and data abstraction in the cone of influence.
pub fn run_abstract(
    question: &Question<'_>,
    cone: &ConeOfInfluence<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let options = Options {
        cone: Some(cone),
        abstraction: true,
        ..Options::default()
    };
    explicit::run(question, &options, budget)
}

/// Timed reductions in the cone of influence.
pub fn run_timed(
    question: &Question<'_>,
    cone: &ConeOfInfluence<'_>,
    timed: &TimedReductions,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let options = Options {
        cone: Some(cone),
        timed: Some(timed),
        ..Options::default()
    };
    explicit::run(question, &options, budget)
}

/// Partial-order reduction.
pub fn run_partial_order(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    let options = Options {
        partial_order: true,
        ..Options::default()
    };
    explicit::run(question, &options, budget)
}

/// Partial-order reduction and symmetry reduction together.
pub fn run_partial_order_and_symmetric(
    question: &Question<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let options = Options {
        partial_order: true,
        symmetry: SymmetryReduction::States,
        ..Options::default()
    };
    explicit::run(question, &options, budget)
}

/// The reason why partial-order reduction does not apply, if the report gives one.
pub fn not_applicable(report: &Report) -> Option<NoPartialOrder> {
    let mut reduced = report.findings.reduced.iter();
    reduced.find_map(|reduction| match reduction {
        Reduction::NoPartialOrder(why) => Some(*why),
        _ => None,
    })
}
