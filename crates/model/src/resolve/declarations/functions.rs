//! Top-level functions and their calls.

use crate::resolve::context::globals::Global;
use crate::resolve::context::resolver::{FnState, Resolver};
use crate::resolve::context::scope::{Place, Scope};
use crate::resolve::context::suggest::listed;
use crate::{Domain, Expr, ExprKind, FnId, Function, KindId, LocalId, Type};
use source::{Diagnostic, Span, codes};
use syntax::ast::{self, Name};

impl<'a> Resolver<'a> {
    /// Adds a function to the tables; it is resolved later.
    pub(crate) fn declare_function(&mut self, tree: &'a ast::Fn) -> FnId {
        let id = FnId(self.model.fns.len() as u32);
        self.model.fns.push(Function {
            name: tree.name.text.clone(),
            parameters: Vec::new(),
            result: Domain::Error,
            body: Expr::error(tree.body.span),
            reads_nodes: false,
            span: tree.name.span,
        });
        self.fns.push(FnState::Waiting(tree));
        id
    }

    /// Resolves every function, including unused ones.
    pub(crate) fn functions(&mut self) {
        for index in 0..self.fns.len() {
            self.function(FnId(index as u32), None);
        }
    }

    /// Resolves a function unless this has been done; `used_at` is the span of the call. If the call is in its own
    /// definition, reports that and returns false.
    fn function(&mut self, id: FnId, used_at: Option<Span>) -> bool {
        match self.fns[id.index()] {
            FnState::Done => true,
            FnState::Running => {
                let function = self.model.function(id);
                let text = format!("`{}` calls itself", function.name);
                let span = used_at.unwrap_or(function.span);
                self.report(
                    Diagnostic::error(codes::CYCLIC_LET, span, text)
                        .note("a function stands for its text: it cannot contain itself, directly or through others")
                        .note("to go through a set write `all`, `exists`, `sum`, `max`, `count` … behind `=`; what needs several steps is a `for` in a block"),
                );
                false
            }
            FnState::Waiting(tree) => {
                self.fns[id.index()] = FnState::Running;
                let mut scope = Scope::new(Place::Abbreviation);
                let parameters = self.parameters(&tree.parameters, &mut scope, "in this function");
                self.given
                    .extend(parameters.iter().map(|(local, ..)| *local));
                let result = match &tree.result {
                    Some(ty) => {
                        self.type_of(ty);
                        self.domain_of(ty)
                    }
                    None => {
                        let text = format!("nothing says what `{}` gives", tree.name.text);
                        self.report(
                            Diagnostic::error(codes::INCOMPLETE, tree.name.span, text).note(
                                format!(
                                    "write the type behind the parameters: `fn {}(…): Bool = …`",
                                    tree.name.text
                                ),
                            ),
                        );
                        Domain::Error
                    }
                };
                let holder = format!("`{}(…)` is", tree.name.text);
                let body = self.check(&tree.body, &mut scope, &result.ty(), &holder);
                self.certain_range(&body, &result, &holder);
                self.misplaced_now(&body);
                let reads_nodes = self.reads_nodes(&body);
                self.model.fns[id.index()] = Function {
                    name: tree.name.text.clone(),
                    parameters: parameters.into_iter().map(|(l, _, d)| (l, d)).collect(),
                    result,
                    body,
                    reads_nodes,
                    span: tree.name.span,
                };
                self.fns[id.index()] = FnState::Done;
                true
            }
        }
    }

    /// Resolves the parameters of a function or action, and binds their names. Here the name of a kind is a type: the
    /// nodes of that kind. `place` is used in messages.
    pub(crate) fn parameters(
        &mut self,
        trees: &[ast::Parameter],
        scope: &mut Scope,
        place: &str,
    ) -> Vec<(LocalId, Type, Domain)> {
        let mut parameters: Vec<(LocalId, Type, Domain)> = Vec::new();
        for tree in trees {
            let mut known = parameters
                .iter()
                .map(|(local, ..)| self.model.local(*local));
            if let Some(first) = known.find(|local| local.name == tree.name.text) {
                let first = first.span;
                self.duplicate(&tree.name, first, place);
                continue;
            }
            let (ty, domain) = match self.kind_as_type(&tree.ty) {
                Some(kind) => (Type::Node(Some(kind)), Domain::Node),
                None => (self.type_of(&tree.ty), self.domain_of(&tree.ty)),
            };
            let local = self.local(&tree.name, ty.clone());
            scope.bind(&tree.name.text, local);
            parameters.push((local, ty, domain));
        }
        parameters
    }

    fn kind_as_type(&self, tree: &ast::Type) -> Option<KindId> {
        let ast::TypeKind::Name(name) = &tree.kind else {
            return None;
        };
        match self.globals.get(&name.text) {
            Some(Global::Kind(kind)) => Some(*kind),
            _ => None,
        }
    }

    /// The expression `f(a, b)`.
    pub(crate) fn call_function(
        &mut self,
        id: FnId,
        name: &Name,
        arguments: &[ast::Expr],
        span: Span,
        scope: &mut Scope,
    ) -> Expr {
        if !self.function(id, Some(name.span)) {
            return Expr::error(span);
        }
        let function = self.model.function(id);
        if function.reads_nodes && matches!(scope.place, Place::Code(_) | Place::First(_)) {
            let declared = function.span;
            if self.reads_now(&function.body) {
                self.now_in_code(&name.text, name.span, Some(declared));
                return Expr::error(span);
            }
            let text = format!(
                "`{}` looks into nodes, and a node knows only itself and what it is told",
                name.text
            );
            self.report(
                Diagnostic::error(codes::READS_OTHER_NODE, name.span, text)
                    .other(declared, "defined here")
                    .note("claims may use it; in node code, give it what it needs as arguments"),
            );
            return Expr::error(span);
        }
        let (ty, declared) = (function.result.ty(), function.span);
        let parameters: Vec<(LocalId, Type, Domain)> = function
            .parameters
            .iter()
            .map(|(local, domain)| (*local, self.model.local(*local).ty.clone(), domain.clone()))
            .collect();
        let typed = self.arguments(name, &parameters, arguments, declared, span, scope);
        Expr {
            kind: match typed.is_some() && !ty.is_error() {
                true => ExprKind::Call(id, typed.unwrap_or_default()),
                false => ExprKind::Error,
            },
            ty,
            span,
        }
    }

    /// The arguments of a call, one for each parameter. `None` after reporting a wrong number of arguments.
    pub(crate) fn arguments(
        &mut self,
        name: &Name,
        parameters: &[(LocalId, Type, Domain)],
        arguments: &[ast::Expr],
        declared: Span,
        span: Span,
        scope: &mut Scope,
    ) -> Option<Vec<Expr>> {
        if arguments.len() != parameters.len() {
            for argument in arguments {
                self.infer(argument, scope, None);
            }
            let wanted: Vec<String> = parameters
                .iter()
                .map(|(local, ty, _)| {
                    format!(
                        "`{}` ({})",
                        self.model.local(*local).name,
                        self.model.words(ty)
                    )
                })
                .collect();
            let wanted = match wanted.is_empty() {
                true => "nothing".to_string(),
                false => listed(&wanted, "and"),
            };
            let found = match arguments.len() {
                0 => "here is nothing".to_string(),
                1 => "here is one value".to_string(),
                n => format!("here are {n} values"),
            };
            let text = format!("`{}` is called with {wanted}; {found}", name.text);
            self.report(
                Diagnostic::error(codes::WRONG_ARGUMENTS, span, text)
                    .other(declared, "defined here"),
            );
            return None;
        }
        let mut typed = Vec::new();
        for ((local, ty, domain), argument) in parameters.iter().zip(arguments) {
            let of = &self.model.local(*local).name;
            let holder = format!("the argument `{of}` of `{}` is", name.text);
            let value = self.check(argument, scope, ty, &holder);
            self.certain_range(&value, domain, &holder);
            typed.push(self.of_kind(value, ty, &holder));
        }
        Some(typed)
    }

    /// Reports a node whose kind is not `wanted`, or not determined.
    fn of_kind(&mut self, value: Expr, wanted: &Type, holder: &str) -> Expr {
        let (Type::Node(Some(wanted)), Type::Node(found)) = (wanted, &value.ty) else {
            return value;
        };
        if self.model.kinds.len() == 1 || *found == Some(*wanted) {
            return value;
        }
        let kind = &self.model.kind(*wanted).name;
        let is = match found {
            Some(found) => format!("is a `{}`", self.model.kind(*found).name),
            None => "may be a node of any kind".to_string(),
        };
        let text = format!(
            "{holder} a node of `{kind}`; `{}` {is}",
            self.text(value.span)
        );
        self.error(codes::WHICH_KIND, value.span, text);
        Expr::error(value.span)
    }
}
