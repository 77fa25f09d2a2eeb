//! The constants of declared times and of properties.

use crate::{Delay, Expr, First, Jitter, Machine, PropertyKind, StmtKind};
use rational::Rational;

impl Machine {
    /// The greatest unit that divides all time constants; 1 if all constants are 0.
    pub fn time_unit(&self) -> Rational {
        let mut unit = Rational::default();
        for time in self.time_constants() {
            unit = unit.gcd(&time);
        }
        match unit.is_zero() {
            true => Rational::ONE,
            false => unit,
        }
    }

    /// All time constants of a Machine and its properties.
    pub fn time_constants(&self) -> Vec<Rational> {
        let mut found = self.compared_times();
        for (_, periodic) in self.periodic_kinds() {
            found.extend([periodic.gap.0.clone(), periodic.gap.1.clone()]);
            if let Jitter::PerGap(by) | Jitter::OnGrid(by) = &periodic.jitter {
                found.push(by.clone());
            }
            for first in [&periodic.first.0, &periodic.first.1] {
                if let First::At(time) = first {
                    found.push(time.clone());
                }
            }
        }
        if let Delay::Within(least, most) = &self.delay {
            found.extend([least.clone(), most.clone()]);
        }
        for statement in self.blocks.iter().flat_map(|block| &block.body) {
            statement.walk(&mut |s| {
                if let StmtKind::SetTimer(_, _, from, to) = &s.kind {
                    for sum in [from, to] {
                        found.push(sum.constant.clone());
                        found.extend(sum.terms.iter().map(|(_, by)| by.clone()));
                    }
                }
            });
        }
        for restart in self
            .runtime_faults
            .iter()
            .filter_map(|item| item.stop.as_ref())
        {
            if let Some((least, most)) = &restart.within {
                found.extend([least.clone(), most.clone()]);
            }
        }
        found.extend(self.responses.iter().map(|r| r.within.clone()));
        found
    }

    /// The constants with which the properties compare `now`.
    pub fn compared_times(&self) -> Vec<Rational> {
        let mut found = Vec::new();
        let mut look = |e: &Expr| {
            if let Expr::Now(_, time) = e {
                found.push(time.clone());
            }
        };
        for property in &self.properties {
            match &property.kind {
                PropertyKind::Claim(claim) => claim.walk_exprs(&mut look),
                PropertyKind::Possible(condition) => condition.walk(&mut look),
            }
        }
        found
    }
}
