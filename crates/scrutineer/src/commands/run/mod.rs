//! `run`: one run of a model, at random or by hand. Claims are not evaluated.

pub(crate) mod choosing;
pub(crate) mod offering;
pub(crate) mod stepping;
use crate::args::RunArgs;
use crate::console::{diagnostics, interrupt, lines};
use crate::results::runs::{all_settings, draw, open_end, place, replayed, store, title};
use crate::{Exit, complain};
use checks::{AuditedRun, Limits, Loaded, NoSetup, RunFile, Setup, Wanted};
use lower::{Lowered, Request};
use machine::random::Rng;
use report::{Words, story};
use std::cell::RefCell;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use verdict::{Ending, Run, Spent};

/// Executes `run MODEL` and returns the exit code.
pub(crate) fn run(args: &RunArgs) -> Exit {
    let mut loaded = match diagnostics::load(&args.model, args.time) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let wanted = Wanted {
        check: args.check,
        world: args.world.clone(),
        variants: args.variants.clone(),
        defines: args.defines.clone(),
    };
    let never = AtomicBool::new(false); // no handler is installed yet, so a signal ends the process
    let setup = checks::within(args.time, args.memory.limit(), &never, || {
        checks::setup(&mut loaded, &wanted)
    });
    let setup = match setup {
        Ok(Ok(setup)) => setup,
        Ok(Err(NoSetup::Call(call))) => return complain(&call),
        Ok(Err(NoSetup::Model(problems))) => return diagnostics::wrong(&loaded, &problems),
        Err(spent) => return stopped(&spent),
    };
    let running = Running {
        args,
        setup: &setup,
        seed: args.seed.unwrap_or_else(draw_seed),
        loaded: &loaded,
    };
    if args.by_hand {
        stepping::by_hand(&running)
    } else {
        let interrupted = interrupt::listen(|| {});
        interruptible(args, &interrupted, || at_random(&running, &interrupted))
    }
}

/// The model, the setup and the seed of a run.
pub(crate) struct Running<'a> {
    pub(crate) args: &'a RunArgs,
    pub(crate) loaded: &'a Loaded,
    pub(crate) setup: &'a Setup,
    pub(crate) seed: u64,
}

impl Running<'_> {
    /// The name of the model file, with its world and variants, such as `ring.scrut with Careless`.
    pub(crate) fn name(&self) -> String {
        let file = self.loaded.sources.name(self.loaded.file);
        format!("{file}{}", self.setup.name)
    }

    /// The same name for stored runs, without the folders of an absolute path.
    pub(crate) fn portable_name(&self) -> String {
        format!("{}{}", self.loaded.portable_name(), self.setup.name)
    }

    /// The Machine for one instance; prints the diagnostics if there is none.
    pub(crate) fn lower(&self, request: &Request) -> Result<Lowered, Exit> {
        let lowered = self.setup.lower(self.loaded, request);
        lowered.map_err(|problems| diagnostics::wrong(self.loaded, &problems))
    }

    /// The folder in which runs of this model are stored.
    pub(crate) fn folder(&self) -> PathBuf {
        let folder = checks::out_folder(&self.args.out, self.loaded);
        checks::mark_folder(&folder, &self.loaded.path());
        folder
    }

    /// Reports why there is no initial state.
    pub(crate) fn refuse(&self, lowered: &Lowered, why: simulate::NoInitial) -> Exit {
        if why == simulate::NoInitial::Interrupted {
            anstream::println!("  stopped before a state was found that can begin a run");
            return Exit::Unknown;
        }
        let problem = self.setup.refused(self.loaded, lowered, why);
        diagnostics::wrong(self.loaded, &[problem])
    }
}

/// Calls `then` with a budget that ends after a time, if there is a limit of time, and at Ctrl-C.
pub(crate) fn until_interrupted<T>(
    interrupted: &AtomicBool,
    time: Option<Duration>,
    then: impl FnOnce(&Limits<'_>) -> T,
) -> T {
    let mut silent = |_: &verdict::Progress| {};
    then(&Limits {
        since: Instant::now(),
        time,
        memory: None,
        threads: 1,
        solver: crate::SOLVER,
        storage: None,
        interrupted,
        watcher: RefCell::new(&mut silent),
        token: None,
        files: None,
    })
}

/// The exit code for a run. `interrupted` says whether the user ended it.
pub(crate) fn exit_of(run: &Run, interrupted: bool) -> Exit {
    match run.ending {
        Ending::Error(_) => Exit::Bad,
        _ if interrupted => Exit::Unknown,
        _ => Exit::Good,
    }
}

/// Executes work that returns soon after a limit or a signal, with the run so far. If the work does not return, it is cancelled.
pub(crate) fn interruptible(
    args: &RunArgs,
    interrupted: &AtomicBool,
    work: impl FnOnce() -> Exit,
) -> Exit {
    let work = || {
        checks::acknowledge();
        work()
    };
    let done = checks::within(args.time, args.memory.limit(), interrupted, work);
    done.unwrap_or_else(|spent| stopped(&spent))
}

/// Reports a limit before there is a run.
fn stopped(spent: &Spent) -> Exit {
    anstream::println!("  stopped: {}", report::spent(spent));
    Exit::Unknown
}

fn at_random(running: &Running<'_>, interrupted: &AtomicBool) -> Exit {
    let args = running.args;
    let mut rng = Rng(running.seed);
    let requests = &running.setup.requests;
    let request = &requests[rng.below(requests.len())];
    let lowered = match running.lower(request) {
        Ok(lowered) => lowered,
        Err(exit) => return exit,
    };
    let words = Words {
        machine: &lowered.machine,
        labels: &lowered.labels,
    };
    let what = |name: String| format!("a random run of {name}, seed {}", running.seed);
    anstream::println!("{}", what(running.name()));
    let walked = until_interrupted(interrupted, args.time, |limits| {
        simulate::walk(words.machine, &mut rng, args.steps, limits)
    });
    let (run, spent) = match walked {
        Ok(walked) => walked,
        Err(why) => return running.refuse(&lowered, why),
    };
    let part = match AuditedRun::of_run(words.machine, &run) {
        Ok(part) => part,
        Err(why) => return impossible(&why.to_string()),
    };
    let labels = &lowered.labels.in_instance(words.machine, &run.frozen);
    let words = Words { labels, ..words };
    let replayed = replayed(words, &run, &part);
    let place = place(all_settings(running.loaded, request), words, &run);
    if !place.is_empty() {
        anstream::println!("  with {place}");
    }
    for line in story(&replayed) {
        anstream::println!("  {line}");
    }
    if let Some(line) = open_end(&run) {
        let why = match &spent {
            Some(Spent::Interrupted) => " by Ctrl-C".to_string(),
            Some(spent) => format!(": {}", report::spent(spent)),
            None => format!("; --steps {} goes further", args.steps.saturating_mul(2)),
        };
        anstream::println!("  {line}{why}");
    }
    let file = RunFile::of_run(
        title(&what(running.portable_name()), &place),
        &lowered,
        &run,
    );
    let exit = exit_of(&run, spent.is_some());
    let stored = store(&file, &replayed, &running.folder().join("random.run"));
    let stored = stored.map(|line| lines::aside(&line));
    let stored = stored.map_err(|error| error.why);
    let drawn = draw(&args.pictures, &replayed, &file.title, None);
    [stored, drawn]
        .into_iter()
        .fold(exit, |exit, done| match done {
            Ok(()) => exit,
            Err(error) => exit.and(complain(&error)),
        })
}

/// Reports that a run cannot be replayed, which is a bug of this program.
pub(crate) fn impossible(why: &str) -> Exit {
    complain(&format!(
        "the run does not stand up to a second look ({why}); this is a bug in Scrutineer, please report it with \
         the model"
    ))
}

/// A random seed that is short enough to type.
pub(crate) fn draw_seed() -> u64 {
    RandomState::new().hash_one(0) % 100_000
}
