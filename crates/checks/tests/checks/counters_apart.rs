//! Counters that grow apart are named by every search that a limit ends, also by one that was meant to be brief.

use crate::order_models::comparison::machines;
use checks::load_text;
use std::cell::Cell;
use verdict::{Budget, Progress, Question, Spent, StateLimited, Unlimited};

/// One counter stays behind the other for ever.
const DRIFT: &str = "
node P {
    var fast: Counter = 0
    var slow: Counter = 0
    when tick: true { fast = fast + 1 }
    when tock: slow < fast { slow = slow + 1 }
}
network complete
claim ahead: always P.slow <= P.fast
check ahead
";

/// An unlimited budget that keeps by how much counters were said to differ.
struct Seen(Cell<Option<i64>>);

impl Budget for Seen {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        if progress.apart.is_some() {
            self.0.set(progress.apart);
        }
        Unlimited.ask(progress)
    }
}

#[test]
fn a_search_with_few_states_names_them() {
    let loaded = load_text("drift.scrut", DRIFT);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let machine = machines(&loaded).remove(0);
    let question = Question {
        machine: &machine,
        fair: true,
    };
    let seen = Seen(Cell::new(None));
    let brief = StateLimited::attempt(&seen, 10_000);
    let report = explicit::run(&question, &explicit::Options::default(), &brief);
    let apart = report.expect("a report").findings.apart.expect("counters");
    let names: Vec<&str> = apart.counters.iter().map(|(name, _)| &name[..]).collect();
    assert_eq!(names, ["fast", "slow"]);
    // The progress tells the bounds of the search that is under way, which are wider than those that were exceeded.
    assert!(seen.0.get().is_some_and(|by| by >= apart.by), "{apart:?}");
}
