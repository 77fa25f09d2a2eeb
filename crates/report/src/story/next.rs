//! The choices that are enabled after a run in words: one line for each, with its effects.

use crate::events::line::{EventContext, PARTS, event_line, several_senders};
use crate::events::step::next_step_trace;
use crate::story::untimed::columns;
use crate::words::errors::error_words;
use crate::words::names::Words;
use machine::{Choice, Frozen, Instance, RunError, State};

/// The choices that are enabled after a run, with what is needed to describe them.
pub struct Next<'a> {
    /// The machine and the names of its parts.
    pub words: Words<'a>,
    /// The frozen values.
    pub frozen: &'a Frozen,
    /// The choices of the run.
    pub so_far: &'a [Choice],
    /// The state at the end of the run.
    pub now: &'a State,
    /// The enabled choices, each with its successor state or its error.
    pub choices: &'a [(Choice, Result<State, RunError>)],
}

impl Next<'_> {
    /// One line for each enabled choice, without number and indentation.
    pub fn lines(&self) -> Vec<String> {
        let enabled = self.choices.iter().map(|(choice, _)| choice);
        let context = EventContext {
            words: self.words,
            frozen: self.frozen,
            several_senders: several_senders(
                self.words,
                self.so_far.iter().chain(enabled),
                std::slice::from_ref(self.now),
            ),
        };
        let instance = Instance {
            machine: self.words.machine,
            frozen: self.frozen,
        };
        let choices = self.choices.iter();
        let rows: Vec<_> = choices
            .map(|(choice, after)| {
                let states = (self.now, after.as_ref().ok());
                let step = next_step_trace(instance, self.so_far, self.now, choice);
                let line = event_line(&context, choice, states, &step);
                let mut effects = line.effects_text(self.words, PARTS);
                if let Err(error) = after {
                    let space = if effects.is_empty() { "" } else { PARTS };
                    let error = error_words(self.words, error, Some(choice));
                    effects += &format!("{space}an error: {error}");
                }
                let (name, what) = (line.name(self.words), line.action.text(self.words));
                (String::new(), name, what, effects)
            })
            .collect();
        let lines = columns(&rows).into_iter();
        lines.map(|line| line.trim_start().to_string()).collect()
    }
}
