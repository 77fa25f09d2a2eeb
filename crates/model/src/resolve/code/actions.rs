//! Actions: named statements of a node kind, declared once and called in its blocks.

use crate::resolve::context::foreign;
use crate::resolve::context::globals::Global;
use crate::resolve::context::resolver::{Action, ActionState, Resolved, Resolver};
use crate::resolve::context::scope::Scope;
use crate::resolve::context::suggest::suggest_or_list;
use crate::{Call, KindId, StmtKind};
use source::{Diagnostic, Span, codes};
use syntax::ast::{self, Name, NodeItem};

/// Maximum number of statements of an action after all calls in it are expanded.
const MOST_STATEMENTS: usize = 20_000;

impl<'a> Resolver<'a> {
    /// Starts the table of the actions of a node.
    pub(crate) fn open_actions(&mut self, items: &[&'a NodeItem]) {
        self.code.actions.clear();
        for item in items {
            let NodeItem::Action {
                name,
                parameters,
                body,
                ..
            } = item
            else {
                continue;
            };
            self.code.actions.push(Action {
                name,
                parameters,
                body,
                state: ActionState::Waiting,
            });
        }
    }

    /// Resolves the actions that are never called.
    pub(crate) fn close_actions(&mut self, kind: KindId, scope: &Scope) {
        for index in 0..self.code.actions.len() {
            if let ActionState::Waiting = self.code.actions[index].state {
                self.action(kind, index, scope);
            }
        }
    }

    /// The statement `f(a, b)`. `None` after a reported error.
    pub(crate) fn call_action(
        &mut self,
        kind: KindId,
        name: &Name,
        arguments: &[ast::Expr],
        span: Span,
        scope: &mut Scope,
    ) -> Option<StmtKind> {
        let found = self
            .code
            .actions
            .iter()
            .position(|a| a.name.text == name.text);
        let Some(index) = found else {
            for argument in arguments {
                self.infer(argument, scope, None);
            }
            self.unknown_action(name, scope);
            return None;
        };
        let declared = self.code.actions[index].name.span;
        if let ActionState::Running = self.code.actions[index].state {
            let text = format!("the action `{}` calls itself", name.text);
            self.report(
                Diagnostic::error(codes::CYCLIC_LET, name.span, text)
                    .other(declared, "this action")
                    .note("an action stands for its statements: it cannot contain itself, directly or through others")
                    .note("to do something again and again, use `for x in S { … }`, or another event"),
            );
            return None;
        }
        let action = self.action(kind, index, scope)?;
        let values = self.arguments(name, &action.parameters, arguments, declared, span, scope)?;
        let mut count = 0;
        for statement in &action.body {
            statement.walk(&mut |_| count += 1);
        }
        if count > MOST_STATEMENTS {
            let text = "actions that call actions make this too large to write out";
            self.error(codes::TOO_DEEP, span, text);
            return None;
        }
        self.code.sends.extend(action.sends);
        let parameters = action.parameters.into_iter().zip(values);
        Some(StmtKind::Call(Call {
            name: name.text.clone(),
            arguments: parameters.map(|((l, _, d), e)| (l, d, e)).collect(),
            body: action.body,
        }))
    }

    /// Resolves an action at its first use. `None` if it is being resolved, that is, if it calls itself. `around` is
    /// the scope of its node.
    fn action(&mut self, kind: KindId, index: usize, around: &Scope) -> Option<Resolved> {
        let action = &mut self.code.actions[index];
        match &action.state {
            ActionState::Done(resolved) => return Some(resolved.clone()),
            ActionState::Running => return None,
            ActionState::Waiting => {}
        }
        action.state = ActionState::Running;
        let (trees, body) = (action.parameters, action.body);
        let mut scope = Scope::of_node(around.place, around.fields.clone(), around.timers.clone());
        scope.in_action = true;
        let parameters = self.parameters(trees, &mut scope, "in this action");
        for (tree, (_, ty, _)) in trees.iter().zip(&parameters) {
            if ty.has_duration() {
                self.refuse(tree.ty.span, "times that an action is called with");
            }
        }
        let outside = std::mem::take(&mut self.code.sends);
        let body = self.statements(kind, body, &[], &mut scope);
        let sends = std::mem::replace(&mut self.code.sends, outside);
        let resolved = Resolved {
            parameters,
            body,
            sends,
        };
        self.code.actions[index].state = ActionState::Done(resolved.clone());
        Some(resolved)
    }

    fn unknown_action(&mut self, name: &Name, scope: &Scope) {
        if let Some(timer) = self.timer_named(&name.text, scope) {
            return self.only_a_timer(timer, name.span, scope);
        }
        if let Some(Global::Fn(_)) = self.globals.get(&name.text) {
            let text = format!(
                "`{}` is a function: here its value would go nowhere",
                name.text
            );
            self.report(
                Diagnostic::error(codes::UNKNOWN_FUNCTION, name.span, text).note(format!(
                    "write `x = {0}(…)` or `let x = {0}(…)`; what does something is an `action`",
                    name.text
                )),
            );
            return;
        }
        let text = format!("there is no action `{}`", name.text);
        let diagnostic = Diagnostic::error(codes::UNKNOWN_FUNCTION, name.span, text);
        self.report(match foreign::call(&name.text) {
            Some(note) => diagnostic.note(note),
            None => {
                let known: Vec<String> = self
                    .code
                    .actions
                    .iter()
                    .map(|a| a.name.text.clone())
                    .collect();
                suggest_or_list(diagnostic, "action", name, &known)
            }
        });
    }

    /// Whether the current node has an action with this name.
    pub(crate) fn is_action(&self, name: &str) -> bool {
        self.code.actions.iter().any(|a| a.name.text == name)
    }
}
