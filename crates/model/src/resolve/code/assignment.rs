//! Targets of assignments: a variable of the node, or a part of one.

use crate::resolve::context::globals::Global;
use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::Scope;
use crate::{Expr, ExprKind, FieldId, FieldRole, KindId, Place, PlaceStep, RecordId, Type};
use source::{Diagnostic, Span, codes};
use syntax::ast::{self, Name};

impl Resolver<'_> {
    /// The target of an assignment and its type. `None` after a reported error.
    pub(crate) fn place(
        &mut self,
        kind: KindId,
        place: &ast::Expr,
        scope: &mut Scope,
    ) -> Option<(Place, Type)> {
        match &place.kind {
            ast::ExprKind::Paren(inner) => self.place(kind, inner, scope),
            ast::ExprKind::Name(name) => self.whole(kind, name, place, scope),
            ast::ExprKind::Field(base, name) if matches!(base.kind, ast::ExprKind::SelfNode) => {
                self.whole(kind, name, place, scope)
            }
            ast::ExprKind::Field(base, _) | ast::ExprKind::Index(base, _)
                if !self.begins_with_own(kind, base, scope) =>
            {
                let base = self.infer(base, scope, None);
                if let ast::ExprKind::Index(_, index) = &place.kind {
                    self.infer(index, scope, None);
                }
                let whole = base.whole();
                match whole.ty.without_option().record() {
                    _ if base.ty.is_error() => {}
                    Some(record) if matches!(whole.kind, ExprKind::Local(_)) => {
                        self.only_a_name(place.span, whole, record);
                    }
                    _ => self.not_settable(place.span, &format!("`{}`", self.text(place.span))),
                }
                None
            }
            ast::ExprKind::Field(base, name) => {
                let (mut place, ty) = self.inside(kind, base, scope)?;
                let Some(record) = ty.record() else {
                    self.no_fields(
                        base.span,
                        &ty,
                        name,
                        "messages and structs have fields that can be set",
                    );
                    return None;
                };
                let fields = self.model.record_fields(record);
                let Some(index) = fields.iter().position(|f| f.name == name.text) else {
                    self.unknown_record_field(record, name);
                    return None;
                };
                let ty = fields[index].domain.ty();
                place.path.push(PlaceStep::Field(record, index as u32));
                Some((place, ty))
            }
            ast::ExprKind::Index(base, index) => {
                let Some((mut place, ty)) = self.inside(kind, base, scope) else {
                    self.infer(index, scope, None);
                    return None;
                };
                let Type::Array(over, element) = ty else {
                    self.infer(index, scope, None);
                    self.not_an_array(&Expr::error(base.span), &ty);
                    return None;
                };
                let sees = self.is_ghost(kind, place.field);
                let before = std::mem::replace(&mut scope.sees_ghosts, sees);
                let index = self.index_value(index, over, base.span, scope);
                scope.sees_ghosts = before;
                place.path.push(PlaceStep::Index(index));
                Some((place, *element))
            }
            _ => {
                let typed = self.infer(place, scope, None);
                if !typed.ty.is_error() {
                    self.not_settable(place.span, &format!("`{}`", self.text(place.span)));
                }
                None
            }
        }
    }

    /// Whether a field is a ghost variable. The value that is assigned to a ghost may read ghosts, because no
    /// behaviour depends on them.
    pub(crate) fn is_ghost(&self, kind: KindId, field: FieldId) -> bool {
        self.model.kind(kind).fields[field.index()].role == FieldRole::Ghost
    }

    /// The target `base` and its type, if a part of it is assigned. An option is unwrapped.
    fn inside(
        &mut self,
        kind: KindId,
        base: &ast::Expr,
        scope: &mut Scope,
    ) -> Option<(Place, Type)> {
        let (mut place, ty) = self.place(kind, base, scope)?;
        match ty {
            Type::Option(inner) => {
                place.path.push(PlaceStep::Unwrap);
                Some((place, *inner))
            }
            Type::Error => None,
            other => Some((place, other)),
        }
    }

    /// Whether a target begins with a field of this node, so that its path can be resolved.
    fn begins_with_own(&self, kind: KindId, place: &ast::Expr, scope: &Scope) -> bool {
        match &place.kind {
            ast::ExprKind::Paren(inner) => self.begins_with_own(kind, inner, scope),
            ast::ExprKind::Field(base, name) if matches!(base.kind, ast::ExprKind::SelfNode) => {
                self.own_name(kind, name, scope).is_some()
            }
            ast::ExprKind::Field(base, _) | ast::ExprKind::Index(base, _) => {
                self.begins_with_own(kind, base, scope)
            }
            ast::ExprKind::Name(name) => {
                self.bound(name, scope).is_none() && self.own_name(kind, name, scope).is_some()
            }
            _ => false,
        }
    }

    fn own_name(&self, kind: KindId, name: &Name, scope: &Scope) -> Option<FieldId> {
        let field = self.model.field_named(kind, &name.text)?;
        scope.fields.contains(&field).then_some(field)
    }

    /// The variable with this name as a target; `place` is the name or `self.name`. `None` after a reported error.
    fn whole(
        &mut self,
        kind: KindId,
        name: &Name,
        place: &ast::Expr,
        scope: &mut Scope,
    ) -> Option<(Place, Type)> {
        let bare = matches!(place.kind, ast::ExprKind::Name(_));
        let shadowed = bare && self.bound(name, scope).is_some();
        let field = self.own_name(kind, name, scope).filter(|_| !shadowed);
        if let Some(field) = field {
            let declared = &self.model.kind(kind).fields[field.index()];
            if declared.role != FieldRole::Constant {
                let path = Vec::new();
                return Some((Place { field, path }, declared.ty.clone()));
            }
            let first = declared.span;
            self.report(
                Diagnostic::error(
                    codes::ASSIGN_TO_CONSTANT,
                    place.span,
                    format!(
                        "`{}` is a constant of the node: it never changes",
                        name.text
                    ),
                )
                .other(first, "declared here")
                .note(format!(
                    "what changes is a variable: `var x: …`, perhaps with `{}` as its first value",
                    name.text
                )),
            );
            return None;
        }
        if let Some(timer) = self.timer_named(&name.text, scope).filter(|_| !shadowed) {
            self.only_a_timer(timer, place.span, scope);
            return None;
        }
        let what = match self.globals.get(&name.text) {
            _ if shadowed => Some(format!("`{}` is a name for a value", name.text)),
            Some(Global::Param(_)) => Some(format!("`{}` is a parameter of the model", name.text)),
            Some(Global::Let(_)) => Some(format!("`{}` is an abbreviation", name.text)),
            Some(Global::Refused) => return None,
            Some(_) => Some(format!("`{}` is no variable", name.text)),
            None => None,
        };
        match what {
            Some(what) => {
                if self.bound(name, scope).is_none_or(|b| !b.ty.is_error()) {
                    self.not_settable(place.span, &what);
                }
            }
            // The name is a word of the language, or unknown.
            None => {
                let known = !self.name(name, scope).ty.is_error();
                match (known, name.text.as_str()) {
                    (true, "inbox") => self.report(
                        Diagnostic::error(
                            codes::ASSIGN_TO_CONSTANT,
                            place.span,
                            "`inbox` is no variable: messages enter it by themselves",
                        )
                        .note("`clear inbox` empties it"),
                    ),
                    (true, word) => {
                        self.not_settable(place.span, &format!("`{word}` is no variable"));
                    }
                    (false, _) => {}
                }
            }
        }
        None
    }

    /// Reports an assignment such as `m.hops = …` to a part of a message or struct that is bound to a local name.
    fn only_a_name(&mut self, span: Span, base: &Expr, record: RecordId) {
        let (name, of) = (self.text(base.span), self.model.record_name(record));
        let fields = self.model.record_fields(record);
        let fields: Vec<String> = fields.iter().map(|f| format!("{}: …", f.name)).collect();
        let note = format!(
            "make a new one with what is different, `{of} {{ {} }}`, or keep it in a variable of the node and change that",
            fields.join(", ")
        );
        let text = format!("`{name}` is a name for a value, which stays as it is");
        self.report(Diagnostic::error(codes::ASSIGN_TO_CONSTANT, span, text).note(note));
    }

    fn not_settable(&mut self, span: Span, what: &str) {
        let what = if what.contains(" is ") {
            what.to_string()
        } else {
            format!("{what} is not this node's variable")
        };
        self.report(
            Diagnostic::error(
                codes::ASSIGN_TO_CONSTANT,
                span,
                format!("{what}: only variables of the node itself can be set"),
            )
            .note("declare `var x: T = …` in the node for what changes"),
        );
    }
}
