//! Parser of expressions, formulas and statements.

use crate::text::items::{Items, all, find, number, unmarked};
use crate::text::names::{BINARY, FAULTS, MODES, QUANTIFIERS, UNARY, meaning};
use crate::text::parse::Parser;
use crate::text::sexpr::{Atom, ParseError, Sexpr, Shape, expected};
use crate::{
    Expr, Formula, FrozenId, LocalId, MapId, Origin, Place, PlaceStep, Quantifier, ResponseId,
    Stmt, StmtKind, TimeSum, TimerId, VarId,
};

/// A parser of code in one scope.
pub(crate) struct Within<'p> {
    pub(crate) parser: &'p Parser,
    pub(crate) locals: Vec<Atom>,
}

impl Within<'_> {
    fn local(&self, sexpr: &Sexpr) -> Result<LocalId, ParseError> {
        find(&self.locals, sexpr, "a local name").map(LocalId)
    }

    /// Parses the next item as an expression.
    fn next(&self, list: &mut Items) -> Result<Box<Expr>, ParseError> {
        Ok(Box::new(self.expr(list.next("an expression")?)?))
    }

    fn next_local(&self, list: &mut Items) -> Result<LocalId, ParseError> {
        self.local(list.next("a local name")?)
    }

    pub(crate) fn expr(&self, sexpr: &Sexpr) -> Result<Expr, ParseError> {
        match &sexpr.shape {
            Shape::Mark(mark, inner) => Ok(Expr::At(Origin(*mark), Box::new(self.expr(inner)?))),
            Shape::Atom(atom) => self.word(sexpr, atom),
            Shape::List(_) => self.form(sexpr),
        }
    }

    fn word(&self, sexpr: &Sexpr, atom: &Atom) -> Result<Expr, ParseError> {
        if !atom.quoted && atom.copy == 1 {
            match atom.text.as_str() {
                "true" => return Ok(Expr::bool(true)),
                "false" => return Ok(Expr::bool(false)),
                "quiescent" => return Ok(Expr::Quiescent),
                text if text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => {
                    return number(sexpr, "an integer of 64 bits").map(Expr::int);
                }
                _ => {}
            }
        }
        self.local(sexpr).map(Expr::Local)
    }

    fn form(&self, sexpr: &Sexpr) -> Result<Expr, ParseError> {
        let what = "an expression";
        let mut list = Items::of(sexpr, what)?;
        let head = list.atom(what)?.text.as_str();
        let list = &mut list;
        let expr = if let Some(op) = meaning(&BINARY, head) {
            Expr::Binary(op, self.next(list)?, self.next(list)?)
        } else if let Some(op) = meaning(&UNARY, head) {
            Expr::Unary(op, self.next(list)?)
        } else if let Some(mode) = meaning(&MODES, head) {
            Expr::InMode(mode, self.next(list)?)
        } else if let Some(quantifier) = meaning(&QUANTIFIERS, head) {
            self.quantified(quantifier, list)?
        } else {
            self.other_form(head, sexpr, list)?
        };
        list.end()?;
        Ok(expr)
    }

    fn quantified(&self, q: Quantifier, list: &mut Items) -> Result<Expr, ParseError> {
        let local = self.next_local(list)?;
        let domain = self.next(list)?;
        Ok(Expr::Quantified(q, local, domain, self.next(list)?))
    }

    fn other_form(&self, head: &str, sexpr: &Sexpr, list: &mut Items) -> Result<Expr, ParseError> {
        let p = self.parser;
        Ok(match head {
            "id" | "node" | "name" => {
                list.rest();
                Expr::Const(p.value(sexpr)?)
            }
            "const" => Expr::Const(p.value(list.next("a value")?)?),
            "none" => Expr::None(p.ty(list.next("a type")?)?),
            "some" => Expr::Some(self.next(list)?),
            "unwrap" => Expr::Unwrap(self.next(list)?),
            "var" => {
                let var = find(&p.names.vars, list.next("a variable")?, "a variable")?;
                Expr::Var(VarId(var), self.next(list)?)
            }
            "frozen" => {
                let what = "a frozen variable";
                let frozen = find(&p.names.frozen_vars, list.next(what)?, what)?;
                Expr::Frozen(FrozenId(frozen), self.next(list)?)
            }
            "new" => {
                let record = p.record(list.next("a record")?)?;
                Expr::Record(record, all(list.rest(), |e| self.expr(e))?)
            }
            "field" => {
                let field = if list.len() == 3 {
                    self.named_field(list)?
                } else {
                    number(list.next("a field")?, "a record and its field")?
                };
                Expr::Field(self.next(list)?, field)
            }
            "index" => {
                let ty = p.ty(list.next("a type")?)?;
                Expr::Index(ty, self.next(list)?, self.next(list)?)
            }
            "fill" => Expr::Fill(p.ty(list.next("a type")?)?, self.next(list)?),
            "if" => Expr::If(self.next(list)?, self.next(list)?, self.next(list)?),
            "let" => {
                let local = self.next_local(list)?;
                Expr::Let(local, self.next(list)?, self.next(list)?)
            }
            "within" => Expr::Within(p.ty(list.next("a type")?)?, self.next(list)?),
            "set" => {
                let ty = p.ty(list.next("a type")?)?;
                Expr::Set(ty, all(list.rest(), |e| self.expr(e))?)
            }
            ".." => Expr::Range(self.next(list)?, self.next(list)?),
            "nodes" if list.len() == 0 => Expr::Nodes(None),
            "nodes" => Expr::Nodes(Some(p.kind(list.next("a kind")?)?)),
            "values" => Expr::Values(p.ty(list.next("a type")?)?),
            "neighbours" => Expr::Neighbours(self.next(list)?),
            "filter" => {
                let local = self.next_local(list)?;
                Expr::Filter(local, self.next(list)?, self.next(list)?)
            }
            "largest" | "smallest" => {
                let local = self.next_local(list)?;
                let domain = self.next(list)?;
                Expr::Extremum(head == "largest", local, domain, self.next(list)?)
            }
            "map" => {
                let map = find(&p.names.maps, list.next("a map")?, "a map")?;
                Expr::Map(MapId(map), self.next(list)?)
            }
            "fault" => {
                let what = "`off`, `mute`, `deaf` or `isolated`";
                let line = list.line();
                match meaning(&FAULTS, &list.atom(what)?.text) {
                    Some(fault) => Expr::HasFault(fault, self.next(list)?),
                    None => return expected(line, what),
                }
            }
            "inbox" => {
                let mut records = Vec::new();
                while list.len() > 1 || records.is_empty() {
                    records.push(p.record(list.next("a message")?)?);
                }
                Expr::Inbox(records, self.next(list)?)
            }
            "is" => Expr::IsRecord(p.record(list.next("a message")?)?, self.next(list)?),
            "senders" if list.len() == 1 => Expr::Senders(None, self.next(list)?),
            "senders" => {
                let record = p.record(list.next("a message")?)?;
                Expr::Senders(Some(record), self.next(list)?)
            }
            "timer-set" => {
                let timer = self.timer(list)?;
                let node = self.next(list)?;
                let other = if list.len() > 0 {
                    Some(self.next(list)?)
                } else {
                    None
                };
                Expr::TimerSet(timer, node, other)
            }
            "faultless" => Expr::Faultless(self.next(list)?),
            "now" => {
                let line = list.line();
                match meaning(&BINARY, &list.atom("a comparison")?.text) {
                    Some(op) => Expr::Now(op, number(list.next("a time")?, "a time")?),
                    None => return expected(line, "a comparison"),
                }
            }
            "overdue" => Expr::Overdue(ResponseId(number(list.next("a number")?, "a number")?)),
            "in-flight" => {
                let record = p.record(list.next("a message")?)?;
                Expr::InFlight(record, self.next(list)?, self.next(list)?)
            }
            _ => return expected(sexpr.line, format!("an expression, not `({head} …)`")),
        })
    }

    /// Parses a record type and the name of a field; returns the index of the field.
    fn named_field(&self, list: &mut Items) -> Result<u32, ParseError> {
        let record = self.parser.record(list.next("a record")?)?;
        let names = self.parser.names.fields.get(record.index());
        let names = names.map_or(&[][..], |names| names);
        find(names, list.next("a field")?, "a field of the record")
    }

    pub(crate) fn formula(&self, sexpr: &Sexpr) -> Result<Formula, ParseError> {
        let what = "a formula";
        if let Shape::Mark(mark, inner) = &sexpr.shape {
            return Ok(Formula::At(Origin(*mark), Box::new(self.formula(inner)?)));
        }
        let mut list = Items::of(sexpr, what)?;
        let head = list.atom(what)?.text.as_str();
        let list = &mut list;
        let next = |list: &mut Items| -> Result<Box<Formula>, ParseError> {
            Ok(Box::new(self.formula(list.next(what)?)?))
        };
        let formula = match head {
            "state" => Formula::State(*self.next(list)?),
            "not" => Formula::Not(next(list)?),
            "and" => Formula::And(next(list)?, next(list)?),
            "or" => Formula::Or(next(list)?, next(list)?),
            "implies" => Formula::Implies(next(list)?, next(list)?),
            "always" => Formula::Always(next(list)?),
            "eventually" => Formula::Eventually(next(list)?),
            "until" => Formula::Until(next(list)?, next(list)?),
            "leads-to" => Formula::LeadsTo(next(list)?, next(list)?),
            "all" | "exists" => {
                let local = self.next_local(list)?;
                let domain = *self.next(list)?;
                match head {
                    "all" => Formula::All(local, domain, next(list)?),
                    _ => Formula::Exists(local, domain, next(list)?),
                }
            }
            _ => return expected(sexpr.line, format!("a formula, not `({head} …)`")),
        };
        list.end()?;
        Ok(formula)
    }

    pub(crate) fn stmts(&self, items: &[Sexpr]) -> Result<Vec<Stmt>, ParseError> {
        all(items, |item| self.stmt(item))
    }

    fn stmt(&self, sexpr: &Sexpr) -> Result<Stmt, ParseError> {
        let what = "a statement";
        let (sexpr, origin) = unmarked(sexpr);
        let mut list = Items::of(sexpr, what)?;
        let head = list.atom(what)?.text.as_str();
        let list = &mut list;
        let kind = match head {
            ":=" => StmtKind::Assign(self.place(list.next("a place")?)?, *self.next(list)?),
            "if" => {
                let condition = *self.next(list)?;
                let then = self.branch(list)?;
                let otherwise = match list.len() {
                    0 => vec![],
                    _ => self.branch(list)?,
                };
                StmtKind::If(condition, then, otherwise)
            }
            "for" => {
                let local = self.next_local(list)?;
                let domain = *self.next(list)?;
                StmtKind::For(local, domain, self.stmts(list.rest())?)
            }
            "let" => StmtKind::Let(self.next_local(list)?, *self.next(list)?),
            "choose" => StmtKind::Choose(self.next_local(list)?, *self.next(list)?),
            "send" => StmtKind::Send(*self.next(list)?, *self.next(list)?),
            "assert" => StmtKind::Assert(*self.next(list)?),
            "clear-inbox" => StmtKind::ClearInbox,
            "halt" => StmtKind::Halt,
            "set-timer" => {
                let timer = self.timer(list)?;
                let (from, to) = (self.time_sum(list)?, self.time_sum(list)?);
                StmtKind::SetTimer(timer, self.maybe(list)?, from, to)
            }
            "cancel-timer" => StmtKind::CancelTimer(self.timer(list)?, self.maybe(list)?),
            _ => return expected(sexpr.line, format!("a statement, not `({head} …)`")),
        };
        list.end()?;
        Ok(Stmt { origin, kind })
    }

    fn timer(&self, list: &mut Items) -> Result<TimerId, ParseError> {
        find(&self.parser.names.timers, list.next("a timer")?, "a timer").map(TimerId)
    }

    /// Parses the next item as an expression; `None` if there is no further item.
    fn maybe(&self, list: &mut Items) -> Result<Option<Expr>, ParseError> {
        match list.len() {
            0 => Ok(None),
            _ => Ok(Some(*self.next(list)?)),
        }
    }

    fn time_sum(&self, list: &mut Items) -> Result<TimeSum, ParseError> {
        let Some(mut form) = list.form("time") else {
            return expected(list.line(), "`(time …)`");
        };
        let constant = number(form.next("a time")?, "a time")?;
        let terms = all(form.rest(), |item| {
            let mut item = Items::of(item, "a number and a time")?;
            let term = (
                *self.next(&mut item)?,
                number(item.next("a time")?, "a time")?,
            );
            item.end()?;
            Ok(term)
        })?;
        Ok(TimeSum { terms, constant })
    }

    fn branch(&self, list: &mut Items) -> Result<Vec<Stmt>, ParseError> {
        match list.form("do") {
            Some(mut form) => self.stmts(form.rest()),
            None => expected(list.line(), "`(do …)`"),
        }
    }

    fn place(&self, sexpr: &Sexpr) -> Result<Place, ParseError> {
        let var = |name| find(&self.parser.names.vars, name, "a variable").map(VarId);
        if let Shape::Atom(_) = sexpr.shape {
            return Ok(Place {
                var: var(sexpr)?,
                path: vec![],
            });
        }
        let mut list = Items::of(sexpr, "a place")?;
        let var = var(list.next("a variable")?)?;
        let mut path = Vec::new();
        while list.len() > 0 {
            if let Some(mut field) = list.form("field") {
                path.push(PlaceStep::Field(if field.len() == 2 {
                    self.named_field(&mut field)?
                } else {
                    number(field.next("a field")?, "a record and its field")?
                }));
                field.end()?;
            } else if let Some(mut index) = list.form("index") {
                let ty = self.parser.ty(index.next("a type")?)?;
                path.push(PlaceStep::Index(ty, *self.next(&mut index)?));
                index.end()?;
            } else if let Some(unwrap) = list.form("unwrap") {
                path.push(PlaceStep::Unwrap);
                unwrap.end()?;
            } else {
                return expected(list.line(), "`(field …)`, `(index …)` or `(unwrap)`");
            }
        }
        Ok(Place { var, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;
    use crate::text::parse::parse;

    #[test]
    fn words_are_read_as_what_they_are() {
        let text = r#"(initially (locals ("true" bool) (k (int 0 3)) (k.2 (int 0 3)))
            (and (= "true" true) (< k k.2)))"#;
        let machine = parse(text).expect("it is well formed");
        let condition = machine.initially[0].condition.to_owned();
        let Expr::Binary(_, left, right) = condition else {
            panic!("{condition:?}")
        };
        let Expr::Binary(_, local, constant) = *left else {
            panic!("{left:?}")
        };
        assert_eq!(*local, Expr::Local(LocalId(0)));
        assert_eq!(*constant, Expr::Const(Value::Bool(true)));
        assert_eq!(
            right.children(),
            [&Expr::Local(LocalId(1)), &Expr::Local(LocalId(2))]
        );
    }
}
