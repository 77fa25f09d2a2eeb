//! Constructs a run from a model of a query: the initial state, and the events in order.
//!
//! A delayed message is delivered as late as possible: just before the first read that finds it, or when its greatest
//! delay is over. This preserves FIFO order on channels that have it, and every read finds the messages that it finds
//! in the model.

use crate::lazy_smt::Model;
use machine::{Choice, EdgeId, Event, Instance, NodeId, Outcome, State, StepError, Value};
use order::{Activation, Atom, Sending, Unrolled};
use rational::Rational;
use sat::Lit;
use verdict::{Ending, Run};

/// The run of a model up to the moment of the cut, without times. An error means that the encoding in `order` has a
/// defect.
pub(crate) fn run(unrolled: &Unrolled<'_, '_>, model: &Model) -> Result<Run, String> {
    let value = |lit: Lit| model.value(lit);
    let machine = unrolled.scope.machine;
    let frozen = unrolled.frozen.decode(machine, &value);
    let instance = Instance {
        machine,
        frozen: &frozen,
    };
    let begin = unrolled.begin.iter();
    let vars = begin.map(|own| own.iter().map(|bits| bits.decode(&value)).collect());
    let mut inboxes = Vec::new();
    for to in machine.nodes() {
        for from in unrolled.scope.senders(to) {
            for slot in &unrolled.inboxes.first[&(to, from)] {
                if value(slot.present) {
                    inboxes.push((to, from, slot.message.decode(&value)));
                }
            }
        }
    }
    let initial = instance
        .initial_state_of(vars.collect(), inboxes)
        .map_err(|error| format!("no initial state: {error:?}"))?
        .ok_or("the initial state is not allowed")?;
    let mut events = Events {
        instance,
        unrolled,
        model,
        state: initial.clone(),
        choices: Vec::new(),
        in_transit: Vec::new(),
    };
    for (moment, time) in &model.order {
        let activation = activation(unrolled, *moment);
        events.arrive(activation, time)?;
        if *moment == unrolled.atoms.cut() {
            break;
        }
        if let Some(activation) = activation {
            events.activate(activation, time)?;
        }
    }
    let choices = events.choices;
    Ok(Run {
        frozen,
        initial,
        choices,
        ending: Ending::Open,
    })
}

/// The activation at a moment; `None` if the moment is the cut or not an activation.
fn activation(unrolled: &Unrolled<'_, '_>, moment: usize) -> Option<(NodeId, u32)> {
    let machine = unrolled.scope.machine;
    let mut all = machine.nodes().flat_map(|node| {
        let most = unrolled.horizon.after[node.index()];
        (1..=most).map(move |n| (node, n))
    });
    all.find(|activation| unrolled.atoms.moment(*activation) == moment)
}

/// A message in transit.
struct InTransit {
    edge: EdgeId,
    message: Value,
    sent: Activation,
    /// The latest time at which it can arrive.
    until: Rational,
}

/// A run under construction.
struct Events<'a> {
    instance: Instance<'a>,
    unrolled: &'a Unrolled<'a, 'a>,
    model: &'a Model,
    state: State,
    choices: Vec<Choice>,
    /// The messages in transit, in the order of sending.
    in_transit: Vec<InTransit>,
}

impl Events<'_> {
    /// Appends an activation of a node, if the node runs, and records the messages that it sends.
    fn activate(&mut self, (node, n): Activation, time: &Rational) -> Result<(), String> {
        if !self.state.nodes[node.index()].mode.runs() {
            return Ok(());
        }
        let value = |lit: Lit| self.model.value(lit);
        let effects = &self.unrolled.effects[node.index()][n as usize - 1];
        let picks = effects.picks.iter().filter(|pick| value(pick.when));
        let choice = Choice {
            event: Event::Run(node, self.unrolled.scope.code_of(node)),
            picks: picks.map(|pick| pick.value.decode(&value)).collect(),
            time: None,
        };
        let before = self.state.edges.clone();
        self.fire(choice)?;
        let times = &self.unrolled.times;
        let until = time + &(&Rational::new(times.delay.1, 1) * times.unit());
        for (edge, messages) in self.state.edges.iter().enumerate() {
            let mut old = before[edge].clone();
            for message in messages {
                match old.iter().position(|m| m == message) {
                    Some(place) => drop(old.remove(place)),
                    None => self.in_transit.push(InTransit {
                        edge: EdgeId(edge as u32),
                        message: message.clone(),
                        sent: (node, n),
                        until: until.clone(),
                    }),
                }
            }
        }
        Ok(())
    }

    /// Delivers the messages whose greatest delay ends before `time`, and those that the activation `read` finds.
    fn arrive(&mut self, read: Option<Activation>, time: &Rational) -> Result<(), String> {
        let mut place = 0;
        while place < self.in_transit.len() {
            let message = &self.in_transit[place];
            let to = self.instance.machine.edges[message.edge.index()].1;
            let seen = read.is_some_and(|read| read.0 == to && self.is_seen(message.sent, read));
            match message.until < *time || seen {
                true => {
                    let message = self.in_transit.remove(place);
                    self.hand_over(&message)?;
                }
                false => place += 1,
            }
        }
        Ok(())
    }

    /// Whether the activation `read` finds the message that the activation `sent` sends to its node.
    fn is_seen(&self, sent: Activation, read: Activation) -> bool {
        let chosen = &self.model.chosen;
        chosen.contains(&(Atom::Arrived(sent, read), true))
    }

    /// Appends the delivery of a message, or its loss if the model says so.
    fn hand_over(&mut self, in_transit: &InTransit) -> Result<(), String> {
        let InTransit {
            edge,
            message,
            sent: (from, n),
            ..
        } = in_transit;
        let to = self.instance.machine.edges[edge.index()].1;
        let mut losses = self.unrolled.losses(Sending::At(*from, *n), to);
        let lost = losses.find(|(_, lit)| self.model.value(*lit));
        let goal = |outcome: &Outcome| match (outcome, lost) {
            (Outcome::Lose(fault), Some((by, _))) => *fault == by,
            (Outcome::Lose(_) | Outcome::Repeat(..), _) => false,
            (Outcome::Drop, _) => true,
            (_, lost) => lost.is_none(),
        };
        let events = self.instance.events(&self.state);
        let event = events.into_iter().find(|event| match event {
            Event::Deliver(e, m, outcome) => e == edge && m == message && goal(outcome),
            _ => false,
        });
        self.fire(Choice {
            event: event.ok_or("a message that cannot be handed over")?,
            picks: Vec::new(),
            time: None,
        })
    }

    /// Appends a choice and advances the state.
    fn fire(&mut self, choice: Choice) -> Result<(), String> {
        match self.instance.step(&self.state, &choice) {
            Ok(state) => {
                self.state = state;
                self.choices.push(choice);
                Ok(())
            }
            Err(StepError::Error(error)) => Err(format!("an error in the run: {error:?}")),
            Err(StepError::NotEnabled) => Err(format!("not possible: {:?}", choice.event)),
        }
    }
}
