//! Counter bounds: narrow at first, and widened when a counter exceeds them.
//!
//! Bounds do not affect answers: a search in which a counter exceeds them is discarded and repeated with wider bounds.
//! If the bounds cannot be widened further, the search ends as if it had reached a limit: undecided properties are
//! unknown, and the reason names the counters that diverge.

use crate::events::enabled::is_quiescent;
use crate::program::compiled_machine::CompiledMachine;
use crate::properties::property::monitored;
use crate::search::search_state::NotFound;
use crate::state::counters::OutOfBounds;
use machine::{Expr, Init, Machine, Type, Value, holds_counters};
use verdict::{Cause, CountersApart, Question, Refusal, Report};

/// The greatest possible bound on the distance between counters.
const FARTHEST: i64 = (1 << 16) - 1;

/// The least initial bound on the distance between counters.
const NARROW: i64 = 7;

/// The number of times the bounds of counters must be exceeded before the report states that these counters grow apart.
/// The bounds are then more than ten times as wide as at the beginning.
const SEVERAL: u32 = 2;

/// Repeats a search with wider counter bounds until no counter exceeds them. The second argument of `search` tells
/// whether the bounds are the widest possible.
pub(crate) fn with_counter_bounds(
    question: &Question<'_>,
    search: &dyn Fn(&Question<'_>, bool) -> Result<Report, NotFound>,
) -> Result<Report, Refusal> {
    let Some(mut windows) = BoundedMachine::new(question.machine) else {
        return Ok(search(question, true)?);
    };
    let mut widest = false;
    // The counters that exceeded their bounds last, and how often bounds were exceeded.
    let mut apart: Option<(CountersApart, u32)> = None;
    loop {
        let with = Question {
            machine: &windows.machine,
            ..*question
        };
        match search(&with, widest) {
            Err(NotFound::OutOfBounds(out_of_bounds)) => {
                let times = apart.map_or(0, |(_, times)| times) + 1;
                apart = Some((diverging(&windows.machine, out_of_bounds), times));
                widest = !windows.widen(out_of_bounds);
            }
            done => {
                let mut report = done?;
                if let Some((apart, SEVERAL..)) = apart
                    && !report.findings.complete
                {
                    report.findings.apart = Some(apart);
                }
                return Ok(report);
            }
        }
    }
}

/// A Machine whose counters have bounds.
struct BoundedMachine {
    machine: Machine,
}

impl BoundedMachine {
    /// The Machine with the initial bounds; `None` if it has no counters.
    fn new(machine: &Machine) -> Option<BoundedMachine> {
        if machine.counters.is_empty() {
            return None;
        }
        let mut machine = machine.clone();
        let most = first_bound(&machine);
        for counter in &mut machine.counters {
            counter.window = Some((0, most));
        }
        Some(BoundedMachine { machine })
    }

    /// Widens the bounds of a class of counters. Returns `false` if this is impossible.
    fn widen(&mut self, out_of_bounds: OutOfBounds) -> bool {
        let class = out_of_bounds.class.index();
        let before = self.machine.counters[class].window;
        let (low, high) = before.expect("they all have one");
        let wider = match out_of_bounds.below {
            true => ((low * 4 - 1).max(-FARTHEST), high),
            false => (low, (high * 4 + 3).min(FARTHEST)),
        };
        self.machine.counters[class].window = Some(wider);
        let wide = wider != (low, high) && fits(&self.machine);
        if !wide {
            self.machine.counters[class].window = before;
        }
        wide
    }
}

/// The widest bound, if bounds of the Machine were widened at least [`SEVERAL`] times, so that counters are said to
/// grow apart.
pub(crate) fn apart_by(machine: &Machine) -> Option<i64> {
    let windows = machine.counters.iter().filter_map(|c| c.window);
    let widest = windows.map(|(low, high)| high.max(-low)).max()?;
    (widest >= first_bound(machine) << (2 * SEVERAL)).then_some(widest)
}

/// The initial bound on the distance between counters: at least [`NARROW`], and sufficient for the estimated initial
/// values, if that is possible.
fn first_bound(machine: &Machine) -> i64 {
    let widest = first_numbers(machine);
    let most = (widest.max(1) as u64 + 2).next_power_of_two() as i64 - 1;
    most.clamp(NARROW, FARTHEST)
}

/// Whether the engine can represent a Machine.
fn fits(machine: &Machine) -> bool {
    let compiled = CompiledMachine::new(machine, None, None, is_quiescent);
    compiled.is_ok_and(|compiled| compiled.layout(true).is_ok()) && monitored(machine).is_ok()
}

/// An estimate of the greatest distance between initial values of counters, from the integer constants in their
/// initialisers.
fn first_numbers(machine: &Machine) -> i64 {
    let (mut least, mut most) = (i64::MAX, i64::MIN);
    for var in &machine.vars {
        if !holds_counters(machine, &var.ty) {
            continue;
        }
        if let Init::Value(_, e) | Init::AnyIn(_, e) = &var.init {
            e.walk(&mut |e| {
                if let Expr::Const(Value::Int(number)) = e {
                    (least, most) = (least.min(*number), most.max(*number));
                }
            });
        }
    }
    most.checked_sub(least).unwrap_or(0).clamp(0, FARTHEST)
}

/// The reason for the end of a search whose counters exceed the widest bounds.
pub(crate) fn grows(machine: &Machine, out_of_bounds: OutOfBounds) -> Cause {
    let CountersApart { counters, by: most } = diverging(machine, out_of_bounds);
    Cause::CountersGrow { counters, most }
}

/// The counters of the class that exceeds its bounds.
fn diverging(machine: &Machine, out_of_bounds: OutOfBounds) -> CountersApart {
    let class = &machine.counters[out_of_bounds.class.index()];
    let (low, high) = class.window.unwrap_or((0, 0));
    let most = if out_of_bounds.below { -low } else { high };
    let mut counters: Vec<(String, String)> = Vec::new();
    let mut member = |ty: &Type, name: &str, of: &str| {
        let mut own = false;
        each_class(ty, &mut |c| own |= c == out_of_bounds.class);
        if own {
            counters.push((name.to_owned(), of.to_owned()));
        }
    };
    for var in &machine.vars {
        let kind = &machine.kinds[var.kind.index()].name;
        member(&var.ty, &var.name, kind);
    }
    for record in &machine.records {
        for (name, ty) in &record.fields {
            member(ty, name, &record.name);
        }
    }
    CountersApart { counters, by: most }
}

fn each_class(ty: &Type, visit: &mut dyn FnMut(machine::ClassId)) {
    match ty {
        Type::Counter(class) => visit(*class),
        Type::Option(inner) | Type::Set(inner) | Type::Array(_, inner) => each_class(inner, visit),
        _ => {}
    }
}
