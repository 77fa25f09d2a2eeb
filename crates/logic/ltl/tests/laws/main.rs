//! Laws between translation, automata, direct evaluation and short accepting lassos.

mod agreement;
mod cross;
mod gpvw;
mod graphs;
mod lassos;
mod random;
mod sizes;
mod text;
mod textbook;
