//! Integer time: questions about real times, asked where times are multiples of a unit.
//!
//! Where the grid misses nothing (`grid`) what the engine says there is final. Where nodes have one period each for
//! the whole run, which may be any time of an interval, a claim is proved for gaps that may change within the interval:
//! there are at least as many runs then. And runs that break it are looked for with periods that are multiples of the
//! unit, then of its half, third and fourth: what is found is a run, which is replayed with its times; that nothing is
//! found says nothing. Each property is asked by itself, with the grid that it needs.

use crate::coarsen::coarser;
use crate::concretise::clocked;
use crate::plan::Plan;
use crate::plan::constants;
use crate::plan::finer;
use crate::plan::goes_round_in_no_time;
use crate::plan::plan;
use crate::plan::relaxed;
use crate::timelock::stuck;
use machine::{
    Abstraction, BinaryOp, Delay, Digitisation, Expr, Formula, Machine, Property, PropertyKind,
    Response, ResponseId, Scope, UnaryOp,
};
use rational::Rational;
use verdict::{
    Answer, Budget, Engine, Latest, Premise, Progress, Question, Refusal, Report, Run,
    StateLimited, both_open,
};

/// Units are divided by so much to find runs with periods that are no multiples of it.
const MOST_PARTS: u32 = 4;

/// States that are visited with wider intervals of times: what needs more is asked as it is.
const MOST_STATES_COARSELY: u64 = 200_000;

/// More units than this are not counted.
const MOST_UNITS: i64 = 1 << 24;

/// How people write a time.
pub type Say<'a> = &'a dyn Fn(&Rational) -> String;

/// Whether a Machine's questions need integer time: not only activations have times.
pub fn is_needed(machine: &Machine) -> bool {
    machine.has_time()
        && (matches!(machine.delay, Delay::Within(..))
            || !machine.timers.is_empty()
            || !machine.responses.is_empty()
            || !machine.runtime_faults.is_empty()
            || machine.properties_contain(|e| matches!(e, Expr::Now(..))))
}

/// Answers a question about a Machine with real times by an engine that lets time pass one unit after the other.
pub fn answer(
    question: &Question<'_>,
    say: Say<'_>,
    engine: Engine<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let units = Units {
        whole: question.machine,
        fair: question.fair,
        say,
        engine,
        budget,
    };
    let machine = question.machine;
    let mut all: Option<Report> = None;
    for property in &machine.properties {
        let report = units.conjunction(machine, property)?;
        all = Some(match all {
            None => report,
            Some(mut before) => {
                if before.abstraction != report.abstraction {
                    let both = [before.abstraction.take(), report.abstraction.clone()];
                    let both: Vec<String> = both.into_iter().flatten().collect();
                    before.abstraction = Some(both.join("; "));
                }
                before.beside(report)
            }
        });
    }
    match all {
        Some(report) => Ok(report),
        None => units.one(machine),
    }
}

/// The Machine with one of its properties, and what must follow in time only as far as that asks for it.
pub fn alone(machine: &Machine, property: &Property) -> Machine {
    let mut used: Vec<ResponseId> = Vec::new();
    let kind = with_numbers(&property.kind, &mut |response| {
        let place = used.iter().position(|r| *r == response);
        place.unwrap_or_else(|| {
            used.push(response);
            used.len() - 1
        })
    });
    let responses = used.iter().map(|r| machine.responses[r.index()].clone());
    let mut alone = Machine {
        properties: vec![Property {
            kind,
            ..property.clone()
        }],
        responses: responses.collect(),
        ..machine.clone()
    };
    if machine.has_time() && !alone.has_time() {
        // Only the other properties are about time. It is there all the same: something that is never asked for.
        alone.responses.push(Response {
            scope: Scope::default(),
            from: Expr::bool(false),
            to: Expr::bool(true),
            within: Rational::default(),
        });
    }
    alone
}

/// The same Machine where what must follow in time has numbers from this one on.
pub fn renumbered(machine: &Machine, first: usize) -> Machine {
    let properties = machine.properties.iter().map(|property| Property {
        kind: with_numbers(&property.kind, &mut |response| first + response.index()),
        ..property.clone()
    });
    Machine {
        properties: properties.collect(),
        ..machine.clone()
    }
}

/// The same question with other numbers for what must follow in time.
fn with_numbers(kind: &PropertyKind, number: &mut dyn FnMut(ResponseId) -> usize) -> PropertyKind {
    let mut change = |e: &Expr| match e {
        Expr::Overdue(response) => Some(Expr::Overdue(ResponseId(number(*response) as u32))),
        _ => None,
    };
    match kind {
        PropertyKind::Claim(claim) => {
            PropertyKind::Claim(claim.with_exprs(&mut |e| e.rebuild(&mut change)))
        }
        PropertyKind::Possible(condition) => PropertyKind::Possible(condition.rebuild(&mut change)),
    }
}

/// Who asks.
struct Units<'a> {
    /// With all its properties: its runs are wanted.
    whole: &'a Machine,
    fair: bool,
    say: Say<'a>,
    engine: Engine<'a>,
    budget: &'a dyn Budget,
}

/// The parts of a claim that are joined by `and`, each a question of its own; one if the claim is about states.
fn parts(property: &Property) -> Vec<Property> {
    fn split<'f>(claim: &'f Formula, parts: &mut Vec<&'f Formula>) {
        match claim.bare() {
            Formula::And(a, b) => {
                split(a, parts);
                split(b, parts);
            }
            _ => parts.push(claim),
        }
    }
    let mut found = Vec::new();
    match &property.kind {
        PropertyKind::Claim(claim) if claim.invariant().is_none() => split(claim, &mut found),
        _ => return vec![property.clone()],
    }
    let part = |claim: &Formula| Property {
        kind: PropertyKind::Claim(claim.clone()),
        ..property.clone()
    };
    found.into_iter().map(part).collect()
}

impl Units<'_> {
    /// Answers a property of a Machine, part by part.
    fn conjunction(&self, machine: &Machine, property: &Property) -> Result<Report, Refusal> {
        let parts = parts(property);
        let mut all: Option<Report> = None;
        for part in &parts {
            let report = self.one(&alone(machine, part))?;
            let Some(mut before) = all.take() else {
                all = Some(report);
                continue;
            };
            let answer = match (before.answers.remove(0), report.answers[0].clone()) {
                (fails @ Answer::Fails(_), _) | (_, fails @ Answer::Fails(_)) => fails,
                (a @ Answer::Unknown(_), b @ Answer::Unknown(_)) => {
                    both_open((a, b), (before.findings.omission, report.findings.omission))
                }
                // An error is the answer only if no part can fail.
                (unknown @ Answer::Unknown(_), _) | (_, unknown @ Answer::Unknown(_)) => unknown,
                (Answer::Holds, after) => after,
                (before, _) => before,
            };
            let mut both = before.beside(report);
            both.answers = vec![answer];
            both.findings.premises = vec![None];
            both.findings.latest = vec![None];
            all = Some(both);
        }
        Ok(all.expect("at least one part"))
    }

    /// Answers the only property of a Machine.
    fn one(&self, exact: &Machine) -> Result<Report, Refusal> {
        let Some(plan) = plan(exact) else {
            let why = "the times in it are too far apart to count from the shortest to the longest";
            return Ok(Report::unanswered(exact, why));
        };
        let mut report = match &plan.exact {
            Ok(()) => match self.coarsely(exact, &plan)? {
                Some(report) => report,
                None => {
                    let mut report = self.ask(exact, &plan.grid)?;
                    report.abstraction = Some(self.describe(&plan.grid));
                    report
                }
            },
            Err(why) => self.approximately(exact, &plan, why)?,
        };
        if matches!(report.answers[..], [Answer::Holds])
            && matches!(report.findings.premises[..], [None])
        {
            report.findings.premises = vec![self.asked_for(exact, &plan)?];
        }
        Ok(report)
    }

    /// Answers by a Machine with wider intervals of times, if that is enough (`coarse`).
    fn coarsely(&self, exact: &Machine, plan: &Plan) -> Result<Option<Report>, Refusal> {
        for wider in coarser(exact) {
            let Some(on) = crate::plan::plan(&wider).filter(|on| on.exact.is_ok()) else {
                continue;
            };
            let patient = StateLimited::attempt(self.budget, MOST_STATES_COARSELY);
            let mut report = self.ask_within(&wider, &on.grid, &patient)?;
            let proved = matches!(report.answers[..], [Answer::Holds | Answer::Impossible]);
            let same =
                (&wider.properties, &wider.responses) == (&exact.properties, &exact.responses);
            let real = match &report.answers[..] {
                [Answer::Fails(run) | Answer::Possible(run)] if same => {
                    audit::replay(self.whole, run).is_ok()
                }
                _ => false,
            };
            if !proved && !real {
                continue;
            }
            report.abstraction = Some(format!(
                "{}, with intervals that end there",
                self.describe(&on.grid)
            ));
            report.findings.deadlock = None;
            report.findings.error = None;
            report.findings.latest = vec![None];
            if proved {
                self.meet_premise(exact, plan, &mut report)?;
            }
            return Ok(Some(report));
        }
        Ok(None)
    }

    /// Asks about a Machine on a grid; runs are brought back to the exact one.
    fn ask(&self, asked: &Machine, grid: &Digitisation) -> Result<Report, Refusal> {
        self.ask_within(asked, grid, self.budget)
    }

    /// The same within a budget.
    fn ask_within(
        &self,
        asked: &Machine,
        grid: &Digitisation,
        budget: &dyn Budget,
    ) -> Result<Report, Refusal> {
        if let Some(why) = self.too_many_units(asked, grid) {
            return Ok(Report::unanswered(asked, &why));
        }
        let on_grid = Machine {
            abstraction: Abstraction::Digitised(grid.clone()),
            ..asked.clone()
        };
        let question = Question {
            machine: &on_grid,
            fair: self.fair,
        };
        let mut report = (self.engine)(&question, budget)?;
        // It is about a Machine on the grid.
        report.evidence.clear();
        let back = |run: &Run| clocked(self.whole, run, &grid.unit).map(Box::new);
        for answer in &mut report.answers {
            let Some(run) = answer.run() else {
                continue;
            };
            let found = back(run).map(|run| answer.clone().with_run(run));
            *answer = found.unwrap_or_else(|| {
                let why = "the engine's run goes round without time passing; this is a bug in Scrutineer, please \
                           report it with the model";
                Answer::Unknown(why.into())
            });
        }
        let findings = &mut report.findings;
        findings.deadlock = findings.deadlock.take().and_then(|run| back(&run));
        findings.error = findings.error.take().and_then(|run| back(&run));
        for latest in &mut findings.latest {
            *latest = latest.take().and_then(|latest| {
                let run = back(&latest.run)?;
                Some(Latest { run, ..latest })
            });
        }
        Ok(report)
    }

    /// Why nobody counts in units of a grid, if the longest time has too many of them.
    fn too_many_units(&self, asked: &Machine, grid: &Digitisation) -> Option<String> {
        let longest = constants(asked).into_iter().map(|time| time.abs()).max()?;
        if longest <= &grid.unit * Rational::from(MOST_UNITS) {
            return None;
        }
        let (longest, unit) = ((self.say)(&longest), (self.say)(&grid.unit));
        Some(format!(
            "the times are too far apart to count: {longest} is more than {MOST_UNITS} times {unit}, the longest time of \
             which all times in the model and the claim are multiples; round the times so that this one is longer, or \
             make {longest} shorter"
        ))
    }

    /// Answers where the grid may miss something: by a proof for more runs, or by a run that is found.
    fn approximately(&self, exact: &Machine, plan: &Plan, why: &str) -> Result<Report, Refusal> {
        let free = relaxed(exact).filter(|relaxed| relaxed != exact);
        let wider = free.as_ref().and_then(|relaxed| {
            let plan = crate::plan::plan(relaxed)?;
            plan.exact.is_ok().then_some((relaxed, plan.grid))
        });
        if let Some((relaxed, grid)) = &wider {
            let mut report = self.ask(relaxed, grid)?;
            // Only a proof says something about the runs of the exact Machine.
            if let [Answer::Holds | Answer::Impossible] = report.answers[..] {
                let text = self.describe(grid);
                report.abstraction = Some(format!(
                    "{text}, with periods that may change from gap to gap"
                ));
                report.findings.deadlock = None;
                report.findings.error = None;
                report.findings.latest = vec![None];
                self.meet_premise(exact, plan, &mut report)?;
                return Ok(report);
            }
        }
        let most = if free.is_some() { MOST_PARTS } else { 1 };
        let mut spare: Option<Report> = None;
        for parts in 1..=most {
            let Some(grid) = finer(exact, plan, parts) else {
                break;
            };
            let mut report = self.ask(exact, &grid)?;
            report.findings.complete = false;
            report.abstraction = Some(format!("{}, to find runs", self.describe(&grid)));
            match report.answers[..] {
                [Answer::Fails(_) | Answer::Possible(_)] => return Ok(report),
                // A finer grid may have a run without an error.
                [Answer::Error(_)] => spare = spare.or(Some(report)),
                _ => {
                    let open = |answer: &Answer| matches!(answer, Answer::Unknown(_));
                    let limit = report.answers.iter().any(open);
                    if !matches!(&spare, Some(Report { answers, .. }) if matches!(answers[..], [Answer::Error(_)]))
                    {
                        spare = Some(report);
                    }
                    if limit || self.budget.ask(&Progress::default()).is_some() {
                        break;
                    }
                }
            }
        }
        let mut report = match spare {
            Some(report) => report,
            None => Report::unanswered(exact, ""),
        };
        if goes_round_in_no_time(exact)
            && matches!(report.answers[..], [Answer::Holds | Answer::Impossible])
            && let Some(run) = stuck(exact, &plan.grid, self.budget)
        {
            let run = clocked(self.whole, &run, &plan.grid.unit);
            report.answers = run
                .map(|run| Answer::Error(Box::new(run)))
                .into_iter()
                .collect();
        }
        for answer in &mut report.answers {
            if let Answer::Holds | Answer::Impossible = answer {
                *answer = Answer::Unknown(self.only_tried(exact, plan, most, why));
            }
        }
        for premise in report.findings.premises.iter_mut().flatten() {
            if *premise == Premise::Never {
                *premise = Premise::Open;
            }
        }
        Ok(report)
    }

    /// That nothing was found, and why that proves nothing.
    fn only_tried(&self, exact: &Machine, plan: &Plan, parts: u32, why: &str) -> String {
        let unit = finer(exact, plan, parts).map_or(plan.grid.unit.clone(), |grid| grid.unit);
        let tried = match parts {
            1 => format!("multiples of {}", (self.say)(&unit)),
            _ => format!(
                "multiples of {}, and of {} of it",
                (self.say)(&plan.grid.unit),
                PARTS
            ),
        };
        format!(
            "no run was found in which all times are {tried}, but that proves nothing here: {why}"
        )
    }

    /// A premise that is met with more runs may need one of those that are too many: it is looked for again.
    fn meet_premise(
        &self,
        exact: &Machine,
        plan: &Plan,
        report: &mut Report,
    ) -> Result<(), Refusal> {
        let PropertyKind::Claim(claim) = &exact.properties[0].kind else {
            return Ok(());
        };
        if let (Some(Some(met @ Premise::Met)), Some(premise)) =
            (report.findings.premises.first_mut(), claim.premise())
        {
            let property = Property {
                kind: PropertyKind::Possible(premise),
                ..exact.properties[0].clone()
            };
            *met = self.reach(&alone(exact, &property), plan)?;
        }
        Ok(())
    }

    /// Whether the only condition of a Machine is reached.
    fn reach(&self, exact: &Machine, plan: &Plan) -> Result<Premise, Refusal> {
        // Without the times of the claim a coarser grid may miss nothing either.
        let own = crate::plan::plan(exact).filter(|own| own.exact.is_ok());
        let plan = own.as_ref().unwrap_or(plan);
        let Some(grid) = finer(exact, plan, 1) else {
            return Ok(Premise::Open);
        };
        let report = self.ask(exact, &grid)?;
        Ok(match report.answers[..] {
            [Answer::Possible(_)] => Premise::Met,
            [Answer::Impossible] if plan.exact.is_ok() => Premise::Never,
            _ => Premise::Open,
        })
    }

    /// Of a claim that says what must follow in time: whether anything ever asks for it.
    fn asked_for(&self, exact: &Machine, plan: &Plan) -> Result<Option<Premise>, Refusal> {
        let PropertyKind::Claim(claim) = &exact.properties[0].kind else {
            return Ok(None);
        };
        let mut premise = None;
        for response in claim
            .invariant()
            .and_then(|c| promised(&c))
            .unwrap_or_default()
        {
            let response = &exact.responses[response.index()];
            let property = Property {
                name: exact.properties[0].name.clone(),
                scope: response.scope.clone(),
                kind: PropertyKind::Possible(response.from.clone()),
            };
            let found = self.reach(&alone(exact, &property), plan)?;
            premise = Some(premise.map_or(found, |before: Premise| before.either(found)));
            if found == Premise::Met {
                break;
            }
        }
        Ok(premise)
    }

    fn describe(&self, grid: &Digitisation) -> String {
        format!("integer time in units of {}", (self.say)(&grid.unit))
    }
}

/// Parts of a unit, in words.
const PARTS: &str = "a half, a third and a fourth";

/// What must follow in time, if a condition says nothing but that it has.
pub fn promised(condition: &Expr) -> Option<Vec<ResponseId>> {
    match condition.bare() {
        Expr::Unary(UnaryOp::Not, inner) => match inner.bare() {
            Expr::Overdue(response) => Some(vec![*response]),
            _ => None,
        },
        Expr::Binary(BinaryOp::And, a, b) => Some([promised(a)?, promised(b)?].concat()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
