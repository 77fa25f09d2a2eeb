//! Every choice of values for the rigid variables: one after the other, without equal ids.

use crate::{Instance, Machine, Order, RunError, Value};

/// Every choice of values for the rigid variables, in order.
pub(crate) struct Rigids<'m> {
    machine: &'m Machine,
    /// For each node of each rigid variable its possible values.
    columns: Vec<Vec<Value>>,
    /// Which value each column has now; `None` before the first and after the last.
    odometer: Option<Vec<usize>>,
}

impl Machine {
    /// Every choice of values for the rigid variables.
    pub(crate) fn rigid_values(&self) -> Rigids<'_> {
        let mut columns = Vec::new();
        for rigid in &self.rigids {
            for node in 0..self.kinds[rigid.kind.index()].count as usize {
                columns.push(match &rigid.order {
                    Order::Given(values) => vec![values[node].clone()],
                    Order::Every | Order::Arrangement => self.values(&rigid.ty),
                });
            }
        }
        let odometer = columns
            .iter()
            .all(|c| !c.is_empty())
            .then(|| vec![0; columns.len()]);
        Rigids {
            machine: self,
            columns,
            odometer,
        }
    }
}

impl Rigids<'_> {
    /// The first column, from the left, that repeats an id of an earlier one; columns right of it do not matter.
    fn clash(&self, odometer: &[usize]) -> Option<usize> {
        let mut taken = Vec::new();
        let mut column = 0;
        for rigid in &self.machine.rigids {
            for _ in 0..self.machine.kinds[rigid.kind.index()].count {
                let value = &self.columns[column][odometer[column]];
                if rigid.order == Order::Arrangement {
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

impl Iterator for Rigids<'_> {
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
            let rigids = self.machine.rigids.iter();
            return Some(
                rigids
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
    /// Whether there is a choice of what is rigid for which the first so many restrictions of the initial states hold. They
    /// read no variables.
    pub fn some_instance(&self, restrictions: usize) -> Result<bool, RunError> {
        for rigid in self.rigids_up_to_symmetry() {
            let instance = Instance {
                machine: self,
                rigid: &rigid,
            };
            if instance.is_allowed(restrictions)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
