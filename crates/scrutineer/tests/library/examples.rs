//! Runs the tests and the `main` functions of the examples.

#[path = "../../examples/build_a_machine.rs"]
mod build_a_machine;
#[path = "../../examples/check_in_a_test.rs"]
mod check_in_a_test;
#[path = "../../examples/read_a_counterexample.rs"]
mod read_a_counterexample;

pub(crate) use build_a_machine::adders;
pub(crate) use read_a_counterexample::charged_once;

#[test]
fn the_examples_run() {
    build_a_machine::main().expect("a Machine");
    check_in_a_test::main().expect("a model");
    read_a_counterexample::main().expect("a model");
}
