//! Runs: their times by hand, what they show, and limits at chosen polls.

use cancellation::{Cancelled, Token};
use tck::{Progress, Query, Run, Subsumption, System, cycle, parse, reach};

fn system(text: &str) -> System {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The run to a state with these labels.
fn run(text: &str, labels: &[&str]) -> Run {
    let system = system(text);
    let query = system.query(labels).expect("labels");
    let found = reach(&system, &query, Subsumption::Alu, &mut |_| true).expect("a result");
    let path = found.path.expect("a path");
    path.run(&system, &[query]).expect("a run")
}

/// The run around a cycle with these labels in one state.
fn lasso(text: &str, labels: &[&str]) -> Run {
    let system = system(text);
    let query = system.query(labels).expect("labels");
    let queries = [query];
    let found = cycle(&system, &queries, &mut |_| true).expect("a result");
    let path = found.path.expect("a path");
    path.run(&system, &queries).expect("a run")
}

fn times(run: &Run) -> Vec<String> {
    run.events.iter().map(|e| e.time.to_string()).collect()
}

#[test]
fn times_are_the_earliest_that_satisfy_later_bounds_too() {
    // The second event is at most 2 before the third, which is not before 7: it cannot be at 0.
    let text = "system:s\nevent:a\nclock:1:x\nclock:1:y\nprocess:P\nlocation:P:l{initial:}\nlocation:P:m\nlocation:P:n\n\
                location:P:o{labels:o}\nedge:P:l:m:a\nedge:P:m:n:a{do:x=0}\nedge:P:n:o:a{provided:x<=2 && y>=7}\n";
    let run = run(text, &["o"]);
    assert_eq!(times(&run), ["0", "5", "7"]);
    let clocks: Vec<String> = run.end.clocks.iter().map(|c| c.1.to_string()).collect();
    assert_eq!(clocks, ["2", "7"]);
}

#[test]
fn strict_bounds_are_missed_by_equal_fractions() {
    // 1 < first, 2 < second - first, second < 4.
    let text = "system:s\nevent:a\nclock:1:x\nclock:1:y\nprocess:P\nlocation:P:l{initial:}\nlocation:P:m\n\
                location:P:n{labels:n}\nedge:P:l:m:a{provided:x>1:do:x=0}\nedge:P:m:n:a{provided:x>2 && y<4}\n";
    assert_eq!(times(&run(text, &["n"])), ["4/3", "11/3"]);
}

#[test]
fn copies_of_clocks_keep_their_value() {
    // y is 2 + x at the first event, which is at 3, so it is 6 at 4.
    let text = "system:s\nevent:a\nclock:1:x\nclock:1:y\nprocess:P\nlocation:P:l{initial:}\nlocation:P:m\n\
                location:P:n{labels:n}\nedge:P:l:m:a{provided:x>=3:do:y=2+x; x=1}\nedge:P:m:n:a{provided:y>=6 && x<=2}\n";
    let run = run(text, &["n"]);
    assert_eq!(times(&run), ["3", "4"]);
    let assigned = &run.events[0].assigned;
    let assigned: Vec<String> = assigned.iter().map(|(n, v)| format!("{n}={v}")).collect();
    assert_eq!(assigned, ["x=1", "y=5"]);
}

#[test]
fn no_time_passes_in_committed_and_urgent_locations() {
    for attribute in ["committed", "urgent"] {
        let text = format!(
            "system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:l{{initial:}}\nlocation:P:m{{{attribute}:}}\n\
             location:P:n{{labels:n}}\nedge:P:l:m:a\nedge:P:m:n:a{{provided:x>=3}}\n"
        );
        assert_eq!(times(&run(&text, &["n"])), ["3", "3"]);
    }
}

#[test]
fn a_cycle_is_repeated_from_equivalent_states_on() {
    // The clock y is compared to 5: at 5 it is 5, and at 7 it is greater for ever.
    let text = "system:s\nevent:a\nclock:1:x\nclock:1:y\nprocess:P\nlocation:P:l{initial:}\nlocation:P:m{labels:m}\n\
                edge:P:l:m:a{provided:x==2:do:x=0}\nedge:P:m:l:a{provided:y>=5 && x>=1:do:x=0}\n";
    let run = lasso(text, &["m"]);
    assert_eq!(run.repeats_from, Some(3));
    assert_eq!(times(&run), ["2", "5", "7", "8", "10"]);
    assert_eq!(run.period.expect("a period").to_string(), "3");
    // A cycle in which no time passes.
    let text = "system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:l{initial: : labels:l : invariant:x<=0}\nedge:P:l:l:a\n";
    let run = lasso(text, &["l"]);
    assert_eq!((run.repeats_from, run.events.len()), (Some(0), 1));
    assert_eq!(run.period.expect("a period").to_string(), "0");
}

#[test]
fn a_path_to_a_covered_state_has_a_run() {
    // The state after the first edge is covered by that after the second, but may be stored before it.
    let text = "system:s\nevent:a\nclock:1:x\nprocess:P\nlocation:P:l{initial:}\nlocation:P:m\nlocation:P:n{labels:n}\n\
                edge:P:l:m:a{provided:x>=3}\nedge:P:l:m:a\nedge:P:m:n:a{provided:x>=2}\n";
    assert_eq!(run(text, &["n"]).events.len(), 2);
}

#[test]
fn the_run_of_another_question_is_refused() {
    let text = "system:s\nevent:a\nprocess:P\nlocation:P:l{initial: : labels:l}\nlocation:P:m{labels:m}\nedge:P:l:m:a\n";
    let system = system(text);
    let (l, m) = (
        system.query(&["l"]).expect("l"),
        system.query(&["m"]).expect("m"),
    );
    let found = reach(&system, &m, Subsumption::Alu, &mut |_| true).expect("a result");
    let path = found.path.expect("a path");
    assert!(path.run(&system, &[m]).is_ok());
    let refused = path.run(&system, &[l]).expect_err("another state");
    assert!(refused.to_string().contains("does not replay"), "{refused}");
    // The edges of another system.
    let other = text.replace("location:P:m{", "location:P:m{invariant:1==0:");
    let other = parse(&other).expect("a system");
    let refused = path.run(&other, &[]).expect_err("an invariant");
    assert!(
        refused.to_string().contains("an invariant is violated"),
        "{refused}"
    );
}

#[test]
fn a_limit_at_any_poll_makes_no_other_answer() {
    let text = include_str!("../../../../../models/tck/gate.tck");
    let ask = |live: bool| {
        let system = parse(text).expect("a system");
        let queries: Vec<Query> = ["closed", "open"]
            .iter()
            .map(|l| system.query(&[l]).expect("a label"))
            .collect();
        let mut on = |_: &Progress| true;
        let path = match live {
            true => cycle(&system, &queries, &mut on).map(|found| found.path),
            false => reach(&system, &queries[0], Subsumption::Alu, &mut on).map(|found| found.path),
        };
        let asked = if live { &queries[..] } else { &queries[..1] };
        path.expect("a result")
            .map(|path| path.run(&system, asked).expect("a run"))
    };
    for live in [false, true] {
        let counter = Token::after_polls(u64::MAX, 0);
        let whole = cancellation::with(&counter, || ask(live));
        let polls = counter.polls();
        assert!(polls > 100, "{polls} polls");
        for limit in (0..polls + 20).step_by(7) {
            let token = Token::after_polls(limit, 0);
            let limited = cancellation::with(&token, || cancellation::catch(|| ask(live)));
            match limit < polls {
                true => assert_eq!(limited, Err(Cancelled), "{limit} of {polls}"),
                false => assert_eq!(limited, Ok(whole.clone()), "{limit} of {polls}"),
            }
        }
    }
}
