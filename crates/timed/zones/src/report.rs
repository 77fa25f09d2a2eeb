//! The answers of a search of the zone graphs of all instances.

use crate::clocks::Clocks;
use crate::conditions::Condition;
use crate::graph::Unable;
use crate::scope::{no_zones, refused, refused_property};
use crate::search::{Search, Sought, Stop, with_periods};
use machine::{BinaryOp, Expr, Machine, Property, PropertyKind, State, may_loop_in_zero_time};
use std::collections::BTreeSet;
use verdict::{
    Answer, Budget, Cause, Defect, Depth, Established, Goal, Premise, PropertyResult, Question,
    Reason, Refusal, Report, Run, Searched, TimeAbstraction,
};

/// The name of the method in reports.
const METHOD: &str = "zones";

/// Answers a question by a search of the zone graph. The runs have been confirmed by the audit.
pub fn answer(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    let machine = question.machine;
    if let Some(why) = refused(machine) {
        return Ok(Report::unanswered(machine, why));
    }
    let Ok(clocks) = Clocks::new(machine) else {
        return Ok(Report::unanswered(machine, Reason::TimesTooFarApart));
    };
    let Ok(plan) = Plan::new(machine, &clocks) else {
        return Ok(Report::unanswered(machine, Reason::TimesTooFarApart));
    };
    let (of_property, premises) = (plan.of_property.clone(), plan.premises.clone());
    let mut search = Search::new(&clocks, budget, plan);
    let mut stop = None;
    for choice in machine.frozen_choices() {
        let choice = with_periods(&clocks, choice);
        if let Err(why) = search.instance(&choice) {
            stop = Some(why);
            break;
        }
    }
    if stop.is_none() && search.counts.initial == 0 {
        return Err(Refusal::NoInitialState);
    }
    let open = match stop {
        None => {
            search.findings.complete = true;
            None
        }
        Some(Stop::Refused(refusal)) => return Err(refusal),
        Some(Stop::Decided) => None,
        Some(Stop::Spent(spent)) => Some(Open::Spent(spent)),
        Some(Stop::Unable(Unable::TooFar)) => Some(Open::Why(Reason::TimesTooFarApart)),
        Some(Stop::Unable(Unable::Refused(why))) => Some(Open::Why(why)),
    };
    Ok(Reporter {
        question,
        search,
        open,
        of_property,
        premises,
    }
    .report())
}

/// The reachable states of a Machine without their times, over all instances, and whether an error is reachable. `None`
/// if the Machine is refused or the budget ends the search. Tests compare these states with those of other methods.
pub fn reachable(machine: &Machine, budget: &dyn Budget) -> Option<(BTreeSet<State>, bool)> {
    if refused(machine).is_some() {
        return None;
    }
    let clocks = Clocks::new(machine).ok()?;
    let mut search = Search::new(&clocks, budget, Plan::new(machine, &clocks).ok()?);
    search.ending.clear();
    search.reached = Some(BTreeSet::new());
    for choice in machine.frozen_choices() {
        search.instance(&with_periods(&clocks, choice)).ok()?;
    }
    let error = search.findings.error.is_some() || search.no_times;
    Some((search.reached?, error))
}

/// The conditions that the search looks for, and the properties to which they belong.
pub(crate) struct Plan {
    pub(crate) sought: Vec<Sought>,
    /// The conditions of properties, without those of premises.
    pub(crate) ending: Vec<usize>,
    /// By property: the index of its condition, or the reason why the property is refused.
    of_property: Vec<Result<usize, Reason>>,
    /// By property: the index of the condition of its premise.
    premises: Vec<Option<usize>>,
}

impl Plan {
    fn new(machine: &Machine, clocks: &Clocks<'_>) -> Result<Plan, crate::clocks::TooFar> {
        let mut plan = Plan {
            sought: Vec::new(),
            ending: Vec::new(),
            of_property: Vec::new(),
            premises: Vec::new(),
        };
        for property in &machine.properties {
            let found = match refused_property(property) {
                Some(why) => Err(why),
                None => Ok(plan.add(wanted(property), clocks)?),
            };
            plan.ending.extend(found.as_ref().ok());
            let premise = match premise(machine, property) {
                Some(premise) if found.is_ok() => Some(plan.add((premise, true), clocks)?),
                _ => None,
            };
            plan.of_property.push(found);
            plan.premises.push(premise);
        }
        Ok(plan)
    }

    fn add(
        &mut self,
        (expr, wanted): (Expr, bool),
        clocks: &Clocks<'_>,
    ) -> Result<usize, crate::clocks::TooFar> {
        self.sought.push(Sought {
            condition: Condition::new(expr, wanted, clocks)?,
            run: None,
            error: None,
            no_times: false,
        });
        Ok(self.sought.len() - 1)
    }
}

/// The condition on single states that decides a property, with the value that decides it.
fn wanted(property: &Property) -> (Expr, bool) {
    match &property.kind {
        PropertyKind::Possible(condition) => (condition.clone(), true),
        PropertyKind::Claim(claim) => {
            let condition = claim.invariant().unwrap_or_else(|| Expr::bool(true));
            (condition, false)
        }
    }
}

/// The premise of a claim; for a claim about responses, that one of them is ever owed.
fn premise(machine: &Machine, property: &Property) -> Option<Expr> {
    let PropertyKind::Claim(claim) = &property.kind else {
        return None;
    };
    if let Some(premise) = claim.premise() {
        return Some(premise);
    }
    let responses = claim.invariant()?.required_responses()?;
    let triggers = responses
        .iter()
        .map(|r| machine.responses[r.index()].from.clone());
    triggers.reduce(|a, b| a.binary(BinaryOp::Or, b))
}

/// Why properties that are not decided are open.
enum Open {
    Spent(verdict::Spent),
    Why(Reason),
}

struct Reporter<'q, 'a> {
    question: &'q Question<'q>,
    search: Search<'a>,
    open: Option<Open>,
    of_property: Vec<Result<usize, Reason>>,
    premises: Vec<Option<usize>>,
}

impl Reporter<'_, '_> {
    fn report(mut self) -> Report {
        let machine = self.question.machine;
        let number = 0..machine.properties.len();
        let results = number.map(|number| self.result(number)).collect();
        if let Some(run) = &self.search.findings.error
            && audit::replay(machine, run).is_err()
        {
            self.search.findings.error = None;
        }
        Report {
            method: METHOD,
            abstraction: Some(TimeAbstraction::Zones),
            results,
            counts: self.search.counts,
            findings: self.search.findings,
        }
    }

    fn result(&self, number: usize) -> PropertyResult {
        let property = &self.question.machine.properties[number];
        let premise = self.premises[number].map(|place| {
            let sought = &self.search.sought[place];
            match (&sought.run, self.search.findings.complete) {
                (Some(_), _) => Premise::Met,
                (None, true) if !sought.no_times => Premise::Never,
                _ => Premise::Open,
            }
        });
        let answer = self.answer(number, property);
        let answer = match audit::confirm(self.question, number, &answer) {
            Ok(_) => answer,
            Err(rejected) => {
                Answer::Unknown(Reason::Defect(Defect::Rejected(rejected.to_string())))
            }
        };
        PropertyResult {
            premise: premise.or_else(|| Premise::of(property)),
            ..answer.into()
        }
    }

    fn answer(&self, number: usize, property: &Property) -> Answer {
        let place = match &self.of_property[number] {
            Ok(place) => *place,
            Err(why) => return Answer::Unknown(why.clone()),
        };
        let sought = &self.search.sought[place];
        let goal = Goal::of(&property.kind);
        let found = |run: &Run| match goal {
            Goal::Reach => Answer::Possible(Box::new(run.clone())),
            Goal::Break => Answer::Fails(Box::new(run.clone())),
        };
        if let Some(run) = &sought.run {
            return found(run);
        }
        if sought.no_times || self.search.no_times {
            return Answer::Unknown(Reason::Defect(Defect::Rejected("no times".into())));
        }
        match &self.open {
            Some(Open::Spent(spent)) => return Answer::Unknown(self.ended(spent, goal)),
            Some(Open::Why(why)) => return Answer::Unknown(why.clone()),
            None => {}
        }
        if let Some(run) = sought
            .error
            .as_ref()
            .or(self.search.findings.error.as_ref())
        {
            return Answer::Error(run.clone());
        }
        if may_loop_in_zero_time(self.question.machine) {
            return Answer::Unknown(no_zones(
                "code that can cause itself again at the same moment",
            ));
        }
        match goal {
            Goal::Reach => Answer::Impossible,
            Goal::Break => Answer::Holds,
        }
    }

    /// The reason that a limit ended the search.
    fn ended(&self, spent: &verdict::Spent, goal: Goal) -> Reason {
        let counts = &self.search.counts;
        Reason::Ended {
            cause: Cause::LimitAfter {
                spent: spent.clone(),
                states: counts.states,
                depth: Some(counts.depth),
            },
            established: Established::Searched(Searched {
                goal,
                instances: counts.instances.saturating_sub(1),
                of: None,
                several: counts.instances > 1,
                // A covered state is not expanded at its own depth, so the depth is not known.
                depth: Depth::Unknown,
                hash_bits: None,
            }),
        }
    }
}
