//! Prints the answers for a Machine in its text form: `ask FILE [bmc | induction | pdr]`.

use invariants::Method;
use verdict::{Question, Unlimited};

fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().expect("a file with a Machine");
    let text = std::fs::read_to_string(&file).expect("readable");
    let machine = machine::parse(&text).expect("a Machine");
    let by = args.next().map(|name| match name.as_str() {
        "bmc" => Method::Bmc,
        "induction" => Method::Induction,
        "pdr" => Method::Pdr,
        other => panic!("no method `{other}`"),
    });
    let question = Question {
        machine: &machine,
        fair: true,
    };
    let report = invariants::run(&question, by, &Unlimited).expect("a report");
    for result in &report.results {
        let (answer, by) = (&result.answer, result.by);
        let steps = answer.run().map(|run| run.choices.len());
        let word: String = format!("{answer:?}").chars().take(60).collect();
        println!("{word} by {by:?} {steps:?}");
    }
}
