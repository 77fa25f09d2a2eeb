//! The values of variables after a restart of their node.

use crate::program::compile::Compiler;
use crate::program::compiled_machine::CompiledMachine;
use crate::program::expression::{Code, Domain};
use machine::Init;

/// The value of a variable after a fresh restart of its node.
pub(crate) enum RestartValue {
    NodeKey(Code),
    In(Domain),
    /// Any of the values of its type: first number, and number of values.
    Any(i64, i64),
}

impl<'m> CompiledMachine<'m> {
    /// By node and variable: its value after a fresh restart; `None` if it keeps its value, or if the node has no fresh
    /// restart.
    pub(crate) fn all_restart_values(&self) -> Result<Vec<Vec<Option<RestartValue>>>, String> {
        let nodes = self.machine.nodes().map(|node| {
            let fresh = self
                .machine
                .restart_of(node)
                .is_some_and(|restart| restart.fresh);
            let vars = self.machine.vars_of(self.machine.kind_of(node));
            let vars = vars.map(|var| match fresh && !var.persistent {
                true => self.restart_values(var).map(Some),
                false => Ok(None),
            });
            vars.collect::<Result<Vec<_>, String>>()
        });
        nodes.collect()
    }

    fn restart_values(&self, var: &'m machine::Var) -> Result<RestartValue, String> {
        Ok(match &var.init {
            Init::Any => RestartValue::Any(
                self.codec.first(&var.ty),
                self.codec.places(&var.ty)? as i64,
            ),
            Init::AnyIn(scope, set) => {
                let mut compiler = Compiler::new(self.machine, scope);
                let whole = var.ty.clone().set();
                self.codec.places(&whole)?;
                RestartValue::In(Domain::Mask(
                    compiler.typed(set, &whole)?,
                    self.codec.first(&var.ty),
                ))
            }
            Init::Value(scope, value) => {
                RestartValue::NodeKey(Compiler::new(self.machine, scope).typed(value, &var.ty)?)
            }
        })
    }
}
