//! Enumeration of frozen choices: frozen variables, faults from the start, fixed periods.

use crate::{
    Abstraction, Fault, Frozen, Instance, Machine, NodeId, Order, RunError, Timing, Type, Value,
};
use rational::Rational;
use std::collections::BTreeSet;

/// The possible values of a frozen variable at a node.
enum Column<'m> {
    Given(&'m Value),
    /// All values of a type, with their number. The values are computed one by one, because a list may not fit into
    /// memory.
    Every(&'m Type, u128),
}

impl Column<'_> {
    fn len(&self) -> u128 {
        match self {
            Column::Given(_) => 1,
            Column::Every(_, count) => *count,
        }
    }
}

/// An iterator over all combinations of values of the frozen variables; ids of an arrangement are distinct.
pub(crate) struct FrozenChoices<'m> {
    machine: &'m Machine,
    /// For each frozen variable and each node of its kind: the possible values.
    columns: Vec<Column<'m>>,
    /// The current index in each column; `None` after the last combination.
    odometer: Option<Vec<u128>>,
    /// The current value of each column.
    values: Vec<Value>,
}

impl Machine {
    /// All combinations of values of the frozen variables.
    pub(crate) fn frozen_values(&self) -> FrozenChoices<'_> {
        let mut columns = Vec::new();
        for frozen in &self.frozen_vars {
            for node in 0..self.kinds[frozen.kind.index()].count as usize {
                columns.push(match &frozen.order {
                    Order::Given(values) => Column::Given(&values[node]),
                    Order::Every | Order::Arrangement => {
                        Column::Every(&frozen.ty, self.cardinality(&frozen.ty))
                    }
                });
            }
        }
        let some = columns.iter().all(|column| column.len() > 0);
        let mut choices = FrozenChoices {
            machine: self,
            odometer: some.then(|| vec![0; columns.len()]),
            values: Vec::new(),
            columns,
        };
        if some {
            choices.values = (0..choices.columns.len())
                .map(|column| choices.value(column, 0))
                .collect();
        }
        choices
    }
}

impl FrozenChoices<'_> {
    /// The value at an index of a column.
    fn value(&self, column: usize, index: u128) -> Value {
        match &self.columns[column] {
            Column::Given(value) => (*value).clone(),
            Column::Every(ty, _) => {
                let value = self.machine.nth_value(ty, index);
                value.expect("the index is less than the number of values")
            }
        }
    }

    /// The first column whose id also occurs in an earlier column; `None` if the ids are distinct.
    fn clash(&self) -> Option<usize> {
        let mut taken = BTreeSet::new();
        let mut column = 0;
        for frozen in &self.machine.frozen_vars {
            for _ in 0..self.machine.kinds[frozen.kind.index()].count {
                if frozen.order == Order::Arrangement && !taken.insert(&self.values[column]) {
                    return Some(column);
                }
                column += 1;
            }
        }
        None
    }

    /// Advances a column to its next value, with carry to the left, and resets the columns to its right.
    fn advance(&mut self, mut column: usize) {
        let Some(mut odometer) = self.odometer.take() else {
            return;
        };
        let from = loop {
            odometer[column] += 1;
            if odometer[column] < self.columns[column].len() {
                break column;
            }
            if column == 0 {
                return;
            }
            column -= 1;
        };
        for (later, digit) in odometer.iter_mut().enumerate().skip(from) {
            if later > from {
                if *digit == 0 {
                    continue;
                }
                *digit = 0;
            }
            self.values[later] = self.value(later, *digit);
        }
        self.odometer = Some(odometer);
    }
}

impl Iterator for FrozenChoices<'_> {
    type Item = Vec<Vec<Value>>;

    fn next(&mut self) -> Option<Vec<Vec<Value>>> {
        loop {
            cancellation::poll();
            self.odometer.as_ref()?;
            if let Some(column) = self.clash() {
                self.advance(column);
                continue;
            }
            let mut values = self.values.iter().cloned();
            let frozen_vars = self.machine.frozen_vars.iter();
            let choice = frozen_vars.map(|r| {
                let count = self.machine.kinds[r.kind.index()].count as usize;
                values.by_ref().take(count).collect()
            });
            let choice = choice.collect();
            match self.columns.len().checked_sub(1) {
                Some(last) => self.advance(last),
                None => self.odometer = None,
            }
            return Some(choice);
        }
    }
}

impl Machine {
    /// Whether some frozen choice satisfies the first `restrictions` restrictions of the initial states. These
    /// restrictions must not read variables.
    pub fn some_instance(&self, restrictions: usize) -> Result<bool, RunError> {
        for frozen in self.frozen_choices_up_to_symmetry() {
            let instance = Instance {
                machine: self,
                frozen: &frozen,
            };
            if instance.is_allowed(restrictions)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Machine {
    /// All frozen choices. With digitised time each fixed period ranges over the multiples of the unit within `gap`;
    /// otherwise, also with exact time, `periods` is empty. The iterator is lazy, because the number of choices can be
    /// large.
    pub fn frozen_choices(&self) -> impl Iterator<Item = Frozen> + '_ {
        let faults = self.fault_assignments(usize::MAX).unwrap_or_default();
        let periods = self.grid_periods();
        let both = move |periods: Vec<Option<Rational>>| {
            faults
                .clone()
                .into_iter()
                .map(move |f| (f, periods.clone()))
        };
        let rest: Vec<_> = periods.into_iter().flat_map(both).collect();
        self.frozen_values().flat_map(move |values| {
            let with = |(faults, periods): &(Vec<Option<Fault>>, Vec<Option<Rational>>)| Frozen {
                values: values.clone(),
                faults: faults.clone(),
                periods: periods.clone(),
            };
            rest.iter().map(with).collect::<Vec<_>>()
        })
    }

    /// All assignments of faults to nodes; a single empty one if the Machine has no node faults. `None` if there are
    /// more than `limit` assignments to all nodes or to the first few nodes.
    pub(crate) fn fault_assignments(&self, limit: usize) -> Option<Vec<Vec<Option<Fault>>>> {
        if self.node_faults.is_empty() {
            return Some(vec![vec![]]);
        }
        let mut found = vec![vec![]];
        for _ in self.nodes() {
            let every = [
                None,
                Some(Fault::Off),
                Some(Fault::Mute),
                Some(Fault::Deaf),
                Some(Fault::Isolated),
            ];
            found = found
                .into_iter()
                .flat_map(|faults: Vec<Option<Fault>>| {
                    every.map(|fault| [faults.clone(), vec![fault]].concat())
                })
                .filter(|faults| self.allows_faults(faults))
                .collect();
            if found.len() > limit {
                return None;
            }
        }
        Some(found)
    }

    /// Whether the nodes can have these faults from the start; the list has one entry per node, or none if the Machine
    /// has no node faults.
    pub fn can_have_faults(&self, faults: &[Option<Fault>]) -> bool {
        let nodes = if self.node_faults.is_empty() {
            0
        } else {
            self.node_count()
        };
        faults.len() == nodes as usize && self.allows_faults(faults)
    }

    /// Whether the nodes 0, 1, … can have these faults from the start; the list may be shorter than the number of
    /// nodes.
    pub(crate) fn allows_faults(&self, faults: &[Option<Fault>]) -> bool {
        self.can_have(faults, &mut vec![0; self.node_faults.len()])
    }

    /// [`Machine::allows_faults`] if `used[i]` nodes already have a fault of group i.
    fn can_have(&self, faults: &[Option<Fault>], used: &mut [u32]) -> bool {
        cancellation::poll();
        let Some((last, rest)) = faults.split_last() else {
            return true;
        };
        let Some(fault) = last else {
            return self.can_have(rest, used);
        };
        let kind = self.kind_of(NodeId(rest.len() as u32));
        (0..used.len()).any(|i| {
            let item = &self.node_faults[i];
            let fits = item.of.is_none_or(|of| of == kind)
                && item.faults.contains(fault)
                && item.limit.is_none_or(|limit| used[i] < limit);
            used[i] += 1;
            let can = fits && self.can_have(rest, used);
            used[i] -= 1;
            can
        })
    }

    /// All combinations of fixed periods that are multiples of the unit, indexed by node; a single empty one without
    /// digitisation.
    pub(crate) fn grid_periods(&self) -> Vec<Vec<Option<Rational>>> {
        let Some(grid) = self.digitisation() else {
            return vec![vec![]];
        };
        let mut found = vec![vec![]];
        for node in self.nodes() {
            let choices: Vec<Option<Rational>> = match self.timing(self.kind_of(node)) {
                Some(Timing::Periodic(periodic)) if periodic.fixed => {
                    let (from, to) = &periodic.gap;
                    let mut period = (from / &grid.unit).ceil() * &grid.unit;
                    let mut choices = Vec::new();
                    while period <= *to {
                        choices.push(Some(period.clone()));
                        period += &grid.unit;
                    }
                    choices
                }
                _ => vec![None],
            };
            let with = |periods: &Vec<Option<Rational>>| -> Vec<Vec<Option<Rational>>> {
                cancellation::poll();
                choices
                    .iter()
                    .map(|choice| [&periods[..], std::slice::from_ref(choice)].concat())
                    .collect()
            };
            found = found.iter().flat_map(with).collect();
        }
        found
    }
}

impl Instance<'_> {
    /// Whether the periods match the declared timings: a period within `gap` for each node with a fixed period, `None`
    /// for the other nodes, and no periods at all if the Machine has no real times or they are abstracted to an order.
    pub fn periods_fit(&self) -> bool {
        let declared = |node: NodeId| match self.machine.timing(self.machine.kind_of(node)) {
            Some(Timing::Periodic(periodic)) if periodic.fixed => Some(periodic),
            _ => None,
        };
        if !self.machine.has_time() || matches!(self.machine.abstraction, Abstraction::Order(..)) {
            return self.frozen.periods.is_empty();
        }
        self.frozen.periods.len() == self.machine.node_count() as usize
            && self.machine.nodes().all(|node| {
                match (declared(node), &self.frozen.periods[node.index()]) {
                    (Some(p), Some(period)) => p.gap.0 <= *period && *period <= p.gap.1,
                    (declared, period) => declared.is_none() && period.is_none(),
                }
            })
    }
}
