//! Questions: claims with arguments, `possible` conditions, and restrictions of the initial states.

use crate::claims::deadlines::has_deadline;
use crate::context::counts::Range;
use crate::context::lowering::Lowering;
use crate::context::names::Names;
use machine::{Formula as F, Predicate, Property, PropertyKind};
use model::{ClaimUse, Constant, Domain, Expr, Formula, FormulaKind, LocalId, Question, Searched};
use std::collections::HashMap;

impl Lowering<'_> {
    /// Adds the properties of the check and the restrictions of its initial states.
    pub(crate) fn questions(&mut self) {
        let check = self.check;
        let world = check.world.map(|w| self.model.world(w));
        let own = world.and_then(|w| w.initially.as_ref());
        let conditions = own.unwrap_or(&self.model.initially);
        if let Some(condition) = self.order_of_ids() {
            self.instance_restrictions += 1;
            self.machine.initially.push(Predicate {
                scope: machine::Scope::default(),
                condition,
            });
        }
        let of_network = self.instance.topology.and_then(|t| t.condition.as_ref());
        self.instance_restrictions += of_network.iter().count();
        let conditions = of_network.into_iter().chain(conditions);
        for condition in conditions.chain(&check.assuming) {
            let mut names = Names {
                numbers: true,
                ..Names::default()
            };
            let condition = self.expr(condition, &mut names);
            self.machine.initially.push(Predicate {
                scope: names.scope,
                condition,
            });
        }
        match &check.question {
            Question::Claims(claims) => {
                for claim in claims {
                    self.claim(claim, None);
                }
            }
            Question::Possible(condition) => self.possible(condition),
            Question::Extreme {
                searched: Searched::Param(_),
                claims,
                ..
            } => {
                for claim in claims {
                    self.claim(claim, None);
                }
            }
            Question::Extreme {
                searched: Searched::Argument { local, .. },
                claims,
                ..
            } => {
                for value in self.instance.searched.clone() {
                    for claim in claims {
                        self.claim(claim, Some((*local, &value)));
                    }
                }
            }
        }
    }

    /// Adds a claim as a property. `searched` is the sought argument with its value, if there is one.
    fn claim(&mut self, used: &ClaimUse, searched: Option<(LocalId, &Constant)>) {
        let known = searched.map(|(local, value)| (local, value.clone()));
        let known: HashMap<LocalId, Constant> = known.into_iter().collect();
        let claim = self.model.claim(used.claim);
        let mut names = Names::default();
        let mut values = Vec::new();
        for ((local, domain), argument) in claim.parameters.iter().zip(&used.arguments) {
            let Some(constant) = self.constant_with(argument, &known) else {
                continue;
            };
            values.push(constant.text(self.model));
            names.constants.insert(*local, constant.clone());
            if *domain == Domain::Duration {
                continue;
            }
            let ty = self.ty(domain);
            let value = self.value(&constant);
            if !self.machine.is_of(&value, &ty) {
                self.report(source::Diagnostic::error(
                    source::codes::OUT_OF_RANGE,
                    argument.span,
                    format!(
                        "`{}` cannot be {}: that is outside its range",
                        self.model.local(*local).name,
                        constant.text(self.model)
                    ),
                ));
            }
            let value = self.written_out(&value, &ty);
            names.bound.insert(*local, value);
        }
        let name = match values.as_slice() {
            [] => claim.name.clone(),
            values => format!("{}({})", claim.name, values.join(", ")),
        };
        if !self.problems.is_empty() {
            return;
        }
        let formula = match has_deadline(&claim.formula) {
            true => self.deadlines(&claim.formula, &mut names),
            false => self.formula(&claim.formula, &mut names),
        };
        self.machine.properties.push(Property {
            name,
            scope: names.scope,
            kind: PropertyKind::Claim(formula),
        });
    }

    fn possible(&mut self, condition: &Expr) {
        let mut names = Names::default();
        let condition = self.expr(condition, &mut names);
        self.machine.properties.push(Property {
            name: "possible".into(),
            scope: names.scope,
            kind: PropertyKind::Possible(condition),
        });
    }

    pub(crate) fn formula(&mut self, formula: &Formula, names: &mut Names) -> F {
        let bare = match &formula.kind {
            FormulaKind::State(e) => return F::State(self.expr(e, names)),
            FormulaKind::Not(a) => F::Not(self.inner(a, names)),
            FormulaKind::And(a, b) => F::And(self.inner(a, names), self.inner(b, names)),
            FormulaKind::Or(a, b) => F::Or(self.inner(a, names), self.inner(b, names)),
            FormulaKind::Implies(a, b) => F::Implies(self.inner(a, names), self.inner(b, names)),
            FormulaKind::Always(a) => F::Always(self.inner(a, names)),
            FormulaKind::Eventually(a) => F::Eventually(self.inner(a, names)),
            FormulaKind::Until(a, b) => F::Until(self.inner(a, names), self.inner(b, names)),
            FormulaKind::LeadsTo(a, b) => F::LeadsTo(self.inner(a, names), self.inner(b, names)),
            FormulaKind::LeadsToWithin { .. } => {
                unreachable!("deadlines are lowered in `deadlines`")
            }
            FormulaKind::All { var, domain, body } => {
                names
                    .ranges
                    .extend(Range::of(domain).map(|range| (*var, range)));
                let domain = self.expr(domain, names);
                let local = self.bind_over(*var, &domain, names);
                F::All(local, domain, self.inner(body, names))
            }
            FormulaKind::Exists { var, domain, body } => {
                names
                    .ranges
                    .extend(Range::of(domain).map(|range| (*var, range)));
                let domain = self.expr(domain, names);
                let local = self.bind_over(*var, &domain, names);
                F::Exists(local, domain, self.inner(body, names))
            }
        };
        F::At(self.origins.of(formula.span), Box::new(bare))
    }

    fn inner(&mut self, formula: &Formula, names: &mut Names) -> Box<F> {
        Box::new(self.formula(formula, names))
    }
}
