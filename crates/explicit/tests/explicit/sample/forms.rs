//! The Machine of a seed: Machines of `machine::random` in several forms, so that each reduction, and each obstacle to
//! it, occurs often enough.

use crate::sample::alike::alike;
use crate::sample::growing::grow;
use machine::random::Rng;
use machine::{
    Abstraction, BinaryOp, Block, Channel, Expr, LocalId, Machine, NodeId, Stmt, StmtKind, Timing,
    Trigger, Type, Value, verify,
};
use testkit::{Size, random_counting_machine, random_machine, random_timed_machine};

/// The form of a random Machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As generated.
    Plain,
    /// With order rules; with rounds; with instant channels. In other respects as generated.
    Ordered,
    Rounds,
    Instant,
    /// Without most obstacles to partial-order reduction.
    Loose,
    /// Without most obstacles to partial-order reduction, with variables that only grow, and claims about them.
    LooseGrowing,
    /// With symmetric nodes; the following two also without most obstacles to partial-order reduction.
    Alike,
    LooseAlike,
    LooseAlikeGrowing,
    /// With counters; with times.
    Counting,
    Timed,
}

/// The forms, in the order of seeds.
const FORMS: [Form; 14] = [
    Form::Plain,
    Form::Ordered,
    Form::LooseGrowing,
    Form::Alike,
    Form::Loose,
    Form::Rounds,
    Form::LooseAlike,
    Form::Plain,
    Form::LooseAlikeGrowing,
    Form::Instant,
    Form::LooseGrowing,
    Form::Counting,
    Form::LooseAlikeGrowing,
    Form::Timed,
];

/// The form of a seed.
pub fn form(seed: u64) -> Form {
    FORMS[seed as usize % FORMS.len()]
}

/// The Machine of a seed.
pub fn machine(seed: u64) -> Machine {
    let all = (0..).map(|attempt| made(form(seed), seed + attempt * 1_000_000_007));
    let machine = { all }.find(has_few_ways).expect("one of them");
    verify(&machine).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    machine
}

fn made(form: Form, seed: u64) -> Machine {
    let size = |nodes, values, depth| Size {
        nodes,
        values,
        depth,
        properties: 5,
    };
    let mut rng = Rng(seed ^ 0x5eed);
    let usual = size(3, 8, 2);
    let first = |such: &dyn Fn(&Machine) -> bool| {
        let all = (0..).map(|attempt| random_machine(seed + attempt * 1_000_003, &usual));
        { all }.find(such).expect("one of them")
    };
    let has = |machine: &Machine, such: &dyn Fn(&Timing) -> bool| {
        let mut blocks = machine.blocks.iter();
        blocks.any(|b| matches!(&b.trigger, Trigger::Every(timing) if such(timing)))
    };
    let several = |machine: &Machine| machine.kinds.iter().any(|kind| kind.count > 1);
    let with_several = |size: &Size| {
        let all = (0..).map(|attempt| random_machine(seed + attempt * 1_000_003, size));
        { all }.find(several).expect("one of them")
    };
    let nodes = 3 + (seed / 2 % 2) as u32;
    match form {
        Form::Plain => random_machine(seed, &usual),
        Form::Ordered => first(&|m| matches!(m.abstraction, Abstraction::Order(..))),
        Form::Rounds => first(&|m| has(m, &|t| matches!(t, Timing::Round(_)))),
        Form::Instant => first(&|m| m.channel == Channel::Instant),
        Form::Loose => {
            let mut machine = random_machine(seed, &usual);
            loosen(&mut machine, &mut rng);
            aim(&mut machine, &mut rng);
            machine
        }
        Form::LooseGrowing => {
            let mut machine = random_machine(seed, &size(3, 4, 2));
            loosen(&mut machine, &mut rng);
            grow(&mut machine, &mut rng);
            machine
        }
        Form::Alike => {
            let mut machine = with_several(&size(nodes, 8, 2));
            alike(&mut machine, &mut rng);
            machine
        }
        Form::LooseAlike => {
            let mut machine = with_several(&size(nodes, 8, 2));
            loosen(&mut machine, &mut rng);
            alike(&mut machine, &mut rng);
            machine
        }
        Form::LooseAlikeGrowing => {
            let mut machine = with_several(&size(3, 2, 2));
            loosen(&mut machine, &mut rng);
            alike(&mut machine, &mut rng);
            grow(&mut machine, &mut rng);
            machine
        }
        Form::Counting => {
            let mut machine = random_counting_machine(seed, &size(3, 4, 1));
            if rng.below(3) > 0 {
                alike(&mut machine, &mut rng);
            }
            machine
        }
        Form::Timed => {
            let mut machine = random_timed_machine(seed, &size(3, 4, 1));
            if rng.below(3) > 0 {
                alike(&mut machine, &mut rng);
            }
            machine
        }
    }
}

/// Removes most obstacles to partial-order reduction.
fn loosen(machine: &mut Machine, rng: &mut Rng) {
    if machine.channel == Channel::Instant {
        machine.channel = match rng.below(4) {
            0 => Channel::Fifo(None),
            1 => Channel::Fifo(Some(1)),
            2 => Channel::Fifo(Some(2)),
            _ => Channel::Unordered,
        };
    }
    for block in &mut machine.blocks {
        if let Trigger::Every(timing) = &mut block.trigger {
            *timing = Timing::Any;
        }
    }
    machine.abstraction = Abstraction::Exact;
}

/// In a third of the Machines, directs sends along maps to one named node instead, if there is an edge.
fn aim(machine: &mut Machine, rng: &mut Rng) {
    if rng.below(3) > 0 {
        return;
    }
    let nodes = machine.node_count() as usize;
    for block in &mut machine.blocks {
        let node = NodeId(rng.below(nodes) as u32);
        let set = rng.below(2) == 0;
        aimed(&mut block.body, node, set);
    }
}

fn aimed(body: &mut [Stmt], node: NodeId, set: bool) {
    for statement in body {
        match &mut statement.kind {
            StmtKind::If(_, then, otherwise) => {
                aimed(then, node, set);
                aimed(otherwise, node, set);
            }
            StmtKind::For(_, _, inner) => aimed(inner, node, set),
            StmtKind::Send(message, to) if matches!(to.bare(), Expr::Map(..)) => {
                let named = || Expr::Const(Value::Node(node));
                let to = match set {
                    true => Expr::Set(Type::Node, vec![named()]),
                    false => named(),
                };
                let around = Expr::Neighbours(Box::new(Expr::Local(LocalId(0))));
                let there = named().binary(BinaryOp::In, around);
                let send = Stmt {
                    origin: statement.origin,
                    kind: StmtKind::Send(message.clone(), to),
                };
                statement.kind = StmtKind::If(there, vec![send], vec![]);
            }
            _ => {}
        }
    }
}

/// Whether no event has very many outcomes. A search cannot be interrupted while it enumerates the outcomes of an
/// event.
fn has_few_ways(machine: &Machine) -> bool {
    let most = machine.blocks.iter().map(|block| {
        let (ways, sends) = ways(machine, block, &block.body);
        let on = machine.blocks.iter();
        let on = on.filter(|b| matches!(b.trigger, Trigger::On(..)));
        let taken = on.map(|on| self::ways(machine, on, &on.body).0);
        match machine.channel {
            Channel::Instant => ways * taken.fold(1.0, f64::max).powf(sends),
            _ => ways,
        }
    });
    most.fold(1.0, f64::max) < 3_000.0
}

/// Approximate upper bounds on the number of paths through code and on the number of messages that it sends.
fn ways(machine: &Machine, block: &Block, body: &[Stmt]) -> (f64, f64) {
    let nodes = f64::from(machine.node_count());
    let (mut all, mut sends) = (1.0, 0.0);
    for statement in body {
        match &statement.kind {
            StmtKind::Choose(local, _) => {
                let ty = &block.scope.locals[local.index()].ty;
                all *= machine.cardinality(ty) as f64;
            }
            StmtKind::Send(_, to) => sends += if is_set(to) { nodes } else { 1.0 },
            StmtKind::If(_, then, otherwise) => {
                for part in [then, otherwise] {
                    let (inner, more) = ways(machine, block, part);
                    (all, sends) = (all * inner, sends + more);
                }
            }
            StmtKind::For(_, _, inner) => {
                let (inner, more) = ways(machine, block, inner);
                (all, sends) = (all * inner.powf(nodes), sends + more * nodes);
            }
            _ => {}
        }
    }
    (all, sends)
}

fn is_set(to: &Expr) -> bool {
    matches!(to.bare(), Expr::Neighbours(_) | Expr::Set(..))
}
