//! Visitors over all expressions of a Machine.

use crate::{Expr, Init, Machine, PropertyKind, Trigger};

impl Machine {
    /// Calls `visit` on every expression of the Machine and on all its descendants.
    pub fn each_expr<'m>(&'m self, visit: &mut dyn FnMut(&'m Expr)) {
        for var in &self.vars {
            if let Init::AnyIn(_, e) | Init::Value(_, e) = &var.init {
                e.walk(visit);
            }
        }
        for block in &self.blocks {
            if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &block.trigger {
                guard.walk(visit);
            }
            block.body.iter().for_each(|s| s.walk_exprs(visit));
        }
        for response in &self.responses {
            response.from.walk(visit);
            response.to.walk(visit);
        }
        for restriction in &self.initially {
            restriction.condition.walk(visit);
        }
        for property in &self.properties {
            match &property.kind {
                PropertyKind::Claim(claim) => claim.walk_exprs(visit),
                PropertyKind::Possible(condition) => condition.walk(visit),
            }
        }
    }

    /// Whether some expression of a property or of a bounded-response obligation satisfies `wanted`.
    pub fn properties_contain(&self, wanted: impl Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        let mut look = |e: &Expr| found |= wanted(e);
        for property in &self.properties {
            match &property.kind {
                crate::PropertyKind::Claim(formula) => formula.walk_exprs(&mut look),
                crate::PropertyKind::Possible(condition) => condition.walk(&mut look),
            }
        }
        for response in &self.responses {
            response.from.walk(&mut look);
            response.to.walk(&mut look);
        }
        found
    }
}
