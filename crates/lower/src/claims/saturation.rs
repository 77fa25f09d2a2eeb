//! Saturation of counts: computes bounds beyond which the claims cannot distinguish counts, so that a ghost need not
//! count further.
//!
//! A *count* is `k.sent(M)` or `k.activations`: a number from 0 on that only grows. Its ghost counts up to a bound S
//! and stays there. Let s be a state, and s' the state s with every count cut off at its bound S. Invariant: every
//! comparison whose result can affect the claim has the same result in s and s'.
//!
//! **Comparisons.** Consider `a op b` with lo_a <= a <= hi_a and lo_b <= b <= hi_b. All values a > hi_b give the same
//! result, and so do all values a < lo_b. (For `>=` and `<`, a = hi_b gives the same result as a > hi_b; for `<=` and
//! `>`, a = lo_b gives the same result as a < lo_b.) The same holds with a and b exchanged. So only the values of a
//! from `least = lo_b` to `most = hi_b` must be distinguished. `distinguish` passes these ends on to the parts of a,
//! with the ranges of the other parts: x > most - lo_y implies x + y > most for every y; y > hi_x - least implies x -
//! y < least. In `max` and `min`, a part beyond an end either determines the result, which is then beyond the same
//! end, or does not affect it. The ghost of a count must distinguish the values up to `most`. Each of these steps
//! cuts off one count. About the other counts it uses only the lower bound 0 and a *known* upper bound; cutting off
//! preserves both.
//!
//! **Known bounds.** In `p implies q` the value of q matters only if p is true; in `p and q` each side matters only
//! if the other is true; similarly for the other connectives. Suppose p states that a count is at most c. Then the
//! ghost distinguishes c from c + 1, because this comparison is part of the claim. If p is true in s, the count is at
//! most c and is not cut off. If p is false in s, it is false in s' as well, and q matters in neither state.
//!
//! A count for which this method finds no bound is refused: its ghost might have to be unbounded.

use crate::context::counts::{Counted, Fact, Owner, Range};
use crate::context::lowering::Lowering;
use crate::context::names::Names;
use machine::Type;
use model::{BinaryOp, Expr, ExprKind, LocalId, Quantifier};

/// Maximum bound of a count.
const LARGEST: i64 = 1_000_000;

/// Maximum number of abbreviations that are searched for bounds of counts in one Machine. Beyond the limit fewer
/// bounds are found, and a claim without a bound is refused, so the limit does not affect soundness.
const MOST_SEARCHED_LETS: u32 = 50_000;

/// The least and the greatest value of a number; `None` if not known.
type Ends = (Option<i64>, Option<i64>);

impl Lowering<'_> {
    /// Lowers an expression whose value matters only if `condition` has the value `truth`.
    pub(crate) fn assuming<T>(
        &mut self,
        condition: &Expr,
        truth: bool,
        names: &mut Names,
        lower: impl FnOnce(&mut Self, &mut Names) -> T,
    ) -> T {
        let before = names.facts.len();
        self.assume(condition, truth, None, names);
        let lowered = lower(self, names);
        names.facts.truncate(before);
        lowered
    }

    /// Raises the bounds of ghosts as far as the comparison of `a` and `b` requires. At least one of the two contains
    /// a count.
    pub(crate) fn distinguish_in(&mut self, op: BinaryOp, a: &Expr, b: &Expr, names: &mut Names) {
        // After an error the expressions may be too large to search.
        if !self.problems.is_empty() {
            return;
        }
        let (ends_a, ends_b) = (self.ends(a, names), self.ends(b, names));
        let (below, above) = (
            |(least, most): Ends| (least, difference(most, Some(1))),
            |(least, most): Ends| (sum(least, Some(1)), most),
        );
        let (of_a, of_b) = match op {
            BinaryOp::Ge | BinaryOp::Lt => (below(ends_b), above(ends_a)),
            BinaryOp::Le | BinaryOp::Gt => (above(ends_b), below(ends_a)),
            _ => (ends_b, ends_a),
        };
        if self.counts(a) {
            self.distinguish(a, of_a, names);
        }
        if self.counts(b) {
            self.distinguish(b, of_b, names);
        }
    }

    /// Raises the bounds of ghosts such that the values of `e` from `least` to `most` are distinguished. Smaller
    /// values need not be distinguished from each other, nor larger ones.
    fn distinguish(&mut self, e: &Expr, (least, most): Ends, names: &mut Names) {
        match &e.kind {
            ExprKind::Sent(node, message) => {
                self.count_to(e, node, Counted::Sent(*message), most, names);
            }
            ExprKind::Activations(node) => {
                self.count_to(e, node, Counted::Activations, most, names);
            }
            ExprKind::Let(id) => {
                let value = &self.model.abbreviation(*id).value;
                self.distinguish(value, (least, most), names);
            }
            ExprKind::Neg(inner) => {
                let ends = (most.and_then(minus), least.and_then(minus));
                self.distinguish(inner, ends, names);
            }
            ExprKind::If(_, a, b) | ExprKind::Binary(BinaryOp::Min | BinaryOp::Max, a, b) => {
                for part in [a, b] {
                    if self.counts(part) {
                        self.distinguish(part, (least, most), names);
                    }
                }
            }
            ExprKind::Quantifier {
                kind: Quantifier::Max | Quantifier::Min,
                body,
                ..
            } => self.distinguish(body, (least, most), names),
            // If no summand is negative, one summand greater than `most` makes the sum greater than `most`.
            ExprKind::Quantifier {
                kind: Quantifier::Sum,
                body,
                ..
            } if self.ends(body, names).0.is_some_and(|low| low >= 0) => {
                self.distinguish(body, (None, most), names);
            }
            ExprKind::Binary(BinaryOp::Add, a, b) => {
                for (part, other) in [(a, b), (b, a)] {
                    if self.counts(part) {
                        let (low, high) = self.ends(other, names);
                        let ends = (difference(least, high), difference(most, low));
                        self.distinguish(part, ends, names);
                    }
                }
            }
            ExprKind::Binary(BinaryOp::Sub, a, b) => {
                let ((low_a, high_a), (low_b, high_b)) = (self.ends(a, names), self.ends(b, names));
                if self.counts(a) {
                    let ends = (sum(least, low_b), sum(most, high_b));
                    self.distinguish(a, ends, names);
                }
                if self.counts(b) {
                    let ends = (difference(low_a, most), difference(high_a, least));
                    self.distinguish(b, ends, names);
                }
            }
            // A factor greater than `most` makes the product greater than `most`, unless the other factor is 0.
            ExprKind::Binary(BinaryOp::Mul, a, b)
                if self.counts(a) != self.counts(b)
                    && [a, b]
                        .into_iter()
                        .all(|part| self.ends(part, names).0.is_some_and(|low| low >= 0)) =>
            {
                let part = if self.counts(a) { a } else { b };
                self.distinguish(part, (None, most.map(|most| most.max(0))), names);
            }
            _ => self.cannot_count(e),
        }
    }

    fn count_to(
        &mut self,
        e: &Expr,
        node: &Expr,
        counted: Counted,
        most: Option<i64>,
        names: &Names,
    ) {
        let known = self.known(node, counted, names);
        let most = match (most, known) {
            (Some(most), Some(known)) => Some(most.min(known)),
            (most, known) => most.or(known),
        };
        match most {
            Some(most) if most < LARGEST => self.raise_counters(&node.ty, counted, most),
            _ => self.cannot_count(e),
        }
    }

    /// The range of a number in the states in which its value matters.
    fn ends(&mut self, e: &Expr, names: &mut Names) -> Ends {
        if !self.counts(e) {
            names.counting = false;
            let lowered = self.expr(e, names);
            return match self.type_of(&lowered, names) {
                Type::Int(low, high) => (Some(low), Some(high)),
                Type::Set(element) => match *element {
                    Type::Int(low, high) => (Some(low), Some(high)),
                    _ => (None, None),
                },
                _ => (None, None),
            };
        }
        match &e.kind {
            ExprKind::Sent(node, message) => {
                (Some(0), self.known(node, Counted::Sent(*message), names))
            }
            ExprKind::Activations(node) => (Some(0), self.known(node, Counted::Activations, names)),
            ExprKind::Let(id) => self.ends(&self.model.abbreviation(*id).value, names),
            ExprKind::Neg(inner) => {
                let (low, high) = self.ends(inner, names);
                (high.and_then(minus), low.and_then(minus))
            }
            ExprKind::If(_, a, b) => {
                let (a, b) = (self.ends(a, names), self.ends(b, names));
                (both(a.0, b.0, i64::min), both(a.1, b.1, i64::max))
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.ends(a, names), self.ends(b, names));
                match op {
                    BinaryOp::Add => (sum(a.0, b.0), sum(a.1, b.1)),
                    BinaryOp::Sub => (difference(a.0, b.1), difference(a.1, b.0)),
                    // For `min` and `max`, one operand with a known end suffices for that end of the result.
                    BinaryOp::Min => (both(a.0, b.0, i64::min), either(a.1, b.1, i64::min)),
                    BinaryOp::Max => (either(a.0, b.0, i64::max), both(a.1, b.1, i64::max)),
                    BinaryOp::Mul => match (a, b) {
                        ((Some(x @ 0..), high_a), (Some(y @ 0..), high_b)) => (
                            x.checked_mul(y),
                            high_a.zip(high_b).and_then(|(x, y)| x.checked_mul(y)),
                        ),
                        _ => (None, None),
                    },
                    _ => (None, None),
                }
            }
            ExprKind::Quantifier {
                kind,
                var,
                domain,
                body,
            } => {
                self.go_through(*var, domain, names);
                match (kind, self.ends(body, names)) {
                    (Quantifier::Max | Quantifier::Min, ends) => ends,
                    (Quantifier::Sum, (Some(0..), _)) => (Some(0), None),
                    _ => (None, None),
                }
            }
            _ => (None, None),
        }
    }

    /// Binds a name that ranges over a set, so that an expression can be searched before it is lowered.
    fn go_through(&mut self, var: LocalId, domain: &Expr, names: &mut Names) {
        if !names.bound.contains_key(&var) {
            let domain = self.expr(domain, names);
            self.bind_over(var, &domain, names);
        }
    }

    /// The least known upper bound of a count of a node.
    fn known(&self, node: &Expr, counted: Counted, names: &Names) -> Option<i64> {
        let range = self.range_of(node, names);
        let applies = |fact: &&Fact| {
            fact.counted == counted
                && match fact.of {
                    Owner::All(Range::Kind(kind)) => node.ty == model::Type::Node(Some(kind)),
                    Owner::All(set) => range == Some(set),
                    one => owner_of(node) == Some(one),
                }
        };
        names.facts.iter().filter(applies).map(|f| f.most).min()
    }

    /// A named set that contains the node, if one is known.
    fn range_of(&self, node: &Expr, names: &Names) -> Option<Range> {
        match &node.kind {
            ExprKind::Local(id) => names.ranges.get(id).copied(),
            ExprKind::Let(id) => self.range_of(&self.model.abbreviation(*id).value, names),
            ExprKind::Extremum { domain, .. }
            | ExprKind::Quantifier {
                kind: Quantifier::The,
                domain,
                ..
            } => Range::of(domain),
            _ => None,
        }
    }

    /// Records the upper bounds of counts that follow if a condition has the value `truth`. `each` is a name that
    /// ranges over a set, if the condition holds for all elements of that set.
    fn assume(&mut self, e: &Expr, truth: bool, each: Option<(LocalId, Range)>, names: &mut Names) {
        use BinaryOp::{And, Eq, Ge, Gt, Implies, In, Le, Lt, Ne, Or};
        match &e.kind {
            ExprKind::Not(inner) => self.assume(inner, !truth, each, names),
            ExprKind::Let(id) if self.counters.searched_lets < MOST_SEARCHED_LETS => {
                self.counters.searched_lets += 1;
                self.assume(&self.model.abbreviation(*id).value, truth, each, names)
            }
            ExprKind::Binary(And, a, b) if truth => {
                self.assume(a, true, each, names);
                self.assume(b, true, each, names);
            }
            ExprKind::Binary(Or, a, b) if !truth => {
                self.assume(a, false, each, names);
                self.assume(b, false, each, names);
            }
            ExprKind::Binary(Implies, a, b) if !truth => {
                self.assume(a, true, each, names);
                self.assume(b, false, each, names);
            }
            ExprKind::Binary(op, a, b) => {
                let (below, above) = match (op, truth) {
                    (Le, true) | (Gt, false) => (Some(0), None),
                    (Lt, true) | (Ge, false) => (Some(1), None),
                    (Ge, true) | (Lt, false) => (None, Some(0)),
                    (Gt, true) | (Le, false) => (None, Some(1)),
                    (Eq, true) | (Ne, false) => (Some(0), Some(0)),
                    (In, true) => (Some(0), None),
                    _ => (None, None),
                };
                for (small, large, less) in [(a, b, below), (b, a, above)] {
                    if let Some(less) = less
                        && self.counts(small)
                        && !self.counts(large)
                    {
                        let most = self.ends(large, names).1;
                        if let Some(most) = difference(most, Some(less)) {
                            self.bound(small, most, each, names);
                        }
                    }
                }
            }
            ExprKind::Quantifier {
                kind: Quantifier::All,
                var,
                domain,
                body,
            } if truth && each.is_none() => {
                if let Some(range) = Range::of(domain) {
                    self.go_through(*var, domain, names);
                    self.assume(body, true, Some((*var, range)), names);
                }
            }
            _ => {}
        }
    }

    /// Records that `e`, which contains counts, is at most `most`.
    fn bound(&mut self, e: &Expr, most: i64, each: Option<(LocalId, Range)>, names: &mut Names) {
        let (node, counted) = match &e.kind {
            ExprKind::Sent(node, message) => (node, Counted::Sent(*message)),
            ExprKind::Activations(node) => (node, Counted::Activations),
            ExprKind::Let(id) => {
                return self.bound(&self.model.abbreviation(*id).value, most, each, names);
            }
            ExprKind::Binary(BinaryOp::Max, a, b) => {
                for part in [a, b] {
                    if self.counts(part) {
                        self.bound(part, most, each, names);
                    }
                }
                return;
            }
            ExprKind::Binary(BinaryOp::Add, a, b) => {
                for (part, other) in [(a, b), (b, a)] {
                    let low = self.ends(other, names).0;
                    if let Some(rest) = difference(Some(most), low).filter(|_| self.counts(part)) {
                        self.bound(part, rest, each, names);
                    }
                }
                return;
            }
            ExprKind::Quantifier {
                kind: kind @ (Quantifier::Max | Quantifier::Sum),
                var,
                domain,
                body,
            } if each.is_none() => {
                self.go_through(*var, domain, names);
                let adds = *kind == Quantifier::Max
                    || self.ends(body, names).0.is_some_and(|low| low >= 0);
                if let Some(range) = Range::of(domain).filter(|_| adds) {
                    self.bound(body, most, Some((*var, range)), names);
                }
                return;
            }
            _ => return,
        };
        let of = match (each, owner_of(node)) {
            (Some((var, range)), Some(Owner::Local(local))) if var == local => Owner::All(range),
            (_, Some(one)) => one,
            _ => return,
        };
        names.facts.push(Fact { of, counted, most });
    }
}

/// The name by which an expression denotes a node; `None` if it is not a name.
fn owner_of(node: &Expr) -> Option<Owner> {
    match &node.kind {
        ExprKind::Local(id) => Some(Owner::Local(*id)),
        ExprKind::Let(id) => Some(Owner::Let(*id)),
        ExprKind::TheNode(kind) => Some(Owner::The(*kind)),
        _ => None,
    }
}

fn sum(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a.zip(b).and_then(|(a, b)| a.checked_add(b))
}

fn difference(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a.zip(b).and_then(|(a, b)| a.checked_sub(b))
}

fn minus(a: i64) -> Option<i64> {
    a.checked_neg()
}

fn both(a: Option<i64>, b: Option<i64>, of: fn(i64, i64) -> i64) -> Option<i64> {
    a.zip(b).map(|(a, b)| of(a, b))
}

fn either(a: Option<i64>, b: Option<i64>, of: fn(i64, i64) -> i64) -> Option<i64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(of(a, b)),
        (a, b) => a.or(b),
    }
}
