//! Tests of the enumerator: counts and answers derived by hand, published, or found by independent programs.

mod agreement;
mod chang_roberts;
mod ftsp;
mod mutants;
mod protocols;
mod small;
mod time;
