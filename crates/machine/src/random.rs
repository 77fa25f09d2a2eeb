//! Random Machines for tests.
