//! The queries of the proof rule (see `mod.rs`).

use crate::constraints::difference::Constraint;
use crate::constraints::times::{Start, Times};
use crate::premises::phases::Case;
use crate::premises::scope::Scope;
use crate::rule::cut;
use crate::rule::cut::Claim;
use crate::theory::exact::Periods;
use crate::unroll::frozen::SymmetryBreaking;
use crate::unroll::inboxes::Filled;
use crate::unroll::unrolled::Unrolled;
use bits::Unsupported;
use machine::{Fault, InboxStart, NodeId};
use sat::Lit;

/// A query: does some order of events that has times make a literal true?
pub struct Query<'s, 'm> {
    /// The unrolled activations.
    pub unrolled: Unrolled<'s, 'm>,
    /// The literal that is to be satisfied.
    pub goal: Lit,
    /// The declared timings of the nodes, for exact times.
    pub periods: Periods<'m>,
    /// At the cut, some node has made at most this many activations.
    pub last: u32,
}

/// The number of activations from which on the claim no longer depends on counts (see `premises/counts.rs`), or why the
/// proof rule does not apply.
pub fn reach(scope: &Scope<'_>, claim: &Claim<'_>) -> Result<u32, Unsupported> {
    scope
        .counts
        .reach(claim.condition)
        .map_err(Unsupported::new)
}

/// Can the code of a block, or the claim, be an error in an arbitrary state?
pub fn error_query<'s, 'm>(
    scope: &'s Scope<'m>,
    claim: &Claim<'_>,
) -> Result<Query<'s, 'm>, Unsupported> {
    let times = times(scope, Start::Arbitrary)?;
    let known = (SymmetryBreaking::Off, Filled::Perhaps);
    let mut unrolled = Unrolled::new(scope, Start::Arbitrary, times, 0, known, &Case::open())?;
    let mut errors = vec![cut::may_err(&mut unrolled, claim)?];
    for node in scope.machine.nodes() {
        errors.extend(unrolled.effects[node.index()].first().map(|e| e.error));
    }
    let goal = unrolled.aig.any(errors);
    Ok(Query::new(unrolled, goal, Start::Arbitrary, 0))
}

/// Is there an initial state? Solved before the other queries: if there is no initial state, a proof from arbitrary states would
/// be vacuous. Refused if an initial value or a restriction of initial states may be an error.
pub fn initial_query<'s, 'm>(scope: &'s Scope<'m>) -> Result<Query<'s, 'm>, Unsupported> {
    let known = (SymmetryBreaking::Off, Filled::Perhaps);
    let times = times(scope, Start::Initial)?;
    let unrolled = Unrolled::new(scope, Start::Initial, times, 0, known, &Case::open())?;
    Ok(Query::new(unrolled, Lit::TRUE, Start::Initial, 0))
}

/// Is the claim violated, in a run from an initial state, at a moment at which some node has made at most `last`
/// activations?
pub fn base_query<'s, 'm>(
    scope: &'s Scope<'m>,
    claim: &Claim<'_>,
    filled: Filled,
    case: &Case,
    last: u32,
) -> Result<Query<'s, 'm>, Unsupported> {
    violation_query(scope, claim, (Start::Initial, filled, case), last, 0)
}

/// Is the claim violated, from an arbitrary state, at a moment at which some node has made at most `spare` activations
/// more than the claim requires of it? The first `spare` activations are not counted.
pub fn step_query<'s, 'm>(
    scope: &'s Scope<'m>,
    claim: &Claim<'_>,
    filled: Filled,
    case: &Case,
    spare: u32,
) -> Result<Query<'s, 'm>, Unsupported> {
    let last = reach(scope, claim)? + spare;
    violation_query(scope, claim, (Start::Arbitrary, filled, case), last, spare)
}

fn violation_query<'s, 'm>(
    scope: &'s Scope<'m>,
    claim: &Claim<'_>,
    (start, filled, case): (Start, Filled, &Case),
    last: u32,
    forgotten: u32,
) -> Result<Query<'s, 'm>, Unsupported> {
    let (times, known) = (times(scope, start)?, (SymmetryBreaking::On, filled));
    let mut unrolled = Unrolled::new(scope, start, times, last, known, case)?;
    let goal = cut::violated(&mut unrolled, claim, forgotten, last)?;
    Ok(Query::new(unrolled, goal, start, last))
}

/// The largest number of gaps between the clearing of an inbox and a read that the empty-inbox query considers.
const MAX_GAPS: u32 = 16;

/// Can a node read its inbox and find no message of a node that can send? `None` if the query does not apply.
///
/// *When it applies.* Inboxes initially hold one message of each node that can send. Every sender sends at every
/// activation. An inbox keeps only the latest message of each sender, or all messages of a sender are equal, so that
/// another copy makes no difference. No message is lost.
///
/// *Why finitely many activations suffice.* At a read, either the inbox was never cleared and still holds its initial
/// contents, or some last activation cleared it. The suffix of the run from just before that activation starts in an
/// arbitrary state, and the read is some activations later. If the gaps between them last longer than the longest silence of
/// a sender, a message has arrived; so only that many gaps are considered.
///
/// *What follows if the query is unsatisfiable.* Between events an inbox may lack a message of some sender. But a
/// message of that sender arrives before the next read, and it replaces an earlier message or is equal to it. So adding
/// an earlier message with any contents to the inbox changes nothing that is read. Therefore inboxes may be assumed to
/// hold a message of every node that can send.
pub fn empty_inbox_query<'s, 'm>(
    scope: &'s Scope<'m>,
) -> Result<Option<Query<'s, 'm>>, Unsupported> {
    let machine = scope.machine;
    let senders = || machine.nodes().flat_map(|to| scope.senders(to));
    let fits = |from: NodeId| {
        let send = scope.sends_of(from);
        send.is_some_and(|send| send.always && (machine.inbox.latest || send.is_closed()))
    };
    let certain = machine.faults.is_empty();
    if machine.inbox.start != InboxStart::OneFromEach || !certain || !senders().all(fits) {
        return Ok(None);
    }
    let times = times(scope, Start::Arbitrary)?;
    let silence = |from: NodeId| times.nth(from, 1).1.max(times.span(from, 1).1) + times.delay.1;
    let longest = senders().map(silence).max().unwrap_or(0);
    let enough = |node: NodeId| (1..=MAX_GAPS).find(|gaps| times.span(node, *gaps).0 > longest);
    let Some(gaps) = machine.nodes().map(enough).collect::<Option<Vec<u32>>>() else {
        return Ok(None);
    };
    let most = gaps.into_iter().max().unwrap_or(1);
    let (known, case) = ((SymmetryBreaking::Off, Filled::Perhaps), Case::open());
    let mut unrolled = Unrolled::new(scope, Start::Arbitrary, times, most + 1, known, &case)?;
    let mut empty = Vec::new();
    for to in machine.nodes() {
        let runs = !unrolled.frozen.fault(to, Fault::Off);
        let mut since = vec![runs, unrolled.cleared((to, 1))];
        for n in 2..=most {
            for from in scope.senders(to) {
                let misses = unrolled.misses((to, n), from)?;
                let here: Vec<_> = since.iter().copied().chain([misses]).collect();
                empty.push(unrolled.aig.all(here));
            }
            since.push(!unrolled.cleared((to, n)));
        }
    }
    let goal = unrolled.aig.any(empty);
    Ok(Some(Query::new(unrolled, goal, Start::Arbitrary, most + 1)))
}

/// The constraints on times that hold in every order of events.
pub fn base_constraints(unrolled: &Unrolled<'_, '_>) -> Vec<Constraint> {
    let mut constraints = Vec::new();
    for node in unrolled.scope.machine.nodes() {
        let most = unrolled.horizon.after[node.index()];
        let moments: Vec<usize> = (1..=most)
            .map(|n| unrolled.atoms.moment((node, n)))
            .collect();
        unrolled.times.constraints(node, &moments, &mut constraints);
        let before: Vec<usize> = (1..=unrolled.horizon.before[node.index()])
            .map(|n| unrolled.atoms.moment_before((node, n)))
            .collect();
        (unrolled.times).constraints_before(node, &before, &moments, &mut constraints);
    }
    // The cut is not before the start.
    constraints.push(Constraint::after(0, unrolled.atoms.cut(), 0));
    constraints
}

impl<'s, 'm> Query<'s, 'm> {
    fn new(unrolled: Unrolled<'s, 'm>, goal: Lit, start: Start, last: u32) -> Query<'s, 'm> {
        let periods = Periods::of(unrolled.scope.machine, start);
        Query {
            unrolled,
            goal,
            periods,
            last,
        }
    }
}

fn times(scope: &Scope<'_>, start: Start) -> Result<Times, Unsupported> {
    Times::of(scope.machine, start).ok_or_else(|| Unsupported::new("times that cannot be counted"))
}
