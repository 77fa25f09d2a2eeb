//! Random models with delays, timers and runtime faults, as text.
//!
//! Most models consist of constructs that the reductions for timed Machines are about. Nodes gather the contents of
//! messages in sets, arrays, maxima and flags. A periodic block reads and clears them. An index grows, and array
//! elements are read at it. Nodes halt or crash. Times and types are small, because the enumerator visits every state.
//!
//! In some cases the enumerator and the tool have different semantics. The models avoid these cases. There are no ghost
//! variables, because the tool does not reset them at a fresh restart. There is no `start` block if a node keeps its
//! state, because in the tool a node that has not started can stop only if it restarts fresh. No node both crashes
//! during a broadcast and restarts, because in the tool a node cannot crash during the broadcast in the `start` block
//! of a restart.

use machine::random::Rng;
use std::collections::BTreeSet;

/// A question of a check.
#[derive(Clone, Debug)]
pub enum Asked {
    /// Whether the claim with this name holds.
    Claim(String),
    /// Whether the condition is reachable.
    Possible(String),
    /// The time after which the condition is never true.
    Last(String),
}

/// A random model.
#[derive(Clone, Debug)]
pub struct Model {
    pub text: String,
    /// The questions of each check.
    pub asked: Vec<Vec<Asked>>,
    pub constructs: BTreeSet<&'static str>,
}

/// The model for a seed.
pub fn random_model(seed: u64) -> Model {
    let generator = Generator {
        rng: Rng(seed.wrapping_mul(0x9e37_79b9).wrapping_add(77)),
        text: String::new(),
        constructs: BTreeSet::new(),
        vars: Vec::new(),
        fault: Fault::None,
        inbox: false,
        paired: false,
        hub: false,
        nodes: 2,
        latest: false,
        before: false,
        clash: false,
        slow: false,
    };
    generator.model()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    Crash,
    Fresh,
    Keeping,
}

/// The generator of timed models. Plain data: one field per choice that the text depends on.
pub struct Generator {
    pub rng: Rng,
    pub text: String,
    pub constructs: BTreeSet<&'static str>,
    /// The names of the variables of the main kind.
    pub vars: Vec<&'static str>,
    pub fault: Fault,
    /// Whether notes go to the inbox rather than to a handler.
    pub inbox: bool,
    /// Whether handlers also change variables that claims read.
    pub paired: bool,
    pub hub: bool,
    pub nodes: usize,
    pub latest: bool,
    /// Whether messages arrive before the next activation of their sender.
    pub before: bool,
    /// Whether the gathered value depends on the order of messages.
    pub clash: bool,
    /// Whether activations are so rare that several messages arrive between two of them.
    pub slow: bool,
}

impl Generator {
    pub fn percent(&mut self, percent: usize) -> bool {
        self.rng.below(100) < percent
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.rng.below(from.len())].clone()
    }

    pub fn has(&mut self, construct: &'static str) {
        self.constructs.insert(construct);
    }

    pub fn line(&mut self, indent: usize, text: impl AsRef<str>) {
        self.text += &"    ".repeat(indent);
        self.text += text.as_ref();
        self.text.push('\n');
    }

    pub fn knows(&self, var: &str) -> bool {
        self.vars.contains(&var)
    }

    /// The text of an interval of times between `least` and `most`.
    pub fn interval(&mut self, least: usize, most: usize) -> String {
        let from = least + self.rng.below(most - least + 1);
        let to = from + self.rng.below(most - from + 1);
        format!("{from} .. {to}")
    }

    fn model(mut self) -> Model {
        self.hub = self.percent(25);
        self.nodes = if !self.hub && self.percent(14) { 3 } else { 2 };
        if self.nodes == 3 {
            self.has("three nodes");
        }
        self.fault = match self.rng.below(20) {
            0..8 => Fault::None,
            8..13 => Fault::Crash,
            13..17 => Fault::Fresh,
            _ => Fault::Keeping,
        };
        self.inbox = self.percent(30);
        self.latest = self.percent(50);
        self.before = self.percent(15);
        self.paired = self.percent(35);
        self.slow = self.percent(55);
        self.clash = !self.inbox && self.percent(20);
        self.slow |= self.clash;
        if self.slow {
            self.has("slow");
        }
        if self.clash {
            self.has("clash");
            self.fault = self.pick(&[Fault::None, Fault::Crash]);
            self.before = false;
            let kept = self.pick(&["best", "flag"]);
            self.vars.push(kept);
        }
        for (var, likely) in [
            ("seen", 60),
            ("got", 50),
            ("best", 45),
            ("flag", 50),
            ("t", 35),
            ("w", 18),
        ] {
            let likely = if self.clash && !matches!(var, "t" | "w") {
                likely / 3
            } else {
                likely
            };
            if self.percent(likely) && !self.knows(var) {
                self.vars.push(var);
            }
        }
        if self.fault == Fault::Fresh && self.percent(70) {
            self.vars.push("boots");
            self.has("persistent");
        }
        self.line(0, "message Note { v: 0..2, r: 0..2 }");
        self.line(0, "message Ping");
        self.main_kind();
        if self.hub {
            self.hub();
        }
        self.world();
        let asked = self.claims();
        Model {
            text: self.text,
            asked,
            constructs: self.constructs,
        }
    }

    fn main_kind(&mut self) {
        let count = if self.hub { 1 } else { self.nodes };
        self.line(0, format!("node P[{count}] {{"));
        self.line(1, "var r: 0..2 = 0");
        self.line(1, "var out: 0..2 = 0");
        for (var, text) in [
            ("seen", "var seen: Set<Node> = {}"),
            ("got", "var got: [Set<Node>; 0..2] = {}"),
            ("best", "var best: 0..2 = 0"),
            ("flag", "var flag: Bool = false"),
            ("boots", "persistent var boots: 0..2 = 0"),
            ("t", "timer t"),
            ("w", "timer w[Node]"),
        ] {
            if self.knows(var) {
                self.line(1, text);
            }
        }
        // A kind that keeps its state at a restart has no `start` block (see the head of this file).
        let may_start = self.fault != Fault::Keeping;
        let wants_start = self.knows("boots") || self.knows("t") || self.knows("w");
        if may_start && (wants_start && self.percent(75) || self.percent(15)) {
            self.line(1, "start {");
            if self.knows("boots") {
                self.line(2, "boots = min(boots + 1, 2)");
            }
            if self.knows("t") {
                self.set_timer(2);
            }
            if self.knows("w") {
                self.set_lease(2, "neighbours");
            }
            if !self.before && self.percent(25) {
                self.line(2, "broadcast Ping");
                self.has("send in start");
            }
            self.line(1, "}");
        }
        self.every();
        if self.clash {
            let (note, ping) = match self.knows("best") {
                true => ("best = m.v", "best = 0"),
                false => ("flag = true", "flag = false"),
            };
            self.line(1, format!("on Note as m {{ {note} }}"));
            self.line(1, format!("on Ping {{ {ping} }}"));
        } else if !self.inbox {
            self.line(1, "on Note as m from s {");
            for _ in 0..1 + self.rng.below(2) {
                self.gather(2, true);
            }
            self.odd(2, true);
            self.line(1, "}");
        }
        match self.rng.below(8) {
            _ if self.clash => {}
            0 => self.line(1, "ignore Ping"),
            1 if self.inbox => self.has("ping in the inbox"),
            _ => {
                self.line(1, "on Ping from s {");
                self.gather(2, false);
                self.odd(2, false);
                self.line(1, "}");
            }
        }
        if self.knows("t") {
            self.line(1, "on t {");
            self.act(2);
            if self.percent(40) {
                self.clear(2);
            }
            if self.percent(30) {
                self.line(2, "if out < 2 { out = out + 1; broadcast Ping }");
            }
            if self.percent(15) {
                self.line(2, "halt");
                self.has("halt");
            }
            self.line(1, "}");
        }
        if self.knows("w") {
            self.line(1, "on w[j] {");
            match self.knows("seen") && self.percent(60) {
                true => self.line(2, "if not (j in seen) { out = 2 }"),
                false => self.act(2),
            }
            self.line(1, "}");
        }
        self.line(0, "}");
    }

    /// The head of a periodic block.
    pub fn head(&mut self) -> String {
        let gap = match self.rng.below(3) {
            _ if self.slow => self.pick(&["3 .. 3", "2 .. 3", "3 .. 3"]).to_string(),
            0 => "1 .. 1".to_string(),
            _ => self.interval(1, 3),
        };
        match self.slow || self.percent(60) {
            true => {
                self.has("first");
                let first = match self.slow && self.percent(70) {
                    true => self.pick(&["0 .. 0", "1 .. 1", "2 .. 2"]).to_string(),
                    false => self.interval(0, 2),
                };
                format!("every {gap}, first {first} {{")
            }
            false => format!("every {gap} {{"),
        }
    }

    fn every(&mut self) {
        let head = self.head();
        self.line(1, head);
        let mut parts = vec![0, 0, 1, 2, 3];
        while !parts.is_empty() {
            let which = self.rng.below(parts.len());
            match parts.remove(which) {
                0 => self.look(2),
                1 => {
                    if self.percent(60) {
                        self.clear(2);
                    }
                    if self.inbox && self.percent(60) {
                        self.line(2, "clear inbox");
                    }
                }
                2 => self.send(2),
                _ => self.advance(2),
            }
        }
        if self.percent(25) {
            let when = self.pick(&["r == 2", "out == 1", "r == 2 and out > 0"]);
            self.line(2, format!("if {when} {{ halt }}"));
            self.has("halt");
        }
        self.line(1, "}");
    }

    /// A condition over the gathered values.
    pub fn gathered(&mut self) -> String {
        let mut all = vec!["r == 1".to_string(), "out == 0".into()];
        if self.knows("seen") {
            all = vec![
                "size(seen) >= 1".into(),
                "not (self in seen) and size(seen) == 0".into(),
            ];
        }
        if self.knows("got") {
            let one: [&str; 4] = [
                "size(got[r]) >= 1",
                "size(got[r]) == 0",
                "r > 0 and size(got[r - 1]) == 0",
                "r > 0 and size(got[r - 1]) >= 1",
            ];
            let place = self.rng.below(4);
            self.has(if place < 2 {
                "at a growing index"
            } else {
                "before a growing index"
            });
            all.push(one[place].into());
            match self.percent(20) {
                true => {
                    self.has("at a fixed index");
                    all.push("size(got[0]) >= 1".into());
                }
                false => all.push(one[place].into()),
            }
        }
        if self.knows("best") {
            all.push("best >= 1".into());
            all.push("best == 2".into());
        }
        if self.knows("flag") {
            all.push("flag".into());
            all.push("not flag".into());
        }
        if self.knows("t") && self.percent(40) {
            self.has("is set");
            all.push("t is set".into());
            all.push("not (t is set)".into());
        }
        if self.knows("w") && self.percent(40) {
            self.has("is set");
            all.push("exists j in neighbours: w[j] is set".into());
        }
        if self.inbox {
            all.push("exists m in inbox(Note): m.v == 1".into());
            all.push("exists m in inbox(Note): m.r == r".into());
            all.push("size(senders(inbox)) >= 1".into());
        }
        if self.knows("got") && self.percent(30) {
            return all.last().cloned().unwrap_or_default();
        }
        self.pick(&all)
    }

    /// The kind `Hub`: a node that mainly sends.
    fn hub(&mut self) {
        self.has("two kinds");
        self.line(0, "node Hub {");
        self.line(1, "var n: 0..2 = 0");
        let head = self.head();
        self.line(1, head);
        let few = if self.inbox { 2 } else { 3 };
        let note = self.pick(&["Note { v: n, r: n }", "Note { v: 1, r: n }", "Ping"][..few]);
        let end = self.pick(&["", " else { halt }"]);
        self.line(
            2,
            format!("if n < 2 {{ broadcast {note}; n = n + 1 }}{end}"),
        );
        self.line(1, "}");
        match self.percent(50) {
            true => self.line(1, "on Note as m { if m.v == 2 { n = 2 } }"),
            false => self.line(1, "ignore Note"),
        }
        self.line(1, "ignore Ping");
        self.line(0, "}");
    }

    fn world(&mut self) {
        let delivery = match self.before {
            true => {
                self.has("before next activation");
                "before next activation".to_string()
            }
            false => {
                let order = self.pick(&["", ", fifo", ", unordered"]);
                self.has(match order {
                    ", fifo" => "fifo",
                    _ => "unordered",
                });
                let time = match self.slow {
                    true => self
                        .pick(&["0 .. 1", "1 .. 2", "1 .. 2", "1 .. 1"])
                        .to_string(),
                    false => self.interval(0, 2),
                };
                format!("within {time}{order}")
            }
        };
        let inbox = match (self.inbox, self.latest) {
            (false, _) => "",
            (true, true) => {
                self.has("latest");
                "; inbox latest per sender"
            }
            (true, false) => {
                self.has("all");
                "; inbox all"
            }
        };
        self.line(
            0,
            format!("network complete {{ delivery {delivery}{inbox} }}"),
        );
        let faulty = match self.rng.below(4) {
            0 if self.nodes == 2 && self.fault == Fault::Crash => "any nodes",
            1 => "at most 1 P",
            _ => "at most 1 node",
        };
        let fault = match self.fault {
            Fault::None => None,
            Fault::Crash => Some(match self.percent(50) {
                true => {
                    self.has("during broadcast");
                    "crash any time, during broadcast".to_string()
                }
                false => {
                    self.has("crash");
                    "crash any time".into()
                }
            }),
            Fault::Fresh | Fault::Keeping => {
                let how = match self.fault {
                    Fault::Fresh => "fresh",
                    _ => "keeping state",
                };
                self.has(how);
                let within = match self.percent(50) {
                    true => {
                        self.has("restart within");
                        format!(" within {}", self.interval(0, 2))
                    }
                    false => {
                        self.has("restart at any time");
                        String::new()
                    }
                };
                Some(format!("stop any time, restart {how}{within}"))
            }
        };
        if let Some(fault) = fault {
            self.line(0, format!("faults {faulty}: {fault}"));
        }
        if self.percent(22) {
            let what = self.pick(&["lose", "repeat"]);
            self.has(what);
            let of = self.pick(&["", " of Note", " of Ping"]);
            self.line(0, format!("faults {what} at most 1 messages{of}"));
        }
    }
}
