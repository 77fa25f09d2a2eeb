//! Values that nobody has looked at yet: a part of the initial state that can begin with several values has
//! none of them until code or a condition reads it.
//!
//! *What.* A state with undecided parts stands for all the states in which these have any of their initial
//! values. An event that reads such a part happens once for each value; one that overwrites it, or clears the
//! inbox in which it is, never asks. A condition of a property is evaluated for each value, and the state stays.
//!
//! *When.* For variables and for what is in inboxes at first. Not for what a restriction of initial states
//! reads; nor what a guard reads, which says what is possible before anything happens; nor what a temporal claim
//! reads, whose automaton needs one truth value for each state; nor what a condition reads that may have no
//! value, since runs end there; nor counters, whose distances from others say which states are the same. Inboxes that keep the latest of each type: only where there is one type.
//!
//! *Why it is exact.* The parts of an initial state have their values independently of each other, once those that
//! restrictions read are chosen. As long as nothing has read a part, the run would have been the same with each
//! of its values; so what stands for them stays the set of all of them. A run is shown with the values that were
//! decided on its way, and the first ones where nobody asked. A part that is decided or overwritten never becomes
//! undecided again, so in a loop nothing is decided. What a node sends is decided when it is sent.
//!
//! In a loose search (`unknown`) data is unknown instead, and what is undecided is the rest: what steers, and whether
//! something is in an inbox.

use crate::abstraction::decisions::{NOTHING, PossibleValues};
use crate::defects::{Defect, broken};
use crate::program::compiled_machine::CompiledMachine;
use crate::state::partial_value::LazyComponent;
use machine::{
    Beginning, Expr, Init, InitialStates, Instance, KindId, LocalId, Machine, PropertyKind, Scope,
    Trigger, Value, holds_counters, may_fail, may_overflow,
};
use verdict::{Influence, NodeCone};

/// Of more values one must be chosen at first.
const MOST_OPTIONS: u128 = 1_000_000;

/// What may stay undecided in a Machine.
pub(crate) struct LazyValues {
    vars: Vec<bool>,
    pub(crate) inboxes: bool,
}

impl LazyValues {
    /// Nothing is.
    pub(crate) fn nothing(machine: &Machine) -> LazyValues {
        LazyValues {
            vars: vec![false; machine.vars.len()],
            inboxes: false,
        }
    }

    /// Everything that may be.
    pub(crate) fn everything(machine: &Machine) -> LazyValues {
        let begins = |var: &machine::Var| {
            !matches!(var.init, Init::Value(..))
                && machine.first_values_bound(var) <= MOST_OPTIONS
                && !holds_counters(machine, &var.ty)
        };
        let mut lazy = LazyValues {
            vars: machine.vars.iter().map(begins).collect(),
            inboxes: true,
        };
        for restriction in &machine.initially {
            lazy.not(&restriction.condition);
        }
        for block in &machine.blocks {
            if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &block.trigger {
                lazy.not(guard);
            }
        }
        for property in &machine.properties {
            let (condition, premise) = match &property.kind {
                PropertyKind::Possible(condition) => (Some(condition.clone()), None),
                PropertyKind::Claim(claim) => (claim.invariant(), claim.premise()),
            };
            if let (None, PropertyKind::Claim(claim)) = (&condition, &property.kind) {
                claim.walk_exprs(&mut |e| lazy.not_here(e));
            }
            for condition in condition.iter().chain(&premise) {
                if may_have_no_value(machine, &property.scope, condition)
                    && !broken(Defect::DecidedPastErrors)
                {
                    lazy.not(condition);
                }
            }
        }
        let mut kinds = (0..machine.kinds.len() as u32).map(KindId);
        let records = || (0..machine.records.len() as u32).map(machine::RecordId);
        let several = |kind| records().filter(|r| machine.enters_inbox(kind, *r)).count() > 1;
        lazy.inboxes &= !machine.inbox.latest || !kinds.any(several);
        lazy
    }

    /// What an expression reads is decided from the beginning.
    fn not(&mut self, expr: &Expr) {
        expr.walk(&mut |e| self.not_here(e));
    }

    fn not_here(&mut self, expr: &Expr) {
        match expr {
            Expr::Var(var, _) => self.vars[var.index()] = false,
            Expr::Inbox(..) | Expr::Senders(..) => self.inboxes = false,
            _ => {}
        }
    }

    /// Whether anything is.
    pub(crate) fn any(&self) -> bool {
        self.inboxes || self.vars.contains(&true)
    }

    /// In how many states an instance, of which perhaps not everything is relevant, begins at the most;
    /// saturates.
    pub(crate) fn bound(&self, instance: Instance<'_>, relevant: Option<&[NodeCone]>) -> u128 {
        let counts = |part| matters(relevant, part) && !self.has(instance.machine, part);
        instance.initial_bound(&counts)
    }

    /// With how many values a single variable begins at the most that is decided at first and perhaps relevant.
    pub(crate) fn longest_list(&self, machine: &Machine, relevant: Option<&[NodeCone]>) -> u128 {
        let lists = machine.nodes().flat_map(|node| {
            let vars = machine.vars_of(machine.kind_of(node)).enumerate();
            vars.filter_map(move |(place, var)| {
                let part = Beginning::Var(node, place);
                let counts = matters(relevant, part) && !self.has(machine, part);
                counts.then(|| machine.first_values_bound(var))
            })
        });
        lists.max().unwrap_or(0)
    }

    /// Whether a part of the initial states may stay undecided.
    pub(crate) fn has(&self, machine: &Machine, part: Beginning) -> bool {
        match part {
            Beginning::Inbox(..) => self.inboxes,
            Beginning::Var(node, place) => {
                let mut vars = machine.vars.iter().zip(&self.vars);
                let own = |(var, _): &(&machine::Var, _)| var.kind == machine.kind_of(node);
                *vars.by_ref().filter(own).nth(place).expect("a place").1
            }
        }
    }
}

/// Whether a part of the initial states is perhaps relevant.
fn matters(relevant: Option<&[NodeCone]>, part: Beginning) -> bool {
    match (relevant, part) {
        (None, _) => true,
        (Some(relevant), Beginning::Var(node, place)) => {
            relevant[node.index()].vars[place].at_all()
        }
        (Some(relevant), Beginning::Inbox(to, _)) => {
            relevant[to.index()].inbox.iter().any(Influence::at_all)
        }
    }
}

/// Whether a condition may have no value in some state.
pub(crate) fn may_have_no_value(machine: &Machine, scope: &Scope, condition: &Expr) -> bool {
    may_fail(machine, condition, &[])
        || may_overflow(machine, scope, condition)
        || machine.kinds.len() > 1 && may_miss(machine, condition)
}

/// Whether a variable may be read of a node that is not of its kind.
fn may_miss(machine: &Machine, condition: &Expr) -> bool {
    let mut bound: Vec<(LocalId, Option<KindId>)> = Vec::new();
    condition.walk(&mut |e| match e {
        Expr::Filter(local, domain, _)
        | Expr::Quantified(_, local, domain, _)
        | Expr::Extremum(_, local, domain, _) => {
            let kind = match domain.bare() {
                Expr::Nodes(kind) => *kind,
                _ => None,
            };
            bound.push((*local, kind));
        }
        Expr::Let(local, ..) => bound.push((*local, None)),
        _ => {}
    });
    let mut may = false;
    condition.walk(&mut |e| {
        let (kind, node) = match e {
            Expr::Var(var, node) => (machine.vars[var.index()].kind, node),
            Expr::Frozen(frozen, node) => (machine.frozen_vars[frozen.index()].kind, node),
            _ => return,
        };
        may |= match node.bare() {
            Expr::Const(Value::Node(node)) => machine.kind_of(*node) != kind,
            Expr::Local(local) => {
                let mut binders = bound.iter().filter(|(l, _)| l == local).peekable();
                binders.peek().is_none() || binders.any(|(_, of)| *of != Some(kind))
            }
            _ => true,
        };
    });
    may
}

/// The states in which an instance begins, whose parts that have options are undecided.
pub(crate) struct Beginnings<'a> {
    pub(crate) states: InitialStates<'a>,
    pub(crate) options: PossibleValues,
    /// What makes no difference, with the only value that it has.
    pub(crate) fixed: Vec<(u32, i64)>,
}

/// Where an instance, whose parts begin so, begins, if perhaps not everything is relevant.
pub(crate) fn beginnings<'a>(
    compiled: &CompiledMachine<'_>,
    lazy: &LazyValues,
    relevant: Option<&[NodeCone]>,
    instance: Instance<'a>,
    mut parts: Vec<(Beginning, Vec<Value>)>,
) -> Beginnings<'a> {
    let machine = compiled.machine;
    let mut options = PossibleValues::default();
    let mut fixed = Vec::new();
    for (part, values) in &mut parts {
        if let (Some(relevant), [first, ..]) = (relevant, &values[..]) {
            match *part {
                Beginning::Var(node, place) if !relevant[node.index()].vars[place].at_all() => {
                    let var = machine.vars_of(machine.kind_of(node)).nth(place);
                    let ty = &var.expect("a place").ty;
                    let value = match holds_counters(machine, ty) {
                        true => 0, // any number: nobody looks at it
                        false => compiled.codec.encode(ty, first),
                    };
                    fixed.push((compiled.bases[node.index()] + 1 + place as u32, value));
                    values.truncate(1);
                }
                Beginning::Inbox(to, _)
                    if !relevant[to.index()].inbox.iter().any(Influence::at_all) =>
                {
                    values.truncate(1);
                }
                _ => {}
            }
        }
        if values.len() < 2 || !lazy.has(machine, *part) {
            continue;
        }
        let (part, numbers): (LazyComponent, Vec<i64>) = match *part {
            Beginning::Var(node, place) => {
                let var = machine.vars_of(machine.kind_of(node)).nth(place);
                let ty = &var.expect("a place").ty;
                let numbers = values.iter().map(|v| compiled.codec.encode(ty, v));
                let slot = compiled.bases[node.index()] + 1 + place as u32;
                (LazyComponent::Slot(slot), numbers.collect())
            }
            Beginning::Inbox(to, from) => {
                let number = |value: &Value| match value {
                    Value::Some(message) => compiled.message_number(message),
                    _ => NOTHING,
                };
                (
                    LazyComponent::Inbox(to, from),
                    values.iter().map(number).collect(),
                )
            }
        };
        values.truncate(1);
        options.add(compiled, part, numbers);
    }
    Beginnings {
        states: instance.states_of(parts),
        options,
        fixed,
    }
}
