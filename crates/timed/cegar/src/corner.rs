//! Runs at the ends of what times allow: some nodes always as early as can be, the others always as late.
//!
//! A lead that builds up slowly is far away for a search that knows only orders: every order that is too
//! fast has to be excluded before. At the ends of the declared times it builds up by itself. So when a run
//! of a abstraction has no times, the exact Machine is let go from where that run began, once for each choice of
//! who is fast, and whatever else can happen happens at once; messages that take time are handed over at once, late, or so
//! that they come together (`delivery_policies.rs`). Where everything comes again, times included, that
//! is a loop. What comes out is a run or nothing: of all other runs nothing is said.

use crate::delivery_policy::DeliveryPolicy;
use crate::delivery_policy::delivery_policies;
use machine::{
    Choice, Delay, Event, Instance, Machine, NodeId, Outcome, Periodic, Property, PropertyKind,
    State, StepError, Timing,
};
use rational::Rational;
use std::collections::HashMap;
use verdict::{Answer, Budget, Ending, Progress, Run};

/// Events of a run, at most.
const MOST_EVENTS: usize = 1_000;

/// The same, where most events are hand-overs.
const MOST_EVENTS_WITH_DELAYS: usize = 4_000;

/// With so many nodes that have a rhythm every choice of the fast ones is tried; with more only those of all,
/// of one, and of all but one.
const FEW_NODES: usize = 4;

/// The shortest run at extreme times that breaks a claim, or reaches a condition, from where a run of a
/// abstraction began, or ends in an error if that run did; nothing if there is none, or a limit is reached. Of a loop `stands`
/// says whether it breaks the claim.
pub fn answer(
    exact: &Machine,
    property: &Property,
    began: &Run,
    budget: &dyn Budget,
    stands: &dyn Fn(&Answer) -> bool,
) -> Option<Answer> {
    let (condition, wanted) = match &property.kind {
        PropertyKind::Claim(claim) => match claim.invariant() {
            Some(condition) => (condition, false),
            None => return loops(exact, began, budget, stands),
        },
        PropertyKind::Possible(condition) => (condition.clone(), true),
    };
    let mut shortest: Option<Run> = None;
    for fast in choices_of_fast(exact) {
        if budget.ask(&Progress::default()).is_some() {
            break;
        }
        let carrier = DeliveryPolicy::AtOnce;
        let most = shortest
            .as_ref()
            .map_or(MOST_EVENTS + 1, |run| run.choices.len());
        let mut schedule = Schedule::new(exact, began, fast, carrier);
        let found = schedule.go(most, &|instance, state| {
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

/// The shortest run at extreme times that comes back to where it was and breaks the claim. Where messages take time there are
/// many to try: then it is the first that is found.
fn loops(
    exact: &Machine,
    began: &Run,
    budget: &dyn Budget,
    stands: &dyn Fn(&Answer) -> bool,
) -> Option<Answer> {
    let mut shortest: Option<Answer> = None;
    let delivery_policies = delivery_policies(exact);
    let mut all = choices_of_fast(exact);
    if delivery_policies.len() > 1 {
        all.reverse(); // Where all are as fast loops are short.
    }
    for fast in all {
        for carrier in &delivery_policies {
            if budget.ask(&Progress::default()).is_some() {
                return shortest;
            }
            let mut schedule = Schedule::new(exact, began, fast.clone(), *carrier);
            if !schedule.go_round() {
                continue;
            }
            let length = schedule.run.choices.len();
            let answer = Answer::Fails(Box::new(schedule.run));
            let before = shortest.as_ref().and_then(Answer::run);
            if before.is_none_or(|run| length < run.choices.len()) && stands(&answer) {
                if delivery_policies.len() > 1 {
                    return Some(answer);
                }
                shortest = Some(answer);
            }
        }
    }
    shortest
}

/// Who is fast, by node: one list for each run to try.
fn choices_of_fast(machine: &Machine) -> Vec<Vec<bool>> {
    let nodes: Vec<NodeId> = machine
        .nodes()
        .filter(|node| rhythm(machine, *node).is_some())
        .collect();
    let all: Vec<Vec<NodeId>> = match nodes.len() {
        few @ 0..=FEW_NODES => (1..1u32 << few)
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

/// What everything that can happen depends on.
type Seen = (
    State,
    Vec<Option<(Rational, Rational)>>,
    Vec<Vec<Rational>>,
    Vec<Event>,
);

/// A run in the making.
struct Schedule<'m> {
    machine: &'m Machine,
    fast: Vec<bool>,
    carrier: DeliveryPolicy,
    run: Run,
    state: State,
    /// What has happened since the last activation.
    meanwhile: Vec<Event>,
    /// An error is what is looked for.
    into_error: bool,
}

impl<'m> Schedule<'m> {
    fn new(
        machine: &'m Machine,
        began: &Run,
        fast: Vec<bool>,
        carrier: DeliveryPolicy,
    ) -> Schedule<'m> {
        let mut run = Run {
            choices: Vec::new(),
            ending: Ending::Open,
            ..began.clone()
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
            carrier,
            state: run.initial.clone(),
            run,
            meanwhile: Vec::new(),
            into_error: matches!(began.ending, Ending::Error(_)),
        }
    }

    /// Goes on until it is where it should be, or in an error if that is looked for; whether it comes there with
    /// fewer than so many events. Nothing comes after an error, nor after a state in which the question has no value.
    fn go(&mut self, most: usize, is_there: &dyn Fn(Instance<'_>, &State) -> Option<bool>) -> bool {
        while self.run.choices.len() < most {
            let instance = Instance {
                machine: self.machine,
                frozen: &self.run.frozen,
            };
            match is_there(instance, &self.state) {
                Some(true) => return true,
                Some(false) => {}
                None => return false,
            }
            let Some((event, time)) = self.next(instance) else {
                return false;
            };
            let choice = instance.sample_choice(&self.state, event, Some(time), &mut |_| 0);
            match instance.step(&self.state, &choice) {
                Ok(state) => self.happened(choice, state),
                Err(StepError::Error(error)) if self.into_error => {
                    self.run.choices.push(choice);
                    self.run.ending = Ending::Error(error);
                    return true;
                }
                Err(_) => return false,
            }
        }
        false
    }

    /// Goes on until everything is as it was before, times seen from now; whether it comes so far.
    fn go_round(&mut self) -> bool {
        let mut seen: HashMap<Seen, usize> = HashMap::new();
        let most = match self.machine.delay {
            Delay::Within(..) => MOST_EVENTS_WITH_DELAYS,
            _ => MOST_EVENTS,
        };
        while self.run.choices.len() <= most {
            let Some(here) = self.seen() else {
                return false;
            };
            if let Some(before) = seen.insert(here, self.run.choices.len()) {
                self.run.ending = Ending::Loops(before);
                return true;
            }
            let before = self.run.choices.len();
            self.go(before + 1, &|_, _| Some(false));
            if self.run.choices.len() == before {
                return false;
            }
        }
        false
    }

    /// The state without its clock, when each node is due, how long messages have been on their way, what has happened since
    /// the last activation.
    fn seen(&self) -> Option<Seen> {
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
        let ago = |edge: &Vec<Rational>| edge.iter().map(|sent| now - sent).collect();
        let ago = sent.iter().map(ago).collect();
        Some((state, due.collect(), ago, self.meanwhile.clone()))
    }

    /// What happens next, and when. What has no time of its own happens at once, but not twice between two
    /// activations, so that time goes on. Of activations at the same time that of a fast node is first, unless messages may be
    /// handed over in between.
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
                        self.carrier
                            .hands_over(instance, &self.state, &event, &due)?;
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
            let first = fast != self.carrier.slow_first();
            consider(time, if first { 1 } else { 2 }, event);
        }
        first.map(|(time, _, event)| (event, time))
    }

    /// When a node is activated next.
    fn due(&self, instance: Instance<'_>, node: NodeId) -> Option<Rational> {
        let (earliest, latest) = instance.activation_window(&self.state, node)?;
        Some(if self.fast[node.index()] {
            earliest
        } else {
            latest
        })
    }

    fn happened(&mut self, choice: Choice, state: State) {
        match self.activated(&choice.event) {
            Some(_) => self.meanwhile.clear(),
            None => self.meanwhile.push(choice.event.clone()),
        }
        self.run.choices.push(choice);
        self.state = state;
    }

    /// The node whose rhythm an event follows.
    fn activated(&self, event: &Event) -> Option<NodeId> {
        match self.machine.activation(event)? {
            (node, Timing::Periodic(_)) => Some(node),
            _ => None,
        }
    }
}
