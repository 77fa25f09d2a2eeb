//! One beginning of a run, picked value by value: where there are too many to list them all.

use crate::{Init, InitialError, Instance, LocalId, Machine, Order, Rigid, State, Type, Value};

/// Picks one of so many: gives a number that is less. The many are never none.
pub type Pick<'p> = dyn FnMut(usize) -> usize + 'p;

impl Machine {
    /// How many choices of what is rigid there are; saturates.
    pub fn rigid_count(&self) -> u128 {
        let mut ids = u128::from(self.ids);
        let mut all: u128 = 1;
        for rigid in &self.rigids {
            for _ in 0..self.kinds[rigid.kind.index()].count {
                let values = match rigid.order {
                    Order::Given(_) => 1,
                    Order::Every => self.cardinality(&rigid.ty),
                    Order::Arrangement => {
                        ids = ids.saturating_sub(1);
                        ids + 1
                    }
                };
                all = all.saturating_mul(values);
            }
        }
        all
    }

    /// One of the [`rigids`](Machine::rigids): every value is picked among those that are left for it. None
    /// if there is none.
    pub fn pick_rigid(&self, pick: &mut Pick<'_>) -> Option<Rigid> {
        let mut left: Vec<Value> = self.values(&Type::Id);
        let mut picked = Vec::new();
        for rigid in &self.rigids {
            let mut column = Vec::new();
            for node in 0..self.kinds[rigid.kind.index()].count as usize {
                column.push(match &rigid.order {
                    Order::Given(values) => values[node].clone(),
                    Order::Every => self.pick_value(&rigid.ty, pick)?,
                    Order::Arrangement if left.is_empty() => return None,
                    Order::Arrangement => left.remove(pick(left.len())),
                });
            }
            picked.push(column);
        }
        Some(Rigid(picked))
    }

    /// A value of a type; none if it has none.
    pub fn pick_value(&self, ty: &Type, pick: &mut Pick<'_>) -> Option<Value> {
        let one_of = usize::try_from(self.cardinality(ty)).unwrap_or(usize::MAX);
        if one_of == 0 {
            return None;
        }
        Some(match ty {
            Type::Bool => Value::Bool(pick(2) == 1),
            Type::Int(lo, _) => Value::Int(lo.saturating_add_unsigned(pick(one_of) as u64)),
            Type::Id => Value::Id(pick(one_of) as u32 + 1),
            Type::Node => Value::Node(crate::NodeId(pick(one_of) as u32)),
            Type::Enum(e) => Value::Enum(*e, pick(one_of) as u32),
            Type::Record(r) => {
                let fields = self.records[r.index()].fields.iter();
                let values = fields.map(|(_, ty)| self.pick_value(ty, pick));
                Value::Record(*r, values.collect::<Option<_>>()?)
            }
            Type::Option(_) if pick(one_of) == 0 => Value::None,
            Type::Option(inner) => Value::some(self.pick_value(inner, pick)?),
            Type::Set(inner) => {
                let all = self.values(inner).into_iter();
                Value::Set(all.filter(|_| pick(2) == 1).collect())
            }
            Type::Array(index, inner) => {
                let places = 0..self.cardinality(index);
                let values = places.map(|_| self.pick_value(inner, pick));
                Value::Array(values.collect::<Option<_>>()?)
            }
        })
    }
}

impl Instance<'_> {
    /// A state whose variables have first values, each picked. None if a variable has none, or if the state
    /// is not allowed at the start: then others may be.
    pub fn pick_initial(&self, pick: &mut Pick<'_>) -> Result<Option<State>, InitialError> {
        let mut state = self.blank();
        let blank = state.clone();
        for node in self.machine.nodes() {
            let kind = self.machine.kind_of(node);
            let this = [(LocalId(0), Value::Node(node))];
            for (v, var) in self.machine.vars.iter().enumerate() {
                if var.kind != kind {
                    continue;
                }
                let value = match &var.init {
                    Init::Any => self.machine.pick_value(&var.ty, pick),
                    Init::AnyIn(_, set) => {
                        let set = self.value(&blank, set, &this)?;
                        let set = set.as_set();
                        (!set.is_empty())
                            .then(|| set.iter().nth(pick(set.len())).cloned())
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
        Ok(self.is_allowed_initially(&state)?.then_some(state))
    }
}
