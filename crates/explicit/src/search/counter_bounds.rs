//! How far the counters of a class may be apart: narrow at first, and wider when that is not enough.
//!
//! A window changes no answer: a search in which a counter leaves it is thrown away, and done again with more room. At the
//! widest it ends there instead, like one that has reached a limit: what is not decided is `unknown`, and the counters
//! that grow apart are named.

use crate::events::enabled::is_quiescent;
use crate::program::compiled_machine::CompiledMachine;
use crate::properties::property::monitored;
use crate::search::search_state::NotFound;
use crate::state::counters::OutOfBounds;
use machine::{Expr, Init, Machine, Type, Value, holds_counters};
use verdict::{Question, Refusal, Report};

/// Counters may be at most so far apart.
const FARTHEST: i64 = (1 << 16) - 1;

/// How far apart they may be at first, at least.
const NARROW: i64 = 7;

/// Searches with as much room for counters as is needed; says whether there is no more.
pub(crate) fn with_counter_bounds(
    question: &Question<'_>,
    search: &dyn Fn(&Question<'_>, bool) -> Result<Report, NotFound>,
) -> Result<Report, Refusal> {
    let Some(mut windows) = Windows::new(question.machine) else {
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

/// The Machine with windows for its counters.
struct Windows {
    machine: Machine,
}

impl Windows {
    /// As narrow as its initial values may allow; nothing if there are no counters.
    fn new(machine: &Machine) -> Option<Windows> {
        if machine.counters.is_empty() {
            return None;
        }
        let mut machine = machine.clone();
        let widest = first_numbers(&machine);
        for counter in &mut machine.counters {
            let most = (widest.max(1) as u64 + 2).next_power_of_two() as i64 - 1;
            counter.window = Some((0, most.clamp(NARROW, FARTHEST)));
        }
        Some(Windows { machine })
    }

    /// Makes room for a counter that had none; `false` if there is no more, or none that can be represented.
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

/// How far apart the numbers are, at most, with which counters begin.
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

/// What is said of counters that are too far apart.
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
