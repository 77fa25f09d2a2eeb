//! Checks a proof for every number of nodes: every query of the rule of `one_node` is built again and refuted.
//!
//! The declared times are added up here independently: what the queries take as decided about times, the clauses about
//! pairs of times, the numbers of activations that have to be considered, and the gaps between which a message surely
//! arrives. Every refutation is checked step by step.

use crate::rejected::{Rejected, reject};
use machine::{Channel, Delay, First, Jitter, Machine, OpenMachine, Property, Timing};
use one_node::{
    Fact, Moments, Part, Protocol, Query, Right, Rule, Setting, Start, Threshold, candidates, parts,
};
use rational::Rational;
use sat::{Backend, Clauses, Decision, Lit, Sink, Tseitin, check};
use verdict::{EverySizeNames, EverySizeProof};

/// Statistics of a checked proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EverySizeChecked {
    /// The number of refuted queries.
    pub queries: usize,
    /// The number of steps of all refutations.
    pub steps: usize,
    /// The largest number of nodes with names in a query.
    pub names: u32,
}

/// The largest number of names and looks that is accepted.
const MOST_NAMES: u32 = 16;

/// The largest number of activations that is accepted.
const MOST_ACTIVATIONS: u32 = 100;

/// Checks that a proof establishes a claim of an open Machine for every number of nodes. `claims` are the claims whose
/// parts the proof may speak of; `claim` is the number of the one that it proves.
pub fn every_size(
    open: &OpenMachine,
    claims: &[Property],
    claim: usize,
    proof: &EverySizeProof,
    backend: Backend,
) -> Result<EverySizeChecked, Rejected> {
    let Some(property) = claims.get(claim) else {
        return reject("it proves no claim");
    };
    let protocol = Protocol::of(open).map_err(Rejected)?;
    let candidates = candidates(&protocol, claims);
    let times = Times::of(&open.base)?;
    if times.gap != protocol.durations.gap {
        return reject("other gaps than declared");
    }
    let rule = Rule {
        protocol: &protocol,
        facts: Vec::new(),
        filled: false,
    };
    let mut checking = Checking {
        rule,
        times,
        backend,
        checked: EverySizeChecked::default(),
    };
    checking.all(&candidates, property, proof)?;
    Ok(checking.checked)
}

struct Checking<'m> {
    rule: Rule<'m>,
    times: Times,
    backend: Backend,
    checked: EverySizeChecked,
}

impl Checking<'_> {
    fn all(
        &mut self,
        candidates: &[Part],
        property: &Property,
        proof: &EverySizeProof,
    ) -> Result<(), Rejected> {
        let unfilled = self.rule.unfilled().map_err(refused)?;
        match (proof.filled, unfilled) {
            (false, _) => {}
            (true, None) => return reject("inboxes that may begin without a message"),
            (true, Some(queries)) => self.refute_all(queries)?,
        }
        self.rule.filled = proof.filled;
        let one_step = Setting { looks: 1, spare: 5 };
        let mut errors = self.rule.error(candidates, one_step).map_err(refused)?;
        errors.push(self.rule.bad_start().map_err(refused)?);
        self.refute_all(errors)?;
        self.invariants(candidates, proof)?;
        for step in &proof.steps {
            let Some(part) = candidates.get(step.part as usize) else {
                return reject("a part that no claim has");
            };
            self.right_from(part, &step.from, &step.by)?;
            self.rule.facts.retain(|fact| fact.part != *part);
            self.rule.facts.push(Fact {
                part: part.clone(),
                right: Right::From(step.from.clone()),
            });
        }
        let parts = parts(self.rule.protocol, property).map_err(Rejected)?;
        if parts.len() != proof.counts.len() {
            return reject("the claim has another number of parts");
        }
        for (part, by) in parts.iter().zip(&proof.counts) {
            self.counted(part, by)?;
        }
        Ok(())
    }

    /// All invariants are assumed, and each is right at the start and preserved.
    fn invariants(&mut self, candidates: &[Part], proof: &EverySizeProof) -> Result<(), Rejected> {
        let mut invariants: Vec<(Part, EverySizeNames)> = Vec::new();
        for invariant in &proof.invariants {
            let Some(part) = candidates.get(invariant.part as usize) else {
                return reject("a part that no claim has");
            };
            if invariants.iter().any(|(other, _)| other == part) {
                return reject("an invariant twice");
            }
            invariants.push((part.clone(), invariant.by));
        }
        let fact = |(part, _): &(Part, EverySizeNames)| Fact {
            part: part.clone(),
            right: Right::Always,
        };
        self.rule.facts = invariants.iter().map(fact).collect();
        for (part, by) in &invariants {
            let setting = setting(by)?;
            let mut queries = vec![self.rule.begins_broken(part, setting).map_err(refused)?];
            for case in self.rule.cases(Start::Anywhere) {
                queries.push(
                    self.rule
                        .made_broken(part, &case, setting)
                        .map_err(refused)?,
                );
            }
            self.refute_named(queries, by)?;
        }
        Ok(())
    }

    fn right_from(
        &mut self,
        part: &Part,
        from: &Rational,
        by: &EverySizeNames,
    ) -> Result<(), Rejected> {
        if from.is_negative() {
            return reject("a time before the cut");
        }
        let most = self.times.most(from)?;
        let setting = setting(by)?;
        let mut queries = Vec::new();
        for case in self.rule.cases(Start::Anywhere) {
            for n in 0..=most {
                let query = self.rule.broken(part, &case, n, setting);
                let mut query = query.map_err(refused)?;
                query.later_than(from);
                queries.push(query);
            }
        }
        self.refute_named(queries, by)
    }

    fn counted(&mut self, part: &Part, by: &EverySizeNames) -> Result<(), Rejected> {
        let without = part.without_counts(self.rule.protocol);
        let mut facts = self.rule.facts.iter();
        let Some(fact) = facts.find(|fact| fact.part.is_same(&without)) else {
            return reject("a part that is right from no time on");
        };
        let enough = match &fact.right {
            Right::Always => 0,
            Right::From(time) => self.times.enough(time)?,
        };
        let setting = setting(by)?;
        let mut queries = vec![self.rule.broken_off(part, setting).map_err(refused)?];
        for case in self.rule.cases(Start::Initial) {
            for n in 0..enough {
                queries.push(
                    self.rule
                        .counted(part, &case, n, setting)
                        .map_err(refused)?,
                );
            }
        }
        self.refute_named(queries, by)
    }

    /// Refutes queries that together use as many names as stated.
    fn refute_named(&mut self, queries: Vec<Query>, by: &EverySizeNames) -> Result<(), Rejected> {
        let used = queries.iter().map(|query| query.names).max().unwrap_or(0);
        if used != by.used as usize {
            return reject("another number of names than used");
        }
        self.checked.names = self.checked.names.max(by.used);
        self.refute_all(queries)
    }

    fn refute_all(&mut self, queries: Vec<Query>) -> Result<(), Rejected> {
        queries.iter().try_for_each(|query| self.refute(query))
    }

    fn refute(&mut self, query: &Query) -> Result<(), Rejected> {
        self.times.check(&query.moments)?;
        self.checked.queries += 1;
        if query.goal == Lit::FALSE {
            return Ok(());
        }
        let (mut clauses, mut tseitin) = (Clauses::new(), Tseitin::new());
        for lit in query.conditions.iter().chain([&query.goal]) {
            let literal = tseitin.literal(&query.aig, *lit, &mut clauses);
            clauses.clause(&[literal]);
        }
        let open = &query.moments.open;
        for after in open {
            for before in open.iter().filter(|before| before.lit != after.lit) {
                if self.times.exclude(after, before) {
                    let after = tseitin.literal(&query.aig, after.lit, &mut clauses);
                    let before = tseitin.literal(&query.aig, before.lit, &mut clauses);
                    clauses.clause(&[-after, before]);
                }
            }
        }
        let proof = match (self.backend.prove)(&clauses, &mut || false) {
            Decision::Refuted(proof) => proof,
            _ => return reject("what it says can be broken later, or by a larger network"),
        };
        check(&clauses, &proof).map_err(|mistake| Rejected(format!("no refutation: {mistake}")))?;
        self.checked.steps += proof.len();
        Ok(())
    }
}

fn setting(by: &EverySizeNames) -> Result<Setting, Rejected> {
    match by.looks <= MOST_NAMES && by.spare <= MOST_NAMES {
        true => Ok(Setting {
            looks: by.looks,
            spare: by.spare,
        }),
        false => reject("more names than are looked at"),
    }
}

fn refused(why: bits::Unsupported) -> Rejected {
    Rejected(format!("the rule does not speak of {}", why.0))
}

/// The declared times, read and added up independently of the rule.
struct Times {
    gap: (Rational, Rational),
    first: (Rational, Rational),
    delay: Rational,
}

impl Times {
    fn of(machine: &Machine) -> Result<Times, Rejected> {
        let timings = machine
            .blocks
            .iter()
            .filter_map(|block| match &block.trigger {
                machine::Trigger::Every(Timing::Periodic(periodic)) => Some(periodic),
                _ => None,
            });
        let timings: Vec<_> = timings.collect();
        let [periodic] = timings[..] else {
            return reject("not one periodic block");
        };
        let jitter = match &periodic.jitter {
            Jitter::None => Rational::ZERO,
            Jitter::PerGap(by) => by.clone(),
            Jitter::OnGrid(by) => by + by,
        };
        let gap = (&periodic.gap.0 - &jitter, &periodic.gap.1 + &jitter);
        let end = |first: &First, period: &Rational| match first {
            First::At(time) => time.clone(),
            First::Period => period.clone(),
        };
        let early = if periodic.fixed {
            &periodic.gap.0
        } else {
            &periodic.gap.1
        };
        let first = (
            end(&periodic.first.0, early),
            end(&periodic.first.1, &periodic.gap.1),
        );
        let delay = match (&machine.channel, &machine.delay) {
            (Channel::Instant, _) => Rational::ZERO,
            (_, Delay::Within(_, most)) => most.clone(),
            _ => return reject("messages that may take any time"),
        };
        if !gap.0.is_positive() {
            return reject("activations without a gap between them");
        }
        Ok(Times { gap, first, delay })
    }

    fn latest_first(&self) -> &Rational {
        if self.first.1 > self.gap.1 {
            &self.first.1
        } else {
            &self.gap.1
        }
    }

    /// The earliest and the latest n-th activation, gap by gap.
    fn nth(&self, start: Start, n: u32) -> (Rational, Rational) {
        let (mut early, mut late) = match start {
            Start::Initial => self.first.clone(),
            Start::Anywhere => (Rational::ZERO, self.latest_first().clone()),
        };
        for _ in 1..n {
            early = &early + &self.gap.0;
            late = &late + &self.gap.1;
        }
        (early, late)
    }

    /// The largest n with (n - 1) shortest gaps within a time.
    fn most(&self, time: &Rational) -> Result<u32, Rejected> {
        let mut sum = self.gap.0.clone();
        let mut n = 1;
        while sum <= *time {
            sum = &sum + &self.gap.0;
            n += 1;
            if n > MOST_ACTIVATIONS {
                return reject("more activations than are looked at");
            }
        }
        Ok(n)
    }

    /// The least n from 1 whose activation is later than a time in every run.
    fn enough(&self, time: &Rational) -> Result<u32, Rejected> {
        let mut n = 1;
        while self.nth(Start::Initial, n).0 <= *time {
            n += 1;
            if n > MOST_ACTIVATIONS {
                return reject("more activations than are looked at");
            }
        }
        Ok(n)
    }

    /// Whether one activation cannot be later than its bound if another is not later than its own.
    fn exclude(&self, after: &Threshold, before: &Threshold) -> bool {
        let mut bound = after.bound.clone();
        if after.activation <= before.activation {
            for _ in after.activation..before.activation {
                bound = &bound + &self.gap.0;
            }
        } else {
            for _ in before.activation..after.activation {
                bound = &bound - &self.gap.1;
            }
        }
        bound >= before.bound
    }

    /// Checks what a query takes as decided about times.
    fn check(&self, moments: &Moments) -> Result<(), Rejected> {
        for threshold in &moments.decided {
            let (early, late) = self.nth(moments.start, threshold.activation);
            let fine = match threshold.lit {
                Lit::TRUE => early > threshold.bound,
                Lit::FALSE => late <= threshold.bound,
                _ => false,
            };
            if !fine {
                return reject("a time that is not what it says");
            }
        }
        for gaps in &moments.certain {
            let mut sum = Rational::ZERO;
            for _ in 0..*gaps {
                sum = &sum + &self.gap.0;
            }
            if sum <= self.latest_first() + &self.delay {
                return reject("a message that may not arrive in time");
            }
        }
        Ok(())
    }
}
