//! The replayed run: its states and everything that is derived from them. All renderers read it.

use crate::events::line::{EventContext, EventLine, event_line, several_senders};
use crate::events::step::{StepTrace, activated, step_traces};
use crate::replay::cause::Cause;
use crate::replay::messages::{Flight, flights};
use crate::replay::slice;
use crate::words::names::Words;
use crate::words::times::Times;
use machine::{Instance, RunError, State, Trace};
use rational::Rational;
use std::cell::OnceCell;
use verdict::{Ending, Explanation, PartVerdict, Run, Waiting};

/// A run that has been replayed on the reference interpreter, with its explanation.
///
/// Step traces, event lines, messages, cause and slice are computed at the first access and cached.
pub struct ReplayedRun<'a> {
    pub(crate) words: Words<'a>,
    pub(crate) run: &'a Run,
    /// The initial state and the state after each event, except after an event that is an error.
    pub(crate) states: &'a [State],
    /// The error, if the last event is one.
    pub(crate) error: Option<&'a RunError>,
    /// Why the claim is false on the run, if it is.
    pub(crate) explanation: Option<&'a Explanation>,
    /// The nodes that wait at the end of the run.
    pub(crate) waiting: &'a [Waiting],
    steps: OnceCell<Vec<StepTrace>>,
    lines: OnceCell<Vec<EventLine>>,
    messages: OnceCell<Vec<Flight>>,
    cause: OnceCell<Cause>,
    slice: OnceCell<Vec<bool>>,
}

impl<'a> ReplayedRun<'a> {
    /// A run with its states: the initial state and the state after each event. If the last event is an error, `error`
    /// is this error and there is no state after it.
    pub fn new(
        words: Words<'a>,
        run: &'a Run,
        states: &'a [State],
        error: Option<&'a RunError>,
    ) -> ReplayedRun<'a> {
        ReplayedRun {
            words,
            run,
            states,
            error,
            explanation: None,
            waiting: &[],
            steps: OnceCell::new(),
            lines: OnceCell::new(),
            messages: OnceCell::new(),
            cause: OnceCell::new(),
            slice: OnceCell::new(),
        }
    }

    /// The same run with the reason why a claim is false on it, and the nodes that wait at its end.
    pub fn explained(
        self,
        explanation: Option<&'a Explanation>,
        waiting: &'a [Waiting],
    ) -> ReplayedRun<'a> {
        let ReplayedRun {
            words,
            run,
            states,
            error,
            ..
        } = self;
        // The caches are emptied, because cause and slice depend on the explanation.
        ReplayedRun {
            explanation,
            waiting,
            ..ReplayedRun::new(words, run, states, error)
        }
    }

    /// The number of events.
    pub fn event_count(&self) -> usize {
        self.run.choices.len()
    }

    /// Whether the states have clocks and all events have times.
    pub fn is_timed(&self) -> bool {
        let mut choices = self.run.choices.iter();
        self.states[0].clock.is_some() && choices.all(|c| c.time.is_some())
    }

    /// By event: whether it matters for the failure, or for the final state if the run has no failure.
    pub fn slice(&self) -> &[bool] {
        self.slice.get_or_init(|| slice::slice(self))
    }

    /// The machine with the frozen values of the run.
    pub(crate) fn instance(&self) -> Instance<'a> {
        Instance {
            machine: self.words.machine,
            frozen: &self.run.frozen,
        }
    }

    /// The step trace of each event.
    pub(crate) fn steps(&self) -> &[StepTrace] {
        self.steps
            .get_or_init(|| step_traces(self.instance(), &self.run.choices, self.states))
    }

    /// By event: its action and effects as data.
    pub(crate) fn lines(&self) -> &[EventLine] {
        self.lines.get_or_init(|| {
            let context = EventContext {
                words: self.words,
                frozen: &self.run.frozen,
                several_senders: several_senders(self.words, &self.run.choices, self.states),
            };
            let steps = self.steps().iter().enumerate();
            steps
                .map(|(i, step)| {
                    let states = (&self.states[i], self.states.get(i + 1));
                    event_line(&context, &self.run.choices[i], states, step)
                })
                .collect()
        })
    }

    /// The messages of the run, in the order of sending.
    pub(crate) fn messages(&self) -> &[Flight] {
        self.messages.get_or_init(|| {
            let effects: Vec<&Trace> = self.steps().iter().map(|step| &step.effects).collect();
            let choices: Vec<_> = self.run.choices.iter().collect();
            let states: Vec<_> = self.states.iter().collect();
            flights(self.words.machine, &choices, &states, &effects)
        })
    }

    /// The cause of the failure. Used for runs with times or activations.
    pub(crate) fn cause(&self) -> &Cause {
        self.cause.get_or_init(|| Cause::new(self))
    }

    /// The time of an event; zero in a run without times.
    pub(crate) fn time(&self, event: usize) -> Rational {
        self.run.choices[event].time.clone().unwrap_or_default()
    }

    /// Converts times to texts, with the unit of the model.
    pub(crate) fn times(&self) -> Times<'a> {
        Times::new(self.words.labels)
    }

    /// Whether events have times or some event is a counted activation.
    pub(crate) fn has_activations(&self) -> bool {
        let instance = self.instance();
        let mut choices = self.run.choices.iter();
        self.is_timed() || choices.any(|c| activated(instance, c).is_some())
    }

    /// The index of the first event of the loop; `None` if the run has no loop, or an empty one.
    pub(crate) fn loop_start(&self) -> Option<usize> {
        match self.run.ending {
            Ending::Loops(from) if from < self.run.choices.len() => Some(from),
            _ => None,
        }
    }

    /// Whether the claim becomes false within the loop, and hence again in every iteration.
    pub(crate) fn is_false_again(&self) -> bool {
        self.explanation.is_some_and(|e| self.is_again(e))
    }

    /// Whether the claim that an explanation is about becomes false within the loop, and hence again in every
    /// iteration.
    pub(crate) fn is_again(&self, explanation: &Explanation) -> bool {
        match (self.loop_start(), explanation.verdict, self.error) {
            (Some(from), PartVerdict::FalseAfter(after), None) => after > from,
            _ => false,
        }
    }

    /// Whether the claim is false in every state of the loop, because all facts of the explanation hold throughout.
    pub(crate) fn is_false_throughout(&self) -> bool {
        self.explanation.is_some_and(|e| self.is_throughout(e))
    }

    /// Whether the claim that an explanation is about is false in every state of the loop, because all its facts hold
    /// throughout.
    pub(crate) fn is_throughout(&self, explanation: &Explanation) -> bool {
        let facts = &explanation.why.facts;
        self.is_again(explanation) && !facts.is_empty() && facts.iter().all(|fact| fact.stays)
    }

    /// Whether the run neither violates a claim nor ends in an error, such as a random run.
    pub(crate) fn is_plain(&self) -> bool {
        self.explanation.is_none() && self.error.is_none()
    }

    /// The event at which the claim becomes false, or the event that is an error, or the last event if the evaluation
    /// of the claim in the last state is an error. `None` if the claim is false initially, or never becomes true.
    pub(crate) fn failing_event(&self) -> Option<usize> {
        let last = self.run.choices.len().checked_sub(1);
        match (self.error, self.explanation.map(|e| e.verdict)) {
            (Some(_), _) => last,
            (None, Some(PartVerdict::FalseAfter(after))) => after.checked_sub(1),
            (None, _) if matches!(self.run.ending, Ending::Error(_)) => last,
            _ => None,
        }
    }
}
