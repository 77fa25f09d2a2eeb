//! Two translators and direct evaluation agree on formulas and their negations.

use crate::gpvw;
use crate::random::{Random, sample};
use crate::text;
use ltl::{Arc, Breaking, Buchi, Defect, Formula, Goals, Letter, Space, holds_on_lasso, lasso};

/// The product of two automata as a search space; its accepting runs are the common words.
struct Both<'b>(&'b Buchi, &'b Buchi);

impl Space for Both<'_> {
    type Node = (usize, usize);
    type Label = (u64, u64);

    fn goals(&self) -> usize {
        (self.0.acceptance + self.1.acceptance) as usize
    }

    fn initial(&mut self) -> Vec<(usize, usize)> {
        let pairs = |p: &usize| {
            self.1
                .initial
                .iter()
                .map(move |n| (*p, *n))
                .collect::<Vec<_>>()
        };
        self.0.initial.iter().flat_map(pairs).collect()
    }

    fn arcs(&mut self, (p, n): (usize, usize), into: &mut Vec<Arc<(usize, usize), (u64, u64)>>) {
        for a in &self.0.states[p].edges {
            for b in &self.1.states[n].edges {
                if a.guard.and(b.guard).is_some() {
                    let (to, label) = ((a.target, b.target), (a.marks, b.marks));
                    into.push(Arc { to, label });
                }
            }
        }
    }

    fn in_node(&mut self, _: (usize, usize), _: &mut Goals) {}

    fn on_arc(
        &mut self,
        _: (usize, usize),
        arc: &Arc<(usize, usize), (u64, u64)>,
        done: &mut Goals,
    ) {
        let first = self.0.acceptance as usize;
        (0..64)
            .filter(|m| arc.label.0 >> m & 1 != 0)
            .for_each(|m| done.add(m));
        (0..64)
            .filter(|m| arc.label.1 >> m & 1 != 0)
            .for_each(|m| done.add(first + m));
    }
}

fn common_word(a: &Buchi, b: &Buchi) -> bool {
    lasso(&mut Both(a, b), usize::MAX).is_some()
}

fn holds(formula: &Formula, letters: &[Letter], start: usize) -> bool {
    holds_on_lasso(formula, letters.len(), start, |atom, i| {
        letters[i] >> atom & 1 != 0
    })
}

/// By translator: the automata of a formula and of its negation. `None` if the second translator exceeds its limit.
fn automata(formula: &Formula) -> Option<[(Buchi, Buchi); 2]> {
    const LIMIT: usize = 150;
    let negation = Formula::not(formula.clone());
    let ours = |f: &Formula| ltl::translate(f).expect("small enough");
    let plain = (
        gpvw::translate(formula, LIMIT)?,
        gpvw::translate(&negation, LIMIT)?,
    );
    Some([(ours(formula), ours(&negation)), plain])
}

/// Compares the automata of a formula with each other, and on the given words with direct evaluation. Returns false if
/// the second translator exceeds its limit; an error is the first contradiction.
fn compare(formula: &Formula, words: &[(Vec<Letter>, usize)]) -> Result<bool, String> {
    let Some(all) = automata(formula) else {
        return Ok(false);
    };
    for (p, (positive, _)) in all.iter().enumerate() {
        for (n, (_, negative)) in all.iter().enumerate() {
            if common_word(positive, negative) {
                return Err(format!("{formula}: {p} and not {n} have a common word"));
            }
        }
    }
    for (letters, start) in words {
        let expected = holds(formula, letters, *start);
        for (t, (positive, negative)) in all.iter().enumerate() {
            if positive.accepts_lasso(letters, *start) != expected
                || negative.accepts_lasso(letters, *start) == expected
            {
                return Err(format!("{formula}: {t} on {letters:?} from {start}"));
            }
        }
    }
    Ok(true)
}

/// Compares random formulas. Returns the number of formulas that could be compared, or the first contradiction.
fn compared(seed: u64, formulas: usize, lassos: usize) -> Result<usize, String> {
    let mut random = Random(seed);
    let mut compared = 0;
    for i in 0..formulas {
        let (atoms, depth) = (1 + i as u64 % 3, 2 + i as u32 % 3);
        let formula = random.formula(atoms, depth);
        let words: Vec<_> = (0..lassos).map(|_| random.lasso(atoms)).collect();
        compared += usize::from(compare(&formula, &words)?);
    }
    Ok(compared)
}

/// All lassos over the atoms `0..atoms` with a stem of at most two letters and a loop of at most three.
fn all_lassos(atoms: u32) -> Vec<(Vec<Letter>, usize)> {
    let mut lassos = Vec::new();
    for (stem, turn) in (0..=2).flat_map(|stem| (1..=3).map(move |turn| (stem, turn))) {
        let length: u32 = stem + turn;
        for code in 0..1u64 << (atoms * length) {
            let letter = |i| code >> (atoms * i) & ((1 << atoms) - 1);
            lassos.push(((0..length).map(letter).collect(), stem as usize));
        }
    }
    lassos
}

#[test]
fn random_formulas() {
    let wanted = sample(600);
    let compared = compared(20, wanted, 12).expect("nothing is wrong");
    assert!(compared * 10 > wanted * 9, "{compared} of {wanted}");
}

#[test]
fn all_small_words() {
    let mut random = Random(21);
    for atoms in [1, 2] {
        let words = all_lassos(atoms);
        let formulas = if atoms == 1 { 150 } else { 12 };
        for _ in 0..sample(formulas).min(formulas * 50) {
            let formula = random.formula(u64::from(atoms), 4);
            compare(&formula, &words).expect("nothing is wrong");
        }
    }
}

#[test]
fn known_formulas() {
    let mut random = Random(22);
    for line in include_str!("known.txt")
        .lines()
        .filter(|l| !l.starts_with('#'))
    {
        let words: Vec<_> = (0..20).map(|_| random.lasso(6)).collect();
        compare(&text::formula(line), &words).expect("nothing is wrong");
    }
}

#[test]
fn broken_translations_are_noticed() {
    for defect in Defect::TRANSLATION {
        let breaking = Breaking::rule(defect);
        let noticed = compared(20, 600, 12);
        drop(breaking);
        assert!(noticed.is_err(), "{defect:?}");
    }
}
