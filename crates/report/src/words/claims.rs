//! Claims in words: the false part, and the facts that make it false, including facts about time.
//!
//! [`Words::text`] and [`Words::part`] return excerpts of the model. This file shortens and splits these excerpts for
//! display; it does not split generated text.

use crate::words::names::Words;
use crate::words::times::Times;
use machine::{Expr, NodeId, ResponseId, State, Value};
use verdict::{Explanation, Fact, PartVerdict, Timely, Why};

impl Words<'_> {
    /// Whether a fact is about a bounded response that is overdue.
    pub(crate) fn is_overdue(&self, fact: &Fact) -> bool {
        matches!(fact.timely, Some(Timely::Overdue(_)))
    }

    /// The text of the false part of a claim, or the text of the response if the place of the part is unknown and the
    /// only fact is an overdue response.
    pub fn false_part(&self, why: &Why) -> Option<&str> {
        let overdue = || match &why.facts[..] {
            [only] if self.is_overdue(only) => self.part(only.origin),
            _ => None,
        };
        why.part.and_then(|part| self.part(part)).or_else(overdue)
    }

    /// A fact about time in a state, such as `now = 12 ms, u = 13 ms`. `None` for other facts and for a state without a
    /// clock.
    pub(crate) fn timely_fact(&self, fact: &Fact, state: &State) -> Option<String> {
        let clock = state.clock.as_ref()?;
        let times = Times::new(self.labels);
        match fact.timely.as_ref()? {
            Timely::Now(_, time) => {
                let now = times.text(&clock.now);
                let other = compared(self.part(fact.origin)?)?;
                // If the model compares `now` with a number, the number needs no value.
                Some(match other.starts_with(|c: char| c.is_ascii_digit()) {
                    true => format!("now = {now}"),
                    false => format!("now = {now}, {other} = {}", times.text(time)),
                })
            }
            Timely::Overdue(_) if fact.value != Value::Bool(true) => None,
            Timely::Overdue(response) => {
                let since = clock.pending.get(response.index())?.as_ref()?;
                let within = &self.machine.responses[response.index()].within;
                let nodes = self.response_nodes(*response);
                let (since, within) = (times.text(since), times.text(within));
                Some(format!(
                    "{nodes}asked for at {since}, and not there within {within}"
                ))
            }
        }
    }

    /// The bindings of quantified variables and the values that make a part of a claim false, in one line. `state` is
    /// the state for facts about time, if there is one.
    pub fn because(&self, why: &Why, state: Option<&State>) -> String {
        self.because_of(why, &|fact| self.timely_fact(fact, state?))
    }

    /// Like [`Words::because`]; if `other` has a text for a fact, it replaces the usual one.
    pub(crate) fn because_of(&self, why: &Why, other: &dyn Fn(&Fact) -> Option<String>) -> String {
        let bindings = why.bindings.iter();
        let bindings: Vec<String> = bindings
            .map(|(name, value)| format!("{name} = {}", self.value(value)))
            .collect();
        let mut facts: Vec<String> = Vec::new();
        let part = self.false_part(why);
        for fact in &why.facts {
            let text = self.text(fact.origin).unwrap_or("it");
            if let Some(words) = other(fact) {
                if !facts.contains(&words) {
                    facts.push(words);
                }
                continue;
            }
            if part == Some(text) && matches!(fact.value, Value::Bool(_)) {
                continue; // the false part itself
            }
            // In the text of the model, `k.role` is shortened to `role` if `k` is the only binding.
            let short = match &why.bindings[..] {
                [(name, _)] if !fact.given.iter().any(|(inner, _)| inner == name) => {
                    text.strip_prefix(&format!("{name}.")).unwrap_or(text)
                }
                _ => text,
            };
            let meaning = fact.meaning.and_then(|origin| self.part(origin));
            let of = match (&fact.of, meaning) {
                (None, _) => String::new(),
                (Some(node), None) => format!(" ({})", self.value(node)),
                (Some(node), Some(meaning)) => format!(" ({}: {meaning})", self.value(node)),
            };
            let of = of + &self.given(fact);
            // In the text of the model, a variable is a path of names. A path that ends in `halted` is a mode.
            let variable = text
                .chars()
                .all(|c| c.is_alphanumeric() || "_.".contains(c))
                && !text.ends_with(".halted");
            let words = match &fact.value {
                value @ Value::Bool(_) if variable => {
                    format!("{short} = {}{of}", self.value(value))
                }
                Value::Bool(true) => format!("{short}{of}"),
                Value::Bool(false) => format!("not {short}{of}"),
                value if fact.or_more => format!("{short} = {} or more{of}", self.value(value)),
                value => format!("{short} = {}{of}", self.value(value)),
            };
            if !facts.contains(&words) {
                facts.push(words);
            }
        }
        match (bindings.is_empty(), facts.is_empty()) {
            (true, true) => String::new(),
            (true, false) => facts.join(", "),
            (false, true) => format!("for {}", bindings.join(", ")),
            (false, false) => format!("for {}:  {}", bindings.join(", "), facts.join(", ")),
        }
    }

    /// The values of the names in a fact that its text does not show: ` (v = 1)`; empty if there are none.
    fn given(&self, fact: &Fact) -> String {
        let given = fact.given.iter();
        let given = given.map(|(name, value)| format!("{name} = {}", self.value(value)));
        let given: Vec<String> = given.collect();
        match given.is_empty() {
            true => String::new(),
            false => format!(" ({})", given.join(", ")),
        }
    }

    /// The nodes of a bounded response with their names in the claim: `for k = node 2: `; empty if there are none.
    pub(crate) fn response_nodes(&self, response: ResponseId) -> String {
        let response = &self.machine.responses[response.index()];
        let mut bound: Vec<(&str, NodeId)> = Vec::new();
        let mut visit = |e: &Expr| {
            let Expr::At(origin, inner) = e else { return };
            let node = match inner.bare() {
                Expr::Var(_, node) | Expr::InMode(_, node) | Expr::Faultless(node) => node.bare(),
                other => other,
            };
            // In the text of the model, the name before the first point is the name of the node.
            let text = self.part(*origin).unwrap_or_default();
            let name = text.split('.').next().unwrap_or_default();
            let is_name = name.starts_with(|c: char| c.is_lowercase())
                && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            if let (Expr::Const(Value::Node(node)), true) = (node, is_name)
                && !bound.contains(&(name, *node))
            {
                bound.push((name, *node));
            }
        };
        response.from.walk(&mut visit);
        response.to.walk(&mut visit);
        let bound = bound.iter();
        let bound = bound.map(|(name, node)| format!("{name} = {}", self.node(*node)));
        let bound: Vec<String> = bound.collect();
        match bound.is_empty() {
            true => String::new(),
            false => format!("for {}:  ", bound.join(", ")),
        }
    }
}

/// The state in which the claim becomes false; `None` if its part never becomes true.
pub fn moment<'s>(explanation: &Explanation, states: &'s [State]) -> Option<&'s State> {
    match explanation.verdict {
        PartVerdict::FalseAfter(after) => states.get(after),
        PartVerdict::NeverAfter(_) => None,
    }
}

/// The other side of a comparison with `now`, given its text in the model; `None` for other texts.
pub(crate) fn compared(text: &str) -> Option<&str> {
    let operators = ["<=", ">=", "==", "!=", "<", ">"];
    let operator = operators.iter().find(|op| text.contains(**op))?;
    let (left, right) = text.split_once(operator)?;
    match (left.trim(), right.trim()) {
        ("now", other) | (other, "now") => Some(other),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    //! Tests of reading comparisons with `now`.

    use super::compared;

    #[test]
    fn the_other_side_of_now() {
        assert_eq!(compared("now <= u"), Some("u"));
        assert_eq!(compared("x + 2 ms > now"), Some("x + 2 ms"));
        assert_eq!(compared("now - u < 3 ms"), None);
        assert_eq!(compared("late"), None);
    }
}
