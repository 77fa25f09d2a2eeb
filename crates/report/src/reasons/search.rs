//! The sentences for searches that end without a decision.

use verdict::{Cause, Depth, Established, Goal, Searched, Spent};

/// Why a method ended without a decision, and what it established until then.
pub(super) fn ended(cause: &Cause, established: &Established) -> String {
    let cause = self::cause(cause);
    match established {
        Established::Nothing => cause,
        Established::Searched(searched) => format!("{cause}; {}", self::searched(searched)),
        Established::FewerSteps(steps) => {
            format!("{cause}; no run of fewer than {steps} steps breaks it")
        }
    }
}

/// Which limit was reached: `time limit of 5 s reached`.
pub fn spent(spent: &Spent) -> String {
    match spent {
        Spent::Time(limit) => {
            // A share of `--total-time` has many digits.
            let seconds = (limit.as_secs_f64() * 1e3).round() / 1e3;
            format!("time limit of {seconds} s reached")
        }
        Spent::Memory(limit) => format!("memory limit of {} reached", bytes(*limit)),
        Spent::States(most) => {
            let most = *most as f64 / 1e9;
            format!("limit of {most:.1} thousand million states in one instance reached")
        }
        Spent::Interrupted => "interrupted".into(),
        Spent::Brief => "limit of states of one search reached".into(),
    }
}

/// A number of bytes with a unit.
fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes / 1_000),
        1_000_000..1_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

fn cause(cause: &Cause) -> String {
    match cause {
        Cause::Limit(spent) => self::spent(spent),
        Cause::LimitAfter {
            spent,
            states,
            depth,
        } => {
            let s = if *states == 1 { "" } else { "s" };
            let after = format!("{} after {states} state{s}", self::spent(spent));
            match depth {
                None => after,
                Some(depth) => format!("{after}, at depth {depth}"),
            }
        }
        Cause::LimitInInfiniteRuns(spent) => {
            format!(
                "{} while looking for runs that go on for ever",
                self::spent(spent)
            )
        }
        Cause::CountersGrow { counters, most } => {
            let names: Vec<String> = { counters.iter() }
                .map(|(name, of)| format!("`{name}` of {of}"))
                .collect();
            let grow = if names.len() == 1 { "grows" } else { "grow" };
            format!(
                "{} {grow} apart: two of these counters differ by more than {most}",
                names.join(" and ")
            )
        }
    }
}

/// The verb for a run that meets the goal.
pub(super) fn does(goal: Goal) -> &'static str {
    match goal {
        Goal::Break => "breaks",
        Goal::Reach => "reaches",
    }
}

fn searched(searched: &Searched) -> String {
    let does = does(searched.goal);
    if let Some(bits) = searched.hash_bits {
        return format!(
            "no run {does} it among the states visited until then, which were told apart only by {bits} bits of a hash"
        );
    }
    let of = searched.of.map(|all| format!(" of {all}"));
    let of = of.unwrap_or_default();
    let none_of_the_first = |instances: u64| match instances {
        1 => format!("no run of the first{of} arrangements {does} it"),
        many => format!("no run of the first {many}{of} arrangements {does} it"),
    };
    let here = match searched.depth {
        Depth::AllStates => return none_of_the_first(searched.instances + 1),
        Depth::InfiniteRuns => "nothing is known of runs that go on for ever".into(),
        Depth::Unknown => "nothing is known yet".to_string(),
        Depth::Events(0) => format!("no beginning {does} it"),
        Depth::Events(1) => format!("no run of up to 1 event {does} it"),
        Depth::Events(many) => format!("no run of up to {many} events {does} it"),
    };
    let partly = searched.several && matches!(searched.depth, Depth::Events(_));
    match searched.instances {
        0 if partly && of.is_empty() => format!("in the first arrangement {here}"),
        0 if partly => format!("in the first{of} arrangements {here}"),
        0 => here,
        done => format!("{}; of the next one {here}", none_of_the_first(done)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_searched_is_said_by_instances_and_depth() {
        let one = Searched {
            goal: Goal::Break,
            instances: 0,
            of: Some(1),
            several: false,
            depth: Depth::Events(7),
            hash_bits: None,
        };
        assert_eq!(searched(&one), "no run of up to 7 events breaks it");
        let several = Searched {
            goal: Goal::Reach,
            instances: 3,
            of: Some(24),
            several: true,
            ..one
        };
        assert_eq!(
            searched(&several),
            "no run of the first 3 of 24 arrangements reaches it; of the next one no run of up to 7 events reaches it"
        );
        let complete = Searched {
            depth: Depth::AllStates,
            ..several
        };
        assert_eq!(
            searched(&complete),
            "no run of the first 4 of 24 arrangements reaches it"
        );
    }
}
