//! Compares zones with sets of points: all zones of small worlds, random zones, and zones with an infinitesimal unit.

mod abstractions;
mod bounds;
mod detected;
mod infinitesimal;
mod minimal;
mod naive;
mod operations;
mod range;
mod world;
