//! Tests of bounded model checking, k-induction and PDR, on circuits and on Machines.

mod circuits;
mod machines;
