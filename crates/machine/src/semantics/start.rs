//! The state before the first event: modes, initial values of variables, the clock.

use crate::{
    Abstraction, ActivationHistory, Clock, Delay, Fault, Init, Instance, LocalId, MOST_ELEMENTS,
    Mode, NodeId, NodeState, OrderConstraints, RunError, State, Value,
};
use rational::Rational;

/// Why initial states cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InitialError {
    /// The evaluation of an initial value or of a restriction is a runtime error.
    Error(RunError),
    /// An initial value of the variable is not of its type.
    OutOfRange(crate::VarId, Value),
    /// The variable can begin with this number of values, which is more than can be listed: see [`MOST_ELEMENTS`].
    TooMany(crate::VarId, u128),
}

impl From<RunError> for InitialError {
    fn from(error: RunError) -> InitialError {
        InitialError::Error(error)
    }
}

impl Instance<'_> {
    /// The common part of all initial states: variables are missing, inboxes are empty, and no response obligation is
    /// pending.
    pub fn blank(&self) -> State {
        let machine = self.machine;
        let nodes = machine.nodes().map(|node| NodeState {
            mode: match machine.start_block(machine.kind_of(node)) {
                _ if self.frozen.fault(node) == Some(Fault::Off) => Mode::Off,
                Some(_) => Mode::Waiting,
                None => Mode::Running,
            },
            vars: Vec::new(),
            outbox: Vec::new(),
            inbox: Vec::new(),
            timers: vec![false; machine.timer_places(machine.kind_of(node))],
            faulted: vec![false; machine.runtime_faults.len()],
        });
        let budgets = machine.faults.iter().map(|f| f.limit.unwrap_or(0));
        State {
            nodes: nodes.collect(),
            edges: vec![Vec::new(); machine.edges.len()],
            budgets: budgets.collect(),
            order_state: OrderConstraints::of(machine).start(),
            clock: self.clock(),
        }
    }

    /// The clock at the start; `None` if the Machine has no real times or if they are abstracted to an order.
    pub fn clock(&self) -> Option<Clock> {
        let machine = self.machine;
        if !machine.has_time() || matches!(machine.abstraction, Abstraction::Order(..)) {
            return None;
        }
        let nodes = machine.node_count() as usize;
        let must_restart = |item: &crate::RuntimeFault| {
            let restart = item.stop.as_ref();
            restart.is_some_and(|restart| restart.within.is_some())
        };
        let timers = machine
            .nodes()
            .map(|node| vec![None; machine.timer_places(machine.kind_of(node))]);
        Some(Clock {
            now: Rational::default(),
            activations: vec![ActivationHistory::default(); nodes],
            sent: match machine.delay {
                Delay::Within(..) => vec![Vec::new(); machine.edges.len()],
                Delay::Any | Delay::BeforeNext => Vec::new(),
            },
            timers: timers.collect(),
            stopped: match machine.runtime_faults.iter().any(must_restart) {
                true => vec![None; nodes],
                false => Vec::new(),
            },
            pending: vec![None; machine.responses.len()],
        })
    }

    /// The possible initial values of each variable of a node; restrictions of the initial states are not applied.
    pub(crate) fn values_of(
        &self,
        node: NodeId,
        blank: &State,
    ) -> Result<Vec<Vec<Value>>, InitialError> {
        let kind = self.machine.kind_of(node);
        let vars = self.machine.vars.iter().enumerate();
        let vars = vars.filter(|(_, var)| var.kind == kind);
        vars.map(|(v, _)| self.first_values(node, v, blank))
            .collect()
    }

    /// The possible values of variable `v` of a node that restarts with fresh variables.
    pub(crate) fn restart_values(
        &self,
        node: NodeId,
        v: usize,
        state: &State,
    ) -> Result<Vec<Value>, RunError> {
        self.first_values(node, v, state)
            .map_err(|error| match error {
                InitialError::Error(error) => error,
                InitialError::TooMany(..) => unreachable!("the verifier refuses such restarts"),
                InitialError::OutOfRange(var, value) => RunError {
                    kind: crate::ErrorKind::OutOfRange(
                        value,
                        self.machine.vars[var.index()].ty.clone(),
                    ),
                    origin: None,
                },
            })
    }

    /// The possible initial values of variable `v` of a node; restrictions of the initial states are not applied.
    pub(crate) fn first_values(
        &self,
        node: NodeId,
        v: usize,
        blank: &State,
    ) -> Result<Vec<Value>, InitialError> {
        let machine = self.machine;
        let var = &machine.vars[v];
        let this = [(LocalId(0), Value::Node(node))];
        let values: Vec<Value> = match &var.init {
            Init::Any => match machine.cardinality(&var.ty) {
                0..=MOST_ELEMENTS => machine.values(&var.ty),
                many => return Err(InitialError::TooMany(crate::VarId(v as u32), many)),
            },
            Init::AnyIn(_, set) => self
                .value(blank, set, &this)?
                .as_set()
                .iter()
                .cloned()
                .collect(),
            Init::Value(_, value) => vec![self.value(blank, value, &this)?],
        };
        match values.iter().find(|value| !machine.is_of(value, &var.ty)) {
            Some(bad) => Err(InitialError::OutOfRange(
                crate::VarId(v as u32),
                bad.clone(),
            )),
            None => Ok(values),
        }
    }
}
