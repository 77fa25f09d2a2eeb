//! Sampling of frozen choices, initial states, values and times, for cases in which enumeration is infeasible.

use crate::semantics::initial::states::MAX_LISTED_VALUES;
use crate::semantics::timers;
use crate::{
    Abstraction, Choice, Event, Expr, Fault, Frozen, Init, InitialError, Instance, Interval,
    KindId, LocalId, Machine, Order, State, Timing, Type, Value,
};
use rational::Rational;

/// Chooses one of n alternatives: maps a positive n to a number in 0..n.
pub type Chooser<'p> = dyn FnMut(usize) -> usize + 'p;

/// A variable whose initial value is too expensive to sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The kind of node that has it.
    pub kind: KindId,
    /// Its name.
    pub name: String,
    /// An upper bound on the number of values that sampling visits; saturating.
    pub values: u128,
}

impl Machine {
    /// The first frozen or ordinary variable for which sampling an initial value may visit more than `most` values;
    /// `None` if there is none.
    pub fn too_large_to_sample(&self, most: u128) -> Option<TooLarge> {
        let off = |item: &crate::NodeFault| item.faults.contains(&Fault::Off);
        let can_be_off = self.node_faults.iter().any(off);
        let frozen_vars = self.frozen_vars.iter().map(|frozen| {
            let values = match frozen.order {
                Order::Every => self.parts(&frozen.ty),
                Order::Given(_) | Order::Arrangement => 1,
            };
            (frozen.kind, &frozen.name, values)
        });
        let vars = self.vars.iter().map(|var| {
            let values = match &var.init {
                Init::Value(..) => 1,
                // For nodes that are off, all values are enumerated to satisfy the restrictions.
                Init::Any if can_be_off => self.parts(&var.ty).max(self.cardinality(&var.ty)),
                Init::Any => self.parts(&var.ty),
                Init::AnyIn(_, set) => match set.bare() {
                    Expr::Range(..) => self.first_values_bound(var),
                    _ => 1,
                },
            };
            (var.kind, &var.name, values)
        });
        let mut all = frozen_vars.chain(vars);
        let (kind, name, values) = all.find(|(_, _, values)| *values > most)?;
        Some(TooLarge {
            kind,
            name: name.clone(),
            values,
        })
    }

    /// An upper bound on the number of values that sampling one value of a type visits; saturating.
    fn parts(&self, ty: &Type) -> u128 {
        match ty {
            Type::Bool
            | Type::Int(..)
            | Type::Counter(_)
            | Type::Id
            | Type::Node
            | Type::Enum(_) => 1,
            Type::Record(r) => {
                let fields = self.records[r.index()].fields.iter();
                let parts = fields.map(|(_, ty)| self.parts(ty));
                parts.fold(0, u128::saturating_add)
            }
            Type::OneOf(_) => self.cardinality(ty),
            Type::Option(inner) => self.parts(inner),
            Type::Set(of) | Type::Array(of, _) if self.cardinality(of) == 0 => 1,
            Type::Set(inner) => self.cardinality(inner).saturating_mul(self.parts(inner)),
            Type::Array(index, inner) => self.cardinality(index).saturating_mul(self.parts(inner)),
        }
    }

    /// An upper bound on the number of combinations of frozen variables and faults; saturating. Periods are not
    /// counted.
    pub fn frozen_count(&self) -> u128 {
        let mut ids = u128::from(self.ids);
        let mut all: u128 = 1;
        for frozen in &self.frozen_vars {
            for _ in 0..self.kinds[frozen.kind.index()].count {
                let values = match frozen.order {
                    Order::Given(_) => 1,
                    Order::Every => self.cardinality(&frozen.ty),
                    Order::Arrangement => {
                        ids = ids.saturating_sub(1);
                        ids + 1
                    }
                };
                all = all.saturating_mul(values);
            }
        }
        match self.fault_assignments(100_000) {
            Some(faults) => all.saturating_mul(faults.len() as u128),
            None => u128::MAX,
        }
    }

    /// A random frozen choice. Each id of an arrangement is drawn from the ids that are left. `None` if a type is empty
    /// or there are too few ids.
    pub fn sample_frozen(&self, pick: &mut Chooser<'_>) -> Option<Frozen> {
        let mut left: Vec<Value> = self.values(&Type::Id);
        let mut picked = Vec::new();
        for frozen in &self.frozen_vars {
            let mut column = Vec::new();
            for node in 0..self.kinds[frozen.kind.index()].count as usize {
                column.push(match &frozen.order {
                    Order::Given(values) => values[node].clone(),
                    Order::Every => self.sample_value(&frozen.ty, pick)?,
                    Order::Arrangement if left.is_empty() => return None,
                    Order::Arrangement => left.remove(pick(left.len())),
                });
            }
            picked.push(column);
        }
        Some(Frozen {
            values: picked,
            faults: self.sample_faults(pick),
            periods: self.sample_periods(pick),
        })
    }

    /// A random assignment of faults, drawn node by node.
    fn sample_faults(&self, pick: &mut Chooser<'_>) -> Vec<Option<Fault>> {
        let mut faults = Vec::new();
        if self.node_faults.is_empty() {
            return faults;
        }
        for _ in self.nodes() {
            let every = [
                None,
                Some(Fault::Off),
                Some(Fault::Mute),
                Some(Fault::Deaf),
                Some(Fault::Isolated),
            ];
            let with = |fault: &Option<Fault>| [&faults[..], &[*fault]].concat();
            let possible: Vec<_> = every
                .iter()
                .map(with)
                .filter(|f| self.allows_faults(f))
                .collect();
            faults = possible[pick(possible.len())].clone();
        }
        faults
    }

    /// For each node with a fixed period, a random period; with probability at least 1/2 it is an end of the range.
    /// Empty unless time is exact and the Machine has real times.
    pub fn sample_periods(&self, pick: &mut Chooser<'_>) -> Vec<Option<Rational>> {
        if self.abstraction != Abstraction::Exact || !self.has_time() {
            return Vec::new();
        }
        let kinds = self.nodes().map(|node| self.kind_of(node));
        let periods = kinds.map(|kind| match self.timing(kind) {
            Some(Timing::Periodic(periodic)) if periodic.fixed => {
                Some(sample_time(&periodic.gap, pick))
            }
            _ => None,
        });
        periods.collect()
    }

    /// A random value of a type; `None` if the type is empty.
    pub fn sample_value(&self, ty: &Type, pick: &mut Chooser<'_>) -> Option<Value> {
        let one_of = usize::try_from(self.cardinality(ty)).unwrap_or(usize::MAX);
        if one_of == 0 {
            return None;
        }
        Some(match ty {
            Type::Bool => Value::Bool(pick(2) == 1),
            Type::Int(lo, _) => Value::Int(lo.saturating_add_unsigned(pick(one_of) as u64)),
            Type::Counter(_) => Value::Int(0), // arbitrary: the verifier excludes variables that begin with any counter
            Type::Id => Value::Id(pick(one_of) as u32 + 1),
            Type::Node => Value::Node(crate::NodeId(pick(one_of) as u32)),
            Type::Enum(e) => Value::Enum(*e, pick(one_of) as u32),
            Type::Record(r) => {
                let fields = self.records[r.index()].fields.iter();
                let values = fields.map(|(_, ty)| self.sample_value(ty, pick));
                Value::Record(*r, values.collect::<Option<_>>()?)
            }
            Type::OneOf(_) => self.nth_value(ty, pick(one_of) as u128)?,
            Type::Option(_) if pick(one_of) == 0 => Value::None,
            Type::Option(inner) => Value::some(self.sample_value(inner, pick)?),
            Type::Set(inner) => {
                let all = self.values(inner).into_iter();
                Value::Set(all.filter(|_| pick(2) == 1).collect())
            }
            Type::Array(index, inner) => {
                let places = 0..self.cardinality(index);
                let values = places.map(|_| self.sample_value(inner, pick));
                Value::Array(values.collect::<Option<_>>()?)
            }
        })
    }
}

impl Instance<'_> {
    /// A random initial state. `None` if a variable has no initial value or if the restrictions exclude the sampled
    /// values; another sample may then succeed.
    pub fn sample_initial(&self, pick: &mut Chooser<'_>) -> Result<Option<State>, InitialError> {
        if !self.machine.initially.is_empty() && self.initial_values_bound() <= MAX_LISTED_VALUES {
            let mut parts = self.initial_parts()?;
            for (_, values) in &mut parts {
                if values.is_empty() {
                    return Ok(None);
                }
                *values = vec![values.swap_remove(pick(values.len()))];
            }
            let only = self
                .initial_states_from(parts)
                .next()
                .transpose()?
                .flatten();
            return Ok(only.map(|(_, state)| state));
        }
        let mut state = self.blank();
        let blank = state.clone();
        for node in self.machine.nodes() {
            let kind = self.machine.kind_of(node);
            let this = [(LocalId(0), Value::Node(node))];
            let off = self.frozen.fault(node) == Some(Fault::Off);
            for (v, var) in self.machine.vars.iter().enumerate() {
                if var.kind != kind {
                    continue;
                }
                let value = match &var.init {
                    // The variables of a node that is off are not sampled: each takes its first value.
                    Init::Any if off => self.machine.sample_value(&var.ty, &mut |_| 0),
                    Init::Any => self.machine.sample_value(&var.ty, pick),
                    Init::AnyIn(_, set) => {
                        let set = self.value(&blank, set, &this)?;
                        let set = set.as_set();
                        (!set.is_empty())
                            .then(|| {
                                set.iter()
                                    .nth(if off { 0 } else { pick(set.len()) })
                                    .cloned()
                            })
                            .flatten()
                    }
                    Init::Value(_, value) => Some(self.value(&blank, value, &this)?),
                };
                let Some(value) = value else {
                    return Ok(None);
                };
                if !self.machine.is_of(&value, &var.ty) {
                    return Err(InitialError::OutOfRange(crate::VarId(v as u32), value));
                }
                state.nodes[node.index()].vars.push(value);
            }
        }
        for (to, from, values) in self.initial_inboxes() {
            if let Value::Some(message) = &values[pick(values.len())] {
                let message = (**message).clone();
                state.nodes[to.index()].store(self.machine.inbox, from, message);
            }
        }
        if !self.assign_off_nodes(&mut state)? {
            return Ok(None);
        }
        timers::update_pending(self, &mut state)?;
        Ok(Some(state))
    }
}

impl Instance<'_> {
    /// A choice of an enabled event at a given time, with random picks.
    pub fn sample_choice(
        &self,
        state: &State,
        event: Event,
        time: Option<Rational>,
        pick: &mut Chooser<'_>,
    ) -> Choice {
        let mut picks = Vec::new();
        while let Some(set) = self.next_choose(state, &event, &picks) {
            let one = set.iter().nth(pick(set.len()));
            picks.extend(one.cloned());
        }
        Choice { event, picks, time }
    }
}

/// A random time of an interval; with probability at least 1/2 it is one of the ends.
pub fn sample_time((from, to): &Interval, pick: &mut Chooser<'_>) -> Rational {
    const PARTS: usize = 40;
    match pick(4) {
        0 => from.clone(),
        1 => to.clone(),
        _ => {
            let part = Rational::new(pick(PARTS + 1) as i128, PARTS as i128);
            from + (to - from) * part
        }
    }
}
