//! Explains why a condition is false in a state: its smallest false subexpression, and the values in it.

use machine::{
    BinaryOp, Expr, Instance, LocalId, Origin, Quantifier, Scope, State, Type, UnaryOp, Value, Var,
};
use verdict::{Fact, Timely, Why};

/// A condition with the values of its free local names.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) instance: Instance<'a>,
    pub(crate) scope: &'a Scope,
    pub(crate) condition: &'a Expr,
    pub(crate) bound: &'a [(LocalId, Value)],
}

/// Why a condition is false in a state; `None` if it is true or an error. Marks the facts that have the same value in
/// all states of the loop.
pub(crate) fn why(asked: Asked<'_>, state: &State, loop_states: &[State]) -> Option<Why> {
    let (mut why, bound) = in_state(asked, &[], state)?;
    for fact in &mut why.facts {
        fact.stays = !loop_states.is_empty();
    }
    for other in loop_states {
        // The facts are compared for the same elements of the quantifiers.
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

/// Why a condition is false in a state, with the values of all local names. If a quantifier is false for several
/// elements, one of `preferred` is taken.
fn in_state(
    asked: Asked<'_>,
    preferred: &[(LocalId, Value)],
    state: &State,
) -> Option<(Why, Vec<(LocalId, Value)>)> {
    let mut search = Search {
        instance: asked.instance,
        scope: asked.scope,
        outside: 0,
        state,
        preferred,
        bound: asked.bound.to_vec(),
        part: None,
    };
    if search.is_true(asked.condition)? {
        return None;
    }
    let part = search.smallest_false(asked.condition);
    search.outside = search.bound.len();
    let mut facts = Vec::new();
    search.facts(part, search.part, &mut facts);
    search.wanted(part, &mut facts);
    // A parameter of a function often has the name and the value of its argument; it is reported once.
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
    scope: &'a Scope,
    /// The number of the names in `bound` that are bound outside of the smallest part.
    outside: usize,
    state: &'a State,
    /// The elements of quantifiers that are tried first.
    preferred: &'a [(LocalId, Value)],
    bound: Vec<(LocalId, Value)>,
    /// The origin of the smallest part found so far.
    part: Option<Origin>,
}

impl Search<'_> {
    fn value(&self, expr: &Expr) -> Option<Value> {
        self.instance.value(self.state, expr, &self.bound).ok()
    }

    fn is_true(&self, expr: &Expr) -> Option<bool> {
        Some(self.value(expr)?.as_bool())
    }

    /// Descends into the first false operand or element of a false condition.
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

    /// Collects the values of the subexpressions of a condition that are reported as a whole.
    fn facts(&self, expr: &Expr, origin: Option<Origin>, facts: &mut Vec<Fact>) {
        match expr {
            // A set with a name is reported as a whole, under its name.
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
            // Only the part of a variable that is read is reported.
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

    /// If the condition is an equation and one side is a single fact, records the value of the other side as the value
    /// that the fact should have.
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

    /// Whether an expression is a saturating count that has reached its greatest value, so that the true value may be
    /// larger.
    fn goes_on(&self, expr: &Expr, value: &Value) -> bool {
        let Expr::Var(var, _) = expr.bare() else {
            return false;
        };
        let var = &self.instance.machine.vars[var.index()];
        let last = matches!((&var.ty, value), (Type::Int(_, most), Value::Int(n)) if n == most);
        counts(var) && last
    }

    /// The names that are bound inside of the smallest part and occur in the expression, with their values. A name is
    /// left out if a binding outside has the same name and the same value.
    fn given(&self, expr: &Expr) -> Vec<(String, Value)> {
        let mut read = Vec::new();
        expr.walk(&mut |part| {
            if let Expr::Local(local) = part {
                read.push(*local);
            }
        });
        let named = |(local, value): &(LocalId, Value)| {
            let name = self.scope.locals[local.index()].name.clone();
            (name, value.clone())
        };
        let (outside, inside) = self.bound.split_at(self.outside);
        let outside: Vec<(String, Value)> = outside.iter().map(named).collect();
        let inside = inside.iter().filter(|(local, _)| read.contains(local));
        let mut given: Vec<(String, Value)> = inside.map(named).collect();
        given.retain(|binding| !outside.contains(binding));
        given
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
                given: self.given(expr),
                wanted: None,
                stays: false,
            };
            if !facts.contains(&fact) {
                facts.push(fact);
            }
        }
    }
}

/// The comparison with time that an expression makes, if any.
fn timely(expr: &Expr) -> Option<Timely> {
    match expr.bare() {
        Expr::Now(op, time) => Some(Timely::Now(*op, time.clone())),
        Expr::Overdue(response) => Some(Timely::Overdue(*response)),
        _ => None,
    }
}

/// Whether a variable is a count that was added for claims; such counts saturate where claims do not distinguish larger
/// values.
fn counts(var: &Var) -> bool {
    var.ghost && (var.name == "activations" || var.name.starts_with("sent("))
}

/// The node to which the variable, frozen variable or mode in an expression belongs.
fn owner(expr: &Expr) -> Option<&Expr> {
    match expr.bare() {
        Expr::Var(_, node) | Expr::Frozen(_, node) | Expr::InMode(_, node) => Some(node),
        Expr::Field(base, _) | Expr::Index(_, base, _) | Expr::Unwrap(base) => owner(base),
        _ => None,
    }
}

/// The origin of the definition if an expression uses an abbreviation. The use and the definition are two nested
/// origins around the same expression; the inner one is the definition.
fn meaning(expr: &Expr) -> Option<Origin> {
    match expr {
        Expr::At(_, inner) => match &**inner {
            Expr::At(origin, rest) => meaning(rest).or(Some(*origin)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the expression is an `all`, an `and`, or an implication that ends in one of these.
fn divides(expr: &Expr) -> bool {
    match expr.bare() {
        Expr::Quantified(Quantifier::All, ..) | Expr::Binary(BinaryOp::And, ..) => true,
        Expr::Binary(BinaryOp::Implies, _, then) => divides(then),
        _ => false,
    }
}
