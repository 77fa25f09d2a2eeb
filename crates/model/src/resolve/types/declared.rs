//! Declared types: the type without the ends of ranges, and the domain with them.

use crate::resolve::context::globals::Global;
use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::suggest::suggest;
use crate::{Domain, Type};
use source::{Diagnostic, codes};
use syntax::ast;

impl Resolver<'_> {
    /// The domain of a declared type; [`Resolver::type_of`] has reported unknown names.
    pub(crate) fn domain_of(&mut self, tree: &ast::Type) -> Domain {
        match &tree.kind {
            ast::TypeKind::Error => Domain::Error,
            ast::TypeKind::Range(a, b) => {
                let (a, b) = (self.constant_number(a), self.constant_number(b));
                if a.ty.is_error() || b.ty.is_error() {
                    return Domain::Error;
                }
                if let (Some(low), Some(high)) = (self.literal(&a), self.literal(&b))
                    && low > high
                {
                    self.error(
                        codes::EMPTY_RANGE,
                        tree.span,
                        format!(
                            "the range {low}..{high} is empty: its first end is the larger one"
                        ),
                    );
                    return Domain::Error;
                }
                Domain::Range(Box::new(a), Box::new(b))
            }
            ast::TypeKind::Option(inner) => match self.domain_of(inner) {
                Domain::Error | Domain::Option(_) => Domain::Error,
                inner => Domain::Option(Box::new(inner)),
            },
            ast::TypeKind::Set(inner) => match self.domain_of(inner) {
                Domain::Error => Domain::Error,
                inner => Domain::Set(Box::new(inner)),
            },
            ast::TypeKind::Array(element, over) => self.array_domain(element, over),
            ast::TypeKind::Name(name) => match self.named_type(&name.text) {
                Some(Type::Bool) => Domain::Bool,
                Some(Type::Duration) => Domain::Duration,
                Some(Type::Id) => Domain::Id,
                Some(Type::Counter) => Domain::Counter,
                Some(Type::Node(_)) => Domain::Node,
                Some(Type::Enum(e)) => Domain::Enum(e),
                Some(Type::Message(m)) => Domain::Message(m),
                Some(Type::Struct(s)) => Domain::Struct(s),
                _ => Domain::Error,
            },
        }
    }

    /// The type of the values of a declared type, without the ends of ranges; reports unknown names.
    pub(crate) fn type_of(&mut self, tree: &ast::Type) -> Type {
        match &tree.kind {
            ast::TypeKind::Error => Type::Error,
            ast::TypeKind::Range(..) => Type::Int,
            ast::TypeKind::Option(inner) => match self.type_of(inner) {
                Type::Option(_) => {
                    self.report(
                        Diagnostic::error(
                            codes::NESTED_OPTION,
                            tree.span,
                            "an option of an option is `none` in two ways",
                        )
                        .note("use one `Option`, or an enum that names the cases"),
                    );
                    Type::Error
                }
                Type::Error => Type::Error,
                inner => Type::Option(Box::new(inner)),
            },
            ast::TypeKind::Set(inner) => match self.type_of(inner) {
                Type::Error => Type::Error,
                inner => Type::Set(Box::new(inner)),
            },
            ast::TypeKind::Array(element, over) => self.array_type(element, over),
            ast::TypeKind::Name(name) => self.named_type(&name.text).unwrap_or_else(|| {
                self.unknown_type(name);
                Type::Error
            }),
        }
    }

    pub(crate) fn named_type(&self, name: &str) -> Option<Type> {
        Some(match name {
            "Bool" => Type::Bool,
            "Duration" => Type::Duration,
            "Id" => Type::Id,
            "Counter" => Type::Counter,
            "Node" => Type::Node(None),
            _ => match self.globals.get(name)? {
                Global::Enum(e) => Type::Enum(*e),
                Global::Message(m) => Type::Message(*m),
                Global::Struct(s) => Type::Struct(*s),
                Global::Refused => Type::Error,
                _ => return None,
            },
        })
    }

    pub(crate) fn unknown_type(&mut self, name: &ast::Name) {
        let types = ["Bool", "Counter", "Duration", "Id", "Node", "Option", "Set"];
        let mut known: Vec<String> = types.map(String::from).to_vec();
        known.extend(self.model.enums.iter().map(|e| e.name.clone()));
        known.extend(self.model.messages.iter().map(|m| m.name.clone()));
        known.extend(self.model.structs.iter().map(|s| s.name.clone()));
        let text = format!("there is no type `{}`", name.text);
        let diagnostic = Diagnostic::error(codes::UNKNOWN_TYPE, name.span, text);
        let mut diagnostic = suggest(diagnostic, name, known.iter().map(String::as_str));
        if matches!(
            name.text.as_str(),
            "Int" | "int" | "Integer" | "Nat" | "u32" | "i32"
        ) {
            diagnostic = diagnostic.note(
                "numbers have a range here: write for example `0..7`; for one that grows for ever there is `Counter`",
            );
        } else if matches!(self.globals.get(&name.text), Some(Global::Kind(_))) {
            diagnostic = diagnostic.note("a kind of node is a type for parameters of actions and functions only; elsewhere nodes have the type `Node`");
        }
        self.report(diagnostic);
    }
}

/// A domain of the given type without ranges. It is replaced when ranges are resolved.
pub(crate) fn provisional(ty: &Type) -> Domain {
    match ty {
        Type::Bool => Domain::Bool,
        Type::Int => Domain::Integer,
        Type::Duration => Domain::Duration,
        Type::Enum(e) => Domain::Enum(*e),
        Type::Id => Domain::Id,
        Type::Counter => Domain::Counter,
        Type::Node(_) => Domain::Node,
        Type::Option(inner) => Domain::Option(Box::new(provisional(inner))),
        Type::Message(m) => Domain::Message(*m),
        Type::Struct(s) => Domain::Struct(*s),
        Type::Array(index, inner) => Domain::Array(*index, Box::new(provisional(inner))),
        Type::Messages(_) => unreachable!("not a declared type"),
        Type::Set(inner) => Domain::Set(Box::new(provisional(inner))),
        Type::Error | Type::Unknown => Domain::Error,
    }
}
