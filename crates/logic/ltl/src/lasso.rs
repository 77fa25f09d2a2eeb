//! The value of a formula on an ultimately periodic word, directly from the definition.
//!
//! A lasso has finitely many positions, each with one successor, so a formula is a Boolean per position.
//! Until is the least fixpoint of `v = right or (left and v at the successor)`, release the greatest fixpoint
//! of `v = right and (left or v at the successor)`; iteration computes both. This file uses neither normal
//! forms nor automata.

use crate::Formula;

/// Whether `formula` holds of the infinite word that reads positions `0..length` and then repeats
/// `loop_start..length` for ever, where `truth(atom, position)` is the value of an atom.
///
/// # Panics
/// If `loop_start >= length`: such a lasso has no loop and represents no infinite word.
pub fn holds_on_lasso(
    formula: &Formula,
    length: usize,
    loop_start: usize,
    truth: impl Fn(u32, usize) -> bool,
) -> bool {
    assert!(
        loop_start < length,
        "the loop of a lasso must not be empty: it starts at {loop_start} of {length} positions"
    );
    let lasso = Lasso {
        length,
        loop_start,
        truth,
    };
    lasso.values(formula)[0]
}

struct Lasso<T> {
    length: usize,
    loop_start: usize,
    truth: T,
}

impl<T: Fn(u32, usize) -> bool> Lasso<T> {
    /// The value of `formula` at each position.
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

    /// The fixpoint of `v[i] = value(i, v[successor of i])` reached from `start` everywhere: the least one
    /// from `false`, the greatest one from `true`, because `value` is monotone.
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

    /// The word is written with one character per position and `|` before the loop: `p`, `q`, `b` for both,
    /// `.` for neither.
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
        // From position 2 the word is p q p q ...; from position 0 it is . p p q p q ...
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
