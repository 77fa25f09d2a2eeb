//! A check simulated: many random runs of each of its instances, and what they show.
//!
//! Every run has its own random numbers, which follow from the seed and its place, and results are added up
//! in the order of the runs: they are the same with any number of threads. A simulation finds what breaks,
//! and how often; it proves nothing.

use crate::audited_run::AuditedRun;
use crate::check::Asked;
use crate::check::Options;
use crate::check::asked;
use crate::check::is_wanted;
use crate::check::nothing_begins;
use crate::load::Loaded;
use crate::refused::no_initial;
use crate::simulation::monitor::Watch;
use crate::simulation::tally::Tally;
use lower::{Candidates, Define, Lowered, Request};
use machine::random::Rng;
use machine::{Expr, Machine, PropertyKind, Trigger, Value};
use model::{Constant, Environment, Question as Asks, Searched, evaluate};
use simulate::InitialSampler;
use simulate::NoInitial;
use simulate::random_run_from;
use source::Diagnostic;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use verdict::{Answer, Budget, Ending, Progress, Question, Spent};

/// So long nobody asks whether to go on while no runs are done.
const PATIENCE: Duration = Duration::from_millis(100);
/// So many runs a thread makes before it tells.
const BATCH: u64 = 50;
/// So many values of what is sought are tried.
const MOST_VALUES: usize = 100;
/// A run without a rhythm has at most so many events.
const LONG: usize = 1_000;
/// A run with a rhythm has at least so many events.
const SHORT: usize = 60;
/// So many activations more than the claim speaks of.
const MORE: i64 = 10;

/// How much is to be simulated.
#[derive(Clone, Debug)]
pub struct Effort {
    /// So many runs of each instance.
    pub runs: u64,
    /// The same number gives the same runs.
    pub seed: u64,
    /// So many events in a run at most; if nothing is said, what the claims need.
    pub steps: Option<usize>,
    /// So many threads.
    pub threads: usize,
}

/// What came out of the simulation of a check.
pub struct Simulation {
    /// Which check, from 0.
    pub number: usize,
    /// What is asked, in order.
    pub asked: Vec<Asked>,
    /// For each its place in the check.
    pub wanted: Vec<usize>,
    /// Whether the greatest value is sought, if one is.
    pub greatest: Option<bool>,
    /// What is sought is a time.
    pub times: bool,
    /// One for each choice of parameters.
    pub instances: Vec<Simulated>,
    /// `-D` changed it.
    pub changed: bool,
    /// The limit that ended it.
    pub spent: Option<Spent>,
}

/// Many runs of one instance.
pub struct Simulated {
    /// The parameters.
    pub request: Request,
    /// The Machine and its names.
    pub lowered: Lowered,
    /// So many runs.
    pub runs: u64,
    /// So many events in each at most.
    pub steps: usize,
    /// So many events in all.
    pub events: u64,
    /// So many runs came to an end by themselves.
    pub ended: u64,
    /// For each thing asked what the runs show.
    pub tallies: Vec<Tally>,
    /// For each thing asked what the run that is kept shows, once it has been audited.
    pub parts: Vec<Option<AuditedRun>>,
    /// Parameters that the check leaves open or seeks: here they have the values of the text.
    pub open: Vec<String>,
}

/// Simulates a check; or says what is wrong with it. Nothing if nothing in it is wanted.
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
        times: seeks_time(loaded, number),
        wanted,
        instances: Vec::new(),
        changed,
        spent: None,
    };
    let mut without_beginning = None;
    for request in requests {
        let on_a_graph = request.graph.is_some();
        let simulated = simulation.instance(loaded, request, effort, &every, budget);
        let (simulated, spent) = match simulated {
            // On another graph a run may begin.
            Err(problems) if on_a_graph && nothing_begins(&problems) => {
                without_beginning = Some(problems);
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
    if let (Some(problems), true) = (without_beginning, simulation.instances.is_empty()) {
        return Err(problems);
    }
    Ok(Some(simulation))
}

/// Whether a check seeks a time.
fn seeks_time(loaded: &Loaded, number: usize) -> bool {
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

/// The choices of parameters; whether `-D` changed them; and those that have the values of the text because
/// the check leaves them open or seeks them.
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
        let (lowered, watches) = self.watches(loaded, &request)?;
        let machine = &lowered.machine;
        let steps = effort.steps.unwrap_or_else(|| horizon(machine, &watches));
        let many = Many {
            machine,
            sampler: InitialSampler::new(machine, None),
            watches: &watches,
            steps,
            effort,
        };
        let (sum, spent) = many.all(budget).map_err(|why| {
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

    /// The Machine, and what is looked at on its runs.
    fn watches(
        &self,
        loaded: &Loaded,
        request: &Request,
    ) -> Result<(Lowered, Vec<Looked>), Vec<Diagnostic>> {
        let model = &loaded.model;
        let lower = |request: &Request| lower::lower(model, &loaded.sources, request);
        let Some(greatest) = self.greatest else {
            let lowered = lower(request)?;
            let watches = self
                .wanted
                .iter()
                .zip(&self.asked)
                .map(|(property, asked)| {
                    let watch = Watch::of(&lowered.machine, *property);
                    Looked {
                        watch,
                        possible: asked.possible,
                        from: 0,
                    }
                });
            let watches = watches.collect();
            return Ok((lowered, watches));
        };
        let mut ranges = Vec::new();
        for claim in &self.wanted {
            ranges.push(match lower::candidates(model, request, *claim)? {
                Some(Candidates::Numbers(low, high)) => (low, high),
                Some(Candidates::AllNumbers) => (0, MOST_VALUES as i64 - 1),
                // Nobody tries times one by one.
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
        let watches = self.wanted.iter().zip(&ranges).map(|(claim, (low, high))| {
            let values = all.iter().enumerate();
            let values: Vec<(i64, usize)> = values
                .filter(|(_, value)| low <= *value && *value <= high)
                .map(|(place, value)| (*value, place * claims + claim))
                .collect();
            let first = values.first().copied().unwrap_or((0, *claim));
            let watch = Watch::sought(&lowered.machine, &values);
            Looked {
                watch: watch.unwrap_or_else(|| Watch::of(&lowered.machine, first.1)),
                possible: false,
                from: first.0,
            }
        });
        let watches = watches.collect();
        Ok((lowered, watches))
    }
}

/// Something asked, to be looked at on every run.
struct Looked {
    watch: Watch,
    possible: bool,
    /// Of a sought value: the first that is tried.
    from: i64,
}

/// How many events a run needs to say something: as many activations of each node as the claim speaks of,
/// and some more.
fn horizon(machine: &Machine, watches: &[Looked]) -> usize {
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
    let sought = |looked: &Looked| matches!(looked.watch, Watch::Sought(_));
    if watches.iter().any(sought) {
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

/// Replays the run that is kept. One that does not show what it was kept for is not shown.
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

/// Many runs of a Machine.
struct Many<'a> {
    machine: &'a Machine,
    sampler: InitialSampler<'a>,
    watches: &'a [Looked],
    steps: usize,
    effort: &'a Effort,
}

/// What some of them add up to.
#[derive(Default)]
struct Sum {
    runs: u64,
    events: u64,
    ended: u64,
    tallies: Vec<Tally>,
}

impl Many<'_> {
    fn all(&self, budget: &dyn Budget) -> Result<(Sum, Option<Spent>), NoInitial> {
        let batches = self.effort.runs.div_ceil(BATCH);
        let next = AtomicU64::new(0);
        let stop = AtomicBool::new(false);
        let mut found: BTreeMap<u64, Result<Sum, NoInitial>> = BTreeMap::new();
        let mut spent = budget.ask(&Progress::default());
        stop.store(spent.is_some(), Ordering::Relaxed);
        std::thread::scope(|scope| {
            let (tell, told) = mpsc::channel();
            for _ in 0..self.effort.threads.max(1) {
                let (tell, next, stop) = (tell.clone(), &next, &stop);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        let batch = next.fetch_add(1, Ordering::Relaxed);
                        if batch >= batches || tell.send((batch, self.batch(batch, stop))).is_err()
                        {
                            break;
                        }
                    }
                });
            }
            drop(tell);
            let mut progress = Progress::default();
            loop {
                let (batch, sum) = match told.recv_timeout(PATIENCE) {
                    Ok(told) => told,
                    Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) => {
                        if spent.is_none() {
                            spent = budget.ask(&progress);
                        }
                        stop.fetch_or(spent.is_some(), Ordering::Relaxed);
                        continue;
                    }
                };
                match &sum {
                    Ok(sum) => {
                        progress.states += sum.runs;
                        progress.transitions += sum.events;
                    }
                    Err(_) => stop.store(true, Ordering::Relaxed),
                }
                found.insert(batch, sum);
                if spent.is_none() {
                    spent = budget.ask(&progress);
                }
                if spent.is_some() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        let mut total = self.nothing();
        for sum in found.into_values() {
            let sum = sum?;
            total.runs += sum.runs;
            total.events += sum.events;
            total.ended += sum.ended;
            for (tally, more) in total.tallies.iter_mut().zip(sum.tallies) {
                tally.join(more);
            }
        }
        Ok((total, spent))
    }

    fn nothing(&self) -> Sum {
        Sum {
            tallies: self
                .watches
                .iter()
                .map(|looked| Tally {
                    first: looked.from,
                    ..Tally::default()
                })
                .collect(),
            ..Sum::default()
        }
    }

    /// Some runs, one after the other.
    fn batch(&self, batch: u64, stop: &AtomicBool) -> Result<Sum, NoInitial> {
        let mut sum = self.nothing();
        let first = batch * BATCH;
        for number in first..(first + BATCH).min(self.effort.runs) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let mut rng = numbers(self.effort.seed, number);
            let mut stopped = || stop.load(Ordering::Relaxed);
            let beginning = match self.sampler.draw(&mut rng, &mut stopped) {
                Err(NoInitial::Interrupted) => break,
                drawn => drawn?,
            };
            let random_run = random_run_from(self.machine, beginning, &mut rng, self.steps);
            sum.runs += 1;
            sum.events += random_run.run.choices.len() as u64;
            sum.ended += u64::from(random_run.run.ending == Ending::StandsStill);
            for (looked, tally) in self.watches.iter().zip(&mut sum.tallies) {
                let shown = looked.watch.look(self.machine, &random_run);
                tally.add(number + 1, &random_run.run, shown, looked.possible);
            }
        }
        Ok(sum)
    }
}

/// The random numbers of a run: those of two runs have nothing to do with each other.
fn numbers(seed: u64, run: u64) -> Rng {
    let mut of_seed = Rng(seed);
    let start = of_seed.below(usize::MAX) as u64;
    let mut of_run = Rng(start ^ run.wrapping_mul(0xd134_2543_de82_ef95));
    Rng(of_run.below(usize::MAX) as u64)
}
