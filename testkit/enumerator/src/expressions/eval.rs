//! Evaluation of expressions in a state.

use crate::instance::data::Instance;
use crate::instance::fault::Fault;
use crate::instance::scope::Scope;
use crate::instance::state::{Mode, State};
use crate::instance::value::{Res, Value, error, refuse};
use std::rc::Rc;
use syntax::ast::{BinaryOp, Expr, ExprKind, FieldInit, MatchArm, UnaryOp};

impl Instance<'_> {
    /// The value of a condition. Names that `is` binds stay in the scope, for operands to the right and for the block
    /// under the condition; the caller removes them.
    pub fn condition(&self, e: &Expr, state: &State, scope: &mut Scope) -> Res<bool> {
        match &e.kind {
            ExprKind::Paren(inner) => self.condition(inner, state, scope),
            ExprKind::Binary(BinaryOp::And, a, b) => {
                Ok(self.condition(a, state, scope)? && self.condition(b, state, scope)?)
            }
            ExprKind::Is(timer, name)
                if name.text == "set" && self.is_set(timer, state, scope)?.is_some() =>
            {
                Ok(self.is_set(timer, state, scope)? == Some(true))
            }
            ExprKind::Is(option, name) => {
                let value = self.eval(option, state, scope)?;
                if self.record(&name.text).is_some() {
                    return Ok(matches!(value, Value::Record(of, _) if *of == *name.text));
                }
                let there = value != Value::None;
                if there {
                    scope.bind(&name.text, value);
                }
                Ok(there)
            }
            _ => self.eval(e, state, scope)?.bool(),
        }
    }

    /// The value of an expression. Names that it binds are removed from the scope.
    pub fn eval(&self, e: &Expr, state: &State, scope: &mut Scope) -> Res<Value> {
        let mark = scope.locals.len();
        let value = self.eval_inside(e, state, scope);
        scope.back_to(mark);
        value
    }

    fn eval_inside(&self, e: &Expr, state: &State, scope: &mut Scope) -> Res<Value> {
        match &e.kind {
            ExprKind::Number {
                numerator,
                denominator: 1,
                unit: None,
            } => Ok(Value::Int(*numerator)),
            ExprKind::Number {
                numerator,
                denominator,
                unit: Some(unit),
            } if numerator * unit.nanoseconds() % denominator == 0 => {
                Ok(Value::Int(numerator * unit.nanoseconds() / denominator))
            }
            ExprKind::Number { .. } => refuse("a fraction"),
            ExprKind::Bool(b) => Ok(Value::Bool(*b)),
            ExprKind::None => Ok(Value::None),
            ExprKind::SelfNode => self.own(scope, "self").map(Value::Node),
            ExprKind::Any(_) => refuse("`any` other than as an initial value"),
            ExprKind::Name(name) => self.name(&name.text, state, scope),
            ExprKind::Field(base, name) => self.field(base, &name.text, state, scope),
            ExprKind::Index(base, index) => {
                let base = self.eval(base, state, scope)?;
                let index = self.eval(index, state, scope)?.element();
                match base {
                    Value::Array(array) => match array.get(&index) {
                        Some(value) => Ok(value.clone()),
                        None => error("an index outside of its array"),
                    },
                    Value::None => error("none used as an array"),
                    other => refuse(format!("an index of {}", other.what())),
                }
            }
            ExprKind::Call(name, arguments) => self.call(&name.text, arguments, state, scope),
            ExprKind::MethodCall(_, name, _) => refuse(format!("`.{}(…)`", name.text)),
            ExprKind::Unary(UnaryOp::Not, a) => {
                Ok(Value::Bool(!self.eval(a, state, scope)?.bool()?))
            }
            ExprKind::Unary(UnaryOp::Neg, a) => Ok(Value::Int(-self.eval(a, state, scope)?.int()?)),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, e, state, scope),
            ExprKind::Range(low, high) => {
                let low = self.eval(low, state, scope)?.int()?;
                let high = self.eval(high, state, scope)?.int()?;
                if high - low > 1 << 20 {
                    return refuse("a range with too many values");
                }
                Ok(Value::Set((low..=high).map(Value::Int).collect()))
            }
            ExprKind::PlusMinus { .. } => refuse("`±`"),
            ExprKind::If(condition, a, b) => {
                let mark = scope.locals.len();
                if self.condition(condition, state, scope)? {
                    self.eval(a, state, scope)
                } else {
                    scope.back_to(mark);
                    self.eval(b, state, scope)
                }
            }
            ExprKind::Match(subject, arms) => {
                let subject = self.eval(subject, state, scope)?;
                let arm = self.arm(&subject, arms, state, scope)?;
                self.eval(&arm.result, state, scope)
            }
            ExprKind::Set(elements) => {
                let mut set = std::collections::BTreeSet::new();
                for element in elements {
                    set.insert(self.eval(element, state, scope)?.element());
                }
                Ok(Value::Set(set))
            }
            ExprKind::Filter {
                var,
                domain,
                condition,
            } => self.filter(&var.text, domain, condition, state, scope),
            ExprKind::Struct(name, fields) => self.build(&name.text, fields, state, scope),
            ExprKind::Quantifier {
                kind,
                vars,
                domain,
                body,
            } => self.quantifier(*kind, vars, domain, body, state, scope),
            ExprKind::Extremum {
                largest,
                var,
                domain,
                by,
            } => self.extremum(*largest, &var.text, domain, by, state, scope),
            ExprKind::Is(..) => Ok(Value::Bool(self.condition(e, state, scope)?)),
            ExprKind::Temporal(..) | ExprKind::Until(..) | ExprKind::LeadsTo(..) => {
                refuse("a temporal operator")
            }
            ExprKind::Paren(inner) => self.eval(inner, state, scope),
            ExprKind::Error => refuse("an expression that could not be read"),
        }
    }

    fn own(&self, scope: &Scope, word: &str) -> Res<usize> {
        match scope.me {
            Some(me) => Ok(me),
            None => refuse(format!("`{word}` outside of the code of a node")),
        }
    }

    fn name(&self, name: &str, state: &State, scope: &mut Scope) -> Res<Value> {
        if let Some(value) = scope.local(name) {
            return Ok(value.clone());
        }
        if let Some(me) = scope.me
            && let Some(value) = self.part_of_node(me, name, state)?
        {
            return Ok(value);
        }
        if let Some((_, value)) = self.params.iter().find(|(n, _)| *n == name) {
            return Ok(value.clone());
        }
        if let Some(found) = self.lets.iter().find(|l| l.name.text == name) {
            return self.eval(&found.value, state, &mut Scope::default());
        }
        if let Some(value) = self.enum_value(name)? {
            return Ok(value);
        }
        if let Some(kind) = self.kinds.iter().position(|k| k.name == name) {
            let nodes = self.nodes_of(kind);
            return Ok(match nodes[..] {
                [one] => Value::Lone(one),
                _ => Value::Set(nodes.into_iter().map(Value::Node).collect()),
            });
        }
        if self.record(name).is_some() {
            return self.build(name, &[], state, scope);
        }
        if let Some(e) = self.enums.iter().find(|e| e.name.text == name) {
            let of: Rc<str> = name.into();
            let values = (0..e.values.len()).map(|i| Value::Enum(of.clone(), i));
            return Ok(Value::Set(values.collect()));
        }
        let n = self.size();
        match name {
            "Node" => Ok(Value::Set((0..n).map(Value::Node).collect())),
            "neighbours" => {
                let me = self.own(scope, name)?;
                let nodes = self.neighbours(me).into_iter().map(Value::Node);
                Ok(Value::Set(nodes.collect()))
            }
            // A message can be lost or repeated only if it can be delivered, so faults of messages need no separate
            // check.
            "quiescent" if scope.me.is_none() => Ok(Value::Bool(self.is_quiescent(state)?)),
            "now" => refuse("`now` other than compared with a constant, in a claim"),
            "inbox" => {
                let me = self.own(scope, name)?;
                let entries = state.nodes.get(me).map_or(&[][..], |n| &n.inbox);
                let messages = entries.iter().map(|(_, message)| message.clone());
                Ok(Value::Set(messages.collect()))
            }
            "next" | "previous" if self.ring => {
                let me = self.own(scope, name)?;
                let step = if name == "next" { 1 } else { n - 1 };
                Ok(Value::Node((me + step) % n))
            }
            "next" | "previous" => refuse(format!("`{name}` where there is no ring")),
            _ => refuse(format!("the name `{name}`")),
        }
    }

    fn enum_value(&self, name: &str) -> Res<Option<Value>> {
        let mut found = None;
        for e in &self.enums {
            if let Some(place) = e.values.iter().position(|v| v.text == name) {
                if found.is_some() {
                    return refuse(format!("`{name}`, a value of two enums"));
                }
                found = Some(Value::Enum(e.name.text.as_str().into(), place));
            }
        }
        Ok(found)
    }

    /// The value of a variable or constant of a node; `None` if the node has none with this name.
    fn part_of_node(&self, node: usize, name: &str, state: &State) -> Res<Option<Value>> {
        let kind = self.kind(node);
        if let Some(place) = kind.var(name) {
            return match state.nodes.get(node).and_then(|n| n.vars.get(place)) {
                None | Some(Value::Unset) => refuse(format!(
                    "`{name}` is read where it has no value (a ghost in code, or a later variable)"
                )),
                Some(value) => Ok(Some(value.clone())),
            };
        }
        let Some(place) = kind.constant(name) else {
            return Ok(None);
        };
        match self.constants.get(node).and_then(|c| c.get(place)) {
            Some(value) => Ok(Some(value.clone())),
            None => refuse(format!(
                "the constant `{name}` is read before it has a value"
            )),
        }
    }

    fn field(&self, base: &Expr, name: &str, state: &State, scope: &mut Scope) -> Res<Value> {
        if let ExprKind::Name(of) = &base.kind
            && let Some(e) = self.enums.iter().find(|e| e.name.text == of.text)
            && let Some(place) = e.values.iter().position(|v| v.text == name)
        {
            return Ok(Value::Enum(of.text.as_str().into(), place));
        }
        match self.eval(base, state, scope)? {
            Value::None => error(format!("none has no `.{name}`")),
            Value::Node(node) | Value::Lone(node) => {
                if let Some(value) = self.part_of_node(node, name, state)? {
                    return Ok(value);
                }
                match (name, state.nodes.get(node)) {
                    ("halted", Some(n)) => Ok(Value::Bool(n.mode == Mode::Halted)),
                    ("off", Some(_)) => Ok(Value::Bool(self.fault(node) == Some(Fault::Off))),
                    ("mute", Some(_)) => Ok(Value::Bool(self.fault(node) == Some(Fault::Mute))),
                    ("deaf", Some(_)) => Ok(Value::Bool(self.fault(node) == Some(Fault::Deaf))),
                    ("isolated", Some(_)) => {
                        Ok(Value::Bool(self.fault(node) == Some(Fault::Isolated)))
                    }
                    ("crashed", Some(n)) => Ok(Value::Bool(n.mode == Mode::Crashed)),
                    ("stopped", Some(n)) => Ok(Value::Bool(matches!(n.mode, Mode::Stopped(_)))),
                    ("faultless", Some(n)) if self.ghosts => {
                        let faultless = self.fault(node).is_none() && n.faulted.is_empty();
                        Ok(Value::Bool(faultless))
                    }
                    ("neighbours", _) => {
                        let nodes = self.neighbours(node).into_iter().map(Value::Node);
                        Ok(Value::Set(nodes.collect()))
                    }
                    _ => refuse(format!("`.{name}` of a node")),
                }
            }
            Value::Record(of, fields) => {
                let record = self.record(&of);
                let place = record.and_then(|r| r.fields.iter().position(|f| f.name.text == name));
                match place {
                    Some(place) => Ok(fields[place].clone()),
                    None => refuse(format!("`{of}` has no field `{name}`")),
                }
            }
            other => refuse(format!("`.{name}` of {}", other.what())),
        }
    }

    fn build(
        &self,
        name: &str,
        given: &[FieldInit],
        state: &State,
        scope: &mut Scope,
    ) -> Res<Value> {
        let Some(record) = self.record(name) else {
            return refuse(format!("there is no struct or message `{name}`"));
        };
        let mut values = vec![Value::Unset; record.fields.len()];
        for init in given {
            let place = record
                .fields
                .iter()
                .position(|f| f.name.text == init.name.text);
            let Some(place) = place else {
                return refuse(format!("`{name}` has no field `{}`", init.name.text));
            };
            let value = self.eval(&init.value, state, scope)?;
            values[place] = self.conform(value, &record.fields[place].ty, state, scope)?;
        }
        if values.contains(&Value::Unset) {
            return refuse(format!("a `{name}` without all its fields"));
        }
        Ok(Value::Record(name.into(), values))
    }

    /// The first arm that matches a value. A pattern that is a new name is bound to the value.
    pub fn arm<'e, T>(
        &self,
        subject: &Value,
        arms: &'e [MatchArm<T>],
        state: &State,
        scope: &mut Scope,
    ) -> Res<&'e MatchArm<T>> {
        for arm in arms {
            let Some(pattern) = &arm.pattern else {
                return Ok(arm);
            };
            if let ExprKind::Name(name) = &pattern.kind
                && !self.names_a_value(&name.text)?
            {
                // A new name does not match `none`.
                if *subject != Value::None {
                    scope.bind(&name.text, subject.clone());
                    return Ok(arm);
                }
            } else if self.is_for(pattern, subject, state, scope)? {
                return Ok(arm);
            }
        }
        refuse("a `match` in which no arm fits")
    }

    /// Whether a name in a pattern denotes a value, so that it is not a new name.
    pub fn names_a_value(&self, name: &str) -> Res<bool> {
        Ok(self.enum_value(name)?.is_some()
            || self.record(name).is_some()
            || self.params.iter().any(|(n, _)| *n == name)
            || self.lets.iter().any(|l| l.name.text == name)
            || self.kinds.iter().any(|k| k.name == name))
    }

    /// Whether a pattern that binds no name matches a value.
    fn is_for(
        &self,
        pattern: &Expr,
        subject: &Value,
        state: &State,
        scope: &mut Scope,
    ) -> Res<bool> {
        match &pattern.kind {
            ExprKind::Paren(inner) => self.is_for(inner, subject, state, scope),
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                Ok(self.is_for(a, subject, state, scope)?
                    || self.is_for(b, subject, state, scope)?)
            }
            ExprKind::Range(..) => {
                let range = self.eval(pattern, state, scope)?.set()?;
                Ok(range.contains(subject))
            }
            ExprKind::Name(name) if self.record(&name.text).is_some() => {
                Ok(matches!(subject, Value::Record(of, _) if **of == *name.text))
            }
            _ => subject.same(&self.eval(pattern, state, scope)?),
        }
    }
}
