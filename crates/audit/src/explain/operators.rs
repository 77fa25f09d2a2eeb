//! Explains why a claim is false on a run, operator by operator, for claims of any form.

use crate::explain::claim::Search;
use crate::replay::formula;
use machine::{BinaryOp, Expr, Formula, LocalId, Origin, UnaryOp, Value};
use verdict::{Ending, Explanation, PartVerdict, Why};

/// The largest number of subformulas that are explained together, such as the operands of `or`.
const MAX_TOGETHER: usize = 3;

/// A subformula that has the wrong value at a position of the run.
#[derive(Clone)]
struct Part<'f> {
    formula: &'f Formula,
    bound: Vec<(LocalId, Value)>,
    at: usize,
    /// The value that the claim requires; the formula has the opposite value.
    wanted: bool,
    /// The origin of the smallest formula that contains the part and is false.
    around: Option<Origin>,
}

impl Search<'_> {
    /// Why the claim, which is false on the run, is false.
    pub(super) fn by_operators(&self, claim: &Formula) -> Option<Explanation> {
        self.blame(Part {
            formula: claim,
            bound: Vec::new(),
            at: 0,
            wanted: true,
            around: None,
        })
    }

    fn blame(&self, part: Part<'_>) -> Option<Explanation> {
        let Part { at, wanted, .. } = part;
        if let Some(condition) = part.formula.condition() {
            return self.condition(&part, condition, PartVerdict::FalseAfter(at));
        }
        let of = |formula, at, wanted| Part {
            formula,
            at,
            wanted,
            ..part.clone()
        };
        let value =
            |formula: &Formula, at: usize| self.values(formula, &part.bound)?.get(at).copied();
        match part.formula {
            Formula::At(origin, inner) => {
                let mut inner = of(inner, at, wanted);
                if wanted {
                    inner.around = Some(*origin);
                }
                self.blame(inner)
            }
            Formula::State(_) => None,
            Formula::Not(inner) => self.blame(of(inner, at, !wanted)),
            Formula::And(a, b) | Formula::Or(a, b) => {
                let wrong = [a, b].map(|f| of(f, at, wanted));
                let is_wrong = |one: &Part<'_>| value(one.formula, at) == Some(!wanted);
                match (part.formula, wanted) {
                    // One operand is enough.
                    (Formula::And(..), true) | (Formula::Or(..), false) => {
                        self.blame(wrong.into_iter().find(is_wrong)?)
                    }
                    _ => self.together(wrong.into_iter()),
                }
            }
            Formula::Implies(_, b) if wanted => self.blame(of(b, at, true)),
            Formula::Implies(a, b) => match value(a, at)? {
                true => self.blame(of(b, at, false)),
                false => self.blame(of(a, at, true)),
            },
            Formula::Always(inner) => match wanted {
                true => self.blame(of(inner, self.first(inner, &part, false)?, true)),
                false => self.never_changes(&part, inner),
            },
            Formula::Eventually(inner) => match wanted {
                true => self.never_changes(&part, inner),
                false => self.blame(of(inner, self.first(inner, &part, true)?, false)),
            },
            Formula::Until(a, b) => self.until(&part, a, b),
            Formula::LeadsTo(a, b) => {
                let (premises, goals) =
                    (self.values(a, &part.bound)?, self.values(b, &part.bound)?);
                let answered = |at: &usize| self.from(*at).any(|later| goals[later]);
                let open = self.from(at).find(|at| premises[*at] && !answered(at));
                match wanted {
                    true => self.never_changes(&of(part.formula, open?, true), b),
                    false => None,
                }
            }
            Formula::All(local, domain, inner) | Formula::Exists(local, domain, inner) => {
                let start = &self.replayed.states[0];
                let elements = self.instance.value(start, domain, &part.bound).ok()?;
                let each = elements.as_set().iter().map(|element| {
                    let mut one = of(inner, at, wanted);
                    one.bound.push((*local, element.clone()));
                    one
                });
                let is_wrong = |one: &Part<'_>| {
                    let values = self.values(one.formula, &one.bound);
                    values.is_some_and(|values| values.get(at) == Some(&!wanted))
                };
                match (part.formula, wanted) {
                    (Formula::All(..), true) | (Formula::Exists(..), false) => {
                        let mut each = each;
                        self.blame(each.find(is_wrong)?)
                    }
                    _ => self.together(each),
                }
            }
        }
    }

    /// The explanation by `a until b` at the position of the part.
    fn until(&self, part: &Part<'_>, a: &Formula, b: &Formula) -> Option<Explanation> {
        let goals = self.values(b, &part.bound)?;
        if !part.wanted {
            let mut later = self.from(part.at);
            return self.blame(Part {
                formula: b,
                at: later.find(|at| goals[*at])?,
                ..part.clone()
            });
        }
        let before = self.values(a, &part.bound)?;
        let mut later = self.from(part.at);
        let Some(end) = later.find(|at| !before[*at] && !goals[*at]) else {
            return self.never_changes(part, b);
        };
        let verdict = PartVerdict::FalseAfter(end);
        match (a.condition(), b.condition()) {
            (Some(a), Some(b)) => self.condition(part, a.binary(BinaryOp::Or, b), verdict),
            _ => self.blame(Part {
                formula: a,
                at: end,
                ..part.clone()
            }),
        }
    }

    /// The explanation by a formula that has the wrong value at the position of the part and at all later ones.
    fn never_changes(&self, part: &Part<'_>, formula: &Formula) -> Option<Explanation> {
        match formula.condition() {
            Some(condition) => self.condition(part, condition, PartVerdict::NeverAfter(part.at)),
            None if let Some(operand) = self.always_wrong(part, formula) => {
                self.never_changes(part, operand)
            }
            None => self.blame(Part {
                formula,
                at: self.length() - 1,
                ..part.clone()
            }),
        }
    }

    /// An operand of a formula that alone gives it the wrong value at the position of the part and at all later ones.
    fn always_wrong<'f>(&self, part: &Part<'_>, formula: &'f Formula) -> Option<&'f Formula> {
        let ((Formula::And(a, b), true) | (Formula::Or(a, b), false)) =
            (formula.bare(), part.wanted)
        else {
            return None;
        };
        let mut operands = [&**a, &**b].into_iter();
        operands.find(|operand| self.first(operand, part, part.wanted).is_none())
    }

    /// Combines the explanations of several parts, all of which are needed.
    fn together<'f>(&self, parts: impl Iterator<Item = Part<'f>>) -> Option<Explanation> {
        let mut all = parts.take(MAX_TOGETHER).filter_map(|part| self.blame(part));
        let mut first = all.next()?;
        for mut other in all {
            first.also.append(&mut other.also);
            first.also.push(other);
        }
        Some(first)
    }

    /// The explanation by a condition that has the wrong value.
    fn condition(
        &self,
        part: &Part<'_>,
        condition: Expr,
        verdict: PartVerdict,
    ) -> Option<Explanation> {
        let last = self.replayed.states.len() - 1;
        let at = match verdict {
            PartVerdict::FalseAfter(at) => at,
            PartVerdict::NeverAfter(_) => last,
        };
        let place = match &condition {
            Expr::At(origin, _) if part.wanted => Some(*origin),
            _ => part.around,
        };
        let condition = match part.wanted {
            true => condition,
            false => Expr::Unary(UnaryOp::Not, Box::new(condition)),
        };
        let why = self.why(&condition, &part.bound, at)?;
        let whole = match verdict {
            // The reported part is the whole condition; the facts show what is false in it.
            PartVerdict::NeverAfter(_) => place.or(why.part),
            PartVerdict::FalseAfter(_) => why.part.filter(|_| part.wanted).or(place),
        };
        Some(Explanation {
            verdict,
            why: Why { part: whole, ..why },
            every_bound: false,
            also: Vec::new(),
        })
    }

    /// The first position, from that of the part on, at which a formula has the given value.
    fn first(&self, formula: &Formula, part: &Part<'_>, value: bool) -> Option<usize> {
        let values = self.values(formula, &part.bound)?;
        self.from(part.at).find(|at| values[*at] == value)
    }

    /// The positions from `at` on; if `at` is inside the loop, then the positions of the loop before `at`.
    fn from(&self, at: usize) -> impl Iterator<Item = usize> {
        let again = match self.run.ending {
            Ending::Loops(from) => from..at.max(from),
            _ => 0..0,
        };
        (at..self.length()).chain(again)
    }

    /// The number of positions. The last state of a run with a loop is the state at which the loop begins, and is not
    /// counted.
    fn length(&self) -> usize {
        let states = self.replayed.states.len();
        match self.run.ending {
            Ending::Loops(_) => states - 1,
            _ => states,
        }
    }

    /// By position: the value of a formula. `None` if it has no value somewhere, or depends on moments between events.
    fn values(&self, formula: &Formula, bound: &[(LocalId, Value)]) -> Option<Vec<bool>> {
        let (instance, replayed) = (self.instance, self.replayed);
        let values = formula::values_on(instance, formula, bound, replayed, self.run).ok()?;
        (values.len() == self.length()).then_some(values)
    }
}
