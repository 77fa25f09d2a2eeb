//! Symbolic execution of a block over bits: its statements in sequence, each under its path condition.
//!
//! Both sides of a branch are executed and their results merged. The literal `live` is true in the states in which the
//! code has not halted yet.

use crate::Unsupported;
use crate::defects::{Defect, broken};
use crate::eval::branches::{Branch, BranchCondition};
use crate::eval::evaluator::{Evaluator, Own};
use crate::eval::world::World;
use crate::values::compare::equal;
use crate::values::merge::{ite, select};
use crate::values::number::{Number, width};
use crate::values::value::{Bits, Set};
use machine::{BlockId, Expr, LocalId, Machine, NodeId, Place, Stmt, StmtKind, Trigger};
use sat::{Aig, Lit};
use std::rc::Rc;

/// The effects of a block. If the guard is false, the block ends in an error, or the inputs of picks are not valid, all
/// fields other than `guard`, `error` and `valid` are unspecified.
#[derive(Clone, Debug)]
pub struct Effects {
    /// Whether the guard holds; also true if its evaluation ends in an error. Constant true for a block without a
    /// guard.
    pub guard: Lit,
    /// Whether the guard holds and the block ends in an error.
    pub error: Lit,
    /// The node's variables afterwards, in the order of the Machine.
    pub vars: Vec<Bits>,
    /// The messages sent, in order.
    pub sent: Vec<Sent>,
    /// Whether the node's inbox is empty afterwards, regardless of its contents before.
    pub cleared: Lit,
    /// Whether the code reads the inbox at a point where it has not cleared it.
    pub looked: Lit,
    /// Whether the code executes `halt`.
    pub halted: Lit,
    /// The picks of the `choose` statements, in order.
    pub picks: Vec<Pick>,
    /// Whether every pick that is reached selects an element of its set.
    pub valid: Lit,
    /// By timer of the node: whether it is set afterwards. Empty if the code neither sets nor cancels timers and is not
    /// triggered by one.
    pub timers: Vec<Lit>,
}

/// A message that a block sends in some states.
#[derive(Clone, Debug)]
pub struct Sent {
    /// Whether the block sends it.
    pub when: Lit,
    /// The receiver.
    pub to: NodeId,
    /// The message.
    pub message: Bits,
}

/// The choice that a `choose` statement makes.
#[derive(Clone, Debug)]
pub struct Pick {
    /// Whether the code reaches the statement without an error.
    pub when: Lit,
    /// The inputs that decide the pick.
    pub inputs: Vec<Lit>,
    /// The picked value.
    pub value: Bits,
    /// Whether the inputs encode an element of the set.
    pub allowed: Lit,
}

/// What triggers a block.
#[derive(Clone, Debug)]
pub enum Cause {
    /// Neither a message nor a timer.
    Itself,
    /// A message with its sender.
    Message(Bits, NodeId),
    /// An expired timer, with the node that the timer is about if it exists once per node.
    Timer(Option<NodeId>),
}

/// The effects of a block at a node. `message` is the received message with its sender, for a message handler.
pub fn run(
    aig: &mut Aig,
    machine: &Machine,
    world: &dyn World,
    block: BlockId,
    node: NodeId,
    message: Option<(Bits, NodeId)>,
) -> Result<Effects, Unsupported> {
    let code = &machine.blocks[block.index()];
    if let Trigger::Timer(_) = code.trigger {
        return Err(Unsupported::new("timers"));
    }
    let cause = match message {
        Some((message, sender)) => Cause::Message(message, sender),
        None => Cause::Itself,
    };
    let done = running(aig, machine, world, (block, node), cause, None)?;
    Ok(done.0)
}

/// Like [`run`], but also for blocks that are triggered by timers, and with the branch conditions of the code.
pub fn run_with_branches(
    aig: &mut Aig,
    machine: &Machine,
    world: &dyn World,
    block: BlockId,
    node: NodeId,
    cause: Cause,
) -> Result<(Effects, Vec<BranchCondition>), Unsupported> {
    running(aig, machine, world, (block, node), cause, Some(Vec::new()))
}

fn running(
    aig: &mut Aig,
    machine: &Machine,
    world: &dyn World,
    (block, node): (BlockId, NodeId),
    cause: Cause,
    branches: Option<Vec<BranchCondition>>,
) -> Result<(Effects, Vec<BranchCondition>), Unsupported> {
    let code = &machine.blocks[block.index()];
    let mut vars = Vec::new();
    for (v, var) in machine.vars.iter().enumerate() {
        if var.kind == code.kind {
            let var = machine::VarId(v as u32);
            vars.push(Rc::new(world.var(aig, var, node)?));
        }
    }
    let timers = crate::block::timers::before(aig, machine, world, code, node, &cause)?;
    let mut eval = Evaluator::new(aig, machine, world, &code.scope);
    eval.branch_log.list = branches;
    eval.bind(LocalId(0), Bits::node(node));
    match cause {
        Cause::Message(message, sender) => {
            eval.bind(LocalId(1), message);
            eval.bind(LocalId(2), Bits::node(sender));
        }
        Cause::Timer(Some(other)) => eval.bind(LocalId(1), Bits::node(other)),
        Cause::Timer(None) | Cause::Itself => {}
    }
    eval.own = Some(Own {
        node,
        vars,
        cleared: Lit::FALSE,
        timers,
    });
    let mut guard = Lit::TRUE;
    if let Trigger::When(condition) | Trigger::On(_, Some(condition)) = &code.trigger {
        let holds = eval.condition(condition)?;
        eval.log_both(Branch::Guard, holds);
        let error = eval.error();
        guard = eval.aig.or(holds, error);
        eval.path.push(guard);
    } else {
        eval.log_branch(Branch::Guard(true), Lit::TRUE);
    }
    let mut running = Running {
        eval,
        node,
        live: Lit::TRUE,
        halted: Lit::FALSE,
        sent: Vec::new(),
        picks: Vec::new(),
        valid: Vec::new(),
    };
    running.statements(&code.body)?;
    let branches = running.eval.branch_log.list.take().unwrap_or_default();
    Ok((running.effects(guard), branches))
}

/// The state of the symbolic execution of a block.
struct Running<'a> {
    eval: Evaluator<'a>,
    node: NodeId,
    /// Whether the code has not halted, relative to the path condition of the current branch.
    live: Lit,
    halted: Lit,
    sent: Vec<Sent>,
    picks: Vec<Pick>,
    valid: Vec<Lit>,
}

impl Running<'_> {
    fn effects(mut self, guard: Lit) -> Effects {
        let error = self.eval.error();
        let looked = self.eval.looked();
        let valid = self.eval.aig.all(self.valid.iter().copied());
        let own = self.eval.own.take();
        let (vars, cleared, timers) = match own {
            Some(own) => (own.vars, own.cleared, own.timers),
            None => (Vec::new(), Lit::FALSE, Vec::new()),
        };
        let timers = timers.into_iter();
        let timers = timers.map(|set| self.eval.aig.and(set, !self.halted));
        let timers = timers.collect();
        Effects {
            guard,
            error,
            vars: vars.iter().map(|var| (**var).clone()).collect(),
            sent: self.sent,
            cleared: self.eval.aig.or(cleared, self.halted),
            looked,
            halted: self.halted,
            picks: self.picks,
            valid,
            timers,
        }
    }

    fn statements(&mut self, statements: &[Stmt]) -> Result<(), Unsupported> {
        for statement in statements {
            if self.live == Lit::FALSE || self.eval.is_dead() {
                break;
            }
            self.statement(statement)
                .map_err(|why| why.at(statement.origin))?;
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Stmt) -> Result<(), Unsupported> {
        self.eval.branch_log.origin = Some(statement.origin);
        match &statement.kind {
            StmtKind::Assign(place, value) => {
                let value = self.eval.value(value)?;
                self.assign(place, &value)?;
            }
            StmtKind::If(condition, then, otherwise) => {
                let condition = self.eval.condition(condition)?;
                self.eval.log_both(Branch::If, condition);
                self.either(condition, then, otherwise)?;
            }
            StmtKind::For(local, domain, body) => {
                if self.eval.is_open(domain)? {
                    return self.at_each_name(*local, domain, body);
                }
                let elements = self.eval.elements(domain)?.sorted(self.eval.aig)?;
                if self.eval.logs_branches() {
                    let present = elements.iter().map(|element| element.present);
                    let some = self.eval.aig.any(present.collect::<Vec<_>>());
                    self.eval.log_both(Branch::Loop, some);
                }
                for element in elements {
                    if self.live == Lit::FALSE {
                        break;
                    }
                    self.eval.bind(*local, element.value);
                    self.either(element.present, body, &[])?;
                }
            }
            StmtKind::Let(local, value) => {
                let value = self.eval.value(value)?;
                self.eval.bind(*local, value);
            }
            StmtKind::Choose(local, set) => {
                (self.eval).refuse_open(set, "a choice among nodes, of which some have no name")?;
                let set = self.eval.value(set)?;
                let pick = self.choose(*local, set.set())?;
                self.eval.bind(*local, pick);
            }
            StmtKind::Send(message, to) => self.send(message, to)?,
            StmtKind::Assert(condition) => {
                let condition = self.eval.condition(condition)?;
                self.eval.log_both(Branch::Assert, condition);
                self.eval.fail_if(!condition);
            }
            StmtKind::ClearInbox => self.clear(),
            StmtKind::Halt => {
                let here = self.eval.here();
                self.halted = self.eval.aig.or(self.halted, here);
                if !broken(Defect::HaltGoesOn) {
                    self.live = Lit::FALSE;
                    self.eval.path.push(Lit::FALSE);
                }
            }
            StmtKind::SetTimer(timer, other, from, to) => {
                let place = self.eval.timer_places(*timer, other.as_ref())?;
                self.eval.bad_times(from, to)?;
                self.eval.put_timers(&place, self.live, Lit::TRUE);
            }
            StmtKind::CancelTimer(timer, other) => {
                let place = self.eval.timer_places(*timer, other.as_ref())?;
                self.eval.put_timers(&place, self.live, Lit::FALSE);
            }
        }
        Ok(())
    }

    /// Executes the step of a loop over nodes once for each name. Steps do not depend on each other, so the step for a node
    /// without a name does not affect the names. If that step is an error, so is the step for the generic name, which may
    /// denote that node.
    fn at_each_name(
        &mut self,
        local: LocalId,
        domain: &Expr,
        body: &[Stmt],
    ) -> Result<(), Unsupported> {
        let view = self.eval.world.open().filter(|view| view.independent_steps);
        let Some(view) = view.filter(|_| !matches!(domain.bare(), Expr::Inbox(..))) else {
            return Err(Unsupported::new(
                "a loop over nodes or messages, of which some have no name",
            ));
        };
        let set = self.eval.value(domain)?;
        let before = self.eval.locals.clone();
        for name in 0..view.names.count() {
            let node = Bits::node(NodeId(name as u32));
            let inside = set.set().contains(self.eval.aig, &node);
            let here = self.eval.aig.and(view.names.exists(name), inside);
            self.eval.bind(local, node);
            let grant = view.names.grant_at(name);
            let done = self.either(here, body, &[]);
            view.names.set_grant(grant);
            done?;
            self.eval.locals.clone_from(&before);
        }
        Ok(())
    }

    fn clear(&mut self) {
        let live = self.live;
        if let Some(own) = &mut self.eval.own
            && !broken(Defect::ClearedIsRead)
        {
            own.cleared = self.eval.aig.or(own.cleared, live);
        }
    }

    fn assign(&mut self, place: &Place, value: &Bits) -> Result<(), Unsupported> {
        let machine = self.eval.machine;
        let slot = machine.place_of_var(place.var);
        let Some(old) = self.eval.own.as_ref().map(|own| own.vars[slot].clone()) else {
            return Ok(());
        };
        let whole = self.eval.with_part(&old, &place.path, value)?;
        let ty = &machine.vars[place.var.index()].ty;
        let whole = match broken(Defect::OutOfRangeStored) {
            true => whole,
            false => self.eval.checked(&whole, ty),
        };
        if self.eval.logs_branches() {
            let same = equal(self.eval.aig, &whole, &old);
            self.eval.log_branch(Branch::Changes, !same);
        }
        let new = ite(self.eval.aig, self.live, &whole, &old);
        if let Some(own) = &mut self.eval.own {
            own.vars[slot] = Rc::new(new);
        }
        Ok(())
    }

    /// Executes `then` under the condition and `otherwise` under its negation, and merges the states after them.
    fn either(
        &mut self,
        condition: Lit,
        then: &[Stmt],
        otherwise: &[Stmt],
    ) -> Result<(), Unsupported> {
        match condition.known() {
            Some(true) => return self.statements(then),
            Some(false) => return self.statements(otherwise),
            None => {}
        }
        let before = self.mark();
        let depth = self.eval.path.len();
        self.eval.path.push(condition);
        self.statements(then)?;
        self.eval.path.truncate(depth);
        let after_then = self.mark();
        match broken(Defect::BranchesMixed) {
            true => self.live = before.live,
            false => self.reset(&before),
        }
        self.eval.path.push(!condition);
        self.statements(otherwise)?;
        self.eval.path.truncate(depth);
        let after_otherwise = self.mark();
        self.merge(condition, &before, after_then, after_otherwise);
        if self.live != before.live {
            self.eval.path.push(self.live);
        }
        Ok(())
    }

    fn mark(&self) -> Mark {
        Mark {
            own: self.eval.own.clone(),
            locals: self.eval.locals.clone(),
            live: self.live,
        }
    }

    fn reset(&mut self, mark: &Mark) {
        self.eval.own = mark.own.clone();
        self.eval.locals = mark.locals.clone();
        self.live = mark.live;
    }

    fn merge(&mut self, condition: Lit, before: &Mark, then: Mark, otherwise: Mark) {
        let aig = &mut *self.eval.aig;
        let merged = |aig: &mut Aig, a: &Rc<Bits>, b: &Rc<Bits>| match Rc::ptr_eq(a, b) {
            true => a.clone(),
            false => Rc::new(ite(aig, condition, a, b)),
        };
        self.eval.own = match (then.own, otherwise.own) {
            (Some(a), Some(b)) => Some(Own {
                node: a.node,
                vars: { a.vars.iter().zip(&b.vars) }
                    .map(|(a, b)| merged(aig, a, b))
                    .collect(),
                cleared: aig.ite(condition, a.cleared, b.cleared),
                timers: { a.timers.iter().zip(&b.timers) }
                    .map(|(a, b)| aig.ite(condition, *a, *b))
                    .collect(),
            }),
            _ => None,
        };
        // A local that is bound only inside a branch is unbound after it. A local that was bound before may be rebound
        // in the branch, so its values are merged.
        let names = before.locals.iter().enumerate();
        let local = |list: &[Option<Rc<Bits>>], i: usize| list.get(i).cloned().flatten();
        self.eval.locals = names
            .map(|(i, old)| {
                let old = old.as_ref()?;
                let a = local(&then.locals, i).unwrap_or_else(|| old.clone());
                let b = local(&otherwise.locals, i).unwrap_or_else(|| old.clone());
                Some(merged(aig, &a, &b))
            })
            .collect();
        self.live = self.eval.aig.ite(condition, then.live, otherwise.live);
    }

    fn send(&mut self, message: &Expr, to: &Expr) -> Result<(), Unsupported> {
        let message = self.eval.value(message)?;
        let receivers = match self.eval.value(to)? {
            Bits::Set(set) => {
                let mut receivers = Vec::new();
                for member in set.members() {
                    for (here, node) in self.eval.node_choices(&member.value) {
                        receivers.push((self.eval.aig.and(here, member.present), node));
                    }
                }
                receivers
            }
            node => self.eval.node_choices(&node),
        };
        let path = self.eval.here();
        for (here, to) in receivers {
            if self.eval.machine.edge(self.node, to).is_none() {
                if !broken(Defect::AnyoneIsNeighbour) {
                    self.eval.fail_if(here);
                }
                continue;
            }
            let when = self.eval.aig.and(path, here);
            if when != Lit::FALSE {
                self.sent.push(Sent {
                    when,
                    to,
                    message: message.clone(),
                });
            }
        }
        Ok(())
    }

    /// Picks an element of a set by fresh inputs; an error if the set is empty.
    fn choose(&mut self, local: LocalId, set: &Set) -> Result<Bits, Unsupported> {
        let earlier = self.eval.error();
        let empty = set.is_empty(self.eval.aig);
        self.eval.fail_if(empty);
        let here = self.eval.here();
        // `choose` makes no choice if an error occurred before it.
        let when = self.eval.aig.all([here, !earlier, !empty]);
        let members = set.members().into_iter();
        let members: Vec<_> = members.filter(|m| m.present != Lit::FALSE).collect();
        let most = members.len().saturating_sub(1) as u128;
        let inputs: Vec<Lit> = (0..width(most)).map(|_| self.eval.aig.input()).collect();
        let place = Number::new(0, (1 << inputs.len()) - 1, inputs.clone());
        let mut choices = Vec::new();
        let mut allowed = Vec::new();
        for (i, member) in members.into_iter().enumerate() {
            let here = place.is(self.eval.aig, i as i128);
            allowed.push(self.eval.aig.and(here, member.present));
            choices.push((here, member.value));
        }
        let Some(value) = select(self.eval.aig, &choices) else {
            // The set is always empty: the statement is an error, and the following statements are unreachable.
            self.eval.path.push(Lit::FALSE);
            self.live = Lit::FALSE;
            return Ok(self.eval.blank_local(local));
        };
        let allowed = self.eval.aig.any(allowed);
        let valid = self.eval.aig.implies(when, allowed);
        self.valid.push(valid);
        self.picks.push(Pick {
            when,
            inputs,
            value: value.clone(),
            allowed,
        });
        Ok(value)
    }
}

/// The part of the execution state that a branch can change.
struct Mark {
    own: Option<Own>,
    locals: Vec<Option<Rc<Bits>>>,
    live: Lit,
}
