//! The engine against the reference interpreter on random Machines with times on a grid.

mod oracle;

use machine::random::{Size, random_timed_machine};
use machine::verify;
use oracle::judge::Outcome;
use oracle::referee::Case;

/// How many Machines are compared; the long run takes more.
fn wanted() -> u64 {
    let wanted = std::env::var("SCRUTINEER_SAMPLE").ok();
    wanted.map_or(300, |n| n.parse().expect("SCRUTINEER_SAMPLE is a number"))
}

#[test]
fn engine_and_interpreter_agree_about_time() {
    let size = Size {
        nodes: 2,
        values: 6,
        depth: 1,
        properties: 5,
    };
    let (mut wrong, mut judged) = (Vec::new(), 0);
    for seed in 0..wanted() {
        let machine = random_timed_machine(seed, &size);
        verify(&machine).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{machine}"));
        let case = Case::new(machine);
        judged += u64::from(matches!(case.outcome, Outcome::Judged(_)));
        if let Err(why) = case.compare() {
            wrong.push(format!("seed {seed}: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(judged > wanted() / 3, "only {judged} are small enough");
}
