//! The cut: the moment of a run at which a query evaluates the claim. The number of activations that each node has made
//! determines the cut.

use crate::defects;
use crate::defects::Defect;
use crate::unroll::frozen::FrozenValues;
use crate::unroll::unrolled::{Unrolled, mode_of};
use bits::{Bits, Evaluator, Number, Sort, Unsupported, World, free, select};
use machine::{Expr, Fault, FrozenId, Mode, NodeId, Scope, VarId};
use sat::{Aig, Lit};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// A claim of the form `always` condition.
pub struct Claim<'c> {
    /// The local names of the condition.
    pub scope: &'c Scope,
    /// The condition.
    pub condition: &'c Expr,
}

/// The literal that is true if the claim is violated at the cut and the cut is early: some node has made at most `last`
/// activations. If the claim can be violated only after some count is reached, this must be a node whose count the
/// claim reads. The first `forgotten` activations of each node are not counted. The error query covers states in which
/// the evaluation of the claim is an error.
pub fn violated(
    unrolled: &mut Unrolled<'_, '_>,
    claim: &Claim<'_>,
    forgotten: u32,
    last: u32,
) -> Result<Lit, Unsupported> {
    let (holds, _, counted) = evaluate(unrolled, claim, Counting::From(forgotten))?;
    let (unreached, ..) = evaluate(unrolled, claim, Counting::Nothing)?;
    // If the claim holds while all counts are 0, the early node must be one whose count is compared. Otherwise it may
    // be any running node; if no node runs, every cut is early.
    let early: Vec<NodeId> = match unreached == Lit::TRUE {
        true => counted.into_iter().collect(),
        false => unrolled.scope.machine.nodes().collect(),
    };
    let mut is_early = Vec::new();
    let mut all_off = Vec::new();
    for node in early {
        let off = unrolled.frozen.fault(node, Fault::Off);
        let not_more = !unrolled.atoms.passed((node, last + 1));
        let first = match defects::broken(Defect::FirstMomentOnly) && last > 0 {
            true => at_once(unrolled, node, last),
            false => Lit::TRUE,
        };
        is_early.push(unrolled.aig.all([!off, not_more, first]));
        all_off.push(off);
    }
    is_early.push(unrolled.aig.all(all_off));
    let is_early = unrolled.aig.any(is_early);
    Ok(unrolled.aig.and(!holds, is_early))
}

/// Whether no activation of another node lies between the n-th activation of a node and the cut.
fn at_once(unrolled: &mut Unrolled<'_, '_>, node: NodeId, n: u32) -> Lit {
    let mut same = vec![unrolled.atoms.passed((node, n))];
    for other in unrolled
        .scope
        .machine
        .nodes()
        .filter(|other| *other != node)
    {
        for m in 1..=unrolled.horizon.after[other.index()] {
            let passed = unrolled.atoms.passed((other, m));
            let before = unrolled.arrived((other, m), (node, n));
            same.push(unrolled.aig.iff(passed, before));
        }
    }
    unrolled.aig.all(same)
}

/// The literal that is true if evaluating the condition of a claim is an error in an arbitrary state, with arbitrary
/// counts.
pub fn may_err(unrolled: &mut Unrolled<'_, '_>, claim: &Claim<'_>) -> Result<Lit, Unsupported> {
    Ok(evaluate(unrolled, claim, Counting::Anything)?.1)
}

/// The literals that the claim holds at the cut and that its evaluation is an error, and the nodes whose counts it
/// reads.
fn evaluate(
    unrolled: &mut Unrolled<'_, '_>,
    claim: &Claim<'_>,
    counting: Counting,
) -> Result<(Lit, Lit, BTreeSet<NodeId>), Unsupported> {
    let mut aig = std::mem::take(&mut unrolled.aig);
    let machine = unrolled.scope.machine;
    let cut = Cut {
        unrolled,
        counting,
        counted: RefCell::default(),
    };
    let mut evaluator = Evaluator::new(&mut aig, machine, &cut, claim.scope);
    let holds = evaluator.condition(claim.condition);
    let error = evaluator.error();
    let counted = cut.counted.into_inner();
    unrolled.aig = aig;
    Ok((holds?, error, counted))
}

/// How a query evaluates counts of activations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counting {
    /// The number of activations since the start, less this number (at least 0).
    From(u32),
    /// All counts are 0.
    Nothing,
    /// Any value of the type, chosen anew at each read.
    Anything,
}

/// The state at the cut, in which a claim is evaluated.
struct Cut<'a, 's, 'm> {
    unrolled: &'a Unrolled<'s, 'm>,
    counting: Counting,
    /// The nodes whose counts have been read.
    counted: RefCell<BTreeSet<NodeId>>,
}

impl Cut<'_, '_, '_> {
    fn frozen_values(&self) -> &FrozenValues {
        &self.unrolled.frozen
    }

    /// The literal that is true if a node has made at least n activations; a node that is off makes none.
    fn has_made(&self, aig: &mut Aig, node: NodeId, n: u32) -> Lit {
        let off = self.frozen_values().fault(node, Fault::Off);
        match n {
            0 => Lit::TRUE,
            _ => aig.and(self.unrolled.atoms.passed((node, n)), !off),
        }
    }

    fn count_is(&self, aig: &mut Aig, node: NodeId, n: u32) -> Lit {
        let (reached, more) = (self.has_made(aig, node, n), self.has_made(aig, node, n + 1));
        aig.and(reached, !more)
    }
}

impl World for Cut<'_, '_, '_> {
    fn var(&self, aig: &mut Aig, var: VarId, node: NodeId) -> Result<Bits, Unsupported> {
        let machine = self.unrolled.scope.machine;
        let most = self.unrolled.horizon.after[node.index()];
        if self.unrolled.scope.counts.has(var) {
            self.counted.borrow_mut().insert(node);
            let machine::Type::Int(_, enough) = machine.vars[var.index()].ty else {
                unreachable!("counts are integers");
            };
            return Ok(match self.counting {
                Counting::Nothing => Bits::int(0),
                Counting::Anything => free(aig, machine, &machine.vars[var.index()].ty)?.0,
                Counting::From(forgotten) => {
                    let counts: Vec<(Lit, i128)> = (0..=most)
                        .map(|n| {
                            let count = i128::from(n.saturating_sub(forgotten));
                            (self.count_is(aig, node, n), count.min(i128::from(enough)))
                        })
                        .collect();
                    Bits::Number(Sort::Int, Number::one_of(aig, &counts))
                }
            });
        }
        let place = machine.place_of_var(var);
        let values: Vec<(Lit, Bits)> = (0..=most)
            .map(|n| {
                let value = self.unrolled.after((node, n))[place].clone();
                (self.count_is(aig, node, n), value)
            })
            .collect();
        Ok(select(aig, &values).expect("at least what it is at first"))
    }

    fn frozen(&self, _: &mut Aig, frozen: FrozenId, node: NodeId) -> Result<Bits, Unsupported> {
        let machine = self.unrolled.scope.machine;
        Ok(self.frozen_values().value(machine, frozen, node).clone())
    }

    fn mode(&self, _: &mut Aig, node: NodeId, mode: Mode) -> Result<Lit, Unsupported> {
        mode_of(self.frozen_values(), node, mode)
    }

    fn fault(&self, _: &mut Aig, node: NodeId, fault: Fault) -> Result<Lit, Unsupported> {
        Ok(self.frozen_values().fault(node, fault))
    }

    fn faultless(&self, aig: &mut Aig, node: NodeId) -> Result<Lit, Unsupported> {
        Ok(!self.frozen_values().some_fault(aig, node, |_| true))
    }
}
