//! What translation, automata, direct evaluation and the search for accepted runs owe one another.

mod agreement;
mod emptiness;
mod graphs;
mod random;
mod sizes;
mod textbook;
