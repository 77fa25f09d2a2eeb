//! Quantifiers over unknown elements: instances at the names, and witnesses.

use crate::Unsupported;
use crate::eval::evaluator::Evaluator;
use crate::eval::names::View;
use crate::open::elements::{Candidate, Candidates};
use crate::values::layout::free;
use crate::values::number::Number;
use crate::values::value::{Bits, Set, Sort};
use machine::{Expr, LocalId, NodeId, Order, Quantifier, Type, may_fail, may_overflow};
use sat::Lit;

/// Whether a candidate decides.
type Decides<'d, 'e> = dyn FnMut(&mut Evaluator<'e>, &Candidate) -> Result<Lit, Unsupported> + 'd;

impl<'e> Evaluator<'e> {
    /// A quantifier over a domain whose elements may have no name.
    pub(crate) fn quantified_openly(
        &mut self,
        view: View<'_>,
        quantifier: Quantifier,
        local: LocalId,
        (domain, body): (&Expr, &Expr),
    ) -> Result<Bits, Unsupported> {
        self.refuse_errors(body)?;
        let blind = view.blind && matches!(domain.bare(), Expr::Inbox(..));
        if blind {
            self.look();
        }
        match quantifier {
            Quantifier::All | Quantifier::Exists if blind => Ok(Bits::Bool(self.aig.input())),
            Quantifier::All | Quantifier::Exists => {
                let all = quantifier == Quantifier::All;
                let candidates = self.candidates(view, domain)?;
                let some = self.some(view, &candidates, &mut |this, candidate| {
                    this.bind(local, candidate.value.clone());
                    let holds = this.condition(body)?;
                    Ok(if all { !holds } else { holds })
                })?;
                Ok(Bits::Bool(if all { !some } else { some }))
            }
            Quantifier::Union | Quantifier::Intersect => {
                if self.type_of(body)? != Type::Set(Box::new(Type::Node)) {
                    return Err(Unsupported::new(
                        "a union or intersection over unknown elements",
                    ));
                }
                if blind {
                    if quantifier == Quantifier::Intersect {
                        self.fail_if_empty_unseen();
                    }
                    return self.unknown_nodes(view);
                }
                self.combined(
                    view,
                    quantifier == Quantifier::Intersect,
                    local,
                    (domain, body),
                )
            }
            Quantifier::Max | Quantifier::Min => {
                let greatest = quantifier == Quantifier::Max;
                if blind {
                    self.fail_if_empty_unseen();
                    let ty = self.type_of(body)?;
                    let (value, valid) = free(self.aig, self.machine, &ty)?;
                    view.names.require(valid);
                    view.names.count_value();
                    return Ok(value);
                }
                self.extreme_openly(view, greatest, local, (domain, body))
            }
            Quantifier::Count | Quantifier::Sum => Err(Unsupported::new(
                "a number of nodes or messages, which depends on the size",
            )),
            Quantifier::The => Err(Unsupported::new("`the` over unknown elements")),
        }
    }

    /// Adds an error for the case that an unknown inbox is empty; this includes that the code has cleared it.
    fn fail_if_empty_unseen(&mut self) {
        let empty = self.aig.input();
        self.fail_if(empty);
    }

    /// Refuses an expression that may be an error: at an element without a name the error would not be noticed.
    pub(super) fn refuse_errors(&self, body: &Expr) -> Result<(), Unsupported> {
        match may_fail(self.machine, body, &[]) || may_overflow(self.machine, self.scope, body) {
            true => Err(Unsupported::new(
                "an expression that may be an error for some element of an unknown domain",
            )),
            false => Ok(()),
        }
    }

    /// Whether some element of a domain decides: a new input, with instances and perhaps a witness.
    fn some(
        &mut self,
        view: View<'_>,
        candidates: &Candidates,
        decides: &mut Decides<'_, 'e>,
    ) -> Result<Lit, Unsupported> {
        let names = view.names;
        let here = self.here();
        let some = self.aig.input();
        let grant = if view.granted {
            names.grant()
        } else {
            Lit::FALSE
        };
        // Whether an element without a name can decide, by the generic one.
        let mut beyond = Lit::FALSE;
        let before = names.set_grant(Lit::FALSE);
        for candidate in candidates.list.iter().filter(|c| c.name == names.generic()) {
            let decided = self.under(candidate.present, |this| decides(this, candidate))?;
            let decided = self.aig.and(candidate.present, decided);
            beyond = self.aig.or(beyond, decided);
        }
        names.set_grant(before);
        let exact = beyond == Lit::FALSE;
        // The latest name that the witness can have; `None` without a witness.
        let latest = match grant {
            Lit::FALSE => None,
            _ if !candidates.complete && candidates.any.is_none() => None,
            _ if exact => Some(names.generic() - 1),
            _ => names.reserve(),
        };
        let reserved = names.reserved();
        let mut most = reserved;
        let mut decided_here = Vec::new();
        let mut picks = Vec::new();
        let rounds = match &candidates.any {
            Some(any) => vec![(&candidates.list, false), (any, true)],
            None => vec![(&candidates.list, true)],
        };
        for (list, for_witness) in rounds {
            for candidate in list.iter().filter(|c| c.name != names.generic()) {
                let may = for_witness && latest.is_some_and(|latest| candidate.name <= latest);
                let pick = if may { self.aig.input() } else { Lit::FALSE };
                if candidate.present == Lit::FALSE {
                    continue;
                }
                names.set_reserved(reserved);
                let inner = self.aig.and(grant, pick);
                let before = names.set_grant(inner);
                let decided = self.under(candidate.present, |this| decides(this, candidate));
                names.set_grant(before);
                most = most.max(names.reserved());
                let decided = decided?;
                let decided = self.aig.and(candidate.present, decided);
                let reached = self.aig.and(here, decided);
                let instance = self.aig.implies(reached, some);
                names.require(instance);
                if may {
                    let witness = self.aig.implies(pick, decided);
                    names.require(witness);
                    picks.push(pick);
                }
                decided_here.push(decided);
            }
        }
        names.set_reserved(most);
        if latest.is_some() {
            let needed = self.aig.all([here, grant, some]);
            let picked = self.aig.any(picks);
            let witness = self.aig.implies(needed, picked);
            names.require(witness);
        }
        if exact && candidates.complete {
            let needed = self.aig.and(here, some);
            let decided = self.aig.any(decided_here);
            let only = self.aig.implies(needed, decided);
            names.require(only);
        }
        Ok(some)
    }

    /// Whether two sets of nodes differ, or whether the first has an element that the second has not.
    pub(crate) fn differ_openly(
        &mut self,
        view: View<'_>,
        (a, b): (&Set, &Set),
        one_way: bool,
    ) -> Result<Lit, Unsupported> {
        let list = (0..view.names.count()).map(|name| Candidate {
            name,
            present: view.names.exists(name),
            value: Bits::node(NodeId(name as u32)),
        });
        let candidates = Candidates {
            list: list.collect(),
            any: None,
            complete: true,
        };
        self.some(view, &candidates, &mut |this, candidate| {
            let x = a.contains(this.aig, &candidate.value);
            let y = b.contains(this.aig, &candidate.value);
            Ok(match one_way {
                true => this.aig.and(x, !y),
                false => this.aig.xor(x, y),
            })
        })
    }

    /// The union or intersection of sets of nodes over unknown elements, node by node. Witnesses exist only at
    /// interesting nodes. Each node has candidates of its own: two messages of one sender may be the witnesses for two nodes.
    fn combined(
        &mut self,
        view: View<'_>,
        every: bool,
        local: LocalId,
        (domain, body): (&Expr, &Expr),
    ) -> Result<Bits, Unsupported> {
        if every {
            let candidates = self.candidates(view, domain)?;
            let filled = self.some(view, &candidates, &mut |_, _| Ok(Lit::TRUE))?;
            self.fail_if(!filled);
        }
        self.of_names(view, |this, node| {
            let before = view.names.grant_at(node.index());
            let candidates = this.candidates(view, domain)?;
            let some = this.some(view, &candidates, &mut |this, candidate| {
                this.bind(local, candidate.value.clone());
                let set = this.value(body)?;
                let inside = set.set().contains(this.aig, &Bits::node(node));
                Ok(if every { !inside } else { inside })
            });
            view.names.set_grant(before);
            Ok(if every { !some? } else { some? })
        })
    }

    /// The greatest or least value over unknown elements: not exceeded by any named element, and attained by a witness.
    fn extreme_openly(
        &mut self,
        view: View<'_>,
        greatest: bool,
        local: LocalId,
        (domain, body): (&Expr, &Expr),
    ) -> Result<Bits, Unsupported> {
        let ty = self.type_of(body)?;
        let (value, valid) = free(self.aig, self.machine, &ty)?;
        view.names.require(valid);
        view.names.count_value();
        let candidates = self.candidates(view, domain)?;
        let beyond = |this: &mut Self, key: &Bits| match greatest {
            true => value.number().less(this.aig, key.number()),
            false => key.number().less(this.aig, value.number()),
        };
        // No element is beyond the value, and some element has the value. Among messages the three quantifiers can share
        // one witness: in a network no element is beyond the value, and an element with the value shows that the domain
        // is not empty.
        let exceeded = self.some(view, &candidates, &mut |this, candidate| {
            this.bind(local, candidate.value.clone());
            let key = this.value(body)?;
            Ok(beyond(this, &key))
        })?;
        let attained = self.some(view, &candidates, &mut |this, candidate| {
            this.bind(local, candidate.value.clone());
            let key = this.value(body)?;
            Ok(this.same(&key, &value))
        })?;
        let filled = self.some(view, &candidates, &mut |_, _| Ok(Lit::TRUE))?;
        self.fail_if(!filled);
        let here = self.here();
        let reached = self.aig.and(here, filled);
        let is_extreme = self.aig.and(!exceeded, attained);
        let condition = self.aig.implies(reached, is_extreme);
        view.names.require(condition);
        Ok(value)
    }

    /// The node with the largest or smallest id in a set: a witness that no named element of the set exceeds.
    pub(crate) fn extremum_openly(
        &mut self,
        view: View<'_>,
        largest: bool,
        local: LocalId,
        (domain, by): (&Expr, &Expr),
    ) -> Result<Bits, Unsupported> {
        if !self.is_distinct(local, by) {
            return Err(Unsupported::new(
                "the largest by a value that several nodes can have, which depends on the order of nodes",
            ));
        }
        let names = view.names;
        let here = self.here();
        let candidates = self.candidates(view, domain)?;
        // Without a witness the value would denote no node, so the witness must be granted unconditionally.
        let granted = view.granted && names.grant() == Lit::TRUE;
        let latest = if granted { names.reserve() } else { None };
        let Some(latest) = latest else {
            return Err(Unsupported::new(
                "the largest node where no name is left for it",
            ));
        };
        let mut keys = Vec::new();
        for candidate in &candidates.list {
            self.bind(local, candidate.value.clone());
            keys.push(self.under(candidate.present, |this| this.value(by))?);
        }
        let filled = self.aig.input();
        let mut choices = Vec::new();
        let mut picks = Vec::new();
        for (candidate, key) in candidates.list.iter().zip(&keys) {
            if candidate.name == names.generic() {
                continue;
            }
            let there = self.aig.and(here, candidate.present);
            let filled_by = self.aig.implies(there, filled);
            names.require(filled_by);
            if candidate.name > latest {
                continue;
            }
            let pick = self.aig.input();
            let picked = self.aig.implies(pick, candidate.present);
            names.require(picked);
            for (other, than) in candidates.list.iter().zip(&keys) {
                if other.name == candidate.name || other.name == names.generic() {
                    continue;
                }
                let (a, b) = if largest { (key, than) } else { (than, key) };
                let worse = a.number().less(self.aig, b.number());
                let bad = self.aig.all([pick, other.present, worse]);
                names.require(!bad);
            }
            for earlier in &picks {
                let both = self.aig.and(pick, *earlier);
                names.require(!both);
            }
            choices.push((pick, candidate.name as i128));
            picks.push(pick);
        }
        let needed = self.aig.and(here, filled);
        let picked = self.aig.any(picks);
        let witness = self.aig.implies(needed, picked);
        names.require(witness);
        self.fail_if(!filled);
        Ok(Bits::Number(Sort::Node, Number::one_of(self.aig, &choices)))
    }

    /// Whether a key is an id of the node, and so different for different nodes.
    fn is_distinct(&self, local: LocalId, by: &Expr) -> bool {
        match by.bare() {
            Expr::Frozen(frozen, node) => {
                let order = &self.machine.frozen_vars[frozen.index()].order;
                *order == Order::Arrangement && *node.bare() == Expr::Local(local)
            }
            _ => false,
        }
    }
}
