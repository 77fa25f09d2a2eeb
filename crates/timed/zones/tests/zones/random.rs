//! Random Machines: the zone graph and the digitisation give the same answers and reach the same states.

use crate::traps::kind;
use machine::{Abstraction, Digitisation, Instance, Machine, Property, PropertyKind, State};
use rational::Rational;
use std::collections::BTreeSet;
use strategy::{Method, answer_by};
use testkit::sample::{Census, compare_all, sample_size};
use testkit::{Size, explore, random_timed_machine};
use verdict::{Question, StateLimited, Unlimited};

/// The number of Machines in the normal test run.
const SAMPLE: u64 = 300;

/// The largest number of states of a search.
const STATES: u64 = 1_000;

/// The random Machine for a seed, with exact times.
pub fn machine(seed: u64) -> Machine {
    let size = Size {
        nodes: 2,
        values: 6,
        depth: 1,
        properties: 4,
    };
    let mut machine = random_timed_machine(seed, &size);
    machine.abstraction = Abstraction::Exact;
    machine
}

/// The answers to each property; the error is a contradiction. `open` if no method decides it.
pub fn same_answers(machine: &Machine) -> Result<Vec<&'static str>, String> {
    let mut kinds = Vec::new();
    for property in &machine.properties {
        kinds.push(same_answer(machine, property)?);
    }
    Ok(kinds)
}

fn same_answer(machine: &Machine, property: &Property) -> Result<&'static str, String> {
    let alone = digitisation::alone(machine, property);
    let question = Question {
        machine: &alone,
        fair: false,
    };
    let limited = || StateLimited::attempt(&Unlimited, STATES);
    let by_zones = zones::answer(&question, &limited());
    let by_units = answer_by(Method::IntegerTime, &question, &limited());
    let (by_zones, by_units) = match (by_zones, by_units) {
        (Ok(zones), Ok(units)) => (zones, units),
        (Err(_), Err(_)) => return Ok("no initial state"),
        (zones, units) => {
            return Err(format!("{:?}: {zones:?}, but {units:?}", property.name));
        }
    };
    let (zones, units) = (&by_zones.results[0], &by_units.results[0]);
    let kinds = (kind(&zones.answer), kind(&units.answer));
    if let verdict::Answer::Unknown(why) = &zones.answer
        && why.kind() == verdict::ReasonKind::Defect
    {
        return Err(format!("{:?}: {why:?}", property.name));
    }
    if let PropertyKind::Claim(claim) = &property.kind
        && claim.invariant().is_none()
    {
        return match kinds.0 {
            "unknown" => Ok("about whole runs"),
            kind => Err(format!(
                "{:?}: {kind}, but it is about whole runs",
                property.name
            )),
        };
    }
    match kinds {
        ("unknown", "unknown") => Ok("open"),
        ("unknown", _) => Ok("open by zones"),
        (_, "unknown") => Ok("open by units"),
        (a, b) if a != b => Err(format!(
            "{:?}: {a} by zones, but {b} by units",
            property.name
        )),
        (kind, _) => match (zones.premise, units.premise) {
            (Some(verdict::Premise::Met), Some(verdict::Premise::Never))
            | (Some(verdict::Premise::Never), Some(verdict::Premise::Met)) => Err(format!(
                "{:?}: premise {:?}, but {:?}",
                property.name, zones.premise, units.premise
            )),
            _ => Ok(kind),
        },
    }
}

/// The states without times that both methods reach; the error is a difference.
pub fn same_states(machine: &Machine) -> Result<&'static str, String> {
    let bare = Machine {
        properties: Vec::new(),
        responses: Vec::new(),
        ..machine.clone()
    };
    if !bare.counters.is_empty() || !bare.has_time() {
        return Ok("not compared");
    }
    let limited = StateLimited::attempt(&Unlimited, STATES);
    let Some((by_zones, error)) = zones::reachable(&bare, &limited) else {
        return Ok("not compared");
    };
    let digitised = Machine {
        abstraction: Abstraction::Digitised(Digitisation {
            unit: Rational::ONE,
            horizon: 0,
        }),
        ..bare.clone()
    };
    let mut by_units = BTreeSet::new();
    let mut errors = false;
    for frozen in digitised.frozen_choices() {
        let instance = Instance {
            machine: &digitised,
            frozen: &frozen,
        };
        let Ok(found) = explore(instance, STATES as usize) else {
            return Ok("not compared");
        };
        if !found.complete {
            return Ok("not compared");
        }
        errors |= !found.errors.is_empty();
        let states = found.states.into_iter();
        by_units.extend(states.map(|state| State {
            clock: None,
            ..state
        }));
    }
    if by_zones != by_units {
        let only =
            |a: &BTreeSet<State>, b: &BTreeSet<State>| format!("{:?}", a.difference(b).next());
        return Err(format!(
            "{} states by zones and {} by units: {}, {}",
            by_zones.len(),
            by_units.len(),
            only(&by_zones, &by_units),
            only(&by_units, &by_zones)
        ));
    }
    match error == errors {
        true => Ok(if error { "errors" } else { "no errors" }),
        false => Err(format!("errors: {error} by zones, {errors} by units")),
    }
}

#[test]
fn zones_and_units_agree() {
    let results = compare_all(0..sample_size(SAMPLE), |seed| {
        let machine = machine(seed);
        machine::verify(&machine).map_err(|e| e.to_string())?;
        let text = |why: String| format!("{why}\n{machine}");
        let mut kinds = same_answers(&machine).map_err(text)?;
        kinds.push(same_states(&machine).map_err(text)?);
        Ok::<_, String>(kinds)
    });
    let kinds = [
        "holds",
        "fails",
        "possible",
        "impossible",
        "error",
        "errors",
        "no errors",
    ];
    let results = results
        .into_iter()
        .map(|kinds| kinds.into_iter().collect::<BTreeSet<_>>());
    Census::of(results).is_varied(kinds.into_iter(), 20);
}
