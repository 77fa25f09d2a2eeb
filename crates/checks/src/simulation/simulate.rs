//! Random simulation of a check: many random runs of each instance, and their tallies.
//!
//! A simulation finds runs that break claims, and counts them; it proves nothing.

use crate::call::load::Loaded;
use crate::call::options::Options;
use crate::check::{Asked, asked, is_wanted, nothing_begins};
use crate::refused::no_initial;
use crate::results::audited_run::AuditedRun;
use crate::simulation::batches::{Batches, Monitored};
use crate::simulation::monitor::Monitor;
use crate::simulation::tally::Tally;
use lower::{Candidates, Define, Lowered, Request};
use machine::{Expr, Machine, PropertyKind, Trigger, Value};
use model::{Constant, Environment, Question as Asks, Searched, evaluate};
use simulate::InitialSampler;
use source::Diagnostic;
use verdict::{Answer, Budget, Question, Spent};

/// The largest number of values of a searched argument that are evaluated.
const MOST_VALUES: usize = 100;
/// The largest number of events of a run without periodic activations.
const LONG: usize = 1_000;
/// The smallest limit of events of a run with periodic activations.
const SHORT: usize = 60;
/// The number of activations of each node beyond those that the claim mentions.
const MORE: i64 = 10;

/// The effort of a simulation.
#[derive(Clone, Debug)]
pub struct Effort {
    /// The number of runs of each instance.
    pub runs: u64,
    /// The seed: the same seed gives the same runs.
    pub seed: u64,
    /// The largest number of events of a run; by default, as many as the claims need.
    pub steps: Option<usize>,
    /// The number of threads.
    pub threads: usize,
}

/// The results of the simulation of a check.
pub struct Simulation {
    /// The number of the check, from 0.
    pub number: usize,
    /// The questions, in order.
    pub asked: Vec<Asked>,
    /// For each question its index in the check.
    pub wanted: Vec<usize>,
    /// For a searched argument, whether the greatest value is searched.
    pub greatest: Option<bool>,
    /// The searched value is a time.
    pub times: bool,
    /// One result for each choice of parameters.
    pub instances: Vec<Simulated>,
    /// `-D` changed a parameter.
    pub changed: bool,
    /// The limit that ended the simulation.
    pub spent: Option<Spent>,
}

/// The random runs of one instance.
pub struct Simulated {
    /// The parameters.
    pub request: Request,
    /// The Machine and its names.
    pub lowered: Lowered,
    /// The number of runs.
    pub runs: u64,
    /// The largest number of events of a run.
    pub steps: usize,
    /// The number of events of all runs.
    pub events: u64,
    /// The number of runs in which no event was enabled at the end.
    pub ended: u64,
    /// For each question the tally of the runs.
    pub tallies: Vec<Tally>,
    /// For each question the kept run, audited.
    pub parts: Vec<Option<AuditedRun>>,
    /// The parameters that the check leaves open or searches. In the simulation they have their declared values.
    pub open: Vec<String>,
}

/// Simulates a check. `None` if the options exclude all its questions.
pub fn simulate(
    loaded: &Loaded,
    number: usize,
    options: &Options,
    effort: &Effort,
    budget: &dyn Budget,
) -> Result<Option<Simulation>, Vec<Diagnostic>> {
    let asked = asked(loaded, number);
    let wanted: Vec<usize> = (0..asked.len())
        .filter(|a| is_wanted(loaded, number, *a, options))
        .collect();
    if wanted.is_empty() {
        return Ok(None);
    }
    let (requests, changed, every) = instances(loaded, number, &options.defines)?;
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
        changed,
        spent: None,
    };
    let mut no_initial_state = None;
    for request in requests {
        let on_a_graph = request.graph.is_some();
        let simulated = simulation.instance(loaded, request, effort, &every, budget);
        let (simulated, spent) = match simulated {
            // Another graph may have an initial state.
            Err(problems) if on_a_graph && nothing_begins(&problems) => {
                no_initial_state = Some(problems);
                continue;
            }
            simulated => simulated?,
        };
        simulation.instances.push(simulated);
        simulation.spent = spent;
        if simulation.spent.is_some() {
            break;
        }
    }
    if let (Some(problems), true) = (no_initial_state, simulation.instances.is_empty()) {
        return Err(problems);
    }
    Ok(Some(simulation))
}

/// Whether a check searches for a time.
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

/// The choices of parameters, whether `-D` changed them, and the parameters that have their declared values because the check leaves them
/// open or searches them.
type Instances = (Vec<Request>, bool, Vec<String>);

fn instances(
    loaded: &Loaded,
    number: usize,
    defines: &[Define],
) -> Result<Instances, Vec<Diagnostic>> {
    let model = &loaded.model;
    let requests = crate::families::requests(loaded, number, defines)?;
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
        false => crate::families::requests(loaded, number, &more)?,
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

    /// The Machine, and the monitors of its runs.
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
                // A simulation does not search for times.
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

/// The largest number of events of a run: as many activations of each node as the claim mentions, and `MORE`.
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

/// Audits the kept run of a tally. A run that the audit rejects is not shown.
fn audited(question: &Question<'_>, tally: &mut Tally) -> Option<AuditedRun> {
    let kept = tally.kept.as_mut()?;
    match AuditedRun::of_answer(question, kept.property, &kept.answer) {
        Ok(part) => part,
        Err(rejected) => {
            kept.answer = Answer::Unknown(format!(
                "run {} does not stand up to a second look ({rejected}); this is a bug in Scrutineer, please \
                 report it with the model",
                kept.number
            ));
            None
        }
    }
}
