//! What translation, automata, direct evaluation and the search for accepted runs owe one another.

mod agreement;
mod cross;
mod emptiness;
mod gpvw;
mod graphs;
mod random;
mod sizes;
mod text;
mod textbook;
