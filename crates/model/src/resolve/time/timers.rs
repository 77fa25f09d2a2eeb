//! Timers: declared by a node, set and cancelled by its code, tested with `t is set`.

use crate::resolve::context::globals::{Global, NODE_WORDS};
use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::{Place, Scope};
use crate::resolve::context::suggest::{nearest, suggest_or_list};
use crate::{Expr, ExprKind, Head, Interval, KindId, Timer, TimerId, TimerUse, Type};
use source::{Diagnostic, Span, codes};
use syntax::ast::{self, BlockHead, Name};

impl Resolver<'_> {
    /// Declares `timer t` or `timer t[Node]` of a kind or of one of its variants.
    pub(crate) fn add_timer(
        &mut self,
        kind: KindId,
        name: &Name,
        over: Option<&ast::Type>,
        variant: Option<&Name>,
    ) {
        if NODE_WORDS.contains(&name.text.as_str()) {
            let text = format!(
                "every node has `{}` already, for claims: choose another name",
                name.text
            );
            return self.error(codes::DUPLICATE_NAME, name.span, text);
        }
        if let Some(Global::Message(message)) = self.globals.get(&name.text).copied() {
            let first = self.model.message(message).span;
            let text = format!(
                "`{}` is a message: `on {0}` would mean two things",
                name.text
            );
            self.report(
                Diagnostic::error(codes::DUPLICATE_NAME, name.span, text)
                    .other(first, "the message")
                    .note("timers are written small, messages with a capital letter"),
            );
            return;
        }
        if let Some(field) = self.model.field_named(kind, &name.text) {
            let owner = self.model.kind(kind);
            let first = owner.fields[field.index()].span;
            let place = format!("in `{}`", owner.name);
            return self.duplicate(name, first, &place);
        }
        if let Some(over) = over {
            match self.type_of(over) {
                Type::Node(None) => {}
                Type::Error => return,
                _ => {
                    let text = format!(
                        "there is one timer `{}`, or one for each node (`timer {0}[Node]`), but not one for each value of something else",
                        name.text
                    );
                    self.error(codes::NOT_A_TIMER, over.span, text);
                    // The name counts as declared, so that its uses are not reported.
                    self.globals.insert(name.text.clone(), Global::Refused);
                    return;
                }
            }
        }
        let per_node = over.is_some();
        let timers = &mut self.model.kinds[kind.index()].timers;
        let Some(known) = timers.iter().find(|t| t.name == name.text) else {
            timers.push(Timer {
                name: name.text.clone(),
                per_node,
                span: name.span,
            });
            return;
        };
        if let Some(variant) = variant.filter(|_| known.per_node != per_node) {
            let first = known.span;
            let (here, there) = match per_node {
                true => ("there is one for each node", "there is one"),
                false => ("there is one", "there is one for each node"),
            };
            let text = format!(
                "in `{}` {here} of `{}`, elsewhere {there}",
                variant.text, name.text
            );
            self.report(
                Diagnostic::error(codes::VARIANT_CHANGES_TYPE, name.span, text)
                    .other(first, "elsewhere")
                    .note("choose another name for it"),
            );
        }
    }

    /// The timer with this name of a kind or of one of its variants.
    pub(crate) fn timer_of(&self, kind: KindId, name: &str) -> Option<TimerId> {
        let timers = &self.model.kind(kind).timers;
        let found = timers.iter().position(|t| t.name == name);
        found.map(|index| TimerId(index as u32))
    }

    /// The timer with this name of the current node; `None` outside node code.
    pub(crate) fn timer_named(&self, name: &str, scope: &Scope) -> Option<TimerId> {
        let (Place::Code(kind) | Place::First(kind)) = scope.place else {
            return None;
        };
        let timer = self.timer_of(kind, name)?;
        scope.timers.contains(&timer).then_some(timer)
    }

    /// Whether `on NAME` is meant for a timer: a timer has this name, or the name begins with a small letter, is not
    /// declared and is not similar to the name of a message.
    pub(crate) fn is_about_timer(&self, name: &Name, scope: &Scope) -> bool {
        let small = name.text.starts_with(|c: char| c.is_lowercase());
        let messages = self.model.messages.iter().map(|m| m.name.as_str());
        self.timer_named(&name.text, scope).is_some()
            || small
                && !self.globals.contains_key(&name.text)
                && nearest(&name.text, messages).is_none()
    }

    /// The head `on t` or `on t[j]`. `None` after a reported error.
    pub(crate) fn timer_head(&mut self, head: &BlockHead, scope: &mut Scope) -> Option<Head> {
        let BlockHead::On {
            name,
            index,
            binding,
            from,
            guard,
        } = head
        else {
            return None;
        };
        let timer = self.timer_named(&name.text, scope);
        let local = index
            .as_ref()
            .map(|index| self.bind_new(index, Type::Node(None), scope));
        let Some(timer) = timer else {
            self.unknown_timer(name, scope);
            return None;
        };
        if let Some(guard) = guard {
            self.report(
                Diagnostic::error(
                    codes::CANNOT_WAIT,
                    guard.span,
                    "a timer that expires cannot wait for a condition",
                )
                .note("put the condition inside the block: `if … { … }`"),
            );
        }
        for extra in binding.iter().chain(from) {
            let text = format!(
                "`{}` is a timer: it brings no message and has no sender",
                name.text
            );
            self.error(codes::NOT_A_TIMER, extra.span, text);
        }
        let declared = self.declared_timer(timer, scope)?;
        match (declared.per_node, &index) {
            (true, None) => {
                let text = format!(
                    "there is one timer `{}` for each node: say how that node is called",
                    name.text
                );
                let diagnostic = Diagnostic::error(codes::NOT_A_TIMER, name.span, text);
                let fixed = format!("{}[j]", name.text);
                self.report(
                    diagnostic
                        .at(format!("write `on {fixed}`"))
                        .fix(name.span, &fixed),
                );
            }
            (false, Some(index)) => self.superfluous_index(&declared, index.span),
            _ => return Some(Head::Timer(timer, local)),
        }
        None
    }

    /// The timer after `set` or `cancel` (`verb`). `None` after a reported error.
    pub(crate) fn timer_use(
        &mut self,
        tree: &ast::Expr,
        verb: &str,
        scope: &mut Scope,
    ) -> Option<TimerUse> {
        let (name, index) = match parts(tree) {
            (ast::ExprKind::Name(name), index) => (name, index),
            _ => {
                self.not_a_timer(tree, verb, scope);
                return None;
            }
        };
        let bound = self.bound(name, scope).is_some();
        let Some(timer) = self.timer_named(&name.text, scope).filter(|_| !bound) else {
            self.not_a_timer(tree, verb, scope);
            if let Some(index) = index {
                self.infer(index, scope, None);
            }
            return None;
        };
        let declared = self.declared_timer(timer, scope)?;
        self.indexed(timer, &declared, index, tree.span, scope)
    }

    /// The interval after `set t in`. `None` after a reported error.
    pub(crate) fn running_time(&mut self, tree: &ast::Expr, scope: &mut Scope) -> Option<Interval> {
        let what = "the timer would run";
        self.span_of_time(tree, "the time of a timer is", what, Some(scope))
    }

    /// The condition `t is set`, or `k.t is set` in claims. `None` if the word is not `set` or `tree` is not a timer.
    pub(crate) fn timer_is_set(
        &mut self,
        tree: &ast::Expr,
        word: &Name,
        span: Span,
        scope: &mut Scope,
    ) -> Option<Expr> {
        if word.text != "set" {
            return None;
        }
        let (asked, index) = parts(tree);
        let (node, kind, timer) = match asked {
            ast::ExprKind::Name(name) if self.bound(name, scope).is_none() => {
                let Some(timer) = self.timer_named(&name.text, scope) else {
                    return self.timer_without_node(name, span, scope);
                };
                let (Place::Code(kind) | Place::First(kind)) = scope.place else {
                    return None;
                };
                (self.self_node(name.span, scope), kind, timer)
            }
            ast::ExprKind::Field(base, name)
                if matches!(scope.place, Place::Claim | Place::Abbreviation) =>
            {
                let kinds = (0..self.model.kinds.len() as u32).map(KindId);
                let owners: Vec<KindId> = kinds
                    .filter(|k| self.timer_of(*k, &name.text).is_some())
                    .collect();
                let first = *owners.first()?;
                let node = self.node_operand(base, scope, "a timer belongs to a node");
                let kind = match (&node.ty, owners.len()) {
                    (Type::Node(Some(kind)), _) => *kind,
                    (Type::Node(None), 1) if self.model.kinds.len() == 1 => first,
                    (Type::Node(None), _) => {
                        let text = format!("`{}` may be a node of any kind", self.text(node.span));
                        self.report(
                            Diagnostic::error(codes::WHICH_KIND, node.span, text)
                                .note("say of which kind: `all k in Kind: … k.t is set …`"),
                        );
                        return Some(Expr::error(span));
                    }
                    _ => return Some(Expr::error(span)),
                };
                let Some(timer) = self.timer_of(kind, &name.text) else {
                    let text = format!(
                        "`{}` has no timer `{}`",
                        self.model.kind(kind).name,
                        name.text
                    );
                    self.error(codes::NOT_A_TIMER, name.span, text);
                    return Some(Expr::error(span));
                };
                (node, kind, timer)
            }
            _ => return None,
        };
        let declared = self.model.kind(kind).timers[timer.index()].clone();
        let Some(used) = self.indexed(timer, &declared, index, tree.span, scope) else {
            return Some(Expr::error(span));
        };
        Some(Expr {
            kind: ExprKind::TimerSet(Box::new(node), kind, Box::new(used)),
            ty: Type::Bool,
            span,
        })
    }

    /// Reports an expression that is not a timer, after `set` or `cancel` or before `is set` (`verb`).
    pub(crate) fn not_a_timer(&mut self, tree: &ast::Expr, verb: &str, scope: &Scope) {
        if let (ast::ExprKind::Name(name), _) = parts(tree) {
            match self.globals.get(&name.text) {
                Some(Global::Refused) => return,
                _ if self.is_known(name, scope) => {}
                _ => return self.unknown_timer(name, scope),
            }
        }
        let shown = self.text(tree.span);
        let text = match verb {
            "is set" => format!("`is set` is asked of a timer, and `{shown}` is none"),
            _ => format!("`{verb}` is for timers, and `{shown}` is none"),
        };
        let diagnostic = Diagnostic::error(codes::NOT_A_TIMER, tree.span, text);
        self.report(match verb {
            "set" => diagnostic.note(format!(
                "a variable is set with `=`: `{shown} = …`; a timer is declared in the node: `timer t`"
            )),
            "is set" => diagnostic.note("whether an option has a value is asked with `x != none` or `x is r`"),
            _ => diagnostic.note("a timer is declared in the node: `timer t`"),
        });
    }

    /// Reports a timer that is used as a value or assigned.
    pub(crate) fn only_a_timer(&mut self, timer: TimerId, span: Span, scope: &Scope) {
        let Some(declared) = self.declared_timer(timer, scope) else {
            return;
        };
        let name = match declared.per_node {
            true => format!("{}[j]", declared.name),
            false => declared.name.clone(),
        };
        let text = format!("`{}` is a timer: it has no value", declared.name);
        self.report(
            Diagnostic::error(codes::NOT_A_TIMER, span, text)
                .other(declared.span, "declared here")
                .note(format!(
                    "`set {name} in 10 ms .. 12 ms` starts it, `cancel {name}` stops it, `{name} is set` asks for it"
                )),
        );
    }

    fn declared_timer(&self, timer: TimerId, scope: &Scope) -> Option<Timer> {
        let (Place::Code(kind) | Place::First(kind)) = scope.place else {
            return None;
        };
        self.model.kind(kind).timers.get(timer.index()).cloned()
    }

    /// A use of a timer with its index. Reports a missing or superfluous index, and returns `None`.
    fn indexed(
        &mut self,
        timer: TimerId,
        declared: &Timer,
        index: Option<&ast::Expr>,
        span: Span,
        scope: &mut Scope,
    ) -> Option<TimerUse> {
        let index = match (declared.per_node, index) {
            (false, None) => None,
            (true, Some(index)) => {
                let what = format!("there is one timer `{}` for each node", declared.name);
                let index = self.node_operand(index, scope, &what);
                if index.ty.is_error() {
                    return None;
                }
                Some(index)
            }
            (true, None) => {
                let text = format!(
                    "there is one timer `{}` for each node: say for which",
                    declared.name
                );
                self.report(
                    Diagnostic::error(codes::NOT_A_TIMER, span, text)
                        .at(format!("write `{}[j]`", self.text(span)))
                        .other(declared.span, "declared here"),
                );
                return None;
            }
            (false, Some(index)) => {
                self.infer(index, scope, None);
                self.superfluous_index(declared, index.span);
                return None;
            }
        };
        Some(TimerUse { timer, index })
    }

    fn superfluous_index(&mut self, declared: &Timer, span: Span) {
        let text = format!(
            "there is only one timer `{}`: it has no index",
            declared.name
        );
        self.report(
            Diagnostic::error(codes::NOT_A_TIMER, span, text)
                .other(declared.span, "declared here")
                .note(format!(
                    "for one for each node declare `timer {}[Node]`",
                    declared.name
                )),
        );
    }

    /// Reports an unknown timer.
    fn unknown_timer(&mut self, name: &Name, scope: &Scope) {
        let known: Vec<String> = match scope.place {
            Place::Code(kind) | Place::First(kind) => {
                let timers = &self.model.kind(kind).timers;
                let own = scope.timers.iter().map(|t| timers[t.index()].name.clone());
                own.collect()
            }
            _ => Vec::new(),
        };
        let text = format!("there is no timer `{}`", name.text);
        let diagnostic = Diagnostic::error(codes::NOT_A_TIMER, name.span, text);
        // The name counts as declared from here on, so that further uses are not reported.
        self.globals.insert(name.text.clone(), Global::Refused);
        self.report(match known.is_empty() {
            true => diagnostic.note(format!("declare it in the node: `timer {}`", name.text)),
            false => suggest_or_list(diagnostic, "timer", name, &known),
        });
    }

    /// Reports a timer in a claim without its node. `None` if there is no timer with this name.
    fn timer_without_node(&mut self, name: &Name, span: Span, scope: &Scope) -> Option<Expr> {
        if self.is_known(name, scope) {
            return None;
        }
        let mut kinds = (0u32..).map(KindId).zip(&self.model.kinds);
        let (_, owner) = kinds.find(|(id, _)| self.timer_of(*id, &name.text).is_some())?;
        let note = format!(
            "every node of `{1}` has its own `{0}`: write `k.{0} is set`, behind `all k in {1}:` or `exists k in {1}:`",
            name.text, owner.name
        );
        let text = format!("there is no timer `{}` here", name.text);
        self.report(Diagnostic::error(codes::NOT_A_TIMER, name.span, text).note(note));
        Some(Expr::error(span))
    }
}

/// The timer and the index of a use, without enclosing parentheses.
fn parts(tree: &ast::Expr) -> (&ast::ExprKind, Option<&ast::Expr>) {
    match &tree.kind {
        ast::ExprKind::Paren(inner) => parts(inner),
        ast::ExprKind::Index(base, index) => (&base.kind, Some(index)),
        other => (other, None),
    }
}
