//! Replay of a vector on the reference interpreter: builds the state, executes the block, and compares the result
//! with that of the circuit.

use crate::symbolic::{Started, SymbolicBlock};
use machine::{
    ActivationHistory, BlockId, Channel, Choice, Delay, EdgeId, Event, Frozen, Instance, Machine,
    Mode, NodeId, Outcome, RunError, State, StepError, Trigger, Value,
};
use rational::Rational;
use sat::Lit;

/// One execution of a block in one state, with its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// The node whose code is executed.
    pub node: NodeId,
    /// The block.
    pub block: BlockId,
    /// The values of the frozen variables.
    pub frozen: Frozen,
    /// The state before the execution. All other nodes have halted, so that only the code of this node matters.
    pub before: State,
    /// The edge of the delivered message, if the block handles a message.
    pub edge: Option<EdgeId>,
    /// The event and its nondeterministic choices.
    pub choice: Choice,
    /// The result.
    pub end: End,
}

/// The result of a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The guard is false: the block is not executed.
    Waits,
    /// The state after the execution, and the sent messages with their receivers.
    After(Box<State>, Vec<(NodeId, Value)>),
    /// A runtime error.
    Error(RunError),
}

/// The reference interpreter and the circuit disagree; with a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagrees(pub String);

/// An upper bound of waiting times, in the unit of the model, that is larger than any time in a vector.
const LONG: i64 = 1_000_000_000;

/// The vector for given values of all gates of a symbolic block, after its replay.
pub(crate) fn replay(symbolic: &SymbolicBlock<'_>, values: &[bool]) -> Result<Vector, Disagrees> {
    let of = |lit: Lit| values[lit.gate() as usize] != lit.is_negated();
    let frozen = frozen(symbolic, &of);
    let instance = Instance {
        machine: symbolic.machine,
        frozen: &frozen,
    };
    let mut before = state(symbolic, &instance, &of);
    let edge = hand_over(symbolic, &mut before, &of);
    let event = event(symbolic, &before, edge);
    let picks = symbolic.effects.picks.iter().filter(|pick| of(pick.when));
    let mut choice = Choice {
        event,
        picks: picks.map(|pick| pick.value.decode(&of)).collect(),
        time: None,
    };
    let machine = symbolic.machine;
    let wrong = |what: &str| Disagrees(format!("{what}: {}", machine.show_state(&before)));
    let enabled = instance.events(&before).contains(&choice.event);
    let end = if !of(symbolic.effects.guard) {
        if enabled {
            return Err(wrong("a guard that should not hold does"));
        }
        choice.picks.clear();
        End::Waits
    } else {
        if !enabled {
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
    if let Some(what) = difference(symbolic, &end, &of) {
        return Err(wrong(&what));
    }
    Ok(Vector {
        node: symbolic.node,
        block: symbolic.block,
        frozen,
        before,
        edge,
        choice,
        end,
    })
}

/// The frozen values of a vector. No node is faulty, and periods are as short as possible.
fn frozen(symbolic: &SymbolicBlock<'_>, of: &dyn Fn(Lit) -> bool) -> Frozen {
    let machine = symbolic.machine;
    let columns = symbolic.open.frozen_vars.iter();
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

fn state(symbolic: &SymbolicBlock<'_>, instance: &Instance<'_>, of: &dyn Fn(Lit) -> bool) -> State {
    let machine = symbolic.machine;
    let mut state = instance.blank();
    for node in machine.nodes() {
        let own = &mut state.nodes[node.index()];
        let vars = machine.vars_of(machine.kind_of(node));
        if node != symbolic.node {
            own.mode = Mode::Halted;
            let first = vars.filter_map(|var| machine.sample_value(&var.ty, &mut |_| 0));
            own.vars = first.collect();
            continue;
        }
        own.mode = match machine.blocks[symbolic.block.index()].trigger {
            Trigger::Start => Mode::Waiting,
            _ => Mode::Running,
        };
        own.vars = symbolic
            .open
            .vars
            .iter()
            .map(|bits| bits.decode(of))
            .collect();
        let slots = symbolic.open.inbox.iter().filter(|slot| of(slot.present));
        own.inbox = slots
            .map(|slot| (slot.sender, slot.message.decode(of)))
            .collect();
        own.inbox.sort();
        own.timers = symbolic.open.timers.iter().map(|lit| of(*lit)).collect();
        if let Some(clock) = &mut state.clock {
            let timers = own.timers.iter().map(|set| set.then(running));
            clock.timers[node.index()] = timers.collect();
            let code = &machine.blocks[symbolic.block.index()];
            if !matches!(code.trigger, Trigger::Every(_) | Trigger::Start) {
                // The node has just been activated, so that its next activation is not due.
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

/// The earliest and latest expiry of a timer that was set at an unknown time.
pub(crate) fn running() -> (Rational, Rational) {
    (Rational::from(0), Rational::from(LONG))
}

/// Puts the delivered message into its channel; returns the edge, or `None` if the block handles no message.
fn hand_over(
    symbolic: &SymbolicBlock<'_>,
    state: &mut State,
    of: &dyn Fn(Lit) -> bool,
) -> Option<EdgeId> {
    let (Started::By(sender), Some(message)) = (symbolic.started, &symbolic.message) else {
        return None;
    };
    let edge = symbolic.machine.edge(sender, symbolic.node)?;
    state.edges[edge.index()].push(message.decode(of));
    if let Some(clock) = &mut state.clock
        && let Some(sent) = clock.sent.get_mut(edge.index())
    {
        // The message was sent early enough to be delivered now.
        let delay = match &symbolic.machine.delay {
            Delay::Within(least, _) => least.clone(),
            _ => Rational::from(0),
        };
        sent.push(&clock.now - &delay);
    }
    Some(edge)
}

fn event(symbolic: &SymbolicBlock<'_>, state: &State, edge: Option<EdgeId>) -> Event {
    match (symbolic.started, edge) {
        (Started::By(_), Some(edge)) => {
            let message = state.edges[edge.index()][0].clone();
            Event::Deliver(edge, message, Outcome::HandOver(symbolic.block))
        }
        (Started::Timer(timer, other), _) => {
            let place = symbolic.machine.timer_place(timer, other) as u32;
            Event::Expire(symbolic.node, place, symbolic.block)
        }
        _ => Event::Run(symbolic.node, symbolic.block),
    }
}

/// The first difference between the result of the interpreter and that of the circuit, if there is one.
fn difference(symbolic: &SymbolicBlock<'_>, end: &End, of: &dyn Fn(Lit) -> bool) -> Option<String> {
    let effects = &symbolic.effects;
    match end {
        End::Waits => None,
        End::Error(error) if !of(effects.error) => {
            Some(format!("an error that was not expected, {error:?}"))
        }
        End::Error(_) => None,
        End::After(..) if of(effects.error) => Some("no error, where one was expected".into()),
        End::After(after, sent) => {
            let own = &after.nodes[symbolic.node.index()];
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
            let to_self = symbolic
                .machine
                .edge(symbolic.node, symbolic.node)
                .is_some();
            if of(effects.cleared) && !own.inbox.is_empty() && !to_self {
                return Some("the inbox differs".into());
            }
            let timers = effects.timers.iter().zip(&own.timers);
            let mut timers = timers.filter(|(lit, set)| of(**lit) != **set);
            timers.next().map(|_| "timers differ".into())
        }
    }
}

/// Whether a node would handle its own messages within the event that sends them.
pub(crate) fn hands_to_itself(machine: &Machine, node: NodeId) -> bool {
    let kind = machine.kind_of(node);
    let handles =
        |block: &machine::Block| block.kind == kind && matches!(block.trigger, Trigger::On(..));
    machine.channel == Channel::Instant
        && machine.edge(node, node).is_some()
        && machine.blocks.iter().any(handles)
}
