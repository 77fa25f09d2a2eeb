//! Mutation tests: models in which one token is changed, for diagnostics, and files of any kind with random changes.
//!
//! A user who makes a mistake needs a message that leads to it. [`mutate`] changes a token. [`judge()`] runs the text
//! through all steps of `check` before the search. A [`Tally`] counts how often the diagnostics lead to the mutation.
//! `cargo test` uses a small sample, `cargo xtask long` a large one.

mod bytes;
mod damage;
mod dice;
mod judge;
mod tally;
mod texts;

pub use bytes::mutate_bytes;
pub use damage::{Mutant, Operator, mutate};
pub use dice::Dice;
pub use judge::{Judgement, Outcome, errors, judge, lines_of};
pub use tally::{Row, Tally};
pub use texts::{Text, texts};

use std::sync::atomic::{AtomicUsize, Ordering};

/// Judges a number of mutants, the same ones in every run, on all cores.
pub fn sample(mutants: usize) -> Tally {
    let texts = texts();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut tally = Tally::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= mutants {
                return tally;
            }
            let mutant = mutant(&texts, number);
            tally.add(&mutant, judge(&mutant));
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let tallies = workers.into_iter().map(|w| w.join().expect("a tally"));
        tallies.fold(Tally::default(), Tally::and)
    })
}

/// The mutant with a number. Operators take turns; half of the mutants are of shipped models.
pub fn mutant<'t>(texts: &'t [Text], number: usize) -> Mutant<'t> {
    let operator = Operator::ALL[number % Operator::ALL.len()];
    let shipped = (number / Operator::ALL.len()).is_multiple_of(2);
    let fitting: Vec<&Text> = texts.iter().filter(|t| t.shipped == shipped).collect();
    let mut dice = Dice::new(number as u64);
    loop {
        let text = fitting[dice.roll(fitting.len())];
        if let Some(mutant) = mutate(text, operator, &mut dice) {
            return mutant;
        }
    }
}
