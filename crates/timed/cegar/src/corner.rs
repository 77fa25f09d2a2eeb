//! Corner schedules: runs in which some nodes (the fast ones) are always activated as early as possible, and the others
//! as late as possible.
//!
//! Some violations need a node to get ahead of another slowly, over many activations. A search that sees only the order
//! of events finds such a run late, because order rules must first exclude all orders in which the node gets ahead
//! faster. In a corner schedule the lead grows as fast as the declared times allow. So if a run of the abstraction has
//! no times, this method executes the exact Machine from the initial state of that run, once for each set of fast
//! nodes. Events without an interval of their own fire immediately; messages with a delay follow a delivery policy
//! (`delivery_policy.rs`). If a state repeats, including its relative times, the run is a lasso. The method only finds
//! runs; if it finds none, this proves nothing.

use crate::delivery_policy::{DeliveryPolicy, delivery_policies};
use machine::{
    Choice, Delay, Event, Instance, Machine, NodeId, Outcome, Periodic, Property, PropertyKind,
    State, StepError, Timing,
};
use rational::Rational;
use std::collections::HashMap;
use verdict::{Answer, Budget, Ending, Progress, Run};

/// The largest number of events in a corner schedule.
const MOST_EVENTS: usize = 1_000;

/// The largest number of events if messages have a delay: most events are then deliveries.
const MOST_EVENTS_WITH_DELAYS: usize = 4_000;

/// The largest number of periodic nodes for which every non-empty set of fast nodes is tried. With more nodes, only the
/// sets of one node, of all nodes but one, and of all nodes are tried.
const MOST_NODES_FOR_ALL_SETS: usize = 4;

/// The shortest corner schedule that violates a claim or reaches a condition. It starts in the initial state of `from`,
/// a run of the abstraction. If `from` ends in an error, a corner schedule that ends in an error is an answer too.
/// `confirmed` decides whether a lasso violates the claim. `None` if there is no such schedule or the budget is spent.
pub fn answer(
    exact: &Machine,
    property: &Property,
    from: &Run,
    budget: &dyn Budget,
    confirmed: &dyn Fn(&Answer) -> bool,
) -> Option<Answer> {
    let (condition, wanted) = match &property.kind {
        PropertyKind::Claim(claim) => match claim.invariant() {
            Some(condition) => (condition, false),
            None => return lasso(exact, from, budget, confirmed),
        },
        PropertyKind::Possible(condition) => (condition.clone(), true),
    };
    let mut shortest: Option<Run> = None;
    for fast in fast_sets(exact) {
        if budget.ask(&Progress::default()).is_some() {
            break;
        }
        let policy = DeliveryPolicy::AtOnce;
        let most = shortest
            .as_ref()
            .map_or(MOST_EVENTS + 1, |run| run.choices.len());
        let mut schedule = Schedule::new(exact, from, fast, policy);
        let found = schedule.run_until(most, &|instance, state| {
            let value = instance.holds(state, &condition, &[]).ok()?;
            Some(value == wanted)
        });
        if found {
            shortest = Some(schedule.run);
        }
    }
    let run = Box::new(shortest?);
    Some(match (&run.ending, wanted) {
        (Ending::Error(_), _) => Answer::Error(run),
        (_, false) => Answer::Fails(run),
        (_, true) => Answer::Possible(run),
    })
}

/// The shortest corner schedule that is a lasso and violates the claim. If messages have a delay, there are many
/// schedules, and the first such lasso is taken.
fn lasso(
    exact: &Machine,
    from: &Run,
    budget: &dyn Budget,
    confirmed: &dyn Fn(&Answer) -> bool,
) -> Option<Answer> {
    let mut shortest: Option<Answer> = None;
    let policies = delivery_policies(exact);
    let mut sets = fast_sets(exact);
    if policies.len() > 1 {
        sets.reverse(); // cycles are short if all nodes are fast
    }
    for fast in sets {
        for policy in &policies {
            if budget.ask(&Progress::default()).is_some() {
                return shortest;
            }
            let mut schedule = Schedule::new(exact, from, fast.clone(), *policy);
            if !schedule.run_until_repetition() {
                continue;
            }
            let length = schedule.run.choices.len();
            let answer = Answer::Fails(Box::new(schedule.run));
            let before = shortest.as_ref().and_then(Answer::run);
            if before.is_none_or(|run| length < run.choices.len()) && confirmed(&answer) {
                if policies.len() > 1 {
                    return Some(answer);
                }
                shortest = Some(answer);
            }
        }
    }
    shortest
}

/// The sets of fast nodes that are tried. Each set is a list of one flag per node.
fn fast_sets(machine: &Machine) -> Vec<Vec<bool>> {
    let nodes: Vec<NodeId> = machine
        .nodes()
        .filter(|node| rhythm(machine, *node).is_some())
        .collect();
    let all: Vec<Vec<NodeId>> = match nodes.len() {
        few @ 0..=MOST_NODES_FOR_ALL_SETS => (1..1u32 << few)
            .map(|set| {
                let chosen = nodes.iter().enumerate();
                let chosen = chosen.filter(|(i, _)| set >> i & 1 == 1);
                chosen.map(|(_, node)| *node).collect()
            })
            .collect(),
        _ => {
            let ones = nodes.iter().map(|node| vec![*node]);
            let others = |node: &NodeId| nodes.iter().filter(|n| *n != node).copied().collect();
            let rest = nodes.iter().map(others);
            ones.chain(rest).chain([nodes.clone()]).collect()
        }
    };
    let by_node = |set: Vec<NodeId>| machine.nodes().map(|node| set.contains(&node)).collect();
    all.into_iter().map(by_node).collect()
}

fn rhythm(machine: &Machine, node: NodeId) -> Option<&Periodic> {
    match machine.timing(machine.kind_of(node)) {
        Some(Timing::Periodic(periodic)) => Some(periodic),
        _ => None,
    }
}

/// All data that the rest of a schedule depends on: the state without its clock, the activation windows relative to
/// now, the ages of messages, and the events since the last activation.
type Configuration = (
    State,
    Vec<Option<(Rational, Rational)>>,
    Vec<Vec<Rational>>,
    Vec<Event>,
);

/// A corner schedule under construction.
struct Schedule<'m> {
    machine: &'m Machine,
    fast: Vec<bool>,
    policy: DeliveryPolicy,
    run: Run,
    state: State,
    /// The events since the last activation.
    meanwhile: Vec<Event>,
    /// Whether a run that ends in an error is an answer.
    accepts_error: bool,
}

impl<'m> Schedule<'m> {
    fn new(
        machine: &'m Machine,
        from: &Run,
        fast: Vec<bool>,
        policy: DeliveryPolicy,
    ) -> Schedule<'m> {
        let mut run = Run {
            choices: Vec::new(),
            ending: Ending::Open,
            ..from.clone()
        };
        let period = |node: NodeId| {
            let periodic = rhythm(machine, node).filter(|periodic| periodic.fixed)?;
            let (shortest, longest) = &periodic.gap;
            let fast = fast[node.index()];
            Some(if fast { shortest } else { longest }.clone())
        };
        run.frozen.periods = machine.nodes().map(period).collect();
        run.initial.order_state.clear();
        run.initial.clock = Instance {
            machine,
            frozen: &run.frozen,
        }
        .clock();
        Schedule {
            machine,
            fast,
            policy,
            state: run.initial.clone(),
            run,
            meanwhile: Vec::new(),
            accepts_error: matches!(from.ending, Ending::Error(_)),
        }
    }

    /// Fires events until `is_goal` is true, or until an error if `accepts_error`. Returns whether this happens with
    /// fewer than `most` events. The schedule also ends, with false, at any other error, and in a state in which
    /// `is_goal` is `None`.
    fn run_until(
        &mut self,
        most: usize,
        is_goal: &dyn Fn(Instance<'_>, &State) -> Option<bool>,
    ) -> bool {
        while self.run.choices.len() < most {
            let instance = Instance {
                machine: self.machine,
                frozen: &self.run.frozen,
            };
            match is_goal(instance, &self.state) {
                Some(true) => return true,
                Some(false) => {}
                None => return false,
            }
            let Some((event, time)) = self.next(instance) else {
                return false;
            };
            let choice = instance.sample_choice(&self.state, event, Some(time), &mut |_| 0);
            match instance.step(&self.state, &choice) {
                Ok(state) => self.fired(choice, state),
                Err(StepError::Error(error)) if self.accepts_error => {
                    self.run.choices.push(choice);
                    self.run.ending = Ending::Error(error);
                    return true;
                }
                Err(_) => return false,
            }
        }
        false
    }

    /// Fires events until a configuration repeats. Returns whether one repeats within the limit of events.
    fn run_until_repetition(&mut self) -> bool {
        let mut visited: HashMap<Configuration, usize> = HashMap::new();
        let most = match self.machine.delay {
            Delay::Within(..) => MOST_EVENTS_WITH_DELAYS,
            _ => MOST_EVENTS,
        };
        while self.run.choices.len() <= most {
            let Some(configuration) = self.configuration() else {
                return false;
            };
            if let Some(before) = visited.insert(configuration, self.run.choices.len()) {
                self.run.ending = Ending::Loops(before);
                return true;
            }
            let before = self.run.choices.len();
            self.run_until(before + 1, &|_, _| Some(false));
            if self.run.choices.len() == before {
                return false;
            }
        }
        false
    }

    /// The current configuration, with times relative to now; `None` if the state has no clock.
    fn configuration(&self) -> Option<Configuration> {
        let instance = Instance {
            machine: self.machine,
            frozen: &self.run.frozen,
        };
        let now = &self.state.clock.as_ref()?.now;
        let due = self.machine.nodes().map(|node| {
            let (earliest, latest) = instance.activation_window(&self.state, node)?;
            Some((&earliest - now, &latest - now))
        });
        let state = State {
            clock: None,
            ..self.state.clone()
        };
        let sent = &self.state.clock.as_ref()?.sent;
        let age = |edge: &Vec<Rational>| edge.iter().map(|sent| now - sent).collect();
        let ages = sent.iter().map(age).collect();
        Some((state, due.collect(), ages, self.meanwhile.clone()))
    }

    /// The next event and its time. An event without an interval of its own fires immediately, but only once between
    /// two activations, so that time progresses. Of nodes that are activated at the same time, the fast ones come
    /// first, unless the delivery policy says otherwise.
    fn next(&self, instance: Instance<'_>) -> Option<(Event, Rational)> {
        let now = &self.state.clock.as_ref()?.now;
        let mut first: Option<(Rational, u8, Event)> = None;
        let mut consider = |time: Rational, rank: u8, event: Event| {
            let sooner = |(then, other, _): &(Rational, u8, Event)| (&time, rank) < (then, *other);
            if first.as_ref().is_none_or(sooner) {
                first = Some((time, rank, event));
            }
        };
        for event in instance.events(&self.state) {
            if let (Event::Deliver(_, _, outcome), Delay::Within(..)) =
                (&event, &self.machine.delay)
            {
                if !matches!(outcome, Outcome::Lose(_) | Outcome::Repeat(..)) {
                    let due = |node| self.due(instance, node);
                    let (time, after) =
                        self.policy
                            .delivery_time(instance, &self.state, &event, &due)?;
                    consider(time.max(now.clone()), if after { 3 } else { 0 }, event);
                }
                continue;
            }
            let Some(node) = self.activated(&event) else {
                if self.meanwhile.contains(&event) {
                    continue;
                }
                return Some((event, now.clone()));
            };
            let fast = self.fast[node.index()];
            let time = self.due(instance, node)?.max(now.clone());
            let first = fast != self.policy.slow_first();
            consider(time, if first { 1 } else { 2 }, event);
        }
        first.map(|(time, _, event)| (event, time))
    }

    /// The time of the next activation of a node: the start of its window if it is fast, else the end.
    fn due(&self, instance: Instance<'_>, node: NodeId) -> Option<Rational> {
        let (earliest, latest) = instance.activation_window(&self.state, node)?;
        Some(if self.fast[node.index()] {
            earliest
        } else {
            latest
        })
    }

    fn fired(&mut self, choice: Choice, state: State) {
        match self.activated(&choice.event) {
            Some(_) => self.meanwhile.clear(),
            None => self.meanwhile.push(choice.event.clone()),
        }
        self.run.choices.push(choice);
        self.state = state;
    }

    /// The periodic node that an event activates; `None` for other events.
    fn activated(&self, event: &Event) -> Option<NodeId> {
        match self.machine.activation(event)? {
            (node, Timing::Periodic(_)) => Some(node),
            _ => None,
        }
    }
}
