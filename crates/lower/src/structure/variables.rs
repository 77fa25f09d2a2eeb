//! Timers and variables of nodes.

use crate::context::lowering::{Lowering, Slot};
use crate::context::names::Names;
use machine::{Init, MOST_ELEMENTS, Type, Var, VarId};
use model::{FieldRole, KindId, VarStart};
use source::{Diagnostic, Span, codes};

impl Lowering<'_> {
    /// Adds the timers of the nodes of each kind.
    pub(crate) fn timers(&mut self) {
        for index in 0..self.model.kinds.len() as u32 {
            let kind = KindId(index);
            for timer in &self.body(kind).timers {
                let declared = &self.model.kind(kind).timers[timer.index()];
                self.has_times(declared.span);
                let id = machine::TimerId(self.machine.timers.len() as u32);
                self.slots.timers.insert((kind, *timer), id);
                let origin = self.origins.of(declared.span);
                self.machine.timers.push(machine::Timer {
                    name: declared.name.clone(),
                    kind: machine::KindId(index),
                    per_node: declared.per_node,
                    origin,
                });
            }
        }
    }

    pub(crate) fn variables(&mut self) {
        for index in 0..self.model.kinds.len() as u32 {
            let kind = KindId(index);
            self.current_kind = Some(kind);
            for var in &self.body(kind).vars {
                let ty = self.ty(&var.domain);
                self.add_parts(kind, &ty, var.span);
                let mut names = Names::of_node();
                names.numbers = true;
                let init = match &var.start {
                    VarStart::Any => Init::Any,
                    VarStart::AnyIn(set) => {
                        let set = self.expr(set, &mut names);
                        Init::AnyIn(names.scope, set)
                    }
                    VarStart::Value(value) => {
                        let value = self.expr(value, &mut names);
                        Init::Value(names.scope, value)
                    }
                };
                let id = VarId(self.machine.vars.len() as u32);
                self.slots.fields.insert((kind, var.field), Slot::Var(id));
                let role = self.model.kind(kind).fields[var.field.index()].role;
                let origin = self.origins.of(var.span);
                if !var.persistent && init == Init::Any {
                    self.check_restart(kind, &ty, var.span);
                }
                self.machine.vars.push(Var {
                    name: self.field_name(kind, var.field),
                    kind: machine::KindId(index),
                    ty,
                    init,
                    ghost: role == FieldRole::Ghost,
                    persistent: var.persistent,
                    origin,
                });
            }
        }
        self.current_kind = None;
    }

    /// Reports a variable that a fresh restart resets to any value of its type, if the type has too many values to enumerate.
    fn check_restart(&mut self, kind: KindId, ty: &Type, span: Span) {
        let values = self.machine.cardinality(ty);
        if values <= MOST_ELEMENTS || !self.machine.restarts_fresh(machine::KindId(kind.0)) {
            return;
        }
        let many = match values {
            u128::MAX => "too many values".to_string(),
            values => format!("{values} values, too many"),
        };
        let text = format!("a node that restarts fresh would choose among {many} to go through");
        self.report(
            Diagnostic::error(codes::NUMBER_TOO_LARGE, span, text).note(format!(
                "at most {MOST_ELEMENTS}: give the variable a smaller type, make it `persistent var`, or let nodes restart `keeping state`"
            )),
        );
    }
}
