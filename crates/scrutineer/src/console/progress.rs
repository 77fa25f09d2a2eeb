//! The progress line on a terminal. Nothing is printed if standard error is no terminal.
//!
//! The rate is computed over the last seconds. If the levels of a search have become smaller for some time, the line
//! also estimates the number of states left. Otherwise it may estimate how long the memory lasts.

use std::collections::VecDeque;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};
use verdict::Progress;

/// The time between two updates of the line.
const INTERVAL: Duration = Duration::from_millis(200);

/// The number of updates over which the rate is computed.
const RECENT: usize = 25;

/// The least running time of a check at which the line estimates how long the memory lasts. The rate of the first
/// seconds is a poor estimate, and most searches end earlier.
const FORECAST_AFTER: Duration = Duration::from_secs(10);

/// Prints the progress of a check, a few times per second.
pub(crate) struct ProgressLine {
    title: String,
    on: bool,
    since: Instant,
    last: Option<Instant>,
    memory: Option<u64>,
    /// The times of the recent updates, with the number of states at each.
    recent: VecDeque<(Instant, u64)>,
}

impl ProgressLine {
    pub(crate) fn new(title: String, memory: Option<u64>) -> ProgressLine {
        ProgressLine {
            title,
            on: std::io::stderr().is_terminal(),
            since: Instant::now(),
            last: None,
            memory,
            recent: VecDeque::new(),
        }
    }

    pub(crate) fn update(&mut self, progress: &Progress) {
        if progress.transitions == 0 && progress.memory == 0 {
            return; // no work has been done yet
        }
        let Some(now) = self.is_time() else {
            return;
        };
        if progress.states == 0 && progress.transitions > 0 {
            let (depth, questions) = (progress.depth, count(progress.transitions));
            return self.write(&format!("depth {depth}, {questions} questions to a solver"));
        }
        let rate = self.rate(now, progress.states);
        let forecast = now - self.since >= FORECAST_AFTER;
        self.write(&line(progress, rate, self.memory, forecast));
    }

    /// Prints the progress of a simulation, which counts runs instead of states.
    pub(crate) fn runs(&mut self, progress: &Progress) {
        if self.is_time().is_some() {
            let (runs, events) = (count(progress.states), count(progress.transitions));
            self.write(&format!("{runs} runs, {events} events"));
        }
    }

    /// The current time, if an update of the line is due.
    fn is_time(&mut self) -> Option<Instant> {
        let now = Instant::now();
        let due = self.on && now - self.last.unwrap_or(self.since) >= INTERVAL;
        if due {
            self.last = Some(now);
        }
        due.then_some(now)
    }

    /// The number of states per second over the recent updates; `None` until it can be computed.
    fn rate(&mut self, now: Instant, states: u64) -> Option<f64> {
        if self
            .recent
            .back()
            .is_some_and(|(_, before)| *before > states)
        {
            self.recent.clear(); // another search has started
        }
        self.recent.push_back((now, states));
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
        let (then, before) = self.recent.front()?;
        let seconds = (now - *then).as_secs_f64();
        (seconds > 0.1).then(|| (states - before) as f64 / seconds)
    }

    /// Overwrites the line. It is cut off at the width of the terminal.
    fn write(&self, text: &str) {
        let title = &self.title;
        eprint!("\r\x1b[2K\x1b[?7l  … {title}: {text}\x1b[?7h");
        let _ = std::io::stderr().flush();
    }
}

/// The progress of a search as a line; with `forecast` also how long the memory lasts.
fn line(progress: &Progress, rate: Option<f64>, limit: Option<u64>, forecast: bool) -> String {
    let mut parts = Vec::new();
    if let Some((at, of)) = progress.arrangement {
        parts.push(format!("arrangement {at} of {of}"));
    }
    parts.push(format!("{} states", count(progress.states)));
    parts.extend(rate.map(|rate| format!("{}/s", count(rate as u64))));
    parts.push(format!("depth {}", progress.depth));
    parts.push(format!("{} to look at", count(progress.waiting)));
    let memory = progress.memory / 1_000_000;
    parts.push(match limit {
        Some(limit) => format!("{memory} of {} MB", limit / 1_000_000),
        None => format!("{memory} MB"),
    });
    if let Some(by) = progress.apart {
        parts.push(format!("counters grow apart, by more than {by}"));
    }
    let line = parts.join(", ");
    match rate.and_then(|rate| outlook(progress, rate, limit, forecast)) {
        Some(outlook) => format!("{line}; {outlook}"),
        None => line,
    }
}

/// An estimate of the states left, or of how long the memory lasts; `None` if there is none.
fn outlook(progress: &Progress, rate: f64, limit: Option<u64>, forecast: bool) -> Option<String> {
    let several = progress.arrangement.is_some();
    let each = progress.memory as f64 / progress.states.max(1) as f64;
    let room = limit.map(|limit| limit.saturating_sub(progress.memory) as f64);
    if let Some((least, most)) = progress.left
        && !several
        && room.is_none_or(|room| most as f64 * each < room)
    {
        let left = match count(least) == count(most) {
            true => count(most),
            false => format!("{} to {}", count(least), count(most)),
        };
        return Some(format!("about {left} states left"));
    }
    // If several frozen choices are searched one after the other, each starts with empty memory, so there is no
    // estimate.
    let seconds = room? / (each * rate);
    let lasts = forecast
        && seconds.is_finite()
        && seconds < 86_400.0
        && !several
        && progress.states > 10_000;
    lasts.then(|| format!("memory lasts for about {}", duration(seconds)))
}

/// A duration as text, such as `40 s`, `12 min` or `3 h`.
fn duration(seconds: f64) -> String {
    match seconds {
        ..90.0 => format!("{} s", seconds.ceil()),
        ..5400.0 => format!("{} min", (seconds / 60.0).round()),
        _ => format!("{} h", (seconds / 3600.0).round()),
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.last.is_some() {
            eprint!("\r\x1b[2K");
        }
    }
}

/// A number as text; a large one only approximately.
pub(crate) fn count(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{} thousand", number / 1000),
        _ => format!("{:.1} million", number as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn far() -> Progress {
        Progress {
            states: 2_000_000,
            waiting: 400_000,
            transitions: 9_000_000,
            depth: 14,
            memory: 100_000_000,
            ..Progress::default()
        }
    }

    #[test]
    fn the_memory_lasts_as_predicted() {
        assert_eq!(
            line(&far(), Some(100_000.0), Some(3_700_000_000), true),
            "2000 thousand states, 100 thousand/s, depth 14, 400 thousand to look at, 100 of 3700 MB; \
             memory lasts for about 12 min"
        );
        assert_eq!(
            line(&far(), Some(100_000.0), None, true),
            "2000 thousand states, 100 thousand/s, depth 14, 400 thousand to look at, 100 MB"
        );
        assert_eq!(outlook(&far(), 0.0, Some(3_700_000_000), true), None);
        let early = line(&far(), Some(100_000.0), Some(3_700_000_000), false);
        assert!(!early.contains("lasts"), "{early}");
    }

    #[test]
    fn the_remaining_states_are_estimated_where_possible() {
        let outlook_text = |left, limit| {
            let progress = Progress {
                left: Some(left),
                ..far()
            };
            outlook(&progress, 1e5, Some(limit), true)
        };
        assert_eq!(
            outlook_text((100_000, 900_000), 3_700_000_000).as_deref(),
            Some("about 100 thousand to 900 thousand states left")
        );
        assert_eq!(
            outlook_text((100_000, 900_000), 120_000_000).as_deref(),
            Some("memory lasts for about 4 s")
        );
    }

    /// If there are several arrangements, no estimate is shown, because the estimate is about one arrangement.
    #[test]
    fn the_arrangement_is_named() {
        let progress = Progress {
            arrangement: Some((3, 24)),
            left: Some((5, 6)),
            ..far()
        };
        assert_eq!(
            line(&progress, None, Some(3_700_000_000), true),
            "arrangement 3 of 24, 2000 thousand states, depth 14, 400 thousand to look at, 100 of 3700 MB"
        );
        assert_eq!(outlook(&progress, 1e5, Some(3_700_000_000), true), None);
    }

    #[test]
    fn counters_that_grow_apart_are_named() {
        let progress = Progress {
            apart: Some(127),
            ..far()
        };
        let line = line(&progress, None, None, true);
        assert!(
            line.ends_with(", counters grow apart, by more than 127"),
            "{line}"
        );
    }

    #[test]
    fn the_rate_is_that_of_late() {
        let mut progress = ProgressLine::new("check 1".into(), None);
        let begin = Instant::now();
        let at = |tenths: u64| begin + Duration::from_millis(100 * tenths);
        assert_eq!(progress.rate(at(0), 0), None);
        for tenths in 1..=50 {
            progress.rate(at(2 * tenths), 1_000 * tenths);
        }
        let rate = progress.rate(at(102), 51_000).expect("there is one");
        assert!((rate - 5_000.0).abs() < 1.0, "{rate}");
        for tenths in 52..=80 {
            progress.rate(at(2 * tenths), 51_000);
        }
        let rate = progress.rate(at(162), 51_000);
        assert_eq!(rate, Some(0.0), "what was long ago does not count");
        assert_eq!(progress.rate(at(164), 7), None, "another search");
    }
}
