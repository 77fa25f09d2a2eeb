//! The claims and checks of random models.

use crate::models::data::{Scope, Ty};
use crate::models::text::{Asked, Generator};

impl Generator {
    /// Writes claims and checks. Returns the questions in the order of the text.
    pub fn claims(&mut self) -> Vec<Asked> {
        let mut asked = Vec::new();
        for name in ["one", "two", "three"] {
            let condition = (name != "three" || self.w.percent(60)).then(|| self.always());
            let formula = match &condition {
                Some(condition) => format!("always ({condition})"),
                None => self.temporal(),
            };
            self.line(0, format!("claim {name}: {formula}"));
            asked.push(Asked {
                name: name.into(),
                condition,
                possible: false,
            });
        }
        let (binder, condition) = self.about_some("exists");
        let condition = format!("{binder}{condition}");
        self.line(0, "check one, two, three");
        self.line(0, format!("check possible: ({condition})"));
        asked.push(Asked {
            name: "possible".into(),
            condition: Some(condition),
            possible: true,
        });
        asked
    }

    /// The condition C of a claim `always C`, about all nodes.
    fn always(&mut self) -> String {
        match self.w.rng.below(10) {
            3..6 if self.w.gossip => {
                let (j, k) = (self.w.fresh("j"), self.w.fresh("k"));
                self.w.has("hearsay");
                let so = format!("{k} != {j} and {k}.x.a == {}", self.hearsay);
                format!("all {j} in Peer: {j}.told implies (exists {k} in Peer: {so})")
            }
            0 => {
                let (binder, condition) = self.about_some("exists");
                self.w.has("exists in a claim");
                format!("{binder}{condition}")
            }
            1 | 2 => {
                let (j, k) = (self.w.fresh("j"), self.w.fresh("k"));
                let mut scope = self.of_node(0, &j);
                scope.readers.extend(self.of_node(0, &k).readers);
                let condition = self.w.condition(&scope, 1);
                let guard = self.guard(&j, " and ") + &self.guard(&k, " implies ");
                let guard = if guard.is_empty() {
                    guard
                } else {
                    format!("({guard}")
                };
                let end = if guard.is_empty() { "" } else { ")" };
                self.w.has("two nodes in a claim");
                format!("all {j}, {k} in Peer: {guard}{condition}{end}")
            }
            _ => {
                let (binder, condition) = self.about_some("all");
                let weaker = self.w.percent(40);
                let name = binder.split_whitespace().nth(1).unwrap_or("").to_string();
                match (weaker, self.w.rng.below(3)) {
                    (true, number) => {
                        self.w.has("activations");
                        format!(
                            "{binder}{name}.activations >= {} implies {condition}",
                            number + 1
                        )
                    }
                    (false, _) => format!("{binder}{condition}"),
                }
            }
        }
    }

    /// A temporal formula that does not have the form `always C`.
    fn temporal(&mut self) -> String {
        let (binder, condition) = self.about_some("all");
        self.w.has("temporal claim");
        match self.w.rng.below(4) {
            0 => format!("{binder}eventually {condition}"),
            1 => format!("{binder}always eventually {condition}"),
            2 => format!("{binder}eventually always {condition}"),
            _ => {
                let name = binder.split_whitespace().nth(1).unwrap_or("").to_string();
                format!("{binder}({condition} leads to {name}.activations >= 2)")
            }
        }
    }

    /// A quantifier over the nodes of a kind, and a condition about the bound node.
    fn about_some(&mut self, quantifier: &str) -> (String, String) {
        let kind = self.w.rng.below(self.w.kinds.len());
        let k = self.w.fresh("k");
        let scope = self.of_node(kind, &k);
        let mut condition = self.w.condition(&scope, 1);
        // Universal claims are weakened and existential ones strengthened, so that both answers are frequent.
        let and = if quantifier == "all" { "or" } else { "and" };
        while self.w.percent(50) {
            condition = format!("({condition} {and} {})", self.w.condition(&scope, 0));
        }
        let then = if quantifier == "all" {
            " implies "
        } else {
            " and "
        };
        let guard = self.guard(&k, then);
        let name = self.w.kinds[kind];
        (
            format!("{quantifier} {k} in {name}: "),
            format!("({guard}{condition})"),
        )
    }

    /// A guard before a condition; it mostly excludes nodes that are off.
    fn guard(&mut self, k: &str, then: &str) -> String {
        let faults = ["mute", "deaf", "isolated"];
        let faults: Vec<&str> = { faults.into_iter() }
            .filter(|fault| self.w.constructs.contains(fault))
            .collect();
        if !faults.is_empty() && self.w.percent(30) {
            let fault = self.w.pick(&faults);
            self.w.has("fault in a claim");
            return format!("{k}.{fault}{then}");
        }
        let off = self.w.constructs.contains("off") && self.w.percent(85);
        match self.w.constructs.contains("faults") {
            _ if off => format!("not {k}.off{then}"),
            true if self.w.percent(25) => format!("{k}.faultless{then}"),
            _ => String::new(),
        }
    }

    /// The values that a claim can read about a node `k` of a kind.
    fn of_node(&self, kind: usize, k: &str) -> Scope {
        let mut scope = Scope {
            node: k.into(),
            ..Scope::default()
        };
        for (ty, name) in &self.vars[kind] {
            self.w.read(&mut scope, ty, &format!("{k}.{name}"));
        }
        scope.readers.push((Ty::Node, k.into()));
        scope
    }
}
