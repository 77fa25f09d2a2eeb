//! Translates expressions from the lossless tree to the AST.

use super::{Reader, child, expressions, has_word, tokens, word};
use crate::ast::{
    BinaryOp, Expr, ExprKind, FieldInit, MatchArm, Name, QuantifierKind, TemporalOp, UnaryOp,
};
use crate::lexical::foreign;
use crate::lexical::kind::{SyntaxKind, SyntaxNode};
use source::Span;

impl Reader<'_> {
    /// The n-th expression among the children of a node; `Error` if it is missing.
    pub(super) fn nth_expression(&mut self, node: &SyntaxNode, n: usize) -> Expr {
        match expressions(node).nth(n) {
            Some(found) => self.expression(&found),
            None => {
                let end = self.span(node).end;
                Expr {
                    kind: ExprKind::Error,
                    span: Span::new(self.file, end, end),
                }
            }
        }
    }

    /// The n-th expression among the children of a node, if there is one.
    pub(super) fn maybe_expression(&mut self, node: &SyntaxNode, n: usize) -> Option<Expr> {
        expressions(node)
            .nth(n)
            .map(|found| self.expression(&found))
    }

    /// All expressions among the children of a node.
    pub(super) fn all_expressions(&mut self, node: &SyntaxNode) -> Vec<Expr> {
        expressions(node)
            .map(|found| self.expression(&found))
            .collect()
    }

    /// Translates an expression; the result is `Error` if the node cannot be translated.
    pub(super) fn expression(&mut self, node: &SyntaxNode) -> Expr {
        cancellation::poll();
        let kind = self.kind(node).unwrap_or(ExprKind::Error);
        Expr {
            kind,
            span: self.span(node),
        }
    }

    fn boxed(&mut self, node: &SyntaxNode, n: usize) -> Box<Expr> {
        Box::new(self.nth_expression(node, n))
    }

    fn kind(&mut self, node: &SyntaxNode) -> Option<ExprKind> {
        Some(match node.kind() {
            SyntaxKind::NumberExpr => self.number(node),
            SyntaxKind::WordExpr => constant(node)?,
            SyntaxKind::NameExpr => ExprKind::Name(self.token_name(&word(node)?)),
            SyntaxKind::AnyExpr => {
                let set = self.maybe_expression(node, 0);
                ExprKind::Any(set.map(Box::new))
            }
            SyntaxKind::FieldExpr => ExprKind::Field(self.boxed(node, 0), self.name(node)?),
            SyntaxKind::IndexExpr => ExprKind::Index(self.boxed(node, 0), self.boxed(node, 1)),
            SyntaxKind::CallExpr | SyntaxKind::MethodCallExpr => self.call(node)?,
            SyntaxKind::UnaryExpr => ExprKind::Unary(unary(node)?, self.boxed(node, 0)),
            SyntaxKind::BinaryExpr => self.binary(node)?,
            SyntaxKind::RangeExpr => ExprKind::Range(self.boxed(node, 0), self.boxed(node, 1)),
            SyntaxKind::PlusMinusExpr => self.plus_minus(node),
            SyntaxKind::IfExpr => {
                let (then, otherwise) = (self.boxed(node, 1), self.boxed(node, 2));
                ExprKind::If(self.boxed(node, 0), then, otherwise)
            }
            SyntaxKind::MatchExpr => self.match_expression(node),
            SyntaxKind::SetExpr => ExprKind::Set(self.all_expressions(node)),
            SyntaxKind::FilterExpr => self.filter(node)?,
            SyntaxKind::StructExpr => self.structure(node)?,
            SyntaxKind::QuantifierExpr => self.quantifier(node)?,
            SyntaxKind::ExtremumExpr => ExprKind::Extremum {
                largest: has_word(node, "largest"),
                var: self.name(node)?,
                domain: self.boxed(node, 0),
                by: self.boxed(node, 1),
            },
            SyntaxKind::IsExpr => ExprKind::Is(self.boxed(node, 0), self.name(node)?),
            SyntaxKind::TemporalExpr => ExprKind::Temporal(temporal(node)?, self.boxed(node, 0)),
            SyntaxKind::UntilExpr => ExprKind::Until(self.boxed(node, 0), self.boxed(node, 1)),
            SyntaxKind::LeadsToExpr => {
                let within = self.maybe_expression(node, 2).map(Box::new);
                ExprKind::LeadsTo(self.boxed(node, 0), self.boxed(node, 1), within)
            }
            SyntaxKind::ParenExpr => ExprKind::Paren(self.boxed(node, 0)),
            _ => return None,
        })
    }

    fn call(&mut self, node: &SyntaxNode) -> Option<ExprKind> {
        let callee = expressions(node).next()?;
        let arguments = match child(node, SyntaxKind::Arguments) {
            Some(arguments) => self.all_expressions(&arguments),
            None => Vec::new(),
        };
        Some(match callee.kind() {
            SyntaxKind::FieldExpr => {
                ExprKind::MethodCall(self.boxed(&callee, 0), self.name(&callee)?, arguments)
            }
            SyntaxKind::NameExpr => ExprKind::Call(self.token_name(&word(&callee)?), arguments),
            _ => return None,
        })
    }

    fn binary(&mut self, node: &SyntaxNode) -> Option<ExprKind> {
        let (left, right) = (self.boxed(node, 0), self.boxed(node, 1));
        let mut operator = ours(node)?;
        if operator == "not" {
            // `x not in S`: the parser has reported it.
            operator = "in".to_owned();
        }
        Some(ExprKind::Binary(binary_operator(&operator)?, left, right))
    }

    fn plus_minus(&mut self, node: &SyntaxNode) -> ExprKind {
        let relative = if has_word(node, "%") {
            Some((1, 100))
        } else if has_word(node, "ppm") {
            Some((1, 1_000_000))
        } else {
            None
        };
        let sign_first = node
            .first_child_or_token()
            .is_some_and(|first| first.kind() == SyntaxKind::PlusMinus);
        let (middle, deviation) = if sign_first {
            (None, self.boxed(node, 0))
        } else {
            (Some(self.boxed(node, 0)), self.boxed(node, 1))
        };
        ExprKind::PlusMinus {
            middle,
            deviation,
            relative,
        }
    }

    fn match_expression(&mut self, node: &SyntaxNode) -> ExprKind {
        let value = self.boxed(node, 0);
        let arms = node
            .children()
            .filter(|child| child.kind() == SyntaxKind::MatchArm)
            .map(|arm| MatchArm {
                pattern: self.pattern(&arm),
                result: self.nth_expression(&arm, 0),
            })
            .collect();
        ExprKind::Match(value, arms)
    }

    /// The pattern of an arm; `None` for `_` and `else`.
    pub(super) fn pattern(&mut self, arm: &SyntaxNode) -> Option<Expr> {
        let pattern = child(arm, SyntaxKind::Pattern)?;
        if has_word(&pattern, "else") || has_word(&pattern, "_") {
            return None;
        }
        Some(self.nth_expression(&pattern, 0))
    }

    fn filter(&mut self, node: &SyntaxNode) -> Option<ExprKind> {
        let binding = child(node, SyntaxKind::Binding)?;
        let bound = expressions(&binding).next()?;
        Some(ExprKind::Filter {
            var: self.bound_name(&bound)?,
            domain: self.boxed(&binding, 1),
            condition: self.boxed(node, 0),
        })
    }

    fn bound_name(&self, node: &SyntaxNode) -> Option<Name> {
        (node.kind() == SyntaxKind::NameExpr)
            .then(|| word(node))?
            .map(|token| self.token_name(&token))
    }

    fn structure(&mut self, node: &SyntaxNode) -> Option<ExprKind> {
        let name = self.name(node)?;
        let fields = node
            .children()
            .filter(|child| child.kind() == SyntaxKind::FieldInit)
            .filter_map(|field| {
                Some(FieldInit {
                    name: self.name(&field)?,
                    value: self.nth_expression(&field, 0),
                })
            })
            .collect();
        Some(ExprKind::Struct(name, fields))
    }

    fn quantifier(&mut self, node: &SyntaxNode) -> Option<ExprKind> {
        let kind = match ours(node)?.as_str() {
            "all" => QuantifierKind::All,
            "exists" => QuantifierKind::Exists,
            "the" => QuantifierKind::The,
            "max" => QuantifierKind::Max,
            "min" => QuantifierKind::Min,
            "count" => QuantifierKind::Count,
            "sum" => QuantifierKind::Sum,
            "union" => QuantifierKind::Union,
            "intersect" => QuantifierKind::Intersect,
            _ => return None,
        };
        let vars = self.names(node);
        if vars.is_empty() {
            return None;
        }
        Some(ExprKind::Quantifier {
            kind,
            vars,
            domain: self.boxed(node, 0),
            body: self.boxed(node, 1),
        })
    }
}

/// The first token of a node; a foreign operator is replaced by its equivalent.
fn ours(node: &SyntaxNode) -> Option<String> {
    let token = tokens(node).next()?;
    Some(match token.kind() {
        SyntaxKind::Foreign => foreign::ours(token.text())?.to_owned(),
        _ => token.text().to_owned(),
    })
}

fn constant(node: &SyntaxNode) -> Option<ExprKind> {
    Some(match word(node)?.text() {
        "true" => ExprKind::Bool(true),
        "false" => ExprKind::Bool(false),
        "none" => ExprKind::None,
        _ => ExprKind::SelfNode,
    })
}

fn unary(node: &SyntaxNode) -> Option<UnaryOp> {
    Some(match ours(node)?.as_str() {
        "-" => UnaryOp::Neg,
        "not" => UnaryOp::Not,
        _ => return None,
    })
}

fn temporal(node: &SyntaxNode) -> Option<TemporalOp> {
    Some(match ours(node)?.as_str() {
        "always" => TemporalOp::Always,
        "eventually" => TemporalOp::Eventually,
        _ => return None,
    })
}

fn binary_operator(operator: &str) -> Option<BinaryOp> {
    Some(match operator {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Sub,
        "*" => BinaryOp::Mul,
        "/" => BinaryOp::Div,
        "mod" | "%" => BinaryOp::Mod,
        "union" => BinaryOp::Union,
        "intersect" => BinaryOp::Intersect,
        "minus" => BinaryOp::Minus,
        "==" | "=" => BinaryOp::Eq,
        // `a <> b`: the parser has reported it.
        "!=" | "eventually" => BinaryOp::Ne,
        "<" => BinaryOp::Lt,
        "<=" => BinaryOp::Le,
        ">" => BinaryOp::Gt,
        ">=" => BinaryOp::Ge,
        "in" => BinaryOp::In,
        "subset" => BinaryOp::Subset,
        "and" => BinaryOp::And,
        "or" => BinaryOp::Or,
        "implies" => BinaryOp::Implies,
        _ => return None,
    })
}
