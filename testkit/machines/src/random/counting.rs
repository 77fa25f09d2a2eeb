//! Random Machines with counters: a random Machine whose nodes also count, and send their counters.
//!
//! One class contains a variable of each kind and a field of a message; often there is a second, independent class.
//! Nodes of a kind increment their counters only while they are close to each other, so that many state spaces are
//! finite up to shifts. Bags contain no messages with counters, because states up to shifts do not determine which
//! message stays in a bag for ever.

use super::{Size, random_machine};
use machine::random::Rng;
use machine::{
    BinaryOp, Block, Channel, ClassId, Counter, Expr, Formula, Inbox, InboxStart, Init, KindId,
    LocalId, Machine, NodeId, Origin, Place, Property, PropertyKind, Quantifier, RecordId, Scope,
    Stmt, StmtKind, Trigger, Type, Var, VarId, verify,
};

/// The message type that gets a counter field.
const DATA: RecordId = RecordId(0);

/// The node that runs the block.
const OWN: Expr = Expr::Local(LocalId(0));

/// The random Machine with counters for a seed. Candidates that do not pass the verifier are skipped.
pub fn random_counting_machine(seed: u64, size: &Size) -> Machine {
    (0..)
        .map(|attempt| made(seed + attempt * 1_000_003, size))
        .find(|machine| verify(machine).is_ok())
        .expect("one of them")
}

fn made(seed: u64, size: &Size) -> Machine {
    let mut machine = random_machine(seed, size);
    let mut rng = Rng(seed ^ 0xc0c0);
    machine.inbox = Inbox {
        start: InboxStart::Empty,
        ..machine.inbox
    };
    if machine.channel == Channel::Unordered {
        machine.channel = Channel::Fifo(None);
    }
    let two = rng.percent(40);
    for name in ["seq", "round"].into_iter().take(1 + usize::from(two)) {
        machine.counters.push(Counter {
            name: name.into(),
            window: None,
        });
    }
    let seq = machine.records[0].fields.len() as u32;
    let field = match rng.percent(20) {
        true => Type::Counter(ClassId(0)).option(),
        false => Type::Counter(ClassId(0)),
    };
    let optional = field != Type::Counter(ClassId(0));
    machine.records[0].fields.push(("seq".into(), field));
    let kinds = machine.kinds.len();
    let first = machine.vars.len();
    for class in 0..machine.counters.len() {
        for kind in 0..kinds {
            let var = variable(&mut rng, class, kind);
            machine.vars.push(var);
        }
    }
    let var = |class: usize, kind: KindId| VarId((first + class * kinds) as u32 + kind.0);
    let own = |class: usize, kind: KindId| Expr::Var(var(class, kind), Box::new(OWN));
    for v in &mut machine.vars {
        if let Init::AnyIn(_, e) | Init::Value(_, e) = &mut v.init {
            *e = with_field(e, &|| wrapped(Expr::int(0), optional));
        }
    }
    for b in 0..machine.blocks.len() {
        let block = machine.blocks[b].clone();
        let kind = block.kind;
        let plus = rng.between(0, 1);
        let sent = || wrapped(plus_one(own(0, kind), plus), optional);
        if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &mut machine.blocks[b].trigger {
            *guard = with_field(guard, &sent);
        }
        let body = block.body.iter();
        let body = body.map(|s| s.with_exprs(&mut |e| with_field(e, &sent)));
        let mut body: Vec<Stmt> = body.collect();
        if let Trigger::On(DATA, _) = block.trigger {
            let received = Expr::Field(Box::new(Expr::Local(LocalId(1))), seq);
            let mut on_received = on_received(&mut rng, var(0, kind), received.clone(), optional);
            if optional {
                let there = Expr::Unary(machine::UnaryOp::IsSome, Box::new(received));
                on_received = stmt(StmtKind::If(there, vec![on_received], vec![]));
            }
            body.insert(0, on_received);
        } else if rng.percent(45) {
            let class = rng.below(machine.counters.len());
            let scope = &mut machine.blocks[b].scope;
            body.insert(0, counts_on(scope, kind, var(class, kind)));
        }
        machine.blocks[b] = Block {
            body,
            ..machine.blocks[b].clone()
        };
    }
    let at = |node: u32| {
        let kind = machine.kind_of(NodeId(node));
        Expr::Var(var(0, kind), Box::new(Expr::node(NodeId(node))))
    };
    let last = machine.node_count() - 1;
    let (a, b) = (at(0), at(last));
    let received = || wrapped(a.clone(), optional);
    for restriction in &mut machine.initially {
        restriction.condition =
            with_field(&restriction.condition, &|| wrapped(Expr::int(0), optional));
    }
    for property in &mut machine.properties {
        property.kind = match &property.kind {
            PropertyKind::Claim(f) => {
                PropertyKind::Claim(f.with_exprs(&mut |e| with_field(e, &received)))
            }
            PropertyKind::Possible(e) => PropertyKind::Possible(with_field(e, &received)),
        };
    }
    let ahead = plus_one(b.clone(), rng.between(0, 2));
    let same = Formula::State(a.clone().binary(BinaryOp::Eq, b));
    let near = Formula::State(a.clone().binary(BinaryOp::Le, ahead.clone()));
    let kinds = [
        PropertyKind::Possible(a.clone().binary(BinaryOp::Gt, ahead)),
        PropertyKind::Claim(Formula::Always(Box::new(near))),
        PropertyKind::Claim(Formula::Always(Box::new(Formula::Eventually(Box::new(
            same,
        ))))),
    ];
    for (number, kind) in kinds.into_iter().enumerate() {
        machine.properties.push(Property {
            name: format!("counters{number}"),
            scope: Scope::default(),
            kind,
        });
    }
    machine
}

fn variable(rng: &mut Rng, class: usize, kind: usize) -> Var {
    let ty = Type::Counter(ClassId(class as u32));
    let init = match rng.percent(20) {
        true => {
            let items = vec![Expr::int(3), Expr::int(4)];
            Init::AnyIn(Scope::of_node(), Expr::Set(ty.clone(), items))
        }
        false => Init::Value(Scope::of_node(), Expr::int(3)),
    };
    Var {
        name: ["c", "d"][class].into(),
        kind: KindId(kind as u32),
        ty,
        init,
        ghost: false,
        persistent: false,
        origin: Origin(0),
    }
}

/// A statement that uses a received counter, which is an option if `optional` is true.
fn on_received(rng: &mut Rng, var: VarId, received: Expr, optional: bool) -> Stmt {
    let received = match optional {
        true => Expr::Unwrap(Box::new(received)),
        false => received,
    };
    let own = Expr::Var(var, Box::new(OWN));
    let assign = |value: Expr| stmt(StmtKind::Assign(Place { var, path: vec![] }, value));
    match rng.below(5) {
        0 => assign(own.binary(BinaryOp::Max, received)),
        1 => assign(plus_one(received, 1)),
        2 => assign(plus_one(received, -1)),
        3 => stmt(StmtKind::If(
            received.clone().binary(BinaryOp::Gt, own),
            vec![assign(received)],
            vec![],
        )),
        _ => stmt(StmtKind::If(
            received.binary(BinaryOp::Eq, own.clone()),
            vec![assign(plus_one(own, 1))],
            vec![],
        )),
    }
}

/// A statement that increments the counter of a node unless another node of the kind is behind it.
fn counts_on(scope: &mut Scope, kind: KindId, var: VarId) -> Stmt {
    let own = Expr::Var(var, Box::new(OWN));
    let k = scope.add("near", Type::Node);
    let other = Expr::Var(var, Box::new(Expr::Local(k)));
    let near = own.clone().binary(BinaryOp::Le, other);
    let nodes = Box::new(Expr::Nodes(Some(kind)));
    let all = Expr::Quantified(Quantifier::All, k, nodes, Box::new(near));
    let place = Place { var, path: vec![] };
    let count = stmt(StmtKind::Assign(place, plus_one(own, 1)));
    stmt(StmtKind::If(all, vec![count], vec![]))
}

fn wrapped(counter: Expr, optional: bool) -> Expr {
    match optional {
        true => Expr::Some(Box::new(counter)),
        false => counter,
    }
}

fn plus_one(counter: Expr, by: i64) -> Expr {
    match by {
        0 => counter,
        -1 => counter.binary(BinaryOp::Sub, Expr::int(1)),
        by => counter.binary(BinaryOp::Add, Expr::int(by)),
    }
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt {
        origin: Origin(0),
        kind,
    }
}

/// The expression with the counter field added to each constructed message.
fn with_field(e: &Expr, counter: &dyn Fn() -> Expr) -> Expr {
    match e.with_parts(&mut |part| with_field(part, counter)) {
        Expr::Record(DATA, mut fields) => {
            fields.push(counter());
            Expr::Record(DATA, fields)
        }
        other => other,
    }
}
