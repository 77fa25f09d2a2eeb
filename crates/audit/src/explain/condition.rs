//! Explanation of why a condition is false in a state: its smallest false subexpression, and the values in it.

use machine::{
    BinaryOp, Expr, Instance, LocalId, Origin, Quantifier, Scope, State, Type, UnaryOp, Value, Var,
};
use verdict::{Fact, Timely, Why};

/// A condition with its bound local names.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) instance: Instance<'a>,
    pub(crate) scope: &'a Scope,
    pub(crate) condition: &'a Expr,
    pub(crate) bound: &'a [(LocalId, Value)],
}

/// The reason why a condition is false in a state; none if it is true. Facts that are the same in all states of
/// the loop are marked.
pub(crate) fn why(asked: Asked<'_>, state: &State, loop_states: &[State]) -> Option<Why> {
    let (mut why, bound) = in_state(asked, &[], state)?;
    for fact in &mut why.facts {
        fact.stays = !loop_states.is_empty();
    }
    for other in loop_states {
        // The same instance, as long as the condition is false for it.
        let same = in_state(asked, &bound, other)
            .filter(|(other, _)| other.part == why.part && other.bindings == why.bindings);
        for fact in why.facts.iter_mut().filter(|fact| fact.stays) {
            let now = same.as_ref().map_or(&[][..], |(other, _)| &other.facts);
            fact.stays = now.iter().any(|now| {
                (now.origin, &now.value, &now.of) == (fact.origin, &fact.value, &fact.of)
            });
        }
    }
    Some(why)
}

/// The reason why a condition is false in a state, with the values of all local names there. Of the instances
/// for which it is false, a preferred one is taken.
fn in_state(
    asked: Asked<'_>,
    preferred: &[(LocalId, Value)],
    state: &State,
) -> Option<(Why, Vec<(LocalId, Value)>)> {
    let mut search = Search {
        instance: asked.instance,
        state,
        preferred,
        bound: asked.bound.to_vec(),
        part: None,
    };
    if search.is_true(asked.condition)? {
        return None;
    }
    let part = search.smallest_false(asked.condition);
    let mut facts = Vec::new();
    search.facts(part, search.part, &mut facts);
    search.wanted(part, &mut facts);
    // A parameter of a function often has the same name as its argument.
    let mut bindings: Vec<(String, Value)> = Vec::new();
    for (local, value) in &search.bound {
        let name = asked.scope.locals[local.index()].name.clone();
        let binding = (name, value.clone());
        if !bindings.contains(&binding) {
            bindings.push(binding);
        }
    }
    let why = Why {
        part: search.part,
        bindings,
        facts,
    };
    Some((why, search.bound))
}

struct Search<'a> {
    instance: Instance<'a>,
    state: &'a State,
    /// Instances of quantifiers that are tried first.
    preferred: &'a [(LocalId, Value)],
    bound: Vec<(LocalId, Value)>,
    /// The innermost origin mark around the current subexpression.
    part: Option<Origin>,
}

impl Search<'_> {
    fn value(&self, expr: &Expr) -> Option<Value> {
        self.instance.value(self.state, expr, &self.bound).ok()
    }

    fn is_true(&self, expr: &Expr) -> Option<bool> {
        Some(self.value(expr)?.as_bool())
    }

    /// Descends into a false condition as long as a single subexpression is responsible.
    fn smallest_false<'e>(&mut self, expr: &'e Expr) -> &'e Expr {
        match expr {
            Expr::At(origin, inner) => {
                self.part = Some(*origin);
                self.smallest_false(inner)
            }
            Expr::Quantified(Quantifier::All, local, domain, body) => {
                let elements = self.value(domain);
                let elements = elements.iter().flat_map(|set| set.as_set());
                let preferred = self.preferred.iter().filter(|(l, _)| l == local);
                let preferred: Vec<&Value> = preferred.map(|(_, value)| value).collect();
                let (first, rest): (Vec<_>, Vec<_>) =
                    elements.partition(|element| preferred.contains(element));
                for element in first.into_iter().chain(rest) {
                    self.bound.push((*local, element.clone()));
                    if self.is_true(body) == Some(false) {
                        return self.smallest_false(body);
                    }
                    self.bound.pop();
                }
                expr
            }
            Expr::Let(local, value, body) => match self.value(value) {
                Some(value) => {
                    self.bound.push((*local, value));
                    self.smallest_false(body)
                }
                None => expr,
            },
            Expr::Binary(BinaryOp::And, a, b) => {
                let blame = if self.is_true(a) == Some(false) { a } else { b };
                self.smallest_false(blame)
            }
            Expr::Binary(BinaryOp::Implies, _, then) if divides(then) => self.smallest_false(then),
            _ => expr,
        }
    }

    /// The values of the subexpressions of a condition that are not conditions themselves.
    fn facts(&self, expr: &Expr, origin: Option<Origin>, facts: &mut Vec<Fact>) {
        match expr {
            // A set that has a name is reported by its name.
            Expr::At(origin, inner) if matches!(inner.bare(), Expr::Filter(..)) => {
                self.add(inner, Some(*origin), None, facts);
            }
            Expr::At(origin, inner) => self.facts(inner, Some(*origin), facts),
            Expr::Binary(BinaryOp::Implies | BinaryOp::And | BinaryOp::Or, a, b) => {
                self.facts(a, None, facts);
                if let (Expr::Binary(BinaryOp::And, ..), Some(false)) = (expr, self.is_true(a)) {
                    return; // the second operand is not evaluated
                }
                self.facts(b, None, facts);
            }
            Expr::Unary(UnaryOp::Not, a) if !matches!(a.bare(), Expr::Quantified(..)) => {
                self.facts(a, None, facts)
            }
            Expr::Const(_) | Expr::None(_) | Expr::Local(_) | Expr::Nodes(_) | Expr::Values(_) => {}
            // For a part of a variable, only the part is reported.
            Expr::Var(..)
            | Expr::Frozen(..)
            | Expr::InMode(..)
            | Expr::Field(..)
            | Expr::Index(..)
                if let Some(owner) = owner(expr) =>
            {
                if let Expr::Index(_, _, index) = expr {
                    self.facts(index, None, facts);
                }
                let of = match owner.bare() {
                    Expr::Local(_) | Expr::Const(_) => None,
                    node => self.value(node),
                };
                self.add(expr, origin, of.map(|of| (of, meaning(owner))), facts);
            }
            Expr::If(condition, then, otherwise) => {
                self.facts(condition, None, facts);
                match self.is_true(condition) {
                    Some(true) => self.facts(then, None, facts),
                    Some(false) => self.facts(otherwise, None, facts),
                    None => {}
                }
            }
            Expr::Let(local, value, body) => {
                self.facts(value, None, facts);
                if let Some(value) = self.value(value) {
                    let mut bound = self.bound.clone();
                    bound.push((*local, value));
                    let inside = Search { bound, ..*self };
                    inside.facts(body, None, facts);
                }
            }
            Expr::Filter(..)
            | Expr::Quantified(..)
            | Expr::Extremum(..)
            | Expr::Map(..)
            | Expr::InFlight(..)
            | Expr::Quiescent
            | Expr::TimerSet(..)
            | Expr::Faultless(_)
            | Expr::Now(..)
            | Expr::Overdue(_) => {
                self.add(expr, origin, None, facts);
            }
            _ => expr
                .children()
                .into_iter()
                .for_each(|part| self.facts(part, None, facts)),
        }
    }

    /// Where the condition is an equation with a side that is one fact, the value that the fact should have.
    fn wanted(&self, expr: &Expr, facts: &mut [Fact]) {
        match expr {
            Expr::At(_, inner) => self.wanted(inner, facts),
            Expr::Binary(BinaryOp::Implies, _, then) => self.wanted(then, facts),
            Expr::Binary(BinaryOp::Eq, a, b) => {
                for (side, other) in [(a, b), (b, a)] {
                    let mut found = Vec::new();
                    self.facts(side, None, &mut found);
                    if let [only] = &found[..]
                        && let Some(known) = facts.iter_mut().find(|fact| *fact == only)
                    {
                        known.wanted = self.value(other);
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether an expression is a counter that has reached the last value that is tracked.
    fn goes_on(&self, expr: &Expr, value: &Value) -> bool {
        let Expr::Var(var, _) = expr.bare() else {
            return false;
        };
        let var = &self.instance.machine.vars[var.index()];
        let last = matches!((&var.ty, value), (Type::Int(_, most), Value::Int(n)) if n == most);
        counts(var) && last
    }

    fn add(
        &self,
        expr: &Expr,
        origin: Option<Origin>,
        of: Option<(Value, Option<Origin>)>,
        facts: &mut Vec<Fact>,
    ) {
        if let (Some(origin), Some(value)) = (origin, self.value(expr)) {
            let (of, meaning) = of.unzip();
            let fact = Fact {
                origin,
                or_more: self.goes_on(expr, &value),
                value,
                timely: timely(expr),
                of,
                meaning: meaning.flatten(),
                wanted: None,
                stays: false,
            };
            if !facts.contains(&fact) {
                facts.push(fact);
            }
        }
    }
}

/// The relation of an expression to time.
fn timely(expr: &Expr) -> Option<Timely> {
    match expr.bare() {
        Expr::Now(op, time) => Some(Timely::Now(*op, time.clone())),
        Expr::Overdue(response) => Some(Timely::Overdue(*response)),
        _ => None,
    }
}

/// Whether a ghost variable counts for claims and saturates where they cannot distinguish larger values.
fn counts(var: &Var) -> bool {
    var.ghost && (var.name == "activations" || var.name.starts_with("sent("))
}

/// The node whose variable, frozen variable or mode an expression is a part of.
fn owner(expr: &Expr) -> Option<&Expr> {
    match expr.bare() {
        Expr::Var(_, node) | Expr::Frozen(_, node) | Expr::InMode(_, node) => Some(node),
        Expr::Field(base, _) | Expr::Index(_, base, _) | Expr::Unwrap(base) => owner(base),
        _ => None,
    }
}

/// The origin of the definition of an abbreviation: the inner one of two marks around the same expression.
fn meaning(expr: &Expr) -> Option<Origin> {
    match expr {
        Expr::At(_, inner) => match &**inner {
            Expr::At(origin, rest) => meaning(rest).or(Some(*origin)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a single subexpression of a condition can be responsible for its value.
fn divides(expr: &Expr) -> bool {
    match expr.bare() {
        Expr::Quantified(Quantifier::All, ..) | Expr::Binary(BinaryOp::And, ..) => true,
        Expr::Binary(BinaryOp::Implies, _, then) => divides(then),
        _ => false,
    }
}
