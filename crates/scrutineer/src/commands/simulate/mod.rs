//! `simulate`: many random runs for each check, and statistics over them.

pub(crate) mod seen;
pub(crate) mod statistics;
use crate::args::SimulateArgs;
use crate::commands::run::draw_seed;
use crate::commands::simulate::seen::QuestionOutput;
use crate::console::lines;
use crate::console::progress::ProgressLine;
use crate::console::{diagnostics, interrupt};
use crate::{Exit, complain};
use checks::{Effort, Loaded, Options, Simulation};
use std::sync::atomic::AtomicBool;

/// Executes `simulate MODEL` and returns the exit code.
pub(crate) fn simulate(args: &SimulateArgs) -> Exit {
    let loaded = match diagnostics::load(&args.model, args.time) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let name = loaded.sources.name(loaded.file);
    let count = loaded.model.checks.len();
    let checks = match args.check {
        _ if count == 0 => {
            return complain(&format!(
                "{name} has no check, and a simulation looks at what checks ask; `scrutineer run {name}` shows \
                 one run"
            ));
        }
        None => 0..count,
        Some(number) if (1..=count).contains(&number) => number - 1..number,
        Some(number) => {
            let checks = if count == 1 { "check" } else { "checks" };
            return complain(&format!(
                "{name} has {count} {checks}; there is no check {number}"
            ));
        }
    };
    let interrupted = interrupt::listen(|| {});
    let mut all = Simulating {
        args,
        seed: args.seed.unwrap_or_else(draw_seed),
        loaded: &loaded,
        interrupted: &interrupted,
        exit: Exit::Good,
        simulated: false,
    };
    let runs = lines::many(args.runs, "random run");
    let seed = all.seed;
    anstream::println!("{name}, simulated: {runs} each, seed {seed}");
    for number in checks {
        all.check(number);
    }
    all.end()
}

struct Simulating<'a> {
    args: &'a SimulateArgs,
    loaded: &'a Loaded,
    seed: u64,
    interrupted: &'a AtomicBool,
    exit: Exit,
    /// Whether at least one check was simulated.
    simulated: bool,
}

impl Simulating<'_> {
    fn check(&mut self, number: usize) {
        let options = Options {
            defines: self.args.defines.clone(),
            claim: self.args.claim.clone(),
            time: self.args.time,
            memory: self.args.memory.limit(),
            solver: crate::SOLVER,
            ..Options::default()
        };
        let effort = Effort {
            runs: self.args.runs,
            seed: self.seed,
            steps: self.args.steps,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        };
        let count = self.loaded.model.checks.len();
        let mut progress = ProgressLine::new(format!("check {} of {count}", number + 1), None);
        let mut watcher = |p: &verdict::Progress| progress.runs(p);
        let simulated = checks::simulate(
            self.loaded,
            number,
            &options,
            &effort,
            self.interrupted,
            &mut watcher,
        );
        drop(progress);
        match simulated {
            Ok(None) => {}
            Ok(Some(simulation)) => {
                self.simulated = true;
                self.report(&simulation);
            }
            Err(problems) => {
                self.simulated = true;
                diagnostics::print(&self.loaded.sources, &problems);
                self.exit = self.exit.and(Exit::Wrong);
            }
        }
    }

    fn report(&mut self, simulation: &Simulation) {
        for instance in &simulation.instances {
            for asked in 0..simulation.asked.len() {
                let output = QuestionOutput {
                    loaded: self.loaded,
                    simulation,
                    instance,
                    asked,
                };
                let exit = output.all(&self.args.out);
                self.exit = self.exit.and(exit);
            }
        }
        if let Some(spent) = &simulation.spent {
            lines::aside(&format!("not all runs were made: {}", report::spent(spent)));
            self.exit = self.exit.and(Exit::Unknown);
        }
    }

    fn end(self) -> Exit {
        if let (false, Some(only)) = (self.simulated, &self.args.claim) {
            let known = self.loaded.model.claims.iter().map(|c| &c.name[..]);
            let hint = match model::nearest(only, known) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => String::new(),
            };
            return complain(&format!("no check asks about a claim `{only}`{hint}"));
        }
        lines::aside(
            "a simulation finds runs and counts them; it proves nothing: `scrutineer check` looks at all runs",
        );
        self.exit
    }
}
