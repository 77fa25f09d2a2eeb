//! That whoever looks into an inbox finds something from everybody who can send.
//!
//! *When.* Inboxes begin with one message from each who can send; everybody sends at every activation; and an inbox keeps the
//! latest of each, or all messages of a node are the same, so that one more makes no difference.
//!
//! *Why it may be asked of a bounded part.* At a look, either the inbox has never been cleared, and what it began with is still
//! there, or it was cleared at some activation last. What is left of the run from just before that activation on is one from
//! any moment, and the look is some activations later. After more gaps than the longest silence of the sender lasts, something has
//! arrived; so only so many gaps are looked at.
//!
//! *What follows.* At a moment between events an inbox may be empty of somebody. But before the next look something from him
//! arrives, and replaces what was there or is the same: so it makes no difference if something was there, whatever it said.
//! Such a moment may be taken for one at which there is something from everybody, and every look sees that.

use crate::ask::{Asked, Asking};
use crate::exact::Periods;
use crate::fixed::WhoIsWho;
use crate::inboxes::Filled;
use crate::scope::Scope;
use crate::times::{Start, Times};
use crate::unroll::Unrolled;
use bits::Unsupported;
use machine::{Fault, InboxStart, NodeId};
use verdict::{Budget, Spent};

/// More gaps between a look and the one before are not looked at.
const MOST_GAPS: u32 = 16;

/// Whether inboxes hold something from everybody who can send whenever somebody looks; `false` if that is not found out.
pub(crate) fn are_filled(
    scope: &Scope<'_>,
    budget: &dyn Budget,
) -> Result<Result<bool, Spent>, Unsupported> {
    let machine = scope.machine;
    let senders = || machine.nodes().flat_map(|to| scope.senders(to));
    let fits = |from: NodeId| {
        let send = scope.sends_of(from);
        send.is_some_and(|send| send.always && (machine.inbox.latest || send.is_closed()))
    };
    if machine.inbox.start != InboxStart::OneFromEach || !senders().all(fits) {
        return Ok(Ok(false));
    }
    let times = Times::of(machine, Start::Anywhere)
        .ok_or_else(|| Unsupported("times that cannot be counted".into()))?;
    let silence = |from: NodeId| times.nth(from, 1).1.max(times.span(from, 1).1) + times.delay.1;
    let longest = senders().map(silence).max().unwrap_or(0);
    let enough = |node: NodeId| (1..=MOST_GAPS).find(|gaps| times.span(node, *gaps).0 > longest);
    let Some(gaps) = machine.nodes().map(enough).collect::<Option<Vec<u32>>>() else {
        return Ok(Ok(false));
    };
    let most = gaps.into_iter().max().unwrap_or(1);
    let who = WhoIsWho::Matters;
    let filled = Filled::Perhaps;
    let mut unrolled = Unrolled::new(scope, Start::Anywhere, times, most + 1, who, filled)?;
    let mut empty = Vec::new();
    for to in machine.nodes() {
        let runs = !unrolled.fixed.fault(to, Fault::Off);
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
    let some = unrolled.aig.any(empty);
    let periods = Periods::of(machine, Start::Anywhere);
    Ok(
        match Asking::new().ask(&mut unrolled, some, &periods, budget)? {
            Asked::Never => Ok(true),
            Asked::So(_) => Ok(false),
            Asked::Stopped(spent) => Err(spent),
        },
    )
}
