//! Claims: temporal formulas, and the rules for where temporal operators are allowed.

use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::{Place, Scope};
use crate::resolve::context::suggest::unknown;
use crate::{Claim, ClaimId, Expr, ExprKind, FieldRole, Formula, FormulaKind, Status};
use source::{Diagnostic, codes};
use syntax::ast::{self, Item, Name};

impl Resolver<'_> {
    /// Resolves every claim of the file.
    pub(crate) fn claims(&mut self) {
        let file = self.trees.file;
        for item in &file.items {
            let Item::Claim(tree) = item else {
                continue;
            };
            if let Some(first) = self.claims.get(&tree.name.text) {
                let first = self.model.claim(*first).span;
                self.duplicate(&tree.name, first, "for claims");
                continue;
            }
            let mut scope = Scope::new(Place::Claim);
            let mut parameters = Vec::new();
            for parameter in &tree.parameters {
                let ty = self.type_of(&parameter.ty);
                let domain = self.domain_of(&parameter.ty);
                self.misplaced_counter(&domain, parameter.ty.span, "a parameter of a claim");
                let taken = parameters
                    .iter()
                    .map(|(local, _)| *local)
                    .find(|local| self.model.local(*local).name == parameter.name.text);
                if let Some(first) = taken {
                    let first = self.model.local(first).span;
                    self.duplicate(&parameter.name, first, "in this claim");
                    continue;
                }
                let local = self.local(&parameter.name, ty);
                self.given.push(local);
                scope.bind(&parameter.name.text, local);
                parameters.push((local, domain));
            }
            if !has_temporal(&tree.formula) && tree.formula.kind != ast::ExprKind::Error {
                let text = format!(
                    "the claim `{}` is about one state; a claim speaks about whole runs",
                    tree.name.text
                );
                self.report(
                    Diagnostic::error(codes::CLAIM_WITHOUT_TIME, tree.formula.span, text)
                        .note("say when it should be true: `always (…)` or `eventually (…)`"),
                );
            }
            let formula = self.formula(&tree.formula, &mut scope);
            self.misplaced_deadlines(&formula, None);
            let id = ClaimId(self.model.claims.len() as u32);
            self.claims.insert(tree.name.text.clone(), id);
            self.model.claims.push(Claim {
                name: tree.name.text.clone(),
                parameters,
                formula,
                span: tree.name.span,
            });
        }
    }

    pub(crate) fn claim_named(&mut self, name: &Name) -> Option<ClaimId> {
        let found = self.claims.get(&name.text).copied();
        if found.is_none() {
            let known: Vec<String> = self.model.claims.iter().map(|c| c.name.clone()).collect();
            self.report(unknown(codes::UNKNOWN_CLAIM, "claim", name, &known));
        }
        found
    }

    /// Reports a temporal operator in node code, or inside an expression over one state.
    pub(crate) fn misplaced_temporal(&mut self, e: &ast::Expr, scope: &Scope) {
        let word = temporal_word(e);
        let diagnostic = match scope.place {
            Place::Code(_) | Place::First(_) => Diagnostic::error(
                codes::TEMPORAL_IN_CODE,
                e.span,
                format!("`{word}` speaks about whole runs; a node knows only the present"),
            )
            .note("write it in a `claim`"),
            _ => Diagnostic::error(
                codes::TEMPORAL_INSIDE,
                e.span,
                format!("`{word}` speaks about whole runs; here something about one state is wanted"),
            )
            .note("in a claim, `always`, `eventually`, `until`, `leads to` stand under each other and under `not and or implies all exists`"),
        };
        self.report(diagnostic);
    }

    fn formula(&mut self, e: &ast::Expr, scope: &mut Scope) -> Formula {
        let span = e.span;
        let make = |kind| Formula { kind, span };
        if !has_temporal(e) {
            let condition = self.condition(e, scope, "a claim").0;
            self.misplaced_now(&condition);
            return make(FormulaKind::State(condition));
        }
        let pair = |this: &mut Self, a: &ast::Expr, b: &ast::Expr, scope: &mut Scope| {
            let a = Box::new(this.formula(a, scope));
            let b = Box::new(this.formula(b, scope));
            (a, b)
        };
        match &e.kind {
            ast::ExprKind::Paren(inner) => Formula {
                span,
                ..self.formula(inner, scope)
            },
            ast::ExprKind::Unary(ast::UnaryOp::Not, inner) => {
                make(FormulaKind::Not(Box::new(self.formula(inner, scope))))
            }
            ast::ExprKind::Binary(ast::BinaryOp::And, a, b) => {
                let (a, b) = pair(self, a, b, scope);
                make(FormulaKind::And(a, b))
            }
            ast::ExprKind::Binary(ast::BinaryOp::Or, a, b) => {
                let (a, b) = pair(self, a, b, scope);
                make(FormulaKind::Or(a, b))
            }
            ast::ExprKind::Binary(ast::BinaryOp::Implies, a, b) => {
                let (a, b) = pair(self, a, b, scope);
                make(FormulaKind::Implies(a, b))
            }
            ast::ExprKind::Temporal(op, inner) => {
                let inner = Box::new(self.formula(inner, scope));
                make(match op {
                    ast::TemporalOp::Always => FormulaKind::Always(inner),
                    ast::TemporalOp::Eventually => FormulaKind::Eventually(inner),
                })
            }
            ast::ExprKind::Until(a, b) => {
                let (a, b) = pair(self, a, b, scope);
                make(FormulaKind::Until(a, b))
            }
            ast::ExprKind::LeadsTo(a, b, Some(within)) => {
                make(self.leads_to_within(a, b, within, span, scope))
            }
            ast::ExprKind::LeadsTo(a, b, None) => {
                let (a, b) = pair(self, a, b, scope);
                make(FormulaKind::LeadsTo(a, b))
            }
            ast::ExprKind::Quantifier {
                kind: kind @ (ast::QuantifierKind::All | ast::QuantifierKind::Exists),
                vars,
                domain,
                body,
            } => self.quantified_formula(*kind, vars, domain, body, e, scope),
            _ => {
                // A temporal operator is inside an expression over one state. Inference reports it at its span.
                self.infer(e, scope, None);
                make(FormulaKind::State(Expr::error(span)))
            }
        }
    }

    fn quantified_formula(
        &mut self,
        kind: ast::QuantifierKind,
        vars: &[Name],
        domain: &ast::Expr,
        body: &ast::Expr,
        whole: &ast::Expr,
        scope: &mut Scope,
    ) -> Formula {
        let depth = scope.enter();
        let mut bound = Vec::new();
        for var in vars {
            let (typed, local, _) = self.range_over(var, domain, scope, "a quantifier");
            if self.changes(&typed) {
                let text = format!(
                    "`{}` may change during a run, so it is not clear who is meant under `{}`",
                    self.text(typed.span),
                    first_temporal_word(body)
                );
                self.report(
                    Diagnostic::error(codes::TEMPORAL_INSIDE, typed.span, text).note(
                        "range over the kind and put the condition inside: `all k in Kind: always (… implies …)`",
                    ),
                );
            }
            bound.push((local, typed));
        }
        let mut formula = self.formula(body, scope);
        scope.leave(depth);
        for (var, domain) in bound.into_iter().rev() {
            let body = Box::new(formula);
            let kind = match kind {
                ast::QuantifierKind::All => FormulaKind::All { var, domain, body },
                _ => FormulaKind::Exists { var, domain, body },
            };
            formula = Formula {
                kind,
                span: whole.span,
            };
        }
        formula
    }

    /// Whether the value of an expression may change during a run.
    pub(crate) fn changes(&self, e: &Expr) -> bool {
        let mut found = false;
        e.walk(&mut |part| {
            found |= match &part.kind {
                ExprKind::Let(id) => self.changes(&self.model.abbreviation(*id).value),
                ExprKind::Call(id, _) => self.changes(&self.model.function(*id).body),
                ExprKind::NodeField(_, kind, field) => {
                    self.model.kind(*kind).fields[field.index()].role != FieldRole::Constant
                }
                ExprKind::Status(_, Status::Crashed | Status::Stopped | Status::Faultless) => {
                    self.model.has_runtime_faults()
                }
                ExprKind::Halted(_)
                | ExprKind::TimerSet(..)
                | ExprKind::Now
                | ExprKind::Sent(..)
                | ExprKind::Activations(_)
                | ExprKind::InFlight(..)
                | ExprKind::Quiescent => true,
                _ => false,
            };
        });
        found
    }
}

fn temporal_word(e: &ast::Expr) -> &'static str {
    match &e.kind {
        ast::ExprKind::Temporal(ast::TemporalOp::Always, _) => "always",
        ast::ExprKind::Temporal(ast::TemporalOp::Eventually, _) => "eventually",
        ast::ExprKind::Until(..) => "until",
        _ => "leads to",
    }
}

fn first_temporal_word(e: &ast::Expr) -> &'static str {
    let mut word = "always";
    visit(e, &mut |part| {
        let temporal = is_temporal(part);
        if temporal {
            word = temporal_word(part);
        }
        temporal
    });
    word
}

pub(crate) fn has_temporal(e: &ast::Expr) -> bool {
    visit(e, &mut is_temporal)
}

fn is_temporal(e: &ast::Expr) -> bool {
    matches!(
        e.kind,
        ast::ExprKind::Temporal(..) | ast::ExprKind::Until(..) | ast::ExprKind::LeadsTo(..)
    )
}

/// Whether `test` is true for the expression or one of its subexpressions; stops at the first such subexpression.
fn visit(e: &ast::Expr, test: &mut dyn FnMut(&ast::Expr) -> bool) -> bool {
    use ast::ExprKind::*;
    if test(e) {
        return true;
    }
    match &e.kind {
        Number { .. } | Bool(_) | None | SelfNode | Name(_) | Error | Any(Option::None) => false,
        Any(Some(a)) | Field(a, _) | Unary(_, a) | Is(a, _) | Temporal(_, a) | Paren(a) => {
            visit(a, test)
        }
        Index(a, b) | Binary(_, a, b) | Range(a, b) | Until(a, b) | LeadsTo(a, b, Option::None) => {
            visit(a, test) || visit(b, test)
        }
        LeadsTo(a, b, Some(c)) | If(a, b, c) => visit(a, test) || visit(b, test) || visit(c, test),
        Call(_, parts) | Set(parts) => parts.iter().any(|p| visit(p, test)),
        MethodCall(a, _, parts) => visit(a, test) || parts.iter().any(|p| visit(p, test)),
        PlusMinus {
            middle, deviation, ..
        } => middle.iter().any(|m| visit(m, test)) || visit(deviation, test),
        Match(a, arms) => visit(a, test) || arms.iter().any(|arm| visit(&arm.result, test)),
        Filter {
            domain: a,
            condition: b,
            ..
        }
        | Quantifier {
            domain: a, body: b, ..
        }
        | Extremum {
            domain: a, by: b, ..
        } => visit(a, test) || visit(b, test),
        Struct(_, fields) => fields.iter().any(|f| visit(&f.value, test)),
    }
}
