//! Initial states: their parts, bounds on their number, and membership.

use crate::semantics::initial::restrictions;
use crate::semantics::timers;
use crate::{
    Expr, Fault, Init, InitialError, Instance, Machine, NodeId, RunError, State, Type, Value, Var,
    VarId,
};

/// Maximum number of initial values that are listed in order to filter them by restrictions.
pub(crate) const MAX_LISTED_VALUES: u128 = 100_000;

/// Maximum number of evaluations for computing the initial contents of inboxes.
const MAX_SENDABLE_EVALUATIONS: u128 = 10_000_000;

/// A part of an initial state that can have several values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialPart {
    /// A variable of a node, by its index in [`NodeState::vars`](crate::NodeState).
    Var(NodeId, usize),
    /// The content of the first node's inbox from the second node: an optional message.
    Inbox(NodeId, NodeId),
}

impl Machine {
    /// An upper bound on the number of initial values of a variable at one node; saturating.
    pub fn first_values_bound(&self, var: &Var) -> u128 {
        match &var.init {
            Init::Value(..) => 1,
            Init::Any => self.cardinality(&var.ty),
            Init::AnyIn(_, set) => match set.bare() {
                Expr::Set(_, items) => items.len() as u128,
                Expr::Range(lo, hi) => match (lo.bare(), hi.bare()) {
                    (Expr::Const(Value::Int(lo)), Expr::Const(Value::Int(hi))) => {
                        (i128::from(*hi) - i128::from(*lo) + 1).max(0) as u128
                    }
                    _ => self.cardinality(&var.ty),
                },
                _ => self.cardinality(&var.ty),
            },
        }
    }
}

impl Instance<'_> {
    /// An upper bound on the number of initial states, where states that differ only in parts for which `counts` is
    /// false count once; saturating. Restrictions on a single variable are taken into account.
    pub fn initial_bound(&self, counts: &dyn Fn(InitialPart) -> bool) -> u128 {
        if self.sendable_bound() > MAX_SENDABLE_EVALUATIONS {
            return u128::MAX;
        }
        let mut bound = 1u128;
        if self.initial_values_bound() <= MAX_LISTED_VALUES
            && let Ok(parts) = self.initial_parts()
        {
            let lengths = parts.iter().filter(|(part, _)| counts(*part));
            return lengths.fold(1, |all, (_, values)| {
                all.saturating_mul(values.len() as u128)
            });
        }
        for node in self.machine.nodes() {
            let vars = self.machine.vars_of(self.machine.kind_of(node));
            for (place, var) in vars.enumerate() {
                if counts(InitialPart::Var(node, place)) {
                    bound = bound.saturating_mul(self.machine.first_values_bound(var));
                }
            }
        }
        for (to, from, values) in self.initial_inboxes() {
            if counts(InitialPart::Inbox(to, from)) {
                bound = bound.saturating_mul(values.len() as u128);
            }
        }
        bound
    }

    /// An upper bound on the total number of initial values of all parts; saturating.
    pub(crate) fn initial_values_bound(&self) -> u128 {
        let kinds = self.machine.nodes().map(|node| self.machine.kind_of(node));
        let vars = kinds.flat_map(|kind| self.machine.vars_of(kind));
        let all = vars.map(|var| self.machine.first_values_bound(var));
        all.fold(self.sendable_bound(), u128::saturating_add)
    }

    /// All initial states, in the order of their numbers; see [`InitialStates`](crate::InitialStates).
    pub fn initial_states(&self) -> Result<Vec<State>, InitialError> {
        let mut all = Vec::new();
        for look in self.initial_states_from(self.initial_parts()?) {
            all.extend(look?.map(|(_, state)| state));
        }
        Ok(all)
    }

    /// The parts of the initial states with their possible values: variables by node, then inboxes. A variable of a
    /// node that is off has only its first value. Values that a restriction on a single variable excludes are omitted.
    pub fn initial_parts(&self) -> Result<Vec<(InitialPart, Vec<Value>)>, InitialError> {
        let blank = self.blank();
        let mut parts = Vec::new();
        for node in self.machine.nodes() {
            let off = self.frozen.fault(node) == Some(Fault::Off);
            for (place, mut values) in self.values_of(node, &blank)?.into_iter().enumerate() {
                if off {
                    values.truncate(1);
                }
                parts.push((InitialPart::Var(node, place), values));
            }
        }
        let inboxes = self.initial_inboxes().into_iter();
        parts.extend(inboxes.map(|(to, from, values)| (InitialPart::Inbox(to, from), values)));
        restrictions::filter_by_restrictions(self, &mut parts);
        Ok(parts)
    }

    /// Whether a restriction of the initial states reads a variable.
    fn is_restricted(&self, var: VarId) -> bool {
        let mut reads = false;
        for restriction in &self.machine.initially {
            let condition = &restriction.condition;
            condition.walk(&mut |e| reads |= matches!(e, Expr::Var(v, _) if *v == var));
        }
        reads
    }

    /// Whether the restrictions allow the state for some values of the variables of nodes that are off. If so, assigns
    /// the first such values. A restriction over all nodes thus does not constrain nodes that are off.
    pub(crate) fn assign_off_nodes(&self, state: &mut State) -> Result<bool, InitialError> {
        let machine = self.machine;
        let is_off = |node: &NodeId| self.frozen.fault(*node) == Some(Fault::Off);
        let off: Vec<NodeId> = machine.nodes().filter(is_off).collect();
        if off.is_empty() {
            return Ok(self.is_allowed_initially(state)?);
        }
        let blank = self.blank();
        let mut columns = Vec::new();
        for node in &off {
            let vars = (0..machine.vars.len() as u32).map(VarId);
            let own = vars.filter(|v| machine.vars[v.index()].kind == machine.kind_of(*node));
            for var in own {
                // If no restriction reads the variable, its first value suffices.
                let restricted = self.is_restricted(var);
                let declared = &machine.vars[var.index()];
                columns.push(match (&declared.init, machine.first_value(&declared.ty)) {
                    (Init::Any, Some(first)) if !restricted => vec![first],
                    _ => {
                        let mut values = self.first_values(*node, var.index(), &blank)?;
                        values.truncate(if restricted { usize::MAX } else { 1 });
                        values
                    }
                });
            }
        }
        if columns.iter().any(Vec::is_empty) {
            return Ok(false);
        }
        let mut odometer = vec![0; columns.len()];
        loop {
            let mut values = columns.iter().zip(&odometer).map(|(c, i)| c[*i].clone());
            for node in &off {
                let count = machine.vars_of(machine.kind_of(*node)).count();
                state.nodes[node.index()].vars = values.by_ref().take(count).collect();
            }
            drop(values);
            if self.is_allowed_initially(state)? {
                return Ok(true);
            }
            let last = (0..columns.len()).rfind(|c| odometer[*c] + 1 < columns[*c].len());
            let Some(column) = last else {
                return Ok(false);
            };
            odometer[column] += 1;
            odometer[column + 1..].fill(0);
        }
    }

    /// The state in which each variable has the first of its initial values that `wanted(node, index, value)` accepts,
    /// and inboxes contain the given messages (receiver, sender, message). `None` if a variable has no such value. Does
    /// not check restrictions, faults of nodes, or whether the inbox contents are possible.
    pub fn initial_state_with(
        &self,
        wanted: &mut dyn FnMut(NodeId, usize, &Value) -> bool,
        inboxes: Vec<(NodeId, NodeId, Value)>,
    ) -> Result<Option<State>, InitialError> {
        let machine = self.machine;
        let mut state = self.blank();
        let blank = self.blank();
        for node in machine.nodes() {
            for (place, values) in self.values_of(node, &blank)?.into_iter().enumerate() {
                let mut values = values.into_iter();
                match values.find(|value| wanted(node, place, value)) {
                    Some(value) => state.nodes[node.index()].vars.push(value),
                    None => return Ok(None),
                }
            }
        }
        for (to, from, message) in inboxes {
            state.nodes[to.index()].store(machine.inbox, from, message);
        }
        timers::update_pending(self, &mut state)?;
        Ok(Some(state))
    }

    /// The initial state with the given variables, indexed by node, and the given messages in inboxes (receiver,
    /// sender, message). `None` if the restrictions exclude it. The given variables of nodes that are off are ignored.
    pub fn initial_state_of(
        &self,
        vars: Vec<Vec<Value>>,
        inboxes: Vec<(NodeId, NodeId, Value)>,
    ) -> Result<Option<State>, InitialError> {
        let mut state = self.blank();
        for (node, vars) in state.nodes.iter_mut().zip(vars) {
            node.vars = vars;
        }
        for (to, from, message) in inboxes {
            state.nodes[to.index()].store(self.machine.inbox, from, message);
        }
        if !self.assign_off_nodes(&mut state)? {
            return Ok(None);
        }
        timers::update_pending(self, &mut state)?;
        Ok(Some(state))
    }

    /// Whether a state is an initial state.
    pub fn is_initial(&self, state: &State) -> Result<bool, InitialError> {
        let mut bare = state.clone();
        for node in &mut bare.nodes {
            node.vars.clear();
            node.inbox.clear();
        }
        let forget = |state: &mut State| state.clock.iter_mut().for_each(|c| c.pending.fill(None));
        forget(&mut bare);
        let blank = self.blank();
        if bare != blank {
            return Ok(false);
        }
        let machine = self.machine;
        for node in machine.nodes() {
            let values = &state.nodes[node.index()].vars;
            let vars = machine.vars.iter().enumerate();
            let vars: Vec<_> = vars
                .filter(|(_, var)| var.kind == machine.kind_of(node))
                .collect();
            if values.len() != vars.len() {
                return Ok(false);
            }
            for (value, (v, var)) in values.iter().zip(vars) {
                let possible = match &var.init {
                    Init::Any => machine.is_of(value, &var.ty), // avoids enumerating all values
                    _ => self.first_values(node, v, &blank)?.contains(value),
                };
                if !possible {
                    return Ok(false);
                }
            }
        }
        let mut settled = state.clone();
        forget(&mut settled);
        let inboxes: Vec<&[(NodeId, Value)]> = state.nodes.iter().map(|n| &n.inbox[..]).collect();
        // The state may come from a file, so its numbers are checked before they are used as indices.
        let exists = |(from, message): &(NodeId, Value)| {
            let record = match message {
                Value::Record(record, _) if record.index() < machine.records.len() => *record,
                _ => return false,
            };
            from.0 < machine.node_count() && machine.is_of(message, &Type::Record(record))
        };
        if !inboxes.iter().copied().flatten().all(exists) {
            return Ok(false);
        }
        if !self.are_initial_inboxes(&inboxes) || !self.assign_off_nodes(&mut settled)? {
            return Ok(false);
        }
        timers::update_pending(self, &mut settled)?;
        Ok(settled == *state)
    }

    pub(crate) fn is_allowed_initially(&self, state: &State) -> Result<bool, RunError> {
        for restriction in &self.machine.initially {
            if !self.holds(state, &restriction.condition, &[])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the first `restrictions` restrictions hold. These restrictions must not read variables.
    pub(crate) fn is_allowed(&self, restrictions: usize) -> Result<bool, RunError> {
        let blank = self.blank();
        for restriction in &self.machine.initially[..restrictions] {
            if !self.holds(&blank, &restriction.condition, &[])? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
