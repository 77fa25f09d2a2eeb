//! One line of progress on a terminal, silent elsewhere.
//!
//! The rate is that of the last seconds. The line predicts the end only where a prediction is possible: if the levels
//! of a search have become smaller for some time, it estimates the number of states left; otherwise it reports how
//! long the memory lasts.

use std::collections::VecDeque;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};
use verdict::Progress;

/// The time between two lines.
const INTERVAL: Duration = Duration::from_millis(200);

/// The number of recent lines that determine the rate.
const RECENT: usize = 25;

/// Writes the progress of a check, a few times a second.
pub(crate) struct ProgressLine {
    title: String,
    on: bool,
    since: Instant,
    last: Option<Instant>,
    memory: Option<u64>,
    /// Recent times with the number of states at each.
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
            return; // a query of the budget before any work
        }
        let Some(now) = self.is_time() else {
            return;
        };
        if progress.states == 0 && progress.transitions > 0 {
            let (depth, questions) = (progress.depth, count(progress.transitions));
            return self.write(&format!("depth {depth}, {questions} questions to a solver"));
        }
        let rate = self.rate(now, progress.states);
        self.write(&line(progress, rate, self.memory));
    }

    /// The progress line of a simulation, which counts runs instead of states.
    pub(crate) fn runs(&mut self, progress: &Progress) {
        if self.is_time().is_some() {
            let (runs, events) = (count(progress.states), count(progress.transitions));
            self.write(&format!("{runs} runs, {events} events"));
        }
    }

    /// The current time, if another line is due.
    fn is_time(&mut self) -> Option<Instant> {
        let now = Instant::now();
        let due = self.on && now - self.last.unwrap_or(self.since) >= INTERVAL;
        if due {
            self.last = Some(now);
        }
        due.then_some(now)
    }

    /// The recent number of states per second; none while it is not known.
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

    /// Writes a line in place of the previous one, cut off at the width of the terminal.
    fn write(&self, text: &str) {
        let title = &self.title;
        eprint!("\r\x1b[2K\x1b[?7l  … {title}: {text}\x1b[?7h");
        let _ = std::io::stderr().flush();
    }
}

/// The progress of a search as a line, the most important number first.
fn line(progress: &Progress, rate: Option<f64>, limit: Option<u64>) -> String {
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
    let line = parts.join(", ");
    match rate.and_then(|rate| outlook(progress, rate, limit)) {
        Some(outlook) => format!("{line}; {outlook}"),
        None => line,
    }
}

/// The prediction of the end.
fn outlook(progress: &Progress, rate: f64, limit: Option<u64>) -> Option<String> {
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
    // Each of several searches begins with an empty memory.
    let seconds = room? / (each * rate);
    let lasts = seconds.is_finite() && seconds < 86_400.0 && !several && progress.states > 10_000;
    lasts.then(|| format!("memory lasts for about {}", duration(seconds)))
}

/// `40 s`, `12 min`, `3 h`.
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

/// A number with a readable magnitude.
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
            line(&far(), Some(100_000.0), Some(3_700_000_000)),
            "2000 thousand states, 100 thousand/s, depth 14, 400 thousand to look at, 100 of 3700 MB; \
             memory lasts for about 12 min"
        );
        assert_eq!(
            line(&far(), Some(100_000.0), None),
            "2000 thousand states, 100 thousand/s, depth 14, 400 thousand to look at, 100 MB"
        );
        assert_eq!(outlook(&far(), 0.0, Some(3_700_000_000)), None);
    }

    #[test]
    fn the_remaining_states_are_estimated_where_possible() {
        let outlook_text = |left, limit| {
            let progress = Progress {
                left: Some(left),
                ..far()
            };
            outlook(&progress, 1e5, Some(limit))
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

    /// The remaining states of one arrangement are not all remaining states.
    #[test]
    fn the_arrangement_is_named() {
        let progress = Progress {
            arrangement: Some((3, 24)),
            left: Some((5, 6)),
            ..far()
        };
        assert_eq!(
            line(&progress, None, Some(3_700_000_000)),
            "arrangement 3 of 24, 2000 thousand states, depth 14, 400 thousand to look at, 100 of 3700 MB"
        );
        assert_eq!(outlook(&progress, 1e5, Some(3_700_000_000)), None);
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
