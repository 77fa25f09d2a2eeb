//! Which parts are right and from when on, and which claims follow.

use crate::latest::{Means, Stop, is_broken_late, is_kept, right_from};
use crate::solve::{Found, solve};
use machine::{OpenMachine, Property};
use one_node::defects::{Defect, broken};
use one_node::{Fact, Part, Protocol, Right, Rule, Setting, Start, parts, silent_parts};
use rational::Rational;
use sat::Backend;
use verdict::{Budget, Spent};

/// The answer to a claim, for every number of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The claim holds.
    Holds,
    /// The claim is not proved, for this reason.
    Unknown(String),
    /// A limit was reached.
    Spent(Spent),
}

/// What was found out about the parts of the claims of a protocol.
#[derive(Debug)]
pub struct Analysis {
    /// The parts that are right, with the setting with which that was proved, in the order of proof.
    pub steps: Vec<(Fact, Setting)>,
    /// By claim: its answer.
    pub answers: Vec<Answer>,
    /// The number of nodes with names that the largest query used.
    pub names: usize,
}

/// The settings that are tried, the cheapest first.
const SETTINGS: [Setting; 3] = [
    Setting { looks: 1, spare: 3 },
    Setting { looks: 2, spare: 4 },
    Setting { looks: 2, spare: 6 },
];

/// Proves the claims of a protocol as far as the rule can.
pub fn analyse(
    open: &OpenMachine,
    properties: &[Property],
    backend: Backend,
    budget: &dyn Budget,
) -> Result<Analysis, String> {
    let protocol = Protocol::of(open)?;
    let means = Means { backend, budget };
    let mut finding = Finding {
        rule: Rule {
            protocol: &protocol,
            facts: Vec::new(),
            filled: false,
        },
        steps: Vec::new(),
        means,
        unsupported: None,
    };
    match finding.run(properties) {
        Ok(answers) => Ok(Analysis {
            steps: finding.steps,
            answers,
            names: 0,
        }),
        Err(Stop::Unsupported(why)) => Err(why.0),
        Err(Stop::Spent(spent)) => Ok(Analysis {
            answers: vec![Answer::Spent(spent); properties.len()],
            steps: finding.steps,
            names: 0,
        }),
    }
}

struct Finding<'m> {
    rule: Rule<'m>,
    steps: Vec<(Fact, Setting)>,
    means: Means<'m>,
    /// What the last query could not express.
    unsupported: Option<String>,
}

impl Finding<'_> {
    fn run(&mut self, properties: &[Property]) -> Result<Vec<Answer>, Stop> {
        let protocol = self.rule.protocol;
        let of_claims: Vec<Result<Vec<Part>, String>> =
            properties.iter().map(|property| parts(protocol, property)).collect();
        let mut candidates: Vec<Part> = Vec::new();
        for part in of_claims.iter().flatten().flatten() {
            let part = part.without_counts(protocol);
            if !candidates.iter().any(|other| other.is_same(&part)) {
                candidates.push(part);
            }
        }
        if let Some(queries) = self.rule.unfilled()? {
            self.rule.filled = self.all_impossible(&queries)?;
        }
        candidates.extend(silent_parts(protocol));
        if !broken(Defect::ErrorsIgnored) {
            let setting = SETTINGS[0];
            let mut queries = self.rule.error(&candidates, setting)?;
            queries.push(self.rule.bad_start()?);
            if !self.all_impossible(&queries)? {
                let why = "the code or a definition may be an error";
                return Ok(properties.iter().map(|_| Answer::Unknown(why.into())).collect());
            }
        }
        self.invariants(&candidates)?;
        self.times(&candidates)?;
        let mut answers = Vec::new();
        for parts in of_claims {
            answers.push(match parts {
                Err(why) => Answer::Unknown(why),
                Ok(parts) => self.claim(&parts)?,
            });
        }
        Ok(answers)
    }

    fn all_impossible(&self, queries: &[one_node::Query]) -> Result<bool, Stop> {
        for query in queries {
            if let Found::Model(_) = solve(query, self.means.backend, self.means.budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The largest set of candidates that is inductive: parts that fail are left out until none does.
    fn invariants(&mut self, candidates: &[Part]) -> Result<(), Stop> {
        let setting = SETTINGS[0];
        let mut kept: Vec<Part> = Vec::new();
        for part in candidates {
            let begins = match broken(Defect::StartNotLookedAt) {
                true => true,
                false => match self.rule.begins_broken(part, setting) {
                    Ok(query) => self.all_impossible(&[query])?,
                    Err(_) => false,
                },
            };
            if begins {
                kept.push(part.clone());
            }
        }
        loop {
            let facts = kept.iter().map(|part| Fact {
                part: part.clone(),
                right: Right::Always,
            });
            self.rule.facts = facts.collect();
            let mut failed = None;
            'parts: for (place, part) in kept.iter().enumerate() {
                for case in self.rule.cases(Start::Anywhere) {
                    let holds = match self.rule.made_broken(part, &case, setting) {
                        Ok(query) => self.all_impossible(&[query])?,
                        Err(_) => false,
                    };
                    if !holds {
                        failed = Some(place);
                        break 'parts;
                    }
                }
            }
            match failed {
                Some(place) => kept.remove(place),
                None => break,
            };
        }
        for fact in &self.rule.facts {
            self.steps.push((fact.clone(), setting));
        }
        Ok(())
    }

    /// The times from which on the candidates are right.
    fn times(&mut self, candidates: &[Part]) -> Result<(), Stop> {
        // By candidate: the number of proofs when it was last tried.
        let mut tried = vec![usize::MAX; candidates.len()];
        loop {
            let mut changed = false;
            for (part, tried) in candidates.iter().zip(&mut tried) {
                if std::mem::replace(tried, self.steps.len()) == self.steps.len() {
                    continue;
                }
                let known = self.right_of(part);
                if known == Some(Right::Always) {
                    continue;
                }
                let below = match &known {
                    Some(Right::From(time)) => Some(time.clone()),
                    _ => None,
                };
                if let Some((time, setting)) = self.time_of(part, below.as_ref())? {
                    let fact = Fact {
                        part: part.clone(),
                        right: Right::From(time),
                    };
                    self.rule.facts.retain(|other| other.part != *part);
                    self.rule.facts.push(fact.clone());
                    self.steps.push((fact, setting));
                    changed = true;
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    fn time_of(
        &mut self,
        part: &Part,
        below: Option<&Rational>,
    ) -> Result<Option<(Rational, Setting)>, Stop> {
        for setting in SETTINGS {
            match is_broken_late(&self.rule, part, setting, self.means) {
                Ok(true) => continue,
                Ok(false) => {}
                Err(Stop::Unsupported(why)) => {
                    self.unsupported = Some(why.0);
                    return Ok(None);
                }
                Err(spent) => return Err(spent),
            }
            match right_from(&self.rule, part, setting, below, self.means) {
                Ok(Some(time)) => return Ok(Some((time, setting))),
                Ok(None) => {}
                Err(Stop::Unsupported(why)) => {
                    self.unsupported = Some(why.0);
                    return Ok(None);
                }
                Err(spent) => return Err(spent),
            }
        }
        Ok(None)
    }

    fn right_of(&self, part: &Part) -> Option<Right> {
        let mut facts = self.rule.facts.iter();
        let fact = facts.find(|fact| fact.part.is_same(part))?;
        Some(fact.right.clone())
    }

    fn claim(&mut self, parts: &[Part]) -> Result<Answer, Stop> {
        for part in parts {
            let without = part.without_counts(self.rule.protocol);
            let Some(right) = self.right_of(&without) else {
                let why = self.unsupported.clone();
                return Ok(Answer::Unknown(why.unwrap_or_else(|| {
                    format!("{}: a part of it is not right from any time on", part.name)
                })));
            };
            let mut proved = false;
            for setting in SETTINGS {
                if is_kept(&self.rule, part, &right, setting, self.means)? {
                    proved = true;
                    break;
                }
            }
            if !proved {
                return Ok(Answer::Unknown(format!("{}: a count is too small", part.name)));
            }
        }
        Ok(Answer::Holds)
    }
}
