//! A vector on the reference interpreter: the state is built, the block runs, and what comes of it is compared.

use crate::scene::{Scene, Started};
use machine::{
    ActivationHistory, BlockId, Channel, Choice, Delay, EdgeId, Event, Frozen, Instance, Machine,
    Mode, NodeId, Outcome, RunError, State, StepError, Trigger, Value,
};
use rational::Rational;
use sat::Lit;

/// What a block does in one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// Whose code it is.
    pub node: NodeId,
    /// Which code.
    pub block: BlockId,
    /// What never changes.
    pub frozen: Frozen,
    /// The state before. All other nodes have halted, so that nothing but the code of the node makes a difference.
    pub before: State,
    /// The edge of the message that is handed over.
    pub edge: Option<EdgeId>,
    /// What happens.
    pub choice: Choice,
    /// What comes of it.
    pub end: End,
}

/// What comes of a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The guard does not hold: the block does not run.
    Waits,
    /// A state, and what was sent to whom.
    After(Box<State>, Vec<(NodeId, Value)>),
    /// An error.
    Error(RunError),
}

/// The interpreter does something else than the solver believes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagrees(pub String);

/// Nobody waits that long.
const LONG: i64 = 1_000_000_000;

/// The vector for values of a scene's inputs.
pub(crate) fn replay(scene: &Scene<'_>, values: &[bool]) -> Result<Vector, Disagrees> {
    let of = |lit: Lit| values[lit.gate() as usize] != lit.is_negated();
    let frozen = frozen(scene, &of);
    let instance = Instance {
        machine: scene.machine,
        frozen: &frozen,
    };
    let mut before = state(scene, &instance, &of);
    let edge = hand_over(scene, &mut before, &of);
    let event = event(scene, &before, edge);
    let picks = scene.effects.picks.iter().filter(|pick| of(pick.when));
    let mut choice = Choice {
        event,
        picks: picks.map(|pick| pick.value.decode(&of)).collect(),
        time: None,
    };
    let machine = scene.machine;
    let wrong = |what: &str| Disagrees(format!("{what}: {}", machine.show_state(&before)));
    let possible = instance.events(&before).contains(&choice.event);
    let end = if !of(scene.effects.guard) {
        if possible {
            return Err(wrong("a guard that should not hold does"));
        }
        choice.picks.clear();
        End::Waits
    } else {
        if !possible {
            return Err(wrong("a block that should run does not"));
        }
        if instance.is_timed() {
            choice.time = instance
                .enabled_interval(&before, &choice.event)
                .map(|(from, _)| from);
        }
        match instance.step(&before, &choice) {
            Ok(after) => {
                let sent = instance.trace(&before, &choice).sent.into_iter();
                let sent = sent.map(|sent| (machine.edges[sent.edge.index()].1, sent.message));
                End::After(Box::new(after), sent.collect())
            }
            Err(StepError::Error(error)) => End::Error(error),
            Err(StepError::NotEnabled) => return Err(wrong("choices that cannot be made")),
        }
    };
    if let Some(what) = difference(scene, &end, &of) {
        return Err(wrong(&what));
    }
    Ok(Vector {
        node: scene.node,
        block: scene.block,
        frozen,
        before,
        edge,
        choice,
        end,
    })
}

/// What is frozen; nothing is wrong with any node, and periods are as short as can be.
fn frozen(scene: &Scene<'_>, of: &dyn Fn(Lit) -> bool) -> Frozen {
    let machine = scene.machine;
    let columns = scene.open.frozen_vars.iter();
    let columns = columns.map(|column| column.iter().map(|bits| bits.decode(of)).collect());
    Frozen {
        values: columns.collect(),
        faults: match machine.node_faults.is_empty() {
            true => Vec::new(),
            false => vec![None; machine.node_count() as usize],
        },
        periods: machine.sample_periods(&mut |_| 0),
    }
}

fn state(scene: &Scene<'_>, instance: &Instance<'_>, of: &dyn Fn(Lit) -> bool) -> State {
    let machine = scene.machine;
    let mut state = instance.blank();
    for node in machine.nodes() {
        let own = &mut state.nodes[node.index()];
        let vars = machine.vars_of(machine.kind_of(node));
        if node != scene.node {
            own.mode = Mode::Halted;
            let first = vars.filter_map(|var| machine.sample_value(&var.ty, &mut |_| 0));
            own.vars = first.collect();
            continue;
        }
        own.mode = match machine.blocks[scene.block.index()].trigger {
            Trigger::Start => Mode::Waiting,
            _ => Mode::Running,
        };
        own.vars = scene.open.vars.iter().map(|bits| bits.decode(of)).collect();
        let slots = scene.open.inbox.iter().filter(|slot| of(slot.present));
        own.inbox = slots
            .map(|slot| (slot.sender, slot.message.decode(of)))
            .collect();
        own.inbox.sort();
        own.timers = scene.open.timers.iter().map(|lit| of(*lit)).collect();
        if let Some(clock) = &mut state.clock {
            let timers = own.timers.iter().map(|set| set.then(running));
            clock.timers[node.index()] = timers.collect();
            let code = &machine.blocks[scene.block.index()];
            if !matches!(code.trigger, Trigger::Every(_) | Trigger::Start) {
                // It has just been activated: the next time nobody is in a hurry.
                clock.activations[node.index()] = ActivationHistory {
                    since: clock.now.clone(),
                    count: 1,
                    first: Some(clock.now.clone()),
                    last: Some(clock.now.clone()),
                };
            }
        }
    }
    state
}

/// When a timer expires of which nobody knows when it was set.
pub(crate) fn running() -> (Rational, Rational) {
    (Rational::from(0), Rational::from(LONG))
}

/// Puts the message that is handed over on its edge.
fn hand_over(scene: &Scene<'_>, state: &mut State, of: &dyn Fn(Lit) -> bool) -> Option<EdgeId> {
    let (Started::By(sender), Some(message)) = (scene.started, &scene.message) else {
        return None;
    };
    let edge = scene.machine.edge(sender, scene.node)?;
    state.edges[edge.index()].push(message.decode(of));
    if let Some(clock) = &mut state.clock
        && let Some(sent) = clock.sent.get_mut(edge.index())
    {
        // Long enough ago for it to arrive now.
        let delay = match &scene.machine.delay {
            Delay::Within(least, _) => least.clone(),
            _ => Rational::from(0),
        };
        sent.push(&clock.now - &delay);
    }
    Some(edge)
}

fn event(scene: &Scene<'_>, state: &State, edge: Option<EdgeId>) -> Event {
    match (scene.started, edge) {
        (Started::By(_), Some(edge)) => {
            let message = state.edges[edge.index()][0].clone();
            Event::Deliver(edge, message, Outcome::HandOver(scene.block))
        }
        (Started::Timer(timer, other), _) => {
            let place = scene.machine.timer_place(timer, other) as u32;
            Event::Expire(scene.node, place, scene.block)
        }
        _ => Event::Run(scene.node, scene.block),
    }
}

/// What the interpreter says otherwise.
fn difference(scene: &Scene<'_>, end: &End, of: &dyn Fn(Lit) -> bool) -> Option<String> {
    let effects = &scene.effects;
    match end {
        End::Waits => None,
        End::Error(error) if !of(effects.error) => {
            Some(format!("an error that was not expected, {error:?}"))
        }
        End::Error(_) => None,
        End::After(..) if of(effects.error) => Some("no error, where one was expected".into()),
        End::After(after, sent) => {
            let own = &after.nodes[scene.node.index()];
            let vars: Vec<Value> = effects.vars.iter().map(|bits| bits.decode(of)).collect();
            if own.vars != vars {
                return Some("variables differ".into());
            }
            let said = effects.sent.iter().filter(|sent| of(sent.when));
            let said = said.map(|sent| (sent.to, sent.message.decode(of)));
            if !said.eq(sent.iter().cloned()) {
                return Some("what is sent differs".into());
            }
            if (own.mode == Mode::Halted) != of(effects.halted) {
                return Some("whether the node halts differs".into());
            }
            let to_self = scene.machine.edge(scene.node, scene.node).is_some();
            if of(effects.cleared) && !own.inbox.is_empty() && !to_self {
                return Some("the inbox differs".into());
            }
            let timers = effects.timers.iter().zip(&own.timers);
            let mut timers = timers.filter(|(lit, set)| of(**lit) != **set);
            timers.next().map(|_| "timers differ".into())
        }
    }
}

/// Whether a node of a kind runs code for what it sends to itself as part of the same event.
pub(crate) fn hands_to_itself(machine: &Machine, node: NodeId) -> bool {
    let kind = machine.kind_of(node);
    let handles =
        |block: &machine::Block| block.kind == kind && matches!(block.trigger, Trigger::On(..));
    machine.channel == Channel::Instant
        && machine.edge(node, node).is_some()
        && machine.blocks.iter().any(handles)
}
