//! Adds variables that only grow, by commuting and other updates, and claims about them. Most claims are about
//! conditions that stay true once they are true.

use machine::random::Rng;
use machine::{
    BinaryOp, Block, Expr, Formula, Init, KindId, LocalId, Machine, Mode, Origin, Place, Property,
    PropertyKind, Quantifier, Scope, Stmt, StmtKind, Timing, Trigger, Type, UnaryOp, Value, Var,
    VarId,
};

/// The local name of the node that runs a block.
const OWN: LocalId = LocalId(0);
/// The local name of the sender in a block that handles a message.
const SENDER: LocalId = LocalId(2);

/// How a variable grows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Growth {
    /// A set of nodes: the senders of messages, or the node itself.
    Heard,
    /// The number of messages, up to two.
    Counted,
    /// The maximum of some numbers.
    Greatest,
    /// The minimum of some numbers.
    Least,
    /// Whether a message came.
    Noticed,
    /// A value from the last message. This does not grow, and the updates do not commute.
    Last,
}

/// A variable of a node kind that only grows.
#[derive(Clone, Copy)]
struct Growing {
    var: VarId,
    kind: KindId,
    how: Growth,
}

/// Adds variables that only grow, code that changes them, and claims about them. Some of the code for messages is
/// replaced. Some variables do not occur in claims, but are read by a block that sets a claimed variable.
pub fn grow(machine: &mut Machine, rng: &mut Rng) {
    lighten(machine, rng);
    let (mut claimed, mut changed) = (Vec::new(), Vec::new());
    for kind in (0..machine.kinds.len() as u32).map(KindId) {
        if rng.below(3) > 0 {
            let hidden = variable(machine, rng, kind, "hides", None);
            let told = variable(machine, rng, kind, "told", Some(Growth::Noticed));
            tell(machine, rng, &hidden, &told);
            claimed.push(told);
            changed.push(hidden);
        }
        if rng.below(2) == 0 || claimed.is_empty() {
            let grows = variable(machine, rng, kind, "grows", None);
            changed.push(grows);
            claimed.push(grows);
        }
    }
    let mut blocks = std::mem::take(&mut machine.blocks);
    for block in blocks
        .iter_mut()
        .filter(|block| ![TELLS, TURNS].contains(&block.name.as_str()))
    {
        let own = changed.iter().filter(|g| g.kind == block.kind);
        let own: Vec<&Growing> = own.collect();
        if own.is_empty() {
            continue;
        }
        // The code for messages of different types mostly changes different variables.
        let growing = match &block.trigger {
            Trigger::On(record, _) if rng.below(4) > 0 => own[record.index() % own.len()],
            _ => own[rng.below(own.len())],
        };
        change(block, growing, rng);
    }
    machine.blocks = blocks;
    let count = 2 + rng.below(2);
    machine.properties.truncate(3);
    for number in 0..count {
        let property = claim(machine, rng, &claimed, number);
        machine.properties.push(property);
    }
    let property = order(rng, &claimed);
    machine.properties.push(property);
}

/// Removes some code, to reduce the number of states. Instead, some nodes may loop for ever, so that the progress of
/// others depends on fairness.
fn lighten(machine: &mut Machine, rng: &mut Rng) {
    for var in machine.vars.iter_mut().filter(|var| var.name == "fuel") {
        var.init = Init::Value(Scope::of_node(), Expr::int(1));
    }
    let heavy = ["rest", "every"];
    let turns = rng.below(2) == 0;
    let stays = |rng: &mut Rng| !turns && rng.below(2) == 0;
    let blocks = &mut machine.blocks;
    blocks.retain(|block| !heavy.contains(&block.name.as_str()) || stays(rng));
    machine.faults.truncate(1);
    let kind = KindId(rng.below(machine.kinds.len()) as u32);
    let every = |b: &Block| b.kind == kind && matches!(b.trigger, Trigger::Every(_));
    if turns && !machine.blocks.iter().any(every) {
        let turning = variable(machine, rng, kind, "turns", Some(Growth::Noticed));
        let old = Expr::Var(turning.var, Box::new(Expr::Local(OWN)));
        let next = Expr::Unary(UnaryOp::Not, Box::new(old));
        let trigger = Trigger::Every(Timing::Any);
        assigning(machine, TURNS, &turning, trigger, next);
    }
}

/// Adds a block that assigns to a variable.
fn assigning(machine: &mut Machine, name: &str, of: &Growing, trigger: Trigger, value: Expr) {
    let place = Place {
        var: of.var,
        path: vec![],
    };
    let body = vec![Stmt {
        origin: Origin(0),
        kind: StmtKind::Assign(place, value),
    }];
    machine.blocks.push(Block {
        name: name.into(),
        kind: of.kind,
        trigger,
        scope: Scope::of_node(),
        body,
        origin: Origin(0),
    });
}

/// The name of a block that copies a hidden variable to a claimed one.
const TELLS: &str = "tells";
/// The name of a block that loops for ever.
const TURNS: &str = "turns";

/// Adds a block that sets `told` when a condition on the variable `hidden` is true.
fn tell(machine: &mut Machine, rng: &mut Rng, hidden: &Growing, told: &Growing) {
    let before = Expr::Var(told.var, Box::new(Expr::Local(OWN)));
    let not = Expr::Unary(UnaryOp::Not, Box::new(before));
    let trigger = Trigger::When(stays(rng, hidden, OWN).binary(BinaryOp::And, not));
    assigning(machine, TELLS, told, trigger, Expr::bool(true));
}

fn variable(
    machine: &mut Machine,
    rng: &mut Rng,
    kind: KindId,
    name: &str,
    how: Option<Growth>,
) -> Growing {
    use Growth::{Counted, Greatest, Heard, Last, Least, Noticed};
    let any = [Heard, Heard, Counted, Greatest, Least, Noticed, Last, Last][rng.below(8)];
    let how = how.unwrap_or(any);
    let number = |i| (Type::Int(0, 2), Expr::int(i));
    let (ty, first) = match how {
        Heard => (Type::Node.set(), Expr::Set(Type::Node, vec![])),
        Counted | Greatest | Last => number(0),
        Least => number(2),
        Noticed => (Type::Bool, Expr::bool(false)),
    };
    machine.vars.push(Var {
        name: name.into(),
        kind,
        ty,
        init: Init::Value(Scope::of_node(), first),
        ghost: false,
        persistent: false,
        origin: Origin(0),
    });
    let var = VarId(machine.vars.len() as u32 - 1);
    Growing { var, kind, how }
}

/// Makes a block change a variable: before its code, after it, or instead of it.
fn change(block: &mut Block, growing: &Growing, rng: &mut Rng) {
    let on = matches!(block.trigger, Trigger::On(..));
    if rng.below(if on { 5 } else { 3 }) == 0 {
        return;
    }
    let old = || Expr::Var(growing.var, Box::new(Expr::Local(OWN)));
    let whom = Expr::Local(if on { SENDER } else { OWN });
    let value = match growing.how {
        Growth::Heard => old().binary(BinaryOp::Union, Expr::Set(Type::Node, vec![whom])),
        Growth::Counted => {
            let next = old().binary(BinaryOp::Add, Expr::int(1));
            next.binary(BinaryOp::Min, Expr::int(2))
        }
        Growth::Greatest => old().binary(BinaryOp::Max, Expr::int(1 + rng.below(2) as i64)),
        Growth::Least => Expr::int(rng.below(2) as i64).binary(BinaryOp::Min, old()),
        Growth::Noticed => Expr::bool(true),
        Growth::Last => Expr::int(1 + rng.below(2) as i64),
    };
    let place = Place {
        var: growing.var,
        path: vec![],
    };
    let update = Stmt {
        origin: Origin(0),
        kind: StmtKind::Assign(place, value),
    };
    match rng.below(5) {
        0..=2 if on => block.body = vec![update],
        3 => block.body.push(update),
        _ => block.body.insert(0, update),
    }
}

/// A claim about conditions that stay true.
fn claim(machine: &Machine, rng: &mut Rng, all: &[Growing], number: usize) -> Property {
    let mut scope = Scope::default();
    let state = |e: Expr| Box::new(Formula::State(e));
    let of_nodes = |scope: &mut Scope, rng: &mut Rng| {
        let growing = &all[rng.below(all.len())];
        let node = scope.add("n", Type::Node);
        let stays = stays(rng, growing, node);
        let quantifier = [Quantifier::All, Quantifier::Exists][rng.below(2)];
        let nodes = Box::new(Expr::Nodes(Some(growing.kind)));
        Expr::Quantified(quantifier, node, nodes, Box::new(stays))
    };
    let formula = match rng.below(9) {
        // About each node separately.
        0..=2 => {
            let growing = &all[rng.below(all.len())];
            let node = scope.add("n", Type::Node);
            let own: Vec<&Growing> = all.iter().filter(|g| g.kind == growing.kind).collect();
            let other = own[rng.below(own.len())];
            let (a, b) = (stays(rng, growing, node), stays(rng, other, node));
            let body = Box::new(match rng.below(4) {
                0 => Formula::Eventually(state(a)),
                1 => Formula::LeadsTo(state(a), state(b)),
                2 => Formula::Until(Box::new(Formula::Not(state(a))), state(b)),
                _ => Formula::Eventually(Box::new(Formula::Always(state(a)))),
            });
            let nodes = Expr::Nodes(Some(growing.kind));
            match rng.below(3) {
                0 => Formula::Exists(node, nodes, body),
                _ => Formula::All(node, nodes, body),
            }
        }
        // About a named node: its condition is not true before that of another named node.
        3 => {
            let named = |rng: &mut Rng| {
                let growing = &all[rng.below(all.len())];
                let nodes: Vec<_> = machine.nodes_of(growing.kind).collect();
                let node = nodes[rng.below(nodes.len())];
                let named = stays(rng, growing, OWN);
                put(&named, &Expr::Const(Value::Node(node)))
            };
            scope.add("nobody", Type::Node);
            let (a, b) = (named(rng), named(rng));
            Formula::Until(Box::new(Formula::Not(state(a))), state(b))
        }
        other => {
            let (a, b) = (of_nodes(&mut scope, rng), of_nodes(&mut scope, rng));
            match other {
                4 => Formula::Eventually(state(a)),
                5 => Formula::LeadsTo(state(a), state(b)),
                6 => Formula::Until(Box::new(Formula::Not(state(a))), state(b)),
                7 => {
                    let first = Formula::Eventually(state(a));
                    let then = Formula::Eventually(Box::new(Formula::Always(state(b))));
                    Formula::Implies(Box::new(first), Box::new(then))
                }
                _ => {
                    let both = Formula::And(state(a), Box::new(Formula::Not(state(b))));
                    Formula::Not(Box::new(Formula::Eventually(Box::new(both))))
                }
            }
        }
    };
    Property {
        name: format!("growing {number}"),
        scope,
        kind: PropertyKind::Claim(formula),
    }
}

/// Whether one condition on a node can be true while another is false.
fn order(rng: &mut Rng, all: &[Growing]) -> Property {
    let first = &all[rng.below(all.len())];
    let own: Vec<&Growing> = all.iter().filter(|g| g.kind == first.kind).collect();
    let mut scope = Scope::default();
    let node = scope.add("n", Type::Node);
    let (a, b) = (
        stays(rng, first, node),
        stays(rng, own[own.len() - 1], node),
    );
    let not = Expr::Unary(UnaryOp::Not, Box::new(b));
    let (nodes, body) = (Expr::Nodes(Some(first.kind)), a.binary(BinaryOp::And, not));
    let some = Expr::Quantified(Quantifier::Exists, node, Box::new(nodes), Box::new(body));
    Property {
        name: "order".into(),
        scope,
        kind: PropertyKind::Possible(some),
    }
}

/// A condition on a node that mostly stays true once it is true.
fn stays(rng: &mut Rng, growing: &Growing, node: LocalId) -> Expr {
    let node = || Box::new(Expr::Local(node));
    // In a guard of the node itself, "halted" would never be true.
    if node() != Box::new(Expr::Local(OWN)) && rng.below(4) == 0 {
        return Expr::InMode(Mode::Halted, node());
    }
    let grown = Expr::Var(growing.var, node());
    match growing.how {
        Growth::Heard if rng.below(3) == 0 => node().binary(BinaryOp::In, grown),
        Growth::Heard => {
            let size = Expr::Unary(UnaryOp::Size, Box::new(grown));
            size.binary(BinaryOp::Ge, Expr::int(1 + rng.below(2) as i64))
        }
        Growth::Counted | Growth::Greatest => {
            grown.binary(BinaryOp::Ge, Expr::int(1 + rng.below(2) as i64))
        }
        Growth::Least => grown.binary(BinaryOp::Le, Expr::int(rng.below(2) as i64)),
        Growth::Noticed => grown,
        Growth::Last => grown.binary(BinaryOp::Eq, Expr::int(1 + rng.below(2) as i64)),
    }
}

/// The expression in which the local name [`OWN`] is replaced.
fn put(e: &Expr, node: &Expr) -> Expr {
    match e {
        Expr::Local(OWN) => node.clone(),
        other => other.with_parts(&mut |part| put(part, node)),
    }
}
