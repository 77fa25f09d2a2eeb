//! Counter bounds: narrow at first, and wider when a counter exceeds them.
//!
//! Bounds change no answer: a search in which a counter exceeds them is discarded, and repeated with wider bounds. At
//! the widest bounds the search ends like one that has reached a limit: undecided properties are unknown, and the
//! diverging counters are named.

use crate::events::enabled::is_quiescent;
use crate::program::compiled_machine::CompiledMachine;
use crate::properties::property::monitored;
use crate::search::search_state::NotFound;
use crate::state::counters::OutOfBounds;
use machine::{Expr, Init, Machine, Type, Value, holds_counters};
use verdict::{Question, Refusal, Report};

/// The greatest distance between counters.
const FARTHEST: i64 = (1 << 16) - 1;

/// The least initial bound on the distance between counters.
const NARROW: i64 = 7;

/// Searches with sufficient counter bounds; `search` gets whether they are the widest.
pub(crate) fn with_counter_bounds(
    question: &Question<'_>,
    search: &dyn Fn(&Question<'_>, bool) -> Result<Report, NotFound>,
) -> Result<Report, Refusal> {
    let Some(mut windows) = BoundedMachine::new(question.machine) else {
        return Ok(search(question, true)?);
    };
    let mut widest = false;
    loop {
        let with = Question {
            machine: &windows.machine,
            ..*question
        };
        match search(&with, widest) {
            Err(NotFound::OutOfBounds(out_of_bounds)) => widest = !windows.widen(out_of_bounds),
            done => return Ok(done?),
        }
    }
}

/// The Machine with bounds for its counters.
struct BoundedMachine {
    machine: Machine,
}

impl BoundedMachine {
    /// The narrowest bounds that initial values may allow; none without counters.
    fn new(machine: &Machine) -> Option<BoundedMachine> {
        if machine.counters.is_empty() {
            return None;
        }
        let mut machine = machine.clone();
        let widest = first_numbers(&machine);
        for counter in &mut machine.counters {
            let most = (widest.max(1) as u64 + 2).next_power_of_two() as i64 - 1;
            counter.window = Some((0, most.clamp(NARROW, FARTHEST)));
        }
        Some(BoundedMachine { machine })
    }

    /// Widens the bounds of a counter; `false` if that is impossible.
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

/// Whether a Machine can be represented.
fn fits(machine: &Machine) -> bool {
    let compiled = CompiledMachine::new(machine, None, None, is_quiescent);
    compiled.is_ok_and(|compiled| compiled.layout(true).is_ok()) && monitored(machine).is_ok()
}

/// The greatest distance between the initial values of counters.
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

/// The message about counters that are out of the widest bounds.
pub(crate) fn grows(machine: &Machine, out_of_bounds: OutOfBounds) -> String {
    let class = &machine.counters[out_of_bounds.class.index()];
    let (low, high) = class.window.unwrap_or((0, 0));
    let most = if out_of_bounds.below { -low } else { high };
    let mut members: Vec<String> = Vec::new();
    let mut member = |ty: &Type, name: &str, of: &str| {
        let mut own = false;
        each_class(ty, &mut |c| own |= c == out_of_bounds.class);
        if own {
            members.push(format!("`{name}` of {of}"));
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
    match &members[..] {
        [one] => format!("{one} grows apart: two of these counters differ by more than {most}"),
        several => format!(
            "{} grow apart: two of these counters differ by more than {most}",
            several.join(" and ")
        ),
    }
}

fn each_class(ty: &Type, visit: &mut dyn FnMut(machine::ClassId)) {
    match ty {
        Type::Counter(class) => visit(*class),
        Type::Option(inner) | Type::Set(inner) | Type::Array(_, inner) => each_class(inner, visit),
        _ => {}
    }
}
