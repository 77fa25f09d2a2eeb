//! Applies the proof rule of `order` with an increasing number of spare activations (the slack).

use crate::lazy_smt::{Model, QueryResult, QuerySolver};
use bits::Unsupported;
use order::defects::{Defect, broken};
use order::{Claim, Filled, Query, Scope, Start, Unrolled};
use verdict::{Budget, Never, OrderGap, OrderPart, Spent};

/// The result for a claim.
pub(crate) enum Proof<'s, 'm> {
    /// The claim holds at all times, by this proof.
    Holds(OrderPart),
    /// The claim is violated by this model of the unrolling.
    Fails(Box<Unrolled<'s, 'm>>, Model),
    /// The claim is not decided, for this reason.
    Unknown(OrderGap),
}

/// The largest number of spare activations.
const MAX_SPARE: u32 = 8;

/// Proves a claim or finds a violation. For each number of spare activations it first poses the step queries (from
/// arbitrary states), then the base queries (from initial states). Refuted step queries are a proof together with the
/// base queries of the smaller numbers, which are already refuted.
pub(crate) fn prove<'s, 'm>(
    scope: &'s Scope<'m>,
    claim: &Claim<'_>,
    budget: &dyn Budget,
) -> Result<Proof<'s, 'm>, Unsupported> {
    let reach = order::reach(scope, claim)?;
    let no_error = match never_errs(scope, claim, budget)? {
        Ok(Some(never)) => never,
        Ok(None) => return Ok(Proof::Unknown(OrderGap::MayErr)),
        Err(spent) => return Ok(Proof::Unknown(OrderGap::Limit(spent))),
    };
    let no_gaps = match order::empty_inbox_query(scope)? {
        None => None,
        Some(mut query) => match solve(&mut query, budget)? {
            QueryResult::Unsatisfiable(never) => Some(never),
            QueryResult::Satisfiable(_) if broken(Defect::FilledThoughNot) => {
                Some(Never::default())
            }
            QueryResult::Satisfiable(_) => None,
            QueryResult::Stopped(spent) => return Ok(Proof::Unknown(OrderGap::Limit(spent))),
        },
    };
    let filled = match no_gaps {
        Some(_) => Filled::Always,
        None => Filled::Perhaps,
    };
    let cases = |start| order::cases(scope, start);
    let (anywhere, real) = (cases(Start::Arbitrary), cases(Start::Initial));
    for spare in 0..=MAX_SPARE {
        let queries = anywhere
            .iter()
            .map(|case| order::step_query(scope, claim, filled, case, spare));
        match search(queries, budget)? {
            Search::NoModel(for_ever) => {
                return Ok(Proof::Holds(OrderPart {
                    spare,
                    no_error,
                    filled: no_gaps,
                    for_ever,
                }));
            }
            Search::Model(..) => {}
            Search::Stopped(spent) => return Ok(Proof::Unknown(OrderGap::Limit(spent))),
        }
        if broken(Defect::StartNotLookedAt) {
            continue;
        }
        let queries = real
            .iter()
            .map(|case| order::base_query(scope, claim, filled, case, reach + spare));
        match search(queries, budget)? {
            Search::NoModel(_) => {}
            Search::Model(query, model) => {
                return Ok(Proof::Fails(Box::new(query.unrolled), model));
            }
            Search::Stopped(spent) => return Ok(Proof::Unknown(OrderGap::Limit(spent))),
        }
    }
    Ok(Proof::Unknown(OrderGap::NotInductive(reach + MAX_SPARE)))
}

/// Whether the solver finds an initial state. False also if a limit is reached.
pub(crate) fn some_run_begins(scope: &Scope<'_>, budget: &dyn Budget) -> Result<bool, Unsupported> {
    let begun = solve(&mut order::initial_query(scope)?, budget)?;
    Ok(matches!(begun, QueryResult::Satisfiable(_)))
}

/// A proof that neither the code nor the claim can be an error; `None` if one of them may be. The inner error is a
/// limit that was reached.
pub(crate) fn never_errs(
    scope: &Scope<'_>,
    claim: &Claim<'_>,
    budget: &dyn Budget,
) -> Result<Result<Option<Never>, Spent>, Unsupported> {
    let mut query = order::error_query(scope, claim)?;
    Ok(match solve(&mut query, budget)? {
        QueryResult::Unsatisfiable(never) => Ok(Some(never)),
        QueryResult::Satisfiable(_) => Ok(None),
        QueryResult::Stopped(spent) => Err(spent),
    })
}

/// The result of a sequence of queries.
enum Search<'s, 'm> {
    /// No query has a model; the reasons, in the order of the queries.
    NoModel(Vec<Never>),
    /// The first query that has a model, with the model.
    Model(Box<Query<'s, 'm>>, Model),
    /// A limit was reached before that.
    Stopped(Spent),
}

/// Poses the queries in order until one has a model.
fn search<'s, 'm>(
    queries: impl Iterator<Item = Result<Query<'s, 'm>, Unsupported>>,
    budget: &dyn Budget,
) -> Result<Search<'s, 'm>, Unsupported> {
    let mut nevers = Vec::new();
    for query in queries {
        let mut query = query?;
        match solve(&mut query, budget)? {
            QueryResult::Unsatisfiable(never) => nevers.push(never),
            QueryResult::Satisfiable(model) => return Ok(Search::Model(Box::new(query), model)),
            QueryResult::Stopped(spent) => return Ok(Search::Stopped(spent)),
        }
    }
    Ok(Search::NoModel(nevers))
}

fn solve(query: &mut Query<'_, '_>, budget: &dyn Budget) -> Result<QueryResult, Unsupported> {
    QuerySolver::new(budget.solver()).solve(query, budget)
}
