//! Statements of random models with times. Message handlers gather values; periodic blocks read, send and change
//! variables.

use crate::timed_models::text::Generator;

impl Generator {
    /// A statement that reads the gathered values.
    pub fn look(&mut self, indent: usize) {
        let mut condition = self.gathered();
        if self.clash {
            let (best, r) = (self.rng.below(3), self.rng.below(3));
            condition = match self.knows("best") {
                true => format!("best == {best} and r == {r}"),
                false => format!("flag and r == {r}"),
            };
        } else if self.percent(20) {
            let op = self.pick(&["and", "or"]);
            let more = self.gathered();
            condition = format!("({condition}) {op} ({more})");
        }
        self.line(indent, format!("if {condition} {{"));
        self.act(indent + 1);
        self.line(indent, "}");
        if self.inbox && !self.text.contains("inbox(Note)") {
            self.line(indent, "if exists m in inbox(Note): m.v == r { out = 1 }");
        }
    }

    pub fn act(&mut self, indent: usize) {
        match self.rng.below(12) {
            0..3 => self.line(indent, "out = 1"),
            3..5 => self.line(indent, "out = 2"),
            5 if self.knows("best") => self.line(indent, "out = best"),
            6 if self.knows("seen") => self.line(indent, "out = min(out + size(seen), 2)"),
            7 | 8 if self.knows("t") => match self.percent(50) {
                true => self.set_timer(indent),
                false => {
                    self.has("cancel");
                    self.line(indent, "cancel t");
                }
            },
            9 if self.knows("w") => self.set_lease(indent, "neighbours"),
            10 if self.percent(30) => {
                self.has("halt");
                self.line(indent, "halt");
            }
            _ => self.line(indent, "out = min(out + 1, 2)"),
        }
    }

    pub fn set_timer(&mut self, indent: usize) {
        let time = self.interval(0, 3);
        self.line(indent, format!("set t in {time}"));
        self.has("timer");
    }

    pub fn set_lease(&mut self, indent: usize, of: &str) {
        let time = self.interval(1, 3);
        self.line(indent, format!("for j in {of} {{ set w[j] in {time} }}"));
        self.has("timer for each node");
    }

    pub fn clear(&mut self, indent: usize) {
        let all = [
            ("seen", "seen = {}"),
            ("flag", "flag = false"),
            ("best", "best = 0"),
            ("got", "got[r] = {}"),
        ];
        for (var, text) in all {
            let likely = if var == "got" { 15 } else { 60 };
            if self.knows(var) && self.percent(likely) {
                self.line(indent, text);
            }
        }
    }

    pub fn send(&mut self, indent: usize) {
        let mut value = vec!["r", "out", "1", "0"];
        if self.knows("best") {
            value.push("best");
        }
        let value = self.pick(&value);
        let note = match !self.inbox && self.percent(25) {
            true => "Ping".to_string(),
            false => format!("Note {{ v: {value}, r: r }}"),
        };
        let condition = self.pick(&["r < 2", "r < 2", "r == 0", "r < 2 and out == 0"]);
        match self.percent(90) {
            true => self.line(indent, format!("if {condition} {{ broadcast {note} }}")),
            false => self.line(indent, format!("broadcast {note}")),
        }
        let likely = if self.inbox { 70 } else { 35 };
        if self.clash || self.percent(likely) {
            self.has("two sends");
            let condition = self.pick(&["r == 1", "r == 0", "out == 1", "r < 2"]);
            let other = match self.inbox {
                true => self.pick(&["Note { v: 1, r: r }", "Note { v: 2, r: 0 }"]),
                false => "Ping",
            };
            self.line(indent, format!("if {condition} {{ broadcast {other} }}"));
        }
    }

    /// A statement that mostly increments the number `r`.
    pub fn advance(&mut self, indent: usize) {
        let text = match self.rng.below(14) {
            0..6 => "if r < 2 { r = r + 1 }",
            6 | 7 => "r = min(r + 1, 2)",
            8 => "if r == 0 { r = 1 } else { if r == 1 { r = 2 } }",
            9 => "r = max(r, 1)",
            10 if self.knows("flag") => "if flag and r < 2 { r = r + 1 }",
            11 | 12 => "if r == 2 { r = 0 } else { r = r + 1 }",
            _ if self.percent(50) => {
                self.has("perhaps an error");
                "r = r + 1"
            }
            _ => "if r <= 1 { r = 2 }",
        };
        if text.contains("r = 0 }") {
            self.has("it shrinks");
        }
        self.line(indent, text);
    }

    /// The statement by which a message handler gathers values.
    pub fn gather(&mut self, indent: usize, note: bool) {
        let mut all = Vec::new();
        if self.knows("seen") {
            all.push(("into a set", "seen = seen union { s }"));
        }
        if self.knows("got") && note {
            all.push(("into an array", "got[m.r] = got[m.r] union { s }"));
            all.push(("into an array", "got[m.r] = got[m.r] union { s }"));
        }
        if self.knows("best") && note {
            all.push(("a maximum", "best = max(best, m.v)"));
        }
        if self.knows("flag") {
            all.push(("a flag", "flag = true"));
        }
        if note && self.knows("flag") && self.percent(30) {
            all = vec![("a flag", "if m.v == 1 { flag = true }")];
        }
        let Some(last) = all.last().copied() else {
            self.line(indent, "out = min(out + 1, 2)");
            return;
        };
        let (name, text) = if self.percent(15) {
            last
        } else {
            self.pick(&all)
        };
        self.has(name);
        self.line(indent, text);
    }

    /// Sometimes writes a statement into a message handler that does more than gather values.
    pub fn odd(&mut self, indent: usize, note: bool) {
        if !self.paired || !self.percent(60) {
            return;
        }
        let mut all = vec![
            "out = max(out, 1)",
            "r = max(r, 1)",
            "if r == 1 { out = 2 }",
        ];
        if self.knows("flag") {
            all.extend(["flag = false", "flag = false", "if flag { out = 1 }"]);
        }
        if self.knows("seen") {
            all.extend([
                "seen = {}",
                "seen = seen minus { s }",
                "if size(seen) == 1 { out = 1 }",
            ]);
        }
        if self.knows("got") {
            all.extend(["got[r] = got[r] union { s }", "got[0] = {}"]);
        }
        if self.knows("best") {
            if note {
                all = vec!["best = m.v", "best = m.v", "best = m.r"];
            }
            all.extend([
                "best = min(best, 1)",
                "if best == 2 { out = 2 }",
                "best = 1",
            ]);
        }
        if self.knows("t") {
            all.extend(["cancel t", "set t in 1 .. 2", "if t is set { out = 1 }"]);
        }
        if self.knows("w") {
            all.extend([
                "cancel w[s]",
                "set w[s] in 1 .. 2",
                "cancel w[s]; set w[s] in 2",
            ]);
        }
        let text = self.pick(&all);
        self.has("more than gathering");
        for (part, name) in [
            ("set t", "timer"),
            ("set w", "timer for each node"),
            ("cancel", "cancel"),
            ("is set", "is set"),
        ] {
            if text.contains(part) {
                self.has(name);
            }
        }
        self.line(indent, text);
    }
}
