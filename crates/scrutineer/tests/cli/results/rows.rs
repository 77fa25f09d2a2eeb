//! The questions about the published studies, and the results in their papers. New questions are added here; the
//! answers are computed.

/// A paper, and the questions about the models made from it.
pub struct Study {
    /// The heading on the page.
    pub title: &'static str,
    /// The reference to the paper.
    pub source: &'static str,
    /// A description of the system and of the method of the paper.
    pub about: &'static str,
    /// The questions.
    pub rows: &'static [Row],
}

/// A question about a study.
pub struct Row {
    /// The question in words.
    pub question: &'static str,
    /// The model file, as a path from the root of the repository.
    pub model: &'static str,
    /// The check, without the words `check` and `expect …`. If it ends in `…`, only its start.
    pub check: &'static str,
    /// The result in the paper, and where the paper states it.
    pub paper: &'static str,
    /// What is wrong in the paper; empty if nothing is.
    pub erred: &'static str,
    /// Which test runs the check.
    pub run: Run,
    /// The name of the stored run that shows the answer, `docs/runs/NAME.run`; empty if there is none.
    pub shown: &'static str,
}

/// Which test runs the check of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Run {
    /// The test that compares the page.
    Here,
    /// Another test, because the check takes long. The check is in its model file, with an `expect`. Files in
    /// `tests/long` are run by `cargo xtask long`, and files in `models` by the test of the README.
    Elsewhere,
}

const fn row(
    model: &'static str,
    check: &'static str,
    question: &'static str,
    paper: &'static str,
) -> Row {
    Row {
        question,
        model,
        check,
        paper,
        erred: "",
        run: Run::Here,
        shown: "",
    }
}

impl Row {
    const fn wrong(mut self, erred: &'static str) -> Row {
        self.erred = erred;
        self
    }

    const fn elsewhere(mut self) -> Row {
        self.run = Run::Elsewhere;
        self
    }

    const fn shown(mut self, name: &'static str) -> Row {
        self.shown = name;
        self
    }
}

const RING: &str = "models/chang-roberts.scrut";
const MUTANTS: &str = "models/ring-mutants.scrut";
const COUP: &str = "models/coup.scrut";
const ELECTION: &str = "models/thales-election.scrut";
const ACTIVATIONS: &str = "models/activations.scrut";
const EXAMPLE: &str = "models/example-times.scrut";
const MEMBERSHIP: &str = "models/membership.scrut";
const LONG_MEMBERSHIP: &str = "tests/long/membership.scrut";
const TIMEOUT: &str = "models/timeout.scrut";
const FTSP: &str = "models/ftsp.scrut";
const LONG_FTSP: &str = "tests/long/ftsp.scrut";
const DRIFT: &str = "models/drift.scrut";
const AGREEMENT: &str = "models/agreement.scrut";
const LONG_AGREEMENT: &str = "tests/long/agreement.scrut";

/// All studies, in the order of the page.
pub const STUDIES: &[Study] = &[
    Study {
        title: "Election on a ring",
        source: "J. P. Pizani Flor, *Verifying a distributed leader election algorithm using the Spin Model Checker*, \
                 Utrecht University, 2013; the algorithm is that of Chang and Roberts, 1979",
        about: "The report checks one arrangement of ids with Spin 6.2.3, for 5 and 10 nodes; 15 nodes did not fit into \
                4 GB.",
        rows: &[
            row(
                RING,
                "termination, agreement, sent_once for n in 1..6",
                "Does everybody halt and know the largest id, whatever the order of ids?",
                "valid for 5 nodes in one order (Section 4)",
            ),
            row(
                RING,
                "termination, agreement for n = 10, ids = [32, 45, 12, 21, 10, 11, 99, 87, 41, 37]",
                "And with the report's ids for 10 nodes?",
                "valid (Section 4)",
            )
            .elsewhere(),
            row(
                MUTANTS,
                "termination with DeafWinner",
                "Is it noticed if the winner passes its own id on, so that it goes round for ever?",
                "termination was run with cycle checks \"disabled by -DSAFETY\" (Section 4)",
            )
            .wrong("Termination is about infinite runs. A search without cycles cannot break it.")
            .shown("deaf-winner"),
            row(
                COUP,
                "same_leader, termination for n in 3..5",
                "Usurpers name themselves and wait for their own news: do all agree, do all halt?",
                "\"both LTL formulas were checked valid\" (end of Section 2)",
            )
            .wrong("The news is dropped at a node that has halted, and the usurper waits for ever.")
            .shown("usurper-waits"),
            row(
                COUP,
                "same_leader, termination with Hasty for n in 3..5",
                "Usurpers name themselves and halt at once?",
                "the same sentence; the source is not shown, so both readings are asked",
            )
            .wrong("Those who had heard of the old winner have halted with it.")
            .shown("usurper-halts"),
            row(
                COUP,
                "same_leader, termination with Patient for n in 3..5",
                "A repaired coup: nobody halts before the last winner's news has come round?",
                "not there",
            ),
        ],
    },
    Study {
        title: "Election among periodic nodes",
        source: "É. André, L. Fribourg, J.-M. Mota, R. Soulat, *Verification of an industrial asynchronous leader \
                 election algorithm using abstractions and parametric model checking*, VMCAI 2019",
        about: "The paper proves 4 activations with SafeProver, directly for up to 5 nodes, and for up to 5000 by an \
                abstraction made by hand and a lemma about two nodes (IMITATOR). Periods are 49 to 51 ms, jitter half a \
                millisecond; a node reads at every second activation.",
        rows: &[
            row(
                ELECTION,
                "least a: elected(a) for p = 2",
                "After how many activations of everybody is there one leader, for ever?",
                "4 is proved (P, Sections 2.4 and 3); that 3 is not enough is not said. The conclusion speaks of 13 \
                 activations, with counterexamples up to 12",
            ),
            row(
                ELECTION,
                "least a: elected(a) for p in 2..6",
                "The same, for two to six nodes",
                "4 is proved for up to 5 nodes",
            )
            .elsewhere(),
            row(
                ELECTION,
                "least a: others_follow(a), boss_stands(a), boss_leads(a) for p = 2",
                "The three steps of the proof, about one node each?",
                "2, 2, 4 are proved (P1, P2, P4, Sections 4.1 and 4.3)",
            ),
            row(
                ELECTION,
                "least a: elected(a) for p = 2, reads_every = 3, wobble = 25 ms",
                "With a jitter of 25 ms, is it enough to read at every third activation?",
                "\"the code should be executed every three activations for our algorithm to remain correct\" (Remark 2)",
            )
            .wrong("Between two reads there can be 72 ms, and between two activations of another node 76 ms \
                    ([a picture](pictures/election.svg)).")
            .shown("every-third"),
            row(
                ELECTION,
                "least a: elected(a) for p = 2, reads_every = 4, wobble = 25 ms",
                "And at every fourth?",
                "not there",
            ),
            row(
                ELECTION,
                "one_leader(6) for p = 2, reads_every in 2..3, wobble = 25 ms",
                "With that jitter, is there ever a second leader after 6 activations?",
                "not there",
            ),
            row(
                ELECTION,
                "least a: elected(a) in Leftovers for p = 2",
                "And if the inboxes hold anything at first, also from nodes that are off?",
                "excluded: it begins right after a clean round (Sections 2.4 and 3)",
            )
            .wrong(
                "Line 14 of Algorithm 2 asks whether the receiver is on, not the sender: as printed, mailboxes begin with \
                 messages of nodes that are off, too, and after 4 activations the claim is false.",
            )
            .shown("leftovers"),
            row(
                ACTIVATIONS,
                "close(1, 2)",
                "Is a node at most 1 activation ahead of another, at any moment?",
                "yes, while it has made at most 13: Activation(j) - Activation(i) ≤ 1 (P3, Section 4.2)",
            )
            .wrong("One node can be activated twice before the other is activated at all. Only seen by node i just \
                    after its own activation is the lemma true, see the next row.")
            .shown("twice-before-once"),
            row(
                ACTIVATIONS,
                "not_ahead(1, 16), not_behind(2, 16)",
                "Just after its own activation, is another node at most 1 ahead and at most 2 behind, up to 16?",
                "up to 13 (P3, Section 4.2)",
            ),
            row(
                ACTIVATIONS,
                "close(2, 18), close(2, 19)",
                "Do numbers of activations differ by at most 2 up to 18, and up to 19?",
                "at most 2 up to 13 (Section 4.2)",
            ),
            row(
                EXAMPLE,
                "first_at(3, 97.5 ms), second_at(4, 183 ms)",
                "Are the times of nodes 1 and 2 in Example 1 those of its periods and jitters?",
                "the third activation of node 1 at 97.5 ms, the fourth of node 2 at 183 ms (Example 1)",
            )
            .wrong("They are at 98 ms and at 183.1 ms.")
            .shown("example-times"),
            row(
                EXAMPLE,
                "third_at(2, 48.6 ms), third_at(3, 98.4 ms), third_at(4, 147.6 ms)",
                "And those of node 3?",
                "48.6, 98.4 and 147.6 ms (Example 1)",
            )
            .wrong("They are at 49.2, 98.5 and 148 ms."),
        ],
    },
    Study {
        title: "Membership",
        source: "N. Kosmatov, D. Longuet, R. Soulat, *Formal Verification of an Industrial Distributed Algorithm: an \
                 Experience Report*",
        about: "The paper's algorithm is confidential. The model is written afresh and shows everything that the paper \
                reports; [a page of its own](membership.md) says more. The three stages are who is heard, who is \
                proposed, and the view.",
        rows: &[
            row(
                MEMBERSHIP,
                "least a: heard_right(a), proposal_right(a), view_right(a) for p = 2",
                "After how many activations is each stage right, for ever?",
                "7 for the view on the model of all nodes, 8 by the abstraction of one node (Section 3.2)",
            ),
            row(
                LONG_MEMBERSHIP,
                "least a: heard_right(a), proposal_right(a), view_right(a) in Silent for p in 3..6",
                "With nodes that are off, isolated or mute, for three to six nodes?",
                "correct (F1, F2, F3, F5, Section 4.1)",
            )
            .elsewhere(),
            row(
                MEMBERSHIP,
                "least a: heard_right(a), proposal_right(a), view_right(a) in Deaf",
                "With a node that receives nothing, but still sends?",
                "not correct (F4, Section 4.1); what happens is not shown",
            )
            .shown("deaf-member"),
            row(
                MEMBERSHIP,
                "least a: heard_right(a), proposal_right(a), view_right(a) with Linked in Deaf",
                "And if a node counts only those who have heard it?",
                "not there",
            ),
        ],
    },
    Study {
        title: "Time to reach agreement",
        source: "M. Hendriks, *Model Checking the Time to Reach Agreement*; the algorithm is that of Attiya, \
                 Dwork, Lynch and Stockmeyer, 1994",
        about: "The paper uses UPPAAL on an abstraction of the timeouts, with the convex-hull over-approximation for the \
                whole algorithm. It calls the literal model, with all `alive` messages, impossible for interesting \
                instances; the models here are literal. Steps are c1 to c2 apart, messages take up to d; D = d + c2, \
                T = D + c2 · (⌊D/c1⌋ + 1), U = (2f − 1) · D + max(T, 3D), and f = 1.",
        rows: &[
            row(
                TIMEOUT,
                "accurate, noticed(T) for c2 in { 1, 2 }, d in { 0, 1, 2, 3, 4, 5 }",
                "Timeouts: is nobody believed gone who is not, and is a crash known within T?",
                "verified for these values and c1 = 1 (A1 and A2, Section 4)",
            )
            .elsewhere(),
            row(
                TIMEOUT,
                "noticed(T - 1) for c2 in { 1, 2 }, d in { 0, 1, 2, 3, 4, 5 }",
                "Would T − 1 do?",
                "not asked",
            )
            .elsewhere(),
            row(
                TIMEOUT,
                "accurate with Hasty for c2 in { 1, 2 }, d in { 0, 1, 2, 3, 4, 5 }",
                "Would one miss less do?",
                "not asked",
            ),
            row(
                AGREEMENT,
                "agreement, validity, in_time(U) for n = 3, c2 = 1, d = 0",
                "Three processes: one value, somebody's value, in time?",
                "verified, by over-approximation (M1 to M3, Section 5)",
            ),
            row(
                AGREEMENT,
                "least u: in_time(u) for n = 3, c2 = 1, d = 0",
                "When is the latest decision, for (c1, c2, d) = (1, 1, 0)?",
                "U = 4 is verified as a bound",
            ),
            row(
                AGREEMENT,
                "least u: in_time(u) for n = 3, c2 = 2, d = 0",
                "For (1, 2, 0)?",
                "U = 10 is verified as a bound",
            ),
            row(
                AGREEMENT,
                "least u: in_time(u) for n = 3, c1 = 9, c2 = 10, d = 5",
                "For (9, 10, 5)?",
                "U = 60 is verified as a bound; it is not attained",
            ),
            row(
                LONG_AGREEMENT,
                "least u: in_time(u) for n = 3, f = 1, c1 = 1, c2 = 1, d = 1",
                "For (1, 1, 1)?",
                "U = 8 is verified as a bound; it is not attained",
            )
            .elsewhere(),
        ],
    },
    Study {
        title: "Root election of a time synchronisation",
        source: "O. Sankur, J.-P. Talpin, *An Abstraction Technique For Parameterized Model Checking of Leader Election \
                 Protocols: Application to FTSP*, TACAS 2017",
        about: "The paper abstracts all networks within a distance of the root by hand and finds, with a search of its own \
                in NuSMV, after how many activations everybody agrees, from any start: 8, 14, 23, 35, 54, 67 and 107 if the \
                farthest node is the first, second, … seventh on its path from the root, where a broadcast is one step; 8, \
                14, 25, 39 and 63 where it is not (Fig. 4). Clocks are within one in a hundred. The models here are single \
                networks, and the protocol itself. Where four nodes are asked about, starts are those with extreme values.",
        rows: &[
            row(
                FTSP,
                "least N: one_root(N)",
                "Two nodes, from any state: after how many rounds do they agree, for ever?",
                "at most 14 (Fig. 4)",
            )
            .elsewhere(),
            row(
                LONG_FTSP,
                "least N: one_root_soon(N)",
                "And counted by whoever is ahead?",
                "at most 14 (Fig. 4)",
            )
            .elsewhere(),
            row(
                FTSP,
                "settles for strangers = 1",
                "And if one of them still knows the id of a root that is gone?",
                "\"starting at an arbitrary configuration\", a root that failed included (Sections 1 and 4)",
            )
            .wrong("An id below all others is the root that everybody agrees on, and nobody has it. It is given up and \
                    heard of again, by turns. Without saying so, the abstraction has no ids below the root's.")
            .elsewhere()
            .shown("dead-root"),
            row(
                FTSP,
                "one_root(35) in Extremes with Far for line(4), ids = [1, 2, 3, 4] assuming (all k in Mote: …",
                "A line of four, where two nodes have news of the root that it has not sent yet: do they agree after 35?",
                "yes, 35 is the bound for such a line, from any start (Fig. 4)",
            )
            .wrong("The far nodes tell each other numbers that the root reaches only after 70 activations. Without saying \
                    so, the abstraction has no number that the root has not sent.")
            .elsewhere()
            .shown("rumour"),
            row(
                FTSP,
                "least N: one_root(N) in Extremes with Far for star(4), ids = [1, 2, 3, 4] assuming honest",
                "Without such news, on a star with the root in the middle?",
                "at most 14 (Fig. 4)",
            )
            .elsewhere(),
            row(
                LONG_FTSP,
                "least N: one_root(N) in Extremes with Far for complete(4), ids = [1, 2, 3, 4] assuming honest",
                "Where everybody hears everybody?",
                "at most 14 (Fig. 4)",
            )
            .elsewhere(),
            row(
                FTSP,
                "least N: one_root(N) in Extremes with Far for ring(4), ids = [1, 2, 3, 4] assuming honest",
                "On a ring?",
                "at most 23 (Fig. 4)",
            )
            .elsewhere(),
            row(
                LONG_FTSP,
                "least N: one_root(N) in Extremes with Far for line(4), ids = [1, 2, 3, 4] assuming honest",
                "On a line with the root at its end?",
                "at most 35 (Fig. 4)",
            )
            .elsewhere(),
            row(
                DRIFT,
                "close(1, 50), close(1, 51)",
                "For how many activations is nobody more than one ahead, with those clocks?",
                "for 151, by Lemma 3 (Section 2.5)",
            )
            .wrong("A sign: the fast node needs its last period less than the slow one, not more.")
            .shown("ahead"),
            row(
                LONG_FTSP,
                "one_root(0) in Clocks assuming (all k in Mote: …",
                "Does everybody go on agreeing, on a line of nine?",
                "yes: the claim is that all agree from some moment on, for ever (Section 4; up to the seventh node)",
            )
            .elsewhere()
            .shown("line-of-nine"),
            row(
                LONG_FTSP,
                "one_root(0) in Slow assuming (all k in Mote: …",
                "And on a line of five, if messages take time?",
                "yes: 63 is the bound for such a line (Fig. 4)",
            )
            .wrong("The last node hears nothing new for eight activations, and believes that the root is gone.")
            .elsewhere()
            .shown("line-of-five"),
        ],
    },
];
