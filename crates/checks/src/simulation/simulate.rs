//! Random simulation of a check: many random runs of each instance, and their tallies.
//!
//! A simulation finds and counts runs that violate claims. It never proves a claim.

use crate::call::limits::{Limits, Watcher};
use crate::call::load::Loaded;
use crate::call::options::Options;
use crate::call::refused::no_initial;
use crate::call::watchdog::{self, Watched};
use crate::check::{Asked, asked, is_asked, nothing_begins, wanted};
use crate::results::audited_run::AuditedRun;
use crate::simulation::batches::{Batches, Monitored};
use crate::simulation::monitor::Monitor;
use crate::simulation::tally::Tally;
use lower::{Candidates, Define, Lowered, Request};
use machine::{Expr, Machine, PropertyKind, Trigger, Value};
use model::{Constant, Environment, Question as Asks, Searched, evaluate};
use simulate::InitialSampler;
use source::Diagnostic;
use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use verdict::{Answer, Budget, Defect, Progress, Question, Reason, Spent};

/// The largest number of values of a searched argument that are evaluated.
const MOST_VALUES: usize = 100;
/// The largest number of events in a run if the Machine has no `every` blocks.
const LONG: usize = 1_000;
/// The least limit on the number of events of a run, with `every` blocks.
const SHORT: usize = 60;
/// The number of activations per node, in addition to the largest number in the claims, with `every` blocks.
const MORE: i64 = 10;

/// The size of a simulation.
#[derive(Clone, Debug)]
pub struct Effort {
    /// The number of runs of each instance.
    pub runs: u64,
    /// The seed. The same seed gives the same runs.
    pub seed: u64,
    /// The largest number of events in a run; `None` for the number that `horizon` computes.
    pub steps: Option<usize>,
    /// The number of threads.
    pub threads: usize,
}

/// The results of the simulation of a check.
pub struct Simulation {
    /// The number of the check, counted from 0.
    pub number: usize,
    /// The questions that are evaluated, in the order of the check.
    pub asked: Vec<Asked>,
    /// For each element of `asked` its index among all questions of the check.
    pub wanted: Vec<usize>,
    /// For a searched argument: whether the greatest value is searched (true) or the least (false).
    pub greatest: Option<bool>,
    /// Whether the searched value is a time.
    pub times: bool,
    /// One result for each instance.
    pub instances: Vec<Simulated>,
    /// Whether `-D` changed the check. Then the runs are not compared with `expect`.
    pub changed: bool,
    /// The limit that ended the simulation early, if any.
    pub spent: Option<Spent>,
}

/// The results of the random runs of one instance.
pub struct Simulated {
    /// The instance: parameter values and graph.
    pub request: Request,
    /// The Machine, with names for its parts.
    pub lowered: Lowered,
    /// The number of runs that were executed.
    pub runs: u64,
    /// The largest number of events that a run may have.
    pub steps: usize,
    /// The total number of events.
    pub events: u64,
    /// The number of runs that end because no event is enabled.
    pub ended: u64,
    /// For each question the tally of the runs.
    pub tallies: Vec<Tally>,
    /// For each question the audited run to show; `None` if there is none or the audit rejects it.
    pub parts: Vec<Option<AuditedRun>>,
    /// The parameters that the check leaves open or searches. The simulation uses their declared values.
    pub open: Vec<String>,
}

/// Simulates a check within the limits of the options. `None` if the options exclude all its questions.
pub fn simulate(
    loaded: &Loaded,
    number: usize,
    options: &Options,
    effort: &Effort,
    interrupted: &AtomicBool,
    watcher: &mut Watcher<'_>,
) -> Result<Option<Simulation>, Vec<Diagnostic>> {
    if !is_asked(loaded, number, options) {
        return Ok(None);
    }
    let token = watchdog::token();
    let limits = Limits {
        files: None,
        since: Instant::now(),
        time: options.time,
        memory: options.memory,
        threads: 1,
        solver: options.solver,
        storage: None,
        interrupted,
        watcher: RefCell::new(&mut *watcher),
        token: Some(&token),
    };
    let watched = Watched {
        since: limits.since,
        time: options.time,
        memory: options.memory,
        interrupted,
    };
    let simulation = || simulate_within(loaded, number, options, effort, &limits);
    watched.run(&token, simulation).map(Some)
}

fn simulate_within(
    loaded: &Loaded,
    number: usize,
    options: &Options,
    effort: &Effort,
    budget: &dyn Budget,
) -> Result<Simulation, Vec<Diagnostic>> {
    let asked = asked(loaded, number);
    let wanted: Vec<usize> = wanted(loaded, number, options).collect();
    let mut simulation = Simulation {
        number,
        asked: wanted.iter().map(|a| asked[*a].clone()).collect(),
        greatest: match &loaded.model.checks[number].question {
            Asks::Extreme {
                greatest,
                searched: Searched::Argument { .. },
                ..
            } => Some(*greatest),
            _ => None,
        },
        times: searches_time(loaded, number),
        wanted,
        instances: Vec::new(),
        changed: false,
        spent: None,
    };
    // The results of instances that were simulated before a limit are kept.
    let all = || simulation.all(loaded, effort, &options.defines, budget);
    if let Ok(done) = cancellation::catch(all) {
        done?;
    } else {
        let spent = budget.ask(&Progress::default());
        simulation.spent = spent.or(Some(Spent::Interrupted));
    }
    Ok(simulation)
}

/// Whether a check searches for a time rather than a number.
fn searches_time(loaded: &Loaded, number: usize) -> bool {
    let model = &loaded.model;
    let ty = match &model.checks[number].question {
        Asks::Extreme { searched, .. } => match searched {
            Searched::Param(param) => model.param(*param).domain.ty(),
            Searched::Argument { local, .. } => model.local(*local).ty.clone(),
        },
        Asks::Claims(_) | Asks::Possible(_) => return false,
    };
    ty == model::Type::Duration
}

/// The instances; whether `-D` changed the check; and the names of the parameters that keep their declared values
/// because the check leaves them open or searches them.
type Instances = (Vec<Request>, bool, Vec<String>);

fn instances(
    loaded: &Loaded,
    number: usize,
    defines: &[Define],
) -> Result<Instances, Vec<Diagnostic>> {
    let model = &loaded.model;
    let requests = crate::check::families::requests(loaded, number, defines)?;
    let changed = requests.iter().any(|r| r.changed);
    let Some(every) = requests.first().map(|r| r.every.clone()) else {
        return Ok((requests, changed, Vec::new()));
    };
    let mut open = Vec::new();
    let mut more = defines.to_vec();
    for param in every {
        let param = model.param(param);
        let known: Vec<Option<Constant>> = vec![None; model.params.len()];
        if let Ok(value) = evaluate(&param.value, &Environment::new(model, &known)) {
            more.push(Define {
                name: param.name.clone(),
                value: value.text(model),
            });
            open.push(param.name.clone());
        }
    }
    let requests = match open.is_empty() {
        true => requests,
        false => crate::check::families::requests(loaded, number, &more)?,
    };
    if let Asks::Extreme {
        searched: Searched::Param(param),
        ..
    } = &model.checks[number].question
    {
        open.push(model.param(*param).name.clone());
    }
    Ok((requests, changed, open))
}

impl Simulation {
    /// Simulates all instances, until a limit is reached.
    fn all(
        &mut self,
        loaded: &Loaded,
        effort: &Effort,
        defines: &[Define],
        budget: &dyn Budget,
    ) -> Result<(), Vec<Diagnostic>> {
        let (requests, changed, every) = instances(loaded, self.number, defines)?;
        self.changed = changed;
        let mut no_initial_state = None;
        for request in requests {
            let on_a_graph = request.graph.is_some();
            let simulated = self.instance(loaded, request, effort, &every, budget);
            let (simulated, spent) = match simulated {
                // There may be an initial state on another graph.
                Err(problems) if on_a_graph && nothing_begins(&problems) => {
                    no_initial_state = Some(problems);
                    continue;
                }
                simulated => simulated?,
            };
            self.instances.push(simulated);
            self.spent = spent;
            if self.spent.is_some() {
                break;
            }
        }
        match no_initial_state {
            Some(problems) if self.instances.is_empty() => Err(problems),
            _ => Ok(()),
        }
    }

    fn instance(
        &self,
        loaded: &Loaded,
        request: Request,
        effort: &Effort,
        open: &[String],
        budget: &dyn Budget,
    ) -> Result<(Simulated, Option<Spent>), Vec<Diagnostic>> {
        let (lowered, monitors) = self.monitors(loaded, &request)?;
        let machine = &lowered.machine;
        let steps = effort.steps.unwrap_or_else(|| horizon(machine, &monitors));
        let batches = Batches {
            machine,
            sampler: InitialSampler::new(machine, None),
            monitors: &monitors,
            steps,
            effort,
        };
        let (sum, spent) = batches.run(budget).map_err(|why| {
            let problem = no_initial(loaded, self.number, &lowered, why);
            vec![problem]
        })?;
        let question = Question {
            machine,
            fair: !loaded.model.checks[self.number].unfair,
        };
        let mut tallies = sum.tallies;
        let parts = tallies.iter_mut().map(|tally| audited(&question, tally));
        let simulated = Simulated {
            parts: parts.collect(),
            tallies,
            runs: sum.runs,
            steps,
            events: sum.events,
            ended: sum.ended,
            open: open.to_vec(),
            request,
            lowered,
        };
        Ok((simulated, spent))
    }

    /// The Machine of an instance, and a monitor for each question.
    fn monitors(
        &self,
        loaded: &Loaded,
        request: &Request,
    ) -> Result<(Lowered, Vec<Monitored>), Vec<Diagnostic>> {
        let model = &loaded.model;
        let lower = |request: &Request| lower::lower(model, &loaded.sources, request);
        let Some(greatest) = self.greatest else {
            let lowered = lower(request)?;
            let monitors = self
                .wanted
                .iter()
                .zip(&self.asked)
                .map(|(property, asked)| {
                    let monitor = Monitor::of(&lowered.machine, *property);
                    Monitored {
                        monitor,
                        possible: asked.possible,
                        from: 0,
                    }
                });
            let monitors = monitors.collect();
            return Ok((lowered, monitors));
        };
        let mut ranges = Vec::new();
        for claim in &self.wanted {
            ranges.push(match lower::candidates(model, request, *claim)? {
                Some(Candidates::Numbers(low, high)) => (low, high),
                Some(Candidates::AllNumbers) => (0, MOST_VALUES as i64 - 1),
                // A simulation does not search for times, so one value is enough.
                Some(Candidates::Times) | None => (0, 0),
            });
        }
        let low = ranges.iter().map(|r| r.0).min().unwrap_or(0);
        let high = ranges.iter().map(|r| r.1).max().unwrap_or(0);
        let all: Vec<i64> = match greatest {
            false => (low..=high).take(MOST_VALUES).collect(),
            true => (low..=high).rev().take(MOST_VALUES).collect(),
        };
        let constants: Vec<Constant> = all.iter().copied().map(Constant::Int).collect();
        let lowered = lower(&request.with(model, &constants)?)?;
        let claims = lowered.machine.properties.len() / all.len().max(1);
        let monitors = self.wanted.iter().zip(&ranges).map(|(claim, (low, high))| {
            let values = all.iter().enumerate();
            let values: Vec<(i64, usize)> = values
                .filter(|(_, value)| low <= *value && *value <= high)
                .map(|(place, value)| (*value, place * claims + claim))
                .collect();
            let first = values.first().copied().unwrap_or((0, *claim));
            let monitor = Monitor::sought(&lowered.machine, &values);
            Monitored {
                monitor: monitor.unwrap_or_else(|| Monitor::of(&lowered.machine, first.1)),
                possible: false,
                from: first.0,
            }
        });
        let monitors = monitors.collect();
        Ok((lowered, monitors))
    }
}

/// The largest number of events in a run. With `every` blocks it allows each node `MORE` activations in addition to the
/// largest integer constant in the claims; for a searched value, 2 · `MORE` activations.
fn horizon(machine: &Machine, monitors: &[Monitored]) -> usize {
    let every = |b: &machine::Block| matches!(b.trigger, Trigger::Every(_));
    if !machine.blocks.iter().any(every) {
        return LONG;
    }
    let mut most = 0;
    let mut look = |e: &Expr| {
        if let Expr::Const(Value::Int(i)) = e {
            most = i64::max(most, *i);
        }
    };
    let sought = |monitored: &Monitored| matches!(monitored.monitor, Monitor::Sought(_));
    if monitors.iter().any(sought) {
        most = MORE;
    } else {
        for property in &machine.properties {
            match &property.kind {
                PropertyKind::Claim(claim) => claim.walk_exprs(&mut look),
                PropertyKind::Possible(condition) => condition.walk(&mut look),
            }
        }
    }
    let activations = (most.min(LONG as i64) + MORE) as usize;
    SHORT.max(activations * machine.node_count() as usize)
}

/// Audits the run to show. If the audit rejects it, its answer becomes unknown and it is not shown.
fn audited(question: &Question<'_>, tally: &mut Tally) -> Option<AuditedRun> {
    let kept = tally.kept.as_mut()?;
    match AuditedRun::of_answer(question, kept.property, &kept.answer) {
        Ok(part) => part,
        Err(rejected) => {
            let defect = Defect::RejectedRandomRun(kept.number, rejected.to_string());
            kept.answer = Answer::Unknown(Reason::Defect(defect));
            None
        }
    }
}
