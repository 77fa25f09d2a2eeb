//! Open Machines: at each size they are what lowering gives; what cannot be open is refused by name.

use super::Text;
use expect_test::{Expect, expect};
use lower::{OpenLowered, Request, open};
use model::Constant;

/// The shipped models with a parameter that is a number of nodes.
const MODELS: [(&str, &str); 17] = [
    (
        "agreement",
        include_str!("../../../../models/agreement.scrut"),
    ),
    (
        "chang-roberts",
        include_str!("../../../../models/chang-roberts.scrut"),
    ),
    (
        "commit-recovery",
        include_str!("../../../../models/commit-recovery.scrut"),
    ),
    ("coup", include_str!("../../../../models/coup.scrut")),
    (
        "dolev-klawe-rodeh",
        include_str!("../../../../models/dolev-klawe-rodeh.scrut"),
    ),
    (
        "election-delays",
        include_str!("../../../../models/election-delays.scrut"),
    ),
    (
        "election-losses",
        include_str!("../../../../models/election-losses.scrut"),
    ),
    (
        "equal-numbers",
        include_str!("../../../../models/equal-numbers.scrut"),
    ),
    (
        "heartbeat",
        include_str!("../../../../models/heartbeat.scrut"),
    ),
    (
        "hirschberg-sinclair",
        include_str!("../../../../models/hirschberg-sinclair.scrut"),
    ),
    (
        "membership",
        include_str!("../../../../models/membership.scrut"),
    ),
    ("monitor", include_str!("../../../../models/monitor.scrut")),
    (
        "mutual-exclusion",
        include_str!("../../../../models/mutual-exclusion.scrut"),
    ),
    ("paxos", include_str!("../../../../models/paxos.scrut")),
    (
        "raft-election",
        include_str!("../../../../models/raft-election.scrut"),
    ),
    (
        "thales-election",
        include_str!("../../../../models/thales-election.scrut"),
    ),
    (
        "two-phase-commit",
        include_str!("../../../../models/two-phase-commit.scrut"),
    ),
];

/// The names of parameters that are numbers of nodes in these models.
const SIZES: [&str; 5] = ["n", "p", "sensors", "acceptors", "proposers"];

/// The requests of a model for every value of a parameter: one for each check.
fn requests(text: &Text, size: &str) -> Vec<Request> {
    let Some(param) = text.model.params.iter().position(|p| p.name == size) else {
        return Vec::new();
    };
    let of = |check: usize| {
        let requests = text.instances(check, &[&format!("{size}=20")]).ok();
        let defined = requests.or_else(|| text.instances(check, &[]).ok())?;
        let mut request = defined.first()?.clone();
        let every = vec![model::ParamId(param as u32)];
        request.every = every.clone();
        request = [1, 2, 3]
            .into_iter()
            .find_map(|least| request.at(&text.model, least).ok())?;
        request.every = every;
        request.sized = None;
        let asks = &text.model.checks[check].question;
        match matches!(asks, model::Question::Extreme { .. }) {
            true => request.with(&text.model, &[Constant::Int(5)]).ok(),
            false => Some(request),
        }
    };
    (0..text.model.checks.len()).filter_map(of).collect()
}

#[test]
fn at_each_size_an_open_machine_is_what_lowering_gives() {
    let mut compared = 0;
    let mut found = Vec::new();
    for (name, model) in MODELS {
        let text = Text::new(model);
        let mut opened = 0;
        for size in SIZES {
            for request in requests(&text, size) {
                let Ok(open) = open(&text.model, &text.sources, &request) else {
                    continue;
                };
                opened += 1;
                let least = i64::from(open.machine.size.least);
                for n in least..=6 {
                    let sized = request.at(&text.model, n).expect("a size");
                    let lowered = text.lower(&sized).expect("a Machine");
                    let same = open.machine.at(n as u32);
                    assert!(
                        lowered.machine == same,
                        "{name} {size} = {n}\n{}\n{same}",
                        lowered.machine
                    );
                    compared += 1;
                }
                let again = machine::parse_open(&open.machine.to_string());
                assert_eq!(again.as_ref(), Ok(&open.machine), "{name}");
            }
        }
        if opened > 0 {
            found.push(name);
        }
    }
    println!("{found:?}");
    assert!(compared >= 100, "only {compared}");
    for name in [
        "heartbeat",
        "membership",
        "thales-election",
        "chang-roberts",
    ] {
        assert!(found.contains(&name), "{name} has no open Machine");
    }
}

/// The open Machine of the first check, or why there is none.
#[track_caller]
fn opened(text: &Text) -> Result<OpenLowered, String> {
    let requests = text.instances(0, &[]).unwrap_or_else(|e| panic!("{e}"));
    open(&text.model, &text.sources, &requests[0]).map_err(|not| {
        let place = not.place.map_or("", |place| text.sources.slice(place));
        format!("`{place}` {}", not.what)
    })
}

const BALLOT: &str = "
    param n: 1..9 = 3
    message Vote
    node Voter[n] {
        var votes: Set<Node> = {}
        start { broadcast Vote }
        on Vote from k { votes = votes union { k } }
    }
    network complete { to self }
";

#[test]
fn majorities_are_expressions_of_the_size() {
    let text = Text::new(&format!(
        "{BALLOT}
        claim one: always all k in Voter: size(k.votes) < floor(n / 2) + 1
        claim two: always all k in Voter: 2 * size(k.votes) > n
        check one, two for every n"
    ));
    let open = opened(&text).expect("an open Machine");
    let bounds = |n: u32| {
        let mut found = Vec::new();
        open.machine.at(n).each_expr(&mut |e| {
            if let machine::Expr::Const(machine::Value::Int(i)) = e {
                found.push(*i);
            }
        });
        found
    };
    assert_eq!(bounds(2), [2, 2, 1, 2, 2]);
    assert_eq!(bounds(3), [3, 2, 1, 2, 3]);
    assert_eq!(bounds(7), [7, 2, 1, 2, 7]);
}

#[test]
fn a_parameter_that_is_computed_from_the_size_is_no_constant() {
    // Its value is 2 for 2 and for 3.
    let model = BALLOT.replace(
        "message",
        "param quorum: 1..9 = floor(n / 2) + 1\n    message",
    );
    let text = Text::new(&format!(
        "{model}
        claim one: always all k in Voter: size(k.votes) < quorum
        check one for every n"
    ));
    let refused = opened(&text).expect_err("a range that holds at one size");
    expect!["`floor(n / 2) + 1` its range is checked at one `n` only"].assert_eq(&refused);
}

#[track_caller]
fn refused(change: (&str, &str), check: &str, expected: Expect) {
    let text = Text::new(&format!(
        "{}\n{check}",
        BALLOT.replacen(change.0, change.1, 1)
    ));
    expected.assert_eq(&opened(&text).expect_err("this cannot be open"));
}

#[test]
fn other_uses_of_the_size_are_refused_by_name() {
    let claim = "claim c: always all k in Voter: size(k.votes) < 9\n check c for every n";
    refused(
        ("var votes", "var turn: 0..n = 0\n var votes"),
        claim,
        expect!["`n` this cannot be computed from the parameters"],
    );
    refused(
        ("node Voter[n]", "node Voter[n + 1]"),
        claim,
        expect!["`n + 1` is a number of nodes other than the parameter itself"],
    );
    refused(
        (
            "to self }",
            "to self }\n faults at most floor(n / 2) nodes: crash any time",
        ),
        claim,
        expect!["`floor(n / 2)` is a limit of faults that is neither fixed nor all nodes but some"],
    );
    refused(
        ("network complete", "network grid(1, n)"),
        claim,
        expect!["`grid(1, n)` is no network that has one form for every size"],
    );
    refused(
        (
            "start { broadcast Vote }",
            "start { let many = size(Voter)\n if many > 2 { broadcast Vote } }",
        ),
        claim,
        expect![
            "`` the Machines of all sizes have no common form: with 2: block start: local many is a Int(0, 2)"
        ],
    );
    refused(
        ("node Voter[n]", "node Voter[3]"),
        claim,
        expect!["`` `n` is not the number of nodes of a kind"],
    );
}

#[test]
fn all_nodes_but_some_may_have_faults() {
    let model = BALLOT.replace(
        "to self }",
        "to self }\n faults at most n - 1 nodes: off from start",
    );
    let text = Text::new(&format!(
        "{model}\n claim c: always all k in Voter: size(k.votes) < 9\n check c for every n"
    ));
    let open = opened(&text).expect("an open Machine");
    assert_eq!(open.machine.limits, [machine::OpenLimit::AllBut(1)]);
    assert_eq!(open.machine.at(5).node_faults[0].limit, Some(4));
}
