//! Checks a proof for every number of nodes: every query of the rule of `one_node` is built again and refuted.
//!
//! The declared times are added up here independently (`declared.rs`): the comparisons that the queries take as
//! decided, the clauses about pairs of times, the numbers of activations that have to be considered, and the gaps
//! within which a message certainly arrives. Every refutation is checked step by step.
//!
//! A proof that states less than the rule can prove is rejected. The time from which on a part is right must be the
//! least one; the stated numbers of names and looks must be needed; and the proof must state that inboxes are always
//! filled if and only if this can be proved. So the audit determines every number of a proof itself.

use crate::evidence::declared::Times;
use crate::rejected::{Rejected, reject};
use machine::{Block, LocalId, OpenLimit, OpenMachine, Property, Timing, Trigger};
use one_node::{Fact, Part, Protocol, Query, Right, Rule, Setting, Start, candidates, parts};
use rational::Rational;
use sat::{Backend, Clauses, Decision, Lit, Sink, Tseitin, check};
use verdict::{
    EverySizeArgument, EverySizeNames, EverySizeProof, LeftOut, NamedNode, NamedPart, RightPart,
};

/// Statistics of a checked proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EverySizeChecked {
    /// The number of refuted queries.
    pub queries: usize,
    /// The number of steps of all refutations.
    pub steps: usize,
    /// The largest number of nodes with names in a query.
    pub names: u32,
    /// What was checked.
    pub argument: EverySizeArgument,
}

/// The largest number of names and looks that is accepted.
const MOST_NAMES: u32 = 16;

/// Checks that a proof establishes a claim of an open Machine for every number of nodes. `claims` are the claims whose
/// parts the proof may use; `claim` is the index of the claim that it proves.
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
    let protocol = Protocol::of(open).map_err(refused)?;
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
    checking.checked.argument.size = (open.size.name.clone(), open.size.least);
    checking.checked.argument.gap = checking.times.gap.clone();
    checking.all(&candidates, property, proof)?;
    Ok(checking.checked)
}

/// A function that builds the queries about a part for a setting.
type Queries<'q> = dyn Fn(&Rule<'_>, Setting) -> Result<Vec<Query>, bits::Unsupported> + 'q;

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
        let filled = match unfilled {
            None => false,
            Some(queries) => self.are_refuted(queries)?,
        };
        match (proof.filled, filled) {
            (true, false) => return reject("inboxes that may be without a message at a read"),
            (false, true) => {
                return reject("inboxes that have a message of everybody at each read");
            }
            _ => self.rule.filled = filled,
        }
        self.checked.argument.filled = filled;
        let one_step = Setting { looks: 1, spare: 5 };
        let mut errors = self.rule.error(candidates, one_step).map_err(refused)?;
        errors.push(self.rule.bad_start().map_err(refused)?);
        self.refute_all(errors)?;
        self.invariants(candidates, proof)?;
        let mut steps: Vec<(u32, RightPart)> = Vec::new();
        for step in &proof.steps {
            let Some(part) = candidates.get(step.part as usize) else {
                return reject("a part that no claim has");
            };
            self.right_from(part, &step.from, &step.by)?;
            // A later step for the same part replaces an earlier one.
            steps.retain(|(number, _)| *number != step.part);
            let from = Some(step.from.clone());
            let part_of = named(part, &step.by);
            steps.push((
                step.part,
                RightPart {
                    part: part_of,
                    from,
                },
            ));
            self.rule.facts.retain(|fact| fact.part != *part);
            self.rule.facts.push(Fact {
                part: part.clone(),
                right: Right::From(step.from.clone()),
            });
        }
        let steps = steps.into_iter().map(|(_, right)| right);
        self.checked.argument.right.extend(steps);
        let parts = parts(self.rule.protocol, property).map_err(refused)?;
        if parts.len() != proof.counts.len() {
            return reject("the claim has another number of parts");
        }
        for (part, by) in parts.iter().zip(&proof.counts) {
            self.counted(part, by)?;
        }
        self.checked.argument.left_out = left_out(self.rule.protocol, proof);
        Ok(())
    }

    /// Checks that each invariant is right at the start and preserved by every step, where all invariants are assumed.
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
            self.checked.argument.right.push(RightPart {
                part: named(part, by),
                from: None,
            });
            self.refute_named(part, by, &|rule, setting| {
                let mut queries = vec![rule.begins_broken(part, setting)?];
                for case in rule.cases(Start::Anywhere) {
                    queries.push(rule.made_broken(part, &case, setting)?);
                }
                Ok(queries)
            })?;
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
        let broken = |rule: &Rule<'_>, setting, later: &Rational| {
            let mut queries = Vec::new();
            for case in rule.cases(Start::Anywhere) {
                for n in 0..=most {
                    let mut query = rule.broken(part, &case, n, setting)?;
                    query.later_than(later);
                    queries.push(query);
                }
            }
            Ok(queries)
        };
        self.refute_named(part, by, &|rule, setting| broken(rule, setting, from))?;
        if from.is_zero() {
            return Ok(());
        }
        // All times are multiples of the grain. So if the part cannot be violated later than half a grain before
        // `from`, it cannot be violated at `from` either, and `from` is later than needed.
        let facts = self.rule.facts.iter();
        let others = facts.filter_map(|fact| match &fact.right {
            Right::From(time) => Some(time),
            Right::Always => None,
        });
        let Some(grain) = self.times.grain(others.chain([from])) else {
            return reject("no time passes");
        };
        let before = from - &(grain / Rational::from(2u32));
        let mut queries = broken(&self.rule, setting(part, by)?, &before).map_err(refused)?;
        queries.reverse();
        match self.are_refuted(queries)? {
            true => reject("a later time than needed"),
            false => Ok(()),
        }
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
        let claimed = (named(part, by), enough);
        self.checked.argument.claimed.push(claimed);
        self.refute_named(part, by, &|rule, setting| {
            let mut queries = vec![rule.broken_off(part, setting)?];
            for case in rule.cases(Start::Initial) {
                for n in 0..enough {
                    queries.push(rule.counted(part, &case, n, setting)?);
                }
            }
            Ok(queries)
        })
    }

    /// Refutes the queries about a part. Checks that the queries use the stated number of names, and that they are not
    /// refuted with one name or one look fewer.
    fn refute_named(
        &mut self,
        part: &Part,
        by: &EverySizeNames,
        queries: &Queries<'_>,
    ) -> Result<(), Rejected> {
        let stated = queries(&self.rule, setting(part, by)?).map_err(refused)?;
        let used = stated.iter().map(|query| query.names).max().unwrap_or(0);
        if used != by.names as usize {
            return reject("another number of names than used");
        }
        self.refute_all(stated)?;
        self.checked.names = self.checked.names.max(by.names);
        let fewer_names = by.names.checked_sub(1);
        let fewer_looks = by.looks.checked_sub(1);
        let fewer = [
            fewer_names.map(|names| EverySizeNames { names, ..*by }),
            fewer_looks.map(|looks| EverySizeNames { looks, ..*by }),
        ];
        for by in fewer.into_iter().flatten() {
            if by.names < part.given() {
                continue;
            }
            // Queries that cannot be built with fewer names are not refuted with fewer names.
            let Ok(queries) = queries(&self.rule, setting(part, &by)?) else {
                continue;
            };
            if self.are_refuted(queries)? {
                return reject("more names or looks than needed");
            }
        }
        Ok(())
    }

    /// Whether all queries are refuted. The statistics do not count these queries.
    fn are_refuted(&mut self, queries: Vec<Query>) -> Result<bool, Rejected> {
        for query in queries {
            if !self.is_refuted(&query)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn refute_all(&mut self, queries: Vec<Query>) -> Result<(), Rejected> {
        queries.iter().try_for_each(|query| self.refute(query))
    }

    fn refute(&mut self, query: &Query) -> Result<(), Rejected> {
        self.checked.queries += 1;
        match self.is_refuted(query)? {
            true => Ok(()),
            false => reject("what it says can be broken later, or by a larger network"),
        }
    }

    /// Whether a query is refuted. An existing refutation is checked.
    fn is_refuted(&mut self, query: &Query) -> Result<bool, Rejected> {
        self.times.check(&query.moments)?;
        if query.goal == Lit::FALSE {
            return Ok(true);
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
            _ => return Ok(false),
        };
        check(&clauses, &proof).map_err(|mistake| Rejected(format!("no refutation: {mistake}")))?;
        self.checked.steps += proof.len();
        Ok(true)
    }
}

/// The description of a part and of its named nodes, for presentation.
fn named(part: &Part, by: &EverySizeNames) -> NamedPart {
    let node = |local: &LocalId| {
        let defined = part.definitions.iter().any(|(name, _)| name == local);
        let place = part.places.iter().find(|(name, _)| name == local);
        match defined {
            _ if part.is_element(*local) => NamedNode::Element,
            true => NamedNode::Defined(place.map(|(_, origin)| *origin)),
            false => NamedNode::Any(part.scope.locals[local.index()].name.clone()),
        }
    };
    let others = part.nodes.iter().filter(|local| **local != part.subject);
    let definitions = part.definitions.iter().map(|(local, _)| local);
    let definitions = definitions.filter(|local| **local != part.subject);
    let all = [&part.subject].into_iter().chain(others).chain(definitions);
    NamedPart {
        of: part.name.clone(),
        place: part.origin,
        half: part.half,
        nodes: all.map(node).collect(),
        looks: by.looks,
        names: by.names,
    }
}

/// The facts about the Machine that the queries do not use.
fn left_out(protocol: &Protocol<'_>, proof: &EverySizeProof) -> Vec<LeftOut> {
    let base = &protocol.open.base;
    let depends = |limit: &OpenLimit| matches!(limit, OpenLimit::AllBut(_));
    let fixed = |block: &Block| match &block.trigger {
        Trigger::Every(Timing::Periodic(periodic)) => {
            periodic.fixed && periodic.gap.0 != periodic.gap.1
        }
        _ => false,
    };
    let all = [
        (LeftOut::Restrictions, !base.initially.is_empty()),
        (LeftOut::FixedPeriods, base.blocks.iter().any(fixed)),
        (
            LeftOut::LimitsOfFaults,
            protocol.open.limits.iter().any(depends),
        ),
        (LeftOut::EarlierReads, !proof.steps.is_empty()),
    ];
    let used = all.into_iter().filter(|(_, left)| *left);
    used.map(|(what, _)| what).collect()
}

fn setting(part: &Part, by: &EverySizeNames) -> Result<Setting, Rejected> {
    let spare = by.names.checked_sub(part.given());
    match spare.filter(|_| by.looks <= MOST_NAMES && by.names <= MOST_NAMES) {
        Some(spare) => Ok(Setting {
            looks: by.looks,
            spare,
        }),
        None => reject("fewer names than the part speaks of, or more than are looked at"),
    }
}

fn refused(why: bits::Unsupported) -> Rejected {
    Rejected(format!("the rule does not speak of {}", why.what))
}
