//! Checkpoints: what a search stores, when, and how it resumes.
//!
//! A log contains the instance that is being searched: records of the additions to its graph (`graph/graph_log.rs`)
//! and, from time to time, a *point* with the position of the search and its results. Only the last point is used. Of
//! earlier instances, only the results are needed, and these are part of the point. The log of a finished search
//! contains only a point.
//!
//! A resumed search recreates the initial states, restores the rest of the graph, checks for a sample of visited states
//! that their successors are in the graph, and then visits the next state. So counts, runs and answers are equal to
//! those of an uninterrupted search. Caches are not stored, nor results of computations on the complete graph.

use crate::graph::graph_log::{LogPosition, Restoration};
use crate::graph::state_graph::Graph;
use crate::search::search_state::{NotFound, Reductions, Search, Stop};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use verdict::{Budget, Counts, Findings, Log, PartialResults, Progress, Question, Refusal};

/// The version of the format. It must change if states are numbered differently or points change.
const FORM: u32 = 4;

/// The first byte of the record of a point.
const POINT: u8 = b'P';

/// The least number of visited states that are expanded again after a restoration, as a check (all, if there are
/// fewer).
const SAMPLE: u32 = 200;

/// The checkpoint of a search.
pub(crate) struct Checkpoint<'a> {
    log: Box<dyn Log + 'a>,
    /// How much of the graph of the current instance the log contains; `None` if nothing.
    kept: Option<LogPosition>,
    /// After resumption: the position in the instance to be restored, and the counts in the point.
    goes_on: Option<(Position, Counts)>,
    /// The point for the complete graph of the current instance, if it has not been stored yet.
    complete: Option<Vec<u8>>,
    /// The progress last reported to the budget.
    asked: Cell<Progress>,
    /// Whether a limit interrupted a concretisation. Then nothing more may be stored.
    cut_short: Cell<bool>,
}

/// The position of the search in an instance.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Position {
    /// The state to be visited next.
    pub(crate) state: u32,
    pub(crate) depth: u64,
    /// One past the last state of this depth.
    pub(crate) end: u32,
    transitions: u64,
    /// Whether transitions are stored. This is decided when the search of the instance begins.
    keeps: bool,
    /// By property: the states in which its condition has no value, and whether a violation or match was found on a
    /// path through one of them.
    undefined: Vec<(Vec<u32>, bool)>,
    late: Vec<Option<(i64, u32)>>,
}

/// The position of a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Where {
    /// Within an instance.
    At(Position),
    /// Before the next instance.
    Before,
    /// After the last instance.
    End,
}

/// The position and the results of a search.
#[derive(Serialize, Deserialize)]
struct Point {
    at: Where,
    /// The text of [`PartialResults`].
    results: String,
    states_when_decided: Option<u64>,
    unconfirmed: u64,
    asked: Progress,
}

/// Where a search resumes.
pub(crate) enum Resumed {
    /// There is no checkpoint: the search begins from the start.
    No,
    /// After this many finished instances. The flag tells whether the next one has begun.
    Instances(usize, bool),
    /// The search is finished.
    End,
}

impl<'a> Checkpoint<'a> {
    /// The checkpoint for a question with these reductions; `None` if the budget has no checkpoint store.
    pub(crate) fn new(
        question: &Question<'_>,
        how: &str,
        reductions: Reductions<'_>,
        budget: &'a dyn Budget,
    ) -> Option<Checkpoint<'a>> {
        let checkpoint_store = budget.checkpoint_store()?;
        let like = reductions.like.map(ToString::to_string).unwrap_or_default();
        let text = format!(
            "form {FORM}\nfair {}\nsearch {how}\nsymmetric {} {}\nrelevant {}\nshortcuts {}\nlike {like}\n{}",
            question.fair,
            reductions.symmetric_instances,
            reductions.symmetric_states,
            reductions.cone.is_some(),
            reductions.timed_reductions.is_some(),
            question.machine,
        );
        Some(Checkpoint {
            log: checkpoint_store.log(&text),
            kept: None,
            goes_on: None,
            complete: None,
            asked: Cell::default(),
            cut_short: Cell::default(),
        })
    }

    fn last_point(&mut self) -> Result<Option<Point>, String> {
        let mut last: Option<Vec<u8>> = None;
        self.log.each(&mut |piece| {
            if let [POINT, point @ ..] = piece {
                last = Some(point.to_vec());
            }
            Ok(())
        })?;
        let read = |point: Vec<u8>| serde_json::from_slice(&point).map_err(|e| e.to_string());
        last.map(read).transpose()
    }

    /// Writes the additions to the graph and a point, and commits them.
    fn write(&mut self, graph: Option<&Graph<'_>>, point: &[u8]) {
        if self.cut_short.get() {
            return;
        }
        let now = graph.map(LogPosition::of);
        if self.kept.is_none() || graph.is_none() {
            self.log.begin();
        }
        if let Some(graph) = graph {
            let since = self.kept.clone();
            let since = since.unwrap_or_else(|| LogPosition::nothing(graph));
            since.append_since(graph, &mut |piece| self.log.put(piece));
        }
        self.log.put(point);
        if self.log.commit() {
            self.kept = now;
        }
    }
}

impl Search<'_> {
    /// Restores the results from the last point. The graph is restored later, by [`Search::restore_instance`].
    pub(crate) fn resume(&mut self) -> Result<Resumed, NotFound> {
        let Some(checkpoint) = &mut self.checkpoint else {
            return Ok(Resumed::No);
        };
        let point = match checkpoint.last_point() {
            Ok(None) => return Ok(Resumed::No),
            Ok(Some(point)) => point,
            Err(why) => return Err(self.wrong(&why)),
        };
        let results = match PartialResults::from_text(&point.results) {
            Ok(results) => results,
            Err(why) => return Err(self.wrong(&why)),
        };
        let findings = &results.findings;
        if results.found.len() != self.results.found.len()
            || findings.ran.len() != self.results.findings.ran.len()
            || findings.sent.len() != self.results.findings.sent.len()
            || results.premises.len() != self.results.premises.len()
        {
            return Err(self.wrong("it is about something else"));
        }
        checkpoint.asked.set(point.asked);
        let resumed = match point.at {
            Where::End => Resumed::End,
            Where::Before => Resumed::Instances(results.counts.instances as usize, false),
            Where::At(place) => {
                checkpoint.goes_on = Some((place, results.counts));
                match results.counts.instances.checked_sub(1) {
                    Some(before) => Resumed::Instances(before as usize, true),
                    None => return Err(self.wrong("it is in no instance")),
                }
            }
        };
        self.results.found = results.found;
        self.results.premises = results.premises;
        self.results.findings = results.findings;
        self.results.counts = results.counts;
        self.results.states_when_decided = point.states_when_decided;
        self.results.unconfirmed = point.unconfirmed;
        if let Resumed::End = resumed {
            // A budget that limits several searches together must account for this one.
            let _ = self.task.budget.ask(&point.asked);
        }
        Ok(resumed)
    }

    /// If the search resumes within an instance: whether its transitions are stored.
    pub(crate) fn stored_keep_transitions(&self) -> Option<bool> {
        let (place, _) = self.checkpoint.as_ref()?.goes_on.as_ref()?;
        Some(place.keeps)
    }

    /// If the search resumes within this instance: restores its graph, which already contains the initial states.
    /// Returns the position at which to resume.
    pub(crate) fn restore_instance(
        &mut self,
        graph: &mut Graph<'_>,
    ) -> Result<Option<Position>, Stop> {
        let Some(checkpoint) = &mut self.checkpoint else {
            return Ok(None);
        };
        checkpoint.kept = None;
        let Some((place, counts)) = checkpoint.goes_on.take() else {
            return Ok(None);
        };
        let kept = match self.restore(graph, &place) {
            Ok(kept) => kept,
            Err(why) => return Err(Stop::Refused(self.refusal(&why))),
        };
        self.results.counts = counts;
        if let Some(checkpoint) = &mut self.checkpoint {
            checkpoint.kept = Some(kept);
        }
        Ok(Some(place))
    }

    /// Restores the graph from the log and checks it. Returns its position in the log.
    fn restore(&mut self, graph: &mut Graph<'_>, place: &Position) -> Result<LogPosition, String> {
        let mut restoration = Restoration::new(graph);
        if let Some(checkpoint) = &mut self.checkpoint {
            checkpoint.log.each(&mut |piece| {
                if !restoration.take(graph, piece)? && piece[0] != POINT {
                    return Err("there is something in it that nobody knows".into());
                }
                Ok(())
            })?;
        }
        restoration.check_consistency(graph, place.state)?;
        let states = graph.store.len();
        let known = |state: u32| state < states;
        let mut ends = place.undefined.iter().flat_map(|(ends, _)| ends);
        let mut late = place.late.iter().flatten();
        if place.end > states
            || place.state > place.end
            || place.undefined.len() != self.instance.undefined.len()
            || place.late.len() != self.instance.late.len()
            || !ends.all(|state| known(*state))
            || !late.all(|(_, state)| known(*state))
        {
            return Err("it speaks of states that are not there".into());
        }
        for (undefined, (ends, behind)) in self.instance.undefined.iter_mut().zip(&place.undefined)
        {
            undefined.ends = ends.iter().copied().collect();
            undefined.behind = *behind;
        }
        self.instance.late.clone_from(&place.late);
        graph.transitions.count = place.transitions;
        let kept = LogPosition::of(graph); // before the check adds new component values
        match leads_to_known_states(graph, place.state) {
            true => Ok(kept),
            false => Err("states do not lead where they led".into()),
        }
    }

    /// The refusal of a checkpoint that is invalid for the reason `why`.
    pub(crate) fn wrong(&self, why: &str) -> NotFound {
        NotFound::Refused(self.refusal(why))
    }

    fn refusal(&self, why: &str) -> Refusal {
        Refusal::Checkpoint(match &self.checkpoint {
            Some(checkpoint) => checkpoint.log.refuse(why),
            None => why.into(),
        })
    }

    /// Called before a state is visited. Stores the position if a checkpoint is due or the search ends here. In the
    /// latter case `ends` are the counts to store.
    pub(crate) fn store_position(
        &mut self,
        graph: &Graph<'_>,
        place: (u32, u64, u32),
        ends: Option<Counts>,
    ) {
        let Some(checkpoint) = &self.checkpoint else {
            return;
        };
        if ends.is_none() && !checkpoint.log.is_due(false) {
            return;
        }
        let counts = ends.unwrap_or(self.results.counts);
        let point = self.point(Where::At(self.place(graph, place)), counts);
        self.write(Some(graph), &point);
    }

    /// Called when all states of an instance have been visited. If transitions are stored: stores the position if a
    /// checkpoint is due; otherwise retains the point in case the search ends before the instance is finished.
    pub(crate) fn store_complete(&mut self, graph: &Graph<'_>, place: (u32, u64, u32)) {
        if self.checkpoint.is_none() || !graph.transitions.keep {
            return;
        }
        let point = self.point(Where::At(self.place(graph, place)), self.results.counts);
        if let Some(checkpoint) = &mut self.checkpoint {
            checkpoint.complete = Some(point);
        }
        self.store_completed(graph, false);
    }

    /// Stores the point for the complete graph if a checkpoint is due or the search ends here (`ends`).
    pub(crate) fn store_completed(&mut self, graph: &Graph<'_>, ends: bool) {
        if let Some(checkpoint) = &mut self.checkpoint
            && (ends || checkpoint.log.is_due(true))
            && let Some(point) = checkpoint.complete.take()
        {
            checkpoint.write(Some(graph), &point);
        }
    }

    /// Stores that the next instance has not begun, unless the log contains a part of its graph. `counts` are those
    /// before it.
    pub(crate) fn store_before_instance(&mut self, counts: Counts) {
        let point = self.point(Where::Before, counts);
        if let Some(checkpoint) = &mut self.checkpoint
            && checkpoint.kept.is_none()
            && checkpoint.goes_on.is_none()
        {
            checkpoint.write(None, &point);
        }
    }

    /// Forgets the position in the log and the retained point of the finished instance.
    pub(crate) fn instance_done(&mut self) {
        if let Some(checkpoint) = &mut self.checkpoint {
            (checkpoint.kept, checkpoint.complete) = (None, None);
        }
    }

    /// Stores the results at the end of the search, if a checkpoint is due.
    pub(crate) fn store_end(&mut self) {
        if let Some(checkpoint) = &self.checkpoint
            && checkpoint.log.is_due(true)
        {
            let point = self.point(Where::End, self.results.counts);
            self.write(None, &point);
        }
    }

    /// Records the progress reported to the budget.
    pub(crate) fn note_asked(&self, progress: &Progress) {
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint.asked.set(*progress);
        }
    }

    /// Prevents further checkpoints: a limit interrupted a concretisation, and the missing run must not be stored as a
    /// result.
    pub(crate) fn stop_storing(&self) {
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint.cut_short.set(true);
        }
    }

    fn write(&mut self, graph: Option<&Graph<'_>>, point: &[u8]) {
        if let Some(checkpoint) = &mut self.checkpoint {
            checkpoint.write(graph, point);
        }
    }

    fn place(&self, graph: &Graph<'_>, (state, depth, end): (u32, u64, u32)) -> Position {
        let undefined = self.instance.undefined.iter().map(|undefined| {
            let mut ends: Vec<u32> = undefined.ends.iter().copied().collect();
            ends.sort_unstable();
            (ends, undefined.behind)
        });
        Position {
            state,
            depth,
            end,
            transitions: graph.transitions.count,
            keeps: graph.transitions.keep,
            undefined: undefined.collect(),
            late: self.instance.late.clone(),
        }
    }

    fn point(&self, at: Where, counts: Counts) -> Vec<u8> {
        let asked = self.checkpoint.as_ref().map(|c| c.asked.get());
        let results = PartialResults {
            counts,
            findings: Findings {
                longest: None, // a resumed search computes it again at its end
                ..self.results.findings.clone()
            },
            found: self.results.found.clone(),
            premises: self.results.premises.clone(),
        };
        let point = Point {
            at,
            results: results.to_text(),
            states_when_decided: self.results.states_when_decided,
            unconfirmed: self.results.unconfirmed,
            asked: asked.unwrap_or_default(),
        };
        let mut bytes = vec![POINT];
        bytes.extend(serde_json::to_vec(&point).expect("plain data"));
        bytes
    }
}

/// Whether the successors of a sample of visited states are in the graph.
fn leads_to_known_states(graph: &mut Graph<'_>, visited: u32) -> bool {
    let step = (visited / SAMPLE).max(1);
    let mut sample: Vec<u32> = (0..visited).step_by(step as usize).collect();
    sample.extend(visited.checked_sub(1));
    let mut good = true;
    for state in sample {
        graph.each_transition(state, &mut |graph, transition| {
            if let Some((initial_values, _)) = transition.target {
                good &= graph.store.find(initial_values).is_some();
            }
            good
        });
        good &= !graph.expander().is_stuck();
    }
    good
}
