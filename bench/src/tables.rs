//! The questions, and figures of other tools for them.
//!
//! Figures from papers were measured years ago, on the machines of their authors. A ratio to such a figure therefore
//! compares the methods only roughly: it includes the difference between the machines.

/// Questions about one subject.
pub(crate) struct Table {
    /// The name of the table on the command line and in file names.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// An introduction to the page, with the source of the figures of other tools.
    pub(crate) about: &'static str,
    pub(crate) rows: &'static [Row],
}

/// A check of a model, with figures of other tools for it.
pub(crate) struct Row {
    /// The question in words.
    pub(crate) about: &'static str,
    /// The path of a shipped model; its own checks are not run.
    pub(crate) model: &'static str,
    pub(crate) check: &'static str,
    /// Further options of `check`.
    pub(crate) options: &'static [&'static str],
    /// Figures of other tools or methods for this question.
    pub(crate) figures: &'static [Figure],
    /// Whether the check takes only seconds.
    pub(crate) quick: bool,
}

/// The figure of another tool or method.
pub(crate) struct Figure {
    pub(crate) by: &'static str,
    pub(crate) seconds: f64,
    /// Whether the run was stopped after this time, so that the figure is a lower bound.
    pub(crate) at_least: bool,
}

const fn took(by: &'static str, seconds: f64) -> Figure {
    Figure {
        by,
        seconds,
        at_least: false,
    }
}

const fn over(by: &'static str, seconds: f64) -> Figure {
    Figure {
        by,
        seconds,
        at_least: true,
    }
}

const fn row(
    about: &'static str,
    model: &'static str,
    check: &'static str,
    figures: &'static [Figure],
) -> Row {
    Row {
        about,
        model,
        check,
        options: &[],
        figures,
        quick: true,
    }
}

impl Row {
    /// The question with further options of `check`.
    const fn with(self, options: &'static [&'static str]) -> Row {
        Row { options, ..self }
    }

    const fn slow(self) -> Row {
        Row {
            quick: false,
            ..self
        }
    }
}

const ELECTION: &str = "models/thales-election.scrut";
const MEMBERSHIP: &str = "models/membership.scrut";

const RING: &str = "models/chang-roberts.scrut";
const RING_OF_3: &str = "agreement for n = 3, ids = [2, 3, 1] expect holds";
const RING_OF_10: &str =
    "agreement for n = 10, ids = [32, 45, 12, 21, 10, 11, 99, 87, 41, 37] expect holds";
const COMMIT: &str = "models/two-phase-commit.scrut";
const COMMIT_OF_2: &str = "agree, honest for n = 2 expect holds";

const STATES: &[&str] = &["--by", "states"];
const SEARCH: &[&str] = &["--by", "search"];
const INDUCTION: &[&str] = &["--by", "induction"];
const PDR: &[&str] = &["--by", "pdr"];

/// All tables.
pub(crate) const TABLES: &[Table] = &[
    Table {
        name: "election",
        title: "Leader election among periodic nodes, all nodes in one model",
        about: "É. André, L. Fribourg, J.-M. Mota, R. Soulat, VMCAI 2019, Table 3: SafeProver proves on a model of all nodes \
                that 4 activations are enough. Here, each check computes the least number: it proves 4 for runs of any length and \
                finds a counterexample for 3. Nodes start with any roles and turns, and up to p - 1 nodes are off from the start.",
        rows: &[
            row("2 nodes", ELECTION, "least a: elected(a) for p = 2 expect 4", &[]),
            row("3 nodes", ELECTION, "least a: elected(a) for p = 3 expect 4", &[]),
            row(
                "4 nodes",
                ELECTION,
                "least a: elected(a) for p = 4 expect 4",
                &[took("SafeProver", 66.65)],
            ),
            row(
                "5 nodes",
                ELECTION,
                "least a: elected(a) for p = 5 expect 4",
                &[took("SafeProver", 215.61)],
            ),
            row(
                "6 nodes",
                ELECTION,
                "least a: elected(a) for p = 6 expect 4",
                &[over("SafeProver", 3600.0)],
            ),
            row("10 nodes", ELECTION, "least a: elected(a) for p = 10 expect 4", &[]),
            row("20 nodes", ELECTION, "least a: elected(a) for p = 20 expect 4", &[]),
            row("40 nodes", ELECTION, "least a: elected(a) for p = 40 expect 4", &[]).slow(),
        ],
    },
    Table {
        name: "membership",
        title: "Membership, all nodes in one model",
        about: "N. Kosmatov, D. Longuet, R. Soulat, an experience report: the figures are for SafeProver with faults and for \
                CBMC without faults. The algorithm of the report is confidential; the model here has the properties that the report \
                states. Here, each check computes the least numbers for all three stages, 2, 5 and 7: it proves them for runs of any \
                length and finds a counterexample for the next smaller number of each.",
        rows: &[
            row(
                "3 nodes, any of them silent",
                MEMBERSHIP,
                "least a: heard_right(a), proposal_right(a), view_right(a) in Silent for p = 3 expect 2, 5, 7",
                &[took("SafeProver", 59.5)],
            ),
            row(
                "4 nodes, any of them silent",
                MEMBERSHIP,
                "least a: heard_right(a), proposal_right(a), view_right(a) in Silent for p = 4 expect 2, 5, 7",
                &[took("SafeProver", 5748.0)],
            ),
            row(
                "5 nodes, any of them silent",
                MEMBERSHIP,
                "least a: heard_right(a), proposal_right(a), view_right(a) in Silent for p = 5 expect 2, 5, 7",
                &[over("SafeProver", 7200.0)],
            ),
            row(
                "6 nodes, any of them silent",
                MEMBERSHIP,
                "least a: heard_right(a), proposal_right(a), view_right(a) in Silent for p = 6 expect 2, 5, 7",
                &[],
            ),
            row(
                "10 nodes, any of them silent",
                MEMBERSHIP,
                "least a: heard_right(a), proposal_right(a), view_right(a) in Silent for p = 10 expect 2, 5, 7",
                &[],
            )
            .slow(),
            row(
                "3 nodes, no faults",
                MEMBERSHIP,
                "least a: heard_right(a), proposal_right(a), view_right(a) for p = 3 expect 2, 5, 7",
                &[took("CBMC", 37.75)],
            ),
            row(
                "4 nodes, no faults",
                MEMBERSHIP,
                "least a: heard_right(a), proposal_right(a), view_right(a) for p = 4 expect 2, 5, 7",
                &[took("CBMC", 892.0)],
            ),
            row(
                "5 nodes, no faults",
                MEMBERSHIP,
                "least a: heard_right(a), proposal_right(a), view_right(a) for p = 5 expect 2, 5, 7",
                &[over("CBMC", 7200.0)],
            ),
        ],
    },
    Table {
        name: "every",
        title: "Periodic nodes, from five to any number of them",
        about: "The claims of the two tables for all nodes in one model, for many nodes and for every number of nodes. Up to \
                15 nodes are all in one model (the method is the order of events); more are answered from the code of one \
                node, so the cost does not grow with their number. The figures of the same papers are for SafeProver: on \
                models of all nodes, and on abstractions to one node that were made by hand for one number of nodes. \
                Membership is the algorithm A, whose nodes may be off, mute or isolated, and the variant B that also stands \
                deaf nodes, with the same faults.",
        rows: &[
            row(
                "election, p = 5",
                ELECTION,
                "elected(4) for p = 5 expect holds",
                &[took("SafeProver, all nodes", 215.61)],
            ),
            row(
                "election, p = 50",
                ELECTION,
                "elected(4) for p = 50 expect holds",
                &[],
            ),
            row(
                "election, p = 500",
                ELECTION,
                "elected(4) for p = 500 expect holds",
                &[took("SafeProver, one node", 13.34)],
            ),
            row(
                "election, p = 1000",
                ELECTION,
                "elected(4) for p = 1000 expect holds",
                &[took("SafeProver, one node", 45.95)],
            ),
            row(
                "election, p = 5000",
                ELECTION,
                "elected(4) for p = 5000 expect holds",
                &[took("SafeProver, one node", 623.46)],
            ),
            row(
                "election, every p",
                ELECTION,
                "elected(4) for every p expect holds",
                &[],
            ),
            row(
                "membership A, any nodes silent, p = 5",
                MEMBERSHIP,
                "heard_right(2), proposal_right(5), view_right(7) in Silent for p = 5 expect holds",
                &[over("SafeProver, all nodes", 7200.0)],
            ),
            row(
                "membership A, any nodes silent, p = 18",
                MEMBERSHIP,
                "heard_right(2), proposal_right(5), view_right(7) in Silent for p = 18 expect holds",
                &[took("SafeProver, one node", 9.74)],
            ),
            row(
                "membership A, any nodes silent, p = 42",
                MEMBERSHIP,
                "heard_right(2), proposal_right(5), view_right(7) in Silent for p = 42 expect holds",
                &[took("SafeProver, one node", 312.0)],
            ),
            row(
                "membership A, any nodes silent, p = 50",
                MEMBERSHIP,
                "heard_right(2), proposal_right(5), view_right(7) in Silent for p = 50 expect holds",
                &[],
            ),
            row(
                "membership A, any nodes silent, p = 100",
                MEMBERSHIP,
                "heard_right(2), proposal_right(5), view_right(7) in Silent for p = 100 expect holds",
                &[took("SafeProver, one node", 930.0)],
            ),
            row(
                "membership A, any nodes silent, p = 500",
                MEMBERSHIP,
                "heard_right(2), proposal_right(5), view_right(7) in Silent for p = 500 expect holds",
                &[],
            ),
            row(
                "membership A, any nodes silent, p = 5000",
                MEMBERSHIP,
                "heard_right(2), proposal_right(5), view_right(7) in Silent for p = 5000 expect holds",
                &[],
            ),
            row(
                "membership A, any nodes silent, every p",
                MEMBERSHIP,
                "heard_right(2), proposal_right(5), view_right(7) in Silent for every p expect holds",
                &[],
            ),
            row(
                "membership B, any nodes silent, p = 5",
                MEMBERSHIP,
                "heard_right(2), proposal_right(5), view_right(7) with Linked in Silent for p = 5 expect holds",
                &[],
            ),
            row(
                "membership B, any nodes silent, p = 50",
                MEMBERSHIP,
                "heard_right(2), proposal_right(5), view_right(7) with Linked in Silent for p = 50 expect holds",
                &[],
            ),
            row(
                "membership B, any nodes silent, p = 500",
                MEMBERSHIP,
                "heard_right(2), proposal_right(5), view_right(7) with Linked in Silent for p = 500 expect holds",
                &[],
            ),
            row(
                "membership B, any nodes silent, p = 5000",
                MEMBERSHIP,
                "heard_right(2), proposal_right(5), view_right(7) with Linked in Silent for p = 5000 expect holds",
                &[],
            ),
            row(
                "membership B, any nodes silent, every p",
                MEMBERSHIP,
                "heard_right(2), proposal_right(5), view_right(7) with Linked in Silent for every p expect holds",
                &[],
            ),
        ],
    },
    Table {
        name: "methods",
        title: "The same question by several methods",
        about: "Each method (`check --by`) checks the same invariants: explicit search without reductions, explicit search with \
                partial-order and symmetry reduction, k-induction, and property directed reachability (PDR). The last two work \
                on circuits.",
        rows: &[
            row("ring of 3", RING, RING_OF_3, &[]).with(STATES),
            row("ring of 3", RING, RING_OF_3, &[]).with(SEARCH),
            row("ring of 3", RING, RING_OF_3, &[]).with(INDUCTION),
            row("ring of 3", RING, RING_OF_3, &[]).with(PDR),
            row("ring of 10", RING, RING_OF_10, &[]).with(STATES),
            row("ring of 10", RING, RING_OF_10, &[]).with(SEARCH),
            row("two-phase commit, 2 participants", COMMIT, COMMIT_OF_2, &[]).with(STATES),
            row("two-phase commit, 2 participants", COMMIT, COMMIT_OF_2, &[]).with(SEARCH),
            row("two-phase commit, 2 participants", COMMIT, COMMIT_OF_2, &[]).with(INDUCTION),
            row("two-phase commit, 2 participants", COMMIT, COMMIT_OF_2, &[]).with(PDR),
        ],
    },
];
