//! Tests that translation, direct evaluation, independent translators and the lasso search agree.

mod agreement;
mod cross;
mod gpvw;
mod graphs;
mod lassos;
mod random;
mod sizes;
mod text;
mod textbook;
