//! Every choice of values for the frozen variables: one after the other, without equal ids.

use crate::{Instance, Machine, Order, RunError, Value};

/// Every choice of values for the frozen variables, in order.
pub(crate) struct FrozenChoices<'m> {
    machine: &'m Machine,
    /// For each node of each frozen variable its possible values.
    columns: Vec<Vec<Value>>,
    /// Which value each column has now; `None` before the first and after the last.
    odometer: Option<Vec<usize>>,
}

impl Machine {
    /// Every choice of values for the frozen variables.
    pub(crate) fn frozen_values(&self) -> FrozenChoices<'_> {
        let mut columns = Vec::new();
        for frozen in &self.frozen_vars {
            for node in 0..self.kinds[frozen.kind.index()].count as usize {
                columns.push(match &frozen.order {
                    Order::Given(values) => vec![values[node].clone()],
                    Order::Every | Order::Arrangement => self.values(&frozen.ty),
                });
            }
        }
        let odometer = columns
            .iter()
            .all(|c| !c.is_empty())
            .then(|| vec![0; columns.len()]);
        FrozenChoices {
            machine: self,
            columns,
            odometer,
        }
    }
}

impl FrozenChoices<'_> {
    /// The first column, from the left, that repeats an id of an earlier one; columns right of it do not matter.
    fn clash(&self, odometer: &[usize]) -> Option<usize> {
        let mut taken = Vec::new();
        let mut column = 0;
        for frozen in &self.machine.frozen_vars {
            for _ in 0..self.machine.kinds[frozen.kind.index()].count {
                let value = &self.columns[column][odometer[column]];
                if frozen.order == Order::Arrangement {
                    if taken.contains(&value) {
                        return Some(column);
                    }
                    taken.push(value);
                }
                column += 1;
            }
        }
        None
    }

    /// Goes on to the next value of a column, carrying to the left, and resets those right of it.
    fn advance(&mut self, mut column: usize) {
        let Some(odometer) = &mut self.odometer else {
            return;
        };
        odometer[column + 1..].fill(0);
        loop {
            odometer[column] += 1;
            if odometer[column] < self.columns[column].len() {
                return;
            }
            odometer[column] = 0;
            if column == 0 {
                self.odometer = None;
                return;
            }
            column -= 1;
        }
    }
}

impl Iterator for FrozenChoices<'_> {
    type Item = Vec<Vec<Value>>;

    fn next(&mut self) -> Option<Vec<Vec<Value>>> {
        loop {
            let odometer = self.odometer.clone()?;
            if let Some(column) = self.clash(&odometer) {
                self.advance(column);
                continue;
            }
            match self.columns.len().checked_sub(1) {
                Some(last) => self.advance(last),
                None => self.odometer = None,
            }
            let mut values = odometer
                .iter()
                .zip(&self.columns)
                .map(|(i, column)| column[*i].clone());
            let frozen_vars = self.machine.frozen_vars.iter();
            return Some(
                frozen_vars
                    .map(|r| {
                        let count = self.machine.kinds[r.kind.index()].count as usize;
                        values.by_ref().take(count).collect()
                    })
                    .collect(),
            );
        }
    }
}

impl Machine {
    /// Whether there is a choice of what is frozen for which the first so many restrictions of the initial states hold. They
    /// read no variables.
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
