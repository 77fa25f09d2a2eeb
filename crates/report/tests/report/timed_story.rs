//! Stories of runs with times.

use crate::timed;
use expect_test::expect;
use report::{headline, story};

#[test]
fn a_silence() {
    let walk = timed::silence();
    let lines = story(&walk.replay()).join("\n");
    expect![[r#"
               start  node 1 Leader, turn 0; node 2 Follower, turn 2
                0 ms  node 1  activation 1   reads Hello(sender #2, role Follower) from node 2   role Leader → Follower
                5 ms  node 2  activation 1
               49 ms  node 1  activation 2
               56 ms  node 2  activation 2   reads Hello(sender #1, role Follower) from node 1   role Follower → Candidate
                   ⋯  5 activations of nodes 1 and 2
              200 ms  node 2  activation 5   reads Hello(sender #1, role Follower) from node 1   role Candidate → Leader
              245 ms  node 1  activation 6
              250 ms  node 2  activation 6
              294 ms  node 2  activation 7   → Hello(sender #2, role Leader) to node 1
        same instant  node 1  activation 7   reads 2 messages from node 2
              318 ms  node 1  activation 8
              342 ms  node 1  activation 9
              366 ms  node 1  activation 10  reads nothing from node 2   role Follower → Candidate
              370 ms  node 2  activation 8   → Hello(sender #2, role Leader) to node 1
        at 366 ms the claim is false:  k.role == Follower
        for k = node 1:  role = Candidate"#]].assert_eq(&lines);
    expect!["node 1 becomes Candidate: for 72 ms it hears nothing from node 2"]
        .assert_eq(&headline(&walk.replay()).expect("a headline"));
}

#[test]
fn alone() {
    let walk = timed::alone();
    let lines = story(&walk.replay()).join("\n");
    expect![[r#"
            start  node 1 off; node 2 Follower, turn 1
         50.00 ms  node 2  activation 1
        100.50 ms  node 2  activation 2  reads only what it sent itself   role Follower → Candidate
        150.75 ms  node 2  activation 3
        here the claim is false:  boss.role == Leader
        boss.role = Candidate (node 2)"#]]
    .assert_eq(&lines);
}

/// In a run without times, the lines of the story begin with event numbers.
#[test]
fn rounds() {
    let walk = timed::rounds();
    let lines = story(&walk.replay()).join("\n");
    expect![[r#"
        start  node 1 Candidate, turn 2; node 2 Leader, turn 0
            1  node 1  activation 1
            2  node 2  activation 1
            3  node 2  activation 2  → Hello(sender #2, role Leader) to node 1
            4  node 1  activation 2  reads 2 messages from node 2   role Candidate → Follower
            ⋯  4 activations of nodes 1 and 2
            9  node 2  activation 5
        here the claim is false:  k.role == Follower
        for k = node 1"#]]
    .assert_eq(&lines);
}

/// The story of a long run is short, because events that do not matter are folded.
#[test]
fn long_ways_are_folded() {
    for seed in 0..30 {
        let walk = timed::random(seed, 3, 200, false);
        if walk.run.ending != verdict::Ending::Open || walk.run.choices.len() < 200 {
            continue;
        }
        let lines = story(&walk.replay());
        assert!(lines.len() < 80, "seed {seed}: {} lines", lines.len());
    }
}

/// All states of the ITF trace have the same variables, with inboxes and the time.
#[test]
fn traces_have_inboxes_and_times() {
    let walk = timed::silence();
    let trace = report::itf::itf(&walk.replay(), "elected(6)");
    let states = trace["states"].as_array().expect("states");
    assert_eq!(states.len(), walk.states.len());
    for state in states {
        let keys = trace["vars"].as_array().expect("variables");
        assert!(
            keys.iter()
                .all(|key| state.get(key.as_str().expect("a name")).is_some())
        );
        assert!(state.get("inbox").is_some() && state.get("time").is_some());
    }
    assert_eq!(states[17]["time"], "366");
}

/// On a page the column of times is wide enough for the longest time.
#[test]
fn times_have_room_on_a_page() {
    let walk = timed::alone();
    let page = report::page(&walk.replay(), &report::Caption::default(), None);
    // Nine characters for `150.75 ms`, and two for the mark of the failure.
    assert!(page.contains("style=\"--when:11ch\""), "{page}");
}
