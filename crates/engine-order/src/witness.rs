//! From values for everything to a run: what it begins with, and its events in their order.

use crate::ask::Model;
use machine::{Choice, Event, Instance, NodeId, State, StepError};
use order::Unrolled;
use sat::Lit;
use verdict::{Ending, Run};

/// The run of a model up to the moment that is looked at, without times; or why there is none, which would be a bug.
pub(crate) fn run(unrolled: &Unrolled<'_, '_>, model: &Model) -> Result<Run, String> {
    let value = |lit: Lit| model.value(lit);
    let machine = unrolled.scope.machine;
    let rigid = unrolled.fixed.decode(machine, &value);
    let instance = Instance {
        machine,
        rigid: &rigid,
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
        state: initial.clone(),
        choices: Vec::new(),
    };
    for moment in &model.order {
        if *moment == unrolled.atoms.looked_at() {
            break;
        }
        let Some((node, n)) = activation(unrolled, *moment) else {
            continue;
        };
        if !events.state.nodes[node.index()].mode.runs() {
            continue;
        }
        let effects = &unrolled.effects[node.index()][n as usize - 1];
        let picks = effects.picks.iter().filter(|pick| value(pick.when));
        events.happen(Choice {
            event: Event::Run(node, unrolled.scope.code_of(node)),
            picks: picks.map(|pick| pick.value.decode(&value)).collect(),
            time: None,
        })?;
    }
    let choices = events.choices;
    Ok(Run {
        rigid,
        initial,
        choices,
        ending: Ending::Open,
    })
}

/// The activation of a moment.
fn activation(unrolled: &Unrolled<'_, '_>, moment: usize) -> Option<(NodeId, u32)> {
    let machine = unrolled.scope.machine;
    let mut all = machine.nodes().flat_map(|node| {
        let most = unrolled.most[node.index()];
        (1..=most).map(move |n| (node, n))
    });
    all.find(|activation| unrolled.atoms.moment(*activation) == moment)
}

/// A run while it is made.
struct Events<'a> {
    instance: Instance<'a>,
    state: State,
    choices: Vec<Choice>,
}

impl Events<'_> {
    fn happen(&mut self, choice: Choice) -> Result<(), String> {
        match self.instance.step(&self.state, &choice) {
            Ok(state) => {
                self.state = state;
                self.choices.push(choice);
                Ok(())
            }
            Err(StepError::Error(error)) => Err(format!("an error in the run: {error:?}")),
            Err(StepError::NotPossible) => Err(format!("not possible: {:?}", choice.event)),
        }
    }
}
