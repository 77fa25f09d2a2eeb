//! Parts of the Model that have no Machine yet, refused by name.

use crate::structure::Lowering;
use model::{Delay, Expr, ExprKind, Formula, FormulaKind, KindId, Question};
use source::{Diagnostic, Span, codes};

impl Lowering<'_> {
    /// Says which parts of this check cannot be lowered.
    pub(crate) fn not_yet(&mut self) {
        let mut found: Vec<(Span, &str)> = Vec::new();
        if let Some(network) = self.surrounding_network() {
            match network.delay {
                Some(Delay::Within(_)) => found.push((network.span, "`delivery within`")),
                Some(Delay::BeforeNextActivation) => {
                    found.push((network.span, "`delivery before next activation`"));
                }
                None => {}
            }
        }
        let world = self.check.world.map(|w| self.model.world(w));
        let own = world.and_then(|w| w.faults.as_ref());
        for strike in &own.unwrap_or(&self.model.faults).strikes {
            found.push((strike.span, "faults at any time"));
        }
        for index in 0..self.model.kinds.len() as u32 {
            let kind = KindId(index);
            for timer in &self.body(kind).timers {
                let declared = &self.model.kind(kind).timers[timer.index()];
                found.push((declared.span, "`timer`"));
            }
        }
        match &self.check.question {
            Question::Claims(claims) | Question::Extreme { claims, .. } => {
                for used in claims {
                    self.in_formula(&self.model.claim(used.claim).formula, &mut found);
                }
            }
            Question::Possible(condition) => self.in_condition(condition, &mut found),
        }
        for (span, what) in found {
            let text = format!("{what}: not in this version");
            self.report(Diagnostic::error(codes::NOT_IN_THIS_VERSION, span, text));
        }
    }

    fn in_formula(&self, formula: &Formula, found: &mut Vec<(Span, &str)>) {
        match &formula.kind {
            FormulaKind::State(e) => self.in_condition(e, found),
            FormulaKind::LeadsToWithin { .. } => {
                found.push((formula.span, "`leads to … within`"));
            }
            FormulaKind::Not(a)
            | FormulaKind::Always(a)
            | FormulaKind::Eventually(a)
            | FormulaKind::All { body: a, .. }
            | FormulaKind::Exists { body: a, .. } => self.in_formula(a, found),
            FormulaKind::And(a, b)
            | FormulaKind::Or(a, b)
            | FormulaKind::Implies(a, b)
            | FormulaKind::Until(a, b)
            | FormulaKind::LeadsTo(a, b) => {
                self.in_formula(a, found);
                self.in_formula(b, found);
            }
        }
    }

    fn in_condition(&self, e: &Expr, found: &mut Vec<(Span, &str)>) {
        e.walk(&mut |part| match &part.kind {
            ExprKind::Now => found.push((part.span, "`now`")),
            ExprKind::Let(id) => self.in_condition(&self.model.abbreviation(*id).value, found),
            ExprKind::Call(id, _) => self.in_condition(&self.model.function(*id).body, found),
            _ => {}
        });
    }
}
