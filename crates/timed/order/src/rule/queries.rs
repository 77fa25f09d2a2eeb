//! For ever, from a bounded look: which questions prove a claim.
//!
//! The claim is `always` a condition that is falser the greater counts of activations are, and that compares them with numbers
//! up to *a* ([`reach`]). Take a run that breaks it at some moment M. Some counts are reached there, and they are all that is
//! needed: what is left of the run behind an earlier moment, with counts from there on, breaks it at M as well, if they are
//! still reached. Let that earlier moment be as late as it may be with h activations to spare: then some node has made, since
//! then, exactly as many as it is asked for and h more. So the claim holds for ever if
//!
//! 1. from where runs begin it is not broken at any moment at which some node has made less than a + h activations
//!    ([`base_query`]), and
//! 2. from any moment of a run it is not broken at any moment at which some node has made at most a + h, if counts only begin
//!    to count after h ([`step_query`]).
//!
//! What *any moment of a run* is need not be known exactly, as long as every state between events is among them: there
//! variables have any value of their types, inboxes hold any messages, or none, of those who can send (of anybody, if they may
//! begin with anything), and the first activation of a node is a whole gap away at the latest. The runs from where runs begin
//! are among those, so the second question alone is a proof. The more h, the less it matters that they are more. Where inboxes
//! are never empty of anybody when somebody looks ([`empty_inbox_query`]), they may be taken to hold something from everybody who
//! can send. If no count is asked for, all that run are taken for those that are reached.
//!
//! *Messages that take time.* At such a moment messages are on their path, sent at the last activations of their senders, not
//! longer ago than a message takes: so many activations of each sender are thought of before the beginning as fit into that
//! time. Each has sent something that the code could send, to anybody, or nothing. Their times are as far apart as gaps are, so
//! what they sent arrives as it would. In a run there may have been fewer of them, near its start, or their messages had arrived:
//! then they have sent nothing, and can be thought of all the same, each a gap before the next; the last one before the
//! beginning, and so a gap before the first one after it or more, if that one may be later than a gap. Each (message, receiver) arrives
//! at a time of its own. So an order of events has times for all of them if it has times in which each look is late enough
//! for what it finds and early enough for what it does not find, and what was found once is never not found (with `fifo`: and what
//! was sent before it is found, too): the latest moment that is neither later than the first look that finds a message nor than
//! it may be will do for each.
//!
//! *Lost messages.* Any, but no more than may be lost in a run: none may have been lost before the beginning.
//!
//! That nothing is an error, in code or claim, is a question of its own ([`error_query`]), and the first one: who is who is told
//! apart no further than somebody can all_clauses only behind it. All are questions about finitely many activations, for times bound
//! how many others there are.
//!
//! Both questions about a claim are asked case by case ([`crate::cases`]), so that what is done at which activation is known.

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

/// A question: whether some order of events, with times, makes a literal true.
pub struct Query<'s, 'm> {
    /// The activations that are looked at.
    pub unrolled: Unrolled<'s, 'm>,
    /// The literal.
    pub goal: Lit,
    /// The periodics, as they are declared.
    pub periods: Periods<'m>,
}

/// The greatest number with which a claim compares a count; or why the rule does not speak of it, in words.
pub fn reach(scope: &Scope<'_>, claim: &Claim<'_>) -> Result<u32, Unsupported> {
    scope.counts.reach(claim.condition).map_err(Unsupported)
}

/// Whether the code is an error in some state that is like those between events, or the claim in any.
pub fn error_query<'s, 'm>(
    scope: &'s Scope<'m>,
    claim: &Claim<'_>,
) -> Result<Query<'s, 'm>, Unsupported> {
    let (times, who) = (times(scope, Start::Arbitrary)?, SymmetryBreaking::Off);
    let known = (who, Filled::Perhaps);
    let mut unrolled = Unrolled::new(scope, Start::Arbitrary, times, 0, known, &Case::open())?;
    let mut errors = vec![cut::may_err(&mut unrolled, claim)?];
    for node in scope.machine.nodes() {
        errors.extend(unrolled.effects[node.index()].first().map(|e| e.error));
    }
    let goal = unrolled.aig.any(errors);
    Ok(Query::new(unrolled, goal, Start::Arbitrary))
}

/// Whether a run can begin. That is for whoever asks to find out first: where none can, or where a first value or a restriction
/// may be an error, which is refused here, a proof from any moment would speak of nothing.
pub fn initial_query<'s, 'm>(scope: &'s Scope<'m>) -> Result<Query<'s, 'm>, Unsupported> {
    let known = (SymmetryBreaking::Off, Filled::Perhaps);
    let times = times(scope, Start::Initial)?;
    let unrolled = Unrolled::new(scope, Start::Initial, times, 0, known, &Case::open())?;
    Ok(Query::new(unrolled, Lit::TRUE, Start::Initial))
}

/// Whether the claim is broken, from where runs begin, at any moment at which some node has made at most `last` activations.
pub fn base_query<'s, 'm>(
    scope: &'s Scope<'m>,
    claim: &Claim<'_>,
    filled: Filled,
    case: &Case,
    last: u32,
) -> Result<Query<'s, 'm>, Unsupported> {
    violation_query(scope, claim, (Start::Initial, filled, case), last, 0)
}

/// Whether the claim is broken, from any moment of a run, at any moment at which some node has made at most `spare` activations
/// more than it is asked for, of which the first `spare` do not count.
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
    Ok(Query::new(unrolled, goal, start))
}

/// More gaps between a look into an inbox and the one before are not looked at.
const MAX_GAPS: u32 = 16;

/// Whether somebody looks into an inbox and finds nothing from a node that can send; nothing where that is no question.
///
/// *When it is one.* Inboxes begin with one message from each who can send; everybody sends at every activation; and an inbox
/// keeps the latest of each, or all messages of a node are the same, so that one more makes no difference. No message is lost.
///
/// *Why it may be asked of a bounded part.* At a look, either the inbox has never been cleared, and what it began with is still
/// there, or it was cleared at some activation last. What is left of the run from just before that activation on is one from
/// any moment, and the look is some activations later. After more gaps than the longest silence of the sender lasts, something has
/// arrived; so only so many gaps are looked at.
///
/// *What follows if nobody does.* At a moment between events an inbox may be empty of somebody. But before the next look something
/// from him arrives, and replaces what was there or is the same: so it makes no difference if something was there, whatever it
/// said. Such a moment may be taken for one at which there is something from everybody, and every look sees that.
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
    Ok(Some(Query::new(unrolled, goal, Start::Arbitrary)))
}

/// What is demanded of times whatever the order is.
pub fn base_constraints(unrolled: &Unrolled<'_, '_>) -> Vec<Constraint> {
    let mut constraints = Vec::new();
    for node in unrolled.scope.machine.nodes() {
        let most = unrolled.most[node.index()];
        let moments: Vec<usize> = (1..=most)
            .map(|n| unrolled.atoms.moment((node, n)))
            .collect();
        unrolled.times.constraints(node, &moments, &mut constraints);
        let before: Vec<usize> = (1..=unrolled.before[node.index()])
            .map(|n| unrolled.atoms.moment_before((node, n)))
            .collect();
        (unrolled.times).constraints_before(node, &before, &moments, &mut constraints);
    }
    // The moment that is looked at is not before the start.
    constraints.push(Constraint::after(0, unrolled.atoms.cut(), 0));
    constraints
}

impl<'s, 'm> Query<'s, 'm> {
    fn new(unrolled: Unrolled<'s, 'm>, goal: Lit, start: Start) -> Query<'s, 'm> {
        let periods = Periods::of(unrolled.scope.machine, start);
        Query {
            unrolled,
            goal,
            periods,
        }
    }
}

fn times(scope: &Scope<'_>, start: Start) -> Result<Times, Unsupported> {
    Times::of(scope.machine, start)
        .ok_or_else(|| Unsupported("times that cannot be counted".into()))
}
