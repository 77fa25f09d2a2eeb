//! What translation, automata and direct evaluation owe one another.

mod agreement;
mod random;
mod sizes;
mod textbook;
