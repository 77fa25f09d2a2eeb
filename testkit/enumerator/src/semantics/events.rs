//! The enabled events of a state, and their outcomes.

use crate::instance::data::{Channel, Instance};
use crate::instance::scope::Scope;
use crate::instance::state::{Mode, Outcome, State};
use crate::instance::value::{Res, Stop, Value, refuse};
use syntax::ast::{Block, BlockHead};

impl Instance<'_> {
    /// The outcomes of all enabled events of a state, including faults: one per event and sequence of chosen values.
    pub fn successors(&self, state: &State) -> Res<Vec<Outcome>> {
        let mut outcomes = self.events(state)?;
        if !self.is_starting(state) {
            outcomes.extend(self.runtime_faults(state)?);
        }
        for after in outcomes.iter_mut().flatten() {
            self.normalise_leads(after);
            self.shift(after)?;
        }
        Ok(outcomes)
    }

    /// Whether some node has not started and must do so before any other event. This is the case with instantaneous
    /// delivery only.
    fn is_starting(&self, state: &State) -> bool {
        let mut modes = state.nodes.iter().map(|node| node.mode);
        self.channel == Channel::Instant && modes.any(|mode| mode == Mode::Waiting)
    }

    /// The outcomes of all enabled events except faults of nodes.
    pub fn events(&self, state: &State) -> Res<Vec<Outcome>> {
        let mut outcomes = Vec::new();
        let waiting = |node: &usize| state.nodes[*node].mode == Mode::Waiting;
        let starting = self.is_starting(state);
        for node in (0..self.size()).filter(|node| !starting || waiting(node)) {
            self.own_events(node, state, &mut outcomes)?;
        }
        for edge in 0..self.edges.len() {
            let channel = &state.channels[edge];
            match self.channel {
                Channel::Fifo(_) => {
                    if !channel.is_empty() {
                        self.hand_over(edge, 0, state, &mut outcomes)?;
                    }
                }
                Channel::Instant => {}
                Channel::Unordered => {
                    // Equal messages are adjacent; only the first of them is delivered.
                    for place in 0..channel.len() {
                        if place == 0 || channel[place - 1] != channel[place] {
                            self.hand_over(edge, place, state, &mut outcomes)?;
                        }
                    }
                }
            }
        }
        Ok(outcomes)
    }

    /// The events of a node itself: transmission, `start`, `every`, `when`, expiry of timers, restart.
    fn own_events(&self, node: usize, state: &State, outcomes: &mut Vec<Outcome>) -> Res<()> {
        let kind = self.kind(node);
        let here = &state.nodes[node];
        if let Some((to, message)) = here.outbox.first() {
            let edge = self.edge(node, *to).expect("checked at the send");
            if self.has_room(state.channels[edge].len()) {
                let mut after = state.clone();
                self.put(&mut after, edge, message.clone())?;
                after.nodes[node].outbox.remove(0);
                outcomes.push(Ok(after));
            }
            return Ok(());
        }
        match here.mode {
            Mode::Halted | Mode::Off | Mode::Crashed => {}
            Mode::Stopped(_) => outcomes.extend(self.restarts(node, state)?),
            Mode::Waiting => {
                let start = kind.start().expect("only a node with `start` waits for it");
                let mut running = state.clone();
                running.nodes[node].mode = Mode::Running;
                let scope = Scope::of(node);
                outcomes.extend(self.run(node, start, &running, &scope)?);
                outcomes.extend(self.crashes_in(node, start, &running, &scope, state)?);
            }
            Mode::Running => {
                let everies = kind
                    .everies()
                    .filter(|_| self.may_be_activated(node, state));
                for block in everies {
                    let scope = Scope::of(node);
                    let mut after = self.run(node, block, state, &scope)?;
                    after.iter_mut().try_for_each(|o| self.activated(node, o))?;
                    outcomes.extend(after);
                    outcomes.extend(self.crashes_in(node, block, state, &scope, state)?);
                }
                for (timer, _) in here.timers.iter().filter(|(_, window)| window.is_open()) {
                    let mut expired = state.clone();
                    expired.nodes[node].timers.remove(timer);
                    match self.expiry(node, timer)? {
                        None => outcomes.push(Ok(expired)),
                        Some((block, scope)) => {
                            outcomes.extend(self.run(node, block, &expired, &scope)?);
                            outcomes
                                .extend(self.crashes_in(node, block, &expired, &scope, &expired)?);
                        }
                    }
                }
                for (block, guard) in kind.whens() {
                    let mut scope = Scope::of(node);
                    let Some(guard) = guard else {
                        return refuse("a `when` without a guard");
                    };
                    match self.condition(guard, state, &mut scope) {
                        Ok(true) => {
                            outcomes.extend(self.run(node, block, state, &scope)?);
                            outcomes.extend(self.crashes_in(node, block, state, &scope, state)?);
                        }
                        Ok(false) => {}
                        Err(Stop::Error(text)) => outcomes.push(Err(text)),
                        Err(refused) => return Err(refused),
                    }
                }
            }
        }
        Ok(())
    }

    /// The delivery of a message on an edge, if it is enabled. The message is taken, or lost or repeated by a fault.
    fn hand_over(
        &self,
        edge: usize,
        place: usize,
        state: &State,
        outcomes: &mut Vec<Outcome>,
    ) -> Res<()> {
        let (from, to) = self.edges[edge];
        let receiver = &state.nodes[to];
        if !receiver.outbox.is_empty() || receiver.mode == Mode::Waiting {
            return Ok(());
        }
        let (message, window) = &state.channels[edge][place];
        if window.is_some_and(|window| !window.is_open()) {
            return Ok(());
        }
        let Value::Record(name, _) = message else {
            return refuse("something on the way that is no message");
        };
        let mut gone = state.clone();
        gone.channels[edge].remove(place);
        let kind = self.kind(to);
        if self.is_gone_for(to, state) || kind.ignores.contains(&&**name) {
            outcomes.push(Ok(gone));
            return Ok(());
        }
        let taken = self.taker(to, from, message, state)?;
        if matches!(taken, Taker::Waits) {
            return Ok(());
        }
        let sender = from;
        let deliver = |from: &State| match &taken {
            Taker::Block(block, scope) => self.run(to, block, from, scope),
            Taker::Inbox => {
                let mut after = from.clone();
                self.store(&mut after, sender, to, message.clone());
                Ok(vec![Ok(after)])
            }
            Taker::Error(text) => Ok(vec![Err(text.clone())]),
            Taker::Waits => Ok(Vec::new()),
        };
        outcomes.extend(deliver(&gone)?);
        if let Taker::Block(block, scope) = &taken {
            outcomes.extend(self.crashes_in(to, block, &gone, scope, &gone)?);
        }
        for (item, loss) in self.losses.iter().enumerate() {
            let concerned = loss.of.is_none_or(|of| of == &**name);
            if !concerned || state.budgets[item] == Some(0) {
                continue;
            }
            // A repeated message stays on the edge.
            let mut after = if loss.repeat { state } else { &gone }.clone();
            if let Some(left) = &mut after.budgets[item] {
                *left -= 1;
            }
            if loss.repeat {
                outcomes.extend(deliver(&after)?);
            } else {
                outcomes.push(Ok(after));
            }
        }
        Ok(())
    }

    /// What happens to a message that arrives at a node. The first `on` block whose guard holds takes it.
    pub fn taker(&self, to: usize, from: usize, message: &Value, state: &State) -> Res<Taker<'_>> {
        let Value::Record(name, _) = message else {
            return refuse("something on the way that is no message");
        };
        let mut handlers = self.kind(to).handlers(name).peekable();
        if self.enters_inbox(to, name) {
            return Ok(Taker::Inbox);
        }
        if handlers.peek().is_none() {
            return Ok(Taker::Error(format!("`{name}` is not handled")));
        }
        for block in handlers {
            let BlockHead::On {
                index: None,
                binding,
                from: sender,
                guard,
                ..
            } = &block.head
            else {
                return refuse("`on` with an index");
            };
            let mut scope = Scope::of(to);
            if let Some(binding) = binding {
                scope.bind(&binding.text, message.clone());
            }
            if let Some(sender) = sender {
                scope.bind(&sender.text, Value::Node(from));
            }
            let holds = match guard {
                None => Ok(true),
                Some(guard) => self.condition(guard, state, &mut scope),
            };
            match holds {
                Ok(true) => return Ok(Taker::Block(block, scope)),
                Ok(false) => {}
                Err(Stop::Error(text)) => return Ok(Taker::Error(text)),
                Err(refused) => return Err(refused),
            }
        }
        Ok(Taker::Waits)
    }
}

/// What happens to a message that arrives.
pub(crate) enum Taker<'a> {
    /// This block runs, with the bindings of its head.
    Block(&'a Block, Scope),
    /// The message enters the inbox of the receiver.
    Inbox,
    /// A run-time error: there is no code for the message, or a guard fails.
    Error(String),
    /// The message waits, because no guard holds.
    Waits,
}
