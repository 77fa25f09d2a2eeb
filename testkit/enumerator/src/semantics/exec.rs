//! Executes blocks, once per sequence of chosen values.

use crate::instance::data::{Channel, Instance};
use crate::instance::scope::Scope;
use crate::instance::state::{Mode, Outcome, State, Timer};
use crate::instance::value::{Res, Stop, Value, error, refuse};
use crate::semantics::events::Taker;
use syntax::ast::{Block, Expr, Send, Stmt, StmtKind};

/// How control continues after a statement.
#[derive(PartialEq)]
enum Flow {
    Next,
    Halt,
}

/// One execution of a block.
pub(crate) struct Run {
    pub node: usize,
    pub state: State,
    pub scope: Scope,
    /// The messages sent so far: receiver and message.
    sent: Vec<(usize, Value)>,
    choices: Choices,
}

/// The choices that `choose` statements make in an execution.
#[derive(Default)]
struct Choices {
    /// By `choose` statement in the order of execution: the index of the chosen value, and the number of values.
    taken: Vec<(usize, usize)>,
    /// The number of `choose` statements executed so far.
    met: usize,
}

/// Calls `execute` once per sequence of chosen values.
fn for_each_choice<T>(
    mut execute: impl FnMut(&mut Choices) -> Res<T>,
) -> Res<Vec<Result<T, String>>> {
    let mut outcomes = Vec::new();
    let mut choices = Choices::default();
    loop {
        choices.met = 0;
        match execute(&mut choices) {
            Ok(done) => outcomes.push(Ok(done)),
            Err(Stop::Error(text)) => outcomes.push(Err(text)),
            Err(refused) => return Err(refused),
        }
        // The next sequence of choices in lexicographic order: the last choice changes first.
        let taken = &mut choices.taken;
        while taken.last().is_some_and(|(taken, of)| taken + 1 == *of) {
            taken.pop();
        }
        match taken.last_mut() {
            None => return Ok(outcomes),
            Some((taken, _)) => *taken += 1,
        }
    }
}

impl Run {
    fn new(node: usize, state: &State, scope: &Scope, choices: &mut Choices) -> Run {
        Run {
            node,
            state: state.clone(),
            scope: scope.clone(),
            sent: Vec::new(),
            choices: std::mem::take(choices),
        }
    }
}

impl Instance<'_> {
    /// Runs a block in a state: one outcome per sequence of chosen values.
    pub fn run(
        &self,
        node: usize,
        block: &Block,
        from: &State,
        scope: &Scope,
    ) -> Res<Vec<Outcome>> {
        for_each_choice(|choices| {
            let mut run = Run::new(node, from, scope, choices);
            let flow = self.statements(&block.body, &mut run);
            let ended = flow.and_then(|flow| self.finish(&mut run, flow));
            *choices = run.choices;
            ended.map(|()| run.state)
        })
    }

    /// The messages that a block would send: one list per execution that ends without an error.
    pub fn sends(
        &self,
        node: usize,
        block: &Block,
        from: &State,
        scope: &Scope,
    ) -> Res<Vec<Vec<(usize, Value)>>> {
        let ways = for_each_choice(|choices| {
            let mut run = Run::new(node, from, scope, choices);
            let flow = self.statements(&block.body, &mut run);
            *choices = run.choices;
            flow.map(|_| run.sent)
        })?;
        Ok(ways.into_iter().flatten().collect())
    }

    /// Sends messages of a node from a state. With instantaneous delivery, there is one outcome per sequence of values
    /// that the receivers choose.
    pub fn send_all(
        &self,
        node: usize,
        from: &State,
        sent: &[(usize, Value)],
    ) -> Res<Vec<Outcome>> {
        for_each_choice(|choices| {
            let mut run = Run::new(node, from, &Scope::of(node), choices);
            for (_, message) in sent {
                self.count_sent(message, &mut run)?;
            }
            run.sent = sent.to_vec();
            let ended = self.finish(&mut run, Flow::Next);
            *choices = run.choices;
            ended.map(|()| run.state)
        })
    }

    /// Ends a block: applies `halt`, and sends the messages in order.
    fn finish(&self, run: &mut Run, flow: Flow) -> Res<()> {
        let node = run.node;
        if flow == Flow::Halt {
            run.state.nodes[node].deactivate(Mode::Halted);
        }
        for (to, message) in std::mem::take(&mut run.sent) {
            if self.channel == Channel::Instant {
                self.take_at_once(to, message, run)?;
                continue;
            }
            let edge = self.edge(node, to).expect("checked at the send");
            let state = &mut run.state;
            if state.nodes[node].outbox.is_empty() && self.has_room(state.channels[edge].len()) {
                self.put(state, edge, message)?;
            } else {
                state.nodes[node].outbox.push((to, message));
            }
        }
        Ok(())
    }

    /// Lets a receiver take a message as part of the sending event.
    fn take_at_once(&self, to: usize, message: Value, run: &mut Run) -> Res<()> {
        let from = run.node;
        let Value::Record(name, _) = &message else {
            return refuse("something is sent that is no message");
        };
        if self.is_gone_for(to, &run.state) || self.kind(to).ignores.contains(&&**name) {
            return Ok(());
        }
        match self.taker(to, from, &message, &run.state)? {
            Taker::Inbox => self.store(&mut run.state, from, to, message),
            Taker::Waits => return refuse("a message that waits where none can"),
            Taker::Error(text) => return error(text),
            Taker::Block(block, scope) => {
                let outside = std::mem::replace(&mut run.scope, scope);
                run.node = to;
                let flow = self.statements(&block.body, run)?;
                if !run.sent.is_empty() {
                    return refuse("a block that sends while it takes a message");
                }
                self.finish(run, flow)?;
                run.node = from;
                run.scope = outside;
            }
        }
        Ok(())
    }

    /// Puts a message onto an edge.
    pub fn put(&self, state: &mut State, edge: usize, message: Value) -> Res<()> {
        let window = self.delay.map(|delay| self.window(delay)).transpose()?;
        state.channels[edge].push((message, window));
        self.sort_bag(state, edge);
        Ok(())
    }

    /// Sorts an edge that is a bag.
    pub fn sort_bag(&self, state: &mut State, edge: usize) {
        if self.channel == Channel::Unordered {
            state.channels[edge].sort();
        }
    }

    fn statements(&self, body: &[Stmt], run: &mut Run) -> Res<Flow> {
        let mark = run.scope.locals.len();
        for stmt in body {
            if self.statement(stmt, run)? == Flow::Halt {
                return Ok(Flow::Halt);
            }
        }
        run.scope.back_to(mark);
        Ok(Flow::Next)
    }

    pub fn value(&self, e: &Expr, run: &mut Run) -> Res<Value> {
        self.eval(e, &run.state, &mut run.scope)
    }

    fn statement(&self, stmt: &Stmt, run: &mut Run) -> Res<Flow> {
        match &stmt.kind {
            StmtKind::Assign(place, e) => {
                let value = self.value(e, run)?;
                self.assign(place, value, run)?;
            }
            StmtKind::If(condition, then, otherwise) => {
                let mark = run.scope.locals.len();
                let holds = self.condition(condition, &run.state, &mut run.scope)?;
                if !holds {
                    run.scope.back_to(mark);
                }
                let flow = self.statements(if holds { then } else { otherwise }, run)?;
                run.scope.back_to(mark);
                return Ok(flow);
            }
            StmtKind::Match(subject, arms) => {
                let mark = run.scope.locals.len();
                let subject = self.value(subject, run)?;
                let arm = self.arm(&subject, arms, &run.state, &mut run.scope)?;
                let flow = self.statements(&arm.result, run)?;
                run.scope.back_to(mark);
                return Ok(flow);
            }
            StmtKind::For(name, set, body) => {
                let mark = run.scope.locals.len();
                let values = match self.copies(set, &run.state, &run.scope) {
                    Some(copies) => copies,
                    None => self.in_order(self.value(set, run)?.set()?),
                };
                for value in values {
                    run.scope.bind(&name.text, value);
                    if self.statements(body, run)? == Flow::Halt {
                        return Ok(Flow::Halt);
                    }
                    run.scope.back_to(mark);
                }
            }
            StmtKind::Let(name, e) => {
                let value = self.value(e, run)?;
                run.scope.bind(&name.text, value);
            }
            StmtKind::Choose(name, set) => {
                let values = self.value(set, run)?.set()?;
                if values.is_empty() {
                    return error("`choose` from nothing");
                }
                let choices = &mut run.choices;
                if choices.met == choices.taken.len() {
                    choices.taken.push((0, values.len()));
                }
                let (taken, _) = choices.taken[choices.met];
                choices.met += 1;
                let value = values
                    .into_iter()
                    .nth(taken)
                    .expect("the number of values does not change");
                run.scope.bind(&name.text, value);
            }
            StmtKind::Send(send) => self.send(send, run)?,
            StmtKind::ClearInbox => run.state.nodes[run.node].inbox.clear(),
            StmtKind::Assert(e) => {
                if !self.value(e, run)?.bool()? {
                    return error("`assert`");
                }
            }
            StmtKind::Halt => return Ok(Flow::Halt),
            StmtKind::SetTimer(timer, interval) => {
                let timer = self.own_timer(timer, run)?;
                let window = self.timer_window(interval, &run.state, &mut run.scope)?;
                run.state.nodes[run.node].timers.insert(timer, window);
            }
            StmtKind::CancelTimer(timer) => {
                let timer = self.own_timer(timer, run)?;
                run.state.nodes[run.node].timers.remove(&timer);
            }
            StmtKind::Call(name, arguments) => return self.act(&name.text, arguments, run),
            StmtKind::Error => return refuse("a statement that could not be read"),
        }
        Ok(Flow::Next)
    }

    /// Calls an action. The action has its own scope; node, state and sent messages are those of the caller.
    fn act(&self, name: &str, arguments: &[Expr], run: &mut Run) -> Res<Flow> {
        let kind = self.kind(run.node);
        let Some(action) = kind.actions.iter().find(|a| a.name == name) else {
            return refuse(format!("the action `{name}`"));
        };
        if action.parameters.len() != arguments.len() {
            return refuse(format!("`{name}` with another number of arguments"));
        }
        let mut inner = Scope::of(run.node);
        for (parameter, argument) in action.parameters.iter().zip(arguments) {
            let value = self.value(argument, run)?;
            let mut outside = Scope::of(run.node);
            let value = self.conform(value, &parameter.ty, &run.state, &mut outside)?;
            inner.bind(&parameter.name.text, value);
        }
        let caller = std::mem::replace(&mut run.scope, inner);
        let flow = self.statements(action.body, run)?;
        run.scope = caller;
        Ok(flow)
    }

    fn send(&self, send: &Send, run: &mut Run) -> Res<()> {
        let message = self.value(&send.message, run)?;
        match &message {
            Value::Record(name, _) if self.is_message(name) => {}
            Value::None => return error("none sent"),
            other => return refuse(format!("{} is sent", other.what())),
        }
        let receivers: Vec<usize> = match &send.to {
            None => self.neighbours(run.node),
            Some(to) => match self.value(to, run)? {
                Value::Set(nodes) => nodes.iter().map(Value::node).collect::<Res<_>>()?,
                one => vec![one.node()?],
            },
        };
        for to in receivers {
            if self.edge(run.node, to).is_none() {
                return error("a send to a node that is no neighbour");
            }
            if self.can_send(run.node) {
                self.count_sent(&message, run)?;
                run.sent.push((to, message.clone()));
            }
        }
        Ok(())
    }

    fn count_sent(&self, message: &Value, run: &mut Run) -> Res<()> {
        let Value::Record(name, _) = message else {
            return refuse("something is sent that is no message");
        };
        self.count(run.node, &format!("sent {name}"), &mut run.state);
        Ok(())
    }

    fn own_timer(&self, e: &Expr, run: &mut Run) -> Res<Timer> {
        match self.timer(run.node, e, &run.state, &mut run.scope)? {
            Some(timer) => Ok(timer),
            None => refuse("a timer that the node does not have"),
        }
    }
}
