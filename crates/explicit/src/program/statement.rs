//! Compiled blocks: statements over numbers, and their execution.

use crate::defects::{Defect, broken};
use crate::program::compile::Compiler;
use crate::program::compiled_machine::CompiledMachine;
use crate::program::event::{Effects, Stop};
use crate::program::expression::{Code, Context, Domain, NoValue, Op};
use crate::state::clocks::in_units;
use crate::state::layout::{Layout, Slots};
use crate::state::partial_value::{self, LazyComponent, SlotAbstraction, UNDECIDED};
use machine::{Block, Expr, Mode, NodeId, PlaceStep, Stmt, StmtKind, TimerId, Type};

pub(crate) struct CompiledBlock {
    pub(crate) guard: Option<Code>,
    pub(crate) body: Vec<CompiledStatement>,
}

/// A compiled statement.
pub(crate) enum CompiledStatement {
    /// By node the slot of the variable; the value, in the variable's type.
    Assign(Box<[u32]>, Value),
    /// By node the slot of the variable; the path to the component; the place of the value in the component's type.
    AssignPart(Box<[u32]>, Vec<PathStep>, Value),
    If(Value, Vec<CompiledStatement>, Vec<CompiledStatement>),
    For(u32, Domain, Vec<CompiledStatement>),
    Let(u32, Value),
    /// Enumerates a set to detect errors in it. The flag says that there are none, so that an unknown set may be
    /// skipped.
    GoThrough(Domain, bool),
    /// The local name, the set to choose from, and the type of the name.
    Choose(u32, Domain, Type),
    /// The number of the first message of the type, the message within its type, and the receiver.
    Send(i64, Value, Code),
    SendAll(i64, Value, Domain),
    Assert(Code),
    ClearInbox,
    Halt,
    SetTimer {
        timer: TimerId,
        other: Option<Code>,
        from: Sum,
        to: Sum,
    },
    CancelTimer(TimerId, Option<Code>),
}

/// A time in units that depends on the state: the sum of value times factor over `terms`, plus `constant`.
pub(crate) struct Sum {
    terms: Vec<(Code, i64)>,
    constant: i64,
}

/// An expression whose value may be unknown under data abstraction.
pub(crate) struct Value {
    code: Code,
    /// Whether its evaluation always succeeds. Only then may its value be unknown, because no error is hidden.
    total: bool,
}

/// One step of the path to a component in a mixed-radix number.
pub(crate) enum PathStep {
    /// A field: its weight, number of values, and index.
    Field(i64, i64, u32),
    /// An array element: the index, its range, and the number of values of an element.
    Index(Code, (i64, i64), i64),
    /// The value of an option; its place is the option's number minus one.
    Unwrap,
}

/// Compiles the statements of a block.
pub(crate) struct StatementCompiler<'c, 'm> {
    pub(crate) compiled: &'c CompiledMachine<'m>,
    pub(crate) block: &'m Block,
}

impl<'m> StatementCompiler<'_, 'm> {
    pub(crate) fn all(
        &self,
        compiler: &mut Compiler<'m>,
        body: &[Stmt],
    ) -> Result<Vec<CompiledStatement>, String> {
        let numbered = body.iter().enumerate();
        numbered
            .map(|(place, statement)| self.one(compiler, statement, &body[place + 1..]))
            .collect()
    }

    /// Compiles a statement. `behind` are the statements after it in the same list.
    fn one(
        &self,
        compiler: &mut Compiler<'m>,
        statement: &Stmt,
        behind: &[Stmt],
    ) -> Result<CompiledStatement, String> {
        let locals = &self.block.scope.locals;
        Ok(match &statement.kind {
            StmtKind::Assign(place, value) => {
                let slots = compiler.var_slots(place.var);
                let whole = &self.compiled.machine.vars[place.var.index()].ty;
                let (path, ty) = self.path(compiler, whole, &place.path)?;
                let code = match path.is_empty() {
                    true => compiler.typed(value, ty)?,
                    false => compiler.part(value, ty)?,
                };
                let total = compiler.is_total(value, &code);
                if path.is_empty() {
                    CompiledStatement::Assign(slots, Value { code, total })
                } else {
                    let first = Code::Const(self.compiled.codec.first(ty));
                    let code = Code::Arithmetic(Op::Sub, Box::new(code), Box::new(first));
                    CompiledStatement::AssignPart(slots, path, Value { code, total })
                }
            }
            StmtKind::If(condition, then, otherwise) => CompiledStatement::If(
                total(compiler, condition)?,
                self.all(compiler, then)?,
                self.all(compiler, otherwise)?,
            ),
            StmtKind::For(local, domain, body) => {
                let domain = compiler.domain_of(*local, domain, true)?;
                CompiledStatement::For(local.0, domain, self.all(compiler, body)?)
            }
            StmtKind::Let(local, value)
                if let Some(domain) = compiler.name(*local, value, behind)? =>
            {
                let total = compiler.is_total(value, &Code::Const(0));
                compiler.binds(*local, value);
                CompiledStatement::GoThrough(domain, total)
            }
            StmtKind::Let(local, value) => {
                let code = compiler.typed(value, &locals[local.index()].ty)?;
                let total = compiler.is_total(value, &code);
                compiler.binds(*local, value);
                CompiledStatement::Let(local.0, Value { code, total })
            }
            StmtKind::Choose(local, set) => {
                let domain = compiler.domain_of(*local, set, true)?.once();
                CompiledStatement::Choose(local.0, domain, locals[local.index()].ty.clone())
            }
            StmtKind::Send(message, to) => {
                let Type::Record(record) = compiler.type_of(message) else {
                    unreachable!("verified to be a message")
                };
                let first = self.compiled.messages.ranges[record.index()].0;
                let message = total(compiler, message)?;
                match compiler.type_of(to) {
                    Type::Set(_) => {
                        CompiledStatement::SendAll(first, message, compiler.domain(to)?.once())
                    }
                    _ => CompiledStatement::Send(first, message, compiler.expr(to)?),
                }
            }
            StmtKind::Assert(condition) => CompiledStatement::Assert(compiler.expr(condition)?),
            StmtKind::ClearInbox => CompiledStatement::ClearInbox,
            StmtKind::Halt => CompiledStatement::Halt,
            StmtKind::SetTimer(timer, other, from, to) => CompiledStatement::SetTimer {
                timer: *timer,
                other: other.as_ref().map(|e| compiler.expr(e)).transpose()?,
                from: self.sum(compiler, from)?,
                to: self.sum(compiler, to)?,
            },
            StmtKind::CancelTimer(timer, other) => CompiledStatement::CancelTimer(
                *timer,
                other.as_ref().map(|e| compiler.expr(e)).transpose()?,
            ),
        })
    }

    /// Compiles a time that depends on the state, in units.
    fn sum(&self, compiler: &mut Compiler<'m>, sum: &machine::TimeSum) -> Result<Sum, String> {
        let grid = self
            .compiled
            .machine
            .digitisation()
            .ok_or("a timer, and no grid of times")?;
        let terms = sum
            .terms
            .iter()
            .map(|(e, by)| Ok((compiler.expr(e)?, in_units(by, &grid.unit)?)));
        Ok(Sum {
            terms: terms.collect::<Result<_, String>>()?,
            constant: in_units(&sum.constant, &grid.unit)?,
        })
    }

    /// Compiles the path to a component of a variable. Returns it with the component's type.
    fn path<'t>(
        &self,
        compiler: &mut Compiler<'m>,
        whole: &'t Type,
        path: &[PlaceStep],
    ) -> Result<(Vec<PathStep>, &'t Type), String>
    where
        'm: 't,
    {
        let codec = self.compiled.codec;
        let mut ty = whole;
        let mut steps = Vec::new();
        for step in path {
            match (ty, step) {
                (Type::Record(r), PlaceStep::Field(field)) => {
                    let (weight, number) = (codec.weight(*r, *field)?, *field);
                    ty = &self.compiled.machine.records[r.index()].fields[*field as usize].1;
                    steps.push(PathStep::Field(weight, codec.places(ty)? as i64, number));
                }
                (Type::Array(over, inner), PlaceStep::Index(_, index)) => {
                    let first = codec.first(over);
                    let range = (first, first + codec.places(over)? as i64 - 1);
                    steps.push(PathStep::Index(
                        compiler.expr(index)?,
                        range,
                        codec.places(inner)? as i64,
                    ));
                    ty = inner;
                }
                (Type::Option(inner), PlaceStep::Unwrap) => {
                    steps.push(PathStep::Unwrap);
                    ty = inner;
                }
                _ => unreachable!("verified to have the part"),
            }
        }
        Ok((steps, ty))
    }
}

/// Compiles an expression, and determines whether its evaluation always succeeds.
fn total(compiler: &mut Compiler<'_>, expr: &Expr) -> Result<Value, String> {
    let code = compiler.expr(expr)?;
    let total = compiler.is_total(expr, &code);
    Ok(Value { code, total })
}

/// Whether execution of a block continues or the node has halted.
#[derive(PartialEq, Eq)]
pub(crate) enum Flow {
    Continue,
    Halted,
}

/// The state of the execution of a block.
pub(crate) struct BlockRun<'a, 'p> {
    pub(crate) compiled: &'a CompiledMachine<'a>,
    pub(crate) layout: &'a Layout,
    pub(crate) frozen: &'a [i64],
    pub(crate) slots: &'a mut Slots,
    pub(crate) locals: Vec<i64>,
    pub(crate) node: NodeId,
    pub(crate) picks: &'a mut std::slice::Iter<'p, i64>,
    pub(crate) effects: &'a mut Effects,
}

impl BlockRun<'_, '_> {
    pub(crate) fn eval(&mut self, code: &Code) -> Result<i64, Stop> {
        let context = Context {
            compiled: self.compiled,
            layout: self.layout,
            frozen: self.frozen,
            slots: self.slots,
        };
        Ok(context.eval(code, &mut self.locals)?)
    }

    fn elements(&mut self, domain: &Domain) -> Result<Vec<i64>, Stop> {
        let context = Context {
            compiled: self.compiled,
            layout: self.layout,
            frozen: self.frozen,
            slots: self.slots,
        };
        let mut elements = Vec::new();
        context.each(domain, &mut self.locals, &mut |_, _, element| {
            elements.push(element);
            Ok(true)
        })?;
        Ok(elements)
    }

    pub(crate) fn steps(&mut self, steps: &[CompiledStatement]) -> Result<Flow, Stop> {
        for step in steps {
            if self.step(step)? == Flow::Halted {
                return Ok(Flow::Halted);
            }
        }
        Ok(Flow::Continue)
    }

    fn step(&mut self, step: &CompiledStatement) -> Result<Flow, Stop> {
        match step {
            CompiledStatement::Assign(slots, value) => {
                let slot = slots[self.node.index()] as usize;
                let value = self.value(value)?;
                let value = self.storable(slot, value)?;
                self.slots[slot] = self.compiled.masked(slot, value);
            }
            CompiledStatement::AssignPart(slots, path, place) => {
                let slot = slots[self.node.index()] as usize;
                let place = self.value(place)?;
                let value = self.with_part(slot, path, place)?;
                let value = self.storable(slot, value)?;
                self.slots[slot] = self.compiled.masked(slot, value);
            }
            CompiledStatement::If(condition, then, otherwise) => {
                let condition = match self.value(condition)? {
                    Some(condition) => condition,
                    None if broken(Defect::UnknownIsFalse) => 0,
                    None => self.tried(vec![0, 1])?,
                };
                return self.steps(if condition != 0 { then } else { otherwise });
            }
            CompiledStatement::For(local, domain, body) => {
                for element in self.elements(domain)? {
                    self.locals[*local as usize] = element;
                    if self.steps(body)? == Flow::Halted {
                        return Ok(Flow::Halted);
                    }
                }
            }
            CompiledStatement::GoThrough(domain, total) => match self.elements(domain) {
                Err(Stop::TooCoarse) if *total => {}
                elements => drop(elements?),
            },
            CompiledStatement::Let(local, value) => {
                let value = self.value(value)?;
                self.locals[*local as usize] = value.unwrap_or(UNDECIDED);
            }
            CompiledStatement::Choose(local, domain, ty) => match self.picks.next() {
                Some(pick) => {
                    self.locals[*local as usize] = *pick;
                    self.effects.chosen.push(ty.clone());
                }
                None => {
                    let mut elements = self.elements(domain)?;
                    if broken(Defect::ChooseFirstTwo) {
                        elements.truncate(2);
                    }
                    return Err(if elements.is_empty() {
                        Stop::Broken
                    } else {
                        Stop::Choose(elements)
                    });
                }
            },
            CompiledStatement::Send(first, message, to) => {
                let message = self.message(*first, message)?;
                let to = self.eval(to)?;
                self.send(to, message)?;
            }
            CompiledStatement::SendAll(first, message, to) => {
                let message = self.message(*first, message)?;
                for to in self.elements(to)? {
                    self.send(to, message)?;
                }
            }
            CompiledStatement::Assert(condition) => {
                if self.eval(condition)? == 0 {
                    return Err(Stop::Broken);
                }
            }
            CompiledStatement::ClearInbox if broken(Defect::ClearKeeps) => {}
            CompiledStatement::ClearInbox => self.layout.clear(self.slots, self.node),
            CompiledStatement::SetTimer {
                timer,
                other,
                from,
                to,
            } => {
                let place = self.timer_place(*timer, other.as_ref())?;
                let (from, to) = (self.sum(from)?, self.sum(to)?);
                if from < 0 || to < from {
                    return Err(Stop::Broken);
                }
                self.compiled
                    .timing
                    .clocks
                    .set_timer(self.slots, self.node, place, (from, to));
            }
            CompiledStatement::CancelTimer(timer, other) => {
                let place = self.timer_place(*timer, other.as_ref())?;
                self.compiled
                    .timing
                    .clocks
                    .unset_timer(self.slots, self.node, place);
            }
            CompiledStatement::Halt => {
                if !broken(Defect::HaltKeepsInbox) {
                    self.layout.clear(self.slots, self.node);
                }
                self.slots[self.compiled.bases[self.node.index()] as usize] = Mode::Halted as i64;
                if !broken(Defect::HaltGoesOn) {
                    return Ok(Flow::Halted);
                }
            }
        }
        Ok(Flow::Continue)
    }

    fn timer_place(&mut self, timer: TimerId, other: Option<&Code>) -> Result<usize, Stop> {
        let other = other.map(|other| self.eval(other)).transpose()?;
        let other = other.map(|node| NodeId(node as u32));
        Ok(self.compiled.machine.timer_place(timer, other))
    }

    fn sum(&mut self, sum: &Sum) -> Result<i64, Stop> {
        let mut total = sum.constant;
        for (code, by) in &sum.terms {
            total += self.eval(code)? * by;
        }
        Ok(total)
    }

    /// The number of a message, whose fields may be unknown.
    fn message(&mut self, first: i64, message: &Value) -> Result<i64, Stop> {
        let (message, unknown) = partial_value::split(self.value(message)?.ok_or(Stop::TooCoarse)?);
        Ok(partial_value::record(first + message, unknown))
    }

    /// The value of an expression, possibly with unknown fields; `None` if it is wholly unknown.
    fn value(&mut self, value: &Value) -> Result<Option<i64>, Stop> {
        let context = Context {
            compiled: self.compiled,
            layout: self.layout,
            frozen: self.frozen,
            slots: self.slots,
        };
        let found = match context.known_in_part(&value.code, &mut self.locals) {
            Err(NoValue::Unknown) => None,
            found => Some(found?),
        };
        let known = !self.compiled.is_abstract() || found.is_some_and(partial_value::is_known);
        match known || value.total {
            true => Ok(found),
            false => Err(Stop::TooCoarse),
        }
    }

    /// The encoding of a value for storage in a slot. If the slot must be known and the value is not, the values of its
    /// type are tried.
    fn storable(&mut self, slot: usize, value: Option<i64>) -> Result<i64, Stop> {
        let Some(abstraction) = self.compiled.slot_abstraction(slot) else {
            return value.ok_or(Stop::TooCoarse);
        };
        match value {
            Some(value) if partial_value::is_known(value) => Ok(value),
            Some(value) if matches!(abstraction, SlotAbstraction::Fields(_)) => Ok(value),
            _ if broken(Defect::UnknownIsOld) => Ok(self.slots[slot]),
            _ => match partial_value::abstracted(abstraction) {
                Ok(unknown) => Ok(unknown),
                Err(Some(values)) => self.tried(values),
                Err(None) => Err(Stop::TooCoarse),
            },
        }
    }

    /// Takes one of these values in place of an unknown one: the next choice, or a request for a choice.
    fn tried(&mut self, values: Vec<i64>) -> Result<i64, Stop> {
        match self.picks.next() {
            Some(pick) => Ok(*pick),
            None => Err(Stop::Choose(values)),
        }
    }

    /// The value of a slot after assignment to the component at a path. `place` is the new component, `None` if
    /// unknown. Returns `None` if the whole value becomes unknown.
    fn with_part(
        &mut self,
        slot: usize,
        path: &[PathStep],
        place: Option<i64>,
    ) -> Result<Option<i64>, Stop> {
        let abstraction = self.compiled.slot_abstraction(slot);
        let whole = match (self.slots[slot], abstraction) {
            (UNDECIDED, None | Some(SlotAbstraction::Known(..))) => {
                return Err(Stop::Undecided(LazyComponent::Slot(slot as u32)));
            }
            (whole, _) => whole,
        };
        if let ([PathStep::Field(weight, places, field)], Some(SlotAbstraction::Fields(_))) =
            (path, abstraction)
        {
            let (plain, unknown) = partial_value::split(whole);
            let plain = plain + (place.unwrap_or(0) - plain / weight % places) * weight;
            let unknown = match place {
                Some(_) => unknown & !(1 << field),
                None => unknown | 1 << field,
            };
            return Ok(Some(partial_value::record(plain, unknown)));
        }
        if abstraction.is_some() && !partial_value::is_known(whole) {
            return Err(Stop::TooCoarse); // an option on the path may be empty
        }
        let (mut old, mut weight) = (whole, 1);
        for step in path {
            let (inside, places) = match step {
                PathStep::Field(inside, places, _) => (*inside, *places),
                PathStep::Index(index, (lo, hi), places) => {
                    let index = self.eval(index)?;
                    if index < *lo || index > *hi {
                        return Err(Stop::Broken);
                    }
                    (places.pow((hi - index) as u32), *places)
                }
                PathStep::Unwrap if old == 0 => return Err(Stop::Broken),
                PathStep::Unwrap => {
                    old -= 1;
                    continue;
                }
            };
            (old, weight) = (old / inside % places, weight * inside);
        }
        Ok(place.map(|place| whole + (place - old) * weight))
    }

    fn send(&mut self, to: i64, message: i64) -> Result<(), Stop> {
        let edge = self
            .compiled
            .edge_between(i64::from(self.node.0), to)
            .ok_or(Stop::Broken)?;
        self.effects.sent.push((edge, message));
        Ok(())
    }
}
