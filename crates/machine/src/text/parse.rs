//! Parser of the text form: declarations, types and values.
//!
//! Declarations may come in any order, because the parser collects their names first. The result need not be well
//! formed; see [`verify`](crate::verify()).

use crate::text::items::{Items, all, atom, declare, find, is_word, node, number, unmarked};
use crate::text::names;
use crate::text::names::Names;
use crate::text::parse_code::Within;
use crate::text::parse_environment;
use crate::text::print::usual_scope;
use crate::text::sexpr;
use crate::text::sexpr::{ParseError, Sexpr, Shape, expected};
use crate::{
    Abstraction, Block, ClassId, Counter, Digitisation, Effect, Enum, EnumId, FrozenVar, Init,
    Kind, KindId, Local, Machine, Map, MessageFault, Order, Origin, Predicate, Property,
    PropertyKind, Record, RecordId, Response, Scope, Timer, TimerId, Trigger, Type, Value, Var,
};

/// Parses a Machine from its text form.
pub fn parse(text: &str) -> Result<Machine, ParseError> {
    parse_items(&sexpr::read(text)?)
}

/// Parses the declarations of a Machine.
pub(crate) fn parse_items(items: &[Sexpr]) -> Result<Machine, ParseError> {
    let parser = Parser {
        names: gather(items)?,
    };
    let mut machine = Machine::default();
    for item in items {
        parser.item(&mut machine, item)?;
    }
    Ok(machine)
}

/// Parses a value that uses the names of a Machine.
pub fn parse_value(machine: &Machine, text: &str) -> Result<Value, ParseError> {
    let parser = Parser {
        names: Names::of(machine),
    };
    match sexpr::read(text)?.as_slice() {
        [value] => parser.value(value),
        _ => expected(1, "one value"),
    }
}

/// Collects the names of all declarations.
fn gather(items: &[Sexpr]) -> Result<Names, ParseError> {
    let mut names = Names::default();
    for item in items {
        let mut list = Items::of(unmarked(item).0, "a declaration")?;
        let head = list.atom("the word for a declaration")?;
        match head.text.as_str() {
            "enum" => {
                declare(&mut names.enums, list.next("a name")?, "a name")?;
                let mut values = Vec::new();
                for value in list.rest() {
                    declare(&mut values, value, "a name")?;
                }
                names.enum_values.push(values);
            }
            "counter" => declare(&mut names.counters, list.next("a name")?, "a name")?,
            "message" | "struct" => {
                declare(&mut names.records, list.next("a name")?, "a name")?;
                let mut fields = Vec::new();
                for field in list.rest() {
                    let mut field = Items::of(field, "a field")?;
                    declare(&mut fields, field.next("a name")?, "a name")?;
                }
                names.fields.push(fields);
            }
            "kind" => declare(&mut names.kinds, list.next("a name")?, "a name")?,
            "map" => declare(&mut names.maps, list.next("a name")?, "a name")?,
            "frozen" | "var" | "persistent" | "ghost" | "persistent-ghost" | "block" | "timer" => {
                list.next("a kind")?;
                let list_of_names = match head.text.as_str() {
                    "frozen" => &mut names.frozen_vars,
                    "block" => &mut names.blocks,
                    "timer" => &mut names.timers,
                    _ => &mut names.vars,
                };
                declare(list_of_names, list.next("a name")?, "a name")?;
            }
            _ => {}
        }
    }
    Ok(names)
}

/// A parser that knows the names of all declarations.
pub(crate) struct Parser {
    pub(crate) names: Names,
}

impl Parser {
    fn item(&self, machine: &mut Machine, item: &Sexpr) -> Result<(), ParseError> {
        let (item, origin) = unmarked(item);
        let mut list = Items::of(item, "a declaration")?;
        let head = list.atom("the word for a declaration")?;
        match head.text.as_str() {
            "ids" => machine.ids = number(list.next("a number")?, "a number")?,
            "enum" => machine.enums.push(Enum {
                name: list.atom("a name")?.text.clone(),
                values: texts(list.rest())?,
            }),
            "counter" => machine.counters.push(Counter {
                name: list.atom("a name")?.text.clone(),
                window: match list.rest() {
                    [] => None,
                    [lo, hi] => Some((number(lo, "a number")?, number(hi, "a number")?)),
                    _ => return expected(item.line, "two numbers"),
                },
            }),
            "message" | "struct" => machine.records.push(Record {
                name: list.atom("a name")?.text.clone(),
                fields: self.typed_names(list.rest())?,
                message: head.text == "message",
            }),
            "kind" => machine.kinds.push(Kind {
                name: list.atom("a name")?.text.clone(),
                count: number(list.next("a number of nodes")?, "a number of nodes")?,
                ignores: match list.form("ignores") {
                    Some(mut ignored) => all(ignored.rest(), |r| self.record(r))?,
                    None => vec![],
                },
            }),
            "map" => machine.maps.push(Map {
                name: list.atom("a name")?.text.clone(),
                to: all(list.rest(), node)?,
            }),
            "edges" => {
                for edge in list.rest() {
                    let mut edge = Items::of(edge, "an edge")?;
                    let from = node(edge.next("a node")?)?;
                    machine.edges.push((from, node(edge.next("a node")?)?));
                    edge.end()?;
                }
            }
            "channel" => machine.channel = parse_environment::channel(&mut list)?,
            "inbox" => machine.inbox = parse_environment::inbox(&mut list)?,
            "faulty" => machine.node_faults.push(self.node_fault(&mut list)?),
            "delay" => machine.delay = parse_environment::delay(&mut list)?,
            "runtime-fault" => machine.runtime_faults.push(self.runtime_fault(&mut list)?),
            "timer" => machine.timers.push(Timer {
                kind: self.kind(list.next("a kind")?)?,
                name: list.atom("a name")?.text.clone(),
                per_node: list.len() > 0 && is_word(list.next("`per-node`")?, "per-node"),
                origin,
            }),
            "response" => {
                let (scope, within) = self.scope(&mut list, Scope::default)?;
                machine.responses.push(Response {
                    scope,
                    from: within.expr(list.next("a condition")?)?,
                    to: within.expr(list.next("a condition")?)?,
                    within: number(list.next("a time")?, "a time")?,
                });
            }
            "order" => machine.abstraction = self.abstraction(&mut list)?,
            "digitisation" => {
                machine.abstraction = Abstraction::Digitised(Digitisation {
                    unit: number(list.next("a time")?, "a time")?,
                    horizon: number(list.next("a number")?, "a number")?,
                });
            }
            "lose" => machine.faults.push(self.fault(&mut list, Effect::Lose)?),
            "repeat" => machine.faults.push(self.fault(&mut list, Effect::Repeat)?),
            "frozen" => machine.frozen_vars.push(FrozenVar {
                kind: self.kind(list.next("a kind")?)?,
                name: list.atom("a name")?.text.clone(),
                ty: self.ty(list.next("a type")?)?,
                order: self.order(&mut list)?,
                origin,
            }),
            "var" | "persistent" | "ghost" | "persistent-ghost" => machine.vars.push(Var {
                kind: self.kind(list.next("a kind")?)?,
                name: list.atom("a name")?.text.clone(),
                ty: self.ty(list.next("a type")?)?,
                init: self.init(&mut list)?,
                ghost: head.text.ends_with("ghost"),
                persistent: head.text.starts_with("persistent"),
                origin,
            }),
            "block" => machine.blocks.push(self.block(&mut list, origin)?),
            "initially" => {
                let (scope, within) = self.scope(&mut list, Scope::default)?;
                let condition = within.expr(list.next("a condition")?)?;
                machine.initially.push(Predicate { scope, condition });
            }
            "claim" | "possible" => {
                let name = list.atom("a name")?.text.clone();
                let (scope, within) = self.scope(&mut list, Scope::default)?;
                let kind = if head.text == "claim" {
                    PropertyKind::Claim(within.formula(list.next("a formula")?)?)
                } else {
                    PropertyKind::Possible(within.expr(list.next("a condition")?)?)
                };
                machine.properties.push(Property { name, scope, kind });
            }
            other => return expected(item.line, format!("a declaration, not `{other}`")),
        }
        list.end()
    }

    fn typed_names(&self, items: &[Sexpr]) -> Result<Vec<(String, Type)>, ParseError> {
        all(items, |item| {
            let mut item = Items::of(item, "a name with its type")?;
            let name = item.atom("a name")?.text.clone();
            let ty = self.ty(item.next("a type")?)?;
            item.end()?;
            Ok((name, ty))
        })
    }

    fn fault(&self, list: &mut Items, effect: Effect) -> Result<MessageFault, ParseError> {
        let mut fault = MessageFault {
            effect,
            limit: None,
            of: None,
        };
        while list.len() > 0 {
            let line = list.line();
            match list.atom("`at-most` or `of`")?.text.as_str() {
                "at-most" => fault.limit = Some(number(list.next("a number")?, "a number")?),
                "of" => fault.of = Some(self.record(list.next("a message")?)?),
                _ => return expected(line, "`at-most` or `of`"),
            }
        }
        Ok(fault)
    }

    fn order(&self, list: &mut Items) -> Result<Order, ParseError> {
        let what = "`every`, `arrangement` or `(given …)`";
        if let Some(mut given) = list.form("given") {
            return Ok(Order::Given(all(given.rest(), |v| self.value(v))?));
        }
        let line = list.line();
        match list.atom(what)?.text.as_str() {
            "every" => Ok(Order::Every),
            "arrangement" => Ok(Order::Arrangement),
            _ => expected(line, what),
        }
    }

    fn init(&self, list: &mut Items) -> Result<Init, ParseError> {
        let what = "`any`, `(any-in …)` or `(is …)`";
        for head in ["any-in", "is"] {
            if let Some(mut form) = list.form(head) {
                let (scope, within) = self.scope(&mut form, Scope::of_node)?;
                let expr = within.expr(form.next("an expression")?)?;
                form.end()?;
                return Ok(match head {
                    "is" => Init::Value(scope, expr),
                    _ => Init::AnyIn(scope, expr),
                });
            }
        }
        match list.next(what)? {
            any if is_word(any, "any") => Ok(Init::Any),
            other => expected(other.line, what),
        }
    }

    fn block(&self, list: &mut Items, origin: Origin) -> Result<Block, ParseError> {
        let what = "`start`, `(on …)`, `(when …)` or `(every any)`";
        let kind = self.kind(list.next("a kind")?)?;
        let name = list.atom("a name")?.text.clone();
        // The guard is parsed last. It uses the scope, which follows the guard in the text and whose default depends on
        // the trigger.
        let mut guard = None;
        let mut per_node = false;
        let mut trigger = if let Some(mut on) = list.form("on") {
            let record = self.record(on.next("a message")?)?;
            if on.len() > 0 {
                guard = Some(on.next("a guard")?);
            }
            on.end()?;
            Trigger::On(record, None)
        } else if let Some(mut when) = list.form("when") {
            guard = Some(when.next("a guard")?);
            when.end()?;
            Trigger::When(crate::Expr::bool(true))
        } else if let Some(mut every) = list.form("every") {
            let timing = parse_environment::timing(&mut every)?;
            every.end()?;
            Trigger::Every(timing)
        } else if let Some(mut timer) = list.form("timer") {
            let name = timer.next("a timer")?;
            let id = TimerId(find(&self.names.timers, name, "a timer")?);
            per_node = timer.len() > 0 && is_word(timer.next("`per-node`")?, "per-node");
            timer.end()?;
            Trigger::Timer(id)
        } else {
            match list.next(what)? {
                start if is_word(start, "start") => Trigger::Start,
                other => return expected(other.line, what),
            }
        };
        let (scope, within) = self.scope(list, || usual_scope(&trigger, per_node))?;
        match (&mut trigger, guard) {
            (Trigger::On(_, place), Some(guard)) => *place = Some(within.expr(guard)?),
            (Trigger::When(place), Some(guard)) => *place = within.expr(guard)?,
            _ => {}
        }
        let body = within.stmts(list.rest())?;
        Ok(Block {
            name,
            kind,
            trigger,
            scope,
            body,
            origin,
        })
    }

    /// Parses the locals if the list declares them; otherwise returns the default ones.
    fn scope(
        &self,
        list: &mut Items,
        usual: impl Fn() -> Scope,
    ) -> Result<(Scope, Within<'_>), ParseError> {
        let (scope, locals) = match list.form("locals") {
            None => {
                let scope = usual();
                let names = names::locals(&scope);
                (scope, names)
            }
            Some(mut form) => {
                let items = form.rest();
                let mut names = Vec::new();
                for item in items {
                    let mut item = Items::of(item, "a name with its type")?;
                    declare(&mut names, item.next("a name")?, "a name")?;
                }
                let locals = self.typed_names(items)?.into_iter();
                let locals = locals.map(|(name, ty)| Local { name, ty }).collect();
                (Scope { locals }, names)
            }
        };
        let parser = self;
        Ok((scope, Within { parser, locals }))
    }

    pub(crate) fn kind(&self, sexpr: &Sexpr) -> Result<KindId, ParseError> {
        find(&self.names.kinds, sexpr, "a kind").map(KindId)
    }

    pub(crate) fn record(&self, sexpr: &Sexpr) -> Result<RecordId, ParseError> {
        find(&self.names.records, sexpr, "a message or struct").map(RecordId)
    }

    pub(crate) fn ty(&self, sexpr: &Sexpr) -> Result<Type, ParseError> {
        let what = "a type";
        if let Shape::Atom(atom) = &sexpr.shape {
            return match atom.text.as_str() {
                "bool" => Ok(Type::Bool),
                "id" => Ok(Type::Id),
                "node" => Ok(Type::Node),
                _ => expected(sexpr.line, what),
            };
        }
        let mut list = Items::of(sexpr, what)?;
        let ty = match list.atom(what)?.text.as_str() {
            "int" => {
                let lo = number(list.next("a number")?, "a number")?;
                Type::Int(lo, number(list.next("a number")?, "a number")?)
            }
            "counter" => {
                let name = list.next("a class of counters")?;
                let class = find(&self.names.counters, name, "a class of counters")?;
                Type::Counter(ClassId(class))
            }
            "enum" => {
                let name = list.next("an enum")?;
                Type::Enum(EnumId(find(&self.names.enums, name, "an enum")?))
            }
            "record" => Type::Record(self.record(list.next("a record")?)?),
            "one-of" => Type::OneOf(all(list.rest(), |r| self.record(r))?),
            "option" => self.ty(list.next(what)?)?.option(),
            "set" => self.ty(list.next(what)?)?.set(),
            "array" => {
                let index = self.ty(list.next(what)?)?;
                Type::Array(Box::new(index), Box::new(self.ty(list.next(what)?)?))
            }
            _ => return expected(sexpr.line, what),
        };
        list.end()?;
        Ok(ty)
    }

    pub(crate) fn value(&self, sexpr: &Sexpr) -> Result<Value, ParseError> {
        let what = "a value";
        if let Shape::Atom(atom) = &sexpr.shape {
            return match atom.text.as_str() {
                "true" => Ok(Value::Bool(true)),
                "false" => Ok(Value::Bool(false)),
                "none" => Ok(Value::None),
                _ => number(sexpr, what).map(Value::Int),
            };
        }
        let mut list = Items::of(sexpr, what)?;
        let values = |list: &mut Items| all(list.rest(), |v| self.value(v));
        let value = match list.atom(what)?.text.as_str() {
            "id" => Value::Id(number(list.next("a number")?, "a number")?),
            "node" => Value::Node(node(list.next("a node")?)?),
            "name" => {
                let e = find(&self.names.enums, list.next("an enum")?, "an enum")?;
                let names = self.names.enum_values.get(e as usize);
                let names = names.map_or(&[][..], |names| names);
                let value = list.next("a name")?;
                Value::Enum(EnumId(e), find(names, value, "a name of the enum")?)
            }
            "new" => Value::Record(self.record(list.next("a record")?)?, values(&mut list)?),
            "some" => Value::some(self.value(list.next(what)?)?),
            "set" => Value::Set(values(&mut list)?.into_iter().collect()),
            "array" => Value::Array(values(&mut list)?),
            _ => return expected(sexpr.line, what),
        };
        list.end()?;
        Ok(value)
    }
}

fn texts(items: &[Sexpr]) -> Result<Vec<String>, ParseError> {
    all(items, |item| Ok(atom(item, "a name")?.text.clone()))
}
