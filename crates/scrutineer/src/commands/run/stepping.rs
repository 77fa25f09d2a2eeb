//! `run --by-hand`: the user picks the events one by one.

use crate::commands::run::choosing;
use crate::commands::run::offering::{Offer, SHOWN, is_number, print_lines};
use crate::commands::run::{Running, exit_of, impossible, interruptible, until_interrupted};
use crate::console::lines;
use crate::console::question::{Console, Input};
use crate::results::runs::{all_settings, draw, place, replayed, store, title};
use crate::{Exit, complain};
use checks::{AuditedRun, RunFile};
use lower::Lowered;
use machine::random::Rng;
use machine::{Choice, RunError, State};
use report::{Next, ReplayedRun, Words, state, state_after, story, story_since};
use simulate::{Moments, NotThen, Stepper};
use std::path::{Path, PathBuf};
use verdict::Run;

const HELP: &str = "\
a number [TIME]  lets that happen, where there are times at that time or as early as can be
r, random [K]    lets something happen at random, once or K times
u, undo [K]      takes the last event back, or the last K
s, state         what everybody has, and what is on the way; * marks what the last event changed
story            everything so far
Enter            lists again what can happen
more             lists what did not fit on the screen
save [FILE]      stores the run so far; `scrutineer show FILE` tells it again
q, quit          ends; what was not saved is stored, too";

/// Executes `run MODEL --by-hand` and returns the exit code.
pub(crate) fn by_hand(running: &Running<'_>) -> Exit {
    let (name, seed) = (running.name(), running.seed);
    anstream::println!("{name} by hand, seed {seed}; `help` lists the commands");
    let console = Console::open();
    interruptible(running.args, console.flag(), || {
        walk(running, &console).unwrap_or_else(|exit| exit)
    })
}

fn walk(running: &Running<'_>, console: &Console) -> Result<Exit, Exit> {
    let mut rng = Rng(running.seed);
    let request = choosing::request(running, console, &mut rng)?;
    let lowered = running.lower(&request)?;
    let (frozen, initial) = choosing::beginning(running, console, &mut rng, &lowered)?;
    let labels = &lowered.labels.in_instance(&lowered.machine, &frozen);
    let words = Words {
        machine: &lowered.machine,
        labels,
    };
    let mut hand = Hand {
        running,
        console,
        rng,
        settings: all_settings(running.loaded, &request),
        lowered: &lowered,
        words,
        walk: Stepper::begin(words.machine, frozen, initial),
        saved: None,
    };
    Ok(hand.all())
}

/// What follows a command of the user.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    /// List the enabled events, because they have changed.
    List,
    /// Ask for the next command.
    Ask,
    /// End the run, because the user asks for it.
    End,
}

struct Hand<'a> {
    running: &'a Running<'a>,
    console: &'a Console,
    rng: Rng,
    settings: String,
    lowered: &'a Lowered,
    words: Words<'a>,
    walk: Stepper<'a>,
    /// The run as it was last saved.
    saved: Option<Run>,
}

impl Hand<'_> {
    fn all(&mut self) -> Exit {
        let place = self.place();
        if !place.is_empty() {
            anstream::println!("  with {place}");
        }
        self.print_rendering(story); // the story of a run without events is its initial state
        let mut offer = self.offer();
        self.list(&mut offer);
        loop {
            let then = match self.console.ask() {
                Input::Line(text) => self.execute(&text, &mut offer),
                Input::End => return self.end(false),
                Input::Interrupt => return self.end(true),
            };
            match then {
                _ if self.console.interrupted() => return self.end(true),
                Action::Ask => {}
                Action::List => {
                    offer = self.offer();
                    self.list(&mut offer);
                }
                // If the run cannot be stored, the error is printed, and the user can save it elsewhere.
                Action::End => match self.store_unsaved() {
                    Ok(kept) => return self.drawn(exit_of(self.walk.run(), false).and(kept)),
                    Err(error) => {
                        complain(&error);
                        reply(
                            "`save FILE` puts it elsewhere; the end of input (Ctrl-D) ends without",
                        );
                    }
                },
            }
        }
    }

    /// Executes a command of the user.
    fn execute(&mut self, text: &str, offer: &mut Offer<'_, usize>) -> Action {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match word {
            "" => {
                *offer = self.offer();
                self.list(offer);
                Action::Ask
            }
            "more" => {
                self.list(offer);
                Action::Ask
            }
            "r" | "random" => self.counted(rest, Hand::at_random),
            "u" | "undo" => self.counted(rest, Hand::undo),
            "s" | "state" => {
                self.state();
                Action::Ask
            }
            "story" => self.print_rendering(story),
            "save" => {
                self.save(rest);
                Action::Ask
            }
            "h" | "help" | "?" => {
                HELP.lines().for_each(|line| anstream::println!("  {line}"));
                Action::Ask
            }
            "q" | "quit" | "exit" => Action::End,
            number if is_number(number) && (rest.is_empty() || self.has_times()) => {
                match offer.numbered(number) {
                    Ok(choice) => self.take(choice, rest),
                    Err(_) if self.walk.next().is_empty() => self.over(),
                    Err(why) => reply(&why),
                }
            }
            _ => reply(&format!(
                "`{text}` is neither a number nor a command; `help` lists them"
            )),
        }
    }

    fn has_times(&self) -> bool {
        !self.walk.next().is_empty() && self.walk.moments(0).is_some()
    }

    /// Fires one of the listed events at a given time, or as early as possible if `time` is empty.
    fn take(&mut self, choice: usize, time: &str) -> Action {
        let labels = self.words.labels;
        let from = self.walk.run().choices.len();
        if time.is_empty() {
            self.walk.take(choice);
        } else {
            let time = time.strip_prefix("at ").unwrap_or(time);
            let Some(time) = simulate::read_time(time, labels.unit.as_deref()) else {
                let zero = labels.time(&Default::default());
                return reply(&format!(
                    "`{time}` is not a time; times are written like {zero}"
                ));
            };
            if let Err(NotThen(moments)) = self.walk.take_at(choice, time) {
                return reply(&format!("that can happen {}", self.when(&moments)));
            }
        }
        if let Some(time) = &self.walk.run().choices[from].time {
            anstream::println!("  {}", labels.time(time));
        }
        self.print_rendering(|replayed| story_since(replayed, from));
        Action::List
    }

    /// The interval in which an event is enabled, as text.
    fn when(&self, (from, to): &Moments) -> String {
        let labels = self.words.labels;
        let from = labels.time(from);
        match to.as_ref().map(|to| labels.time(to)) {
            Some(to) if to == from => format!("at {from}"),
            Some(to) => format!("from {from} to {to}"),
            None => format!("from {from} on"),
        }
    }

    /// Performs an action once, or as many times as `times` says.
    fn counted(&mut self, times: &str, act: fn(&mut Self, usize) -> Action) -> Action {
        match times {
            "" => act(self, 1),
            times => match times.parse() {
                Ok(0) | Err(_) => reply(&format!("`{times}` is not a number of events")),
                Ok(times) => act(self, times),
            },
        }
    }

    fn at_random(&mut self, times: usize) -> Action {
        if self.walk.next().is_empty() {
            return self.over();
        }
        let from = self.walk.run().choices.len();
        let (walk, rng) = (&mut self.walk, &mut self.rng);
        let flag = self.console.flag();
        until_interrupted(flag, None, |limits| walk.at_random(rng, times, limits));
        let length = self.walk.run().choices.len();
        let shown = from.max(length.saturating_sub(SHOWN));
        if from < shown {
            let before = shown - from;
            anstream::println!("  … {before} events, which `story` tells; then");
        }
        self.print_rendering(|replayed| story_since(replayed, shown));
        Action::List
    }

    fn undo(&mut self, times: usize) -> Action {
        let mut back = 0;
        while back < times && self.walk.undo() {
            back += 1;
        }
        match back {
            0 => return reply("nothing has happened yet, so nothing can be taken back"),
            1 => anstream::println!("  took the last event back"),
            _ => anstream::println!("  took the last {back} events back"),
        }
        Action::List
    }

    /// Reports that no event is enabled.
    fn over(&self) -> Action {
        reply("the run is over: `undo` goes back, `quit` ends")
    }

    /// The indices of the enabled events, as a list to pick from.
    fn offer<'o>(&self) -> Offer<'o, usize> {
        Offer::all((0..self.walk.next().len()).collect())
    }

    /// Lists the next page of the enabled events.
    fn list(&mut self, offer: &mut Offer<'_, usize>) {
        if self.walk.next().is_empty() {
            self.over();
            return;
        }
        let next = self.walk.next().iter();
        let choices: Vec<(Choice, Result<State, RunError>)> = next
            .map(|choice| (choice.clone(), self.walk.after(choice)))
            .collect();
        let next = Next {
            words: self.words,
            frozen: &self.walk.run().frozen,
            so_far: &self.walk.run().choices,
            now: self.walk.states().last().expect("a state"),
            choices: &choices,
        };
        let lines = next.lines().into_iter().enumerate();
        let lines: Vec<String> = lines
            .map(|(choice, line)| match self.walk.moments(choice) {
                Some(moments) => format!("{line}   {}", self.when(&moments)),
                None => line,
            })
            .collect();
        if offer.is_fresh() {
            let when = match self.walk.run().choices.len() {
                0 => "What happens first?".to_string(),
                count => format!("What happens next? (event {})", count + 1),
            };
            lines::question(&when);
        }
        print_lines(&offer.lines(|choice| lines[*choice].clone(), &mut self.rng));
    }

    fn state(&self) {
        let lines = match self.walk.states() {
            [only] => state(self.words, only)
                .into_iter()
                .map(|line| (false, line))
                .collect(),
            [.., before, after] => state_after(self.words, before, after),
            [] => Vec::new(),
        };
        for (changed, line) in lines {
            anstream::println!("  {} {line}", if changed { "*" } else { " " });
        }
    }

    /// Replays the run so far and prints it in the form that `lines` gives.
    fn print_rendering(&self, lines: impl Fn(&ReplayedRun<'_>) -> Vec<String>) -> Action {
        match AuditedRun::of_run(self.words.machine, self.walk.run()) {
            Ok(part) => {
                let replayed = replayed(self.words, self.walk.run(), &part);
                for line in lines(&replayed) {
                    anstream::println!("  {line}");
                }
            }
            Err(why) => {
                impossible(&why.to_string());
            }
        }
        Action::Ask
    }

    fn place(&self) -> String {
        place(self.settings.clone(), self.words, self.walk.run())
    }

    fn file(&self) -> RunFile {
        let what = format!("a run of {} by hand", self.running.portable_name());
        let title = title(&what, &self.place());
        RunFile::of_run(title, self.lowered, self.walk.run())
    }

    /// Executes the command `save` or `save FILE`.
    fn save(&mut self, name: &str) {
        let path = match name {
            "" => self.free_path(),
            name => {
                let path = run_path(name);
                if path.symlink_metadata().is_ok() {
                    reply(&format!(
                        "{} exists; save it under another name",
                        path.display()
                    ));
                    return;
                }
                path
            }
        };
        match self.file().write(&path) {
            Ok(()) => {
                self.saved = Some(self.walk.run().clone());
                let path = path.display();
                anstream::println!("  saved; `scrutineer show {path}` tells it again");
            }
            Err(error) => {
                complain(&error.0);
            }
        }
    }

    /// The first file name of the form `by-hand-N.run` that does not exist.
    fn free_path(&self) -> PathBuf {
        let folder = self.running.folder();
        let mut numbers = (1..).map(|n| folder.join(format!("by-hand-{n}.run")));
        let free = numbers.find(|path: &PathBuf| !Path::exists(path));
        free.expect("there is always another number")
    }

    /// Stores the run if it has unsaved events. If only the HTML page cannot be written, this is reported and the run
    /// counts as saved.
    fn store_unsaved(&mut self) -> Result<Exit, String> {
        let run = self.walk.run();
        if run.choices.is_empty() || self.saved.as_ref() == Some(run) {
            return Ok(Exit::Good);
        }
        let part = AuditedRun::of_run(self.words.machine, run).map_err(|why| why.to_string())?;
        let replayed = replayed(self.words, run, &part);
        let kept = match store(&self.file(), &replayed, &self.free_path()) {
            Ok(line) => {
                lines::aside(&line);
                Exit::Good
            }
            Err(error) if error.but_the_run => complain(&error.why),
            Err(error) => return Err(error.why),
        };
        self.saved = Some(run.clone());
        Ok(kept)
    }

    /// Ends the program. If the run cannot be stored, prints it and reports the error.
    fn end(&mut self, interrupted: bool) -> Exit {
        let exit = exit_of(self.walk.run(), interrupted);
        match self.store_unsaved() {
            Ok(kept) => self.drawn(exit.and(kept)),
            Err(error) => {
                self.print_rendering(story);
                exit.and(complain(&error))
            }
        }
    }

    /// Writes the pictures that the call asks for. Returns the exit code.
    fn drawn(&self, exit: Exit) -> Exit {
        let run = self.walk.run();
        let part = match AuditedRun::of_run(self.words.machine, run) {
            Ok(part) => part,
            Err(why) => return impossible(&why.to_string()),
        };
        let replayed = replayed(self.words, run, &part);
        match draw(
            &self.running.args.pictures,
            &replayed,
            &self.file().title,
            None,
        ) {
            Ok(()) => exit,
            Err(error) => exit.and(complain(&error)),
        }
    }
}

/// The path for a file name that the user gives; `.run` is appended if it is missing.
fn run_path(name: &str) -> PathBuf {
    match Path::new(name).extension() {
        Some(ending) if ending == "run" => name.into(),
        _ => format!("{name}.run").into(),
    }
}

fn reply(line: &str) -> Action {
    anstream::println!("  {line}");
    Action::Ask
}
