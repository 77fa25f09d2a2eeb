//! The protocols to which the rule applies, checked before a circuit is built, and the named network of a query.
//!
//! In scope: one kind of node, of unknown number, on a complete network; one periodic block that sends one message to
//! all neighbours at every activation, at once or within a bounded delay that keeps the order of messages; inboxes that
//! hold all messages or the latest of each sender; faults from the start. Everything else is refused by name.
//!
//! *Nodes and ids in values.* The values of variables may name nodes that have no name in a query. So a value of type
//! node is refused, except for a field of a message that is the sender itself. A set of nodes, or an array over nodes,
//! is used element by element, and its elements at the names are a part of it. An id is a position in an order, and only
//! comparisons depend on ids. A query has at most `IDS` id values (the query counts them), so they can be mapped into
//! `IDS` positions without changing their order. Constants of these types are refused.

use crate::defects::{Defect, broken};
use crate::loops::check_loops;
use crate::moments::Durations;
use bits::Unsupported;
use machine::{
    Abstraction, Block, BlockId, EdgeRule, Expr, Init, KindId, LocalId, Machine, OpenLimit,
    OpenMachine, Order, Origin, PropertyKind, Shape, StmtKind, Trigger, Type, Value, VarId,
    may_fail,
};

/// The number of ids in the named network.
pub(crate) const IDS: u32 = 255;

/// The kind of all nodes.
pub(crate) const KIND: KindId = KindId(0);

/// A protocol in the scope of the rule.
pub struct Protocol<'m> {
    /// The protocol.
    pub open: &'m OpenMachine,
    /// The block of every node.
    pub block: BlockId,
    /// The declared times.
    pub durations: Durations,
    /// Whether a node sends to itself as well.
    pub to_self: bool,
    /// The variables whose values at the start of an unrolling are split into cases.
    pub phases: Vec<VarId>,
    /// The variables that count activations.
    pub counts: Vec<VarId>,
    pub(crate) message: Expr,
}

impl<'m> Protocol<'m> {
    /// Checks that the rule applies. An error names the unsupported construct.
    pub fn of(open: &'m OpenMachine) -> Result<Protocol<'m>, Unsupported> {
        let refuse = |what: &str| Err(Unsupported::new(what));
        let base = &open.base;
        if base.abstraction != Abstraction::Exact {
            return refuse("runs that have times already");
        }
        if base.kinds.len() != 1 || open.open != [KIND] {
            return refuse("several kinds of node");
        }
        let EdgeRule::Joined(Shape::Complete, to_self) = open.edges else {
            return refuse("a network that is not complete");
        };
        if !open.maps.is_empty() || !base.maps.is_empty() {
            return refuse("functions on nodes such as `next`");
        }
        let named = named(open, 2);
        let scope = order::Scope::of(&named).map_err(Unsupported::new)?;
        if !base.faults.is_empty() {
            return refuse("messages that may be lost");
        }
        let Some(send) = scope.sends[0].as_ref() else {
            return refuse("nodes that send nothing");
        };
        let block = &base.blocks[send.block.index()];
        if !send.always {
            let what = "code that does not send to all neighbours at every activation";
            return Err(Unsupported::new(what).at(send_of(block)));
        }
        check_loops(&named, block)?;
        if !named.enters_inbox(KIND, send.record) {
            return refuse("messages that do not enter the inbox");
        }
        let Some(durations) = Durations::of(&named) else {
            return refuse("nodes without a rhythm at real times");
        };
        let spread = &durations.delay.1 - &durations.delay.0;
        let ordered = matches!(named.channel, machine::Channel::Fifo(_));
        if !durations.gap.0.is_positive() || (!ordered && spread >= durations.gap.0) {
            return refuse("messages that may overtake each other");
        }
        check_values(&named, send.message)?;
        let counts = (0..base.vars.len() as u32).map(VarId);
        // The values of a phase are listed, so its type must not depend on the number of nodes.
        let mut phases = order::phases(&scope, KIND);
        phases.retain(|var| is_small(&base.vars[var.index()].ty));
        Ok(Protocol {
            open,
            block: send.block,
            to_self,
            phases,
            counts: counts.filter(|var| scope.counts.has(*var)).collect(),
            message: send.message.clone(),
            durations,
        })
    }

    /// The network of the names: a Machine whose nodes are the names. Limits of faults that depend on the size are left
    /// out.
    pub fn named(&self, names: usize) -> Machine {
        named(self.open, names)
    }
}

fn named(open: &OpenMachine, names: usize) -> Machine {
    let mut machine = open.base.clone();
    machine.kinds[0].count = names as u32;
    machine.ids = open.extra_ids.map_or(0, |_| IDS);
    machine.edges = open.edges.edges(names as u32);
    machine.abstraction = Abstraction::Order(Vec::new(), Vec::new());
    for (fault, limit) in machine.node_faults.iter_mut().zip(&open.limits) {
        fault.limit = match limit {
            OpenLimit::Fixed(limit) => *limit,
            OpenLimit::AllBut(_) if broken(Defect::LimitOfLeastSize) => limit.at(open.size.least),
            OpenLimit::AllBut(_) => None,
        };
    }
    machine
}

/// Refuses values that may name nodes without a name, constants that name one, and initial values that may be errors.
fn check_values(machine: &Machine, message: &Expr) -> Result<(), Unsupported> {
    for var in &machine.vars {
        check_type(machine, &var.ty, &var.name).map_err(|why| why.at(var.origin))?;
        if let Init::Value(_, e) | Init::AnyIn(_, e) = &var.init
            && may_fail(machine, e, &[])
        {
            let what = format!("the initial value of {}, which may be an error", var.name);
            return Err(Unsupported::new(what).at(var.origin));
        }
    }
    for frozen in &machine.frozen_vars {
        let given = matches!(frozen.order, Order::Given(_));
        let arranged = frozen.order == Order::Arrangement && frozen.ty != Type::Id;
        if given || arranged {
            return Err(Unsupported::new(format!(
                "the values of {}, one for each node",
                frozen.name
            )));
        }
        check_type(machine, &frozen.ty, &frozen.name)?;
    }
    let fields = match message.bare() {
        Expr::Record(record, fields) => machine.records[record.index()].fields.iter().zip(fields),
        _ => {
            return Err(Unsupported::new(
                "messages that are not built where they are sent",
            ));
        }
    };
    for ((name, ty), value) in fields {
        let is_self = *value.bare() == Expr::Local(LocalId(0));
        if *ty == Type::Node && is_self {
            continue;
        }
        check_type(machine, ty, name)?;
    }
    for predicate in &machine.initially {
        if may_fail(machine, &predicate.condition, &[]) {
            return Err(Unsupported::new(
                "a restriction of initial states that may be an error",
            ));
        }
    }
    let mut constant = false;
    let mut look = |e: &Expr| {
        let named = |value: &Value| matches!(value, Value::Node(_) | Value::Id(_));
        constant |= matches!(e, Expr::Const(value) if named(value));
    };
    for block in &machine.blocks {
        block.body.iter().for_each(|s| s.walk_exprs(&mut look));
        if let Trigger::When(guard) = &block.trigger {
            guard.walk(&mut look);
        }
    }
    for property in &machine.properties {
        match &property.kind {
            PropertyKind::Claim(formula) => formula.walk_exprs(&mut look),
            PropertyKind::Possible(e) => e.walk(&mut look),
        }
    }
    for var in &machine.vars {
        if let Init::Value(_, e) | Init::AnyIn(_, e) = &var.init {
            e.walk(&mut look);
        }
    }
    match constant {
        true => Err(Unsupported::new("constants that are nodes or ids")),
        false => check_locals(machine),
    }
}

/// Refuses `choose`, which could bind a local to a node without a name.
fn check_locals(machine: &Machine) -> Result<(), Unsupported> {
    let mut chosen = None;
    for block in &machine.blocks {
        for statement in &block.body {
            statement.walk(&mut |s| {
                if matches!(s.kind, StmtKind::Choose(..)) {
                    chosen = Some(s.origin);
                }
            });
        }
    }
    match chosen {
        Some(origin) => Err(Unsupported::new("code that chooses").at(origin)),
        None => Ok(()),
    }
}

/// Refuses a type whose values may contain nodes without a name otherwise than as elements of a set.
fn check_type(machine: &Machine, ty: &Type, name: &str) -> Result<(), Unsupported> {
    let plain = |ty: &Type| {
        matches!(ty, Type::Bool | Type::Int(..) | Type::Enum(_) | Type::Id)
            || matches!(ty, Type::Option(inner) if is_plain(inner))
    };
    let fine = match ty {
        Type::Set(inner) => **inner == Type::Node || is_small(inner),
        Type::Array(index, inner) => (**index == Type::Node || is_small(index)) && is_plain(inner),
        Type::Record(record) => {
            let fields = &machine.records[record.index()].fields;
            return fields
                .iter()
                .try_for_each(|(_, ty)| check_type(machine, ty, name));
        }
        ty => plain(ty),
    };
    match fine {
        true => Ok(()),
        false => Err(Unsupported::new(format!(
            "the value of {name}, which may be a node without a name"
        ))),
    }
}

/// The place of the `send` of a block.
fn send_of(block: &Block) -> Origin {
    let mut origin = block.origin;
    for statement in &block.body {
        statement.walk(&mut |s| {
            if matches!(s.kind, StmtKind::Send(..)) {
                origin = s.origin;
            }
        });
    }
    origin
}

fn is_plain(ty: &Type) -> bool {
    matches!(ty, Type::Bool | Type::Int(..) | Type::Enum(_) | Type::Id)
}

fn is_small(ty: &Type) -> bool {
    matches!(ty, Type::Bool | Type::Int(..) | Type::Enum(_))
}
