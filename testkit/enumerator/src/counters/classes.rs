//! Which counters belong to one class: counters that are compared with each other or assigned to each other, and fields
//! of messages with the counters that are sent in them.
//!
//! Each occurrence of `Counter` in a declaration is a place. Operations in code, conditions and claims join places into
//! classes. Counters and numbers may be mixed only in initial values and in conditions on initial states.

use crate::counters::shapes::{Around, Reader, Shape};
use crate::instance::counter_classes::Classes;
use crate::instance::data::Instance;
use crate::instance::fault::RuntimeFault;
use crate::instance::scope::Scope;
use crate::instance::value::{Res, refuse};
use syntax::ast::{self, Expr, Stmt, StmtKind};

/// The classes that result from the code and the claims of a file.
pub(crate) fn classes_of(instance: &Instance, file: &ast::File) -> Res<Classes> {
    let mut vars = instance.kinds.iter().flat_map(|kind| &kind.vars);
    let mut fields = instance.records.iter().flat_map(|(r, _)| &r.fields);
    if !vars.any(|var| instance.has_counter(&var.ty))
        && !fields.any(|field| instance.has_counter(&field.ty))
    {
        return Ok(Classes::default());
    }
    let mut reader = Reader::new(instance);
    reader.file(file)?;
    Ok(reader.classes)
}

/// The classes after an additional condition is read.
pub(crate) fn classes_with(instance: &Instance, condition: &Expr, scope: &Scope) -> Res<Classes> {
    let mut reader = Reader::new(instance);
    if !reader.classes.is_empty() {
        let mut around = Around::default();
        for (name, value) in &scope.locals {
            around.bind(name, reader.of_value(value));
        }
        reader.sees(condition, &mut around)?;
    }
    Ok(reader.classes)
}

impl Reader<'_> {
    fn file(&mut self, file: &ast::File) -> Res<()> {
        for kind in 0..self.instance.kinds.len() {
            self.kind(kind)?;
        }
        for item in &file.items {
            if let ast::Item::Claim(claim) = item {
                let mut around = self.around(None, &claim.parameters);
                self.sees(&claim.formula, &mut around)?;
            }
        }
        self.numbers = true;
        for condition in &self.instance.conditions {
            self.sees(condition, &mut Around::default())?;
        }
        self.numbers = false;
        Ok(())
    }

    fn kind(&mut self, place: usize) -> Res<()> {
        let kind = &self.instance.kinds[place];
        for var in &kind.vars {
            let mut around = self.around(Some(place), &[]);
            self.numbers = true;
            let (ty, init) = (self.of_type(&var.ty), self.expr(&var.init, &mut around)?);
            self.meet(&ty, &init)?;
            self.numbers = false;
            if !var.persistent && self.instance.has_counter(&var.ty) {
                let runtime_faults = self
                    .instance
                    .fault_items
                    .iter()
                    .flat_map(|i| &i.runtime_faults);
                if { runtime_faults }.any(|runtime_fault| {
                    matches!(runtime_fault, RuntimeFault::Stop { fresh: true, .. })
                }) {
                    return refuse("a fresh restart with a counter: its first value is a number");
                }
            }
        }
        for block in &kind.blocks {
            let mut around = self.around(Some(place), &[]);
            self.head(&block.head, &mut around)?;
            self.body(&block.body, &mut around)?;
        }
        for action in &kind.actions {
            let mut around = self.around(Some(place), action.parameters);
            self.body(action.body, &mut around)?;
        }
        Ok(())
    }

    fn around(&mut self, kind: Option<usize>, parameters: &[ast::Parameter]) -> Around {
        let mut around = Around {
            kind,
            ..Around::default()
        };
        for parameter in parameters {
            let shape = self.of_type(&parameter.ty);
            around.bind(&parameter.name.text, shape);
        }
        around
    }

    fn body(&mut self, body: &[Stmt], around: &mut Around) -> Res<()> {
        let mark = around.locals.len();
        for stmt in body {
            self.statement(&stmt.kind, around)?;
        }
        around.locals.truncate(mark);
        Ok(())
    }

    fn statement(&mut self, stmt: &StmtKind, around: &mut Around) -> Res<()> {
        let mark = around.locals.len();
        match stmt {
            StmtKind::Assign(place, e) => {
                let (place, value) = (self.expr(place, around)?, self.expr(e, around)?);
                self.meet(&place, &value)?;
            }
            StmtKind::If(condition, then, otherwise) => {
                self.sees(condition, around)?;
                self.body(then, around)?;
                around.locals.truncate(mark);
                self.body(otherwise, around)?;
            }
            StmtKind::Match(subject, arms) => {
                let subject = self.expr(subject, around)?;
                for arm in arms {
                    self.pattern(&subject, arm, around)?;
                    self.body(&arm.result, around)?;
                    around.locals.truncate(mark);
                }
            }
            StmtKind::For(name, set, body) => {
                let element = self.expr(set, around)?.element();
                around.bind(&name.text, element);
                self.body(body, around)?;
                around.locals.truncate(mark);
            }
            StmtKind::Let(name, e) => {
                let value = self.expr(e, around)?;
                around.bind(&name.text, value);
            }
            StmtKind::Choose(name, set) => {
                let element = self.expr(set, around)?.element();
                around.bind(&name.text, element);
            }
            StmtKind::Send(send) => {
                self.sees(&send.message, around)?;
                send.to.iter().try_for_each(|to| self.sees(to, around))?;
            }
            StmtKind::Assert(e) | StmtKind::CancelTimer(e) => self.sees(e, around)?,
            StmtKind::SetTimer(timer, interval) => {
                self.sees(timer, around)?;
                self.sees(interval, around)?;
            }
            StmtKind::Call(name, arguments) => {
                let kind = around.kind.map(|kind| &self.instance.kinds[kind]);
                let mut actions = kind.into_iter().flat_map(|kind| &kind.actions);
                let action = actions.find(|action| action.name == name.text);
                let parameters = action.map_or(&[][..], |action| action.parameters);
                for (parameter, argument) in parameters.iter().zip(arguments) {
                    let (wanted, given) =
                        (self.of_type(&parameter.ty), self.expr(argument, around)?);
                    self.meet(&wanted, &given)?;
                }
            }
            StmtKind::ClearInbox | StmtKind::Halt | StmtKind::Error => {}
        }
        Ok(())
    }

    /// Joins the counters of two expressions that are compared, or of which one is assigned to the other.
    pub fn meet(&mut self, a: &Shape, b: &Shape) -> Res<()> {
        match (a, b) {
            (Shape::Counter(a), Shape::Counter(b)) => self.classes.join(*a, *b),
            (Shape::Set(a), Shape::Set(b)) | (Shape::Array(a), Shape::Array(b)) => {
                self.meet(a, b)?;
            }
            // A single value that is assigned to an array becomes the value of all its elements.
            (Shape::Array(a), b) | (b, Shape::Array(a)) => self.meet(a, b)?,
            (Shape::Set(a), Shape::Plain) | (Shape::Plain, Shape::Set(a)) => {
                self.meet(a, &Shape::Plain)?;
            }
            (Shape::Counter(_), Shape::Number) | (Shape::Number, Shape::Counter(_))
                if self.numbers => {}
            (Shape::Counter(_), Shape::Nothing) | (Shape::Nothing, Shape::Counter(_)) => {}
            (Shape::Counter(_), Shape::Number) | (Shape::Number, Shape::Counter(_)) => {
                return refuse("a counter beside a number, in code or in a claim");
            }
            (Shape::Counter(_), _) | (_, Shape::Counter(_)) => {
                return refuse("a counter beside something that is none");
            }
            _ => {}
        }
        Ok(())
    }
}
