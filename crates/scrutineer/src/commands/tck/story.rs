//! The story of a run: a line for each event, with its exact time.

use crate::console::lines;
use std::fmt::Display;
use tck::{Event, Named, Run, Situation};

/// The largest number of events of a story without `-v`; of a longer story the first and the last events are printed.
const MOST_EVENTS: usize = 60;

/// The largest number of listed values of a state.
const MOST_VALUES: usize = 40;

/// The largest width of the text before the effects of an event, in columns.
const WIDEST: usize = 70;

/// Prints a run.
pub(crate) fn print(run: &Run, whole: bool) {
    lines::detail(&format!("begins with  {}", start(run)));
    let number = run.events.len();
    let times: Vec<String> = run.events.iter().map(|e| e.time.to_string()).collect();
    let moves: Vec<String> = run.events.iter().map(moves).collect();
    let width = |texts: &[String]| texts.iter().map(|t| t.chars().count()).max().unwrap_or(0);
    let (time_width, move_width) = (width(&times), width(&moves).min(WIDEST));
    let number_width = number.to_string().len();
    for (place, event) in run.events.iter().enumerate() {
        if !whole && number > MOST_EVENTS {
            let left = MOST_EVENTS / 2;
            if place == left {
                let hidden = number - 2 * left;
                lines::detail(&format!("… {hidden} more events, which -v prints"));
            }
            if (left..number - left).contains(&place) {
                continue;
            }
        }
        let (time, moves) = (&times[place], &moves[place]);
        let line = format!(
            "{:>number_width$}  at {time:<time_width$}  {moves:<move_width$}   {}",
            place + 1,
            effects(event).join(", ")
        );
        lines::detail(line.trim_end());
    }
    lines::detail(&format!("{}  {}", ends(run), end(run)));
    if let Some(repetition) = repetition(run) {
        lines::detail(&repetition);
    }
}

fn ends(run: &Run) -> &'static str {
    match run.events.is_empty() {
        true => "is there   ",
        false => "ends with  ",
    }
}

/// The initial state in words.
pub(crate) fn start(run: &Run) -> String {
    situation(&run.start, false)
}

/// The last state in words.
pub(crate) fn end(run: &Run) -> String {
    situation(&run.end, true)
}

/// The locations and values of a state.
fn situation(state: &Situation, with_clocks: bool) -> String {
    let processes = state.locations.iter();
    let processes: Vec<String> = processes.map(|(p, l)| format!("{p} {l}")).collect();
    let mut parts = vec![listed(processes)];
    parts.push(values(&state.ints));
    if with_clocks {
        parts.push(values(&state.clocks));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("; ")
}

fn values<T: Display>(values: &[Named<T>]) -> String {
    let values = values
        .iter()
        .map(|(name, value)| format!("{name} = {value}"));
    listed(values.collect())
}

/// The texts with commas between them; at most the first `MOST_VALUES`.
fn listed(mut texts: Vec<String>) -> String {
    let more = texts.len().saturating_sub(MOST_VALUES);
    texts.truncate(MOST_VALUES);
    if more > 0 {
        texts.push(format!("… {more} more"));
    }
    texts.join(", ")
}

/// What the processes do in an event.
pub(crate) fn moves(event: &Event) -> String {
    let moves = event.moves.iter();
    let moves = moves.map(|m| format!("{} {}: {} → {}", m.process, m.event, m.source, m.target));
    moves.collect::<Vec<_>>().join(", ")
}

/// What an event changes: integer variables and clocks.
pub(crate) fn effects(event: &Event) -> Vec<String> {
    let changes = event.changes.iter();
    let changes = changes.map(|(name, (before, after))| format!("{name} {before} → {after}"));
    let assigned = event.assigned.iter();
    let assigned = assigned.map(|(name, value)| format!("{name} = {value}"));
    changes.chain(assigned).collect()
}

/// The text about the repetition of a cycle; `None` if the run has no cycle.
fn repetition(run: &Run) -> Option<String> {
    let (from, period) = (run.repeats_from?, run.period?.to_string());
    let events = lines::many((run.events.len() - from) as u64, "event");
    let takes = match &period[..] {
        "0" => "no time passes in them".to_string(),
        period => format!("here they take {period}"),
    };
    Some(format!(
        "from event {} on, the last {events} can repeat for ever; {takes}",
        from + 1
    ))
}
