//! What a claim says of time, with the times of a run: `now`, and since when something has not followed.

use crate::{Telling, Times, Words};
use machine::{BinaryOp, Expr, ResponseId, State, Value};
use verdict::{Ending, Explanation, Fact, PartVerdict, Timely, Why};

impl Words<'_> {
    /// Whether a fact is that something has not followed in time.
    pub(crate) fn is_overdue(&self, fact: &Fact) -> bool {
        matches!(fact.timely, Some(Timely::Overdue(_)))
    }

    /// The part of a claim that is false: what has not followed in time if that is all that is wrong.
    pub fn false_part(&self, why: &Why) -> Option<&str> {
        let overdue = || match &why.facts[..] {
            [only] if self.is_overdue(only) => self.part(only.origin),
            _ => None,
        };
        why.part.and_then(|part| self.part(part)).or_else(overdue)
    }

    /// A fact about time at a moment: `now = 12 ms, u = 13 ms`.
    pub(crate) fn timely_fact(&self, fact: &Fact, state: &State) -> Option<String> {
        let clock = state.clock.as_ref()?;
        let times = Times::new(self.labels);
        match fact.timely.as_ref()? {
            Timely::Now(_, time) => {
                let now = times.text(&clock.now);
                let other = compared(self.part(fact.origin)?)?;
                Some(match other.starts_with(|c: char| c.is_ascii_digit()) {
                    true => format!("now = {now}"),
                    false => format!("now = {now}, {other} = {}", times.text(time)),
                })
            }
            Timely::Overdue(_) if fact.value != Value::Bool(true) => None,
            Timely::Overdue(response) => {
                let since = clock.pending.get(response.index())?.as_ref()?;
                let within = &self.machine.responses[response.index()].within;
                let who = self.who(*response);
                let (since, within) = (times.text(since), times.text(within));
                Some(format!(
                    "{who}asked for at {since}, and not there within {within}"
                ))
            }
        }
    }

    /// For which nodes something must follow, by the names that the claim has for them: `for k = node 2:  `.
    fn who(&self, response: ResponseId) -> String {
        let response = &self.machine.responses[response.index()];
        let mut bound: Vec<String> = Vec::new();
        let mut visit = |e: &Expr| {
            let Expr::At(origin, inner) = e else { return };
            let node = match inner.bare() {
                Expr::Var(_, node) | Expr::InMode(_, node) | Expr::Faultless(node) => node.bare(),
                other => other,
            };
            let text = self.part(*origin).unwrap_or_default();
            let name = text.split('.').next().unwrap_or_default();
            let is_name = name.starts_with(|c: char| c.is_lowercase())
                && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            if let (Expr::Const(value @ Value::Node(_)), true) = (node, is_name) {
                let said = format!("{name} = {}", self.value(value));
                if !bound.contains(&said) {
                    bound.push(said);
                }
            }
        };
        response.from.walk(&mut visit);
        response.to.walk(&mut visit);
        match bound.is_empty() {
            true => String::new(),
            false => format!("for {}:  ", bound.join(", ")),
        }
    }
}

/// Why a run that goes on for ever breaks a bound on the time, however large it is: `asked for at 5 ms, and never there
/// after that`, `now grows beyond u`.
pub(crate) fn for_ever(telling: &Telling<'_>, fact: &Fact) -> Option<String> {
    let words = telling.words;
    if telling.run.ending == Ending::Open || !telling.is_timed() {
        return None;
    }
    match fact.timely.as_ref()? {
        Timely::Now(op, _) => {
            let over = match op {
                BinaryOp::Le | BinaryOp::Lt => Value::Bool(false),
                BinaryOp::Ge | BinaryOp::Gt => Value::Bool(true),
                _ => return None,
            };
            let other = compared(words.part(fact.origin)?)?;
            (fact.value == over).then(|| format!("now grows beyond {other}"))
        }
        Timely::Overdue(id) => {
            let response = &words.machine.responses[id.index()];
            let holds = |at: &usize, condition| {
                let state = &telling.states[*at];
                telling.instance().holds(state, condition, &[]) == Ok(true)
            };
            let all = 0..telling.states.len();
            let last = all.clone().rev().find(|at| holds(at, &response.to));
            if let (Some(last), Some(from)) = (last, telling.loops())
                && last >= from
            {
                return None; // it is there again and again
            }
            let mut since = all.skip(last.map_or(0, |last| last + 1));
            let since = since.find(|at| holds(at, &response.from))?;
            let since = &telling.states[since].clock.as_ref()?.now;
            let (who, since) = (words.who(*id), telling.times().text(since));
            Some(format!(
                "{who}asked for at {since}, and never there after that"
            ))
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

/// What `now` is compared with, in the words of the claim.
fn compared(text: &str) -> Option<&str> {
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
    //! Tests of reading comparisons.

    use super::compared;

    #[test]
    fn the_other_side_of_now() {
        assert_eq!(compared("now <= u"), Some("u"));
        assert_eq!(compared("x + 2 ms > now"), Some("x + 2 ms"));
        assert_eq!(compared("now - u < 3 ms"), None);
        assert_eq!(compared("late"), None);
    }
}
