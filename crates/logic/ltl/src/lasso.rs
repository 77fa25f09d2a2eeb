//! Evaluates a formula on an ultimately periodic word (a lasso), directly by the semantics.
//!
//! A lasso has finitely many positions, each with one successor. The value of a formula is one Boolean per position.
//! Until is the least fixpoint of `v = right or (left and v at the successor)`, and release is the greatest fixpoint of
//! `v = right and (left or v at the successor)`; both are computed by iteration. This file uses neither normal forms
//! nor automata.

use crate::Formula;

/// Whether `formula` holds for the infinite word that consists of the positions `0..length` and then repeats
/// `loop_start..length` for ever. `truth(atom, position)` is the value of an atom.
///
/// # Panics
/// If `loop_start >= length`: such a lasso has no loop and represents no infinite word.
pub fn holds_on_lasso(
    formula: &Formula,
    length: usize,
    loop_start: usize,
    truth: impl Fn(u32, usize) -> bool,
) -> bool {
    values_on_lasso(formula, length, loop_start, truth)[0]
}

/// By position: whether `formula` holds for the rest of that word from the position on.
///
/// # Panics
/// If `loop_start >= length`: such a lasso has no loop and represents no infinite word.
pub fn values_on_lasso(
    formula: &Formula,
    length: usize,
    loop_start: usize,
    truth: impl Fn(u32, usize) -> bool,
) -> Vec<bool> {
    assert!(
        loop_start < length,
        "the loop of a lasso must not be empty: it starts at {loop_start} of {length} positions"
    );
    let lasso = Lasso {
        length,
        loop_start,
        truth,
    };
    lasso.values(formula)
}

struct Lasso<T> {
    length: usize,
    loop_start: usize,
    truth: T,
}

impl<T: Fn(u32, usize) -> bool> Lasso<T> {
    /// By position: the value of `formula`.
    fn values(&self, formula: &Formula) -> Vec<bool> {
        match formula {
            Formula::True => self.each(|_| true),
            Formula::False => self.each(|_| false),
            Formula::Atom(atom) => self.each(|i| (self.truth)(*atom, i)),
            Formula::Not(of) => {
                let of = self.values(of);
                self.each(|i| !of[i])
            }
            Formula::And(members) => {
                let members: Vec<_> = members.iter().map(|m| self.values(m)).collect();
                self.each(|i| members.iter().all(|m| m[i]))
            }
            Formula::Or(members) => {
                let members: Vec<_> = members.iter().map(|m| self.values(m)).collect();
                self.each(|i| members.iter().any(|m| m[i]))
            }
            Formula::Implies(left, right) => {
                let (left, right) = (self.values(left), self.values(right));
                self.each(|i| !left[i] || right[i])
            }
            Formula::Always(of) => {
                let of = self.values(of);
                self.fixpoint(true, |i, next| of[i] && next)
            }
            Formula::Eventually(of) => {
                let of = self.values(of);
                self.fixpoint(false, |i, next| of[i] || next)
            }
            Formula::Until(left, right) => {
                let (left, right) = (self.values(left), self.values(right));
                self.fixpoint(false, |i, next| right[i] || (left[i] && next))
            }
            Formula::Release(left, right) => {
                let (left, right) = (self.values(left), self.values(right));
                self.fixpoint(true, |i, next| right[i] && (left[i] || next))
            }
        }
    }

    fn each(&self, value: impl Fn(usize) -> bool) -> Vec<bool> {
        (0..self.length).map(value).collect()
    }

    /// The fixpoint of `v[i] = value(i, v[successor of i])` that iteration reaches from `v[i] = start` for all `i`.
    /// Because `value` is monotone, it is the least fixpoint for `false` and the greatest one for `true`.
    fn fixpoint(&self, start: bool, value: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![start; self.length];
        loop {
            let mut changed = false;
            for i in (0..self.length).rev() {
                let successor = if i + 1 < self.length {
                    i + 1
                } else {
                    self.loop_start
                };
                let new = value(i, values[successor]);
                changed |= new != values[i];
                values[i] = new;
            }
            if !changed {
                return values;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: Formula = Formula::Atom(0);
    const Q: Formula = Formula::Atom(1);

    /// Whether the formula holds for a word. The word has one character per position (`p`, `q`, `b` for both, `.` for
    /// neither) and `|` before the loop.
    fn holds(formula: &Formula, word: &str) -> bool {
        let loop_start = word.find('|').expect("a loop");
        let letters: Vec<char> = word.chars().filter(|c| *c != '|').collect();
        holds_on_lasso(formula, letters.len(), loop_start, |atom, i| match atom {
            0 => matches!(letters[i], 'p' | 'b'),
            1 => matches!(letters[i], 'q' | 'b'),
            _ => false,
        })
    }

    #[track_caller]
    fn check(formula: Formula, yes: &[&str], no: &[&str]) {
        for word in yes {
            assert!(holds(&formula, word), "{formula} holds of {word}");
        }
        for word in no {
            assert!(!holds(&formula, word), "{formula} fails of {word}");
        }
    }

    #[test]
    fn boolean_formulas_look_at_the_first_position() {
        check(Formula::True, &["|."], &[]);
        check(Formula::False, &[], &["|."]);
        check(P, &["p|.", "|b"], &[".|p", "|q"]);
        check(Formula::not(P), &[".|p"], &["p|."]);
        check(Formula::And(vec![P, Q]), &["b|."], &["p|q", "q|p"]);
        check(Formula::Or(vec![P, Q]), &["p|.", "q|."], &[".|b"]);
        check(Formula::implies(P, Q), &[".|p", "b|.", "q|."], &["p|q"]);
        check(Formula::And(vec![]), &["|."], &[]);
        check(Formula::Or(vec![]), &[], &["|."]);
    }

    #[test]
    fn always_and_eventually() {
        check(
            Formula::always(P),
            &["|p", "pp|pb"],
            &[".|p", "p|p.p", "|p."],
        );
        check(
            Formula::eventually(P),
            &["|p", "p|.", "..|..p"],
            &["|.", "qq|q"],
        );
        check(
            Formula::always(Formula::eventually(P)),
            &["|p", "..|.p", "|p.."],
            &["pppp|.", "|q"],
        );
        check(
            Formula::eventually(Formula::always(P)),
            &["|p", "...|p"],
            &["ppp|p.", "p|."],
        );
    }

    #[test]
    fn until_needs_its_right_side() {
        check(
            Formula::until(P, Q),
            &["q|.", "ppq|.", "p|pq", "|pb."],
            &["|p", "p.q|.", ".|q", "|."],
        );
    }

    #[test]
    fn until_reads_on_past_the_end_of_the_loop() {
        // At position 2 of `.|qp` the suffix is `p q p q ...`: the until is fulfilled after the end of the loop.
        let later =
            Formula::eventually(Formula::And(vec![P, Formula::not(Q), Formula::until(P, Q)]));
        check(later, &[".|qp", "|qp"], &["|.p", "q|q"]);
    }

    #[test]
    fn release_does_not_need_its_left_side() {
        check(
            Formula::release(P, Q),
            &["|q", "b|.", "qqb|.", "q|qb"],
            &["p|.", "qp|q", "qq|p", "|."],
        );
    }

    #[test]
    fn response() {
        let response = Formula::always(Formula::implies(P, Formula::eventually(Q)));
        check(
            response,
            &["|.", "p|q", "|pq", "|qp", "|b"],
            &["q|p", "p|.", "bp|."],
        );
    }

    #[test]
    #[should_panic(expected = "must not be empty")]
    fn a_lasso_without_a_loop_is_refused() {
        holds_on_lasso(&P, 2, 2, |_, _| true);
    }
}
