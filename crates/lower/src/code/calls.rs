//! Calls: functions and actions are expanded inline; local names hold the arguments.

use crate::code::expressions::{DEEPEST_EXPANSION, MOST_EXPANSIONS};
use crate::context::lowering::Lowering;
use crate::context::names::Names;
use machine::{Expr as M, LocalId, Stmt, StmtKind, Type};
use model::{Call, Domain, Expr, FnId, KindId};

impl Lowering<'_> {
    /// A call of a function: its body, with local names bound to the arguments. Counts must not occur in arguments or
    /// results, because the ghosts saturate and their values would not fit the declared types.
    pub(crate) fn call(&mut self, id: FnId, arguments: &[Expr], e: &Expr, names: &mut Names) -> M {
        let function = self.model.function(id);
        let lowered = self.expanded(e, |this| {
            let lets = this.arguments(&function.parameters, arguments, names);
            let body = this.expr(&function.body, names);
            let body = match &function.result {
                Domain::Duration => body,
                result => {
                    let ty = this.ty(result);
                    this.within(body, ty, names)
                }
            };
            let bind = |body, (local, value)| M::Let(local, Box::new(value), Box::new(body));
            Some(lets.into_iter().rev().fold(body, bind))
        });
        lowered.unwrap_or(M::bool(true))
    }

    /// The expansion of an abbreviation or function. Reports an expansion beyond the limits and returns `None`.
    pub(crate) fn expanded<T>(
        &mut self,
        e: &Expr,
        lower: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        self.expansions.0 += 1;
        if self.expansions.0 > MOST_EXPANSIONS || self.expansions.1 > DEEPEST_EXPANSION {
            self.too_large(e);
            return None;
        }
        self.expansions.1 += 1;
        let lowered = lower(self);
        self.expansions.1 -= 1;
        lowered
    }

    /// Binds the arguments of a function to local names. Times are not values of the Machine: they are bound in
    /// `names` only.
    pub(crate) fn arguments(
        &mut self,
        parameters: &[(model::LocalId, Domain)],
        arguments: &[Expr],
        names: &mut Names,
    ) -> Vec<(LocalId, M)> {
        let mut lets = Vec::new();
        let mut times = Vec::new();
        for ((local, domain), argument) in parameters.iter().zip(arguments) {
            if argument.ty.has_duration() {
                times.push((*local, self.known_or_sum(argument, names)));
                continue;
            }
            let (value, ty) = self.argument(argument, domain, names);
            lets.push((*local, value, ty));
        }
        // All arguments are lowered in the scope of the call, before the first local name is bound.
        for (local, time) in times {
            names.name_time(local, time);
        }
        lets.into_iter()
            .map(|(local, value, ty)| (self.bind(local, ty, names), value))
            .collect()
    }

    /// The statements of a call of an action.
    pub(crate) fn call_action(
        &mut self,
        kind: KindId,
        call: &Call,
        names: &mut Names,
    ) -> Vec<Stmt> {
        let mut lowered = Vec::new();
        let mut values = Vec::new();
        for (local, domain, argument) in &call.arguments {
            let (value, ty) = self.argument(argument, domain, names);
            values.push((*local, value, ty, self.origins.of(argument.span)));
        }
        for (local, value, ty, origin) in values {
            let kind = StmtKind::Let(self.bind(local, ty, names), value);
            lowered.push(Stmt { origin, kind });
        }
        lowered.extend(self.statements(kind, &call.body, names));
        lowered
    }

    /// An argument as a value of the declared type of its parameter, and that type.
    fn argument(&mut self, argument: &Expr, domain: &Domain, names: &mut Names) -> (M, Type) {
        let ty = self.ty(domain);
        let value = self.expr(argument, names);
        (self.within(value, ty.clone(), names), ty)
    }

    /// The value with a range check, if its type is not included in `ty`.
    fn within(&self, value: M, ty: Type, names: &Names) -> M {
        match ty.includes(&self.type_of(&value, names)) {
            true => value,
            false => M::Within(ty, Box::new(value)),
        }
    }
}
