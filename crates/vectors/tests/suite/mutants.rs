//! Mutants: Machines with one change in the code of a node kind: another operator, another branch, another constant,
//! or a missing statement.

use machine::random::Rng;
use machine::{
    BinaryOp, Choice, Event, Expr, Frozen, Instance, KindId, Machine, NodeId, PlaceStep,
    Quantifier, State, Stmt, StmtKind, Trigger, Type, UnaryOp, Value,
};
use vectors::{End, Suite, Vector};

/// The result of a choice in a state of a Machine, as text.
type Outcome<'o> = &'o dyn Fn(&Machine, &Frozen, &State, &Choice) -> String;

/// The number of random states per mutant.
const STATES: usize = 300;

/// All mutants of the code of a kind that pass verification, each with a description of its change.
pub fn mutants(machine: &Machine, kind: KindId) -> Vec<(String, Machine)> {
    let mut found = Vec::new();
    for (b, block) in machine.blocks.iter().enumerate() {
        if block.kind != kind {
            continue;
        }
        for number in 0.. {
            let mut mutant = machine.clone();
            let code = &mut mutant.blocks[b];
            let mut mutation = Mutation {
                left: number,
                done: None,
            };
            if let Trigger::When(guard) | Trigger::On(_, Some(guard)) = &mut code.trigger {
                mutation.expr(guard);
            }
            mutation.statements(&mut code.body);
            let Some(what) = mutation.done else {
                break;
            };
            if machine::verify(&mutant).is_ok() {
                found.push((format!("{} {number}: {what}", block.name), mutant));
            }
        }
    }
    found
}

/// Whether the mutant has another result than the original for some vector.
pub fn kills(machine: &Machine, mutant: &Machine, suite: &Suite, outcome: Outcome<'_>) -> bool {
    suite.vectors.iter().any(|vector| {
        let (frozen, before, choice) = (&vector.frozen, &vector.before, &vector.choice);
        if vector.end == End::Waits {
            let machine = mutant;
            return Instance { machine, frozen }
                .events(before)
                .contains(&choice.event);
        }
        outcome(machine, frozen, before, choice) != outcome(mutant, frozen, before, choice)
    })
}

/// Whether the mutant has another result than the original in one of many random states.
pub fn differs(
    machine: &Machine,
    mutant: &Machine,
    suite: &Suite,
    rng: &mut Rng,
    outcome: Outcome<'_>,
) -> bool {
    (0..STATES).any(|_| {
        let vector = &suite.vectors[rng.below(suite.vectors.len())];
        let Some((before, event)) = random(machine, vector, rng) else {
            return false;
        };
        let frozen = &vector.frozen;
        let instance = Instance { machine, frozen };
        let others = Instance {
            machine: mutant,
            frozen,
        };
        let (here, there) = (
            instance.events(&before).contains(&event),
            others.events(&before).contains(&event),
        );
        if here != there || !here {
            return here != there;
        }
        let time = match instance.is_timed() {
            true => instance
                .enabled_interval(&before, &event)
                .map(|(from, _)| from),
            false => None,
        };
        let choice = instance.sample_choice(&before, event, time, &mut |n| rng.below(n));
        outcome(machine, frozen, &before, &choice) != outcome(mutant, frozen, &before, &choice)
    })
}

/// The event of a vector in a random state.
fn random(machine: &Machine, vector: &Vector, rng: &mut Rng) -> Option<(State, Event)> {
    let mut state = vector.before.clone();
    let pick = &mut |n: usize| rng.below(n);
    let own = &mut state.nodes[vector.node.index()];
    if machine.blocks[vector.block.index()].trigger != Trigger::Start {
        for (var, value) in machine
            .vars_of(machine.kind_of(vector.node))
            .zip(&mut own.vars)
        {
            *value = machine.sample_value(&var.ty, pick)?;
        }
    }
    let other = |message: &Value, sender: NodeId, pick: &mut dyn FnMut(usize) -> usize| {
        let record = message.record();
        let mut new = machine.sample_value(&Type::Record(record), pick)?;
        // A field that is the sender keeps its value.
        if let (Value::Record(_, old), Value::Record(_, new)) = (message, &mut new) {
            for (old, new) in old.iter().zip(new) {
                if *old == Value::Node(sender) {
                    *new = old.clone();
                }
            }
        }
        Some(new)
    };
    for (sender, message) in &mut own.inbox {
        *message = other(message, *sender, pick)?;
    }
    own.inbox.sort();
    own.inbox.dedup();
    let mut event = vector.choice.event.clone();
    if let Event::Deliver(edge, message, _) = &mut event {
        *message = other(message, machine.edges[edge.index()].0, pick)?;
        state.edges[edge.index()][0] = message.clone();
    }
    Some((state, event))
}

/// Applies one change: the one with number `left`.
struct Mutation {
    left: usize,
    done: Option<String>,
}

impl Mutation {
    /// Whether this possible change is the one to apply.
    fn turn(&mut self, what: impl FnOnce() -> String) -> bool {
        if self.done.is_some() {
            return false;
        }
        if self.left > 0 {
            self.left -= 1;
            return false;
        }
        self.done = Some(what());
        true
    }

    fn statements(&mut self, statements: &mut Vec<Stmt>) {
        let mut place = 0;
        while place < statements.len() {
            use StmtKind::{Assign, CancelTimer, ClearInbox, Halt, Send, SetTimer};
            let kind = &statements[place].kind;
            let plain = matches!(
                kind,
                Assign(..) | Send(..) | ClearInbox | Halt | SetTimer(..) | CancelTimer(..)
            );
            if plain && self.turn(|| format!("without {kind:?}")) {
                statements.remove(place);
                return;
            }
            self.statement(&mut statements[place]);
            place += 1;
        }
    }

    fn statement(&mut self, statement: &mut Stmt) {
        match &mut statement.kind {
            StmtKind::Assign(place, value) => {
                for step in &mut place.path {
                    if let PlaceStep::Index(_, index) = step {
                        self.expr(index);
                    }
                }
                self.expr(value);
            }
            StmtKind::If(condition, then, otherwise) => {
                if self.turn(|| format!("branches of {condition:?} exchanged")) {
                    std::mem::swap(then, otherwise);
                    return;
                }
                self.expr(condition);
                self.statements(then);
                self.statements(otherwise);
            }
            StmtKind::For(_, domain, body) => {
                self.expr(domain);
                self.statements(body);
            }
            StmtKind::Let(_, value) | StmtKind::Choose(_, value) | StmtKind::Assert(value) => {
                self.expr(value)
            }
            StmtKind::Send(message, to) => {
                self.expr(message);
                self.expr(to);
            }
            StmtKind::SetTimer(..)
            | StmtKind::CancelTimer(..)
            | StmtKind::ClearInbox
            | StmtKind::Halt => {}
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        use BinaryOp::*;
        match expr {
            Expr::Binary(op, a, b) => {
                let other = match *op {
                    Lt => Le,
                    Le => Lt,
                    Gt => Ge,
                    Ge => Gt,
                    Eq => Ne,
                    Ne => Eq,
                    And => Or,
                    Or => And,
                    Implies => And,
                    Add => Sub,
                    Sub => Add,
                    Min => Max,
                    Max => Min,
                    Union => Intersect,
                    Intersect => Union,
                    Minus => Intersect,
                    same => same,
                };
                if other != *op && self.turn(|| format!("{op:?} is {other:?}: {a:?}, {b:?}")) {
                    *op = other;
                    return;
                }
                self.expr(a);
                self.expr(b);
            }
            Expr::Unary(UnaryOp::Not, inner) => {
                if self.turn(|| format!("no `not`: {inner:?}")) {
                    let inner = (**inner).clone();
                    *expr = inner;
                    return;
                }
                self.expr(inner);
            }
            Expr::Quantified(quantifier, _, domain, body) => {
                let other = match *quantifier {
                    Quantifier::All => Quantifier::Exists,
                    Quantifier::Exists => Quantifier::All,
                    Quantifier::Max => Quantifier::Min,
                    Quantifier::Min => Quantifier::Max,
                    Quantifier::Union => Quantifier::Intersect,
                    Quantifier::Intersect => Quantifier::Union,
                    same => same,
                };
                if other != *quantifier
                    && self.turn(|| format!("{quantifier:?} is {other:?}: {body:?}"))
                {
                    *quantifier = other;
                    return;
                }
                self.expr(domain);
                self.expr(body);
            }
            Expr::If(condition, then, otherwise) => {
                if self.turn(|| format!("values of {condition:?} exchanged")) {
                    std::mem::swap(then, otherwise);
                    return;
                }
                self.expr(condition);
                self.expr(then);
                self.expr(otherwise);
            }
            Expr::Const(value) => self.value(value),
            Expr::At(_, a)
            | Expr::Some(a)
            | Expr::Unwrap(a)
            | Expr::Unary(_, a)
            | Expr::Field(a, _)
            | Expr::Fill(_, a)
            | Expr::Within(_, a)
            | Expr::IsRecord(_, a) => self.expr(a),
            Expr::Index(_, a, b)
            | Expr::Range(a, b)
            | Expr::Let(_, a, b)
            | Expr::Filter(_, a, b)
            | Expr::Extremum(_, _, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Expr::Record(_, items) | Expr::Set(_, items) => {
                items.iter_mut().for_each(|item| self.expr(item))
            }
            _ => {}
        }
    }

    fn value(&mut self, value: &mut Value) {
        let other = match value {
            Value::Bool(b) => Value::Bool(!*b),
            Value::Int(i) => Value::Int(*i + 1),
            _ => return,
        };
        if self.turn(|| format!("{value:?} is {other:?}")) {
            *value = other;
        }
    }
}
