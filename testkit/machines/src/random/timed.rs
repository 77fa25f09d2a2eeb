//! Random Machines with digitised time: random Machines with delays, periodic timings, timers, runtime faults and
//! properties about time. All times are small whole numbers.

use super::{Size, random_machine};
use machine::random::Rng;
use machine::{
    Abstraction, BinaryOp, Block, Channel, Crash, Delay, Digitisation, Expr, First, Formula,
    InboxStart, Jitter, KindId, LocalId, Machine, Origin, Periodic, Property, PropertyKind,
    Quantifier, Response, ResponseId, Restart, RuntimeFault, Scope, Stmt, StmtKind, TimeSum, Timer,
    TimerId, Timing, Trigger, UnaryOp,
};
use rational::Rational;

/// The latest time that occurs in properties, in units.
const LATEST: i64 = 5;

/// The random Machine with digitised time for a seed.
pub fn random_timed_machine(seed: u64, size: &Size) -> Machine {
    let mut generator = TimedGenerator {
        rng: Rng(seed ^ 0x7157_e5e7),
        machine: random_machine(seed, size),
    };
    generator.delays();
    generator.periodic_timings();
    generator.timers();
    generator.runtime_faults();
    generator.questions();
    generator.machine.abstraction = Abstraction::Digitised(Digitisation {
        unit: Rational::from(1),
        horizon: match generator
            .machine
            .properties_contain(|e| matches!(e, Expr::Now(..)))
        {
            true => LATEST as u32 + 1,
            false => 0,
        },
    });
    generator.machine
}

/// A Machine to which times are being added.
struct TimedGenerator {
    rng: Rng,
    machine: Machine,
}

impl TimedGenerator {
    /// An interval within `least` and `most`.
    fn interval(&mut self, least: i64, most: i64) -> (Rational, Rational) {
        let from = self.rng.between(least, most);
        let to = self.rng.between(from, most);
        (Rational::from(from), Rational::from(to))
    }

    /// Generates a delay of messages.
    fn delays(&mut self) {
        if self.machine.channel == Channel::Instant {
            return;
        }
        if self.machine.inbox.start != InboxStart::Empty {
            self.machine.inbox.start = InboxStart::Empty;
        }
        if self.rng.percent(15) {
            return; // bounded channels and guards are kept, so time-locks are possible
        }
        let channels = [Channel::Fifo(None), Channel::Unordered, Channel::Unordered];
        self.machine.channel = *self.rng.pick(&channels);
        let (least, most) = self.interval(0, 2);
        self.machine.delay = match self.rng.below(10) {
            0..6 => Delay::Within(least, most),
            6..8 => Delay::BeforeNext,
            _ => return,
        };
        for block in &mut self.machine.blocks {
            if let Trigger::On(_, guard) = &mut block.trigger {
                *guard = None;
            }
        }
    }

    fn periodic_timings(&mut self) {
        for b in 0..self.machine.blocks.len() {
            if !matches!(self.machine.blocks[b].trigger, Trigger::Every(_)) {
                continue;
            }
            let timing = match self.rng.percent(75) {
                false => Timing::Any,
                true => {
                    let jitter = match self.rng.below(8) {
                        0 => Jitter::PerGap(Rational::from(1)),
                        1 => Jitter::OnGrid(Rational::from(1)),
                        _ => Jitter::None,
                    };
                    let short = if jitter == Jitter::None { 1 } else { 3 };
                    let mut gap = self.interval(short, short.max(2));
                    if matches!(jitter, Jitter::OnGrid(_)) {
                        gap.1 = gap.0.clone();
                    }
                    let (from, to) = self.interval(0, 2);
                    let first = match self.rng.percent(30) {
                        true => (First::At(Rational::from(0)), First::Period),
                        false => (First::At(from), First::At(to)),
                    };
                    Timing::Periodic(Periodic {
                        gap,
                        fixed: false,
                        jitter,
                        first,
                    })
                }
            };
            self.machine.blocks[b].trigger = Trigger::Every(timing);
        }
    }

    fn timers(&mut self) {
        for k in 0..self.machine.kinds.len() as u32 {
            let kind = KindId(k);
            if !self.rng.percent(55) {
                continue;
            }
            let timer = TimerId(self.machine.timers.len() as u32);
            let per_node = self.rng.percent(30);
            self.machine.timers.push(Timer {
                name: "alarm".into(),
                kind,
                per_node,
                origin: Origin(0),
            });
            let own = self.machine.blocks.iter().filter(|b| b.kind == kind);
            let plain = own.filter(|b| !matches!(b.trigger, Trigger::On(..)));
            let plain: Vec<Block> = plain.filter(|_| !per_node).cloned().collect();
            let (scope, body) = match plain.is_empty() {
                true if per_node => (Scope::of_timer(), vec![]),
                true => (Scope::of_node(), vec![]),
                false => {
                    let block = self.rng.pick(&plain);
                    (block.scope.clone(), block.body.clone())
                }
            };
            self.machine.blocks.push(Block {
                name: "on alarm".into(),
                kind,
                trigger: Trigger::Timer(timer),
                scope,
                body,
                origin: Origin(0),
            });
            for b in 0..self.machine.blocks.len() {
                if self.machine.blocks[b].kind == kind && self.rng.percent(60) {
                    let statement = self.about_timer(timer, per_node);
                    self.machine.blocks[b].body.insert(0, statement);
                }
            }
        }
    }

    /// A statement that sets or cancels a timer.
    fn about_timer(&mut self, timer: TimerId, per_node: bool) -> Stmt {
        let other = || per_node.then_some(Expr::Local(LocalId(0)));
        let is_set = Expr::TimerSet(
            timer,
            Box::new(Expr::Local(LocalId(0))),
            other().map(Box::new),
        );
        let (from, to) = self.interval(0, 3);
        let later = match self.rng.percent(25) {
            true => vec![(
                Expr::If(
                    Box::new(is_set.clone()),
                    Box::new(Expr::int(1)),
                    Box::new(Expr::int(0)),
                ),
                Rational::from(1),
            )],
            false => vec![],
        };
        let set = StmtKind::SetTimer(
            timer,
            other(),
            TimeSum::constant(from),
            TimeSum {
                terms: later,
                constant: to,
            },
        );
        let statement = |kind| Stmt {
            origin: Origin(0),
            kind,
        };
        match self.rng.below(10) {
            0..6 => statement(set),
            6..8 => statement(StmtKind::If(is_set, vec![], vec![statement(set)])),
            _ => statement(StmtKind::CancelTimer(timer, other())),
        }
    }

    fn runtime_faults(&mut self) {
        if !self.rng.percent(55) {
            return;
        }
        let kinds = self.machine.kinds.len();
        let of = KindId(self.rng.below(kinds) as u32);
        let fresh = self.rng.percent(60);
        let within = self.rng.percent(50).then(|| self.interval(0, 2));
        let crash = Crash {
            during_broadcast: self.rng.percent(50),
        };
        let which = self.rng.below(3);
        self.machine.runtime_faults.push(RuntimeFault {
            of: self.rng.percent(50).then_some(of),
            limit: self.rng.percent(85).then_some(1),
            crash: (which != 0).then_some(crash),
            stop: (which != 1).then_some(Restart { fresh, within }),
        });
        for var in &mut self.machine.vars {
            var.persistent = self.rng.percent(25);
        }
    }

    fn questions(&mut self) {
        let asked: Vec<(Scope, Expr)> = self
            .machine
            .properties
            .iter()
            .filter_map(condition)
            .collect();
        let mut more = Vec::new();
        for (mut scope, holds) in asked {
            let ops = [
                BinaryOp::Le,
                BinaryOp::Lt,
                BinaryOp::Ge,
                BinaryOp::Gt,
                BinaryOp::Eq,
            ];
            let now = Expr::Now(
                *self.rng.pick(&ops),
                Rational::from(self.rng.between(0, LATEST)),
            );
            let not = |e: Expr| Expr::Unary(UnaryOp::Not, Box::new(e));
            let kind = match self.rng.below(6) {
                0 => PropertyKind::Possible(not(holds).binary(BinaryOp::And, now)),
                1 => PropertyKind::Claim(always(holds.binary(BinaryOp::Or, now))),
                2 | 3 => {
                    let response = ResponseId(self.machine.responses.len() as u32);
                    let (from, to) = match self.rng.percent(50) {
                        true => (not(holds.clone()), holds),
                        false => (holds.clone(), not(holds)),
                    };
                    let within = Rational::from(self.rng.between(0, 3));
                    self.machine.responses.push(Response {
                        scope: scope.clone(),
                        from,
                        to,
                        within,
                    });
                    PropertyKind::Claim(always(not(Expr::Overdue(response))))
                }
                4 => {
                    // With a limit, the state records which nodes were affected by the fault.
                    self.machine
                        .runtime_faults
                        .iter_mut()
                        .for_each(|item| item.limit = Some(1));
                    let node = scope.add("subject", machine::Type::Node);
                    let faultless = Box::new(Expr::Faultless(Box::new(Expr::Local(node))));
                    let all = Expr::Quantified(
                        Quantifier::All,
                        node,
                        Box::new(Expr::Nodes(None)),
                        faultless,
                    );
                    PropertyKind::Claim(always(holds.binary(BinaryOp::Or, all)))
                }
                _ => continue,
            };
            let name = format!("timed {}", more.len());
            more.push(Property { name, scope, kind });
        }
        self.machine.properties.truncate(3);
        self.machine.properties.extend(more.into_iter().take(4));
    }
}

fn always(condition: Expr) -> Formula {
    Formula::Always(Box::new(Formula::State(condition)))
}

/// The condition of a property about single states; `None` for other properties.
fn condition(property: &Property) -> Option<(Scope, Expr)> {
    let condition = match &property.kind {
        PropertyKind::Claim(formula) => formula.invariant()?,
        PropertyKind::Possible(condition) => condition.clone(),
    };
    Some((property.scope.clone(), condition))
}
