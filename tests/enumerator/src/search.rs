//! The initial states of an instance, and everything that can be reached from them.

use crate::eval::Scope;
use crate::exec::Outcome;
use crate::instance::Instance;
use crate::modes::Fault;
use crate::state::{Mode, NodeState, State};
use crate::value::{Res, Value, refuse};
use std::collections::{BTreeMap, HashSet, VecDeque};
use syntax::ast::{Expr, ExprKind, Var};

impl Instance<'_> {
    /// Every state in which a run may begin.
    pub fn initial_states(&self, limit: usize) -> Res<Vec<State>> {
        let mut states = vec![self.blank()];
        // The variables of a node that is off are not enumerated: they have no value here.
        for node in (0..self.size()).filter(|n| self.fault(*n) != Some(Fault::Off)) {
            for (place, var) in self.kind(node).vars.iter().enumerate() {
                if var.ghost && !self.ghosts {
                    continue;
                }
                let mut more = Vec::new();
                for state in states {
                    for value in self.first_values(node, var, &state)? {
                        let mut next = state.clone();
                        next.nodes[node].vars[place] = value;
                        more.push(next);
                    }
                    if more.len() > limit {
                        return refuse("more initial states than the limit allows");
                    }
                }
                states = more;
            }
        }
        let states = self.fill_inboxes(states, limit)?;
        let mut kept = Vec::new();
        'states: for state in states {
            for condition in &self.conditions {
                if !self.holds(condition, &state)? {
                    continue 'states;
                }
            }
            kept.push(state);
        }
        Ok(kept)
    }

    /// An initial state but for variables and inboxes.
    pub fn blank(&self) -> State {
        let nodes = (0..self.size()).map(|node| NodeState {
            vars: vec![Value::Unset; self.kind(node).vars.len()],
            mode: match self.kind(node).start() {
                _ if self.fault(node) == Some(Fault::Off) => Mode::Off,
                Some(_) => Mode::Waiting,
                None => Mode::Running,
            },
            outbox: Vec::new(),
            inbox: Vec::new(),
            lead: 0,
            counts: BTreeMap::new(),
        });
        State {
            nodes: nodes.collect(),
            channels: vec![Vec::new(); self.edges.len()],
            budgets: self.losses.iter().map(|l| l.at_most).collect(),
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

    /// Whether a condition about all nodes holds in a state.
    pub fn holds(&self, condition: &Expr, state: &State) -> Res<bool> {
        self.holds_for(condition, &[], state)
    }

    /// The same, of a condition with names for values.
    pub fn holds_for(
        &self,
        condition: &Expr,
        arguments: &[(String, Value)],
        state: &State,
    ) -> Res<bool> {
        let scope = &mut Scope::default();
        scope.locals.extend_from_slice(arguments);
        self.eval(condition, state, scope)?.bool()
    }

    /// Visits every reachable state once, with its outcomes, until `visit` says `false`.
    pub fn explore(
        &self,
        limit: usize,
        mut visit: impl FnMut(&State, &[Outcome]) -> Res<bool>,
    ) -> Res<()> {
        let mut seen = HashSet::new();
        let mut queue = VecDeque::new();
        for state in self.initial_states(limit)? {
            if seen.insert(state.clone()) {
                queue.push_back(state);
            }
        }
        while let Some(state) = queue.pop_front() {
            let outcomes = self.successors(&state)?;
            if !visit(&state, &outcomes)? {
                return Ok(());
            }
            for next in outcomes.into_iter().flatten() {
                if !seen.contains(&next) {
                    seen.insert(next.clone());
                    queue.push_back(next);
                }
                if seen.len() > limit {
                    return refuse(format!("more than {limit} states"));
                }
            }
        }
        Ok(())
    }
}
