//! From a Machine to a circuit: one size, one topology, every choice of what is frozen.
//!
//! Bits of the state are latches, and bits of what is frozen are latches that never change. At each moment inputs say which event
//! happens, and what it picks. If that event is possible, and neither ends in an error nor finds no room, the state
//! changes; otherwise it stays, which changes no answer: a state that is reached is reached. So the circuit has no constraint,
//! and every moment counts.
//!
//! *Exact*: the circuit and the reference interpreter have the same runs, but for those that find no room. These are seen: an
//! overflow that is possible is as visible as an error ([`Encoded::overflow`]).
//!
//! That values are in their ranges, queues without holes, and some bits always the same, is known of all states
//! ([`Circuit::known`]), and checked.

use crate::circuit::{Circuit, Latch};
use crate::deeds::Setting;
use crate::events::{Template, events};
use crate::initial::initially;
use crate::seen::Seen;
use crate::shape::Shape;
use crate::state::{Fixed, Source, State};
use bits::{Evaluator, Number, Unsupported, run};
use machine::{Channel, Expr, Machine, Property, PropertyKind, Scope, Trigger};
use sat::{Aig, Lit, Outcome, Solver, Tseitin};

/// Creates a solver.
type NewSolver = fn() -> Box<dyn Solver>;

/// A Machine over bits.
pub struct Encoded<'m> {
    pub(crate) machine: &'m Machine,
    /// For how many messages there is room where there is no bound.
    pub room: usize,
    pub(crate) shape: Shape,
    pub(crate) fixed: Fixed,
    pub(crate) state: State,
    /// Which event happens.
    pub(crate) which: Number,
    pub(crate) events: Vec<Template>,
    /// By event: it happens.
    pub(crate) happens: Vec<Lit>,
    /// The circuit; nothing is bad in it yet.
    pub circuit: Circuit,
    /// An initial value or a restriction of initial states has no value.
    pub initial_error: Lit,
    /// An event ends in an error.
    pub error: Lit,
    /// There is no room for what an event sends.
    pub overflow: Lit,
    quiescent: Lit,
}

/// A Machine over bits, with room for so many messages where there is no bound. The encoder asks a solver which bits are constant.
pub fn encode(
    machine: &Machine,
    room: usize,
    new_solver: NewSolver,
) -> Result<Encoded<'_>, Unsupported> {
    let mut shape = Shape::of(machine, room)?;
    if matches!(machine.channel, Channel::Fifo(Some(_))) {
        make_room_in_outboxes(machine, &mut shape, new_solver)?;
    }
    let mut aig = Aig::new();
    let (fixed, frozen_lits, mut valid) = {
        let mut source = Source::new(&mut aig, machine, &shape);
        let fixed = Fixed::new(&mut source)?;
        (fixed, source.lits, source.valid)
    };
    let (state, state_lits, more) = {
        let mut source = Source::new(&mut aig, machine, &shape);
        let state = State::new(&mut source)?;
        (state, source.lits, source.valid)
    };
    valid.extend(more);
    let setting = Setting {
        machine,
        shape: &shape,
        fixed: &fixed,
    };
    let events = events(&mut aig, setting, &state)?;
    let initially = initially(&mut aig, setting, &state)?;
    let which = which(&mut aig, events.len());
    let mut next = state_lits.clone();
    let (mut happens, mut errors, mut overflows) = (Vec::new(), Vec::new(), Vec::new());
    for (e, event) in events.iter().enumerate() {
        let chosen = which.is(&mut aig, e as i128);
        let valid = aig.all(event.deed.valid.iter().copied());
        let tried = aig.all([chosen, event.possible, valid]);
        errors.push(aig.and(tried, event.deed.error));
        let goes_on = aig.and(tried, !event.deed.error);
        overflows.push(aig.and(goes_on, event.deed.overflow));
        let happening = aig.and(goes_on, !event.deed.overflow);
        happens.push(happening);
        let after = event.deed.state.packed(&mut aig, machine, &shape)?;
        for ((next, after), now) in next.iter_mut().zip(after).zip(&state_lits) {
            // At most one event happens: what it leaves as it is needs no word.
            if after != *now {
                *next = aig.ite(happening, after, *next);
            }
        }
    }
    let owed = events.iter().filter(|event| event.is_owed());
    let possible = aig.any(owed.map(|event| event.some_day).collect::<Vec<_>>());
    let known = aig.all(valid.into_iter().chain([initially.frozen]));
    let init = aig.and(initially.state, known);
    let initial_error = aig.and(initially.error, known);
    let moves = aig.any(happens.iter().copied());
    let error = aig.any(errors);
    let overflow = aig.any(overflows);
    let frozen = frozen_lits.iter().map(|now| Latch {
        now: *now,
        next: *now,
    });
    let changing = { state_lits.iter().zip(next) }.map(|(now, next)| Latch { now: *now, next });
    let latches: Vec<Latch> = frozen.chain(changing).collect();
    let mut circuit = Circuit {
        inputs: free_inputs(&aig, &latches),
        aig,
        latches,
        init,
        constraint: Lit::TRUE,
        known,
        relied: Lit::TRUE,
        moves,
        bad: Lit::FALSE,
    };
    say_plainly(&mut circuit, new_solver);
    let constant = circuit.constant_latches();
    circuit.known = circuit.aig.all(constant.into_iter().chain([circuit.known]));
    Ok(Encoded {
        machine,
        room,
        shape,
        fixed,
        state,
        which,
        events,
        happens,
        circuit,
        initial_error,
        error,
        overflow,
        quiescent: !possible,
    })
}

impl Encoded<'_> {
    /// Whether there may be more messages than there is room for.
    pub fn may_overflow(&self) -> bool {
        self.shape.may_overflow
    }

    /// Whether a condition holds in a state, and whether it has no value there.
    fn condition(&mut self, scope: &Scope, condition: &Expr) -> Result<(Lit, Lit), Unsupported> {
        let seen = Seen {
            machine: self.machine,
            fixed: &self.fixed,
            state: &self.state,
            quiescent: Some(self.quiescent),
        };
        let mut eval = Evaluator::new(&mut self.circuit.aig, self.machine, &seen, scope);
        let holds = eval.condition(condition)?;
        Ok((holds, eval.error()))
    }

    /// From now on none of these happens in any state: each is what decides a property, or that it has no value.
    pub fn rely_on(&mut self, never: impl IntoIterator<Item = Lit>) {
        let all = never.into_iter().map(|lit| !lit);
        self.circuit.relied = self.circuit.aig.all(all);
    }

    /// The circuit in which one of these is bad.
    pub fn with_bad(&mut self, bad: &[Lit]) -> &Circuit {
        self.circuit.bad = self.circuit.aig.any(bad.iter().copied());
        &self.circuit
    }
}

/// A property about single states, over bits.
pub struct Asked {
    /// What a run shows that decides it: that the claim is broken, or the condition true.
    pub sought: Lit,
    /// Its condition has no value.
    pub no_value: Lit,
    /// Its condition.
    pub condition: Expr,
    /// The value of the condition that decides it.
    pub wanted: bool,
}

/// A property over bits; nothing if it is about more than single states.
pub fn property(
    encoded: &mut Encoded<'_>,
    property: &Property,
) -> Result<Option<Asked>, Unsupported> {
    let Some((condition, wanted)) = decided_by(property) else {
        return Ok(None);
    };
    let (holds, no_value) = encoded.condition(&property.scope, &condition)?;
    let lit = if wanted { holds } else { !holds };
    Ok(Some(Asked {
        sought: encoded.circuit.aig.and(lit, !no_value),
        no_value,
        condition,
        wanted,
    }))
}

/// The condition that decides a property about single states, and the value of it that a run shows.
pub fn decided_by(property: &Property) -> Option<(Expr, bool)> {
    match &property.kind {
        PropertyKind::Claim(formula) => Some((formula.invariant()?, false)),
        PropertyKind::Possible(condition) => Some((condition.clone(), true)),
    }
}

/// Which of so many events happens; other numbers say that none does.
fn which(aig: &mut Aig, events: usize) -> Number {
    let mut digits = Vec::new();
    while 1usize << digits.len() < events + 1 {
        digits.push(aig.input());
    }
    Number::new(0, (1i128 << digits.len()) - 1, digits)
}

/// The inputs of the graph that are no latches.
fn free_inputs(aig: &Aig, latches: &[Latch]) -> Vec<Lit> {
    let mut is_latch = vec![false; aig.len()];
    for latch in latches {
        is_latch[latch.now.gate() as usize] = true;
    }
    (0..aig.len() as u32)
        .filter(|gate| matches!(aig.gate(*gate), sat::Gate::Input(_)) && !is_latch[*gate as usize])
        .map(Lit::of_gate)
        .collect()
}

/// Says plainly which bits have the same value in all initial states.
fn say_plainly(circuit: &mut Circuit, new_solver: NewSolver) {
    let mut solver = new_solver();
    let mut tseitin = Tseitin::new();
    let initially = tseitin.literal(&circuit.aig, circuit.init, &mut solver);
    let mut same = Vec::new();
    for (latch, plain) in circuit.latches.iter().zip(circuit.plainly_initial()) {
        for lit in [latch.now, !latch.now] {
            let other = tseitin.literal(&circuit.aig, !lit, &mut solver);
            let mut possible = || solver.solve(&[initially, other], &mut || false);
            if plain.is_none() && possible() == Outcome::Unsatisfiable {
                same.push(lit);
                break;
            }
        }
    }
    circuit.init = circuit.aig.all(same.into_iter().chain([circuit.init]));
}

/// How many of some literals can be true at once.
fn most_at_once(aig: &mut Aig, lits: &[Lit], new_solver: NewSolver) -> usize {
    let count = Number::count(aig, lits.iter().copied());
    let mut solver = new_solver();
    let mut tseitin = Tseitin::new();
    let mut possible = |at_least: &usize| {
        let fewer = count.less(aig, &Number::constant(*at_least as i128));
        let literal = tseitin.literal(aig, !fewer, &mut solver);
        solver.solve(&[literal], &mut || false) == Outcome::Satisfiable
    };
    (1..=lits.len())
        .take_while(|least| possible(least))
        .last()
        .unwrap_or(0)
}

/// What code sends waits in the outbox, at most all of it: how much that is is seen by running the code once.
fn make_room_in_outboxes(
    machine: &Machine,
    shape: &mut Shape,
    new_solver: NewSolver,
) -> Result<(), Unsupported> {
    shape.outbox.fill(0);
    let mut aig = Aig::new();
    let mut source = Source::new(&mut aig, machine, shape);
    let fixed = Fixed::new(&mut source)?;
    let state = State::new(&mut source)?;
    let setting = Setting {
        machine,
        shape,
        fixed: &fixed,
    };
    let mut most = vec![0; machine.kinds.len()];
    for node in machine.nodes() {
        let kind = machine.kind_of(node).index();
        for (block, trigger) in setting.blocks(node) {
            let senders: Vec<Option<machine::NodeId>> = match trigger {
                Trigger::On(..) => {
                    let edges = machine.edges.iter().filter(|(_, to)| *to == node);
                    edges.map(|(from, _)| Some(*from)).collect()
                }
                _ => vec![None],
            };
            for sender in senders {
                let started_by = match (sender, trigger) {
                    (Some(sender), Trigger::On(record, _)) => {
                        let ty = machine::Type::Record(*record);
                        let (message, _) = bits::free(&mut aig, machine, &ty)?;
                        Some((message, sender))
                    }
                    _ => None,
                };
                let seen = setting.see(&state);
                let effects = run(&mut aig, machine, &seen, block, node, started_by)?;
                let sent: Vec<Lit> = effects.sent.iter().map(|sent| sent.when).collect();
                most[kind] = most[kind].max(most_at_once(&mut aig, &sent, new_solver));
            }
        }
    }
    shape.outbox = most;
    Ok(())
}
