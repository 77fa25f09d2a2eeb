//! A third translator, as simple as possible, agrees with the one of the crate.
//!
//! It is the construction of Vardi and Wolper (1986) as in Baier and Katoen, *Principles of Model Checking*, section
//! 5.2. A state is a guess which untils hold now. The guess must be consistent with the letter and with the guess at
//! the next position, and no until may be guessed for ever without its right side becoming true. The code shares
//! nothing with the crate: formulas are reduced to negation, conjunction and until, and acceptance is decided by
//! brute-force reachability.

use crate::random::Random;
use ltl::{Formula, Letter, holds_on_lasso, translate};

enum Core {
    True,
    Atom(u32),
    Not(Box<Core>),
    And(Box<Core>, Box<Core>),
    /// The until with this index in `Textbook::untils`.
    Until(usize),
}

#[derive(Default)]
struct Textbook {
    untils: Vec<(Core, Core)>,
}

fn not(of: Core) -> Core {
    Core::Not(Box::new(of))
}

fn and(left: Core, right: Core) -> Core {
    Core::And(Box::new(left), Box::new(right))
}

impl Textbook {
    fn core(&mut self, formula: &Formula) -> Core {
        match formula {
            Formula::True => Core::True,
            Formula::False => not(Core::True),
            Formula::Atom(atom) => Core::Atom(*atom),
            Formula::Not(of) => not(self.core(of)),
            Formula::And(members) => {
                (members.iter()).fold(Core::True, |all, member| and(all, self.core(member)))
            }
            Formula::Or(members) => {
                let none = |none, member| and(none, not(self.core(member)));
                not(members.iter().fold(Core::True, none))
            }
            Formula::Implies(left, right) => not(and(self.core(left), not(self.core(right)))),
            Formula::Always(of) => {
                let broken = not(self.core(of));
                not(self.until(Core::True, broken))
            }
            Formula::Eventually(of) => {
                let of = self.core(of);
                self.until(Core::True, of)
            }
            Formula::Until(left, right) => {
                let (left, right) = (self.core(left), self.core(right));
                self.until(left, right)
            }
            Formula::Release(left, right) => {
                let (left, right) = (not(self.core(left)), not(self.core(right)));
                not(self.until(left, right))
            }
        }
    }

    fn until(&mut self, left: Core, right: Core) -> Core {
        self.untils.push((left, right));
        Core::Until(self.untils.len() - 1)
    }

    /// Whether the automaton of `formula` accepts the lasso.
    fn accepts(&self, formula: &Core, letters: &[Letter], loop_start: usize) -> bool {
        let guesses = 1usize << self.untils.len();
        let node = |position: usize, guess: usize| position * guesses + guess;
        let successors = |n: usize| {
            let (position, guess) = (n / guesses, n % guesses);
            let after = if position + 1 < letters.len() {
                position + 1
            } else {
                loop_start
            };
            (0..guesses)
                .filter(move |&next| self.fits(letters[position], guess, next))
                .map(move |next| node(after, next))
        };
        let edges: Vec<Vec<usize>> = (0..letters.len() * guesses)
            .map(|n| successors(n).collect())
            .collect();
        // By node: whether it is reachable from `from` in one or more steps.
        let reach = |from: usize| {
            let mut seen = vec![false; edges.len()];
            let mut todo = edges[from].clone();
            while let Some(n) = todo.pop() {
                if !std::mem::replace(&mut seen[n], true) {
                    todo.extend(&edges[n]);
                }
            }
            seen
        };
        let reached: Vec<Vec<bool>> = (0..edges.len()).map(reach).collect();
        let fulfils = |n: usize, until: usize| {
            let (letter, guess) = (letters[n / guesses], n % guesses);
            guess >> until & 1 == 0 || value(&self.untils[until].1, letter, guess)
        };
        // Whether the node is on a cycle that contains, for each until, a node where it is fulfilled or not guessed.
        let good = |n: usize| {
            reached[n][n]
                && (0..self.untils.len()).all(|until| {
                    (0..edges.len()).any(|m| reached[n][m] && reached[m][n] && fulfils(m, until))
                })
        };
        (0..guesses)
            .filter(|&guess| value(formula, letters[0], guess))
            .map(|guess| node(0, guess))
            .any(|start| good(start) || (0..edges.len()).any(|n| reached[start][n] && good(n)))
    }

    /// Whether `guess` is consistent with the letter and the guess `next` at the next position: it contains exactly the
    /// untils with `right or (left and the until is in next)`.
    fn fits(&self, letter: Letter, guess: usize, next: usize) -> bool {
        self.untils
            .iter()
            .enumerate()
            .all(|(number, (left, right))| {
                let law = value(right, letter, guess)
                    || (value(left, letter, guess) && next >> number & 1 != 0);
                law == (guess >> number & 1 != 0)
            })
    }
}

fn value(formula: &Core, letter: Letter, guess: usize) -> bool {
    match formula {
        Core::True => true,
        Core::Atom(atom) => letter >> atom & 1 != 0,
        Core::Not(of) => !value(of, letter, guess),
        Core::And(left, right) => value(left, letter, guess) && value(right, letter, guess),
        Core::Until(number) => guess >> number & 1 != 0,
    }
}

#[test]
fn agrees_with_the_translation_and_with_direct_evaluation() {
    let mut random = Random(3);
    let mut compared = 0;
    while compared < 1_500 {
        let formula = random.formula(3, 4);
        let mut textbook = Textbook::default();
        let core = textbook.core(&formula);
        if textbook.untils.is_empty() || textbook.untils.len() > 4 {
            continue;
        }
        compared += 1;
        let automaton = translate(&formula).expect("small enough");
        for _ in 0..4 {
            let (letters, loop_start) = random.lasso(3);
            let expected = textbook.accepts(&core, &letters, loop_start);
            let word = format!("{formula} on {letters:?} from {loop_start}");
            let direct = holds_on_lasso(&formula, letters.len(), loop_start, |atom, position| {
                letters[position] >> atom & 1 != 0
            });
            assert_eq!(direct, expected, "{word}");
            assert_eq!(
                automaton.accepts_lasso(&letters, loop_start),
                expected,
                "{word}"
            );
        }
    }
}
