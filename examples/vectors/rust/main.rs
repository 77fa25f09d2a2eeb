//! Runs an implementation of the membership node against the vectors that `scrutineer tests` made of the model.
//!
//! ```text
//! scrutineer tests models/membership.scrut -D p=3 --out vectors
//! rustc --edition 2021 examples/vectors/rust/main.rs -o membership-test
//! ./membership-test vectors/vectors.json
//! ```
//!
//! With `--cfg planted` the implementation has a mistake, and the test fails.

mod json;
mod member;

use json::Json;
use member::{Alive, Member, Nodes};
use std::process::ExitCode;

fn main() -> ExitCode {
    let path = std::env::args().nth(1).expect("the path of vectors.json");
    let text = std::fs::read_to_string(&path).expect("a file that can be read");
    let all = Json::read(&text).expect("JSON");
    assert_eq!(all.get("scrutineer_vectors").number(), 1, "another version");
    assert_eq!(all.get("kind").text(), "Member", "vectors of another node");
    let mut failed = 0;
    let vectors = all.get("vectors").list();
    for vector in vectors {
        if let Err(why) = run(&all, vector) {
            let number = vector.get("number").number();
            println!("vector {number} ({}, line {}): {why}", vector.get("block").text(), vector.get("line").number());
            failed += 1;
        }
    }
    println!("{} of {} vectors passed", vectors.len() - failed, vectors.len());
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Runs one vector; says what differs.
fn run(all: &Json, vector: &Json) -> Result<(), String> {
    let me = vector.get("node").number();
    let of_node = |node: &&Json| node.get("node").number() == me;
    let node = all.get("nodes").list().iter().find(of_node);
    let neighbours = node.expect("the node").get("neighbours").list().iter();
    let neighbours: Vec<usize> = neighbours.map(|n| n.number() as usize).collect();
    let mut member = member(me as usize, vector.get("before"));
    let sent = member.activate(&neighbours);
    let expected = self::member(me as usize, vector.get("after"));
    same("heard", &member.heard, &expected.heard)?;
    same("proposal", &member.proposal, &expected.proposal)?;
    same("view", &member.view, &expected.view)?;
    same("reading", &member.reading, &expected.reading)?;
    same("inbox", &member.inbox, &expected.inbox)?;
    same("sent", &sent, &messages("to", vector.get("sent")))
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, is: &T, should: &T) -> Result<(), String> {
    match is == should {
        true => Ok(()),
        false => Err(format!("{what} is {is:?} and should be {should:?}")),
    }
}

fn member(me: usize, state: &Json) -> Member {
    let vars = state.get("vars");
    Member {
        me,
        heard: nodes(vars.get("heard")),
        proposal: nodes(vars.get("proposal")),
        view: nodes(vars.get("view")),
        reading: vars.get("reading").is_true(),
        inbox: messages("from", state.get("inbox")),
    }
}

fn messages(way: &str, list: &Json) -> Vec<(usize, Alive)> {
    let one = |message: &Json| {
        assert_eq!(message.get("type").text(), "Alive", "another message");
        let fields = message.get("fields");
        let alive = Alive {
            from: fields.get("from").number() as usize,
            heard: nodes(fields.get("heard")),
            proposal: nodes(fields.get("proposal")),
        };
        (message.get(way).number() as usize, alive)
    };
    list.list().iter().map(one).collect()
}

fn nodes(set: &Json) -> Nodes {
    set.list().iter().fold(0, |all, node| all | 1 << (node.number() - 1))
}
