//! Compound data: fields of messages and structs, index types of arrays, and their values.

use crate::resolve::context::globals::Global;
use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::Scope;
use crate::resolve::context::suggest::{listed, suggest, unknown};
use crate::resolve::types::declared::provisional;
use crate::{
    Domain, Expr, ExprKind, Index, IndexRange, MessageId, RangeId, RecordField, RecordId, StructId,
    Type,
};
use source::{Diagnostic, Span, codes};
use syntax::ast::{self, Item, Name};

/// A note for two arrays of different types.
pub(crate) const SAME_INDEX: &str = "two arrays go together if their values do, and if both are over the same, written the same way";

impl<'a> Resolver<'a> {
    /// Determines the types of the fields of messages and structs, without the ends of ranges.
    pub(crate) fn record_types(&mut self) {
        for (record, tree) in self.record_trees() {
            let mut fields: Vec<RecordField> = Vec::new();
            for field in &tree.fields {
                if let Some(first) = fields.iter().find(|f| f.name == field.name.text) {
                    let (first, place) = (first.span, format!("in `{}`", tree.name.text));
                    self.duplicate(&field.name, first, &place);
                    continue;
                }
                let ty = self.type_of(&field.ty);
                if ty.has_duration() {
                    let what = match record {
                        RecordId::Message(_) => "times in messages",
                        RecordId::Struct(_) => "times in structs",
                    };
                    self.refuse(field.ty.span, what);
                }
                fields.push(RecordField {
                    name: field.name.text.clone(),
                    domain: provisional(&ty),
                    span: field.name.span,
                });
            }
            *self.fields_of(record) = fields;
        }
        self.finite_records();
    }

    /// Resolves the domains of the fields of messages and structs. They may contain parameters and abbreviations.
    pub(crate) fn record_domains(&mut self) {
        for (record, tree) in self.record_trees() {
            for index in 0..self.model.record_fields(record).len() {
                let name = &self.model.record_fields(record)[index].name;
                let Some(field) = tree.fields.iter().find(|f| f.name.text == *name) else {
                    continue;
                };
                let domain = self.domain_of(&field.ty);
                // The error of a field of type `Error` has been reported.
                let field = &mut self.fields_of(record)[index];
                if field.domain != Domain::Error {
                    field.domain = domain;
                }
            }
        }
    }

    /// All messages and structs with their syntax trees.
    pub(crate) fn record_trees(&self) -> Vec<(RecordId, &'a ast::Struct)> {
        let (mut messages, mut structs) = (0, 0);
        let next = |counter: &mut u32| {
            *counter += 1;
            *counter - 1
        };
        let items = self.trees.file.items.iter();
        let trees = items.filter_map(|item| match item {
            Item::Message(tree) => Some((RecordId::Message(MessageId(next(&mut messages))), tree)),
            Item::Struct(tree) => Some((RecordId::Struct(StructId(next(&mut structs))), tree)),
            _ => None,
        });
        trees.collect()
    }

    pub(crate) fn fields_of(&mut self, record: RecordId) -> &mut Vec<RecordField> {
        match record {
            RecordId::Message(id) => &mut self.model.messages[id.index()].fields,
            RecordId::Struct(id) => &mut self.model.structs[id.index()].fields,
        }
    }

    /// The type of `[T; I]`.
    pub(crate) fn array_type(&mut self, element: &ast::Type, over: &ast::Type) -> Type {
        let element = self.type_of(element);
        let Some(index) = self.index(over) else {
            self.not_an_index(over);
            return Type::Error;
        };
        match element {
            Type::Error => Type::Error,
            element => Type::Array(index, Box::new(element)),
        }
    }

    /// The domain of `[T; I]`; [`Resolver::array_type`] has reported unknown names.
    pub(crate) fn array_domain(&mut self, element: &ast::Type, over: &ast::Type) -> Domain {
        let element = self.domain_of(element);
        let Some(index) = self.index(over) else {
            return Domain::Error;
        };
        if let Index::Range(id) = index
            && self.model.range(id).domain == Domain::Error
        {
            let domain = self.domain_of(over);
            self.model.ranges[id.0 as usize].domain = domain;
        }
        match element {
            Domain::Error => Domain::Error,
            element => Domain::Array(index, Box::new(element)),
        }
    }

    /// The index type of an array; `None` if the type is not an index type.
    fn index(&mut self, over: &ast::Type) -> Option<Index> {
        match &over.kind {
            ast::TypeKind::Range(..) => {
                let text = self.sources.slice(over.span).split_whitespace();
                let text: String = text.collect();
                let known = self.model.ranges.iter().position(|r| r.text == text);
                let place = known.unwrap_or_else(|| {
                    let domain = Domain::Error;
                    self.model.ranges.push(IndexRange { text, domain });
                    self.model.ranges.len() - 1
                });
                Some(Index::Range(RangeId(place as u32)))
            }
            ast::TypeKind::Name(name) => match self.named_type(&name.text)? {
                Type::Node(_) => Some(Index::Nodes),
                Type::Enum(e) => Some(Index::Enum(e)),
                _ => None,
            },
            _ => None,
        }
    }

    fn not_an_index(&mut self, over: &ast::Type) {
        let name = match &over.kind {
            ast::TypeKind::Error => return,
            ast::TypeKind::Name(name) => Some(name),
            _ => None,
        };
        match name.map(|name| (name, self.globals.get(&name.text))) {
            Some((_, Some(Global::Refused))) => return,
            Some((name, None)) if self.named_type(&name.text).is_none() => {
                return self.unknown_type(name);
            }
            _ => {}
        }
        let text = format!(
            "an array is over a range, an enum or `Node`; `{}` is none of these",
            self.text(over.span)
        );
        let diagnostic = Diagnostic::error(codes::NOT_AN_INDEX, over.span, text);
        let global = name.and_then(|name| self.globals.get(&name.text));
        self.report(match (global, name) {
            (Some(Global::Kind(_)), _) => {
                diagnostic.note("a place for every node, whatever its kind: `[…; Node]`")
            }
            (Some(Global::Param(_) | Global::Let(_)), Some(name)) => diagnostic.note(format!(
                "for that many places write the range: `[…; 1..{}]`",
                name.text
            )),
            _ => diagnostic.note("for example `[Bool; 0..7]`"),
        });
    }

    /// The expression `a[i]`.
    pub(crate) fn element(
        &mut self,
        base: &ast::Expr,
        index: &ast::Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        let typed = self.infer(base, scope, None);
        if let ExprKind::KindNodes(_) = typed.kind {
            self.infer(index, scope, None);
            self.picked_by_number(span);
            return Expr::error(span);
        }
        let array = self.one_value(typed);
        let Type::Array(over, element) = array.ty.clone() else {
            self.infer(index, scope, None);
            self.not_an_array(&array, &array.ty);
            return Expr::error(span);
        };
        let index = self.index_value(index, over, array.span, scope);
        Expr {
            kind: ExprKind::Index(Box::new(array), Box::new(index)),
            ty: *element,
            span,
        }
    }

    /// Reports a value that is not an array.
    pub(crate) fn not_an_array(&mut self, base: &Expr, ty: &Type) {
        if ty.is_error() {
            return;
        }
        let text = format!(
            "`[ ]` picks a place of an array; `{}` is {}",
            self.text(base.span),
            self.model.words(ty)
        );
        let diagnostic = Diagnostic::error(codes::NOT_AN_ARRAY, base.span, text);
        self.report(match ty {
            Type::Set(_) => diagnostic.note(
                "a set has no order: `x in s` asks whether x is there, `for x in s { … }` goes through all",
            ),
            Type::Message(_) | Type::Struct(_) => diagnostic.note("a field is picked by its name: `x.field`"),
            _ => diagnostic.note("an array is declared like this: `var a: [0..3; Node] = 0`"),
        });
    }

    /// The index in the brackets after an array; `array` is the span of the array.
    pub(crate) fn index_value(
        &mut self,
        e: &ast::Expr,
        over: Index,
        array: Span,
        scope: &mut Scope,
    ) -> Expr {
        let holder = format!("an index of `{}` is", self.text(array));
        let wanted = match over {
            Index::Range(_) => Type::Int,
            Index::Enum(e) => Type::Enum(e),
            Index::Nodes => Type::Node(None),
        };
        let value = self.check(e, scope, &wanted, &holder);
        if let Index::Range(id) = over {
            let domain = self.model.range(id).domain.clone();
            self.certain_range(&value, &domain, &holder);
        }
        value
    }

    /// The message or struct with this name. `None` after a reported error.
    fn record_named(&mut self, name: &Name) -> Option<RecordId> {
        match self.globals.get(&name.text) {
            Some(Global::Message(id)) => Some(RecordId::Message(*id)),
            Some(Global::Struct(id)) => Some(RecordId::Struct(*id)),
            Some(Global::Refused) => None,
            _ if self.model.structs.is_empty() => self.message_named(name).map(RecordId::Message),
            _ => {
                let messages = self.model.messages.iter().map(|m| m.name.clone());
                let structs = self.model.structs.iter().map(|s| s.name.clone());
                let known: Vec<String> = messages.chain(structs).collect();
                let what = "message or struct";
                self.report(unknown(codes::UNKNOWN_MESSAGE, what, name, &known));
                None
            }
        }
    }

    /// How a message or struct with this name is written: `M { a: …, b: … }`.
    pub(crate) fn as_written(&self, name: &Name) -> Option<String> {
        let record = match self.globals.get(&name.text)? {
            Global::Message(id) => RecordId::Message(*id),
            Global::Struct(id) => RecordId::Struct(*id),
            _ => return None,
        };
        let fields = self.model.record_fields(record);
        let fields: Vec<String> = fields.iter().map(|f| format!("{}: …", f.name)).collect();
        Some(match fields.is_empty() {
            true => name.text.clone(),
            false => format!("{} {{ {} }}", name.text, fields.join(", ")),
        })
    }

    /// Reports that a struct cannot be sent or received; only once for each struct.
    pub(crate) fn only_a_struct(&mut self, id: StructId, span: Span) {
        let structure = self.model.structure(id);
        let (name, declared) = (structure.name.clone(), structure.span);
        let text = format!("`{name}` is a struct, and only messages are sent and received");
        let said = |d: &Diagnostic| d.code == codes::NOT_A_MESSAGE && d.message == text;
        if !self.diagnostics.iter().any(said) {
            self.report(
                Diagnostic::error(codes::NOT_A_MESSAGE, span, text)
                    .other(declared, "declared here")
                    .note(format!("write `message {name} {{ … }}` there: a message can be kept and compared like a struct")),
            );
        }
    }

    /// The expression `M { field: e, … }`.
    pub(crate) fn structure(
        &mut self,
        name: &Name,
        inits: &[ast::FieldInit],
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        let Some(record) = self.record_named(name) else {
            for init in inits {
                self.infer(&init.value, scope, None);
            }
            return Expr::error(span);
        };
        let declared = self.model.record_fields(record).to_vec();
        let mut values: Vec<Option<Expr>> = vec![None; declared.len()];
        let mut misnamed = false;
        for init in inits {
            let Some(index) = declared.iter().position(|f| f.name == init.name.text) else {
                self.unknown_record_field(record, &init.name);
                self.infer(&init.value, scope, None);
                misnamed = true;
                continue;
            };
            let holder = format!("the field `{}` of `{}` is", init.name.text, name.text);
            let value = self.check(&init.value, scope, &declared[index].domain.ty(), &holder);
            self.certain_range(&value, &declared[index].domain, &holder);
            if values[index].replace(value).is_some() {
                self.error(
                    codes::MESSAGE_FIELDS,
                    init.name.span,
                    format!("the field `{}` is given twice", init.name.text),
                );
            }
        }
        // A field with an unknown name is probably the missing field, so a missing field is not reported.
        if misnamed {
            return Expr {
                ty: record.ty(),
                ..Expr::error(span)
            };
        }
        self.record_value(record, values, span)
    }

    /// A message or struct with these values of its fields; reports missing fields.
    pub(crate) fn record_value(
        &mut self,
        record: RecordId,
        values: Vec<Option<Expr>>,
        span: Span,
    ) -> Expr {
        let name = self.model.record_name(record);
        let fields = self.model.record_fields(record);
        let missing: Vec<String> = fields
            .iter()
            .zip(&values)
            .filter(|(_, value)| value.is_none())
            .map(|(field, _)| format!("`{}`", field.name))
            .collect();
        if !missing.is_empty() {
            let all: Vec<String> = fields.iter().map(|f| format!("{}: …", f.name)).collect();
            let text = format!("`{name}` needs a value for {}", listed(&missing, "and"));
            let note = format!("write `{name} {{ {} }}`", all.join(", "));
            self.report(Diagnostic::error(codes::MESSAGE_FIELDS, span, text).note(note));
        }
        let values = values
            .into_iter()
            .map(|v| v.unwrap_or_else(|| Expr::error(span)))
            .collect();
        Expr {
            kind: ExprKind::Record(record, values),
            ty: record.ty(),
            span,
        }
    }

    /// Reports an unknown field of a message or struct.
    pub(crate) fn unknown_record_field(&mut self, record: RecordId, name: &Name) {
        let of = self.model.record_name(record);
        let fields = self.model.record_fields(record);
        let fields: Vec<String> = fields.iter().map(|f| f.name.clone()).collect();
        let quoted: Vec<String> = fields.iter().map(|f| format!("`{f}`")).collect();
        let text = if fields.is_empty() {
            format!("`{of}` has no fields")
        } else {
            let has = listed(&quoted, "and");
            format!("`{of}` has no field `{}`: it has {has}", name.text)
        };
        let mut diagnostic = Diagnostic::error(codes::UNKNOWN_FIELD, name.span, text);
        if matches!(record, RecordId::Message(_))
            && ["from", "sender", "src", "source"].contains(&&name.text[..])
        {
            diagnostic = diagnostic.note(format!(
                "who sent it is named in the head of the block: `on {of} as m from s`"
            ));
        }
        self.report(suggest(diagnostic, name, fields.iter().map(String::as_str)));
    }
}
