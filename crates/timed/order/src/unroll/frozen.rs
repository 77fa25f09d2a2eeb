//! Frozen values as bits: constants of nodes, ids, and faults from the start.
//!
//! *Symmetry breaking.* If nodes are interchangeable, one choice of frozen values represents all that differ by a
//! permutation of these nodes. Among interchangeable nodes, ids grow with the number of the node; if there are no ids,
//! nodes with faults come last. This is valid only if errors are impossible, so [`crate::error_query`] does not use it.

use crate::premises::phases::Case;
use bits::{Bits, Number, Sort, Unsupported, constant, equal, free, less};
use machine::{Fault, Frozen, FrozenId, Machine, NodeId, Order, interchangeable_without_errors};
use sat::{Aig, Lit};

/// The frozen variables and faults of all nodes, as bits.
pub struct FrozenValues {
    /// By frozen variable and position of the node within its kind: the value.
    values: Vec<Vec<Bits>>,
    /// By node: its possible faults, each with the literal that is true if the node has it.
    faults: Vec<Vec<(Fault, Lit)>>,
}

/// Whether symmetry breaking restricts the frozen values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymmetryBreaking {
    /// All choices of frozen values are allowed.
    Off,
    /// At least one choice per class of equivalent choices is allowed.
    On,
}

impl FrozenValues {
    /// Creates circuit inputs for the frozen values. Adds to `valid` the literals under which they encode a choice of
    /// frozen values.
    pub fn of(
        machine: &Machine,
        symmetry_breaking: SymmetryBreaking,
        case: &Case,
        aig: &mut Aig,
        valid: &mut Vec<Lit>,
    ) -> Result<FrozenValues, Unsupported> {
        let groups = match symmetry_breaking {
            SymmetryBreaking::Off => Vec::new(),
            SymmetryBreaking::On => interchangeable_without_errors(machine),
        };
        let mut ids: Vec<(NodeId, Bits)> = Vec::new();
        let mut values = Vec::new();
        for frozen in &machine.frozen_vars {
            let mut column = Vec::new();
            for (place, node) in machine.nodes_of(frozen.kind).enumerate() {
                let value = match &frozen.order {
                    Order::Given(values) => constant(machine, &values[place], &frozen.ty),
                    Order::Arrangement if ids_ascend(machine, &groups) => {
                        let id = Number::constant(i128::from(node.0) + 1);
                        Bits::Number(Sort::Id, id)
                    }
                    Order::Arrangement | Order::Every => {
                        let (value, ok) = free(aig, machine, &frozen.ty)?;
                        valid.push(ok);
                        if frozen.order == Order::Arrangement {
                            for (_, other) in &ids {
                                valid.push(!equal(aig, other, &value));
                            }
                        }
                        value
                    }
                };
                if frozen.order == Order::Arrangement {
                    ids.push((node, value.clone()));
                }
                column.push(value);
            }
            values.push(column);
        }
        let faults = faults(machine, aig, valid);
        let constants = machine.frozen_vars.iter().any(|r| r.order == Order::Every);
        if !constants {
            for group in &groups {
                for pair in group.windows(2) {
                    let of = |node| ids.iter().find(|(n, _)| *n == node).map(|(_, id)| id);
                    match (of(pair[0]), of(pair[1])) {
                        (Some(a), Some(b)) => valid.push(less(aig, a, b)?),
                        // Initial phases already distinguish nodes whose phases differ.
                        _ if ids.is_empty() && case.is_same(pair[0], pair[1]) => {
                            valid.push(not_greater(aig, &faults, pair[0], pair[1]))
                        }
                        _ => {}
                    }
                }
            }
        }
        Ok(FrozenValues { values, faults })
    }

    /// The value of a frozen variable at a node of its kind.
    pub fn value(&self, machine: &Machine, frozen: FrozenId, node: NodeId) -> &Bits {
        &self.values[frozen.index()][machine.place_in_kind(node)]
    }

    /// The literal that is true if a node has a fault.
    pub fn fault(&self, node: NodeId, fault: Fault) -> Lit {
        let own = self.faults[node.index()].iter();
        let found = own.into_iter().find(|(f, _)| *f == fault);
        found.map_or(Lit::FALSE, |(_, lit)| *lit)
    }

    /// The literal that is true if a node has a fault for which `is` is true.
    pub fn some_fault(&self, aig: &mut Aig, node: NodeId, is: fn(Fault) -> bool) -> Lit {
        let own = self.faults[node.index()].iter().filter(|(f, _)| is(*f));
        let lits: Vec<Lit> = own.map(|(_, lit)| *lit).collect();
        aig.any(lits)
    }

    /// The frozen values in a satisfying assignment of the inputs.
    pub fn decode(&self, machine: &Machine, model: &dyn Fn(Lit) -> bool) -> Frozen {
        let column = |bits: &Vec<Bits>| bits.iter().map(|b| b.decode(model)).collect();
        let fault = |own: &Vec<(Fault, Lit)>| own.iter().find(|(_, l)| model(*l)).map(|(f, _)| *f);
        Frozen {
            values: self.values.iter().map(column).collect(),
            faults: match machine.node_faults.is_empty() {
                true => Vec::new(),
                false => self.faults.iter().map(fault).collect(),
            },
            periods: Vec::new(),
        }
    }
}

/// Whether the ids can be 1, 2, … in the order of the nodes: every node has an id, there are no other ids or free
/// constants, and all nodes are interchangeable.
fn ids_ascend(machine: &Machine, groups: &[Vec<NodeId>]) -> bool {
    let arranged = |r: &&machine::FrozenVar| r.order == Order::Arrangement;
    machine.frozen_vars.iter().filter(arranged).count() == 1
        && machine.frozen_vars.iter().all(|r| r.order != Order::Every)
        && machine.ids == machine.node_count()
        && matches!(groups, [all] if all.len() == machine.node_count() as usize)
}

fn faults(machine: &Machine, aig: &mut Aig, valid: &mut Vec<Lit>) -> Vec<Vec<(Fault, Lit)>> {
    let mut by_node: Vec<Vec<(Fault, Lit)>> = machine.nodes().map(|_| Vec::new()).collect();
    let mut chosen: Vec<Vec<Lit>> = machine.nodes().map(|_| Vec::new()).collect();
    for item in &machine.node_faults {
        let mut faulted = Vec::new();
        for node in machine.nodes() {
            if item.of.is_some_and(|kind| kind != machine.kind_of(node)) {
                continue;
            }
            let mut here = Vec::new();
            for fault in &item.faults {
                let lit = aig.input();
                here.push(lit);
                let own = &mut by_node[node.index()];
                match own.iter_mut().find(|(f, _)| f == fault) {
                    Some((_, known)) => *known = aig.or(*known, lit),
                    None => own.push((*fault, lit)),
                }
            }
            faulted.push(aig.any(here.iter().copied()));
            chosen[node.index()].extend(here);
        }
        if let Some(limit) = item.limit {
            valid.push(at_most(aig, &faulted, limit as usize));
        }
    }
    for lits in &chosen {
        valid.push(at_most(aig, lits, 1));
    }
    by_node
}

/// The literal that is true if at most `limit` of the given literals are true.
pub fn at_most(aig: &mut Aig, lits: &[Lit], limit: usize) -> Lit {
    if lits.len() <= limit {
        return Lit::TRUE;
    }
    // At index n: more than n of the literals read so far are true.
    let mut reached = vec![Lit::FALSE; limit + 1];
    for lit in lits {
        for n in (0..=limit).rev() {
            let before = if n == 0 { Lit::TRUE } else { reached[n - 1] };
            let now = aig.and(before, *lit);
            reached[n] = aig.or(reached[n], now);
        }
    }
    !reached[limit]
}

/// The literal that is true if the fault of `a` does not come after that of `b`, where "no fault" comes first and
/// faults are in the order of their list.
fn not_greater(aig: &mut Aig, faults: &[Vec<(Fault, Lit)>], a: NodeId, b: NodeId) -> Lit {
    let (a, b) = (&faults[a.index()], &faults[b.index()]);
    let later: Vec<Lit> = (0..a.len())
        .map(|i| {
            // If `a` has this fault, `b` has the same one or a later one of the list.
            let rest: Vec<Lit> = b[i..].iter().map(|(_, lit)| *lit).collect();
            let rest = aig.any(rest);
            aig.implies(a[i].1, rest)
        })
        .collect();
    aig.all(later)
}
