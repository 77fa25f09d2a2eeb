//! Which parts are right and from when on, and which claims follow.

use crate::latest::Asking;
use crate::least::least;
use crate::solve::{Found, Means, Stop};
use bits::Unsupported;
use machine::{OpenMachine, Property, StmtKind, Type, VarId};
use one_node::defects::{Defect, broken};
use one_node::{Fact, Part, Protocol, Right, Rule, Setting, candidates, parts};
use rational::Rational;
use sat::Backend;
use verdict::{Budget, EverySizeInvariant, EverySizeNames, EverySizeProof, EverySizeStep, Spent};

/// The answer to a claim, for every number of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The claim holds, by this proof. The audit checks it.
    Holds(EverySizeProof),
    /// The claim is not proved, for this reason.
    Unknown(Unsupported),
    /// A limit was reached.
    Spent(Spent),
}

/// The results about a protocol.
#[derive(Debug)]
pub struct Analysis {
    /// The parts that are right, in the order of proof, with the names that their queries need.
    pub right: Vec<(Fact, EverySizeNames)>,
    /// By claim: its answer.
    pub answers: Vec<Answer>,
}

/// The settings that are tried, the cheapest first.
const SETTINGS: [Setting; 4] = [
    Setting { looks: 1, spare: 3 },
    Setting { looks: 1, spare: 5 },
    Setting { looks: 2, spare: 4 },
    Setting { looks: 2, spare: 6 },
];

/// The setting for queries about one activation.
const ONE_STEP: Setting = Setting { looks: 1, spare: 5 };

/// Proves claims for every number of nodes, as far as the rule can. A proof may rely on parts of any of the claims. An
/// error says why the rule does not apply to the protocol.
pub fn analyse(
    open: &OpenMachine,
    claims: &[Property],
    backend: Backend,
    budget: &dyn Budget,
) -> Result<Analysis, Unsupported> {
    let answers = match establish(open, claims, backend, budget) {
        Ok(established) => {
            let answer = |claim| established.answer(open, claim, backend, budget);
            return Ok(Analysis {
                answers: claims.iter().map(answer).collect::<Result<_, _>>()?,
                right: established.right,
            });
        }
        Err(Failed::Refused(why)) => return Err(why),
        Err(Failed::Spent(spent)) => Answer::Spent(spent),
        Err(Failed::MayBeError) => Answer::Unknown(Failed::MayBeError.reason()),
    };
    Ok(Analysis {
        right: Vec::new(),
        answers: vec![answers; claims.len()],
    })
}

/// Why nothing is established about a protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// The rule does not apply, for this reason.
    Refused(Unsupported),
    /// Some run may end in an error.
    MayBeError,
    /// A limit was reached.
    Spent(Spent),
}

impl Failed {
    /// Why a claim is undecided.
    pub fn reason(self) -> Unsupported {
        match self {
            Failed::Refused(why) => why,
            Failed::MayBeError => Unsupported::new(
                "the code, or the largest of an empty set in a claim, may be an error",
            ),
            Failed::Spent(_) => Unsupported::new("a limit was reached"),
        }
    }
}

impl From<Stop> for Failed {
    fn from(stop: Stop) -> Failed {
        match stop {
            Stop::Unsupported(why) => Failed::Refused(why),
            Stop::Spent(spent) => Failed::Spent(spent),
        }
    }
}

/// The results about a protocol that precede those about claims: no run has an error, and the times from which on parts
/// are right. They depend only on the parts of the claims, without counts.
#[derive(Clone, Debug)]
pub struct Established {
    /// The protocol, without claims.
    protocol: OpenMachine,
    /// The parts that were tried.
    candidates: Vec<Part>,
    /// The parts that are right, in the order of proof, with the names that their queries use.
    right: Vec<(Fact, EverySizeNames)>,
    /// By part: the last of its facts in `right`.
    facts: Vec<Fact>,
    /// The proof without the steps for a claim.
    proof: EverySizeProof,
    /// The last construct that a query about a part did not support; `None` if there was none.
    unsupported: Option<Unsupported>,
}

/// Proves which parts of claims are right, and from when on.
pub fn establish(
    open: &OpenMachine,
    claims: &[Property],
    backend: Backend,
    budget: &dyn Budget,
) -> Result<Established, Failed> {
    let protocol = Protocol::of(open).map_err(Failed::Refused)?;
    let candidates = candidates(&protocol, claims);
    let mut finding = Finding {
        rule: Rule {
            protocol: &protocol,
            facts: Vec::new(),
            filled: false,
        },
        candidates: &candidates,
        proof: EverySizeProof {
            filled: false,
            invariants: Vec::new(),
            steps: Vec::new(),
            counts: Vec::new(),
        },
        right: Vec::new(),
        means: Means { backend, budget },
        unsupported: None,
    };
    if let Some(queries) = finding.rule.unfilled().map_err(Stop::from)? {
        finding.rule.filled = finding.are_impossible(&queries)?;
        finding.proof.filled = finding.rule.filled;
    }
    if !broken(Defect::ErrorsIgnored) {
        let errors = finding.rule.error(&candidates, ONE_STEP);
        let mut queries = errors.map_err(Stop::from)?;
        queries.push(finding.rule.bad_start().map_err(Stop::from)?);
        if !finding.are_impossible(&queries)? {
            return Err(Failed::MayBeError);
        }
    }
    finding.invariants()?;
    finding.times()?;
    let (right, facts, proof) = (finding.right, finding.rule.facts, finding.proof);
    Ok(Established {
        protocol: without_claims(&protocol),
        unsupported: finding.unsupported,
        candidates,
        right,
        facts,
        proof,
    })
}

impl Established {
    /// Whether `establish` would return the same for these claims: the protocol and the parts are the same.
    pub fn is_about(&self, open: &OpenMachine, claims: &[Property]) -> bool {
        // The names of parts are not compared, because they differ between values of a claim.
        let same = |a: &Part, b: &Part| a.is_same(b) && a.scope == b.scope;
        let Ok(protocol) = Protocol::of(open) else {
            return false;
        };
        let parts = candidates(&protocol, claims);
        let mut pairs = parts.iter().zip(&self.candidates);
        without_claims(&protocol) == self.protocol
            && parts.len() == self.candidates.len()
            && pairs.all(|(a, b)| same(a, b))
    }

    /// Whether a claim follows, for every number of nodes.
    pub fn answer(
        &self,
        open: &OpenMachine,
        claim: &Property,
        backend: Backend,
        budget: &dyn Budget,
    ) -> Result<Answer, Unsupported> {
        let protocol = Protocol::of(open)?;
        let parts = match parts(&protocol, claim) {
            Ok(parts) => parts,
            Err(why) => return Ok(Answer::Unknown(why)),
        };
        let mut finding = Finding {
            rule: Rule {
                protocol: &protocol,
                facts: self.facts.clone(),
                filled: self.proof.filled,
            },
            candidates: &self.candidates,
            proof: self.proof.clone(),
            right: Vec::new(),
            means: Means { backend, budget },
            unsupported: self.unsupported.clone(),
        };
        match finding.claim(&parts) {
            Ok(answer) => Ok(answer),
            Err(Stop::Spent(spent)) => Ok(Answer::Spent(spent)),
            Err(Stop::Unsupported(why)) => Err(why),
        }
    }
}

/// The protocol without claims and without its counts of activations, which saturate at the numbers in the claims. No
/// code reads a ghost variable, and no part of an established proof reads a count.
fn without_claims(protocol: &Protocol<'_>) -> OpenMachine {
    let mut open = protocol.open.clone();
    open.base.properties.clear();
    let ghosts = protocol.counts.iter();
    let ghosts: Vec<VarId> = { ghosts.copied() }
        .filter(|count| open.base.vars[count.index()].ghost)
        .collect();
    for count in &ghosts {
        open.base.vars[count.index()].ty = Type::Int(0, 0);
    }
    for block in &mut open.base.blocks {
        block.body.retain(|statement| match &statement.kind {
            StmtKind::Assign(place, _) => !ghosts.contains(&place.var),
            _ => true,
        });
    }
    open
}

struct Finding<'m> {
    rule: Rule<'m>,
    candidates: &'m [Part],
    /// The proof so far, which all claims share.
    proof: EverySizeProof,
    right: Vec<(Fact, EverySizeNames)>,
    means: Means<'m>,
    /// The last construct that a query about a part did not support; `None` if there was none.
    unsupported: Option<Unsupported>,
}

impl<'m> Finding<'m> {
    fn are_impossible(&self, queries: &[one_node::Query]) -> Result<bool, Stop> {
        for query in queries {
            if let Found::Model(_) = self.means.solve(query)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn asking<'r>(&'r self, part: &'r Part, setting: Setting) -> Asking<'r, 'm> {
        Asking {
            rule: &self.rule,
            part,
            setting,
            means: self.means,
            used: 0,
        }
    }

    /// Turns the refusal of a query into `None`, and records the unsupported construct.
    fn or_unsupported<T>(&mut self, result: Result<T, Stop>) -> Result<Option<T>, Stop> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Unsupported(why)) => {
                self.unsupported = Some(why);
                Ok(None)
            }
            Err(spent) => Err(spent),
        }
    }

    /// The largest set of candidates that is inductive: parts that fail are left out until none does.
    fn invariants(&mut self) -> Result<(), Stop> {
        let mut kept: Vec<usize> = Vec::new();
        for (number, part) in self.candidates.iter().enumerate() {
            let begins = self.asking(part, ONE_STEP).begins();
            let begins = self.or_unsupported(begins)?.unwrap_or(false);
            if begins || broken(Defect::StartNotLookedAt) {
                kept.push(number);
            }
        }
        loop {
            let fact = |number: &usize| Fact {
                part: self.candidates[*number].clone(),
                right: Right::Always,
            };
            self.rule.facts = kept.iter().map(fact).collect();
            let mut left = Vec::new();
            let mut by = Vec::new();
            for number in &kept {
                let mut asking = self.asking(&self.candidates[*number], ONE_STEP);
                let preserved = match asking.begins() {
                    Ok(_) => asking.is_preserved(),
                    stop => stop,
                };
                let used = asking.used;
                if self.or_unsupported(preserved)? == Some(true) {
                    left.push(*number);
                    by.push(names(ONE_STEP, used));
                }
            }
            if left.len() == kept.len() {
                for (number, by) in kept.iter().zip(&mut by) {
                    let part = &self.candidates[*number];
                    *by = least(part, *by, &mut |setting| {
                        let mut asking = self.asking(part, setting);
                        let preserved = asking.begins()? && asking.is_preserved()?;
                        Ok(preserved.then_some(asking.used))
                    })?;
                }
                for ((number, by), fact) in kept.iter().zip(by).zip(&self.rule.facts) {
                    let part = *number as u32;
                    self.proof.invariants.push(EverySizeInvariant { part, by });
                    self.right.push((fact.clone(), by));
                }
                return Ok(());
            }
            kept = left;
        }
    }

    /// The times from which on the candidates are right.
    fn times(&mut self) -> Result<(), Stop> {
        // By candidate: the number of proofs when it was last tried.
        let mut tried = vec![usize::MAX; self.candidates.len()];
        loop {
            let mut changed = false;
            let candidates = self.candidates.iter().enumerate();
            for (number, part) in candidates.filter(|(_, part)| !part.invariant_only) {
                let proved = self.right.len();
                if std::mem::replace(&mut tried[number], proved) == proved {
                    continue;
                }
                let below = match self.right_of(part) {
                    Some(Right::Always) => continue,
                    Some(Right::From(time)) => Some(time),
                    None => None,
                };
                if let Some((from, by)) = self.time_of(part, below.as_ref())? {
                    let right = Right::From(from.clone());
                    let part = part.clone();
                    let fact = Fact { part, right };
                    self.rule.facts.retain(|other| other.part != fact.part);
                    self.rule.facts.push(fact.clone());
                    self.right.push((fact, by));
                    let part = number as u32;
                    self.proof.steps.push(EverySizeStep { part, from, by });
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
    ) -> Result<Option<(Rational, EverySizeNames)>, Stop> {
        for setting in SETTINGS {
            if broken(Defect::Circular) {
                let (part, right) = (part.clone(), Right::From(Rational::ZERO));
                self.rule.facts.push(Fact { part, right });
            }
            let late = self.asking(part, setting).is_broken_late();
            if self.or_unsupported(late)? != Some(false) {
                continue;
            }
            let mut asking = self.asking(part, setting);
            let time = asking.right_from(below);
            let used = asking.used;
            if let Some(Some(time)) = self.or_unsupported(time)? {
                return Ok(Some(self.least_time(part, time, names(setting, used))?));
            }
        }
        Ok(None)
    }

    /// Reduces in turns the names for a time and the time for these names, until the time stays the same. With fewer
    /// looks, the last look may get more names.
    fn least_time(
        &mut self,
        part: &Part,
        mut time: Rational,
        mut by: EverySizeNames,
    ) -> Result<(Rational, EverySizeNames), Stop> {
        loop {
            by = least(part, by, &mut |setting| {
                let mut asking = self.asking(part, setting);
                Ok(asking.is_right_from(&time)?.then_some(asking.used))
            })?;
            let setting = Setting {
                looks: by.looks,
                spare: by.names - part.given(),
            };
            let mut asking = self.asking(part, setting);
            match asking.right_from(Some(&time))? {
                Some(less) if less < time => {
                    time = less;
                    by.names = asking.used;
                }
                _ => return Ok((time, by)),
            }
        }
    }

    fn right_of(&self, part: &Part) -> Option<Right> {
        let mut facts = self.rule.facts.iter();
        let fact = facts.find(|fact| fact.part.is_same(part))?;
        Some(fact.right.clone())
    }

    fn claim(&mut self, parts: &[Part]) -> Result<Answer, Stop> {
        let mut counts = Vec::new();
        for part in parts {
            let without = part.without_counts(self.rule.protocol);
            let Some(right) = self.right_of(&without) else {
                let why = self.unsupported.clone();
                let what = || "a part that is not known to be right from any time on";
                return Ok(Answer::Unknown(
                    why.unwrap_or_else(|| of_part(part, what())),
                ));
            };
            let mut proved = None;
            for setting in SETTINGS {
                let mut asking = self.asking(part, setting);
                let kept = asking.is_kept(&right);
                let used = asking.used;
                if self.or_unsupported(kept)? == Some(true) {
                    let by = least(part, names(setting, used), &mut |setting| {
                        let mut asking = self.asking(part, setting);
                        Ok(asking.is_kept(&right)?.then_some(asking.used))
                    })?;
                    proved = Some(by);
                    break;
                }
            }
            match proved {
                Some(by) => counts.push(by),
                None => {
                    let what = "a part that may be broken while it is asked for";
                    return Ok(Answer::Unknown(of_part(part, what)));
                }
            }
        }
        Ok(Answer::Holds(EverySizeProof {
            counts,
            ..self.proof.clone()
        }))
    }
}

/// The reason why a part is not proved, with the place of the part.
fn of_part(part: &Part, what: &str) -> Unsupported {
    let why = Unsupported::new(what);
    part.origin.map_or(why.clone(), |origin| why.at(origin))
}

fn names(setting: Setting, used: u32) -> EverySizeNames {
    EverySizeNames {
        looks: setting.looks,
        names: used,
    }
}
