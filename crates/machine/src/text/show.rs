//! One-line forms of values, states, choices and errors, with the names of a Machine.

use crate::text::names::{FAULTS, MODES, Names, by_number, word};
use crate::text::print::value;
use crate::{
    BlockId, Choice, EdgeId, ErrorKind, Event, Frozen, Machine, NodeId, Outcome, State, Value,
};
use std::fmt::Write;

impl Machine {
    /// The value in the text form.
    pub fn show_value(&self, v: &Value) -> String {
        value(&Names::of(self), v).to_string()
    }

    /// A frozen choice as text: `id = (id 2) (id 1)`.
    pub fn show_frozen(&self, frozen: &Frozen) -> String {
        let names = Names::of(self);
        let columns = frozen.values.iter().enumerate().map(|(r, column)| {
            let name = by_number(&names.frozen_vars, r);
            format!(
                "{name} = {}",
                spaced(column.iter().map(|v| value(&names, v)))
            )
        });
        let by_node = |items: Vec<String>| {
            let some = items
                .iter()
                .enumerate()
                .filter(|(_, item)| !item.is_empty());
            spaced(some.map(|(n, item)| format!("{} {item}", n + 1)))
        };
        let faults = frozen.faults.iter();
        let faults = by_node(
            faults
                .map(|f| f.map_or("", |f| word(&FAULTS, f)).into())
                .collect(),
        );
        let periods = frozen.periods.iter();
        let periods = by_node(
            periods
                .map(|p| p.as_ref().map_or(String::new(), |p| p.to_string()))
                .collect(),
        );
        let named = [("faults", faults), ("periods", periods)];
        let named = named.into_iter().filter(|(_, text)| !text.is_empty());
        let named = named.map(|(name, text)| format!("{name} {text}"));
        columns.chain(named).collect::<Vec<_>>().join("; ")
    }

    /// A state as text: `1 running leader=none; 2 waiting leader=none; 1->2 (new Election (id 2)); left 1`.
    ///
    /// The text lists the nodes with mode, variables, outbox and inbox; the non-empty edges; after `left`, how often
    /// limited message faults may still occur; after `pace`, the counters of the ordering constraints; and the current
    /// time with the last activations.
    pub fn show_state(&self, state: &State) -> String {
        let names = Names::of(self);
        let mut parts = Vec::new();
        for (n, node) in state.nodes.iter().enumerate() {
            let mut part = format!("{} {}", n + 1, word(&MODES, node.mode));
            let kind = self.kind_of(NodeId(n as u32));
            let vars = self.vars.iter().zip(&names.vars);
            let vars = vars.filter(|(var, _)| var.kind == kind);
            for ((_, name), v) in vars.zip(&node.vars) {
                let _ = write!(part, " {name}={}", value(&names, v));
            }
            for outgoing in &node.outbox {
                let edge = self.show_edge(outgoing.edge);
                let _ = write!(part, " out[{edge} {}]", value(&names, &outgoing.message));
            }
            for (sender, message) in &node.inbox {
                let _ = write!(part, " in[{} {}]", sender.0 + 1, value(&names, message));
            }
            parts.push(part);
        }
        for (e, messages) in state.edges.iter().enumerate() {
            if !messages.is_empty() {
                let messages = spaced(messages.iter().map(|m| value(&names, m)));
                parts.push(format!("{} {messages}", self.show_edge(EdgeId(e as u32))));
            }
        }
        let limited = self.faults.iter().zip(&state.budgets);
        let limited = limited.filter(|(fault, _)| fault.limit.is_some());
        let left: Vec<_> = limited.map(|(_, left)| left).collect();
        if !left.is_empty() {
            parts.push(format!("left {}", spaced(left.into_iter())));
        }
        if !state.order_state.is_empty() {
            parts.push(format!("pace {}", spaced(state.order_state.iter())));
        }
        if let Some(clock) = &state.clock {
            let last = clock
                .activations
                .iter()
                .enumerate()
                .filter_map(|(n, history)| {
                    let last = history.last.as_ref()?;
                    Some(format!("{}: {} at {last}", n + 1, history.count))
                });
            let times: Vec<String> = std::iter::once(format!("now {}", clock.now))
                .chain(last)
                .collect();
            parts.push(times.join(" "));
        }
        parts.join("; ")
    }

    /// A choice as text, for example `run 1 start`, `transmit 2`, `deliver 1->2 (new Election (id 2)) by "on
    /// Election"`, `… dropped`, `… unhandled`, `… lost by 1`, `… repeated by 1 by "on Election"`, `… stored`. Picks
    /// follow as `pick …`, and the time as `at 203/2`.
    pub fn show_choice(&self, choice: &Choice) -> String {
        let names = Names::of(self);
        let mut text = self.show_event(&choice.event);
        if !choice.picks.is_empty() {
            let picks = spaced(choice.picks.iter().map(|v| value(&names, v)));
            let _ = write!(text, " pick {picks}");
        }
        if let Some(time) = &choice.time {
            let _ = write!(text, " at {time}");
        }
        text
    }

    fn show_event(&self, event: &Event) -> String {
        let names = Names::of(self);
        let block = |b: BlockId| by_number(&names.blocks, b.index());
        match event {
            Event::Expire(node, place, b) => match self.timer_of(*node, *place).1 {
                Some(other) => format!("expire {} {} of {}", node.0 + 1, block(*b), other.0 + 1),
                None => format!("expire {} {}", node.0 + 1, block(*b)),
            },
            Event::Crash(node, runtime_fault) => {
                format!("crash {} by {}", node.0 + 1, runtime_fault.0 + 1)
            }
            Event::CrashDuring(runtime_fault, event) => {
                format!(
                    "crash by {} during {}",
                    runtime_fault.0 + 1,
                    self.show_event(event)
                )
            }
            Event::Stop(node, runtime_fault) => {
                format!("stop {} by {}", node.0 + 1, runtime_fault.0 + 1)
            }
            Event::Restart(node) => format!("restart {}", node.0 + 1),
            Event::Wait => "wait".into(),
            Event::Run(node, b) => format!("run {} {}", node.0 + 1, block(*b)),
            Event::Transmit(node) => format!("transmit {}", node.0 + 1),
            Event::Deliver(edge, message, outcome) => {
                let what = format!(
                    "deliver {} {}",
                    self.show_edge(*edge),
                    value(&names, message)
                );
                match outcome {
                    Outcome::HandOver(b) => format!("{what} by {}", block(*b)),
                    Outcome::Store => format!("{what} stored"),
                    Outcome::Drop => format!("{what} dropped"),
                    Outcome::Unhandled => format!("{what} unhandled"),
                    Outcome::Lose(fault) => format!("{what} lost by {}", fault.0 + 1),
                    Outcome::Repeat(fault, Some(b)) => {
                        format!("{what} repeated by {} by {}", fault.0 + 1, block(*b))
                    }
                    Outcome::Repeat(fault, None) => {
                        format!("{what} repeated by {} stored", fault.0 + 1)
                    }
                }
            }
        }
    }

    /// A short description of a runtime error.
    pub fn show_error(&self, error: &ErrorKind) -> String {
        match error {
            ErrorKind::OutOfRange(v, _) => format!("out of range: {}", self.show_value(v)),
            ErrorKind::Empty => "empty".into(),
            ErrorKind::NotUnique => "not unique".into(),
            ErrorKind::NothingToChoose => "nothing to choose".into(),
            ErrorKind::NoneUsed => "none used".into(),
            ErrorKind::BadIndex(v) => format!("bad index: {}", self.show_value(v)),
            ErrorKind::DivisionByZero => "division by zero".into(),
            ErrorKind::Overflow => "overflow".into(),
            ErrorKind::Assertion => "assertion".into(),
            ErrorKind::NotANeighbour(node) => format!("not a neighbour: {}", node.0 + 1),
            ErrorKind::Unhandled(record) => {
                let names = Names::of(self);
                format!("unhandled: {}", by_number(&names.records, record.index()))
            }
            ErrorKind::BadTimer(from, to) => format!("bad timer: {from} .. {to}"),
            ErrorKind::TimeLock => "time lock".into(),
        }
    }

    fn show_edge(&self, edge: EdgeId) -> String {
        let (from, to) = self.edges[edge.index()];
        format!("{}->{}", from.0 + 1, to.0 + 1)
    }
}

fn spaced(items: impl Iterator<Item = impl std::fmt::Display>) -> String {
    items.map(|i| i.to_string()).collect::<Vec<_>>().join(" ")
}
