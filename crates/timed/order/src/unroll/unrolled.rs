//! The activations of all nodes from the start on as one circuit, for all orders of events.
//!
//! The code of each node is executed symbolically over bits, activation after activation; there is no step per event.
//! Which messages a node reads depends on the order of events, so the contents of its inbox are at first free inputs,
//! called *holes*. Conditions define a hole: which messages were sent, and which of them have arrived since the inbox
//! was cleared. Only holes on which the query depends are defined: [`Unrolled::fill`] follows the circuit from the
//! query and defines the holes that it reaches. A hole of one node may depend on values that other nodes compute from
//! their own holes. This is not circular, because every event depends only on earlier ones.

use crate::constraints::atoms::{Activation, Atom, Atoms};
use crate::constraints::times;
use crate::constraints::times::{Start, Times};
use crate::defects::{Defect, broken};
use crate::premises::phases::Case;
use crate::premises::scope::Scope;
use crate::unroll::frozen::{FrozenValues, SymmetryBreaking};
use crate::unroll::in_transit::InTransit;
use crate::unroll::inboxes::{Filled, Inboxes};
use bits::{Bits, Effects, Evaluator, Slot, Unsupported, World, constant, fits, free};
use machine::{BinaryOp, Expr, Fault, FrozenId, Init, LocalId, Machine, Mode, NodeId, VarId};
use sat::{Aig, Gate, Lit};
use std::collections::HashMap;

/// The activations of all nodes, as circuits over bits.
pub struct Unrolled<'s, 'm> {
    /// The Machine, checked to be within the scope of the proof rule.
    pub scope: &'s Scope<'m>,
    /// The bounds on the times of its activations.
    pub times: Times,
    /// The circuit.
    pub aig: Aig,
    /// The Boolean variables for the orders of events.
    pub atoms: Atoms,
    /// The values of frozen variables and faults.
    pub frozen: FrozenValues,
    /// How many activations are unrolled.
    pub horizon: Horizon,
    /// The constraints on inputs, and the definitions of holes.
    pub conditions: Vec<Lit>,
    /// By node: the values of its variables at the start.
    pub begin: Vec<Vec<Bits>>,
    /// By node: the effects of its activations.
    pub effects: Vec<Vec<Effects>>,
    /// The contents of inboxes.
    pub inboxes: Inboxes,
    /// Messages in transit, and lost messages.
    pub in_transit: InTransit,
    holes: Holes,
}

/// How many activations an unrolling contains.
pub struct Horizon {
    /// By node: the number of activations after the start.
    pub after: Vec<u32>,
    /// By node: the number of activations before the start whose messages may be in transit.
    pub before: Vec<u32>,
    /// Twice the time of the cut, in units, in the order in which every activation is in the middle of its interval.
    nominal: i128,
}

/// The holes of an unrolling.
#[derive(Default)]
struct Holes {
    /// By input gate: the hole to which it belongs, until the hole is defined.
    open: HashMap<u32, Hole>,
    /// By gate: whether [`Unrolled::fill`] has visited it.
    followed: Vec<bool>,
}

/// The largest number of activations of a node before the start; Machines that need more are refused.
const MAX_IN_TRANSIT: u32 = 16;

/// A value that depends on other nodes, or on the order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hole {
    /// The slot of the second node in the inbox of the first at its n-th activation, if inboxes keep only the latest
    /// message.
    Latest(NodeId, u32, NodeId),
    /// The message that a node sends at its n-th activation.
    Message(NodeId, u32),
    /// Whether a node sends the message of its n-th activation to the other node.
    Sent(NodeId, u32, NodeId),
}

impl<'s, 'm> Unrolled<'s, 'm> {
    /// Unrolls all activations that can precede a cut at which some node has made at most `last` activations.
    pub fn new(
        scope: &'s Scope<'m>,
        start: Start,
        times: Times,
        last: u32,
        (symmetry_breaking, filled): (SymmetryBreaking, Filled),
        case: &Case,
    ) -> Result<Unrolled<'s, 'm>, Unsupported> {
        let machine = scope.machine;
        let mut aig = Aig::new();
        let mut conditions = Vec::new();
        let too_many = || Unsupported::new("more activations than anybody counts");
        if last >= times::MAX_SPANS {
            return Err(too_many());
        }
        let next = || machine.nodes().map(|node| times.nth(node, last + 1));
        let until = next().map(|(_, late)| late).max().unwrap_or(0);
        let nominal = next().map(|(early, late)| early + late).min().unwrap_or(0);
        let most: Option<Vec<u32>> = machine
            .nodes()
            .map(|n| times.most_until(n, until))
            .collect();
        let mut most = most.ok_or_else(too_many)?;
        if broken(Defect::HorizonShort) {
            most.iter_mut()
                .for_each(|most| *most = (*most).min(last + 1));
        }
        let before: Option<Vec<u32>> = match start {
            Start::Initial => machine.nodes().map(|_| Some(0)).collect(),
            Start::Arbitrary => { machine.nodes() }
                .map(|node| match scope.sends_of(node) {
                    Some(_) => times
                        .in_transit(node)
                        .filter(|many| *many <= MAX_IN_TRANSIT),
                    None => Some(0),
                })
                .collect(),
        };
        let many = || Unsupported::new("messages that are on their way for many activations");
        let before = before.ok_or_else(many)?;
        let atoms = Atoms::new(&mut aig, &most, &before);
        let frozen = FrozenValues::of(machine, symmetry_breaking, case, &mut aig, &mut conditions)?;
        let mut unrolled = Unrolled {
            scope,
            times,
            aig,
            atoms,
            frozen,
            horizon: Horizon {
                after: most,
                before,
                nominal,
            },
            conditions,
            begin: Vec::new(),
            effects: machine.nodes().map(|_| Vec::new()).collect(),
            inboxes: Inboxes::new(filled),
            in_transit: InTransit::default(),
            holes: Holes::default(),
        };
        for node in machine.nodes() {
            let own = unrolled.first_values(start, node, case)?;
            unrolled.begin.push(own);
        }
        unrolled.restrict(start)?;
        unrolled.begin_inboxes(start)?;
        unrolled.begin_in_transit()?;
        unrolled.begin_losses(start);
        for node in machine.nodes() {
            for n in 1..=unrolled.horizon.after[node.index()] {
                let slots = unrolled.inbox((node, n))?;
                let before = unrolled.after((node, n - 1)).to_vec();
                let at = At {
                    machine,
                    frozen: &unrolled.frozen,
                    vars: &[(node, &before)],
                    inbox: Some((node, &slots)),
                };
                let block = scope.code_of(node);
                let effects = bits::run(&mut unrolled.aig, machine, &at, block, node, None)?;
                unrolled.conditions.push(effects.valid);
                unrolled.effects[node.index()].push(effects);
            }
            if broken(Defect::OffNodesHoldTime) {
                let here = unrolled.atoms.passed((node, 1));
                let off = unrolled.frozen.fault(node, Fault::Off);
                let condition = unrolled.aig.implies(here, !off);
                unrolled.conditions.push(condition);
            }
            for n in 2..=unrolled.horizon.after[node.index()] {
                // If an activation precedes the cut, so do the earlier ones of the node. Nodes that are off have
                // activation times, too, and do nothing at them; otherwise they would prevent late cuts.
                let here = unrolled.atoms.passed((node, n));
                let before = unrolled.atoms.passed((node, n - 1));
                let condition = unrolled.aig.implies(here, before);
                unrolled.conditions.push(condition);
            }
        }
        Ok(unrolled)
    }

    /// The variables of a node after its n-th activation; at the start for n = 0.
    pub fn after(&self, (node, n): Activation) -> &[Bits] {
        match n {
            0 => &self.begin[node.index()],
            _ => &self.effects[node.index()][n as usize - 1].vars,
        }
    }

    /// Whether an atom is true if every activation is in the middle of its interval. The solver tries this value first.
    pub fn is_nominal(&self, atom: Atom) -> bool {
        let middle = |(node, n): Activation| {
            let (early, late) = self.times.nth(node, n);
            (early + late, node)
        };
        let (least, most) = self.times.delay;
        match atom {
            Atom::Arrived(sent, read) => {
                let (time, node) = middle(sent);
                (time + least + most, node) <= middle(read)
            }
            Atom::Reached((node, n), read) => {
                let (early, late) = self.times.before(node, n);
                (early + late + least + most, node) <= middle(read)
            }
            Atom::Passed(activation) => middle(activation).0 < self.horizon.nominal,
        }
    }

    /// The literal that is true if no fault prevents a node from sending.
    pub fn can_send(&mut self, node: NodeId) -> Lit {
        let silent = |fault: Fault| !fault.can_send() && !broken(Defect::OffNodesSend);
        !(self.frozen).some_fault(&mut self.aig, node, silent)
    }

    /// The literal that is true if no fault prevents a node from receiving.
    pub fn can_receive(&mut self, node: NodeId) -> Lit {
        let deaf = |fault: Fault| !fault.can_receive() && !broken(Defect::DeafNodesHear);
        !(self.frozen).some_fault(&mut self.aig, node, deaf)
    }

    /// The values of the variables of a node at the start. At an arbitrary start they are unconstrained, except counts
    /// of activations, which start at 0 again.
    fn first_values(
        &mut self,
        start: Start,
        node: NodeId,
        case: &Case,
    ) -> Result<Vec<Bits>, Unsupported> {
        let machine = self.scope.machine;
        let kind = machine.kind_of(node);
        let mut values = Vec::new();
        for (v, var) in machine.vars.iter().enumerate() {
            if var.kind != kind {
                continue;
            }
            let id = VarId(v as u32);
            let counts = self.scope.counts.has(id);
            let value = match &var.init {
                Init::Value(scope, value)
                    if start == Start::Initial || counts || broken(Defect::VariablesAsAtFirst) =>
                {
                    let value = self.frozen_value(scope, node, value, None)?;
                    self.must_fit(&value, &var.ty, Lit::TRUE)?;
                    value
                }
                init => {
                    let value = match case.value(node, id) {
                        Some(value) => constant(machine, value, &var.ty),
                        None => {
                            let (value, valid) = free(&mut self.aig, machine, &var.ty)?;
                            self.conditions.push(valid);
                            value
                        }
                    };
                    if let (Init::AnyIn(scope, set), Start::Initial) = (init, start) {
                        let members = self.frozen_value(scope, node, set, None)?;
                        for member in members.set().members() {
                            self.must_fit(&member.value, &var.ty, member.present)?;
                        }
                        let mut scope = scope.clone();
                        let local = scope.add("value", var.ty.clone());
                        let within = Expr::Local(local).binary(BinaryOp::In, set.clone());
                        let bound = Some((local, value.clone()));
                        let within = self.frozen_value(&scope, node, &within, bound)?;
                        self.conditions.push(within.lit());
                    }
                    value
                }
            };
            values.push(value);
        }
        Ok(values)
    }

    /// The value of an expression that reads only the node itself, frozen variables, and at most one other local name
    /// (`bound`). Refused if its evaluation may be an error.
    pub fn frozen_value(
        &mut self,
        scope: &machine::Scope,
        node: NodeId,
        e: &Expr,
        bound: Option<(LocalId, Bits)>,
    ) -> Result<Bits, Unsupported> {
        let at = At {
            machine: self.scope.machine,
            frozen: &self.frozen,
            vars: &[],
            inbox: None,
        };
        let mut evaluator = Evaluator::new(&mut self.aig, self.scope.machine, &at, scope);
        evaluator.bind(LocalId(0), Bits::node(node));
        if let Some((local, value)) = bound {
            evaluator.bind(local, value);
        }
        let value = evaluator.value(e)?;
        match evaluator.error() {
            Lit::FALSE => Ok(value),
            _ => Err(Unsupported::new("initial values that may be errors")),
        }
    }

    /// Refuses a Machine whose initial value may be outside the type while `when` is true, because that would be an
    /// error.
    fn must_fit(&mut self, value: &Bits, ty: &machine::Type, when: Lit) -> Result<(), Unsupported> {
        let fits = fits(&mut self.aig, self.scope.machine, value, ty);
        match self.aig.implies(when, fits) {
            Lit::TRUE => Ok(()),
            _ => Err(Unsupported::new("initial values that may be errors")),
        }
    }

    /// Adds the declared restrictions of initial states; at an arbitrary start, only those that read no state.
    fn restrict(&mut self, start: Start) -> Result<(), Unsupported> {
        let machine = self.scope.machine;
        for restriction in &machine.initially {
            let mut reads = false;
            restriction
                .condition
                .walk(&mut |e| reads |= e.reads_state());
            if reads && start == Start::Arbitrary {
                continue;
            }
            let vars: Vec<(NodeId, &[Bits])> = machine
                .nodes()
                .map(|n| (n, &self.begin[n.index()][..]))
                .collect();
            let at = At {
                machine,
                frozen: &self.frozen,
                vars: &vars,
                inbox: None,
            };
            let mut evaluator = Evaluator::new(&mut self.aig, machine, &at, &restriction.scope);
            let holds = evaluator.condition(&restriction.condition)?;
            if evaluator.error() != Lit::FALSE {
                return Err(Unsupported::new("restrictions that may be errors"));
            }
            self.conditions.push(holds);
        }
        Ok(())
    }

    /// Registers the inputs of a hole; the hole is defined when the query depends on one of them.
    pub fn hole(&mut self, hole: Hole, lits: impl IntoIterator<Item = Lit>) {
        for lit in lits {
            if let Gate::Input(_) = self.aig.gate(lit.gate()) {
                self.holes.open.insert(lit.gate(), hole);
            }
        }
    }

    /// Defines the holes on which the literals or any conditions depend.
    pub fn fill(&mut self, lits: &[Lit]) -> Result<(), Unsupported> {
        let mut open: Vec<u32> = lits.iter().map(|lit| lit.gate()).collect();
        let mut visited = 0;
        loop {
            while visited < self.conditions.len() {
                open.push(self.conditions[visited].gate());
                visited += 1;
            }
            let Some(gate) = open.pop() else {
                return Ok(());
            };
            self.holes.followed.resize(self.aig.len(), false);
            if std::mem::replace(&mut self.holes.followed[gate as usize], true) {
                continue;
            }
            match self.aig.gate(gate) {
                Gate::And(a, b) => open.extend([a.gate(), b.gate()]),
                Gate::False => {}
                Gate::Input(_) => {
                    if let Some(hole) = self.holes.open.remove(&gate) {
                        self.holes.open.retain(|_, other| *other != hole);
                        self.fill_hole(hole)?;
                    }
                }
            }
        }
    }
}

/// The environment in which code or conditions of some nodes are evaluated: their variables, and the inbox of one node.
pub struct At<'a> {
    pub machine: &'a Machine,
    pub frozen: &'a FrozenValues,
    pub vars: &'a [(NodeId, &'a [Bits])],
    pub inbox: Option<(NodeId, &'a [Slot])>,
}

impl World for At<'_> {
    fn var(&self, _: &mut Aig, var: VarId, node: NodeId) -> Result<Bits, Unsupported> {
        let place = self.machine.place_of_var(var);
        match self.vars.iter().find(|(n, _)| *n == node) {
            Some((_, vars)) => Ok(vars[place].clone()),
            None => Err(Unsupported::new("variables of other nodes")),
        }
    }

    fn frozen(&self, _: &mut Aig, frozen: FrozenId, node: NodeId) -> Result<Bits, Unsupported> {
        Ok(self.frozen.value(self.machine, frozen, node).clone())
    }

    fn mode(&self, _: &mut Aig, node: NodeId, mode: Mode) -> Result<Lit, Unsupported> {
        mode_of(self.frozen, node, mode)
    }

    fn fault(&self, _: &mut Aig, node: NodeId, fault: Fault) -> Result<Lit, Unsupported> {
        Ok(self.frozen.fault(node, fault))
    }

    fn faultless(&self, aig: &mut Aig, node: NodeId) -> Result<Lit, Unsupported> {
        Ok(!self.frozen.some_fault(aig, node, |_| true))
    }

    fn inbox(&self, _: &mut Aig, node: NodeId) -> Result<Vec<Slot>, Unsupported> {
        match &self.inbox {
            Some((owner, slots)) if *owner == node => Ok(slots.to_vec()),
            _ => Err(Unsupported::new("inboxes in claims")),
        }
    }
}

/// The literal that is true if a node is in a mode. Nodes within the scope are either off or running for the whole run.
pub fn mode_of(frozen: &FrozenValues, node: NodeId, mode: Mode) -> Result<Lit, Unsupported> {
    let off = frozen.fault(node, Fault::Off);
    Ok(match mode {
        Mode::Off => off,
        Mode::Running => !off,
        Mode::Waiting | Mode::Halted | Mode::Crashed | Mode::Stopped => Lit::FALSE,
    })
}
