//! Timers: setting, cancelling, testing and expiry.

use crate::instance::data::Instance;
use crate::instance::scope::Scope;
use crate::instance::state::{State, Timer, Window};
use crate::instance::value::{Res, error, refuse};
use crate::instance::walk;
use syntax::ast::{Block, BlockHead, Expr, ExprKind};

impl<'a> Instance<'a> {
    /// The timer of a node to which an expression in its code refers; `None` if the expression is no timer.
    pub fn timer(
        &self,
        node: usize,
        e: &Expr,
        state: &State,
        scope: &mut Scope,
    ) -> Res<Option<Timer>> {
        let (name, index) = match &walk::bare(e).kind {
            ExprKind::Name(name) => (name, None),
            ExprKind::Index(base, index) => match &walk::bare(base).kind {
                ExprKind::Name(name) => (name, Some(index)),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let Some(place) = self.kind(node).timer(&name.text) else {
            return Ok(None);
        };
        let (_, wanted) = self.kind(node).timers[place];
        match (wanted, index) {
            (None, None) => Ok(Some((place, None))),
            (Some(of), Some(index)) => {
                let index = self.eval(index, state, scope)?.element();
                if !self.domain(of, state, scope)?.contains(&index) {
                    return error("an index outside of its timers");
                }
                Ok(Some((place, Some(index))))
            }
            _ => refuse(format!("timer `{}` with or without an index", name.text)),
        }
    }

    /// The value of `e is set` for a timer of the node itself or, in a claim, of any node; `None` if `e` is no timer.
    pub fn is_set(&self, e: &Expr, state: &State, scope: &mut Scope) -> Res<Option<bool>> {
        let e = walk::bare(e);
        if let Some(me) = scope.me
            && let Some(timer) = self.timer(me, e, state, scope)?
        {
            return Ok(Some(state.nodes[me].timers.contains_key(&timer)));
        }
        let (field, index) = match &e.kind {
            ExprKind::Index(base, index) => (walk::bare(base), Some(index)),
            _ => (e, None),
        };
        let ExprKind::Field(node, name) = &field.kind else {
            return Ok(None);
        };
        if !self.kinds.iter().any(|k| k.timer(&name.text).is_some()) {
            return Ok(None);
        }
        let node = self.eval(node, state, scope)?.node()?;
        let Some(place) = self.kind(node).timer(&name.text) else {
            return refuse(format!("a node without a timer `{}`", name.text));
        };
        let index = match index {
            Some(index) => Some(self.eval(index, state, scope)?.element()),
            None => None,
        };
        let timers = &state.nodes[node].timers;
        Ok(Some(timers.contains_key(&(place, index))))
    }

    /// The window of a timer that is set to the interval `e`.
    pub fn timer_window(&self, e: &Expr, state: &State, scope: &mut Scope) -> Res<Window> {
        let interval = self.interval(e, state, scope)?;
        self.window(interval)
    }

    /// The block that a timer of a node triggers, with the bindings of its head; `None` if there is no block.
    pub fn expiry(&self, node: usize, timer: &Timer) -> Res<Option<(&'a Block, Scope)>> {
        let (place, index) = timer;
        let (name, _) = self.kind(node).timers[*place];
        let mut blocks = self.kind(node).handlers(name);
        let Some(block) = blocks.next() else {
            return Ok(None);
        };
        let mut scope = Scope::of(node);
        match &block.head {
            BlockHead::On {
                index: bound,
                binding: None,
                from: None,
                guard: None,
                ..
            } if blocks.next().is_none() => match (bound, index) {
                (None, None) => {}
                (Some(bound), Some(index)) => scope.bind(&bound.text, index.clone()),
                _ => return refuse(format!("`on {name}` with or without an index")),
            },
            _ => return refuse(format!("several blocks `on {name}`, or a guard")),
        }
        Ok(Some((block, scope)))
    }
}
