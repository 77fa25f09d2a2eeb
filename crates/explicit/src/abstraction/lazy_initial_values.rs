//! Lazy initial values: a component of the initial state with several possible values stays undecided until code or a
//! condition reads it.
//!
//! *Semantics.* A state with undecided components represents all states in which these components have any of their
//! initial values. An event that reads an undecided component fires once for each value. An event that overwrites the
//! component, or clears the inbox, does not decide it. A condition of a property is evaluated for each value; this does
//! not decide the component in the state.
//!
//! *Conditions.* Variables and initial inbox messages may be undecided, with these exceptions:
//! - all components, if the Machine has runtime faults or digitised times (`search/run.rs`);
//! - variables with more than [`MOST_OPTIONS`] initial values;
//! - components that a restriction of initial states reads;
//! - components that a guard reads, because guards determine which events are enabled;
//! - components that a temporal claim reads, because its automaton needs one truth value per state;
//! - components read by a condition that may have no value, because such a state ends the run;
//! - counters, because their distances determine which states are equal;
//! - inboxes that keep the latest message of each type, if a node kind receives several types.
//!
//! *Exactness.* Once the components that restrictions read are chosen, the other components of an initial state are
//! independent of each other. As long as no event has read a component, the run is the same for each of its values, so
//! the undecided component represents all of them. A reported run has the values decided along it, and the first values
//! for the rest. A component that is decided or overwritten never becomes undecided again, so no decision is made on a
//! cycle. The content of a message is decided when it is sent.
//!
//! With data abstraction, only control values and the presence of messages in inboxes are undecided; data is unknown
//! instead.

use crate::abstraction::decisions::{NOTHING, PossibleValues};
use crate::defects::{Defect, broken};
use crate::events::interpreter_state::message_number;
use crate::program::compiled_machine::CompiledMachine;
use crate::state::partial_value::LazyComponent;
use machine::{
    Expr, Init, InitialPart, InitialStates, Instance, KindId, LocalId, Machine, PropertyKind,
    Scope, Trigger, Value, holds_counters, may_fail, may_overflow,
};
use verdict::{Influence, NodeCone};

/// The largest number of initial values of a variable that may be undecided.
const MOST_OPTIONS: u128 = 1_000_000;

/// Which components of a Machine may be undecided.
pub(crate) struct LazyValues {
    vars: Vec<bool>,
    pub(crate) inboxes: bool,
}

impl LazyValues {
    /// No component may be undecided.
    pub(crate) fn nothing(machine: &Machine) -> LazyValues {
        LazyValues {
            vars: vec![false; machine.vars.len()],
            inboxes: false,
        }
    }

    /// All components that satisfy the conditions above may be undecided.
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

    /// Excludes all components that an expression reads.
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

    /// Whether any component may be undecided.
    pub(crate) fn any(&self) -> bool {
        self.inboxes || self.vars.contains(&true)
    }

    /// An upper bound (saturating) on the number of initial states of an instance. Components that may be undecided, or
    /// are outside of the cone of influence, do not count.
    pub(crate) fn bound(&self, instance: Instance<'_>, cone: Option<&[NodeCone]>) -> u128 {
        let counts = |part| matters(cone, part) && !self.has(instance.machine, part);
        instance.initial_bound(&counts)
    }

    /// The name of the variable with the most initial values, and their number, among the variables in the cone of
    /// influence that are decided in the initial state.
    pub(crate) fn longest_list<'m>(
        &self,
        machine: &'m Machine,
        cone: Option<&[NodeCone]>,
    ) -> Option<(&'m str, u128)> {
        let lists = machine.nodes().flat_map(|node| {
            let vars = machine.vars_of(machine.kind_of(node)).enumerate();
            vars.filter_map(move |(place, var)| {
                let part = InitialPart::Var(node, place);
                let counts = matters(cone, part) && !self.has(machine, part);
                counts.then(|| (&var.name[..], machine.first_values_bound(var)))
            })
        });
        lists.max_by_key(|(_, list)| *list)
    }

    /// Whether a component may be undecided.
    pub(crate) fn has(&self, machine: &Machine, part: InitialPart) -> bool {
        match part {
            InitialPart::Inbox(..) => self.inboxes,
            InitialPart::Var(node, place) => {
                let mut vars = machine.vars.iter().zip(&self.vars);
                let own = |(var, _): &(&machine::Var, _)| var.kind == machine.kind_of(node);
                *vars.by_ref().filter(own).nth(place).expect("a place").1
            }
        }
    }
}

/// Whether a component is, at least in part, in the cone of influence.
fn matters(cone: Option<&[NodeCone]>, part: InitialPart) -> bool {
    match (cone, part) {
        (None, _) => true,
        (Some(cone), InitialPart::Var(node, place)) => cone[node.index()].vars[place].at_all(),
        (Some(cone), InitialPart::Inbox(to, _)) => {
            cone[to.index()].inbox.iter().any(Influence::at_all)
        }
    }
}

/// Whether the evaluation of a condition may fail in some state.
pub(crate) fn may_have_no_value(machine: &Machine, scope: &Scope, condition: &Expr) -> bool {
    may_fail(machine, condition, &[])
        || may_overflow(machine, scope, condition)
        || machine.kinds.len() > 1 && may_miss(machine, condition)
}

/// Whether a condition may read a variable of a node whose kind does not have it.
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

/// The initial states of an instance, with lazy components undecided.
pub(crate) struct Beginnings<'a> {
    pub(crate) states: InitialStates<'a>,
    pub(crate) possible_values: PossibleValues,
    /// Slots outside of the cone of influence, with their constant value.
    pub(crate) fixed: Vec<(u32, i64)>,
}

/// The initial states of an instance whose components have the initial values `parts`, within the cone of influence.
pub(crate) fn initial_parts<'a>(
    compiled: &CompiledMachine<'_>,
    lazy: &LazyValues,
    cone: Option<&[NodeCone]>,
    instance: Instance<'a>,
    mut parts: Vec<(InitialPart, Vec<Value>)>,
) -> Beginnings<'a> {
    let machine = compiled.machine;
    let mut possible_values = PossibleValues::default();
    let mut fixed = Vec::new();
    for (part, values) in &mut parts {
        if let (Some(cone), [first, ..]) = (cone, &values[..]) {
            match *part {
                InitialPart::Var(node, place) if !cone[node.index()].vars[place].at_all() => {
                    let var = machine.vars_of(machine.kind_of(node)).nth(place);
                    let ty = &var.expect("a place").ty;
                    let value = match holds_counters(machine, ty) {
                        true => 0, // arbitrary, because it is never read
                        false => compiled.codec.encode(ty, first),
                    };
                    fixed.push((compiled.bases[node.index()] + 1 + place as u32, value));
                    values.truncate(1);
                }
                InitialPart::Inbox(to, _)
                    if !cone[to.index()].inbox.iter().any(Influence::at_all) =>
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
            InitialPart::Var(node, place) => {
                let var = machine.vars_of(machine.kind_of(node)).nth(place);
                let ty = &var.expect("a place").ty;
                let numbers = values.iter().map(|v| compiled.codec.encode(ty, v));
                let slot = compiled.bases[node.index()] + 1 + place as u32;
                (LazyComponent::Slot(slot), numbers.collect())
            }
            InitialPart::Inbox(to, from) => {
                let number = |value: &Value| match value {
                    Value::Some(message) => message_number(compiled, message),
                    _ => NOTHING,
                };
                (
                    LazyComponent::Inbox(to, from),
                    values.iter().map(number).collect(),
                )
            }
        };
        values.truncate(1);
        possible_values.add(compiled, part, numbers);
    }
    Beginnings {
        states: instance.initial_states_from(parts),
        possible_values,
        fixed,
    }
}
