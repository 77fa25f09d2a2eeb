//! Why inboxes are never empty of somebody, in numbers: how long who sends is silent, and how far apart looks are.

use super::times::Rhythms;
use crate::Rejected;
use machine::NodeId;
use order::{Look, Scope};
use rational::Rational;
use sat::{Certified, Lit, Outcome, Sink, Solver, Tseitin};

/// How far apart looks of nodes are, and how long others are silent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Silence {
    /// By node that looks: how many gaps there are at least from an activation that clears its inbox to the next look, and how
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

/// The numbers of a look for gaps in inboxes. When nodes look is asked of the code, whatever comes first.
pub(super) fn silence(scope: &Scope<'_>, look: &mut Look<'_, '_>) -> Result<Silence, Rejected> {
    let rhythms = Rhythms::of(scope.machine);
    let rhythms = rhythms.ok_or_else(|| Rejected("nodes without a rhythm".into()))?;
    let mut looks = Vec::new();
    let mut longest = Rational::ZERO;
    for node in scope.machine.nodes() {
        for from in scope.senders(node) {
            longest = longest.max(rhythms.silence(from).map_err(Rejected)?);
        }
        if scope.senders(node).is_empty() {
            continue;
        }
        let most = look.unrolled.most[node.index()];
        let mut since = vec![look.unrolled.cleared((node, 1))];
        for n in 2..=most {
            let looked = look.unrolled.effects[node.index()][n as usize - 1].looked;
            let here: Vec<Lit> = since.iter().copied().chain([looked]).collect();
            let here = look.unrolled.aig.all(here);
            if is_possible(look, here)? {
                let apart = rhythms.rhythm(node).map_err(Rejected)?.span(n - 1).0;
                looks.push((node, n - 1, apart));
                break;
            }
            since.push(!look.unrolled.cleared((node, n)));
        }
    }
    Ok(Silence { looks, longest })
}

/// Whether a literal can be true, as far as code says.
fn is_possible(look: &mut Look<'_, '_>, lit: Lit) -> Result<bool, Rejected> {
    let unrolled = &mut look.unrolled;
    unrolled.fill(&[lit]).map_err(|why| Rejected(why.0))?;
    let (mut solver, mut tseitin) = (Certified::new(), Tseitin::new());
    for lit in unrolled.conditions.iter().chain([&lit]) {
        let literal = tseitin.literal(&unrolled.aig, *lit, &mut solver);
        solver.clause(&[literal]);
    }
    Ok(solver.solve(&[], &mut || false) != Outcome::Unsatisfiable)
}
