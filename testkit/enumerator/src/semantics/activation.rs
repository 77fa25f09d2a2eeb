//! Activations, in rounds or with times, and the counts that claims read.

use crate::instance::data::Instance;
use crate::instance::state::{Mode, Outcome, State, Window};
use crate::instance::value::{Res, Value, refuse};
use crate::instance::walk;
use syntax::ast::{Expr, ExprKind};

impl Instance<'_> {
    fn in_rounds(&self, node: usize) -> Option<i128> {
        self.rounds[self.kind_of[node]]
    }

    /// Whether the node is active: not off, halted, crashed or stopped.
    pub fn runs(&self, node: usize, state: &State) -> bool {
        matches!(state.nodes[node].mode, Mode::Waiting | Mode::Running)
    }

    /// The window of the first activation of a node that starts now; `None` if activations have no times.
    pub fn first_window(&self, node: usize) -> Res<Option<Window>> {
        let gaps = self.gaps[self.kind_of[node]];
        gaps.map(|gaps| self.window(gaps.first)).transpose()
    }

    /// Whether a node can be activated: its window is open, its messages have arrived if they must, and the activation
    /// does not violate the round limit.
    pub fn may_be_activated(&self, node: usize, state: &State) -> bool {
        let window = state.nodes[node].activation;
        if window.is_some_and(|window| !window.is_open()) {
            return false;
        }
        let mut edges = self.edges.iter().zip(&state.channels);
        if self.before_next && edges.any(|((from, _), held)| *from == node && !held.is_empty()) {
            return false;
        }
        self.is_in_step(node, state)
    }

    /// Whether the node, after an activation, is within the round limit with respect to every active node.
    fn is_in_step(&self, node: usize, state: &State) -> bool {
        let Some(ahead) = self.in_rounds(node) else {
            return true;
        };
        let after = state.nodes[node].lead + 1;
        (0..self.size())
            .filter(|other| *other != node && self.in_rounds(*other).is_some())
            .filter(|other| self.runs(*other, state))
            .all(|other| after - state.nodes[other].lead <= ahead)
    }

    /// Records an activation of a node, and sets the window of the next one.
    pub fn activated(&self, node: usize, outcome: &mut Outcome) -> Res<()> {
        if let Ok(state) = outcome {
            if self.in_rounds(node).is_some() {
                state.nodes[node].lead += 1;
            }
            if let (Mode::Running, Some(gaps)) =
                (state.nodes[node].mode, self.gaps[self.kind_of[node]])
            {
                state.nodes[node].activation = Some(self.window(gaps.gap)?);
            }
            self.count(node, "activations", state);
        }
        Ok(())
    }

    /// Normalises the leads: subtracts the least lead of an active node; inactive nodes have lead 0.
    pub fn normalise_leads(&self, state: &mut State) {
        let in_rounds: Vec<usize> = (0..self.size())
            .filter(|node| self.in_rounds(*node).is_some())
            .collect();
        let running = in_rounds.iter().filter(|node| self.runs(**node, state));
        let least = running.map(|node| state.nodes[*node].lead).min();
        for node in in_rounds {
            let runs = self.runs(node, state);
            let lead = &mut state.nodes[node].lead;
            *lead = if runs { *lead - least.unwrap_or(0) } else { 0 };
        }
    }

    /// Adds one to a count of a node, up to `count_to`. Does nothing if counts are not stored.
    pub fn count(&self, node: usize, what: &str, state: &mut State) {
        if let Some(most) = self.count_to {
            let count = state.nodes[node].counts.entry(what.into()).or_insert(0);
            *count = (*count + 1).min(most);
        }
    }

    /// The node and the counted event if the expression is `k.activations` or `k.sent(M)`; otherwise `None`.
    pub fn counted<'e>(&self, e: &'e Expr) -> Option<(&'e Expr, String)> {
        match &walk::bare(e).kind {
            ExprKind::Field(node, name) if name.text == "activations" => {
                Some((node, "activations".into()))
            }
            ExprKind::MethodCall(node, name, arguments) if name.text == "sent" => {
                match &arguments[..] {
                    [one] => match &walk::bare(one).kind {
                        ExprKind::Name(message) => Some((node, format!("sent {}", message.text))),
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The count of a node. Refused if `with`, the number with which it will be compared, is beyond the bound of the
    /// count.
    pub fn count_of(&self, node: usize, what: &str, with: i128, state: &State) -> Res<Value> {
        match self.count_to {
            Some(most) if with < most => {
                let count = state.nodes[node].counts.get(what).copied();
                Ok(Value::Int(count.unwrap_or(0)))
            }
            _ => refuse("a count that is not kept so far"),
        }
    }
}
