//! The initial states as a condition on bits, for all choices of frozen values.

use crate::effects::Setting;
use crate::shape::{Holds, restricts_nodes_that_are_off, starts};
use crate::state::State;
use crate::view::StateView;
use bits::{Bits, Evaluator, Number, Set, Unsupported, constant, equal, fits, ite};
use machine::{
    Fault, Frozen, InboxStart, Init, InitialPart, Instance, LocalId, NodeId, Order, Scope, Type,
    Value,
};
use sat::{Aig, Lit};

/// The largest number of choices of frozen values that are enumerated to determine initial inboxes.
const MOST_FROZEN: usize = 200;
/// The largest number of values that are enumerated to determine initial inboxes, or the first value of a type.
const MOST_LISTED: u128 = 50_000;

/// The condition of the initial states, in parts.
pub(crate) struct Initially {
    /// Whether the frozen values are an allowed choice.
    pub(crate) frozen: Lit,
    /// Whether the state is an initial state for these frozen values, which are an allowed choice.
    pub(crate) state: Lit,
    /// Whether an initial value or a restriction of initial states ends in an error.
    pub(crate) error: Lit,
}

/// Builds the condition of the initial states.
pub(crate) fn initially(
    aig: &mut Aig,
    setting: Setting<'_>,
    state: &State,
) -> Result<Initially, Unsupported> {
    if restricts_nodes_that_are_off(setting.machine, setting.shape) {
        return Err(Unsupported::new(
            "restrictions of initial values of nodes that may be off",
        ));
    }
    let frozen = frozen(aig, setting);
    let mut conditions = vec![frozen];
    let mut errors = Vec::new();
    rest(aig, setting, state, &mut conditions);
    for node in setting.machine.nodes() {
        variables(aig, setting, state, node, &mut conditions, &mut errors)?;
    }
    inboxes(aig, setting, state, &mut conditions)?;
    let view = setting.view(state);
    for restriction in &setting.machine.initially {
        let mut eval = Evaluator::new(aig, setting.machine, &view, &restriction.scope);
        conditions.push(eval.condition(&restriction.condition)?);
        errors.push(eval.error());
    }
    let error = aig.any(errors);
    Ok(Initially {
        frozen,
        state: aig.all(conditions),
        error: aig.and(frozen, error),
    })
}

/// Whether the frozen values are an allowed choice: ids are distinct, a node has at most one fault, and the number of
/// faulty nodes is within its limit.
fn frozen(aig: &mut Aig, setting: Setting<'_>) -> Lit {
    let (machine, fixed) = (setting.machine, setting.fixed);
    let mut conditions = Vec::new();
    let columns = machine.frozen_vars.iter().zip(&fixed.values);
    let ids: Vec<&Bits> = columns
        .filter(|(frozen, _)| frozen.order == Order::Arrangement)
        .flat_map(|(_, values)| values)
        .collect();
    for (i, a) in ids.iter().enumerate() {
        for b in &ids[i + 1..] {
            let same = equal(aig, a, b);
            conditions.push(!same);
        }
    }
    for faults in &fixed.faults {
        for (i, (_, _, a)) in faults.iter().enumerate() {
            for (_, _, b) in &faults[i + 1..] {
                let both = aig.and(*a, *b);
                conditions.push(!both);
            }
        }
    }
    for (i, item) in machine.node_faults.iter().enumerate() {
        if let Some(limit) = item.limit {
            let faults = fixed.faults.iter().flatten();
            let own = faults
                .filter(|(item, _, _)| *item == i)
                .map(|(_, _, lit)| *lit);
            let count = Number::count(aig, own.collect::<Vec<_>>());
            conditions.push(count.less(aig, &Number::constant(i128::from(limit) + 1)));
        }
    }
    aig.all(conditions)
}

/// Adds the conditions on all parts of the state except variables and inboxes.
fn rest(aig: &mut Aig, setting: Setting<'_>, state: &State, conditions: &mut Vec<Lit>) {
    let machine = setting.machine;
    for (node, at) in machine.nodes().zip(&state.nodes) {
        if starts(machine, machine.kind_of(node)) {
            let off = setting.fixed.has(aig, node, |fault| fault == Fault::Off);
            conditions.push(aig.xor(at.waiting, off));
        }
        conditions.extend([!at.halted, !at.crashed, !at.stopped]);
        conditions.extend(at.faulted.iter().map(|lit| !*lit));
        let outbox = at.outbox.iter().flat_map(|outgoing| &outgoing.edge);
        conditions.extend(outbox.map(|(_, lit)| !*lit));
    }
    let places = state.edges.iter().flat_map(|places| places.iter());
    conditions.extend(places.map(|place| !place.present));
    for (budget, fault) in state.budgets.iter().zip(&machine.faults) {
        if let (Some(budget), Some(limit)) = (budget, fault.limit) {
            conditions.push(budget.is(aig, i128::from(limit)));
        }
    }
    for lead in state.leads.iter().flatten() {
        conditions.push(lead.is(aig, 0));
    }
    conditions.extend(
        setting
            .shape
            .activations
            .nothing(aig, &state.activation_counts),
    );
    conditions.extend(setting.shape.clocks.at_start(aig, &state.activation_clocks));
}

/// Adds the conditions on the variables of a node. If the node is off, each variable without a fixed initial value has
/// the first of its possible values, so that the state is unique.
fn variables(
    aig: &mut Aig,
    setting: Setting<'_>,
    state: &State,
    node: NodeId,
    conditions: &mut Vec<Lit>,
    errors: &mut Vec<Lit>,
) -> Result<(), Unsupported> {
    let machine = setting.machine;
    let view = setting.view(state);
    let off = setting.fixed.has(aig, node, |fault| fault == Fault::Off);
    let vars = machine.vars_of(machine.kind_of(node));
    for (var, bits) in vars.zip(&state.nodes[node.index()].vars) {
        match &var.init {
            Init::Any => {
                if setting.shape.may_be_off(node) {
                    let first = first_of(setting, &var.ty)?;
                    let same = equal(aig, bits, &first);
                    conditions.push(aig.implies(off, same));
                }
            }
            Init::Value(scope, value) => {
                let (value, error) = evaluate(aig, &view, scope, node, value)?;
                let is_of = fits(aig, machine, &value, &var.ty);
                errors.extend([error, !is_of]);
                conditions.push(equal(aig, bits, &value));
            }
            Init::AnyIn(scope, set) => {
                let (set, error) = evaluate(aig, &view, scope, node, set)?;
                errors.push(error);
                for member in set.set().members() {
                    let is_of = fits(aig, machine, &member.value, &var.ty);
                    errors.push(aig.and(member.present, !is_of));
                }
                conditions.push(set.set().contains(aig, bits));
                if setting.shape.may_be_off(node) {
                    let Set::Table(entries) = set.set() else {
                        return Err(Unsupported::new("initial values of nodes that may be off"));
                    };
                    let Some(mut first) = entries.last().map(|entry| entry.bits.clone()) else {
                        continue;
                    };
                    for entry in entries.iter().rev() {
                        first = ite(aig, entry.present, &entry.bits, &first);
                    }
                    let same = equal(aig, bits, &first);
                    conditions.push(aig.implies(off, same));
                }
            }
        }
    }
    Ok(())
}

fn first_of(setting: Setting<'_>, ty: &Type) -> Result<Bits, Unsupported> {
    let machine = setting.machine;
    if machine.cardinality(ty) > MOST_LISTED {
        return Err(Unsupported::new("initial values of nodes that may be off"));
    }
    let first = machine.first_value(ty);
    let first = first.ok_or_else(|| Unsupported::new("a type without values"))?;
    Ok(constant(machine, &first, ty))
}

fn evaluate(
    aig: &mut Aig,
    view: &StateView<'_>,
    scope: &Scope,
    node: NodeId,
    expr: &machine::Expr,
) -> Result<(Bits, Lit), Unsupported> {
    let mut eval = Evaluator::new(aig, view.machine, view, scope);
    eval.bind(LocalId(0), Bits::node(node));
    let value = eval.value(expr)?;
    Ok((value, eval.error()))
}

/// Adds the conditions on the initial contents of inboxes. If inboxes do not begin empty, the possible contents are
/// enumerated for each choice of frozen values.
fn inboxes(
    aig: &mut Aig,
    setting: Setting<'_>,
    state: &State,
    conditions: &mut Vec<Lit>,
) -> Result<(), Unsupported> {
    let machine = setting.machine;
    if machine.inbox.start == InboxStart::Empty {
        let slots = state.nodes.iter().flat_map(|node| &node.inbox);
        conditions.extend(slots.map(|slot| !slot.present));
        return Ok(());
    }
    let refused = || Unsupported::new("inboxes that begin with messages of very many values");
    if machine.frozen_count() > MOST_FROZEN as u128 {
        return Err(refused());
    }
    for frozen in machine.frozen_choices() {
        let instance = Instance {
            machine,
            frozen: &frozen,
        };
        if instance.initial_bound(&|part| matches!(part, InitialPart::Inbox(..))) == u128::MAX {
            return Err(refused());
        }
        let vars = machine.vars.iter();
        let values = vars.map(|var| machine.first_values_bound(var));
        if values.fold(0, u128::saturating_add) > MOST_LISTED {
            return Err(refused());
        }
        let parts = instance.initial_parts().map_err(|_| refused())?;
        let is_this = is_frozen(aig, setting, &frozen);
        for to in machine.nodes() {
            let mut senders: Vec<NodeId> = { setting.shape.inbox[to.index()].iter() }
                .map(|place| place.sender)
                .collect();
            senders.dedup();
            for from in senders {
                let wanted = InitialPart::Inbox(to, from);
                let values = parts.iter().find(|(part, _)| *part == wanted);
                let nothing = [Value::None];
                let values = values.map_or(&nothing[..], |(_, values)| values);
                let each: Vec<Lit> = { values.iter() }
                    .map(|value| holds_only(aig, setting, state, (to, from), value))
                    .collect();
                let one = aig.any(each);
                conditions.push(aig.implies(is_this, one));
            }
        }
    }
    Ok(())
}

/// Whether the frozen values equal a given choice.
fn is_frozen(aig: &mut Aig, setting: Setting<'_>, frozen: &Frozen) -> Lit {
    let mut conditions = Vec::new();
    let columns = setting.machine.frozen_vars.iter().zip(&frozen.values);
    for ((var, values), all) in columns.zip(&setting.fixed.values) {
        for (value, bits) in values.iter().zip(all) {
            let value = constant(setting.machine, value, &var.ty);
            conditions.push(equal(aig, bits, &value));
        }
    }
    for node in setting.machine.nodes() {
        for fault in [Fault::Off, Fault::Mute, Fault::Deaf, Fault::Isolated] {
            let has = setting.fixed.has(aig, node, |f| f == fault);
            let should = frozen.fault(node) == Some(fault);
            conditions.push(if should { has } else { !has });
        }
    }
    aig.all(conditions)
}

/// Whether the inbox of `to` holds exactly the given optional message from `from`.
fn holds_only(
    aig: &mut Aig,
    setting: Setting<'_>,
    state: &State,
    (to, from): (NodeId, NodeId),
    value: &Value,
) -> Lit {
    let message = match value {
        Value::Some(message) => Some(&**message),
        _ => None,
    };
    let mut conditions = Vec::new();
    let mut stored = false;
    let places = setting.shape.inbox[to.index()].iter();
    let places = places.zip(&state.nodes[to.index()].inbox);
    for (place, slot) in places.filter(|(place, _)| place.sender == from) {
        let goes_here = message.is_some_and(|message| match &place.holds {
            Holds::This(value) => value == message,
            Holds::LastOf(record) => *record == message.record(),
            Holds::OneOf(_) => !stored,
        });
        stored |= goes_here;
        match message.filter(|_| goes_here) {
            Some(message) => {
                let ty = Type::Record(message.record());
                let message = constant(setting.machine, message, &ty);
                let same = equal(aig, &slot.message, &message);
                conditions.extend([slot.present, same]);
            }
            None => conditions.push(!slot.present),
        }
    }
    if message.is_some() && !stored {
        return Lit::FALSE;
    }
    aig.all(conditions)
}
