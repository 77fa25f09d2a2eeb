//! Counterexample reconstruction: translates a run of the circuit to a run of the Machine that the reference
//! interpreter replays.

use crate::circuit::{Moment, Trace, value_of};
use crate::clock::periods;
use crate::encode::Encoded;
use crate::events::{Action, Fate};
use crate::shape::Holds;
use bits::Bits;
use machine::{
    Choice, EdgeId, Event, Expr, Fault, Frozen, Instance, Mode, NodeId, NodeState,
    OrderConstraints, Outcome, Outgoing, State, StepError,
};
use sat::Lit;
use verdict::{Ending, Run};

/// What the last moment of a run demonstrates.
pub enum Shows<'a> {
    /// The condition has this value in the last state.
    Value(&'a Expr, bool),
    /// An event, or the evaluation of the condition, ends in an error.
    Error(&'a Expr),
}

/// The run of the Machine that corresponds to a trace; `None` if the reference interpreter does not reproduce it.
pub fn run(encoded: &Encoded<'_>, trace: &Trace, shows: &Shows<'_>) -> Option<Run> {
    let machine = encoded.machine;
    let first = Model::new(encoded, trace.moments.first()?);
    let frozen = first.frozen();
    let initial = first.state(&frozen);
    let instance = Instance {
        machine,
        frozen: &frozen,
    };
    if !instance.is_initial(&initial).ok()? {
        return None;
    }
    let mut state = initial.clone();
    let mut choices = Vec::new();
    let mut ending = None;
    let last = trace.moments.len() - 1;
    for (m, moment) in trace.moments.iter().enumerate() {
        let model = Model::new(encoded, moment);
        let is_last = m == last;
        let Some(choice) = model.choice(&instance, &state, is_last) else {
            continue;
        };
        if is_last && !matches!(shows, Shows::Error(_)) {
            break; // the event of the last moment would come after the demonstrated state
        }
        match instance.step(&state, &choice) {
            Ok(_) if is_last => break,
            Ok(next) => state = next,
            Err(StepError::Error(error)) if is_last => {
                ending = Some(Ending::Error(error));
            }
            Err(_) => return None,
        }
        choices.push(choice);
    }
    let ending = match (ending, shows) {
        (Some(ending), _) => ending,
        (None, Shows::Value(condition, value)) => {
            let found = instance.holds(&state, condition, &[]);
            (found == Ok(*value)).then_some(Ending::Open)?
        }
        (None, Shows::Error(condition)) => {
            Ending::Error(instance.holds(&state, condition, &[]).err()?)
        }
    };
    Some(Run {
        frozen,
        initial,
        choices,
        ending,
    })
}

/// The values of all gates at a moment.
struct Model<'e> {
    encoded: &'e Encoded<'e>,
    values: Vec<bool>,
}

impl<'e> Model<'e> {
    fn new(encoded: &'e Encoded<'e>, moment: &Moment) -> Model<'e> {
        Model {
            encoded,
            values: encoded.circuit.simulate(moment),
        }
    }

    fn lit(&self, lit: Lit) -> bool {
        value_of(&self.values, lit)
    }

    fn value(&self, bits: &Bits) -> machine::Value {
        bits.decode(&|lit| self.lit(lit))
    }

    fn frozen(&self) -> Frozen {
        let encoded = self.encoded;
        let columns = encoded.fixed.values.iter();
        let values = columns.map(|column| column.iter().map(|bits| self.value(bits)).collect());
        let fault = |node: NodeId| -> Option<Fault> {
            let mut faults = encoded.fixed.faults[node.index()].iter();
            let found = faults.find(|(_, _, lit)| self.lit(*lit));
            found.map(|(_, fault, _)| *fault)
        };
        Frozen {
            values: values.collect(),
            faults: match encoded.machine.node_faults.is_empty() {
                true => Vec::new(),
                false => encoded.machine.nodes().map(fault).collect(),
            },
            periods: periods(encoded.machine),
        }
    }

    /// The state of the Machine at the first moment, which is an initial state.
    fn state(&self, frozen: &Frozen) -> State {
        let encoded = self.encoded;
        let machine = encoded.machine;
        let instance = Instance { machine, frozen };
        let nodes = machine.nodes().map(|node| self.node(frozen, node));
        let budgets = machine.faults.iter().map(|fault| fault.limit.unwrap_or(0));
        State {
            nodes: nodes.collect(),
            edges: vec![Vec::new(); machine.edges.len()],
            budgets: budgets.collect(),
            order_state: OrderConstraints::of(machine).start(),
            clock: instance.clock(),
        }
    }

    fn node(&self, frozen: &Frozen, node: NodeId) -> NodeState {
        let machine = self.encoded.machine;
        let at = &self.encoded.state.nodes[node.index()];
        let places = self.encoded.shape.inbox[node.index()].iter();
        let mut inbox: Vec<(NodeId, machine::Value)> = { places.zip(&at.inbox) }
            .filter(|(_, slot)| self.lit(slot.present))
            .map(|(place, slot)| match &place.holds {
                Holds::This(value) => (place.sender, value.clone()),
                _ => (place.sender, self.value(&slot.message)),
            })
            .collect();
        inbox.sort();
        NodeState {
            mode: match self.lit(at.waiting) {
                _ if frozen.fault(node) == Some(Fault::Off) => Mode::Off,
                true => Mode::Waiting,
                false => Mode::Running,
            },
            vars: at.vars.iter().map(|bits| self.value(bits)).collect(),
            outbox: Vec::<Outgoing>::new(),
            inbox,
            timers: Vec::new(),
            faulted: vec![false; machine.runtime_faults.len()],
        }
    }

    /// The event that fires at the moment, with its picks; `None` if no event fires. At the last moment, also an event
    /// that ends in an error.
    fn choice(&self, instance: &Instance<'_>, state: &State, is_last: bool) -> Option<Choice> {
        let encoded = self.encoded;
        let number = encoded.events.chosen.decode(&|lit| self.lit(lit));
        let e = usize::try_from(number)
            .ok()
            .filter(|e| *e < encoded.events.templates.len())?;
        let fails = is_last && self.lit(encoded.error);
        if !self.lit(encoded.events.fires[e]) && !fails {
            return None;
        }
        let template = &encoded.events.templates[e];
        let event = self.event(instance, state, template.what)?;
        let picks = { template.successor.picks.iter() }
            .filter(|(when, _)| self.lit(*when))
            .map(|(_, value)| self.value(value));
        Some(Choice {
            event,
            picks: picks.collect(),
            time: None,
        })
    }

    fn event(&self, instance: &Instance<'_>, state: &State, what: Action) -> Option<Event> {
        Some(match what {
            Action::Run(node, block) => Event::Run(node, block),
            Action::Transmit(node) => Event::Transmit(node),
            Action::Crash(node, runtime_fault) => Event::Crash(node, runtime_fault),
            Action::Stop(node, runtime_fault) => Event::Stop(node, runtime_fault),
            Action::Restart(node) => Event::Restart(node),
            Action::Wait => Event::Wait,
            Action::Deliver(edge, place, fate) => {
                let message = self.value(&self.encoded.state.edges[edge.index()][place].message);
                let is_this = |event: &Event| {
                    matches!(event, Event::Deliver(e, m, outcome)
                        if *e == edge && *m == message && is_fate(*outcome, fate))
                };
                return instance.events(state).into_iter().find(is_this);
            }
        })
    }
}

fn is_fate(outcome: Outcome, fate: Fate) -> bool {
    match (outcome, fate) {
        (Outcome::Lose(f), Fate::Lose(g)) | (Outcome::Repeat(f, _), Fate::Repeat(g)) => f == g,
        (Outcome::Lose(_) | Outcome::Repeat(..), _) => false,
        (_, fate) => fate == Fate::Plain,
    }
}

/// The channel with the most messages in the last state of a trace, and their number.
pub fn longest(encoded: &Encoded<'_>, trace: &Trace) -> Option<(EdgeId, u64)> {
    let model = Model::new(encoded, trace.moments.last()?);
    let edges = encoded.state.edges.iter().enumerate();
    let lengths = edges.map(|(e, places)| {
        let present = places.iter().filter(|place| model.lit(place.present));
        (EdgeId(e as u32), present.count() as u64)
    });
    lengths.max_by_key(|(_, length)| *length)
}
