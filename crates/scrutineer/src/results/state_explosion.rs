//! The state-explosion diagnosis, as lines of a report and as data: which components multiply the number of states, and
//! what may help.

use checks::{InstanceReport, Loaded};
use serde_json::{Value, json};
use verdict::{Component, CountersApart, Spent, StateExplosion};

/// The largest number of multipliers that are printed.
const MAX_MULTIPLIERS: usize = 4;

/// The least number of messages on a channel that is reported as possibly unbounded.
const LONG_CHANNEL: u64 = 8;

/// The least number of messages on a channel for which more time or memory is no longer proposed.
const ENDLESS_CHANNEL: u64 = 100;

/// Whether an instance probably has infinitely many states, so that no limit is large enough.
pub(crate) fn is_endless(instance: &InstanceReport) -> bool {
    let findings = &instance.report.findings;
    let longest = findings.longest.map_or(0, |(_, length)| length);
    findings.apart.is_some() || longest >= ENDLESS_CHANNEL
}

/// The diagnosis of an instance as lines of text; empty if there is none.
pub(crate) fn lines(loaded: &Loaded, instance: &InstanceReport) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(big) = &instance.report.findings.state_explosion {
        // Counters that grow apart make the number of states infinite, whatever the other components are.
        if instance.report.findings.apart.is_none() {
            lines.extend(multipliers(instance, big));
        }
    }
    lines.extend(helps(loaded, instance));
    if instance.report.findings.omission.is_some() {
        lines.push(
            "to be sure: `--store compressed` misses no state, and takes little more memory".into(),
        );
    }
    lines
}

/// The line about the multipliers, such as `what multiplies the states: got (×61), missed (×14)`; `None` if there are
/// none.
fn multipliers(instance: &InstanceReport, big: &StateExplosion) -> Option<String> {
    let all = big.multipliers.iter().take(MAX_MULTIPLIERS);
    let all = all.map(|one| {
        let factor = factor(one.hundredths);
        format!("{} (×{factor})", name(instance, &one.what))
    });
    let all: Vec<String> = all.collect();
    let measured = match 0 < big.measured && big.measured < big.of {
        true => format!("; measured on the first {} states", big.measured),
        false => String::new(),
    };
    let all = all.join(", ");
    (!all.is_empty()).then(|| format!("what multiplies the states: {all}{measured}"))
}

/// Lines about what may help for this model.
fn helps(loaded: &Loaded, instance: &InstanceReport) -> Vec<String> {
    let mut helps = Vec::new();
    helps.extend(instance.report.findings.apart.as_ref().map(apart));
    let growing = growing(instance);
    let Some(big) = &instance.report.findings.state_explosion else {
        helps.extend(growing);
        return helps;
    };
    let smaller = checks::smaller(loaded, instance);
    let smaller: Vec<String> = smaller
        .iter()
        .map(|s| format!("{} = {} instead of {} ({})", s.name, s.to, s.from, s.what))
        .collect();
    if !smaller.is_empty() {
        helps.push(format!("what would help: {}", smaller.join(", or ")));
    }
    // The savings by symmetry reduction or partial-order reduction are not measured, so they are not reported.
    let first = big.multipliers.first();
    if let Some(Component::Variable { .. }) = first.map(|one| &one.what)
        && let Some(one) = first.filter(|one| one.hundredths >= 400)
    {
        helps.push(format!(
            "where `{}` is no longer read, set it to one value: states that differ in nothing else are then one",
            name(instance, &one.what)
        ));
    }
    helps.extend(growing);
    helps.extend(more(instance, big));
    helps
}

/// The line about counters that grow apart.
fn apart(apart: &CountersApart) -> String {
    let names: Vec<String> = { apart.counters.iter() }
        .map(|(name, of)| format!("`{name}` of {of}"))
        .collect();
    format!(
        "counters grow apart: of {} two already differ by more than {}; if nothing ends that the states never end: let each \
         counter follow the others, such as by `max`",
        names.join(", "),
        apart.by
    )
}

/// A line about how much memory or time may be enough, if this can be estimated.
fn more(instance: &InstanceReport, big: &StateExplosion) -> Option<String> {
    let counts = &instance.report.counts;
    if let Some((least, most)) = big.left {
        let left = match rough(least) == rough(most) {
            true => format!("about {}", rough(most)),
            false => format!("about {} to {}", rough(least), rough(most)),
        };
        let each = counts.memory as f64 / counts.states.max(1) as f64;
        let bytes = (counts.states + most) as f64 * each * 1.5;
        let enough = match &big.spent {
            Spent::Memory(_) => format!("; `--memory {}` would be enough", option(bytes)),
            _ => String::new(),
        };
        return Some(format!(
            "levels have become smaller: if that goes on {left} states are left{enough}"
        ));
    }
    let what = match &big.spent {
        Spent::Memory(_) => "memory",
        Spent::Time(_) => "time",
        Spent::Interrupted | Spent::Brief | Spent::States(_) => return None,
    };
    let growth = big.growth().filter(|growth| *growth >= 110)?;
    let deeper = 2f64.ln() / (growth as f64 / 100.0).ln();
    let deeper = match deeper.round() as u64 {
        _ if deeper < 0.9 => "not even one event deeper".to_string(),
        1 => "about one event deeper".to_string(),
        many => format!("about {many} events deeper"),
    };
    Some(format!(
        "one more event multiplies the states by about {}: with twice the {what} the search would come {deeper}",
        factor(growth)
    ))
}

/// A line about a channel that may be unbounded; `None` if all channels are short.
fn growing(instance: &InstanceReport) -> Option<String> {
    let (edge, length @ LONG_CHANNEL..) = instance.report.findings.longest? else {
        return None;
    };
    let (from, to) = instance.lowered.machine.edges[edge.index()];
    let labels = &instance.lowered.labels;
    let (from, to) = (labels.node(from), labels.node(to));
    Some(format!(
        "at the end {length} messages were on the way from {from} to {to}: \
         does that grow without end? Count what is sent in a variable, or bound it by `channel fifo(c)`, where a \
         sender waits while the channel is full"
    ))
}

/// The name of a component of the state in the words of the model.
fn name(instance: &InstanceReport, what: &Component) -> String {
    let machine = &instance.lowered.machine;
    let several = machine.kinds.len() > 1;
    let whose = |word: &str, kind: &str| match several {
        true => format!(" {word} {kind}"),
        false => String::new(),
    };
    match what {
        Component::Variable { kind, name } => {
            let same = machine.vars.iter().filter(|var| var.name == *name).count();
            match same > 1 {
                true => format!("{name} of {kind}"),
                false => name.clone(),
            }
        }
        Component::Mode(kind) => {
            format!("who has begun, halted or crashed{}", whose("of", kind))
        }
        Component::Outbox(kind) => format!("messages not yet on the way{}", whose("from", kind)),
        Component::Inbox(kind) => format!("inbox{}", whose("of", kind)),
        Component::Channel { from, to } => {
            let from = whose("from", from);
            format!("messages on the way{from}{}", whose("to", to))
        }
        Component::Channels => "all messages on the way".into(),
        Component::Arrangements if machine.ids > 0 => "arrangements of ids".into(),
        Component::Arrangements => "choices of what never changes".into(),
        Component::Faults => "faults that are left".into(),
        Component::Pace => "whose turn it can be".into(),
        Component::Clocks => "clocks".into(),
    }
}

/// The diagnosis of an instance as JSON; null if there is none.
pub(crate) fn data(loaded: &Loaded, instance: &InstanceReport) -> Value {
    let Some(big) = &instance.report.findings.state_explosion else {
        return Value::Null;
    };
    let multipliers = big.multipliers.iter().map(|one| {
        json!({
            "what": name(instance, &one.what),
            "factor": one.hundredths as f64 / 100.0,
        })
    });
    json!({
        "multipliers": multipliers.collect::<Vec<_>>(),
        "measured_states": big.measured,
        "of_states": big.of,
        "states_by_depth": big.levels,
        "states_left": big.left.map(|(least, most)| [least, most]),
        "arrangement": big.arrangement.map(|(at, of)| [at, of]),
        "would_help": helps(loaded, instance),
    })
}

/// A factor in hundredths as text, such as `61` or `2.5`.
fn factor(hundredths: u64) -> String {
    match hundredths {
        1000.. => ((hundredths + 50) / 100).to_string(),
        _ => {
            let tenths = (hundredths + 5) / 10;
            match tenths % 10 {
                0 => (tenths / 10).to_string(),
                tenth => format!("{}.{tenth}", tenths / 10),
            }
        }
    }
}

/// A number rounded to two significant digits, as text.
fn rough(number: u64) -> String {
    let mut unit = 1;
    while number / unit >= 100 {
        unit *= 10;
    }
    crate::console::progress::count((number + unit / 2) / unit * unit)
}

/// A number of bytes as an argument of `--memory`, rounded up.
fn option(bytes: f64) -> String {
    match bytes {
        ..1e9 => format!("{}MB", (bytes / 1e6).ceil()),
        _ => format!("{}GB", (bytes / 1e9).ceil()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded() {
        let factors: Vec<String> = [150, 204, 250, 949, 996, 1049, 6_149].map(factor).into();
        assert_eq!(factors, ["1.5", "2", "2.5", "9.5", "10", "10", "61"]);
        let numbers: Vec<String> = [7, 123, 12_345, 1_260_000, 99_600_000].map(rough).into();
        assert_eq!(
            numbers,
            ["7", "120", "12 thousand", "1300 thousand", "100.0 million"]
        );
        assert_eq!([option(1.5e7), option(2.1e9)], ["15MB", "3GB"]);
    }
}
