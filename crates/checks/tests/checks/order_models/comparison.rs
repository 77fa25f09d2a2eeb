//! The answers of several methods to the claims of a random model, and their comparison. The methods are the
//! order-of-events engine, the CEGAR loop, digitisation, and random runs of the reference interpreter.

use crate::order_models::text::Model;
use checks::{Loaded, load_text};
use machine::random::Rng;
use machine::{Formula, Instance, Machine, PropertyKind};
use model::Constant;
use simulate::{RandomRun, random_run};
use std::time::{Duration, Instant};
use strategy::{Method, answer_by};
use verdict::{Answer, Budget, Ending, Premise, Progress, Question, Report, Spent};

/// An answer to a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Holds,
    Fails,
    Error,
    Open,
}

/// The methods with which the order-of-events engine is compared.
pub const OTHERS: [Method; 2] = [Method::Abstraction, Method::IntegerTime];

/// A budget with a limit of states and a limit of time.
pub struct Limited {
    states: u64,
    until: Instant,
}

impl Limited {
    pub fn new(states: u64, millis: u64) -> Limited {
        Limited {
            states,
            until: Instant::now() + Duration::from_millis(millis),
        }
    }
}

impl Budget for Limited {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        let spent = progress.states > self.states || Instant::now() > self.until;
        spent.then_some(Spent::Interrupted)
    }

    fn solver(&self) -> sat::Backend {
        cadical::BACKEND
    }
}

/// A Machine with one claim, and the results of methods other than the order-of-events engine.
pub struct Claim {
    pub machine: Machine,
    random_runs: Vec<RandomRun>,
    /// The answers of the methods in `OTHERS`, in this order.
    pub others: Vec<Outcome>,
    /// A contradiction among these methods, if there is one.
    wrong: Option<String>,
}

/// A model and its claims.
pub struct Case {
    pub model: Model,
    pub claims: Vec<Claim>,
}

/// The Machines of all checks of a model, each with one claim. If a check seeks a value, there is one Machine for each
/// value.
pub fn machines(loaded: &Loaded) -> Vec<Machine> {
    let mut machines = Vec::new();
    for check in 0..loaded.model.checks.len() {
        let requests = lower::instances(&loaded.model, check, &[]).expect("instances");
        for request in requests {
            let sought = matches!(
                loaded.model.checks[check].question,
                model::Question::Extreme { .. }
            );
            let requests = match sought {
                true => [2, 4]
                    .into_iter()
                    .filter_map(|a| request.with(&loaded.model, &[Constant::Int(a)]).ok())
                    .collect(),
                false => vec![request],
            };
            for request in requests {
                let lowered = lower::lower(&loaded.model, &loaded.sources, &request);
                machines.push(lowered.expect("a Machine").machine);
            }
        }
    }
    machines
}

impl Case {
    /// A model, with `runs` random runs for each claim.
    pub fn new(model: Model, seed: u64, runs: u64) -> Case {
        let loaded = load_text("random.scrut", &model.text);
        assert!(
            !loaded.has_errors(),
            "seed {seed}: {:?}\n{}",
            loaded.diagnostics,
            model.text
        );
        let claims = machines(&loaded);
        let claims = claims.into_iter().map(|machine| {
            // If messages have a delay, most events are deliveries, so more events are needed.
            let events = match machine.delay {
                machine::Delay::Within(..) => 90,
                _ => 30,
            };
            let random_runs =
                (0..runs).map(|run| random_run(&machine, &mut Rng(seed * 1000 + run), events));
            Claim {
                random_runs: random_runs.filter_map(Result::ok).collect(),
                machine,
                others: Vec::new(),
                wrong: None,
            }
        });
        let claims = claims.collect();
        Case { model, claims }
    }

    /// Runs the methods in `OTHERS`.
    pub fn ask_others(&mut self) {
        self.claims.iter_mut().for_each(Claim::ask_others);
    }

    /// Runs the order-of-events engine on each claim.
    pub fn ask(&self) -> Vec<Report> {
        let reports = self.claims.iter().map(Claim::ask);
        reports.collect()
    }

    /// Compares the reports. The error describes a contradiction.
    pub fn check(&self, reports: &[Report]) -> Result<(), String> {
        for (number, (claim, report)) in self.claims.iter().zip(reports).enumerate() {
            let all = claim.check(report);
            all.map_err(|why| format!("claim {number}: {why}"))?;
        }
        Ok(())
    }
}

impl Claim {
    fn question(&self) -> Question<'_> {
        Question {
            machine: &self.machine,
            fair: true,
        }
    }

    pub fn ask(&self) -> Report {
        let budget = Limited::new(u64::MAX, 2_000);
        answer_by(Method::Order, &self.question(), &budget).expect("a report")
    }

    fn ask_others(&mut self) {
        for method in OTHERS {
            let budget = Limited::new(6_000, 100);
            let report = answer_by(method, &self.question(), &budget);
            let outcome = match &report {
                Ok(report) => {
                    if let Err(why) = self.follow(report) {
                        self.wrong = Some(format!("{method:?}: {why}"));
                    }
                    outcome(&report.results[0].answer)
                }
                Err(_) => Outcome::Open,
            };
            self.others.push(outcome);
        }
    }

    /// Compares the answer of the order-of-events engine with the other methods and with the random runs.
    fn check(&self, report: &Report) -> Result<(), String> {
        if let Some(wrong) = &self.wrong {
            return Err(wrong.clone());
        }
        self.follow(report)?;
        let by_order = outcome(&report.results[0].answer);
        for (method, other) in OTHERS.iter().zip(&self.others) {
            if *other != Outcome::Open && by_order != Outcome::Open && *other != by_order {
                return Err(format!("{by_order:?}, but {other:?} by {method:?}"));
            }
        }
        match self.others[..] {
            [a, b] if a != b && a != Outcome::Open && b != Outcome::Open => {
                Err(format!("{OTHERS:?}: {a:?}, {b:?}"))
            }
            _ => Ok(()),
        }
    }

    /// Verifies the evidence of an answer: the audit confirms the run that violates the claim; for a claim that holds,
    /// the audit accepts its evidence and no random run violates it.
    fn follow(&self, report: &Report) -> Result<(), String> {
        let answer = &report.results[0].answer;
        audit::confirm(&self.question(), 0, answer).map_err(|why| why.to_string())?;
        let PropertyKind::Claim(claim) = &self.machine.properties[0].kind else {
            return Ok(());
        };
        if *answer != Answer::Holds {
            return Ok(());
        }
        if report.method == event_order::METHOD {
            // The audit checks the evidence.
            let evidence = report.results[0].evidence.as_ref();
            let evidence = evidence.ok_or("holds, without evidence")?;
            let proved = audit::evidence(&self.machine, evidence, cadical::BACKEND);
            proved.map_err(|why| format!("holds, but that is not proved: {why}"))?;
        }
        if self
            .random_runs
            .iter()
            .any(|s| matches!(s.run.ending, Ending::Error(_)))
        {
            return Err("holds, but a random run is an error".into());
        }
        let condition = claim.invariant().expect("about every state");
        self.never(&condition, false)?;
        let unmet = report.results[0].premise == Some(Premise::Never);
        match Formula::premise(claim) {
            Some(premise) if unmet => self.never(&premise, true),
            _ => Ok(()),
        }
    }

    /// Verifies that the condition does not have this value in any state of the random runs, and can be evaluated in
    /// all of them.
    fn never(&self, condition: &machine::Expr, value: bool) -> Result<(), String> {
        for RandomRun { run, states } in &self.random_runs {
            let instance = Instance {
                machine: &self.machine,
                frozen: &run.frozen,
            };
            for (event, state) in states.iter().enumerate() {
                match instance.holds(state, condition, &[]) {
                    Ok(is) if is != value => {}
                    other => {
                        return Err(format!("{other:?} in a random run after {event} events"));
                    }
                }
            }
        }
        Ok(())
    }
}

pub fn outcome(answer: &Answer) -> Outcome {
    match answer {
        Answer::Holds => Outcome::Holds,
        Answer::Fails(_) => Outcome::Fails,
        Answer::Error(_) => Outcome::Error,
        _ => Outcome::Open,
    }
}
