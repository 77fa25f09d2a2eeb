//! Runs drawn at random that answer a question about states, where a search takes long.
//!
//! A search goes through everything that is near before it comes to what is far, and of many nodes there is much that is
//! near. A run at random is far at once. It proves nothing; but if it breaks a claim, that is an answer. How many are
//! drawn does not depend on the clock, so the answer is the same every time.

use crate::agenda::Agenda;
use crate::beginning::Beginnings;
use crate::check::{NO_METHOD, is_open, unanswered};
use crate::circuit;
use machine::random::Rng;
use machine::{Expr, Instance, Machine, Property, PropertyKind};
use rational::Rational;
use std::cell::Cell;
use verdict::{
    Answer, Budget, CheckpointStore, Ending, Progress, Question, Refusal, Report, Run, Spent,
    Storage,
};

/// How many runs are drawn, of how many events: many short ones first.
const DRAWN: [(u64, usize); 3] = [(4_000, 100), (4_000, 250), (300, 700)];

/// States that are visited before somebody tries his luck, in all searches together.
const MODEST: u64 = 3_000_000;

/// Who else is asked about what takes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Others {
    /// Nobody.
    Nobody,
    /// Circuits, if the Machine is one.
    Circuits,
}

/// Answers a question with the engine, and by luck, or by others, what takes it long.
pub(crate) fn answer(
    question: &Question<'_>,
    engine: &dyn Fn(&Question<'_>, &dyn Budget) -> Result<Report, Refusal>,
    others: Others,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let modest = Modest {
        budget,
        before: Cell::new(0),
        now: Cell::new(0),
        over: Cell::new(false),
    };
    let mut report = match engine(question, &modest) {
        Err(Refusal::Unsupported(why)) => unanswered(question.machine, &why),
        other => other?,
    };
    let more = Progress {
        states: MODEST + 1,
        ..Progress::default()
    };
    // Who would not visit more states has no use for long runs, either.
    if !report.answers.iter().any(is_open) || budget.ask(&more).is_some() {
        return match report.method {
            NO_METHOD => engine(question, budget),
            _ => Ok(report),
        };
    }
    let mut left = false;
    for (p, answer) in report.answers.iter_mut().enumerate() {
        if is_open(answer) {
            match look(question.machine, &question.machine.properties[p], budget) {
                Some(found) => *answer = found,
                None => left = true,
            }
        }
    }
    if left && others == Others::Circuits {
        left = !circuit::complete(question, &mut report, circuit::BRIEFLY, budget);
    }
    if !left {
        return Ok(report);
    }
    // A search that came to a limit would come to the same one.
    let mut whole = match modest.over.get() || report.method == NO_METHOD {
        true => after(&report, engine(question, budget)?),
        false => report.clone(),
    };
    whole.evidence.resize(whole.answers.len(), None);
    whole.findings.by.resize(whole.answers.len(), None);
    for (p, answer) in whole.answers.iter_mut().enumerate() {
        if is_open(answer) && !is_open(&report.answers[p]) {
            *answer = report.answers[p].clone();
            whole.evidence[p] = report.evidence_of(p).cloned();
            whole.findings.by[p] = report.findings.by.get(p).copied().flatten();
        }
    }
    let goes_on = || budget.ask(&Progress::default()).is_none();
    if others == Others::Circuits && whole.answers.iter().any(is_open) && goes_on() {
        circuit::complete(question, &mut whole, circuit::PATIENTLY, budget);
    }
    Ok(whole)
}

/// A search after a brief attempt. Where it was interrupted before it came as far, what the attempt established still holds.
fn after(brief: &Report, mut whole: Report) -> Report {
    if whole.counts.states < brief.counts.states && !whole.findings.complete {
        let counts = brief.counts;
        for (answer, before) in whole.answers.iter_mut().zip(&brief.answers) {
            if let (Answer::Unknown(_), Answer::Unknown(why)) = (&answer, before) {
                *answer = Answer::Unknown(why.clone());
            }
        }
        whole.counts = counts;
        whole.findings.explored = brief.findings.explored;
    }
    whole
}

/// A random run that breaks a claim about states, or reaches a condition.
fn look(machine: &Machine, property: &Property, budget: &dyn Budget) -> Option<Answer> {
    let (condition, wanted) = match &property.kind {
        PropertyKind::Possible(condition) => (condition.clone(), true),
        PropertyKind::Claim(claim) => (claim.invariant()?, false),
    };
    let beginnings = Beginnings::new(machine, None);
    let mut rng = Rng(1);
    for (runs, events) in DRAWN {
        for _ in 0..runs {
            if budget.ask(&Progress::default()).is_some() {
                return None;
            }
            let walk = walk(machine, &beginnings, &mut rng, events, (&condition, wanted));
            if let Some(run) = walk? {
                return Some(match wanted {
                    true => Answer::Possible(Box::new(run)),
                    false => Answer::Fails(Box::new(run)),
                });
            }
        }
    }
    None
}

/// One random run, up to where a condition has a value; if it does. Nothing if no run can begin.
fn walk(
    machine: &Machine,
    beginnings: &Beginnings<'_>,
    rng: &mut Rng,
    events: usize,
    (condition, wanted): (&Expr, bool),
) -> Option<Option<Run>> {
    let (frozen, initial) = beginnings.draw(rng, &mut || false).ok()?;
    let instance = Instance {
        machine,
        frozen: &frozen,
    };
    // Two runs of three keep step, where there are times: orders are what matters most.
    let part = Rational::new(rng.below(3) as i128, 2);
    let mut agenda = match rng.below(3) {
        0 => Agenda::new(machine),
        1 => Agenda::in_step(machine, part),
        _ => Agenda::in_step(machine, part).with_precedence(rng),
    };
    let mut state = initial.clone();
    let mut choices = Vec::new();
    loop {
        match instance.holds(&state, condition, &[]) {
            Ok(value) if value == wanted => break,
            Ok(_) if choices.len() < events => {}
            _ => return Some(None),
        }
        let Some(choice) = agenda.draw(instance, &state, rng) else {
            return Some(None);
        };
        let Ok(next) = instance.step(&state, &choice) else {
            return Some(None);
        };
        state = next;
        choices.push(choice);
    }
    Some(Some(Run {
        frozen: frozen.clone(),
        initial,
        choices,
        ending: Ending::Open,
    }))
}

/// A budget for searches that are given up early, counted in states so that the answer is the same every time.
struct Modest<'a> {
    budget: &'a dyn Budget,
    /// States of searches that are over, and of the present one.
    before: Cell<u64>,
    now: Cell<u64>,
    /// Whether a search was given up early.
    over: Cell<bool>,
}

impl Budget for Modest<'_> {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        if progress.states < self.now.get() {
            self.before.set(self.before.get() + self.now.get());
        }
        self.now.set(progress.states);
        match self.before.get() + progress.states > MODEST {
            true => {
                self.over.set(true);
                Some(Spent::Brief)
            }
            false => self.budget.ask(progress),
        }
    }

    fn solver(&self) -> sat::Backend {
        self.budget.solver()
    }

    fn threads(&self) -> usize {
        self.budget.threads()
    }

    fn storage(&self) -> Storage {
        self.budget.storage()
    }

    /// What is found counts for the whole search, too, which goes on from there.
    fn checkpoint_store(&self) -> Option<&dyn CheckpointStore> {
        self.budget.checkpoint_store()
    }
}
