//! The values that variables have after a restart.

use crate::program::compile::Compiler;
use crate::program::compiled_machine::Compiled;
use crate::program::expression::{Code, Domain};
use machine::Init;

/// What a variable begins with if its node begins again afresh.
pub(crate) enum Afresh {
    Is(Code),
    In(Domain),
    /// So many values, from the first on.
    Any(i64, i64),
}

impl<'m> Compiled<'m> {
    /// What variables begin with, by node, if the nodes can begin again afresh.
    pub(crate) fn all_afresh(&self) -> Result<Vec<Vec<Option<Afresh>>>, String> {
        let nodes = self.machine.nodes().map(|node| {
            let fresh = self
                .machine
                .restart_of(node)
                .is_some_and(|restart| restart.fresh);
            let vars = self.machine.vars_of(self.machine.kind_of(node));
            let vars = vars.map(|var| match fresh && !var.persistent {
                true => self.afresh(var).map(Some),
                false => Ok(None),
            });
            vars.collect::<Result<Vec<_>, String>>()
        });
        nodes.collect()
    }

    fn afresh(&self, var: &'m machine::Var) -> Result<Afresh, String> {
        Ok(match &var.init {
            Init::Any => Afresh::Any(
                self.codec.first(&var.ty),
                self.codec.places(&var.ty)? as i64,
            ),
            Init::AnyIn(scope, set) => {
                let mut compiler = Compiler::new(self.machine, scope);
                let whole = var.ty.clone().set();
                self.codec.places(&whole)?;
                Afresh::In(Domain::Mask(
                    compiler.typed(set, &whole)?,
                    self.codec.first(&var.ty),
                ))
            }
            Init::Value(scope, value) => {
                Afresh::Is(Compiler::new(self.machine, scope).typed(value, &var.ty)?)
            }
        })
    }
}
