//! Checkpoints: what a search stores, when, and how it resumes.
//!
//! A log holds the instance that is searched at present: what its graph has gained, record by record
//! (`graph/graph_log.rs`), and now and then a point, which holds the position of the search and its results. The last
//! point counts. Earlier instances are finished, and only their results are needed. The log of a finished search has
//! only a point.
//!
//! A resumed search creates the initial states anew, restores the rest, checks that some visited states lead to known
//! states, and then visits the next state as if nothing had happened. So counts, runs and answers equal those of an
//! uninterrupted search. Caches are not stored, nor what is computed once all states are known.

use crate::graph::graph_log::{LogPosition, Restoration};
use crate::graph::state_graph::Graph;
use crate::search::search_state::{Found, NotFound, Reductions, Search, Stop};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use verdict::{Budget, Counts, Findings, Log, Progress, Question, Refusal};

/// The version of the format; it changes when states are numbered differently, or points change.
const FORM: u32 = 2;

/// The first byte of a point.
const POINT: u8 = b'P';

/// The number of states that are expanded again after a restoration, as a check.
const SAMPLE: u32 = 200;

/// The checkpoint of a search.
pub(crate) struct Checkpoint<'a> {
    log: Box<dyn Log + 'a>,
    /// The position of the present instance in the log.
    kept: Option<LogPosition>,
    /// The position at which the next instance resumes, and the counts at that time.
    goes_on: Option<(Position, Counts)>,
    /// The point of the complete graph, if it is not stored yet.
    complete: Option<Vec<u8>>,
    /// The last progress reported to the budget.
    asked: Cell<Progress>,
    /// A concretisation was cut short by a limit: nothing more may be stored.
    cut_short: Cell<bool>,
}

/// The position of the search of an instance.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Position {
    /// The state that is visited next.
    pub(crate) state: u32,
    pub(crate) depth: u64,
    /// One past the last state of that depth.
    pub(crate) end: u32,
    transitions: u64,
    /// Transitions are kept, because a temporal claim was open when the instance began.
    keeps: bool,
    /// By property: states in which it has no value, and whether a match was found behind them.
    #[serde(rename = "blind")]
    undefined: Vec<(Vec<u32>, bool)>,
    late: Vec<Option<(i64, u32)>>,
}

/// The position of a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Where {
    /// In an instance.
    At(Position),
    /// Before the next instance.
    Before,
    /// At its end.
    End,
}

/// The part of a log that counts.
#[derive(Serialize, Deserialize)]
struct Point {
    at: Where,
    counts: Counts,
    findings: Findings,
    found: Vec<Found>,
    states_when_decided: Option<u64>,
    #[serde(rename = "not_followed")]
    unconfirmed: u64,
    asked: Progress,
}

/// How a search resumes.
pub(crate) enum Resumed {
    /// It begins from the start.
    No,
    /// This many instances are finished; whether the next one has begun.
    Instances(usize, bool),
    /// It is finished.
    End,
}

impl<'a> Checkpoint<'a> {
    /// The checkpoint of a question with these reductions, if the budget has a checkpoint store.
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

    /// Writes what the graph has gained, and a point.
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
    /// Restores everything but the graph.
    pub(crate) fn resume(&mut self) -> Result<Resumed, NotFound> {
        let Some(checkpoint) = &mut self.checkpoint else {
            return Ok(Resumed::No);
        };
        let point = match checkpoint.last_point() {
            Ok(None) => return Ok(Resumed::No),
            Ok(Some(point)) => point,
            Err(why) => return Err(self.wrong(&why)),
        };
        let (found, findings) = (&point.found, &point.findings);
        if found.len() != self.results.found.len()
            || findings.ran.len() != self.results.findings.ran.len()
            || findings.sent.len() != self.results.findings.sent.len()
            || findings.premises.len() != self.results.findings.premises.len()
            || findings.latest.len() != self.results.findings.latest.len()
        {
            return Err(self.wrong("it is about something else"));
        }
        checkpoint.asked.set(point.asked);
        let resumed = match point.at {
            Where::End => Resumed::End,
            Where::Before => Resumed::Instances(point.counts.instances as usize, false),
            Where::At(place) => {
                checkpoint.goes_on = Some((place, point.counts));
                match point.counts.instances.checked_sub(1) {
                    Some(before) => Resumed::Instances(before as usize, true),
                    None => return Err(self.wrong("it is in no instance")),
                }
            }
        };
        self.results.found = point.found;
        self.results.findings = point.findings;
        self.results.counts = point.counts;
        self.results.states_when_decided = point.states_when_decided;
        self.results.unconfirmed = point.unconfirmed;
        if let Resumed::End = resumed {
            // A budget that counts several searches counts this one, too.
            let _ = self.task.budget.ask(&point.asked);
        }
        Ok(resumed)
    }

    /// Whether transitions of the next instance are kept, if it has begun.
    pub(crate) fn stored_keep_transitions(&self) -> Option<bool> {
        let (place, _) = self.checkpoint.as_ref()?.goes_on.as_ref()?;
        Some(place.keeps)
    }

    /// Restores the graph of the present instance, which has its initial states. Returns the position at which to
    /// resume.
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

    /// Restores and checks the graph. Returns its position in the log.
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
        let kept = LogPosition::of(graph); // before new component values are computed
        match leads_to_known_states(graph, place.state) {
            true => Ok(kept),
            false => Err("states do not lead where they led".into()),
        }
    }

    /// The refusal of an invalid checkpoint.
    pub(crate) fn wrong(&self, why: &str) -> NotFound {
        NotFound::Refused(self.refusal(why))
    }

    fn refusal(&self, why: &str) -> Refusal {
        Refusal::Checkpoint(match &self.checkpoint {
            Some(checkpoint) => checkpoint.log.refuse(why),
            None => why.into(),
        })
    }

    /// Before a state is visited: stores the position if that is due, or if the search ends here; then `ends` are the
    /// counts to store.
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

    /// All states of an instance are known: stores that now if it is due, or later if the search ends before the
    /// instance does.
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

    /// Stores the point of a complete graph, if that is due.
    pub(crate) fn store_completed(&mut self, graph: &Graph<'_>, ends: bool) {
        if let Some(checkpoint) = &mut self.checkpoint
            && (ends || checkpoint.log.is_due(true))
            && let Some(point) = checkpoint.complete.take()
        {
            checkpoint.write(Some(graph), &point);
        }
    }

    /// Stores that the next instance has not begun, unless something of it is stored; `counts` are those before it.
    pub(crate) fn store_before_instance(&mut self, counts: Counts) {
        let point = self.point(Where::Before, counts);
        if let Some(checkpoint) = &mut self.checkpoint
            && checkpoint.kept.is_none()
            && checkpoint.goes_on.is_none()
        {
            checkpoint.write(None, &point);
        }
    }

    /// An instance is finished.
    pub(crate) fn instance_done(&mut self) {
        if let Some(checkpoint) = &mut self.checkpoint {
            (checkpoint.kept, checkpoint.complete) = (None, None);
        }
    }

    /// Stores the results at the end.
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

    /// A limit cut a concretisation short: the missing run must not be stored as a result.
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
        let point = Point {
            at,
            counts,
            findings: Findings {
                longest: None, // it is reported where a search ends, and this one will resume
                ..self.results.findings.clone()
            },
            found: self.results.found.clone(),
            states_when_decided: self.results.states_when_decided,
            unconfirmed: self.results.unconfirmed,
            asked: asked.unwrap_or_default(),
        };
        let mut bytes = vec![POINT];
        bytes.extend(serde_json::to_vec(&point).expect("plain data"));
        bytes
    }
}

/// Whether some visited states lead to known states.
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
