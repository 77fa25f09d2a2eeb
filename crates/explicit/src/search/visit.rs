//! The visit of a state: its transitions, the evaluation of its properties, and runs to it.

use crate::abstraction::concretisation::{AbstractRun, Concretiser, End};
use crate::abstraction::decisions::{Decision, each_value};
use crate::defects::{Defect, broken};
use crate::events::interpreter_state::choice_of;
use crate::events::invisible_deliveries::arrival_choice;
use crate::expand::expander::Transition;
use crate::graph::state_graph::Graph;
use crate::graph::witness;
use crate::properties::property::MonitoredProperty;
use crate::search::search_state::Search;
use machine::{Frozen, Instance};
use verdict::{Ending, Premise, Run};

impl Search<'_> {
    /// Adds the transitions of a state to the graph. Records errors, deadlocks and coverage.
    pub(crate) fn expand(&mut self, graph: &mut Graph<'_>, frozen: &Frozen, state: u32) {
        let before = graph.transitions.count;
        let mut broken = None;
        let mut take_in = |graph: &mut Graph<'_>, transition: &Transition<'_>| {
            graph.add(state, transition);
            for block in &transition.effects.ran {
                self.results.findings.ran[block.index()] = true;
            }
            for (_, message) in &transition.effects.sent {
                let record = self.task.compiled.record_of(*message);
                self.results.findings.sent[record.index()] = true;
            }
            if transition.target.is_none() && broken.is_none() {
                let types = match self.task.abstraction {
                    // With data abstraction, some picks are values tried for an unknown one, which are not choices.
                    Some(_) => &[][..],
                    None => &transition.effects.chosen,
                };
                let picks = &transition.picks[..types.len()];
                let choice = choice_of(self.task.compiled, transition.event, picks, types);
                let arrived = transition
                    .arrivals
                    .iter()
                    .map(|arrival| arrival_choice(self.task.compiled, *arrival));
                let choices: Vec<machine::Choice> = arrived.chain([choice]).collect();
                let event = transition.event;
                let decisions = transition.decisions.to_vec();
                broken = Some((event, (choices, types.to_vec(), decisions)));
            }
            true
        };
        match &self.instance.stubborn {
            None => graph.each_transition(state, &mut take_in),
            Some(stubborn) => {
                let chosen = stubborn.chosen_events(graph, state);
                graph.each_transition_by(state, &chosen, &mut take_in);
            }
        }
        graph.end_of_state();
        if let Some((event, what)) = broken
            && self
                .results
                .findings
                .error
                .as_ref()
                .is_none_or(|run| witness::depth(graph, state) + 1 < run.choices.len())
        {
            let run = match self.task.abstraction {
                None => Some(witness::to_error(graph, frozen, state, what)),
                Some(_) => {
                    let mut abstract_run = graph.abstract_run(state, &what.2);
                    abstract_run.events.push(event);
                    self.concretised(frozen, &abstract_run, &End::Error)
                }
            };
            self.keep(run, |search| &mut search.results.findings.error);
        }
        if graph.transitions.count == before
            && self
                .results
                .findings
                .deadlock
                .as_ref()
                .is_none_or(|run| witness::depth(graph, state) < run.choices.len())
            && self.is_deadlock(graph, state)
        {
            let ending = Ending::StandsStill;
            let run = self.run_to(graph, frozen, state, (&[], ending), &End::Deadlock);
            self.keep(run, |search| &mut search.results.findings.deadlock);
        }
    }

    fn is_deadlock(&self, graph: &mut Graph<'_>, state: u32) -> bool {
        graph.open(state);
        self.has_unfinished_node(&graph.context())
    }

    /// A shortest run to a state. `decisions` are made in that state. With data abstraction: a concrete run with the
    /// same events and the end `end`; `None` if there is none.
    fn run_to(
        &self,
        graph: &mut Graph<'_>,
        frozen: &Frozen,
        state: u32,
        (decisions, ending): (&[Decision], Ending),
        end: &End<'_>,
    ) -> Option<Run> {
        match self.task.abstraction {
            None => Some(witness::to_state(graph, frozen, state, decisions, ending)),
            Some(_) => {
                let abstract_run = graph.abstract_run(state, decisions);
                self.concretised(frozen, &abstract_run, end)
            }
        }
    }

    /// A concrete run for an abstract one with the end `end`; `None` if concretisation fails.
    fn concretised(
        &self,
        frozen: &Frozen,
        abstract_run: &AbstractRun,
        end: &End<'_>,
    ) -> Option<Run> {
        let machine = self.task.question.machine;
        let cone = self.task.cone.map(|cone| cone(frozen));
        let concretiser = Concretiser {
            instance: Instance { machine, frozen },
            cone: cone.as_deref(),
            lazy: &self.task.lazy,
            initial_values: self.instance.initial_values.clone(),
            stop: &|| {
                let stop = self.ask_without_states().is_err();
                if stop {
                    self.stop_storing();
                }
                stop
            },
            waits: &|context| self.has_unfinished_node(context),
        };
        concretiser.run(abstract_run, end)
    }

    /// Evaluates premises, time bounds and conditions in a state, and records runs to violations and matches.
    pub(crate) fn evaluate(&mut self, graph: &mut Graph<'_>, frozen: &Frozen, state: u32) {
        if broken(Defect::InitialStatesUnseen) && graph.predecessors.is_initial(state) {
            return;
        }
        if let Some(property_caches) = &mut self.instance.property_caches
            && graph.nothing_to_report(state, property_caches, &self.results.premises)
        {
            return;
        }
        graph.open(state);
        for p in 0..self.task.properties.premises.len() {
            let (Some(premise), Some(Premise::Open)) =
                (&self.task.properties.premises[p], self.results.premises[p])
            else {
                continue;
            };
            let mut met = None;
            each_value(
                premise,
                &graph.context(),
                &graph.expander().possible_values,
                &mut |value, decisions| {
                    if value == Some(true) {
                        met = Some(decisions.to_vec());
                    }
                    met.is_none()
                },
            );
            let Some(decisions) = met else {
                continue;
            };
            let end = End::Value(premise, true);
            if self.task.abstraction.is_none()
                || self
                    .run_to(graph, frozen, state, (&decisions, Ending::Open), &end)
                    .is_some()
            {
                self.results.premises[p] = Some(Premise::Met);
            } else {
                self.results.unconfirmed += 1;
            }
            graph.open(state);
        }
        if let Some(units) = &graph.compiled.timing.clocks.units {
            let now = graph.context().slots[units.now];
            for (late, bound) in self
                .instance
                .late
                .iter_mut()
                .zip(&self.task.properties.bounds)
            {
                let later = late.is_none_or(|(time, _)| time < now);
                if let Some(bound) = bound
                    && later
                    && bound.holds(&graph.context(), &[]) == Some(false)
                {
                    *late = Some((now, state));
                }
            }
        }
        for p in 0..self.task.properties.monitored.len() {
            let (condition, wanted) = match &self.task.properties.monitored[p] {
                MonitoredProperty::Invariant(condition) => (condition, false),
                MonitoredProperty::Reach(condition) => (condition, true),
                MonitoredProperty::Temporal(..) => continue,
            };
            let mut found = None;
            each_value(
                condition,
                &graph.context(),
                &graph.expander().possible_values,
                &mut |value, decisions| {
                    if value != Some(!wanted) {
                        found = Some((value, decisions.to_vec()));
                    }
                    found.is_none()
                },
            );
            let Some((value, decisions)) = found else {
                continue;
            };
            if value.is_some() && self.instance.undefined[p].is_behind(graph, state) {
                self.instance.undefined[p].behind = true;
                continue;
            }
            let known = match value {
                Some(_) => &self.results.found[p].run,
                None => {
                    self.instance.undefined[p].ends.insert(state);
                    &self.results.found[p].error
                }
            };
            if known.as_ref().is_none_or(|run| {
                broken(Defect::NotShortest) || witness::depth(graph, state) < run.choices.len()
            }) {
                let run = match value {
                    Some(value) => {
                        let end = End::Value(condition, value);
                        self.run_to(graph, frozen, state, (&decisions, Ending::Open), &end)
                    }
                    None => {
                        let written = &condition.written;
                        Some(witness::to_no_value(graph, frozen, state, written, &[]))
                    }
                };
                self.keep(run, |search| match value {
                    Some(_) => &mut search.results.found[p].run,
                    None => &mut search.results.found[p].error,
                });
                graph.open(state);
            }
        }
    }

    /// Stores a run at `place`. Without a run, counts an abstract run that could not be concretised.
    pub(crate) fn keep(
        &mut self,
        run: Option<Run>,
        place: impl Fn(&mut Self) -> &mut Option<Box<Run>>,
    ) {
        match run {
            Some(run) => *place(self) = Some(Box::new(run)),
            None => self.results.unconfirmed += 1,
        }
    }

    /// Searches for a path to a violation or match that avoids the states in which the condition of the property has no
    /// value.
    pub(crate) fn find_detour(&mut self, graph: &mut Graph<'_>, frozen: &Frozen, p: usize) {
        let (condition, wanted) = match &self.task.properties.monitored[p] {
            MonitoredProperty::Invariant(condition) => (condition, false),
            MonitoredProperty::Reach(condition) => (condition, true),
            MonitoredProperty::Temporal(..) => return,
        };
        let most = match &self.results.found[p].run {
            Some(run) if run.choices.is_empty() => return,
            Some(run) => run.choices.len() - 1,
            None => usize::MAX,
        };
        if self.instance.undefined[p].behind
            && let Some(way) = self.instance.undefined[p].detour(graph, condition, wanted, most)
        {
            let run = witness::along(graph, frozen, &way, &[], Ending::Open);
            self.keep(Some(run), |search| &mut search.results.found[p].run);
        }
    }
}
