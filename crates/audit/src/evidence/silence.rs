//! Why inboxes are never empty of somebody, in numbers: how long who sends is silent, and how far apart looks are.

use super::times::Timings;
use crate::rejected::Rejected;
use machine::NodeId;
use order::{Query, Scope};
use rational::Rational;
use sat::{Batsat, Lit, Outcome, Sink, Solver, Tseitin};

/// How far apart looks of nodes are, and how long others are silent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Silence {
    /// By node that looks: how many gaps there are at least from an activation that clears its inbox to the next query, and how
    /// long they last at least.
    pub looks: Vec<(NodeId, u32, Rational)>,
    /// From one message of a node to its next at most so much passes.
    pub longest: Rational,
}

impl Silence {
    /// Whether the numbers alone say that something arrives between two looks.
    pub fn is_short(&self) -> bool {
        self.looks.iter().all(|(_, _, apart)| *apart > self.longest)
    }
}

/// The numbers of a query for gaps in inboxes. When nodes query is asked of the code, whatever comes first.
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
        let most = query.unrolled.most[node.index()];
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

/// Whether a literal can be true, as far as code says.
fn is_possible(query: &mut Query<'_, '_>, lit: Lit) -> Result<bool, Rejected> {
    let unrolled = &mut query.unrolled;
    unrolled.fill(&[lit]).map_err(|why| Rejected(why.0))?;
    let (mut solver, mut tseitin) = (Batsat::new(), Tseitin::new());
    for lit in unrolled.conditions.iter().chain([&lit]) {
        let literal = tseitin.literal(&unrolled.aig, *lit, &mut solver);
        solver.clause(&[literal]);
    }
    Ok(solver.solve(&[], &mut || false) != Outcome::Unsatisfiable)
}
