//! Runs a large sample of mutated models and prints statistics: `long [MUTANTS] [--misses] [--talkative]`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut mutants = 100_000;
    let (mut misses, mut talkative) = (false, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--misses" => misses = true,
            "--talkative" => talkative = true,
            number => match number.parse() {
                Ok(number) => mutants = number,
                Err(_) => {
                    eprintln!("not a number of mutants: {number}");
                    return ExitCode::from(2);
                }
            },
        }
    }
    let tally = mutations::sample(mutants);
    for defect in &tally.defects {
        println!("{defect}\n");
    }
    if misses {
        for miss in &tally.misses {
            println!("{miss}\n");
        }
    }
    if talkative {
        for (_, said) in &tally.talkative {
            println!("{said}\n");
        }
    }
    print!("{tally}");
    let mut good = tally.defects.is_empty();
    if tally.too_slow() {
        println!("reading a mutant took longer than a second");
        good = false;
    }
    for (operator, row) in tally.rows() {
        if !row.leads(operator) {
            println!("{}: too few messages lead to the damage", operator.words());
            good = false;
        }
        if !row.to_the_point() {
            println!("{}: too much is said", operator.words());
            good = false;
        }
    }
    ExitCode::from(u8::from(!good))
}
