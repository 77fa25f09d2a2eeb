//! Where runs begin: every choice of what is rigid, and every initial state for it.

use crate::domain::product;
use crate::{
    Expr, Init, Instance, LocalId, Machine, Mode, NodeState, Order, Rigid, RunError, State, Value,
};

/// Why there are no initial states to begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InitialError {
    /// An initial value or restriction is an error.
    Error(RunError),
    /// An initial value is not of its variable's type.
    OutOfRange(crate::VarId, Value),
}

impl From<RunError> for InitialError {
    fn from(error: RunError) -> InitialError {
        InitialError::Error(error)
    }
}

/// Every choice of what is rigid, in order.
pub struct Rigids<'m> {
    machine: &'m Machine,
    /// For each node of each rigid variable its possible values.
    columns: Vec<Vec<Value>>,
    /// Which value each column has now; `None` before the first and after the last.
    odometer: Option<Vec<usize>>,
}

impl Machine {
    /// How many initial states an instance has at the most; saturates. Restrictions are not counted in.
    pub fn initial_bound(&self) -> u128 {
        let vars = self.vars.iter().map(|var| {
            let values = match &var.init {
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
            };
            values.saturating_pow(self.kinds[var.kind.index()].count)
        });
        vars.fold(1, u128::saturating_mul)
    }

    /// Every choice of what is rigid. Lazy: there may be very many.
    pub fn rigids(&self) -> Rigids<'_> {
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
    type Item = Rigid;

    fn next(&mut self) -> Option<Rigid> {
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
            return Some(Rigid(
                rigids
                    .map(|r| {
                        let count = self.machine.kinds[r.kind.index()].count as usize;
                        values.by_ref().take(count).collect()
                    })
                    .collect(),
            ));
        }
    }
}

impl Instance<'_> {
    /// Every initial state, in order.
    pub fn initial_states(&self) -> Result<Vec<State>, InitialError> {
        let machine = self.machine;
        let blank = self.blank();
        let columns = self.initial_values(&blank)?;
        let mut states = Vec::new();
        for values in product(&columns) {
            let mut values = values.into_iter();
            let mut state = blank.clone();
            for node in machine.nodes() {
                let count = machine.vars_of(machine.kind_of(node)).count();
                state.nodes[node.index()].vars = values.by_ref().take(count).collect();
            }
            if self.is_allowed_initially(&state)? {
                states.push(state);
            }
        }
        Ok(states)
    }

    /// Whether this is one of the initial states.
    pub fn is_initial(&self, state: &State) -> Result<bool, InitialError> {
        let mut bare = state.clone();
        bare.nodes.iter_mut().for_each(|node| node.vars.clear());
        let blank = self.blank();
        if bare != blank {
            return Ok(false);
        }
        let columns = self.initial_values(&blank)?;
        let values: Vec<&Value> = state.nodes.iter().flat_map(|node| &node.vars).collect();
        let mut pairs = values.iter().zip(&columns);
        let fits =
            values.len() == columns.len() && pairs.all(|(value, column)| column.contains(value));
        Ok(fits && self.is_allowed_initially(state)?)
    }

    pub(crate) fn is_allowed_initially(&self, state: &State) -> Result<bool, RunError> {
        for restriction in &self.machine.initially {
            if !self.holds(state, &restriction.condition, &[])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// An initial state but for the variables.
    pub(crate) fn blank(&self) -> State {
        let machine = self.machine;
        let nodes = machine.nodes().map(|node| NodeState {
            mode: match machine.start_block(machine.kind_of(node)) {
                Some(_) => Mode::Waiting,
                None => Mode::Running,
            },
            vars: Vec::new(),
            outbox: Vec::new(),
        });
        let budgets = machine.faults.iter().map(|f| f.limit.unwrap_or(0));
        State {
            nodes: nodes.collect(),
            edges: vec![Vec::new(); machine.edges.len()],
            budgets: budgets.collect(),
        }
    }

    /// The values with which each variable of each node can begin.
    fn initial_values(&self, blank: &State) -> Result<Vec<Vec<Value>>, InitialError> {
        let machine = self.machine;
        let mut columns = Vec::new();
        for node in machine.nodes() {
            let kind = machine.kind_of(node);
            for (v, var) in machine
                .vars
                .iter()
                .enumerate()
                .filter(|(_, v)| v.kind == kind)
            {
                let this = [(LocalId(0), Value::Node(node))];
                let values: Vec<Value> = match &var.init {
                    Init::Any => machine.values(&var.ty),
                    Init::AnyIn(_, set) => self
                        .value(blank, set, &this)?
                        .as_set()
                        .iter()
                        .cloned()
                        .collect(),
                    Init::Value(_, value) => vec![self.value(blank, value, &this)?],
                };
                if let Some(bad) = values.iter().find(|value| !machine.is_of(value, &var.ty)) {
                    return Err(InitialError::OutOfRange(
                        crate::VarId(v as u32),
                        bad.clone(),
                    ));
                }
                columns.push(values);
            }
        }
        Ok(columns)
    }
}
