//! The claims and checks of random models with times.

use crate::timed_models::text::{Asked, Fault, Generator};

impl Generator {
    /// Writes claims and checks. Returns the questions by check.
    pub fn claims(&mut self) -> Vec<Vec<Asked>> {
        let one = self.condition("k", 1);
        let one = match self.percent(50) {
            true => format!("all k in P: {one}"),
            false => {
                let other = self.condition("j", 0);
                format!("all k, j in P: {one} or {other}")
            }
        };
        self.line(0, format!("claim one: always ({one})"));
        let two = self.condition("k", 1);
        let time = self.rng.below(5);
        let two = match self.rng.below(3) {
            0 => format!("now > {time} implies (all k in P: {two})"),
            1 => format!("(exists k in P: {two}) implies now >= {time}"),
            _ => format!("(exists k in P: {two}) implies now <= {}", time + 2),
        };
        self.has("now");
        self.line(0, format!("claim two: always ({two})"));
        let (p, q) = (self.condition("k", 0), self.condition("k", 1));
        let within = self.rng.below(4);
        self.has("leads to within");
        let three = format!("all k in P: ({p} leads to {q} within {within})");
        self.line(0, format!("claim three: {three}"));
        self.line(0, "check one, two, three");
        let possible = match self.percent(30) {
            true => format!("all k in P: {}", self.some("k")),
            false => format!("exists k in P: {}", self.some("k")),
        };
        let possible = match self.percent(35) {
            true => {
                let (order, time) = (self.pick(&["<=", "==", ">", "<"]), self.rng.below(5));
                format!("({possible}) and now {order} {time}")
            }
            false => possible,
        };
        self.line(0, format!("check possible: ({possible})"));
        let mut asked = vec![
            ["one", "two", "three"]
                .map(|name| Asked::Claim(name.into()))
                .to_vec(),
            vec![Asked::Possible(format!("({possible})"))],
        ];
        for _ in 0..2 {
            // The condition is true only for single values, so a search that misses a state is likely to answer
            // wrongly.
            let (out, r) = (self.rng.below(3), 1 + self.rng.below(2));
            let mut sharp = format!("k.out == {out} and k.r == {r}");
            match self.rng.below(4) {
                0 => sharp += &format!(" and now <= {}", 1 + self.rng.below(4)),
                1 => sharp += &format!(" and k.activations == {}", 1 + self.rng.below(3)),
                _ => {}
            }
            let sharp = format!("(exists k in P: {sharp})");
            self.line(0, format!("check possible: {sharp}"));
            asked.push(vec![Asked::Possible(sharp)]);
        }
        if self.percent(30) {
            self.has("least");
            let last = match self.percent(50) {
                true => format!(
                    "exists k in P: k.r <= {} and {}",
                    self.rng.below(2),
                    self.some("k")
                ),
                false => format!("exists k in P: {}", self.some("k")),
            };
            self.line(
                0,
                format!("claim last(u: Duration): always (({last}) implies now <= u)"),
            );
            self.line(0, "check least u: last(u)");
            asked.push(vec![Asked::Last(format!("({last})"))]);
        }
        asked
    }

    /// A disjunction of up to 1 + `more` conditions about a node `k`.
    fn condition(&mut self, k: &str, more: usize) -> String {
        let mut text = self.atom(k);
        for _ in 0..more {
            if self.percent(70) {
                text = format!("{text} or {}", self.atom(k));
            }
        }
        format!("({text})")
    }

    /// A conjunction of conditions about a node `k`.
    fn some(&mut self, k: &str) -> String {
        let mut text = self.atom(k);
        while self.percent(45) {
            text = format!("{text} and {}", self.atom(k));
        }
        format!("({text})")
    }

    fn atom(&mut self, k: &str) -> String {
        let number = self.rng.below(3);
        let other = 1 + self.rng.below(2);
        let ever = match self.fault {
            Fault::Crash => "crashed",
            Fault::Fresh | Fault::Keeping => "stopped",
            Fault::None => "halted",
        };
        match self.rng.below(20) {
            0..5 => format!("{k}.out == {number}"),
            5..8 => format!("{k}.out < {other}"),
            8 => format!("{k}.r >= {other}"),
            9 => format!("{k}.r == {number}"),
            10 | 11 => format!("{k}.{ever}"),
            12 => format!("not {k}.{ever}"),
            13 => format!("{k}.activations >= {other}"),
            14 if self.knows("t") => {
                self.has("is set");
                format!("{k}.t is set")
            }
            15 if self.knows("flag") => {
                self.has("gathered in a claim");
                format!("{k}.flag")
            }
            16 if self.knows("seen") => {
                self.has("gathered in a claim");
                format!("size({k}.seen) >= 1")
            }
            17 if self.knows("got") => {
                self.has("gathered in a claim");
                format!("size({k}.got[{number}]) == 0")
            }
            18 if self.percent(50) => {
                self.has("on the way");
                let record = self.pick(&["Note", "Ping"]);
                let senders = if self.hub { "Hub" } else { "P" };
                format!("(exists i in {senders}: i != {k} and in_flight({record}, i, {k}) >= 1)")
            }
            19 if self.knows("boots") => format!("{k}.boots == {number}"),
            _ => format!("{k}.out >= {other}"),
        }
    }
}
