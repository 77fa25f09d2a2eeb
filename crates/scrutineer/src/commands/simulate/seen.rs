//! The output of a simulation for one question: printed statistics and stored files.

use crate::commands::simulate::statistics::{Sorted, bars, percent, short};
use crate::console::lines;
use crate::console::lines::Mark;
use crate::results::runs::{default_settings, place, replayed, settings, store, title};
use crate::results::sentences::answer_text;
use crate::{Exit, complain};
use checks::{Loaded, RunFile, Seen, Simulated, Simulation, Tally};
use report::{Words, histogram};
use std::path::{Path, PathBuf};
use verdict::Answer;

/// The output for one question and one instance.
pub(crate) struct QuestionOutput<'a> {
    pub(crate) loaded: &'a Loaded,
    pub(crate) simulation: &'a Simulation,
    pub(crate) instance: &'a Simulated,
    pub(crate) asked: usize,
}

impl QuestionOutput<'_> {
    /// Prints the statistics, and writes the files into a folder. Returns the exit code.
    pub(crate) fn all(&self, out: &Path) -> Exit {
        let what = self.what();
        let seen = checks::judge_seen(self.loaded, self.simulation, self.instance, self.asked);
        let (contradicts, expected) = match seen {
            Seen::Nothing => (false, String::new()),
            Seen::Bad => (true, String::new()),
            Seen::Against(kind, value) => (
                true,
                format!(
                    ", but `expect` says {}",
                    answer_text(kind, value.map(|v| v.to_string()).as_deref())
                ),
            ),
        };
        let mark = if contradicts {
            Mark::Bad
        } else {
            Mark::Unknown
        };
        lines::verdict(mark, &format!("{what}{expected}"), &self.covers(), None);
        match self.is_sought() {
            true => self.sought(),
            false => self.plain(),
        }
        self.errors();
        let mut exit = if contradicts { Exit::Bad } else { Exit::Good };
        let stem = self.stem(out);
        for path in [stem.with_extension("run"), stem.with_extension("html")] {
            let _ = std::fs::remove_file(path); // an existing file belongs to an earlier simulation
        }
        if self.is_sought() {
            exit = exit.and(self.draw(&stem));
        }
        exit.and(self.store(&stem))
    }

    fn tally(&self) -> &Tally {
        &self.instance.tallies[self.asked]
    }

    fn text(&self) -> &str {
        &self.simulation.asked[self.asked].text
    }

    /// Whether the question is `least` or `greatest` of an argument, and some run was evaluated for it.
    fn is_sought(&self) -> bool {
        let tally = self.tally();
        self.simulation.greatest.is_some() && (!tally.values.is_empty() || tally.beyond > 0)
    }

    /// The name of the sought argument.
    fn sought_name(&self) -> &str {
        let sought = self.simulation.asked[self.asked].sought.as_ref();
        sought.map_or("x", |(name, _)| &name[..])
    }

    fn sought_word(&self) -> &'static str {
        match self.simulation.greatest {
            Some(true) => "greatest",
            _ => "least",
        }
    }

    /// The observation as a sentence.
    fn what(&self) -> String {
        let (text, tally, runs) = (self.text(), self.tally(), self.instance.runs);
        let check = &self.loaded.model.checks[self.simulation.number];
        let variants = check.variants.iter();
        let variants = variants.map(|v| &self.loaded.model.variants[v.index()].name[..]);
        let mut with = variants.collect::<Vec<_>>().join(" and ");
        if !with.is_empty() {
            with += ": ";
        }
        if self.is_sought() {
            return format!(
                "{with}{} {} for {text}",
                self.sought_word(),
                self.sought_name()
            );
        }
        match (self.simulation.asked[self.asked].possible, tally.hits) {
            (true, 0) => format!("{with}{text} was not reached in {runs} runs"),
            (true, hits) => format!("{with}{text} was reached in {hits} of {runs} runs"),
            (false, 0) => format!("{with}{text} did not fail in {runs} runs"),
            (false, hits) => format!("{with}{text} failed in {hits} of {runs} runs"),
        }
    }

    /// The parameter values and the length of the runs, as text.
    fn covers(&self) -> String {
        let mut parts = Vec::new();
        let check = &self.loaded.model.checks[self.simulation.number];
        if let Some(world) = check.world {
            parts.push(format!(
                "in {}",
                self.loaded.model.worlds[world.index()].name
            ));
        }
        let set = settings(&self.instance.request);
        let is_open = |name: &str| self.instance.open.iter().any(|open| open == name);
        let open = default_settings(self.loaded, &self.instance.request, is_open);
        parts.extend([set, open].into_iter().filter(|s| !s.is_empty()));
        parts.push(format!("at most {} events", self.instance.steps));
        parts.join(", ")
    }

    fn plain(&self) {
        let (tally, runs) = (self.tally(), self.instance.runs);
        let judged = runs - tally.undecided;
        if tally.undecided > 0 {
            lines::detail(&format!(
                "{} of them went on at the end, and the claim is about what they do later: they say nothing",
                tally.undecided
            ));
        }
        if judged == 0 {
            return;
        }
        let (low, high) = simulate::confidence(tally.hits, judged);
        let share = percent(tally.hits as f64 / judged as f64);
        let possible = self.simulation.asked[self.asked].possible;
        let does = if possible { "reach it" } else { "fail" };
        lines::detail(&match tally.hits {
            0 => format!(
                "with 95 % confidence at most {} of such runs {does}",
                percent(high)
            ),
            _ => format!(
                "{share}; with 95 % confidence {} to {} of such runs {does}",
                percent(low),
                percent(high)
            ),
        });
    }

    fn sought(&self) {
        let (tally, name) = (self.tally(), self.sought_name());
        if !self.simulation.times {
            self.sought_values();
        }
        let unit = self.unit();
        let settled = Sorted::new(tally.settled.clone());
        let first = self.first_value();
        if let Some(line) = settled.line("by", "latest") {
            lines::detail(&format!(
                "with {name} = {first} it stays true from ({unit}): {line}"
            ));
            for line in bars(&settled.bins()) {
                lines::detail(&format!("  {line}"));
            }
        }
        match (tally.unsettled, tally.settled.is_empty()) {
            (0, _) => {}
            (_, true) if self.simulation.times => lines::detail(&format!(
                "with {name} = {first} it stays true in no run: the runs say nothing about the {} {name}",
                self.sought_word()
            )),
            (unsettled, _) => lines::detail(&format!(
                "with {name} = {first} it is false at the end of {}",
                lines::many(unsettled, "run")
            )),
        }
    }

    /// Prints a histogram of the values that the runs allow. Not called for times, for which no single values are
    /// evaluated.
    fn sought_values(&self) {
        let (tally, name) = (self.tally(), self.sought_name());
        let word = self.sought_word();
        lines::detail(&format!("the {word} {name} that a run allows:"));
        for line in bars(&self.value_bins()) {
            lines::detail(&format!("  {line}"));
        }
        if let Some(line) = self.values().line("at most", "most") {
            lines::detail(&line);
        }
        if let Some(value) = tally.kept.as_ref().and_then(|kept| kept.value) {
            let bound = match self.simulation.greatest {
                Some(true) => format!("at most {}", value - 1),
                _ => format!("at least {}", value + 1),
            };
            lines::detail(&format!(
                "a run breaks it for {name} = {value}: the {word} {name} for all runs is {bound}"
            ));
        }
    }

    /// The first value that is evaluated.
    fn first_value(&self) -> i64 {
        self.tally().first
    }

    fn unit(&self) -> String {
        let machine = &self.instance.lowered.machine;
        match (machine.has_time(), &self.instance.lowered.labels.unit) {
            (true, Some(unit)) => unit.clone(),
            (true, None) => "time".into(),
            (false, _) => "events".into(),
        }
    }

    fn values(&self) -> Sorted {
        let values = self.tally().values.iter();
        let all =
            values.flat_map(|(value, count)| std::iter::repeat_n(*value as f64, *count as usize));
        Sorted::new(all.collect())
    }

    /// For each value the number of runs that allow it as their first value.
    fn value_bins(&self) -> Vec<(String, u64)> {
        let tally = self.tally();
        let ends = tally.values.keys().next().zip(tally.values.keys().last());
        let mut bins: Vec<(String, u64)> = match ends {
            Some((low, high)) => (*low..=*high)
                .map(|value| {
                    let count = tally.values.get(&value).copied().unwrap_or(0);
                    (value.to_string(), count)
                })
                .collect(),
            None => Vec::new(),
        };
        if tally.beyond > 0 {
            bins.push(("none".into(), tally.beyond));
        }
        bins
    }

    fn errors(&self) {
        let (tally, runs) = (self.tally(), self.instance.runs);
        if tally.errors > 0 {
            lines::detail(&format!(
                "{} of {runs} runs ended in an error of the model before",
                tally.errors
            ));
        }
    }

    /// The path, without extension, of the files about this question.
    fn stem(&self, out: &Path) -> PathBuf {
        let text = self.text().chars();
        let mut name: String = match self.simulation.asked[self.asked].possible {
            true => "possible".into(),
            false => text
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect(),
        };
        if self.simulation.instances.len() > 1 || self.simulation.spent.is_some() {
            for (param, value) in &self.instance.request.set {
                let value = value.split_whitespace().collect::<String>();
                name += &format!("-{param}-{}", value.replace('/', "over"));
            }
        }
        let folder = checks::out_folder(out, self.loaded);
        folder.join(format!("simulated-{}-{name}", self.simulation.number + 1))
    }

    /// Marks the folder of the files as the folder of the model, and creates it if it does not exist.
    fn mark(&self, stem: &Path) {
        if let Some(folder) = stem.parent() {
            checks::mark_folder(folder, &self.loaded.path());
        }
    }

    /// Writes the histograms as files.
    fn draw(&self, stem: &Path) -> Exit {
        let (text, name) = (self.text(), self.sought_name());
        let word = self.sought_word();
        let runs = self.instance.runs;
        let place = self.covers();
        let settled = Sorted::new(self.tally().settled.clone());
        let values = histogram(
            &format!("The {word} {name} that a run allows: {text}, {place}, {runs} runs"),
            name,
            &self.value_bins(),
            &[],
        );
        let mut drawn = match self.simulation.times {
            true => Vec::new(),
            false => vec![("values", values)],
        };
        if settled.line("by", "latest").is_some() {
            let marks = [("median", 0.5), ("95 %", 0.95)].map(|(label, share)| report::Mark {
                at: settled.place(settled.quantile(share)),
                label: format!("{label}: {}", short(settled.quantile(share))),
            });
            let title = format!(
                "From when on {text} stays true with {name} = {}: {place}, {runs} runs",
                self.first_value()
            );
            let times = histogram(&title, &self.unit(), &settled.bins(), &marks);
            drawn.push(("settled", times));
        }
        if drawn.is_empty() {
            return Exit::Good;
        }
        self.mark(stem);
        let mut paths = Vec::new();
        for (what, svg) in drawn {
            let file = stem.file_name().unwrap_or_default().to_string_lossy();
            let path = stem.with_file_name(format!("{file}-{what}.svg"));
            if let Err(error) = checks::write_whole(&path, &svg) {
                return complain(&error);
            }
            paths.push(path.display().to_string());
        }
        lines::aside(&format!("  histograms: {}", paths.join(", ")));
        Exit::Good
    }

    /// Stores the run to show, if there is one.
    fn store(&self, stem: &Path) -> Exit {
        let (Some(kept), instance) = (&self.tally().kept, self.instance) else {
            return Exit::Good;
        };
        if let Answer::Unknown(why) = &kept.answer {
            return complain(&report::reason(why, &instance.lowered.labels));
        }
        let (Some(run), Some(part)) = (kept.answer.run(), &instance.parts[self.asked]) else {
            return Exit::Good;
        };
        let machine = &instance.lowered.machine;
        let labels = &instance.lowered.labels.in_instance(machine, &run.frozen);
        let words = Words { machine, labels };
        let what = match (&kept.answer, kept.value) {
            (Answer::Error(_), _) => format!("{}: error in run {}", self.text(), kept.number),
            (Answer::Possible(_), _) => format!("{} reached in run {}", self.text(), kept.number),
            (_, Some(value)) => format!(
                "{} fails for {} = {value} in run {}",
                self.text(),
                self.sought_name(),
                kept.number
            ),
            _ => format!("{} fails in run {}", self.text(), kept.number),
        };
        let replayed_run = replayed(words, run, part);
        let place = place(settings(&instance.request), words, run);
        let fair = !self.loaded.model.checks[self.simulation.number].unfair;
        let file = RunFile::new(
            title(&format!("{what} of a simulation"), &place),
            self.text().to_string(),
            fair,
            kept.property,
            &instance.lowered,
            &kept.answer,
        );
        let Some(file) = file else {
            return Exit::Good;
        };
        let events = match run.choices.len() {
            0 => "at the start".to_string(),
            1 => "after 1 event".into(),
            count => format!("after {count} events"),
        };
        lines::detail(&format!("{what}, {events}"));
        self.mark(stem);
        match store(&file, &replayed_run, &stem.with_extension("run")) {
            Ok(line) => lines::aside(&format!("  {line}")),
            Err(error) => return complain(&error.why),
        }
        Exit::Good
    }
}
