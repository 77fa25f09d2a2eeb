//! Claims in words: the false part, the facts that make it false, and facts about time.
//!
//! [`Words::text`] and [`Words::part`] are excerpts of the model. This file shortens and splits these excerpts for
//! display; it does so with no generated text.

use crate::words::names::Words;
use crate::words::times::Times;
use machine::{Expr, NodeId, ResponseId, State, Value};
use verdict::{Explanation, Fact, PartVerdict, Timely, Why};

impl Words<'_> {
    /// Whether a fact says that a response has not followed in time.
    pub(crate) fn is_overdue(&self, fact: &Fact) -> bool {
        matches!(fact.timely, Some(Timely::Overdue(_)))
    }

    /// The false part of a claim. If no part is known and the only fact is an overdue response, it is the text of the
    /// response.
    pub fn false_part(&self, why: &Why) -> Option<&str> {
        let overdue = || match &why.facts[..] {
            [only] if self.is_overdue(only) => self.part(only.origin),
            _ => None,
        };
        why.part.and_then(|part| self.part(part)).or_else(overdue)
    }

    /// A fact about time in a state: `now = 12 ms, u = 13 ms`.
    pub(crate) fn timely_fact(&self, fact: &Fact, state: &State) -> Option<String> {
        let clock = state.clock.as_ref()?;
        let times = Times::new(self.labels);
        match fact.timely.as_ref()? {
            Timely::Now(_, time) => {
                let now = times.text(&clock.now);
                let other = compared(self.part(fact.origin)?)?;
                // The text of the model: a number needs no value beside it.
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

    /// The instances and values that make a part of a claim false, in one line; with the times of the state if it is
    /// given.
    pub fn because(&self, why: &Why, state: Option<&State>) -> String {
        self.because_of(why, &|fact| self.timely_fact(fact, state?))
    }

    /// Like [`Words::because`]; `other` replaces the text of some facts.
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
                facts.push(words);
                continue;
            }
            if part == Some(text) && matches!(fact.value, Value::Bool(_)) {
                continue; // the false part says it
            }
            // The text of the model: `k.role` is shortened to `role` if `k` is the only binding.
            let short = match &why.bindings[..] {
                [(name, _)] => text.strip_prefix(&format!("{name}.")).unwrap_or(text),
                _ => text,
            };
            let meaning = fact.meaning.and_then(|origin| self.part(origin));
            let of = match (&fact.of, meaning) {
                (None, _) => String::new(),
                (Some(node), None) => format!(" ({})", self.value(node)),
                (Some(node), Some(meaning)) => format!(" ({}: {meaning})", self.value(node)),
            };
            // The text of the model: a variable is written as a path of names; `halted` is a mode.
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

    /// The nodes of a response, by their names in the claim: `for k = node 2:  `.
    pub(crate) fn response_nodes(&self, response: ResponseId) -> String {
        let response = &self.machine.responses[response.index()];
        let mut bound: Vec<(&str, NodeId)> = Vec::new();
        let mut visit = |e: &Expr| {
            let Expr::At(origin, inner) = e else { return };
            let node = match inner.bare() {
                Expr::Var(_, node) | Expr::InMode(_, node) | Expr::Faultless(node) => node.bare(),
                other => other,
            };
            // The text of the model: the name before the first point is the name of the node in the claim.
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

/// The state in which a claim is false, if there is one.
pub fn moment<'s>(explanation: &Explanation, states: &'s [State]) -> Option<&'s State> {
    match explanation.verdict {
        PartVerdict::FalseAfter(after) => states.get(after),
        PartVerdict::NeverAfter(_) => None,
    }
}

/// The text of the model that a claim compares `now` with.
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
