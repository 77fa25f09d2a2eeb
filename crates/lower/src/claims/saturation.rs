//! Saturation of counts: a bound beyond which the claims cannot distinguish counts, so that a ghost may stop there.
//!
//! A *count* is `k.sent(M)` or `k.activations`: a number from 0 on that only grows. Its ghost counts up to a bound S
//! and stays there. Let s be a state, and s' the state s with every count cut off at its S. Invariant: every
//! comparison, wherever its result can matter, has the same result in s and s'.
//!
//! **Comparisons.** Take `a op b` with a in lo_a ..= hi_a and b in lo_b ..= hi_b. The result does not depend on a
//! while a > hi_b, nor while a < lo_b; the same holds with a and b exchanged. (For `>=` and `<`, a = hi_b belongs to
//! the values above; for `<=` and `>`, a = lo_b belongs to the values below.) So values of `a` *beyond* `least =
//! lo_b` and `most = hi_b` need not be distinguished. This propagates into the parts of `a`, with the bounds of the
//! other parts (`distinguish`): if x > most - lo_y then x + y > most for every y; if y > hi_x - least then x - y <
//! least. In `max` and `min`, a part beyond an end either decides the result, which is then beyond that end, or does
//! not matter. A count itself needs to go to `most`. In all these steps counts are cut off one at a time: the bounds
//! used for the others are 0 from below, which cutting off preserves, and from above a *known* bound, which cutting
//! off preserves as well.
//!
//! **Known bounds.** In `p implies q` the value of q matters only where p is true; in `p and q` each side matters
//! only where the other is true; similarly for the other connectives. If p states that a count is at most c, then the
//! count is at most c wherever q matters in s, and the ghost distinguishes c from c + 1, because that comparison is
//! part of the claim. So where the fact holds in s, the count is not cut off at all; where it does not hold in s, it
//! does not hold in s' either, and q matters in neither.
//!
//! A count without a bound by this method is refused: its claim would need an unbounded ghost.

use crate::context::counts::{Counted, Fact, Owner, Range};
use crate::context::lowering::Lowering;
use crate::context::names::Names;
use machine::Type;
use model::{BinaryOp, Expr, ExprKind, LocalId, Quantifier};

/// Maximum bound of a count.
const LARGEST: i64 = 1_000_000;

/// Maximum number of abbreviations that are searched for bounds of counts in one Machine. Without a bound a claim is
/// refused, so the limit does not affect soundness.
const MOST_SEARCHED_LETS: u32 = 50_000;

/// The lower and upper end of a number, as far as they are known.
type Ends = (Option<i64>, Option<i64>);

impl Lowering<'_> {
    /// Lowers an expression that matters only where `condition` has the value `truth`.
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

    /// Raises the bounds of ghosts as far as a comparison of `a` and `b` needs; at least one of them counts.
    pub(crate) fn distinguish_in(&mut self, op: BinaryOp, a: &Expr, b: &Expr, names: &mut Names) {
        // A refused expression may be too large to search.
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

    /// Requires that values of `e` from `least` to `most` are distinguished; values below or above need not be.
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
            // If no summand is negative, one summand that is too large makes the sum too large.
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
            // A factor that is too large makes the product too large, or the other factor is 0.
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

    /// The range of a number, wherever its value matters.
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
                    // If one bound is unknown, the bound of the other remains.
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

    /// Binds a name that ranges over a set, to search an expression that is not lowered yet.
    fn go_through(&mut self, var: LocalId, domain: &Expr, names: &mut Names) {
        if !names.bound.contains_key(&var) {
            let domain = self.expr(domain, names);
            self.bind_over(var, &domain, names);
        }
    }

    /// The least known bound of a node's count.
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

    /// A set that certainly contains the node.
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

    /// Records the bounds of counts that follow if a condition has the value `truth`; `each` is a name that ranges
    /// over a set, for all of whose elements the condition holds.
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

    /// Records that a number made of counts is at most `most`.
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

/// The node that an expression names.
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
