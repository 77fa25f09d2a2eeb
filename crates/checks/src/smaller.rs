//! Suggests parameters for which a smaller value would make the search of a check smaller.

use crate::call::load::Loaded;
use crate::call::watchdog::within;
use crate::check::InstanceReport;
use crate::check::families::requests;
use lower::{Define, Request};
use machine::{Channel, Machine};
use model::Constant;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The longest time for the suggestions: they are made after a limit has ended the search.
const LONGEST: Duration = Duration::from_millis(400);

/// A parameter for which a smaller value makes the search smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Smaller {
    /// The name of the parameter.
    pub name: String,
    /// The current value.
    pub from: i64,
    /// The smaller value: `from` − 1.
    pub to: i64,
    /// What becomes smaller, such as `fewer nodes`.
    pub what: String,
}

/// The suggestions for an instance, in the order in which the model declares the parameters. The model is lowered once
/// for each parameter; if that takes long there are no suggestions.
pub fn smaller(loaded: &Loaded, instance: &InstanceReport) -> Vec<Smaller> {
    let never = AtomicBool::new(false);
    let found = || suggestions(loaded, instance);
    within(Some(LONGEST), None, &never, found).unwrap_or_default()
}

fn suggestions(loaded: &Loaded, instance: &InstanceReport) -> Vec<Smaller> {
    let params = loaded.model.params.iter().zip(&instance.request.params);
    let found = params.filter_map(|(param, value)| {
        let Constant::Int(from) = *value else {
            return None;
        };
        let to = from.checked_sub(1)?;
        let machine = with(loaded, &instance.request, &param.name, to)?;
        let what = less(&instance.lowered.machine, &machine)?;
        let name = param.name.clone();
        Some(Smaller {
            name,
            from,
            to,
            what,
        })
    });
    found.collect()
}

/// The Machine for another value of one parameter; `None` if the model does not allow the value.
fn with(loaded: &Loaded, request: &Request, name: &str, value: i64) -> Option<Machine> {
    let mut defines = vec![Define {
        name: name.into(),
        value: value.to_string(),
    }];
    for (other, value) in &request.set {
        let is_param = loaded.model.params.iter().any(|p| p.name == *other);
        if is_param && other != name {
            defines.push(Define {
                name: other.clone(),
                value: value.clone(),
            });
        }
    }
    let requests = requests(loaded, request.check, &defines).ok()?;
    let mut first = requests.into_iter().next()?;
    first.searched = Vec::new(); // the size does not depend on the searched value
    let lowered = lower::lower(&loaded.model, &loaded.sources, &first);
    Some(lowered.ok()?.machine)
}

/// The first quantity that is smaller in `other` than in `this`. `None` if no quantity is smaller or any is larger.
fn less(this: &Machine, other: &Machine) -> Option<String> {
    let values = |machine: &Machine| -> Vec<(String, u128)> {
        let vars = machine.vars.iter();
        vars.map(|var| (var.name.clone(), machine.cardinality(&var.ty)))
            .collect()
    };
    let (here, there) = (values(this), values(other));
    let limits = |machine: &Machine| {
        let messages = machine.faults.iter().map(|fault| fault.limit);
        let nodes = machine.node_faults.iter().map(|fault| fault.limit);
        let runtime_faults = machine
            .runtime_faults
            .iter()
            .map(|runtime_fault| runtime_fault.limit);
        let all = messages.chain(nodes).chain(runtime_faults).flatten();
        all.map(u64::from).sum::<u64>()
    };
    let capacity = |machine: &Machine| match machine.channel {
        Channel::Fifo(Some(capacity)) => capacity,
        _ => 0,
    };
    let counts = [
        (
            "fewer nodes",
            [this.node_count(), other.node_count()].map(u64::from),
        ),
        ("fewer ids", [this.ids, other.ids].map(u64::from)),
        ("fewer faults", [limits(this), limits(other)]),
        (
            "shorter channels",
            [capacity(this), capacity(other)].map(u64::from),
        ),
    ];
    let pairs = here.iter().zip(&there);
    if here.len() != there.len()
        || counts.iter().any(|(_, [here, there])| here < there)
        || pairs.clone().any(|(here, there)| here.1 < there.1)
    {
        return None;
    }
    let mut fewer = counts.iter().filter(|(_, [here, there])| here > there);
    if let Some((what, _)) = fewer.next() {
        return Some(what.to_string());
    }
    let mut pairs = pairs.filter(|(here, there)| here.1 > there.1);
    let (var, _) = pairs.next()?;
    Some(format!("fewer values of `{}`", var.0))
}
