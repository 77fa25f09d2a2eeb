//! Random small models on networks. Nodes have numbers, ids and counters and send to their neighbours. Networks are
//! lines, rings, stars, trees, listed edges or all graphs. Claims are about all nodes, about the first or largest node,
//! about distances, and about the least number of activations.
//!
//! A seed always gives the same text. In some models nodes are distinguished by ties or by loops whose order matters,
//! so that orders of ids and numberings are not all equivalent.

use machine::random::Rng;
use std::collections::BTreeSet;

/// A question of a check.
#[derive(Clone, Debug)]
pub enum Asked {
    /// Whether a condition is always true.
    Always(String),
    /// Whether a condition is reachable.
    Possible(String),
    /// The least number of activations for the claim.
    Least,
}

/// A random model.
#[derive(Clone, Debug)]
pub struct Model {
    pub text: String,
    /// The number of nodes if the network is every graph; `None` for a single topology.
    pub graphs: Option<usize>,
    pub asked: Vec<Asked>,
    pub constructs: BTreeSet<&'static str>,
}

struct Generator {
    rng: Rng,
    ids: bool,
    counters: bool,
    constructs: BTreeSet<&'static str>,
}

/// The largest value of the variable `a`.
const MOST: i64 = 2;

/// The model for a seed.
pub fn random_model(seed: u64) -> Model {
    let mut rng = Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut generator = Generator {
        ids: rng.below(3) > 0,
        counters: rng.below(2) == 0,
        rng,
        constructs: BTreeSet::new(),
    };
    generator.model()
}

impl Generator {
    fn pick(&mut self, all: &[&'static str]) -> &'static str {
        all[self.rng.below(all.len())]
    }

    fn use_of(&mut self, construct: &'static str) {
        self.constructs.insert(construct);
    }

    fn model(&mut self) -> Model {
        // The differences of counters grow without bound if a node may wait for ever, so models with counters use
        // rounds.
        let rounds = self.rng.below(3) > 0 || self.counters;
        let instant = self.rng.below(3) > 0 || self.counters;
        let (network, graphs) = self.network();
        self.use_of(if self.ids { "ids" } else { "no ids" });
        self.use_of(if self.counters {
            "counters"
        } else {
            "no counters"
        });
        self.use_of(if rounds { "rounds" } else { "any time" });
        self.use_of(if instant { "instant" } else { "channel" });
        let mut fields = vec!["hops: 0..2"];
        fields.extend(self.ids.then_some("who: Id"));
        fields.extend(self.counters.then_some("seq: Counter"));
        let mut text = format!("message Note {{ {} }}\n\nnode K {{\n", fields.join(", "));
        if self.ids {
            text += "    id: Id\n    var best: Option<Id> = none\n";
        }
        let start = self.pick(&["0", "0", "any", "any in { 0, 2 }"]);
        text += &format!("    var a: 0..{MOST} = {start}\n");
        if self.counters {
            let start = self.pick(&["0", "0", "any in 0..1"]);
            text += &format!("    var s: Counter = {start}\n");
        }
        // If messages wait in channels, the number of sends is limited.
        let fuel = (!instant).then_some("    var fuel: 0..2 = 2\n");
        text += fuel.unwrap_or("");
        text += if rounds {
            "    every round {\n"
        } else {
            "    every any {\n"
        };
        if self.counters {
            let more = match self.rng.below(6) {
                0 => format!("if {} {{ s = s + 1 }}", self.condition()),
                _ => "s = s + 1".to_string(),
            };
            text += &format!("        {more}\n");
        }
        for _ in 0..1 + self.rng.below(2) {
            let statement = self.act(2);
            text += &format!("        {statement}\n");
        }
        let send = self.send();
        text += &match instant {
            true => format!("        {send}\n    }}\n"),
            false => format!("        if fuel > 0 {{ fuel = fuel - 1; {send} }}\n    }}\n"),
        };
        let heard = self.hear();
        text += &format!("    on Note as m {{ {heard} }}\n}}\n\n");
        let delivery = if instant {
            "delivery instant"
        } else {
            "channel fifo"
        };
        text += &format!("network {network} {{ {delivery} }}\n\n");
        text += "let top = largest k in K by k.a\n";
        if self.ids {
            text += "let low = smallest k in K by k.id\n";
        }
        let mut asked = Vec::new();
        let (always, possible, settled) = (self.claim(), self.claim(), self.claim());
        text += &format!("claim kept: always ({always})\n");
        let premise = self.pick(&[
            "all k in K: k.activations >= N",
            "exists k in K: k.activations >= N",
        ]);
        text += &format!("claim settled(N: 0..4): always (({premise}) implies ({settled}))\n");
        text += &format!("check kept\ncheck possible: {possible}\n");
        asked.push(Asked::Always(always));
        asked.push(Asked::Possible(possible));
        if rounds {
            self.use_of("least");
            text += "check least N: settled(N)\n";
            asked.push(Asked::Least);
        }
        Model {
            text,
            graphs,
            asked,
            constructs: std::mem::take(&mut self.constructs),
        }
    }

    fn network(&mut self) -> (String, Option<usize>) {
        let shapes = [
            ("graphs", "graphs(2)", Some(2)),
            ("graphs", "graphs(3)", Some(3)),
            ("graphs", "graphs(3)", Some(3)),
            ("ring", "ring(3)", None),
            ("ring", "ring(3)", None),
            ("line", "line(3)", None),
            ("star", "star(3)", None),
            ("complete", "complete(3)", None),
            ("tree", "tree(2, 1)", None),
            ("grid", "grid(1, 3)", None),
            ("edges", "edges(1 - 2, 2 to 3)", None),
            ("edges", "edges(1 to 2, 2 to 3, 3 to 1)", None),
        ];
        let (name, text, graphs) = shapes[self.rng.below(shapes.len())];
        self.use_of(name);
        (text.to_string(), graphs)
    }

    /// A statement that changes the node's own variable.
    fn act(&mut self, depth: usize) -> String {
        let all = ["a = min(a + 1, 2)", "a = max(a - 1, 0)", "a = 0"];
        if depth > 0 && self.rng.below(3) == 0 {
            let condition = self.condition();
            let (then, other) = (self.act(depth - 1), self.act(depth - 1));
            self.use_of("if");
            return format!("if {condition} {{ {then} }} else {{ {other} }}");
        }
        self.pick(&all).to_string()
    }

    /// A condition in the code of a node.
    fn condition(&mut self) -> String {
        let mut all = vec!["a == 0", "a < 2", "a == 2", "size(neighbours) == 2"];
        if self.ids {
            all.extend(["best == none", "best == id"]);
        }
        self.pick(&all).to_string()
    }

    fn note(&mut self) -> String {
        let mut fields = vec![format!(
            "hops: {}",
            self.pick(&["a", "a", "min(a + 1, 2)", "0"])
        )];
        if self.ids {
            let id = self.pick(&["id", "id", "if best is b then b else id"]);
            fields.push(format!("who: {id}"));
        }
        if self.counters {
            fields.push(format!("seq: {}", self.pick(&["s", "s", "s + 1"])));
        }
        format!("Note {{ {} }}", fields.join(", "))
    }

    fn send(&mut self) -> String {
        let note = self.note();
        match self.rng.below(5) {
            0 => {
                self.use_of("for in order");
                format!("for k in neighbours {{ if a < 2 {{ a = a + 1; send {note} to k }} }}")
            }
            1 => {
                self.use_of("for");
                format!("for k in neighbours {{ send {note} to k }}")
            }
            2 => {
                let condition = self.condition();
                self.use_of("if");
                format!("if {condition} {{ broadcast {note} }}")
            }
            _ => {
                self.use_of("broadcast");
                format!("broadcast {note}")
            }
        }
    }

    /// The statement by which a node handles a message.
    fn hear(&mut self) -> String {
        let mut all = vec![
            "a = m.hops",
            "a = max(a, m.hops)",
            "if m.hops > a { a = m.hops }",
            "a = min(m.hops + 1, 2)",
        ];
        if self.ids {
            all.extend([
                "if best == none or m.who < best { best = m.who }",
                "if best == none or m.who < best { best = m.who }",
                "if m.who < id { a = m.hops }",
            ]);
        }
        if self.counters {
            all.extend([
                "if m.seq > s { s = m.seq }",
                "if m.seq > s { s = m.seq; a = m.hops }",
                "s = max(s, m.seq)",
                "if m.seq == s { a = 0 }",
            ]);
        }
        let (one, two) = (self.pick(&all), self.pick(&all));
        match self.rng.below(2) {
            0 => one.to_string(),
            _ => format!("{one}; {two}"),
        }
    }

    /// A condition about all nodes.
    fn claim(&mut self) -> String {
        let mut all = vec![
            ("all", "all k in K: k.a < 2"),
            ("all", "all j, k in K: j.a == k.a"),
            ("exists", "exists k in K: k.a == 1"),
            ("count", "(count k in K: k.a == 2) != 1"),
            ("a tie", "top.a == 0"),
            ("a tie", "size(top.neighbours) == 2"),
            ("a tie", "all k in K: distance(top, k) <= 1"),
            (
                "distance",
                "all j, k in K: distance(j, k) <= 1 or j.a != k.a",
            ),
            (
                "neighbours",
                "all k in K: size(k.neighbours) == 1 or k.a > 0",
            ),
        ];
        if self.ids {
            all.extend([
                ("first id", "all k in K: k.best == low.id"),
                ("first id", "low.a == 2"),
                (
                    "first id",
                    "all k in K: k.a >= distance(low, k) or k.a == 0",
                ),
                ("a tie", "top.id == low.id"),
                ("a tie", "(exists k in K: k.id > top.id) or top.a == 2"),
            ]);
        }
        if self.counters {
            all.extend([
                ("compared", "all j, k in K: j.s <= k.s + 1"),
                ("compared", "all j, k in K: j.s == k.s"),
                ("compared", "all k in K: k.s >= top.s"),
            ]);
        }
        let one = |generator: &mut Generator| {
            let (name, text) = all[generator.rng.below(all.len())];
            generator.use_of(name);
            text
        };
        let (a, b) = (one(self), one(self));
        match self.rng.below(4) {
            0 => format!("({a}) or ({b})"),
            1 => format!("({a}) implies ({b})"),
            _ => a.to_string(),
        }
    }
}
