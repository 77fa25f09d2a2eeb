//! Tests of the Machine: text form, verifier, reference interpreter and analyses.

mod chang_roberts;
mod counters;
mod filetests;
mod initial_states;
mod node_order;
mod open;
mod order_constraints;
mod order_timings;
mod random_machines;
mod refusals;
mod rotation;
mod sampling;
mod text;
mod timed;
