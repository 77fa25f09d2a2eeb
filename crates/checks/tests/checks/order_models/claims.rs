//! Claims of random models, and checks of them.

use crate::order_models::text::Generator;

impl Generator {
    pub fn claims(&mut self) {
        if !self.faults.is_empty() {
            self.line(0, "let working = { k in P: k.faultless }");
        } else {
            self.line(0, "let working = P");
        }
        for number in 1..=2 {
            let (claim, least) = self.claim();
            let name = format!("c{number}");
            match least {
                true => self.line(0, format!("claim {name}(a: 2..4): {claim}")),
                false => self.line(0, format!("claim {name}: {claim}")),
            }
            let assuming = match self.percent(12) {
                true => {
                    self.has("assuming");
                    self.pick(&[
                        " assuming (exists k in P: k.x == 0)",
                        " assuming (all k in P: k.role == Low)",
                        " assuming (all k in P: k.seen == {})",
                    ])
                }
                false => "",
            };
            match least {
                true => {
                    self.has("least");
                    self.line(0, format!("check least a: {name}(a){assuming}"));
                }
                false => self.line(0, format!("check {name}{assuming}")),
            }
        }
        if !self.faults.is_empty() {
            self.beside_a_fault();
        }
    }

    /// A claim about the other nodes while some node has a fault.
    fn beside_a_fault(&mut self) {
        let of = if self.hub { "Hub" } else { "working" };
        let a = 1 + self.rng.below(5);
        let body = self.about_node("k");
        self.has("beside a fault");
        self.line(
            0,
            format!(
                "claim c3: always (all k in {of}: k.activations < {a} or (all j in P: j.faultless) or {body})"
            ),
        );
        self.line(0, "check c3");
    }

    /// A claim, and whether its bound is sought by `least`.
    fn claim(&mut self) -> (String, bool) {
        let least = self.percent(15);
        let a = match least {
            true => "a".to_string(),
            false => (1 + self.rng.below(6)).to_string(),
        };
        let kind = match self.hub && self.percent(35) {
            true => "Hub",
            false => "P",
        };
        let of = if kind == "P" && self.percent(50) {
            "working"
        } else {
            kind
        };
        let form = self.rng.below(if least { 6 } else { 9 });
        let text = match form {
            0..3 => {
                self.has("count of each");
                let body = self.about_node("k");
                format!("always (all k in {of}: k.activations >= {a} implies {body})")
            }
            3 | 4 => {
                self.has("counts of all");
                let body = self.about_all(of);
                format!("always ((all k in {of}: k.activations >= {a}) implies {body})")
            }
            5 => {
                self.has("least count");
                let body = self.about_all(kind);
                format!("always ((min k in {kind}: k.activations) >= {a} implies {body})")
            }
            6 => {
                self.has("two counts");
                let body = self.about_node("k");
                let b = self.rng.below(4);
                format!(
                    "always (all k in P: all j in {kind}: k.activations >= {a} and j.activations > {b} implies {body})"
                )
            }
            _ => {
                self.has("no counts");
                format!("always {}", self.about_all(of))
            }
        };
        (text, least)
    }

    fn about_all(&mut self, of: &str) -> String {
        if self.risky && self.percent(50) {
            self.has("risky claim");
            return format!("(the k in {of}: k.role == High).x < 2");
        }
        if self.ids && of != "working" && self.percent(50) {
            self.has("largest");
            let body = self.about_node("(largest k in P by k.id)");
            return body;
        }
        match self.rng.below(5) {
            0 => format!("(exists k in {of}: {})", self.about_node("k")),
            1 => format!("(count k in {of}: k.role == High) <= 1"),
            _ => format!("(all k in {of}: {})", self.about_node("k")),
        }
    }

    /// A condition about a node `k`.
    fn about_node(&mut self, k: &str) -> String {
        let one = self.about(k);
        match self.rng.below(10) {
            0..4 => {
                let other = self.about(k);
                format!("({one} or {other})")
            }
            4..7 => {
                let other = self.about(k);
                format!("({other} implies {one})")
            }
            _ => one,
        }
    }

    fn about(&mut self, k: &str) -> String {
        let choices = [
            "K.role != High",
            "K.role != Low",
            "K.role != Mid",
            "K.role in { Low, Mid }",
            "K.x <= 1",
            "K.x != 1",
            "K.x > 0",
            "K in K.seen",
            "size(K.seen) <= 1",
            "size(K.seen) >= 1",
            "working subset K.seen union { K }",
            "K.seen subset working union { K }",
        ];
        let text = self.pick(&choices).replace('K', k);
        match self.faults.first().copied() {
            Some(fault) if self.percent(15) => {
                self.has("fault in a claim");
                format!("({k}.{fault} or {text})")
            }
            _ => text,
        }
    }
}
