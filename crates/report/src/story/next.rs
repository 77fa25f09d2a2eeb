//! What can happen next, in words: one line for each choice, with what would come of it.

use crate::replay::step::deed;
use crate::story::event::{Place, line};
use crate::story::untimed::{columns, effects, several_senders};
use crate::{Words, error_words};
use machine::{Choice, Frozen, Instance, RunError, State};

/// What can happen next.
pub struct Next<'a> {
    /// What things are called.
    pub words: Words<'a>,
    /// What never changes.
    pub frozen: &'a Frozen,
    /// What has happened.
    pub so_far: &'a [Choice],
    /// Where it has led.
    pub now: &'a State,
    /// Everything that can happen now, and what would come of it.
    pub choices: &'a [(Choice, Result<State, RunError>)],
}

impl Next<'_> {
    /// A line for each choice, without number and indentation.
    pub fn lines(&self) -> Vec<String> {
        let possible = self.choices.iter().map(|(choice, _)| choice);
        let several = several_senders(self.words, self.so_far.iter().chain(possible));
        let place = Place {
            words: self.words,
            frozen: self.frozen,
        };
        let instance = Instance {
            machine: self.words.machine,
            frozen: self.frozen,
        };
        let choices = self.choices.iter();
        let rows: Vec<_> = choices
            .map(|(choice, after)| {
                let states = (self.now, after.as_ref().ok());
                let line = line(
                    place,
                    &several,
                    choice,
                    states,
                    &deed(instance, self.so_far, self.now, choice),
                );
                let mut effects = effects(&line);
                if let Err(error) = after {
                    let space = if effects.is_empty() { "" } else { "   " };
                    let error = error_words(self.words, error, Some(choice));
                    effects += &format!("{space}an error: {error}");
                }
                let who = line.name(self.words);
                (String::new(), who, line.what, effects)
            })
            .collect();
        let lines = columns(&rows).into_iter();
        lines.map(|line| line.trim_start().to_string()).collect()
    }
}
