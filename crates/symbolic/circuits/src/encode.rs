//! Encodes a Machine as a circuit: one size and topology, all choices of frozen values.
//!
//! The bits of the state are latches; the bits of frozen variables are latches that never change. At each moment,
//! inputs choose an event and its picks. If the event is enabled and leads neither to an error nor to an overflow, the
//! state changes; otherwise it stays the same. Steps that do not change the state are harmless for reachability. So the
//! circuit needs no constraint.
//!
//! *Exact*: the circuit and the reference interpreter have the same runs, except that an event that overflows does not
//! fire in the circuit. Overflows are detected like errors ([`Encoded::overflow`]).
//!
//! The known invariant ([`Circuit::known`]) says that values are within their types, that the frozen values are an
//! allowed choice, that queues have no empty slot before a message, and that some bits are constant. The proof checker
//! verifies it.

use crate::circuit::{Circuit, Latch};
use crate::effects::Setting;
use crate::events::{Template, events};
use crate::initial::initially;
use crate::shape::Shape;
use crate::state::{Fixed, Source, State};
use crate::view::StateView;
use bits::{Evaluator, Number, Unsupported, run};
use machine::{Channel, Expr, Machine, Property, PropertyKind, Scope, Trigger};
use sat::{Aig, Lit, Outcome, Solver, Tseitin};

/// A function that creates a new solver.
type NewSolver = fn() -> Box<dyn Solver>;

/// A Machine encoded as a circuit.
pub struct Encoded<'m> {
    pub(crate) machine: &'m Machine,
    /// The number of slots of a channel without a declared bound.
    pub room: usize,
    pub(crate) shape: Shape,
    pub(crate) fixed: Fixed,
    pub(crate) state: State,
    pub(crate) events: Events,
    /// The circuit; `bad` is false until [`Encoded::with_bad`] sets it.
    pub circuit: Circuit,
    /// Whether an initial value or a restriction of initial states ends in an error.
    pub initial_error: Lit,
    /// Whether the chosen event ends in an error.
    pub error: Lit,
    /// Whether the chosen event needs a slot for a message and none is free.
    pub overflow: Lit,
    quiescent: Lit,
}

/// The events of an encoding, and which of them is chosen.
pub(crate) struct Events {
    /// The index of the chosen event.
    pub(crate) chosen: Number,
    pub(crate) templates: Vec<Template>,
    /// By event: whether it is chosen and changes the state.
    pub(crate) fires: Vec<Lit>,
}

/// Encodes a Machine, with `room` slots in channels without a declared bound. Solvers find bits that are constant and
/// the sizes of outboxes.
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
    let templates = events(&mut aig, setting, &state)?;
    let initially = initially(&mut aig, setting, &state)?;
    let choice = event_choice(&mut aig, templates.len());
    let mut next = state_lits.clone();
    let (mut fires, mut errors, mut overflows) = (Vec::new(), Vec::new(), Vec::new());
    for (e, event) in templates.iter().enumerate() {
        let chosen = choice.is(&mut aig, e as i128);
        let valid = aig.all(event.successor.valid.iter().copied());
        let tried = aig.all([chosen, event.enabled, valid]);
        errors.push(aig.and(tried, event.successor.error));
        let goes_on = aig.and(tried, !event.successor.error);
        overflows.push(aig.and(goes_on, event.successor.overflow));
        let fires_here = aig.and(goes_on, !event.successor.overflow);
        fires.push(fires_here);
        let after = event.successor.state.packed(&mut aig, machine, &shape)?;
        for ((next, after), now) in next.iter_mut().zip(after).zip(&state_lits) {
            // At most one event fires, so bits that an event does not change need no multiplexer.
            if after != *now {
                *next = aig.ite(fires_here, after, *next);
            }
        }
    }
    let progress = templates.iter().filter(|event| event.is_progress());
    let enabled = aig.any(
        progress
            .map(|event| event.enabled_later)
            .collect::<Vec<_>>(),
    );
    let known = aig.all(valid.into_iter().chain([initially.frozen]));
    let init = aig.and(initially.state, known);
    let initial_error = aig.and(initially.error, known);
    let moves = aig.any(fires.iter().copied());
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
    fix_initial_constants(&mut circuit, new_solver);
    let constant = circuit.constant_latches();
    circuit.known = circuit.aig.all(constant.into_iter().chain([circuit.known]));
    Ok(Encoded {
        machine,
        room,
        shape,
        fixed,
        state,
        events: Events {
            chosen: choice,
            templates,
            fires,
        },
        circuit,
        initial_error,
        error,
        overflow,
        quiescent: !enabled,
    })
}

impl Encoded<'_> {
    /// Whether some channel or inbox has fewer slots than a run might need.
    pub fn may_overflow(&self) -> bool {
        self.shape.may_overflow
    }

    /// The literals that a condition holds in the current state, and that its evaluation ends in an error.
    fn condition(&mut self, scope: &Scope, condition: &Expr) -> Result<(Lit, Lit), Unsupported> {
        let view = StateView {
            machine: self.machine,
            fixed: &self.fixed,
            state: &self.state,
            quiescent: Some(self.quiescent),
        };
        let mut eval = Evaluator::new(&mut self.circuit.aig, self.machine, &view, scope);
        let holds = eval.condition(condition)?;
        Ok((holds, eval.error()))
    }

    /// Assumes that these literals are false in all reachable states. Each of them decides a property, or says that the
    /// evaluation of its condition is an error.
    pub fn rely_on(&mut self, never: impl IntoIterator<Item = Lit>) {
        let all = never.into_iter().map(|lit| !lit);
        self.circuit.relied = self.circuit.aig.all(all);
    }

    /// The circuit in which a moment is bad if one of these literals is true.
    pub fn with_bad(&mut self, bad: &[Lit]) -> &Circuit {
        self.circuit.bad = self.circuit.aig.any(bad.iter().copied());
        &self.circuit
    }
}

/// An encoded property about single states.
pub struct Asked {
    /// Whether the state decides the property: it violates the claim, or satisfies the condition of a `possible`.
    pub sought: Lit,
    /// Whether the evaluation of its condition ends in an error.
    pub no_value: Lit,
    /// The condition of the property.
    pub condition: Expr,
    /// The value of the condition that decides the property: false for a claim, true for a `possible`.
    pub wanted: bool,
}

/// Encodes a property; `None` if it is not about single states.
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

/// The condition of a property about single states, and the value of it that decides the property. `None` for other
/// properties.
pub fn decided_by(property: &Property) -> Option<(Expr, bool)> {
    match &property.kind {
        PropertyKind::Claim(formula) => Some((formula.invariant()?, false)),
        PropertyKind::Possible(condition) => Some((condition.clone(), true)),
    }
}

/// The index of the chosen event, as inputs. Indices beyond the last event choose none.
fn event_choice(aig: &mut Aig, events: usize) -> Number {
    let mut digits = Vec::new();
    while 1usize << digits.len() < events + 1 {
        digits.push(aig.input());
    }
    Number::new(0, (1i128 << digits.len()) - 1, digits)
}

/// The inputs of the AIG that are not latches.
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

/// For each bit that has the same value in all initial states, adds its literal to `init` as a conjunct.
fn fix_initial_constants(circuit: &mut Circuit, new_solver: NewSolver) {
    let mut solver = new_solver();
    let mut tseitin = Tseitin::new();
    let initially = tseitin.literal(&circuit.aig, circuit.init, &mut solver);
    let mut same = Vec::new();
    for (latch, plain) in circuit.latches.iter().zip(circuit.plainly_initial()) {
        for lit in [latch.now, !latch.now] {
            let other = tseitin.literal(&circuit.aig, !lit, &mut solver);
            let mut differs = || solver.solve(&[initially, other], &mut || false);
            if plain.is_none() && differs() == Outcome::Unsatisfiable {
                same.push(lit);
                break;
            }
        }
    }
    circuit.init = circuit.aig.all(same.into_iter().chain([circuit.init]));
}

/// The largest number of the literals that can be true at the same time.
fn most_at_once(aig: &mut Aig, lits: &[Lit], new_solver: NewSolver) -> usize {
    let count = Number::count(aig, lits.iter().copied());
    let mut solver = new_solver();
    let mut tseitin = Tseitin::new();
    let mut satisfiable = |at_least: &usize| {
        let fewer = count.less(aig, &Number::constant(*at_least as i128));
        let literal = tseitin.literal(aig, !fewer, &mut solver);
        solver.solve(&[literal], &mut || false) == Outcome::Satisfiable
    };
    (1..=lits.len())
        .take_while(|least| satisfiable(least))
        .last()
        .unwrap_or(0)
}

/// Sets the sizes of outboxes. An outbox holds at most the messages of one execution of a block, so each block is
/// executed symbolically to count them.
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
                let view = setting.view(&state);
                let effects = run(&mut aig, machine, &view, block, node, started_by)?;
                let sent: Vec<Lit> = effects.sent.iter().map(|sent| sent.when).collect();
                most[kind] = most[kind].max(most_at_once(&mut aig, &sent, new_solver));
            }
        }
    }
    shape.outbox = most;
    Ok(())
}
