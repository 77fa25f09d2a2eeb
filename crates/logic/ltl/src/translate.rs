//! The translation of a formula to an automaton that accepts exactly the words that satisfy the formula.
//!
//! **Algorithm.** A state is a set of *obligations*: formulas that must hold of the rest of the word. To read
//! a letter, each obligation is split into its requirement on this letter and the obligations for the rest,
//! by the laws
//!
//! ```text
//! a U b  =  b  or   (a and, next, a U b)
//! a R b  =  b  and  (a or,  next, a R b)
//! ```
//!
//! which gives a set of [`Step`]s: a conjunction of literals and the remaining obligations. The laws alone
//! would allow `a U b` to be postponed for ever. So there is one acceptance mark per until, on all edges that
//! do not postpone it; a run must take such an edge infinitely often.
//!
//! **Source.** P. Gastin and D. Oddoux, *Fast LTL to Büchi Automata Translation*, CAV 2001; the steps of one
//! obligation are the transitions of their alternating automaton. Marks on edges rather than on states are
//! also in J.-M. Couvreur, *On-the-fly Verification of Linear Temporal Logic*, FM 1999.
//!
//! **Deviations.**
//! - Only *minimal* steps are kept: a step that requires more now and leaves more for later than another one
//!   is dropped, already within one obligation. This is sound because there is no "next" operator: an until
//!   remains after a step only if that step postponed it, so a smaller step postpones fewer untils and has
//!   more marks. For the same reason the marks of a step are exactly the untils that do not remain; the
//!   longer condition of the paper (an until that remains although it was fulfilled) concerns only steps that
//!   are not minimal.
//! - An obligation that another one requires again at the very next step is not stored: with "always
//!   (eventually p)" in a state, "eventually p" adds nothing. Both sets have the same minimal steps. So a
//!   conjunction of n formulas "infinitely often p" has one state, not 2^n.
//! - The automaton stays generalised: a search over strongly connected components handles several marks
//!   directly, without degeneralisation.
//!
//! The formula is simplified before (`normal`), the automaton after (`reduce`).

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::automaton::{Buchi, BuchiState, Edge, Guard};
use crate::defects::{Defect, broken};
use crate::normal::{Normal, normal};
use crate::{Formula, reduce};

/// The largest number of states of an automaton before reduction.
pub const MAX_STATES: usize = 10_000;

/// The largest number of obligations: one bit each in a [`Set`].
const MAX_OBLIGATIONS: usize = 128;

/// The largest number of step comparisons; a fraction of a second.
const MAX_WORK: usize = 50_000_000;

/// The reason why a formula has no automaton.
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

/// An automaton that accepts exactly the words that satisfy `formula`, or the reason why it is too large.
///
/// Atoms must be numbered from 0 to 63. The same formula gives the same automaton.
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

/// One way to meet obligations: its requirement on the letter, and the obligations for the rest of the word.
#[derive(Clone, Copy, Debug)]
struct Step {
    guard: Guard,
    left: Set,
}

impl Step {
    /// Whether the step requires no more now and leaves no more than `other`.
    fn is_below(&self, other: &Step) -> bool {
        self.guard.follows_from(other.guard) && self.left & !other.left == 0
    }
}

/// The states found so far, in order of discovery.
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

/// The obligations of one formula, and their steps, computed on demand.
struct Tableau {
    obligations: Vec<Normal>,
    index: BTreeMap<Normal, usize>,
    /// For each obligation, the others that each of its steps also meets.
    repeated: Vec<Set>,
    /// The obligations that are untils; the index here is the mark.
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

    /// Adds all temporal subformulas of `formula` as obligations, the inner ones first.
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

    /// The set of only this obligation.
    fn single(&self, obligation: &Normal) -> Set {
        1 << self.index[obligation]
    }

    /// `set` without the obligations that others in it meet at every step.
    fn without_repeated(&self, set: Set) -> Set {
        members(set).fold(set, |rest, o| rest & !self.repeated[o])
    }

    /// The marks of a step that leaves `left`: the untils it does not postpone.
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

    fn either(&mut self, some: &[Step], others: &[Step]) -> Result<Vec<Step>, TooLarge> {
        let mut steps = Vec::new();
        for step in some.iter().chain(others) {
            self.insert(*step, &mut steps)?;
        }
        Ok(steps)
    }

    /// Adds `step` to `steps` and keeps only the minimal ones.
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
