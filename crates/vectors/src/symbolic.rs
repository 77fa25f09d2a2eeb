//! Symbolic blocks: the circuit of a block, with everything that the code reads as inputs.

use crate::Refused;
use bits::{
    Bits, BranchCondition, Cause, Effects, Evaluator, Slot, Unsupported, World, constant, equal,
    free, less, run_with_branches,
};
use machine::{
    BlockId, Fault, Frozen, FrozenId, Init, Instance, KindId, LocalId, Machine, Mode, NodeId,
    Order, RecordId, StmtKind, TimerId, Trigger, Type, Typing, VarId,
};
use sat::{Aig, Lit};

/// What starts a symbolic block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Started {
    /// Neither a message nor a timer.
    Itself,
    /// A message from this sender.
    By(NodeId),
    /// A timer; for a timer `t[Node]`, with its index node.
    Timer(TimerId, Option<NodeId>),
}

/// The circuit of a block of one node, with free inputs.
pub(crate) struct SymbolicBlock<'m> {
    pub(crate) machine: &'m Machine,
    pub(crate) node: NodeId,
    pub(crate) block: BlockId,
    pub(crate) started: Started,
    pub(crate) aig: Aig,
    pub(crate) open: FreeState<'m>,
    pub(crate) message: Option<Bits>,
    pub(crate) effects: Effects,
    pub(crate) branches: Vec<BranchCondition>,
    /// The constraint on the inputs: they encode a state in which the block can start, and no earlier `on` block
    /// handles the message.
    pub(crate) base: Lit,
    /// Whether an inbox could hold more messages than there are slots for.
    pub(crate) truncated: bool,
    /// The inputs in the order in which they are minimised.
    pub(crate) order: Vec<Lit>,
}

/// What can start a block of a node.
pub(crate) fn starts(machine: &Machine, block: BlockId, node: NodeId) -> Vec<Started> {
    match &machine.blocks[block.index()].trigger {
        Trigger::On(record, _) => senders(machine, node)
            .into_iter()
            .filter(|from| sends(machine, machine.kind_of(*from), *record))
            .map(Started::By)
            .collect(),
        Trigger::Timer(timer) if machine.timers[timer.index()].per_node => {
            let others = machine.nodes();
            others
                .map(|other| Started::Timer(*timer, Some(other)))
                .collect()
        }
        Trigger::Timer(timer) => vec![Started::Timer(*timer, None)],
        Trigger::Start | Trigger::When(_) | Trigger::Every(_) => vec![Started::Itself],
    }
}

impl<'m> SymbolicBlock<'m> {
    /// Builds a symbolic block. `room` is the number of slots for messages of each sender and type in an inbox that
    /// keeps more than the latest message; `instances` as in [`Suite::of`](crate::Suite::of).
    pub(crate) fn new(
        machine: &'m Machine,
        block: BlockId,
        node: NodeId,
        started: Started,
        room: usize,
        instances: usize,
    ) -> Result<SymbolicBlock<'m>, Refused> {
        let mut aig = Aig::new();
        let mut open = FreeState::new(&mut aig, machine, node)?;
        let code = &machine.blocks[block.index()];
        let mut base = Vec::new();
        if code.trigger == Trigger::Start {
            open.first_values(&mut aig, &mut base)?;
        }
        for predicate in &machine.initially[..instances] {
            let mut eval = Evaluator::new(&mut aig, machine, &open, &predicate.scope);
            let holds = eval.condition(&predicate.condition)?;
            let error = eval.error();
            base.extend([holds, !error]);
        }
        let truncated = open.fill_inbox(&mut aig, room)?;
        let mut message = None;
        let cause = match (started, &code.trigger) {
            (Started::By(sender), Trigger::On(record, _)) => {
                let (bits, sendable) = open.sent(&mut aig, sender, *record)?;
                base.push(sendable);
                message = Some(bits.clone());
                Cause::Message(bits, sender)
            }
            (Started::Timer(timer, other), _) => {
                base.push(open.timers[machine.timer_place(timer, other)]);
                Cause::Timer(other)
            }
            _ => Cause::Itself,
        };
        let mut taken = Vec::new();
        if let (Trigger::On(record, _), Cause::Message(message, sender)) = (&code.trigger, &cause) {
            for (b, earlier) in machine.blocks[..block.index()].iter().enumerate() {
                let same = matches!(&earlier.trigger, Trigger::On(r, _) if r == record);
                if earlier.kind == code.kind && same {
                    let before = (message.clone(), *sender);
                    let earlier = bits::run(
                        &mut aig,
                        machine,
                        &open,
                        BlockId(b as u32),
                        node,
                        Some(before),
                    )?;
                    taken.push(earlier.guard);
                }
            }
        }
        let (effects, branches) = run_with_branches(&mut aig, machine, &open, block, node, cause)?;
        base.extend(taken.into_iter().map(|guard| !guard));
        base.extend([open.valid, effects.valid]);
        let base = aig.all(base);
        let order = order(&aig, &open, message.as_ref(), &effects);
        Ok(SymbolicBlock {
            machine,
            node,
            block,
            started,
            aig,
            open,
            message,
            effects,
            branches,
            base,
            truncated,
            order,
        })
    }
}

/// The inputs in the order in which they are minimised: presence of messages in the inbox, variables, fields of
/// messages, constants, timers, choices.
fn order(aig: &Aig, open: &FreeState<'_>, message: Option<&Bits>, effects: &Effects) -> Vec<Lit> {
    let mut order: Vec<Lit> = open.inbox.iter().rev().map(|slot| slot.present).collect();
    let mut add = |bits: &Bits| order.extend(bits.literals().into_iter().rev());
    open.vars.iter().for_each(&mut add);
    message.into_iter().for_each(&mut add);
    open.inbox.iter().for_each(|slot| add(&slot.message));
    open.frozen_vars.iter().flatten().for_each(&mut add);
    order.extend(&open.timers);
    for pick in &effects.picks {
        order.extend(pick.inputs.iter().rev());
    }
    let mut listed = Vec::new();
    order.retain(|lit| {
        let input = matches!(aig.gate(lit.gate()), sat::Gate::Input(_));
        let new = input && !listed.contains(&lit.gate());
        listed.push(lit.gate());
        new
    });
    order
}

/// The state that code reads, as free inputs.
pub(crate) struct FreeState<'m> {
    machine: &'m Machine,
    node: NodeId,
    /// The variables of the node.
    pub(crate) vars: Vec<Bits>,
    /// The frozen values, by frozen variable and by the position of the node in its kind.
    pub(crate) frozen_vars: Vec<Vec<Bits>>,
    pub(crate) inbox: Vec<Slot>,
    pub(crate) timers: Vec<Lit>,
    /// The constraint that the inputs encode a state.
    pub(crate) valid: Lit,
}

impl<'m> FreeState<'m> {
    fn new(aig: &mut Aig, machine: &'m Machine, node: NodeId) -> Result<FreeState<'m>, Refused> {
        let mut valid = Vec::new();
        let mut vars = Vec::new();
        let kind = machine.kind_of(node);
        for var in machine.vars_of(kind) {
            let (bits, fits) =
                free(aig, machine, &var.ty).map_err(|why| of_var(&var.name, &why))?;
            vars.push(bits);
            valid.push(fits);
        }
        let mut frozen_vars = Vec::new();
        let mut ids: Vec<Bits> = Vec::new();
        for frozen in &machine.frozen_vars {
            let mut column = Vec::new();
            for (place, _) in machine.nodes_of(frozen.kind).enumerate() {
                let bits = match &frozen.order {
                    Order::Given(values) => constant(machine, &values[place], &frozen.ty),
                    Order::Every | Order::Arrangement => {
                        let (bits, fits) = free(aig, machine, &frozen.ty)
                            .map_err(|why| of_var(&frozen.name, &why))?;
                        valid.push(fits);
                        bits
                    }
                };
                if frozen.order == Order::Arrangement {
                    for other in &ids {
                        valid.push(!equal(aig, other, &bits));
                    }
                    ids.push(bits.clone());
                }
                column.push(bits);
            }
            frozen_vars.push(column);
        }
        let timers = (0..machine.timer_places(kind)).map(|_| aig.input());
        Ok(FreeState {
            machine,
            node,
            vars,
            frozen_vars,
            inbox: Vec::new(),
            timers: timers.collect(),
            valid: aig.all(valid),
        })
    }

    /// Requires that variables have initial values, except for persistent ones.
    fn first_values(&self, aig: &mut Aig, base: &mut Vec<Lit>) -> Result<(), Unsupported> {
        let own = self.machine.vars_of(self.machine.kind_of(self.node));
        for (var, bits) in own.zip(&self.vars).filter(|(var, _)| !var.persistent) {
            let (Init::AnyIn(scope, expr) | Init::Value(scope, expr)) = &var.init else {
                continue;
            };
            let mut eval = Evaluator::new(aig, self.machine, self, scope);
            eval.bind(LocalId(0), Bits::node(self.node));
            let value = eval.value(expr)?;
            let error = eval.error();
            let is = match (&var.init, &value) {
                (Init::AnyIn(..), Bits::Set(set)) => {
                    let members = set.members().into_iter();
                    let same = members.map(|member| {
                        let same = equal(aig, &member.value, bits);
                        aig.and(member.present, same)
                    });
                    let same: Vec<Lit> = same.collect();
                    aig.any(same)
                }
                _ => equal(aig, &value, bits),
            };
            base.extend([is, !error]);
        }
        Ok(())
    }

    /// Adds slots to the inbox. Returns whether the inbox could hold more messages than it has slots for.
    fn fill_inbox(&mut self, aig: &mut Aig, room: usize) -> Result<bool, Unsupported> {
        let machine = self.machine;
        let kind = machine.kind_of(self.node);
        let mut slots = Vec::new();
        let mut valid = vec![self.valid];
        let mut truncated = false;
        for sender in senders(machine, self.node) {
            for r in 0..machine.records.len() as u32 {
                let record = RecordId(r);
                if !machine.enters_inbox(kind, record)
                    || !sends(machine, machine.kind_of(sender), record)
                {
                    continue;
                }
                let values = machine.cardinality(&Type::Record(record));
                let room = match (machine.inbox.latest, machine.inbox.copies) {
                    (true, _) => 1,
                    (false, true) => room,
                    (false, false) => {
                        usize::try_from(values).map_or(room, |values| room.min(values))
                    }
                };
                truncated |=
                    !machine.inbox.latest && (machine.inbox.copies || values > room as u128);
                let mut before: Option<Slot> = None;
                for _ in 0..room {
                    let present = aig.input();
                    let (message, sendable) = self.sent(aig, sender, record)?;
                    valid.push(aig.implies(present, sendable));
                    if let Some(before) = before {
                        valid.push(aig.implies(present, before.present));
                        let mut behind = less(aig, &before.message, &message)?;
                        if machine.inbox.copies {
                            let same = equal(aig, &before.message, &message);
                            behind = aig.or(behind, same);
                        }
                        valid.push(aig.implies(present, behind));
                    }
                    let slot = Slot {
                        sender,
                        present,
                        message,
                    };
                    slots.push(slot.clone());
                    before = Some(slot);
                }
            }
        }
        self.inbox = slots;
        self.valid = aig.all(valid);
        Ok(truncated)
    }

    /// A message of a type from a sender, and the constraint that the code of the sender can send it to this node for some
    /// values of its variables and local names.
    fn sent(
        &self,
        aig: &mut Aig,
        sender: NodeId,
        record: RecordId,
    ) -> Result<(Bits, Lit), Unsupported> {
        let machine = self.machine;
        let (message, fits) = free(aig, machine, &Type::Record(record))?;
        let Bits::Record(alternatives) = &message else {
            unreachable!("a record: {message:?}")
        };
        let fields = &alternatives[0].fields;
        let kind = machine.kind_of(sender);
        let nothing = Frozen::default();
        let instance = Instance {
            machine,
            frozen: &nothing,
        };
        let mut cases = Vec::new();
        for block in machine.blocks.iter().filter(|block| block.kind == kind) {
            let mut sends = Vec::new();
            for statement in &block.body {
                statement.walk(&mut |s| {
                    if let StmtKind::Send(message, receivers) = &s.kind
                        && is_of(machine, block, message, record)
                    {
                        sends.push((message, receivers));
                    }
                });
            }
            for (sent, receivers) in sends {
                let mut conditions = Vec::new();
                if instance.are_fixed(&block.scope, receivers) {
                    let mut eval = Evaluator::new(aig, machine, self, &block.scope);
                    eval.bind(LocalId(0), Bits::node(sender));
                    let to = eval.value(receivers)?;
                    let error = eval.error();
                    let this = Bits::node(self.node);
                    let addressed = match to {
                        Bits::Set(set) => set.contains(aig, &this),
                        one => equal(aig, &one, &this),
                    };
                    conditions.extend([addressed, !error]);
                }
                let machine::Expr::Record(_, written) = sent.bare() else {
                    cases.push(aig.all(conditions));
                    continue;
                };
                for (written, field) in written.iter().zip(fields) {
                    let mut reads = false;
                    written.walk(&mut |e| reads |= e.reads_state());
                    if reads || !instance.unknowns(&block.scope, written).is_empty() {
                        continue;
                    }
                    let mut eval = Evaluator::new(aig, machine, self, &block.scope);
                    eval.bind(LocalId(0), Bits::node(sender));
                    let value = eval.value(written)?;
                    let error = eval.error();
                    conditions.extend([equal(aig, &value, field), !error]);
                }
                cases.push(aig.all(conditions));
            }
        }
        let sendable = aig.any(cases);
        let sendable = aig.and(sendable, fits);
        Ok((message, sendable))
    }
}

fn of_var(name: &str, why: &Unsupported) -> Refused {
    Refused::Unsupported(format!("{why}: `{name}`"))
}

/// Whether a message expression is, or may be, of type `record`.
fn is_of(
    machine: &Machine,
    block: &machine::Block,
    message: &machine::Expr,
    record: RecordId,
) -> bool {
    match Typing::all_bound(machine, &block.scope).type_of(message) {
        Ok(Type::Record(r)) => r == record,
        Ok(Type::OneOf(records)) => records.contains(&record),
        _ => false,
    }
}

/// Whether the code of a kind sends messages of a type.
fn sends(machine: &Machine, kind: KindId, record: RecordId) -> bool {
    let mut found = false;
    for block in machine.blocks.iter().filter(|block| block.kind == kind) {
        for statement in &block.body {
            statement.walk(&mut |s| {
                if let StmtKind::Send(message, _) = &s.kind {
                    found |= is_of(machine, block, message, record);
                }
            });
        }
    }
    found
}

fn senders(machine: &Machine, node: NodeId) -> Vec<NodeId> {
    let edges = machine.edges.iter().filter(|edge| edge.1 == node);
    let mut senders: Vec<NodeId> = edges.map(|edge| edge.0).collect();
    senders.sort_unstable();
    senders
}

impl World for FreeState<'_> {
    fn var(&self, _: &mut Aig, var: VarId, node: NodeId) -> Result<Bits, Unsupported> {
        match node == self.node {
            true => Ok(self.vars[self.machine.place_of_var(var)].clone()),
            false => Err(Unsupported::new("variables of other nodes in code")),
        }
    }

    fn frozen(&self, _: &mut Aig, frozen: FrozenId, node: NodeId) -> Result<Bits, Unsupported> {
        Ok(self.frozen_vars[frozen.index()][self.machine.place_in_kind(node)].clone())
    }

    fn mode(&self, _: &mut Aig, node: NodeId, mode: Mode) -> Result<Lit, Unsupported> {
        match node == self.node {
            true => Ok(Lit::constant(mode == Mode::Running)),
            false => Err(Unsupported::new("modes of other nodes in code")),
        }
    }

    fn fault(&self, _: &mut Aig, _: NodeId, _: Fault) -> Result<Lit, Unsupported> {
        Ok(Lit::FALSE)
    }

    fn faultless(&self, _: &mut Aig, _: NodeId) -> Result<Lit, Unsupported> {
        Ok(Lit::TRUE)
    }

    fn inbox(&self, _: &mut Aig, node: NodeId) -> Result<Vec<Slot>, Unsupported> {
        match node == self.node {
            true => Ok(self.inbox.clone()),
            false => Err(Unsupported::new("inboxes of other nodes in code")),
        }
    }

    fn timer_set(
        &self,
        _: &mut Aig,
        timer: TimerId,
        node: NodeId,
        other: Option<NodeId>,
    ) -> Result<Lit, Unsupported> {
        match node == self.node {
            true => Ok(self.timers[self.machine.timer_place(timer, other)]),
            false => Err(Unsupported::new("timers of other nodes in code")),
        }
    }
}
