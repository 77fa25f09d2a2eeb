//! The initial states of an instance, and the evaluation of conditions in states.

use crate::expressions::types::product;
use crate::instance::data::Instance;
use crate::instance::fault::Fault;
use crate::instance::scope::Scope;
use crate::instance::state::{Mode, NodeState, State};
use crate::instance::value::{Res, Value, refuse};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use syntax::ast::{Expr, ExprKind, Var};

impl Instance<'_> {
    /// Visits every initial state, normalised. A state may be visited several times.
    pub fn each_initial(&self, limit: usize, see: &mut impl FnMut(State) -> Res<()>) -> Res<()> {
        let mut blank = self.blank();
        // A node that is off never acts, so its variables are not enumerated and have no value.
        let on = (0..self.size()).filter(|n| self.fault(*n) != Some(Fault::Off));
        let mut open = Vec::new();
        for node in on {
            blank.nodes[node].activation = self.first_window(node)?;
            let vars = self.kind(node).vars.iter().enumerate();
            let kept = vars.filter(|(_, var)| !var.ghost || self.ghosts);
            open.extend(kept.map(|(place, _)| (node, place)));
        }
        let mut left = limit;
        for state in self.fill_inboxes(vec![blank], limit)? {
            self.fill(&open, state, &mut left, see)?;
        }
        Ok(())
    }

    /// Gives the variables in `open` their initial values, in all ways that the conditions allow, and visits the
    /// resulting states.
    fn fill(
        &self,
        open: &[(usize, usize)],
        mut state: State,
        left: &mut usize,
        see: &mut impl FnMut(State) -> Res<()>,
    ) -> Res<()> {
        if let Some(((node, place), rest)) = open.split_first() {
            let var = self.kind(*node).vars[*place];
            for value in self.first_values(*node, var, &state)? {
                let mut next = state.clone();
                next.nodes[*node].set_var(*place, value);
                self.fill(rest, next, left, see)?;
            }
            return Ok(());
        }
        if *left == 0 {
            return refuse("more initial states than the limit allows");
        }
        *left -= 1;
        if self.is_allowed(&state, 0)? {
            self.shift(&mut state)?;
            see(state)?;
        }
        Ok(())
    }

    /// All states that result from `states` by giving the variables of a restarting node initial values. Persistent
    /// variables keep their values.
    pub fn first_vars(&self, node: usize, mut states: Vec<State>) -> Res<Vec<State>> {
        for (place, var) in self.kind(node).vars.iter().enumerate() {
            if var.ghost && !self.ghosts || var.persistent {
                continue;
            }
            let mut more = Vec::new();
            for state in states {
                for value in self.first_values(node, var, &state)? {
                    let mut next = state.clone();
                    next.nodes[node].set_var(place, value);
                    more.push(next);
                }
            }
            states = more;
        }
        Ok(states)
    }

    /// Whether the conditions on initial states hold for some values of the variables of nodes that are off. `from` is
    /// the first node to consider.
    fn is_allowed(&self, state: &State, from: usize) -> Res<bool> {
        if self.conditions.is_empty() {
            return Ok(true);
        }
        let mut off = (from..self.size()).filter(|n| self.fault(*n) == Some(Fault::Off));
        let Some(node) = off.next() else {
            for condition in &self.conditions {
                if !self.holds(condition, state)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        };
        let mut columns = Vec::new();
        for var in &self.kind(node).vars {
            columns.push(self.first_values(node, var, state)?);
        }
        for values in product(columns)? {
            let mut with = state.clone();
            with.nodes[node].vars = Rc::new(values);
            if self.is_allowed(&with, node + 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// An initial state in which variables have no values and inboxes are empty.
    pub fn blank(&self) -> State {
        let nodes = (0..self.size()).map(|node| NodeState {
            vars: Rc::new(vec![Value::Unset; self.kind(node).vars.len()]),
            mode: match self.kind(node).start() {
                _ if self.fault(node) == Some(Fault::Off) => Mode::Off,
                Some(_) => Mode::Waiting,
                None => Mode::Running,
            },
            outbox: Vec::new(),
            inbox: Vec::new(),
            lead: 0,
            activation: None,
            timers: BTreeMap::new(),
            faulted: BTreeSet::new(),
            counts: BTreeMap::new(),
        });
        State {
            nodes: nodes.collect(),
            channels: vec![Vec::new(); self.edges.len()],
            budgets: self.losses.iter().map(|l| l.at_most).collect(),
            now: 0,
        }
    }

    fn first_values(&self, node: usize, var: &Var, state: &State) -> Res<Vec<Value>> {
        let mut init = &var.init;
        while let ExprKind::Paren(inner) = &init.kind {
            init = inner;
        }
        let scope = &mut Scope::of(node);
        match &init.kind {
            ExprKind::Any(None) => self.domain(&var.ty, state, scope),
            ExprKind::Any(Some(set)) => {
                let mut values = Vec::new();
                for value in self.eval(set, state, scope)?.set()? {
                    values.push(self.conform(value, &var.ty, state, scope)?);
                }
                Ok(values)
            }
            _ => {
                let value = self.eval(init, state, scope)?;
                Ok(vec![self.conform(value, &var.ty, state, scope)?])
            }
        }
    }

    /// Whether a condition without free names holds in a state.
    pub fn holds(&self, condition: &Expr, state: &State) -> Res<bool> {
        self.is_true(condition, &Scope::default(), state)
    }

    /// Whether a condition holds in a state, with the names bound in `scope`.
    pub fn is_true(&self, condition: &Expr, scope: &Scope, state: &State) -> Res<bool> {
        self.eval(condition, state, &mut scope.clone())?.bool()
    }
}
