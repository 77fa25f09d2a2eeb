//! The numbers behind the proof that inboxes are never empty: the longest silence of a sender, and the shortest time
//! between two reads.

use super::times::Timings;
use crate::rejected::Rejected;
use machine::NodeId;
use order::{Query, Scope};
use rational::Rational;
use sat::{Certified, Lit, Outcome, Sink, Solver, Tseitin};

/// The shortest times between reads of nodes, and the longest silence of their senders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Silence {
    /// By reading node: the least number of gaps from an activation that clears its inbox to the next read, and the
    /// least duration of these gaps.
    pub looks: Vec<(NodeId, u32, Rational)>,
    /// The longest time between two consecutive arrivals from a sender.
    pub longest: Rational,
}

impl Silence {
    /// Whether the numbers alone imply that a message of every sender arrives between two reads.
    pub fn is_short(&self) -> bool {
        self.looks.iter().all(|(_, _, apart)| *apart > self.longest)
    }
}

/// Computes the numbers for an empty-inbox query. The code determines which activations read; all orders of events are
/// considered.
pub(super) fn silence(scope: &Scope<'_>, query: &mut Query<'_, '_>) -> Result<Silence, Rejected> {
    let timings = Timings::of(scope.machine);
    let timings = timings.ok_or_else(|| Rejected("nodes without a rhythm".into()))?;
    let mut looks = Vec::new();
    let mut longest = Rational::ZERO;
    for node in scope.machine.nodes() {
        for from in scope.senders(node) {
            longest = longest.max(timings.silence(from).map_err(Rejected)?);
        }
        if scope.senders(node).is_empty() {
            continue;
        }
        let most = query.unrolled.horizon.after[node.index()];
        let mut since = vec![query.unrolled.cleared((node, 1))];
        for n in 2..=most {
            let looked = query.unrolled.effects[node.index()][n as usize - 1].looked;
            let here: Vec<Lit> = since.iter().copied().chain([looked]).collect();
            let here = query.unrolled.aig.all(here);
            if is_possible(query, here)? {
                let apart = timings.periodic(node).map_err(Rejected)?.span(n - 1).0;
                looks.push((node, n - 1, apart));
                break;
            }
            since.push(!query.unrolled.cleared((node, n)));
        }
    }
    Ok(Silence { looks, longest })
}

/// Whether the code allows a literal to be true in some order of events; declared times are ignored.
fn is_possible(query: &mut Query<'_, '_>, lit: Lit) -> Result<bool, Rejected> {
    let unrolled = &mut query.unrolled;
    unrolled.fill(&[lit]).map_err(|why| Rejected(why.what))?;
    let (mut solver, mut tseitin) = (Certified::new(), Tseitin::new());
    for lit in unrolled.conditions.iter().chain([&lit]) {
        let literal = tseitin.literal(&unrolled.aig, *lit, &mut solver);
        solver.clause(&[literal]);
    }
    Ok(solver.solve(&[], &mut || false) != Outcome::Unsatisfiable)
}
