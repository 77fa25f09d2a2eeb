//! Translates a formula to a Büchi automaton that accepts exactly the words for which the formula holds.
//!
//! **Algorithm.** A state is a set of *obligations*: formulas that must hold for the rest of the word. To read a
//! letter, each obligation is split into a requirement on this letter and obligations for the rest of the word, by the
//! laws
//!
//! ```text
//! a U b  =  b  or   (a and, next, a U b)
//! a R b  =  b  and  (a or,  next, a R b)
//! ```
//!
//! The result is a set of [`Step`]s, each a conjunction of literals with the remaining obligations. By the laws alone,
//! `b` of `a U b` could be postponed for ever. Therefore there is one acceptance mark for each until, on all edges that
//! do not postpone it. An accepting run takes such edges infinitely often.
//!
//! **Source.** P. Gastin and D. Oddoux, *Fast LTL to Büchi Automata Translation*, CAV 2001. The steps of one obligation
//! are the transitions of their alternating automaton. J.-M. Couvreur, *On-the-fly Verification of Linear Temporal
//! Logic*, FM 1999, also puts marks on edges instead of states.
//!
//! **Deviations.**
//! - Only *minimal* steps are kept: a step is dropped if another one requires no more of the letter and leaves no more
//!   obligations. This is done already for the steps of one obligation. It is sound because there is no "next"
//!   operator: an until remains after a step only if the step postponed it, so a smaller step postpones fewer untils
//!   and has more marks. For the same reason the marks of a step are exactly the untils that do not remain. The paper
//!   has a longer condition for an until that remains although it was fulfilled; such steps are not minimal.
//! - An obligation is not stored if another one of the state requires it at every step: beside "always (eventually p)",
//!   "eventually p" adds nothing. The sets with and without it have the same minimal steps. So a conjunction of n
//!   formulas "infinitely often p" needs one state instead of 2^n.
//! - The automaton is not degeneralised: a search over strongly connected components handles several marks directly.
//!
//! The formula is simplified before the translation (`normal`), and the automaton is reduced after it (`reduce`).

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::automaton::{Buchi, BuchiState, Edge, Guard};
use crate::defects::{Defect, broken};
use crate::normal::{Normal, normal};
use crate::{Formula, reduce};

/// The largest number of states of an automaton before reduction.
pub const MAX_STATES: usize = 10_000;

/// The largest number of obligations of a formula; each is one bit of a [`Set`].
const MAX_OBLIGATIONS: usize = 128;

/// The largest number of step comparisons, which take a fraction of a second.
const MAX_WORK: usize = 50_000_000;

/// Why the automaton of a formula is not built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// The formula uses this atom, but only atoms 0 to 63 fit into a letter.
    Atom(u32),
    /// The formula has too many temporal operators.
    Operators,
    /// The automaton would have more than [`MAX_STATES`] states.
    States,
    /// The automaton would have too many edges.
    Edges,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooLarge::Atom(_) => write!(f, "the formula has more than 64 atoms"),
            TooLarge::Operators => write!(f, "the formula has too many temporal operators"),
            TooLarge::States => write!(f, "its automaton has more than {MAX_STATES} states"),
            TooLarge::Edges => write!(f, "its automaton has too many edges"),
        }
    }
}

impl std::error::Error for TooLarge {}

/// An automaton that accepts exactly the words for which `formula` holds; an error if the formula or the automaton is
/// too large.
///
/// Atoms must be numbered from 0 to 63. The result is deterministic.
pub fn translate(formula: &Formula) -> Result<Buchi, TooLarge> {
    let formula = normal(formula, true);
    let mut tableau = Tableau::new(&formula)?;
    let mut states = Vec::new();
    let mut sets = Sets::default();
    let mut initial = Vec::new();
    for alternative in disjuncts(&formula) {
        let set = (conjuncts(alternative).into_iter()).fold(0, |set, f| set | tableau.single(f));
        initial.push(sets.number(tableau.without_repeated(set)));
    }
    while states.len() < sets.list.len() {
        if sets.list.len() > MAX_STATES {
            return Err(TooLarge::States);
        }
        let steps = tableau.steps_of_set(sets.list[states.len()])?;
        let edges = steps.iter().map(|step| Edge {
            guard: step.guard,
            target: sets.number(tableau.without_repeated(step.left)),
            marks: tableau.marks(step.left),
        });
        states.push(BuchiState {
            edges: edges.collect(),
        });
    }
    Ok(reduce::reduce(Buchi {
        states,
        initial,
        acceptance: tableau.untils.len() as u32,
    }))
}

/// A set of obligations: bit `i` stands for `Tableau::obligations[i]`.
type Set = u128;

/// One way to meet obligations: a requirement on the letter, and the obligations for the rest of the word.
#[derive(Clone, Copy, Debug)]
struct Step {
    guard: Guard,
    left: Set,
}

impl Step {
    /// Whether the step requires no more of the letter and leaves no more obligations than `other`.
    fn is_below(&self, other: &Step) -> bool {
        self.guard.follows_from(other.guard) && self.left & !other.left == 0
    }
}

/// The states found so far, in the order of discovery.
#[derive(Default)]
struct Sets {
    list: Vec<Set>,
    numbers: HashMap<Set, usize>,
}

impl Sets {
    fn number(&mut self, set: Set) -> usize {
        *self.numbers.entry(set).or_insert_with(|| {
            self.list.push(set);
            self.list.len() - 1
        })
    }
}

/// The obligations of a formula. Their steps are computed on demand.
struct Tableau {
    obligations: Vec<Normal>,
    index: BTreeMap<Normal, usize>,
    /// By obligation: the other obligations that it requires at every step.
    repeated: Vec<Set>,
    /// By acceptance mark: the until, as an index into `obligations`.
    untils: Vec<usize>,
    steps: Vec<Option<Vec<Step>>>,
    work: usize,
}

impl Tableau {
    fn new(formula: &Normal) -> Result<Tableau, TooLarge> {
        let mut tableau = Tableau {
            obligations: Vec::new(),
            index: BTreeMap::new(),
            repeated: Vec::new(),
            untils: Vec::new(),
            steps: Vec::new(),
            work: 0,
        };
        tableau.enter(formula)?;
        for alternative in disjuncts(formula) {
            for obligation in conjuncts(alternative) {
                tableau.add(obligation)?;
            }
        }
        let is_until = |o: &usize| matches!(tableau.obligations[*o], Normal::Until(..));
        tableau.untils = (0..tableau.obligations.len()).filter(is_until).collect();
        if tableau.untils.len() > 64 {
            return Err(TooLarge::Operators);
        }
        tableau.steps = vec![None; tableau.obligations.len()];
        Ok(tableau)
    }

    /// Adds all temporal subformulas of `formula` as obligations, inner ones first.
    fn enter(&mut self, formula: &Normal) -> Result<(), TooLarge> {
        match formula {
            Normal::True | Normal::False => Ok(()),
            Normal::Literal { atom, .. } if *atom >= 64 => Err(TooLarge::Atom(*atom)),
            Normal::Literal { .. } => Ok(()),
            Normal::And(members) | Normal::Or(members) => {
                members.iter().try_for_each(|member| self.enter(member))
            }
            Normal::Until(left, right) | Normal::Release(left, right) => {
                self.enter(left)?;
                self.enter(right)?;
                self.add(formula)
            }
        }
    }

    fn add(&mut self, formula: &Normal) -> Result<(), TooLarge> {
        if self.index.contains_key(formula) {
            return Ok(());
        }
        if self.obligations.len() == MAX_OBLIGATIONS {
            return Err(TooLarge::Operators);
        }
        let mut repeated = 0;
        if let Normal::Release(_, right) = formula {
            for member in conjuncts(right) {
                if let Some(&inner) = self.index.get(member) {
                    repeated |= 1 << inner | self.repeated[inner];
                }
            }
        }
        self.index.insert(formula.clone(), self.obligations.len());
        self.obligations.push(formula.clone());
        self.repeated.push(repeated);
        Ok(())
    }

    /// The set that consists of this obligation.
    fn single(&self, obligation: &Normal) -> Set {
        1 << self.index[obligation]
    }

    /// `set` without the obligations that others in it require at every step.
    fn without_repeated(&self, set: Set) -> Set {
        members(set).fold(set, |rest, o| rest & !self.repeated[o])
    }

    /// The marks of a step that leaves the obligations `left`: those of the untils that are not in `left`.
    fn marks(&self, left: Set) -> u64 {
        let forgotten = broken(Defect::PutOffForEver);
        let fulfilled = |o: usize| u64::from(left >> o & 1 == 0 || forgotten);
        (self.untils.iter().enumerate()).fold(0, |marks, (m, &o)| marks | fulfilled(o) << m)
    }

    /// The minimal steps that meet all obligations of `set`.
    fn steps_of_set(&mut self, set: Set) -> Result<Vec<Step>, TooLarge> {
        let mut steps = vec![NOTHING];
        for obligation in members(set) {
            let more = self.steps_of_obligation(obligation)?;
            steps = self.both(&steps, &more)?;
        }
        Ok(steps)
    }

    /// The minimal steps that meet one obligation.
    fn steps_of_obligation(&mut self, obligation: usize) -> Result<Vec<Step>, TooLarge> {
        if let Some(steps) = &self.steps[obligation] {
            return Ok(steps.clone());
        }
        let put_off = [Step {
            guard: Guard::TRUE,
            left: 1 << obligation,
        }];
        let steps = match &self.obligations[obligation].clone() {
            Normal::Until(left, right) => {
                let (left, right) = (self.steps_of(left)?, self.steps_of(right)?);
                let later = if broken(Defect::LeftForgotten) {
                    put_off.to_vec()
                } else {
                    self.both(&left, &put_off)?
                };
                self.either(&right, &later)?
            }
            Normal::Release(left, right) => {
                let (left, right) = (self.steps_of(left)?, self.steps_of(right)?);
                let enough = if broken(Defect::NeverReleased) {
                    put_off.to_vec()
                } else {
                    self.either(&left, &put_off)?
                };
                self.both(&right, &enough)?
            }
            other => self.steps_of(other)?,
        };
        self.steps[obligation] = Some(steps.clone());
        Ok(steps)
    }

    /// The minimal steps that meet `formula`.
    fn steps_of(&mut self, formula: &Normal) -> Result<Vec<Step>, TooLarge> {
        match formula {
            Normal::True => Ok(vec![NOTHING]),
            Normal::False => Ok(vec![]),
            &Normal::Literal { atom, positive } => {
                let bit = |wanted| u64::from(positive == wanted) << atom;
                let guard = Guard {
                    positive: bit(true),
                    negative: bit(false),
                };
                Ok(vec![Step { guard, left: 0 }])
            }
            Normal::And(members) => members.iter().try_fold(vec![NOTHING], |steps, member| {
                let more = self.steps_of(member)?;
                self.both(&steps, &more)
            }),
            Normal::Or(members) => members.iter().try_fold(vec![], |steps, member| {
                let more = self.steps_of(member)?;
                self.either(&steps, &more)
            }),
            Normal::Until(..) | Normal::Release(..) => {
                self.steps_of_obligation(self.index[formula])
            }
        }
    }

    /// The minimal steps that combine a step of `some` with a step of `others`.
    fn both(&mut self, some: &[Step], others: &[Step]) -> Result<Vec<Step>, TooLarge> {
        let mut steps = Vec::new();
        for a in some {
            for b in others {
                if let Some(guard) = a.guard.and(b.guard) {
                    let left = a.left | b.left;
                    self.insert(Step { guard, left }, &mut steps)?;
                }
            }
        }
        Ok(steps)
    }

    /// The minimal steps of `some` and `others`.
    fn either(&mut self, some: &[Step], others: &[Step]) -> Result<Vec<Step>, TooLarge> {
        let mut steps = Vec::new();
        for step in some.iter().chain(others) {
            self.insert(*step, &mut steps)?;
        }
        Ok(steps)
    }

    /// Adds `step` to `steps`, and keeps only minimal ones. An error if `MAX_WORK` is reached.
    fn insert(&mut self, step: Step, steps: &mut Vec<Step>) -> Result<(), TooLarge> {
        self.work += 1 + steps.len();
        if self.work > MAX_WORK {
            return Err(TooLarge::Edges);
        }
        if !steps.iter().any(|known| known.is_below(&step)) {
            steps.retain(|known| !step.is_below(known));
            steps.push(step);
        }
        Ok(())
    }
}

/// The step without requirement and without remaining obligations.
const NOTHING: Step = Step {
    guard: Guard::TRUE,
    left: 0,
};

fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..MAX_OBLIGATIONS).filter(move |o| set >> o & 1 != 0)
}

/// The conjuncts of `formula`.
fn conjuncts(formula: &Normal) -> Vec<&Normal> {
    match formula {
        Normal::True => vec![],
        Normal::And(members) => members.iter().collect(),
        other => vec![other],
    }
}

/// The disjuncts of `formula`.
fn disjuncts(formula: &Normal) -> Vec<&Normal> {
    match formula {
        Normal::False => vec![],
        Normal::Or(members) => members.iter().collect(),
        other => vec![other],
    }
}
