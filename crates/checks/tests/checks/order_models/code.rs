//! The code of nodes in random models. Nodes read their inbox at some activations, and send their values.

use crate::order_models::text::Generator;

impl Generator {
    /// A node kind. `head` is its name and its number of nodes.
    pub fn kind(&mut self, head: &str) {
        let main = head.starts_with('P');
        self.line(0, format!("node {head} {{"));
        if self.ids {
            self.line(1, "id: Id");
        }
        let any = |generator: &mut Generator, value: &'static str| match generator.percent(50) {
            true => "any",
            false => value,
        };
        let (role, x, seen) = (any(self, "Low"), any(self, "0"), any(self, "{}"));
        self.line(1, format!("var role: Role = {role}"));
        self.line(1, format!("var x: 0..2 = {x}"));
        self.line(1, format!("var seen: Set<Node> = {seen}"));
        let turns = 1 + self.rng.below(3);
        if turns > 1 {
            let start = any(self, "0");
            self.has(if start == "any" {
                "turn any"
            } else {
                "turn given"
            });
            self.line(1, format!("var turn: 0..{} = {start}", turns - 1));
        }
        let rhythm = self.rhythm();
        self.line(1, format!("every {rhythm} {{"));
        let silent = !main && self.percent(15);
        let sends_last = self.percent(60);
        if !silent && !sends_last {
            self.has("changes behind the send");
            self.send(2);
        }
        if turns > 1 {
            self.line(2, "if turn == 0 {");
            self.read(3);
            self.line(2, "}");
            self.line(2, format!("turn = (turn + 1) mod {turns}"));
        } else {
            self.read(2);
        }
        if self.percent(25) {
            self.change(2, None);
        }
        if !silent && sends_last {
            self.send(2);
        }
        self.line(1, "}");
        self.line(0, "}");
    }

    /// Statements that read the inbox, may clear it, and change a variable.
    fn read(&mut self, indent: usize) {
        let heard = self.question();
        self.line(indent, format!("let heard = {heard}"));
        if self.percent(35) {
            self.has("senders");
            let text = self.pick(&[
                "seen = senders(inbox)",
                "seen = { self } union senders(inbox)",
                "seen = seen intersect senders(inbox)",
            ]);
            if text.contains("intersect") {
                self.has("intersect");
            }
            self.line(indent, text);
        }
        if self.carries("s") && self.percent(60) {
            self.has("sets in messages");
            self.line(indent, "seen = { k in seen: all m in inbox: k in m.s }");
        }
        match self.rng.below(10) {
            0 | 1 => {}
            2 | 3 => {
                self.has("clears at times");
                let when = self.pick(&["heard", "role == High", "x == 1", "not heard"]);
                self.line(indent, format!("if {when} {{ clear inbox }}"));
            }
            _ => {
                self.has("clears");
                self.line(indent, "clear inbox");
            }
        }
        match self.percent(40) {
            true => {
                self.has("election");
                self.line(indent, "if heard { role = Low }");
                self.line(indent, "else if role == Low { role = Mid }");
                self.line(indent, "else { role = High }");
            }
            false => self.change(indent, Some("heard")),
        }
        if self.percent(40) {
            self.change(indent, Some("heard"));
        }
    }

    /// A condition about the inbox.
    fn question(&mut self) -> String {
        match self.rng.below(6) {
            0 => {
                self.has("senders");
                self.pick(&[
                    "size(senders(inbox)) >= 1",
                    "size(senders(inbox)) >= 2",
                    "senders(inbox) subset seen",
                ])
                .to_string()
            }
            1 | 2 => {
                self.has("all in inbox");
                format!("all m in inbox: {}", self.about_message())
            }
            _ => {
                self.has("exists in inbox");
                format!("exists m in inbox: {}", self.about_message())
            }
        }
    }

    fn about_message(&mut self) -> String {
        if self.fields.is_empty() {
            return "true".into();
        }
        let field = match self.carries("id") && self.percent(60) {
            true => "id",
            false => self.pick(&self.fields.clone()),
        };
        let choices: &[&str] = match field {
            "v" => &["m.v > x", "m.v == x", "m.v == 2", "m.v >= 1", "m.v != 0"],
            "r" => &["m.r == role", "m.r == High", "m.r != Low", "m.r == Mid"],
            "s" => &[
                "self in m.s",
                "m.s subset seen",
                "m.s == seen",
                "size(m.s) > 1",
            ],
            "from" => &["m.from in seen", "m.from != self"],
            _ => &["m.id > id", "m.id > id", "m.id < id"],
        };
        self.pick(choices).to_string()
    }

    /// A statement that changes a variable, under the condition `when` if it is given.
    fn change(&mut self, indent: usize, when: Option<&str>) {
        let mut what = match self.rng.below(8) {
            0 => "x = min(x + 1, 2)",
            1 => "x = (x + 1) mod 3",
            2 => "x = 1",
            3 => "role = High",
            4 => "role = if x == 2 then Mid else role",
            5 => "x = if role == High then 2 else 0",
            6 => "seen = seen minus { self }",
            _ => "role = if self in seen then Low else Mid",
        };
        if self.risky && self.percent(50) {
            self.has("risky code");
            what = "x = x + 1";
        }
        let otherwise = match self.percent(40) {
            true => self.pick(&[" else { x = 0 }", " else { role = Low }"]),
            false => "",
        };
        match when {
            Some(when) => self.line(indent, format!("if {when} {{ {what} }}{otherwise}")),
            None => self.line(indent, what),
        }
    }

    fn send(&mut self, indent: usize) {
        let fields = self.fields.iter().map(|field| match *field {
            "v" => "v: x",
            "r" => "r: role",
            "s" => "s: seen",
            "from" => "from: self",
            _ => "id: id",
        });
        let fields = fields.collect::<Vec<_>>().join(", ");
        let note = match fields.is_empty() {
            true => "Note".to_string(),
            false => format!("Note {{ {fields} }}"),
        };
        let mut text = format!("broadcast {note}");
        if self.percent(15) {
            self.has("to some");
            text = format!("send {note} to neighbours intersect seen");
        }
        if self.percent(30) {
            self.has("sends at times");
            let when = self.pick(&[
                "role != Low",
                "x > 0",
                "role == High or x == 0",
                "self in seen",
            ]);
            text = format!("if {when} {{ {text} }}");
        }
        self.line(indent, text);
    }
}
