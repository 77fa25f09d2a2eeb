//! Evaluates expressions over bits, and collects the conditions under which evaluation ends in an error.

use crate::Unsupported;
use crate::defects::{Defect, broken};
use crate::eval::branches::{Branch, BranchLog};
use crate::eval::world::World;
use crate::values::compare::{equal, fits, narrowed};
use crate::values::merge::{ite, select};
use crate::values::number::Number;
use crate::values::value::{Bits, Set, Sort, blank, constant, few_values};
use machine::{Expr, LocalId, Machine, NodeId, Scope, Type, Typing, UnaryOp, Value};
use sat::{Aig, Lit};
use std::rc::Rc;

/// Evaluates expressions in one world, with values for local names.
pub struct Evaluator<'a> {
    /// The circuit that the evaluator extends.
    pub aig: &'a mut Aig,
    pub(crate) machine: &'a Machine,
    pub(crate) world: &'a dyn World,
    pub(crate) scope: &'a Scope,
    /// The node whose code runs, with the changes that the code has made so far. `None` outside of code.
    pub(crate) own: Option<Own>,
    pub(crate) locals: Vec<Option<Rc<Bits>>>,
    /// The path condition of the current expression: the conjunction of these literals.
    pub(crate) path: Vec<Lit>,
    /// The conditions under which errors have occurred.
    errors: Vec<Lit>,
    /// The conditions under which the code reads an inbox that it has not cleared.
    looked: Vec<Lit>,
    pub(crate) branch_log: BranchLog,
}

/// The state of a node while its code runs.
#[derive(Clone)]
pub(crate) struct Own {
    pub(crate) node: NodeId,
    /// The values of its variables, in the order of the Machine.
    pub(crate) vars: Vec<Rc<Bits>>,
    /// Whether its inbox has been cleared.
    pub(crate) cleared: Lit,
    /// By timer: whether it is set. Empty if the code neither sets nor cancels timers and is not triggered by one.
    pub(crate) timers: Vec<Lit>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator without values for local names.
    pub fn new(
        aig: &'a mut Aig,
        machine: &'a Machine,
        world: &'a dyn World,
        scope: &'a Scope,
    ) -> Evaluator<'a> {
        Evaluator {
            aig,
            machine,
            world,
            scope,
            own: None,
            locals: vec![None; scope.locals.len()],
            path: Vec::new(),
            errors: Vec::new(),
            looked: Vec::new(),
            branch_log: BranchLog::default(),
        }
    }

    /// Restricts everything that is evaluated from now on to states in which a literal is true: outside of them,
    /// nothing is an error, and in an open world nothing is required.
    pub fn assume(&mut self, condition: Lit) {
        self.path.push(condition);
    }

    /// Records that the code reads an inbox at the current point.
    pub(crate) fn look(&mut self) {
        let cleared = self.own.as_ref().map_or(Lit::FALSE, |own| own.cleared);
        let path = self.path.iter().copied().chain([!cleared]);
        let here = self.aig.all(path.collect::<Vec<_>>());
        self.looked.push(here);
    }

    /// The condition under which the code has read an inbox before clearing it.
    pub(crate) fn looked(&mut self) -> Lit {
        self.aig.any(self.looked.iter().copied())
    }

    /// Binds a local name to a value.
    pub fn bind(&mut self, local: LocalId, value: Bits) {
        if self.locals.len() <= local.index() {
            self.locals.resize(local.index() + 1, None);
        }
        self.locals[local.index()] = Some(Rc::new(value));
    }

    /// The condition under which an error has occurred so far.
    pub fn error(&mut self) -> Lit {
        self.aig.any(self.errors.iter().copied())
    }

    /// Returns the condition of the errors so far and forgets them.
    pub fn take_error(&mut self) -> Lit {
        let error = self.error();
        self.errors.clear();
        error
    }

    pub(crate) fn set_errors_aside(&mut self) -> Vec<Lit> {
        std::mem::take(&mut self.errors)
    }

    pub(crate) fn put_errors_back(&mut self, errors: Vec<Lit>) {
        self.errors = errors;
    }

    /// Adds an error that occurs if the literal is true.
    pub(crate) fn add_error(&mut self, error: Lit) {
        if error != Lit::FALSE {
            self.errors.push(error);
        }
    }

    /// The path condition of the current point, as one literal.
    pub(crate) fn here(&mut self) -> Lit {
        self.aig.all(self.path.iter().copied())
    }

    /// Whether the path condition is the constant false.
    pub(crate) fn is_dead(&self) -> bool {
        self.path.contains(&Lit::FALSE)
    }

    /// Adds an error that occurs if the current point is reached and the condition is true.
    pub(crate) fn fail_if(&mut self, condition: Lit) {
        if condition == Lit::FALSE || self.is_dead() {
            return;
        }
        let path = self.path.iter().copied().chain([condition]);
        let lit = self.aig.all(path);
        if lit != Lit::FALSE {
            self.errors.push(lit);
            self.log_branch(Branch::Error, condition);
            self.log_error(lit);
        }
    }

    /// Evaluates `inside` with `condition` added to the path condition.
    pub(crate) fn under<T>(
        &mut self,
        condition: Lit,
        inside: impl FnOnce(&mut Self) -> Result<T, Unsupported>,
    ) -> Result<T, Unsupported> {
        self.path.push(condition);
        let result = inside(self);
        self.path.pop();
        result
    }

    /// The literal of a Boolean expression.
    pub fn condition(&mut self, expr: &Expr) -> Result<Lit, Unsupported> {
        Ok(self.value(expr)?.lit())
    }

    /// The value of an expression. In states in which the evaluation is an error, it is some value of the type.
    pub fn value(&mut self, expr: &Expr) -> Result<Bits, Unsupported> {
        let machine = self.machine;
        if self.is_dead() {
            return self.blank_of(expr);
        }
        Ok(match expr {
            Expr::At(origin, inner) => {
                let outer = self.branch_log.origin.replace(*origin);
                let value = self.value(inner).map_err(|why| why.at(*origin))?;
                self.branch_log.origin = outer;
                value
            }
            Expr::Const(value) => {
                // Constants are neither options nor sets, so `constant` ignores the type.
                constant(machine, value, &Type::Bool)
            }
            Expr::None(inner) => Bits::Option(Lit::FALSE, Box::new(blank(machine, inner))),
            Expr::Some(inner) => Bits::Option(Lit::TRUE, Box::new(self.value(inner)?)),
            Expr::Unwrap(inner) => match self.value(inner)? {
                Bits::Option(present, value) => {
                    self.fail_if(!present);
                    *value
                }
                other => unreachable!("verified to be an option: {other:?}"),
            },
            Expr::Local(local) => match self.locals.get(local.index()) {
                Some(Some(value)) => (**value).clone(),
                _ => unreachable!("verified to be bound: {local:?}"),
            },
            Expr::Var(var, node) => {
                let node = self.value(node)?;
                let kind = machine.vars[var.index()].kind;
                let right = move |n| machine.kind_of(n) == kind;
                let read = self.of_node(&node, right, |this, n| this.var(*var, n))?;
                read.unwrap_or_else(|| blank(machine, &machine.vars[var.index()].ty))
            }
            Expr::Frozen(frozen, node) => {
                let node = self.value(node)?;
                let kind = machine.frozen_vars[frozen.index()].kind;
                let right = move |n| machine.kind_of(n) == kind;
                let read = self.of_node(&node, right, |this, n| {
                    this.world.frozen(this.aig, *frozen, n)
                })?;
                read.unwrap_or_else(|| blank(machine, &machine.frozen_vars[frozen.index()].ty))
            }
            Expr::Record(record, fields) => {
                let mut values = Vec::new();
                for (field, (_, ty)) in fields.iter().zip(&machine.records[record.index()].fields) {
                    let value = self.value(field)?;
                    values.push(self.checked(&value, ty));
                }
                Bits::record(*record, values)
            }
            Expr::Field(base, field) => match self.value(base)? {
                Bits::Record(mut alternatives) if !alternatives.is_empty() => alternatives
                    .swap_remove(0)
                    .fields
                    .swap_remove(*field as usize),
                other => unreachable!("verified to be a record: {other:?}"),
            },
            Expr::Index(ty, base, index) => {
                let (base, index) = (self.value(base)?, self.value(index)?);
                let Bits::Array(values) = base else {
                    unreachable!("verified to be an array: {base:?}")
                };
                let places = self.places(ty, &index)?;
                let choices: Vec<(Lit, Bits)> = places.into_iter().zip(values).collect();
                match select(self.aig, &choices) {
                    Some(value) => value,
                    None => self.blank_of(expr)?,
                }
            }
            Expr::Fill(index, inner) => {
                let value = self.value(inner)?;
                Bits::Array(vec![value; few_values(machine, index)?.len()])
            }
            Expr::Unary(op, inner) => self.unary(*op, inner)?,
            Expr::Binary(op, a, b) => self.binary(*op, a, b)?,
            Expr::If(condition, then, otherwise) => {
                let condition = self.condition(condition)?;
                self.log_both(Branch::If, condition);
                match condition.known() {
                    Some(true) => self.value(then)?,
                    Some(false) => self.value(otherwise)?,
                    None => {
                        let then = self.under(condition, |this| this.value(then))?;
                        let otherwise = self.under(!condition, |this| this.value(otherwise))?;
                        ite(self.aig, condition, &then, &otherwise)
                    }
                }
            }
            Expr::Let(local, value, body) => {
                let value = self.value(value)?;
                self.bind(*local, value);
                self.value(body)?
            }
            Expr::Within(ty, inner) => {
                let value = self.value(inner)?;
                self.checked(&value, ty)
            }
            Expr::Set(ty, items) => {
                let mut set = Set::Table(Vec::new());
                for item in items {
                    let value = self.value(item)?;
                    let value = self.checked(&value, ty);
                    let one = Set::of(self.aig, value);
                    set = set.union(self.aig, &one)?;
                }
                Bits::Set(set)
            }
            Expr::Range(lo, hi) => {
                let (lo, hi) = (self.value(lo)?, self.value(hi)?);
                Bits::Set(Set::range(self.aig, lo.number(), hi.number())?)
            }
            Expr::Nodes(kind) => self
                .node_set(|_, n| Lit::constant(kind.is_none_or(|kind| machine.kind_of(n) == kind))),
            Expr::Values(ty) => {
                self.refuse_open(expr, "the set of all nodes, written as a type")?;
                let values = few_values(machine, ty)?.into_iter();
                let values = values.map(|value| (value, Lit::TRUE)).collect();
                Bits::Set(Set::table(machine, ty, values))
            }
            Expr::Neighbours(node) => {
                let node = self.value(node)?;
                let mut into = vec![Vec::new(); machine.node_count() as usize];
                for (from, to) in &machine.edges {
                    into[to.index()].push(i128::from(from.0));
                }
                self.node_set(|this, to| {
                    let from = into[to.index()].iter();
                    let from = from.map(|from| node.number().is(this.aig, *from));
                    let from: Vec<Lit> = from.collect();
                    this.aig.any(from)
                })
            }
            Expr::Filter(local, domain, condition) => self.filtered(*local, domain, condition)?,
            Expr::Quantified(quantifier, local, domain, body) => {
                self.quantified(expr, *quantifier, *local, domain, body)?
            }
            Expr::Extremum(largest, local, domain, by) => {
                self.extremum(expr, *largest, *local, domain, by)?
            }
            Expr::Map(..) if self.world.open().is_some() => {
                return Err(Unsupported::new("a function on nodes such as `next`"));
            }
            Expr::Map(map, node) => {
                let node = self.value(node)?;
                let to = &machine.maps[map.index()].to;
                let choices = self.node_choices(&node);
                let to: Vec<(Lit, i128)> = { choices.iter() }
                    .map(|(when, n)| (*when, i128::from(to[n.index()].0)))
                    .collect();
                Bits::Number(Sort::Node, Number::one_of(self.aig, &to))
            }
            Expr::InMode(mode, node) => {
                self.about_node(node, |this, n| this.world.mode(this.aig, n, *mode))?
            }
            Expr::HasFault(fault, node) => {
                self.about_node(node, |this, n| this.world.fault(this.aig, n, *fault))?
            }
            Expr::Faultless(node) => {
                self.about_node(node, |this, n| this.world.faultless(this.aig, n))?
            }
            Expr::IsRecord(record, inner) => match self.value(inner)? {
                Bits::Record(alternatives) => {
                    let here = alternatives.iter().filter(|a| a.record == *record);
                    Bits::Bool(self.aig.any(here.map(|a| a.when)))
                }
                other => unreachable!("verified to be a record: {other:?}"),
            },
            Expr::Inbox(records, node) => self.inbox_set(records, node)?,
            Expr::Senders(record, node) => self.senders(*record, node)?,
            Expr::InFlight(record, from, to) => {
                let (from, to) = (self.value(from)?, self.value(to)?);
                let read = self.of_node(
                    &from,
                    |_| true,
                    |this, from| {
                        let read = this.of_node(
                            &to,
                            |_| true,
                            |this, to| match this.machine.edge(from, to) {
                                Some(_) => this.world.in_flight(this.aig, *record, from, to),
                                None => Ok(Bits::int(0)),
                            },
                        )?;
                        Ok(read.unwrap_or_else(|| Bits::int(0)))
                    },
                )?;
                read.unwrap_or_else(|| Bits::int(0))
            }
            Expr::Quiescent => Bits::Bool(self.world.quiescent(self.aig)?),
            Expr::TimerSet(timer, node, other) => {
                let node = self.value(node)?;
                let other = other.as_ref().map(|o| self.value(o)).transpose()?;
                let kind = machine.timers[timer.index()].kind;
                let right = move |n| machine.kind_of(n) == kind;
                let read = self.of_node(&node, right, |this, n| match &other {
                    None => Ok(Bits::Bool(this.timer_set(*timer, n, None)?)),
                    Some(other) => {
                        let read = this.of_node(
                            other,
                            |_| true,
                            |this, o| Ok(Bits::Bool(this.timer_set(*timer, n, Some(o))?)),
                        )?;
                        Ok(read.unwrap_or_else(|| Bits::bool(false)))
                    }
                })?;
                read.unwrap_or_else(|| Bits::bool(false))
            }
            Expr::Now(op, time) => Bits::Bool(self.world.now(self.aig, *op, time)?),
            Expr::Overdue(response) => Bits::Bool(self.world.overdue(self.aig, *response)?),
        })
    }

    fn unary(&mut self, op: UnaryOp, inner: &Expr) -> Result<Bits, Unsupported> {
        if op == UnaryOp::Size {
            self.refuse_open(inner, "the number of elements of a set of nodes")?;
        }
        let value = self.value(inner)?;
        Ok(match (op, value) {
            (UnaryOp::Not, value) => Bits::Bool(!value.lit()),
            (UnaryOp::Neg, value) => {
                let minus = value.number().negated(self.aig);
                self.integer(minus)
            }
            (UnaryOp::Size, value) => Bits::Number(Sort::Int, value.set().size(self.aig)),
            (UnaryOp::IsSome, Bits::Option(present, _)) => Bits::Bool(present),
            (UnaryOp::IsSome, other) => unreachable!("verified to be an option: {other:?}"),
        })
    }

    /// Some value of the type of an expression, for unreachable code.
    pub(crate) fn blank_of(&self, expr: &Expr) -> Result<Bits, Unsupported> {
        let typing = || Typing::all_bound(self.machine, self.scope);
        // Restrictions of initial states treat counters as numbers, which the normal typing rejects.
        let numbers = || typing().with_numbers().type_of(expr);
        match typing().type_of(expr).or_else(|_| numbers()) {
            Ok(ty) => Ok(blank(self.machine, &ty)),
            Err(why) => Err(Unsupported::new(format!(
                "an expression without type: {why}"
            ))),
        }
    }

    /// Some value of the type of a local name.
    pub(crate) fn blank_local(&self, local: LocalId) -> Bits {
        blank(self.machine, &self.scope.locals[local.index()].ty)
    }

    /// The value, narrowed to the bounds of a type. Adds an error if it is not of the type.
    pub(crate) fn checked(&mut self, value: &Bits, ty: &Type) -> Bits {
        let fits = fits(self.aig, self.machine, value, ty);
        self.fail_if(!fits);
        match fits {
            Lit::FALSE => blank(self.machine, ty),
            _ => narrowed(self.machine, value, ty),
        }
    }

    /// For each value of an index type: whether the index equals it. Adds an error if it equals none.
    pub(crate) fn places(&mut self, ty: &Type, index: &Bits) -> Result<Vec<Lit>, Unsupported> {
        let fits = fits(self.aig, self.machine, index, ty);
        self.fail_if(!fits);
        let values = few_values(self.machine, ty)?;
        let places = values.iter().map(|value: &Value| {
            let value = constant(self.machine, value, ty);
            equal(self.aig, index, &value)
        });
        Ok(places.collect())
    }

    /// The nodes that a value can denote, each with the condition under which it does.
    pub(crate) fn node_choices(&mut self, node: &Bits) -> Vec<(Lit, NodeId)> {
        let number = node.number();
        let all = self.machine.nodes();
        let choices = all.map(|n| (number.is(self.aig, i128::from(n.0)), n));
        choices.filter(|(when, _)| *when != Lit::FALSE).collect()
    }

    /// Reads from the node that a value denotes. Adds an error if the value denotes a node for which `right` is false.
    /// `None` if `right` is false for every node that the value can denote.
    pub(crate) fn of_node(
        &mut self,
        node: &Bits,
        right: impl Fn(NodeId) -> bool,
        mut read: impl FnMut(&mut Self, NodeId) -> Result<Bits, Unsupported>,
    ) -> Result<Option<Bits>, Unsupported> {
        let mut choices = Vec::new();
        let mut wrong = Vec::new();
        for (when, n) in self.node_choices(node) {
            match right(n) {
                true => choices.push((when, read(self, n)?)),
                false => wrong.push(when),
            }
        }
        let wrong = self.aig.any(wrong);
        if !broken(Defect::AnyKind) {
            self.fail_if(wrong);
        }
        Ok(select(self.aig, &choices))
    }

    /// Reads a Boolean from the node that an expression denotes.
    fn about_node(
        &mut self,
        node: &Expr,
        mut read: impl FnMut(&mut Self, NodeId) -> Result<Lit, Unsupported>,
    ) -> Result<Bits, Unsupported> {
        let node = self.value(node)?;
        let read = self.of_node(&node, |_| true, |this, n| Ok(Bits::Bool(read(this, n)?)))?;
        Ok(read.unwrap_or_else(|| Bits::bool(false)))
    }

    fn var(&mut self, var: machine::VarId, node: NodeId) -> Result<Bits, Unsupported> {
        match &self.own {
            Some(own) if own.node == node => {
                Ok((*own.vars[self.machine.place_of_var(var)]).clone())
            }
            _ => self.world.var(self.aig, var, node),
        }
    }

    /// The set of nodes with their membership literals; nodes with the literal false are left out.
    pub(crate) fn node_set(&mut self, mut present: impl FnMut(&mut Self, NodeId) -> Lit) -> Bits {
        let mut nodes = Vec::new();
        for node in self.machine.nodes() {
            match present(self, node) {
                Lit::FALSE => {}
                lit => nodes.push((Value::Node(node), lit)),
            }
        }
        Bits::Set(Set::table(self.machine, &Type::Node, nodes))
    }
}
