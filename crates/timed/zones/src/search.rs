//! The breadth-first search of the zone graph of an instance.

use crate::clocks::{Clocks, Since, Test, restrict};
use crate::conditions::{Condition, Hit, only_at_events};
use crate::graph::{Graph, Target, Unable};
use crate::report::Plan;
use crate::times::Constraints;
use crate::visited::{NONE, Node, Visited};
use dbm::{Overflow, Zone};
use machine::{Choice, Event, Frozen, Instance, RunError, State};
use rational::Rational;
use std::collections::{BTreeMap, BTreeSet};
use verdict::{Budget, Counts, Ending, Findings, Progress, Refusal, Run, Spent};

/// The results for a condition.
pub(crate) struct Sought {
    pub(crate) condition: Condition,
    /// A run to a state in which the condition has the sought value.
    pub(crate) run: Option<Box<Run>>,
    /// A run to a state in which the evaluation of the condition is an error.
    pub(crate) error: Option<Box<Run>>,
    /// Whether no times were found for a path to such a state; this is a bug.
    pub(crate) no_times: bool,
}

/// The searches of the instances of a Machine.
pub(crate) struct Search<'a> {
    pub(crate) clocks: &'a Clocks<'a>,
    pub(crate) budget: &'a dyn Budget,
    /// The conditions of properties and of premises.
    pub(crate) sought: Vec<Sought>,
    /// The search ends when all these conditions are decided. If empty, the search does not end early.
    pub(crate) ending: Vec<usize>,
    pub(crate) counts: Counts,
    pub(crate) findings: Findings,
    /// Whether no times were found for a path into an error; this is a bug.
    pub(crate) no_times: bool,
    /// The reached states without their times, if the caller needs them.
    pub(crate) reached: Option<BTreeSet<State>>,
}

/// Why a search ends early.
pub(crate) enum Stop {
    /// Everything is decided.
    Decided,
    Spent(Spent),
    Unable(Unable),
    Refused(Refusal),
}

impl From<Unable> for Stop {
    fn from(unable: Unable) -> Stop {
        Stop::Unable(unable)
    }
}

impl From<Overflow> for Stop {
    fn from(_: Overflow) -> Stop {
        Stop::Unable(Unable::TooFar)
    }
}

/// A search of one instance.
struct InstanceSearch<'s, 'a, 'f> {
    search: &'s mut Search<'a>,
    graph: Graph<'f>,
    frozen: &'f Frozen,
    visited: Visited,
    initial: BTreeMap<u32, State>,
    transitions: u64,
    /// The number of events up to the states that are being expanded.
    depth: u32,
}

impl<'a> Search<'a> {
    pub(crate) fn new(clocks: &'a Clocks<'a>, budget: &'a dyn Budget, plan: Plan) -> Search<'a> {
        let machine = clocks.machine;
        Search {
            clocks,
            budget,
            sought: plan.sought,
            ending: plan.ending,
            counts: Counts::default(),
            findings: Findings {
                ran: vec![false; machine.blocks.len()],
                sent: vec![false; machine.records.len()],
                ..Findings::default()
            },
            no_times: false,
            reached: None,
        }
    }

    /// Searches an instance completely, unless it stops.
    pub(crate) fn instance(&mut self, frozen: &Frozen) -> Result<(), Stop> {
        for sought in &mut self.sought {
            sought.condition.forget();
        }
        let instance = Instance {
            machine: self.clocks.machine,
            frozen,
        };
        let mut reached = self.reached.take();
        let mut search = InstanceSearch {
            graph: Graph::new(instance, self.clocks),
            search: self,
            frozen,
            visited: Visited::default(),
            initial: BTreeMap::new(),
            transitions: 0,
            depth: 0,
        };
        let result = search.run();
        let (states, depth) = (search.visited.nodes.len() as u64, search.depth);
        let (transitions, memory) = (search.transitions, search.memory());
        if let Some(reached) = &mut reached {
            let states = search.visited.nodes.iter();
            reached.extend(states.map(|node| State {
                clock: None,
                ..search.graph.part(node.part).state.clone()
            }));
        }
        self.reached = reached;
        self.counts.instances += 1;
        self.counts.states += states;
        self.counts.transitions += transitions;
        self.counts.depth = self.counts.depth.max(u64::from(depth));
        self.counts.memory = self.counts.memory.max(memory);
        result
    }
}

impl InstanceSearch<'_, '_, '_> {
    fn run(&mut self) -> Result<(), Stop> {
        let instance = self.graph.instance;
        let parts = instance.initial_parts();
        let parts = parts.map_err(|e| Stop::Refused(Refusal::Initial(e)))?;
        for (number, candidate) in instance.initial_states_from(parts).enumerate() {
            if number.is_multiple_of(64) {
                self.ask(0)?;
            }
            let candidate = candidate.map_err(|e| Stop::Refused(Refusal::Initial(e)))?;
            let Some((_, state)) = candidate else {
                continue;
            };
            self.search.counts.initial += 1;
            let part = self.graph.initial(&state)?;
            let zone = Zone::zero(self.graph.part(part).clocks.len());
            let number = self.initial.len() as u32;
            self.initial.insert(number, state);
            self.add(part, zone, (NONE, number), 0)?;
        }
        let mut next = 0;
        while next < self.visited.nodes.len() {
            if next.is_multiple_of(16) || cancellation::is_cancelled() {
                self.ask(next)?;
            }
            self.expand(next as u32)?;
            next += 1;
        }
        Ok(())
    }

    /// Consults the budget.
    fn ask(&self, expanded: usize) -> Result<(), Stop> {
        let found = self.visited.nodes.len();
        let progress = Progress {
            states: self.search.counts.states + found as u64,
            waiting: (found - expanded) as u64,
            transitions: self.search.counts.transitions + self.transitions,
            depth: u64::from(self.depth),
            memory: self.memory(),
            ..Progress::default()
        };
        let spent = match found as u64 >= u64::from(NONE) - 1_000_000 {
            true => Some(Spent::States(u64::from(NONE))),
            false => self.search.budget.ask(&progress),
        };
        spent.map_or(Ok(()), |spent| Err(Stop::Spent(spent)))
    }

    /// An estimate of the memory in use, in bytes.
    fn memory(&self) -> u64 {
        let node = size_of::<Node>() as u64 * self.visited.nodes.len() as u64;
        let nodes = u64::from(self.search.clocks.machine.node_count());
        let part = (2_000 + 500 * nodes) * self.graph.len() as u64;
        node + part + self.visited.bytes
    }

    /// Adds a state that an event reaches. Its zone includes the delay until the next event.
    fn add(&mut self, part: u32, mut zone: Zone, from: (u32, u32), depth: u32) -> Result<(), Stop> {
        let discrete = self.graph.part(part);
        let moment = only_at_events().then(|| zone.clone());
        if !discrete.urgent {
            zone.delay();
        }
        if !restrict(&mut zone, &discrete.invariant)? {
            return Ok(());
        }
        let lu = discrete.lu.clone();
        let seen = moment.unwrap_or_else(|| zone.clone());
        let node = Node {
            part,
            zone: Some(zone),
            from,
            depth,
        };
        if let Some(number) = self.visited.insert(node, &lu) {
            self.evaluate(number, &seen)?;
        }
        Ok(())
    }

    /// Evaluates the conditions at the times of a new state.
    fn evaluate(&mut self, number: u32, zone: &Zone) -> Result<(), Stop> {
        let part = self.visited.nodes[number as usize].part;
        for place in 0..self.search.sought.len() {
            let sought = &mut self.search.sought[place];
            if sought.run.is_some() {
                continue;
            }
            let instance = self.graph.instance;
            let discrete = self.graph.part(part);
            let (found, error) = { &mut sought.condition }.look(
                instance,
                self.search.clocks,
                part,
                discrete,
                zone,
            )?;
            if let Some(hit) = found {
                let run = self.run_to(number, &hit);
                let sought = &mut self.search.sought[place];
                sought.no_times |= run.is_none();
                sought.run = run;
            }
            if let Some(hit) = error
                && self.search.sought[place].error.is_none()
            {
                let run = self.run_to(number, &hit);
                let sought = &mut self.search.sought[place];
                sought.no_times |= run.is_none();
                sought.error = run;
            }
        }
        let sought = &self.search.sought;
        let mut ending = self.search.ending.iter();
        if !self.search.ending.is_empty() && ending.all(|place| sought[*place].run.is_some()) {
            return Err(Stop::Decided);
        }
        Ok(())
    }

    fn expand(&mut self, number: u32) -> Result<(), Stop> {
        let node = &self.visited.nodes[number as usize];
        let (part, depth) = (node.part, node.depth);
        let Some(zone) = node.zone.clone() else {
            return Ok(()); // a later state covers it
        };
        self.depth = depth;
        let outgoing = self.graph.outgoing(part)?;
        for (place, transition) in outgoing.iter().enumerate() {
            let mut times = zone.clone();
            if !restrict(&mut times, &transition.guards)? {
                continue;
            }
            self.transitions += 1;
            for block in &transition.ran {
                self.search.findings.ran[block.index()] = true;
            }
            for record in &transition.sent {
                self.search.findings.sent[record.index()] = true;
            }
            match &transition.target {
                Target::Error(error) => self.error(number, place, error),
                Target::Part(next, from) => {
                    let mut after = Zone::zero(0);
                    after.copy_clocks(times.view(), from);
                    self.add(*next, after, (number, place as u32), depth + 1)?;
                }
            }
        }
        Ok(())
    }

    /// Records the first run into an error of a transition.
    fn error(&mut self, number: u32, transition: usize, error: &RunError) {
        if self.search.findings.error.is_some() {
            return;
        }
        let run = self.timed(number, Some(transition), &[]);
        self.search.no_times |= run.is_none();
        self.search.findings.error = run.map(|mut run| {
            run.ending = Ending::Error(error.clone());
            Box::new(run)
        });
    }

    /// A run to a state, at times that satisfy the tests of a hit.
    fn run_to(&mut self, number: u32, hit: &Hit) -> Option<Box<Run>> {
        let mut run = self.timed(number, None, &hit.tests)?;
        if let Some(error) = &hit.error {
            run.ending = Ending::Error(error.clone());
        }
        Some(Box::new(run))
    }

    /// The run with the least times along the path to a state. It ends with a transition, or at a time at which the
    /// tests are true. In the second case the last event is a wait if time passes after the path.
    fn timed(&mut self, number: u32, transition: Option<usize>, tests: &[Test]) -> Option<Run> {
        let (initial, mut steps) = self.visited.path(number);
        let last = self.visited.nodes[number as usize].part;
        steps.extend(transition.map(|transition| (last, transition as u32)));
        let mut constraints = Constraints::new();
        let mut choices: Vec<Choice> = Vec::new();
        let first = steps.first().map_or(last, |(part, _)| *part);
        // By clock: the index of the time at which the clock was 0.
        let mut since = vec![0; self.graph.part(first).clocks.len()];
        let mut target = None;
        for (part, place) in &steps {
            let outgoing = self.graph.outgoing(*part).ok()?;
            let transition = &outgoing[*place as usize];
            let discrete = self.graph.part(*part);
            let now = constraints.next(discrete.urgent);
            for test in discrete.invariant.iter().chain(&transition.guards) {
                constraints.test(since[test.clock - 1], now, *test);
            }
            choices.push(transition.choice.clone());
            if let Target::Part(_, from) = &transition.target {
                let begun = |from: &usize| from.checked_sub(1).map_or(now, |place| since[place]);
                since = from.iter().map(begun).collect();
            }
        }
        if transition.is_none() {
            let discrete = self.graph.part(last);
            debug_assert!(
                { discrete.clocks.iter().zip(&since) }
                    .all(|(clock, since)| clock.since != Since::Start || *since == 0)
            );
            let now = constraints.next(discrete.urgent);
            for test in discrete.invariant.iter().chain(tests) {
                constraints.test(since[test.clock - 1], now, *test);
            }
            target = Some(now);
        }
        let times = constraints.least()?;
        let at = |number: usize| self.search.clocks.time(&times[number]);
        for (choice, number) in choices.iter_mut().zip(1..) {
            choice.time = Some(at(number));
        }
        if let Some(target) = target
            && times[target] > times[target - 1]
        {
            choices.push(Choice {
                event: Event::Wait,
                picks: Vec::new(),
                time: Some(at(target)),
            });
        }
        Some(Run {
            frozen: self.frozen.clone(),
            initial: self.initial.get(&initial)?.clone(),
            choices,
            ending: Ending::Open,
        })
    }
}

/// The frozen choice with the fixed periods, which are known.
pub(crate) fn with_periods(clocks: &Clocks<'_>, mut frozen: Frozen) -> Frozen {
    let machine = clocks.machine;
    let period = |node| match machine.timing(machine.kind_of(node)) {
        Some(machine::Timing::Periodic(periodic)) if periodic.fixed => Some(periodic.gap.0.clone()),
        _ => None,
    };
    let periods: Vec<Option<Rational>> = machine.nodes().map(period).collect();
    frozen.periods = periods;
    frozen
}
