//! What translation, automata, direct evaluation and short accepted runs owe one another.

mod agreement;
mod cross;
mod gpvw;
mod graphs;
mod lassos;
mod random;
mod sizes;
mod text;
mod textbook;
