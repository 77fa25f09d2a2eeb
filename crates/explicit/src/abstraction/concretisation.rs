//! Concretisation: replays the events of an abstract run in the exact semantics, with random initial values.
//!
//! Initial values that the abstract search decided are kept; the others are pseudo-random with a fixed seed. Since
//! violations usually depend more on the events than on the data, few attempts suffice. If no attempt succeeds, the run
//! remains unconfirmed.

use crate::abstraction::decisions::{Decision, decide, initial_slots, initial_state_with};
use crate::abstraction::lazy_initial_values::{Beginnings, LazyValues, initial_parts};
use crate::events::enabled::{anything_enabled, enabled_events, is_quiescent};
use crate::events::fire::fire_event;
use crate::events::interpreter_state::{choice_of, into_error};
use crate::program::compiled_machine::CompiledMachine;
use crate::program::condition::Condition;
use crate::program::event::{CompiledEvent, Effects, Stop};
use crate::program::expression::Context;
use crate::state::layout::Layout;
use machine::random::Rng;
use machine::{Choice, InitialPart, Instance, State, Value};
use verdict::{Ending, NodeCone, Run};

/// The number of attempts per run.
const TRIES: u64 = 2_000;

/// What must hold at the end of a run.
pub(crate) enum End<'c> {
    /// A condition has this value in the last state.
    Value(&'c Condition, bool),
    /// The last event, and no earlier one, is an error.
    Error,
    /// No event is enabled, and the claims do not allow this as a final state.
    Deadlock,
}

/// A run of the search with data abstraction: initial state, events, decisions.
pub(crate) struct AbstractRun {
    pub(crate) initial: State,
    pub(crate) events: Vec<CompiledEvent>,
    pub(crate) decisions: Vec<Decision>,
}

/// The exact state during the replay of an abstract run.
struct ConcreteRun<'a> {
    compiled: &'a CompiledMachine<'a>,
    layout: Layout,
    frozen: Vec<i64>,
    rng: Rng,
    slots: Vec<i64>,
    effects: Effects,
}

/// Concretises abstract runs of an instance.
pub(crate) struct Concretiser<'s> {
    pub(crate) instance: Instance<'s>,
    /// The cone of influence of each node, if the search is restricted to it.
    pub(crate) cone: Option<&'s [NodeCone]>,
    pub(crate) lazy: &'s LazyValues,
    /// The initial values of each component.
    pub(crate) initial_values: Vec<(InitialPart, Vec<Value>)>,
    /// Whether a limit has been reached.
    pub(crate) stop: &'s dyn Fn() -> bool,
    /// Whether a final state is a deadlock: a node still has something to do.
    pub(crate) waits: &'s dyn Fn(&Context<'_>) -> bool,
}

impl Concretiser<'_> {
    /// A concrete run with the events of an abstract run and this end; `None` if no attempt succeeds.
    pub(crate) fn run(self, abstract_run: &AbstractRun, end: &End<'_>) -> Option<Run> {
        let Instance { machine, frozen } = self.instance;
        let (cone, instance) = (self.cone, self.instance);
        let compiled = CompiledMachine::new(machine, None, cone, is_quiescent).ok()?;
        let begin = initial_parts(&compiled, self.lazy, cone, instance, self.initial_values);
        let mut concrete = ConcreteRun {
            compiled: &compiled,
            layout: compiled.layout(true).ok()?,
            frozen: compiled.frozen(frozen),
            rng: Rng(1),
            slots: Vec::new(),
            effects: Effects::default(),
        };
        for attempt in 0..TRIES {
            if attempt % 128 == 0 && (self.stop)() {
                return None;
            }
            let decisions = concrete.begin(abstract_run, &begin);
            let Some(choices) = concrete.replay(&abstract_run.events, matches!(end, End::Error))
            else {
                continue;
            };
            let context = concrete.context();
            let (ends, ending) = match end {
                End::Error => (true, Ending::Open),
                End::Value(condition, wanted) => (
                    condition.holds(&context, &[]) == Some(*wanted),
                    Ending::Open,
                ),
                End::Deadlock => (
                    !anything_enabled(&compiled, &context) && (self.waits)(&context),
                    Ending::StandsStill,
                ),
            };
            if ends {
                let (layout, numbers) = (&mut concrete.layout, &concrete.frozen);
                let initial = initial_state_with(
                    &compiled,
                    layout,
                    &abstract_run.initial,
                    &begin.possible_values,
                    &decisions,
                    numbers,
                );
                let run = Run {
                    frozen: frozen.clone(),
                    initial,
                    choices,
                    ending,
                };
                return Some(match end {
                    End::Error => into_error(instance, run),
                    _ => run,
                });
            }
        }
        None
    }
}

impl ConcreteRun<'_> {
    fn context(&self) -> Context<'_> {
        Context {
            compiled: self.compiled,
            layout: &self.layout,
            frozen: &self.frozen,
            slots: &self.slots,
        }
    }

    /// Opens an initial state in which all components are decided. Returns the decisions.
    fn begin(&mut self, abstract_run: &AbstractRun, begin: &Beginnings<'_>) -> Vec<Decision> {
        let (compiled, possible_values) = (self.compiled, &begin.possible_values);
        self.slots = initial_slots(
            compiled,
            &mut self.layout,
            &abstract_run.initial,
            possible_values,
            &self.frozen,
        );
        let decisions = possible_values.drawn(&abstract_run.decisions, &mut |n| self.rng.below(n));
        for decision in &decisions {
            decide(compiled, &self.layout, &mut self.slots, *decision);
        }
        decisions
    }

    /// Fires the events, and returns the choices. With `error`, the last event must be an error and no other event may
    /// be one; otherwise no event may be one. Returns `None` if this is violated or if an event is not enabled.
    fn replay(&mut self, events: &[CompiledEvent], error: bool) -> Option<Vec<Choice>> {
        let mut choices = Vec::new();
        for (number, event) in events.iter().enumerate() {
            let mut possible = Vec::new();
            enabled_events(self.compiled, &self.context(), &mut possible);
            if !possible.contains(event) {
                return None;
            }
            let mut picks = Vec::new();
            let broken = loop {
                let mut next = self.slots.clone();
                let (layout, frozen) = (&self.layout, &self.frozen);
                let effects = &mut self.effects;
                let done = fire_event(
                    self.compiled,
                    layout,
                    frozen,
                    &mut next,
                    (*event, &[]),
                    &picks,
                    effects,
                );
                match done {
                    Ok(()) => {
                        self.slots = next;
                        break false;
                    }
                    Err(Stop::TooMany) => return None,
                    Err(Stop::Broken) => break true,
                    Err(Stop::Choose(elements)) => {
                        picks.push(elements[self.rng.below(elements.len())]);
                    }
                    Err(Stop::NoRoom) => {
                        self.layout.grow_with(&mut self.slots);
                    }
                    Err(Stop::Undecided(_) | Stop::TooCoarse) => return None,
                }
            };
            choices.push(choice_of(
                self.compiled,
                *event,
                &picks,
                &self.effects.chosen,
            ));
            if broken != (error && number + 1 == events.len()) {
                return None;
            }
        }
        Some(choices)
    }
}
