//! One node of an unknown network: its code, activation after activation, from arbitrary or initial values.
//!
//! The node has name 0. Its code runs on its variables and on what it finds in its inbox (`looks.rs`). An activation
//! that surely does not read needs no inbox. Which activations read is found by a first pass over the code with an
//! unknown inbox; only the last reads, as many as the setting says, get witnesses for their quantifiers, because names
//! are few. Reads without witnesses are less constrained, which is sound.
//!
//! Before its activation at time t the node's own variables satisfy every part that is right from an earlier time on.

use crate::defects::{Defect, broken};
use crate::moments::{Moments, Start};
use crate::parts::Part;
use crate::protocol::IDS;
use crate::queries::{Fact, Right, Rule};
use crate::world::NodeWorld;
use bits::{Bits, Effects, Evaluator, Names, Unsupported, constant, fits, free, narrowed};
use machine::{Expr, Fault, Init, LocalId, Machine, NodeId, Type, Value, VarId};
use order::{FrozenValues, SymmetryBreaking};
use sat::{Aig, Lit};
use std::collections::HashMap;

/// The name of the node whose code is unrolled.
pub(crate) const SUBJECT: NodeId = NodeId(0);

/// The values of the phase variables at the start of an unrolling.
pub(crate) type Case = Vec<(VarId, Value)>;

/// A query under construction.
pub(crate) struct Network<'q> {
    pub(crate) rule: &'q Rule<'q>,
    pub(crate) machine: &'q Machine,
    pub(crate) names: Names,
    pub(crate) frozen: FrozenValues,
    pub(crate) conditions: Vec<Lit>,
    pub(crate) moments: Moments,
    /// The nodes that definitions of the goal denote.
    pub(crate) defined: Vec<(Expr, Bits)>,
    /// By sender and activation: whether a message arrived since the activation before (`looks.rs`).
    pub(crate) arrived: HashMap<(NodeId, u32), Lit>,
    /// The number of values that may be ids.
    ids: u32,
}

/// The code of a node, unrolled.
pub(crate) struct Unrolled {
    /// The variables after each number of activations, from 0.
    pub(crate) states: Vec<Vec<Bits>>,
    /// Whether each activation clears the inbox.
    pub(crate) cleared: Vec<Lit>,
    /// Whether each activation reads the inbox before clearing it.
    pub(crate) looked: Vec<Lit>,
    /// Whether some activation is an error.
    pub(crate) error: Lit,
    /// Whether a value at the start is an error.
    pub(crate) bad_start: Lit,
}

impl<'q> Network<'q> {
    pub(crate) fn new(
        aig: &mut Aig,
        rule: &'q Rule<'q>,
        machine: &'q Machine,
        given: usize,
        start: Start,
    ) -> Result<Network<'q>, Unsupported> {
        let mut conditions = Vec::new();
        let case = order::Case::open();
        let off = SymmetryBreaking::Off;
        let frozen = FrozenValues::of(machine, off, &case, aig, &mut conditions)?;
        let names = machine.node_count() as usize;
        let per_node: u32 = { machine.frozen_vars.iter() }
            .map(|frozen| ids_in(machine, &frozen.ty))
            .sum();
        Ok(Network {
            rule,
            machine,
            names: Names::new(aig, names, given),
            frozen,
            conditions,
            moments: Moments::new(start, rule.protocol.durations.clone()),
            defined: Vec::new(),
            arrived: HashMap::new(),
            ids: per_node * names as u32,
        })
    }

    /// An arbitrary value.
    pub(crate) fn free(&mut self, aig: &mut Aig, ty: &Type) -> Result<Bits, Unsupported> {
        self.ids += ids_in(self.machine, ty);
        let (value, valid) = free(aig, self.machine, ty)?;
        self.conditions.push(valid);
        Ok(value)
    }

    /// Arbitrary values of the variables of a node.
    pub(crate) fn any_state(&mut self, aig: &mut Aig) -> Result<Vec<Bits>, Unsupported> {
        let machine = self.machine;
        machine
            .vars
            .iter()
            .map(|var| self.free(aig, &var.ty))
            .collect()
    }

    /// Whether the query has few enough values that may be ids, so that they fit into the order of ids.
    pub(crate) fn has_enough_ids(&self) -> bool {
        self.machine.ids == 0 || self.ids + self.names.values() <= IDS
    }

    /// Unrolls the code of the subject.
    pub(crate) fn unroll(
        &mut self,
        aig: &mut Aig,
        case: &Case,
        activations: u32,
        looks: u32,
    ) -> Result<Unrolled, Unsupported> {
        let (first, bad_start) = self.begin(aig, case)?;
        // The first pass: which activations read.
        let mut reads = Vec::new();
        let mut state = first.clone();
        for _ in 0..activations {
            let effects = self.activation(aig, &state, SUBJECT, None, false)?;
            reads.push(effects.looked != Lit::FALSE);
            state = effects.vars;
        }
        let from = { (0..reads.len()).rev() }
            .filter(|n| reads[*n])
            .nth((looks as usize).saturating_sub(1));
        let witnessed = |n: usize| looks > 0 && from.is_none_or(|from| n >= from);
        // One read before those with witnesses sees its inbox as well; the inboxes of earlier reads are unknown.
        let before = { (0..reads.len()).rev() }
            .filter(|n| reads[*n])
            .nth(looks as usize);
        let sees = |n: usize| before.is_none_or(|before| n >= before);
        let mut unrolled = Unrolled {
            states: vec![first],
            cleared: Vec::new(),
            looked: Vec::new(),
            error: Lit::FALSE,
            bad_start,
        };
        let mut errors = Vec::new();
        for (n, reads) in reads.iter().enumerate() {
            let state = unrolled.states[n].clone();
            self.own_facts(aig, n as u32 + 1, &state)?;
            let inbox = match *reads {
                true if sees(n) => Some(self.look(aig, n as u32 + 1, &unrolled.cleared)?),
                _ => None,
            };
            let effects = self.activation(aig, &state, SUBJECT, inbox, witnessed(n))?;
            errors.push(effects.error);
            unrolled.cleared.push(effects.cleared);
            unrolled.looked.push(effects.looked);
            unrolled.states.push(effects.vars);
        }
        unrolled.error = aig.any(errors);
        Ok(unrolled)
    }

    /// The effects of the block at a node with these variables.
    pub(crate) fn activation(
        &self,
        aig: &mut Aig,
        vars: &[Bits],
        node: NodeId,
        inbox: Option<crate::world::Inbox>,
        granted: bool,
    ) -> Result<Effects, Unsupported> {
        let world = NodeWorld {
            network: self,
            node,
            vars,
            inbox,
            granted,
        };
        bits::run(
            aig,
            self.machine,
            &world,
            self.rule.protocol.block,
            node,
            None,
        )
    }

    /// The variables of the subject at the start, and whether a declared value is out of range.
    fn begin(&mut self, aig: &mut Aig, case: &Case) -> Result<(Vec<Bits>, Lit), Unsupported> {
        let machine = self.machine;
        let mut values = Vec::new();
        let mut bad = Vec::new();
        for (v, var) in machine.vars.iter().enumerate() {
            let fixed = case.iter().find(|(other, _)| other.index() == v);
            if let Some((_, value)) = fixed {
                values.push(constant(machine, value, &var.ty));
                continue;
            }
            match (&var.init, self.moments.start) {
                (Init::Value(scope, e), Start::Initial) => {
                    let blank: Vec<Bits> = Vec::new();
                    let world = NodeWorld {
                        network: self,
                        node: SUBJECT,
                        vars: &blank,
                        inbox: None,
                        granted: false,
                    };
                    let mut evaluator = Evaluator::new(aig, machine, &world, scope);
                    evaluator.bind(LocalId(0), Bits::node(SUBJECT));
                    let value = evaluator.value(e)?;
                    let fits = fits(aig, machine, &value, &var.ty);
                    bad.push(!fits);
                    values.push(narrowed(machine, &value, &var.ty));
                }
                // A set of initial values is left out: any value of the type includes it.
                _ => values.push(self.free(aig, &var.ty)?),
            }
        }
        Ok((values, aig.any(bad)))
    }

    /// Requires that before an activation the subject's own variables satisfy the parts that are right from an earlier
    /// time on.
    fn own_facts(&mut self, aig: &mut Aig, n: u32, state: &[Bits]) -> Result<(), Unsupported> {
        for fact in &self.rule.facts {
            let when = match &fact.right {
                Right::Always => Lit::TRUE,
                Right::From(time) => self.moments.past(aig, n, time),
            };
            self.assume_fact(aig, fact, SUBJECT, state, when)?;
        }
        Ok(())
    }

    /// Requires that a node with these variables satisfies a part, if a literal is true. The other nodes of the part are
    /// instantiated with all names.
    pub(crate) fn assume_fact(
        &self,
        aig: &mut Aig,
        fact: &Fact,
        node: NodeId,
        vars: &[Bits],
        when: Lit,
    ) -> Result<(), Unsupported> {
        let part = &fact.part;
        if when == Lit::FALSE {
            return Ok(());
        }
        let defined = |local: &LocalId| {
            let of = part.definitions.iter().find(|(name, _)| name == local)?;
            self.defined.iter().find(|(e, _)| *e == of.1)
        };
        // A definition that the goal does not mention has no value here.
        if !part
            .definitions
            .iter()
            .all(|(local, _)| defined(local).is_some())
        {
            return Ok(());
        }
        let others: Vec<LocalId> = { part.nodes.iter() }
            .filter(|local| **local != part.subject)
            .copied()
            .collect();
        for choice in tuples(self.names.count() - 1, others.len()) {
            let world = NodeWorld {
                network: self,
                node,
                vars,
                inbox: None,
                granted: false,
            };
            let mut here: Vec<Lit> = vec![when, self.names.exists(node.index())];
            here.extend(choice.iter().map(|name| self.names.exists(*name)));
            if let Some((_, value)) = defined(&part.subject) {
                here.push(value.number().is(aig, i128::from(node.0)));
            }
            let here = aig.all(here);
            if here == Lit::FALSE {
                continue;
            }
            let mut evaluator = Evaluator::new(aig, self.machine, &world, &part.scope);
            evaluator.assume(here);
            for (local, _) in &part.definitions {
                if let Some((_, value)) = defined(local) {
                    evaluator.bind(*local, value.clone());
                }
            }
            evaluator.bind(part.subject, Bits::node(node));
            for (local, name) in others.iter().zip(choice) {
                evaluator.bind(*local, Bits::node(NodeId(name as u32)));
            }
            let mut premises = vec![here];
            for premise in &part.premises {
                premises.push(evaluator.condition(premise)?);
            }
            let conclusion = evaluator.condition(&part.conclusion)?;
            let premises = aig.all(premises);
            self.names.require(aig.implies(premises, conclusion));
        }
        Ok(())
    }

    /// The literal that the subject with these variables breaks a part.
    pub(crate) fn breaks(
        &mut self,
        aig: &mut Aig,
        part: &Part,
        vars: &[Bits],
        chosen: &[(LocalId, Bits)],
    ) -> Result<Lit, Unsupported> {
        let world = NodeWorld {
            network: self,
            node: SUBJECT,
            vars,
            inbox: None,
            granted: true,
        };
        let mut evaluator = Evaluator::new(aig, self.machine, &world, &part.scope);
        for (local, value) in chosen {
            evaluator.bind(*local, value.clone());
        }
        evaluator.bind(part.subject, Bits::node(SUBJECT));
        let mut all = Vec::new();
        for premise in &part.premises {
            all.push(evaluator.condition(premise)?);
        }
        all.push(!evaluator.condition(&part.conclusion)?);
        for (_, value) in chosen.iter().filter(|(local, _)| *local == part.subject) {
            all.push(value.number().is(aig, 0));
        }
        Ok(aig.all(all))
    }

    /// Values for the nodes of a part: each is one of the given names up to its own, and definitions are evaluated. Two
    /// nodes of a claim may be the same one.
    pub(crate) fn choose(
        &mut self,
        aig: &mut Aig,
        part: &Part,
    ) -> Result<Vec<(LocalId, Bits)>, Unsupported> {
        let mut chosen = Vec::new();
        let others = part.nodes.iter().filter(|local| **local != part.subject);
        for (place, local) in others.enumerate() {
            let own = place + 1;
            let value = self.some_name(aig, own);
            chosen.push((*local, value));
        }
        for (local, definition) in &part.definitions {
            let value = self.define(aig, part, definition)?;
            chosen.push((*local, value));
        }
        Ok(chosen)
    }

    /// A node that is one of the existing names up to `latest`.
    pub(crate) fn some_name(&mut self, aig: &mut Aig, latest: usize) -> Bits {
        let first = match broken(Defect::NamesDiffer) {
            true => latest,
            false => 0,
        };
        let choices: Vec<(Lit, i128)> = (first..=latest)
            .map(|name| (aig.input(), name as i128))
            .collect();
        for (i, (pick, name)) in choices.iter().enumerate() {
            let exists = aig.implies(*pick, self.names.exists(*name as usize));
            self.conditions.push(exists);
            for (other, _) in &choices[..i] {
                let both = aig.and(*pick, *other);
                self.conditions.push(!both);
            }
        }
        let some = aig.any(choices.iter().map(|(pick, _)| *pick));
        self.conditions.push(some);
        Bits::Number(bits::Sort::Node, bits::Number::one_of(aig, &choices))
    }

    /// The node that a definition denotes.
    pub(crate) fn define(
        &mut self,
        aig: &mut Aig,
        part: &Part,
        definition: &Expr,
    ) -> Result<Bits, Unsupported> {
        if let Some((_, value)) = self.defined.iter().find(|(e, _)| e == definition) {
            return Ok(value.clone());
        }
        // That a definition is no error is a query of its own.
        let (value, error) = self.evaluate(aig, part, definition)?;
        self.conditions.push(!error);
        self.defined.push((definition.clone(), value.clone()));
        Ok(value)
    }

    /// The value of an expression that reads no variables, and the literal that it is an error.
    pub(crate) fn evaluate(
        &self,
        aig: &mut Aig,
        part: &Part,
        e: &Expr,
    ) -> Result<(Bits, Lit), Unsupported> {
        let world = NodeWorld {
            network: self,
            node: SUBJECT,
            vars: &[],
            inbox: None,
            granted: true,
        };
        let mut evaluator = Evaluator::new(aig, self.machine, &world, &part.scope);
        let value = evaluator.value(e)?;
        let error = evaluator.error();
        Ok((value, error))
    }

    /// Whether a node can send.
    pub(crate) fn can_send(&self, aig: &mut Aig, node: NodeId) -> Lit {
        if broken(Defect::SilentNodesSend) {
            return Lit::TRUE;
        }
        !self.frozen.some_fault(aig, node, |fault| !fault.can_send())
    }

    /// Whether a node can receive.
    pub(crate) fn can_receive(&self, aig: &mut Aig, node: NodeId) -> Lit {
        !self
            .frozen
            .some_fault(aig, node, |fault| !fault.can_receive())
    }

    /// Whether a node is off.
    pub(crate) fn is_off(&self, node: NodeId) -> Lit {
        self.frozen.fault(node, Fault::Off)
    }
}

/// The number of ids that a value of a type may contain.
fn ids_in(machine: &Machine, ty: &Type) -> u32 {
    match ty {
        Type::Id => 1,
        Type::Option(inner) => ids_in(machine, inner),
        Type::Array(index, inner) => {
            let places = machine.cardinality(index).min(1 << 12) as u32;
            places.saturating_mul(ids_in(machine, inner))
        }
        Type::Record(record) => {
            let fields = machine.records[record.index()].fields.iter();
            fields.map(|(_, ty)| ids_in(machine, ty)).sum()
        }
        _ => 0,
    }
}

/// All lists of this length of numbers below a bound.
fn tuples(below: usize, length: usize) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new()];
    for _ in 0..length {
        let longer = lists.iter().flat_map(|list: &Vec<usize>| {
            (0..below).map(move |next| [&list[..], &[next]].concat())
        });
        lists = longer.collect();
    }
    lists
}
