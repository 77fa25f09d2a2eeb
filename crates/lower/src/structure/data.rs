//! Data: types, compound values, and targets of assignments.

use crate::context::lowering::{Lowering, Slot};
use crate::context::names::Names;
use machine::{Enum, Expr as M, MOST_PARTS, Record, Type, Value};
use model::{Constant, Domain, Index, KindId, Model, RecordId};
use source::{Diagnostic, Span, codes};

/// Maximum number of elements of an array. Every state holds all elements.
const MOST_PLACES: i64 = 10_000;

impl Lowering<'_> {
    pub(crate) fn types(&mut self) {
        if uses_ids(self.model) {
            self.machine.ids = self.machine.node_count() + self.instance.strangers;
        }
        for e in &self.model.enums {
            self.machine.enums.push(Enum {
                name: e.name.clone(),
                values: e.values.clone(),
            });
        }
        self.records();
        self.record_sizes();
    }

    /// Reports the first message or struct whose values have too many parts.
    fn record_sizes(&mut self) {
        let messages = self.model.messages.iter().map(|m| (&m.name, m.span));
        let structs = self.model.structs.iter().map(|s| (&s.name, s.span));
        for (index, (name, span)) in messages.chain(structs).enumerate() {
            let ty = Type::Record(machine::RecordId(index as u32));
            if self.machine.width(&ty) > MOST_PARTS {
                let text = format!("a value of `{name}` has more than {MOST_PARTS} parts");
                self.slots.parts = u128::MAX;
                return self.too_many_parts(span, text);
            }
        }
    }

    /// Adds the parts of a variable, in all nodes of a kind, to the number of parts of a state. Reports too many parts.
    pub(crate) fn add_parts(&mut self, kind: KindId, ty: &Type, span: Span) {
        // After an error a kind may be missing.
        let Some(count) = self.machine.kinds.get(kind.index()).map(|kind| kind.count) else {
            return;
        };
        let parts = self.machine.width(ty).saturating_mul(u128::from(count));
        let before = self.slots.parts;
        self.slots.parts = self.slots.parts.saturating_add(parts);
        if self.slots.parts > MOST_PARTS && before <= MOST_PARTS {
            let text = format!("with this variable a state has {} parts", self.slots.parts);
            self.too_many_parts(span, text);
        }
    }

    fn too_many_parts(&mut self, span: Span, text: String) {
        self.report(
            Diagnostic::error(codes::NUMBER_TOO_LARGE, span, text).note(format!(
                "every state holds all of them: a check can go through few, never more than {MOST_PARTS}; choose fewer nodes or smaller ranges"
            )),
        );
    }

    /// Adds the records of the Machine: first the messages, then the structs.
    pub(crate) fn records(&mut self) {
        let model = self.model;
        let messages = model.messages.iter().map(|m| (&m.name, &m.fields, true));
        let structs = model.structs.iter().map(|s| (&s.name, &s.fields, false));
        for (name, fields, message) in messages.chain(structs) {
            let fields = fields.iter().map(|f| (f.name.clone(), self.ty(&f.domain)));
            let fields = fields.collect();
            self.machine.records.push(Record {
                name: name.clone(),
                fields,
                message,
            });
        }
    }

    /// The record of the Machine for a message or struct.
    pub(crate) fn record(&self, record: RecordId) -> machine::RecordId {
        let messages = self.model.messages.len() as u32;
        machine::RecordId(match record {
            RecordId::Message(id) => id.0,
            RecordId::Struct(id) => messages + id.0,
        })
    }

    /// The type of a declared domain, for the parameter values of the instance.
    pub(crate) fn ty(&mut self, domain: &Domain) -> Type {
        match domain {
            Domain::Bool => Type::Bool,
            Domain::Range(low, high) => {
                let span = low.span.to(high.span);
                match (self.number(low), self.number(high)) {
                    (Some(low), Some(high)) if low <= high => Type::Int(low, high),
                    (Some(low), Some(high)) => {
                        self.report(Diagnostic::error(
                            codes::EMPTY_RANGE,
                            span,
                            format!(
                                "with these parameters the range is {low}..{high}, which is empty"
                            ),
                        ));
                        Type::Int(0, 0)
                    }
                    _ => Type::Int(0, 0),
                }
            }
            Domain::Enum(e) => Type::Enum(machine::EnumId(e.0)),
            Domain::Id => Type::Id,
            Domain::Counter => self.counter_type(),
            Domain::Node => Type::Node,
            Domain::Option(inner) => self.ty(inner).option(),
            Domain::Set(inner) => self.ty(inner).set(),
            Domain::Message(id) => Type::Record(self.record(RecordId::Message(*id))),
            Domain::Struct(id) => Type::Record(self.record(RecordId::Struct(*id))),
            Domain::Array(index, inner) => {
                let index = self.index_type(*index);
                Type::Array(Box::new(index), Box::new(self.ty(inner)))
            }
            Domain::Integer | Domain::Duration | Domain::Error => {
                unreachable!("not a domain of a stored value")
            }
        }
    }

    /// The index type of an array; reports too many elements.
    pub(crate) fn index_type(&mut self, index: Index) -> Type {
        let model = self.model;
        let range = match index {
            Index::Nodes => return Type::Node,
            Index::Enum(e) => return Type::Enum(machine::EnumId(e.0)),
            Index::Range(id) => &model.range(id).domain,
        };
        let ty = self.ty(range);
        if let (Domain::Range(low, high), Type::Int(first, last)) = (range, &ty)
            && last.saturating_sub(*first) >= MOST_PLACES
        {
            let places = last.saturating_sub(*first).saturating_add(1);
            let text = format!("an array over this range has {places} places, which is too many");
            let span = low.span.to(high.span);
            self.report(
                Diagnostic::error(codes::NUMBER_TOO_LARGE, span, text).note(format!(
                    "every state holds all of them: a check can go through few, never more than {MOST_PLACES}"
                )),
            );
            return Type::Int(*first, *first);
        }
        ty
    }

    /// The element type for an empty option or set. The bounds of integers in it do not matter.
    pub(crate) fn inside(&mut self, ty: &model::Type) -> Type {
        match ty {
            model::Type::Option(inner) | model::Type::Set(inner) => self.plain(inner),
            _ => Type::Bool,
        }
    }

    fn plain(&mut self, ty: &model::Type) -> Type {
        match ty {
            model::Type::Int => Type::Int(0, 0),
            model::Type::Enum(e) => Type::Enum(machine::EnumId(e.0)),
            model::Type::Id => Type::Id,
            model::Type::Counter => self.counter_type(),
            model::Type::Node(_) => Type::Node,
            model::Type::Option(inner) => self.plain(inner).option(),
            model::Type::Set(inner) => self.plain(inner).set(),
            model::Type::Message(id) => Type::Record(self.record(RecordId::Message(*id))),
            model::Type::Messages(all) => Type::one_of(&records(all)),
            model::Type::Struct(id) => Type::Record(self.record(RecordId::Struct(*id))),
            model::Type::Array(index, inner) => {
                let index = self.index_type(*index);
                Type::Array(Box::new(index), Box::new(self.plain(inner)))
            }
            model::Type::Bool
            | model::Type::Duration
            | model::Type::Unknown
            | model::Type::Error => Type::Bool,
        }
    }

    /// A constant as a value of the Machine.
    pub(crate) fn value(&self, constant: &Constant) -> Value {
        match constant {
            Constant::Int(i) => Value::Int(*i),
            Constant::Bool(b) => Value::Bool(*b),
            Constant::Enum(e, n) => Value::Enum(machine::EnumId(e.0), *n),
            Constant::Duration(_) => unreachable!("a Machine stores no times"),
            Constant::Option(None) => Value::None,
            Constant::Option(Some(inner)) => Value::some(self.value(inner)),
            Constant::Record(record, values) => {
                let values = values.iter().map(|v| self.value(v));
                Value::Record(self.record(*record), values.collect())
            }
        }
    }

    /// The expression for a value of the given type. `none` needs the type.
    pub(crate) fn written_out(&self, value: &Value, ty: &Type) -> M {
        match (value, ty) {
            (Value::None, Type::Option(inner)) => M::None((**inner).clone()),
            (Value::Some(value), Type::Option(inner)) => {
                M::Some(Box::new(self.written_out(value, inner)))
            }
            (Value::Record(record, values), _) => {
                let types = self.machine.records[record.index()].fields.iter();
                let parts = values.iter().zip(types.map(|(_, ty)| ty));
                let parts = parts.map(|(value, ty)| self.written_out(value, ty));
                M::Record(*record, parts.collect())
            }
            _ => M::Const(value.clone()),
        }
    }

    /// The target of an assignment: a variable of the node, or a part of one.
    pub(crate) fn place(
        &mut self,
        kind: KindId,
        place: &model::Place,
        names: &mut Names,
    ) -> machine::Place {
        let Some(Slot::Var(var)) = self.slots.fields.get(&(kind, place.field)).copied() else {
            unreachable!("the Model has checked that this is a variable of the node");
        };
        let mut ty = self.machine.vars[var.index()].ty.clone();
        let mut path = Vec::new();
        for step in &place.path {
            (path, ty) = match (step, ty) {
                (model::PlaceStep::Field(_, field), Type::Record(record)) => {
                    path.push(machine::PlaceStep::Field(*field));
                    let fields = &self.machine.records[record.index()].fields;
                    (path, fields[*field as usize].1.clone())
                }
                (model::PlaceStep::Index(index), Type::Array(over, inner)) => {
                    path.push(machine::PlaceStep::Index(*over, self.expr(index, names)));
                    (path, *inner)
                }
                (model::PlaceStep::Unwrap, Type::Option(inner)) => {
                    path.push(machine::PlaceStep::Unwrap);
                    (path, *inner)
                }
                (step, ty) => unreachable!("the Model's types are the Machine's: {step:?} {ty:?}"),
            };
        }
        machine::Place { var, path }
    }
}

/// The record types of messages.
pub(crate) fn records(messages: &[model::MessageId]) -> Vec<machine::RecordId> {
    messages.iter().map(|m| machine::RecordId(m.0)).collect()
}

/// The index type of an array type.
pub(crate) fn over(ty: &model::Type) -> Index {
    match ty {
        model::Type::Array(index, _) => *index,
        other => unreachable!("the Model has checked that this is an array: {other:?}"),
    }
}

/// Whether some constant, variable or field of the model has a type with ids.
pub(crate) fn uses_ids(model: &Model) -> bool {
    fn holds(domain: &Domain) -> bool {
        match domain {
            Domain::Id => true,
            Domain::Option(inner) | Domain::Set(inner) | Domain::Array(_, inner) => holds(inner),
            _ => false,
        }
    }
    let bodies = model.kinds.iter().map(|k| &k.body);
    let bodies = bodies.chain(model.variants.iter().map(|v| &v.body));
    let mut domains = bodies.flat_map(|b| {
        let constants = b.constants.iter().map(|c| &c.domain);
        constants.chain(b.vars.iter().map(|v| &v.domain))
    });
    let messages = model.messages.iter().flat_map(|m| &m.fields);
    let structs = model.structs.iter().flat_map(|s| &s.fields);
    domains.any(holds) || messages.chain(structs).any(|f| holds(&f.domain))
}
