//! Translates checks from the lossless tree to the AST.

use super::{Reader, child, has_word, word};
use crate::ast::{Answer, Check, ForClause, Name, Question};
use crate::lexical::kind::{SyntaxKind, SyntaxNode};
use source::{Diagnostic, codes};

impl Reader<'_> {
    pub(super) fn check(&mut self, node: &SyntaxNode) -> Check {
        let mut check = Check {
            question: self.question(node),
            world: None,
            variants: Vec::new(),
            ranges: Vec::new(),
            assuming: None,
            unfair: None,
            expect: Vec::new(),
            span: self.span(node),
        };
        for clause in node.children() {
            self.clause(&clause, &mut check);
        }
        check
    }

    fn clause(&mut self, node: &SyntaxNode, check: &mut Check) {
        let again = match node.kind() {
            SyntaxKind::InClause => {
                let again = check.world.is_some();
                check.world = self.name(node);
                again
            }
            SyntaxKind::WithClause => {
                check.variants.extend(self.names(node));
                false
            }
            SyntaxKind::ForClause => {
                let ranges = node.children().filter_map(|range| self.range(&range));
                check.ranges.extend(ranges.collect::<Vec<_>>());
                false
            }
            SyntaxKind::AssumingClause => {
                let again = check.assuming.is_some();
                check.assuming = Some(self.nth_expression(node, 0));
                again
            }
            SyntaxKind::UnfairClause => {
                check.unfair = Some(self.span(node));
                false
            }
            SyntaxKind::ExpectClause => {
                let again = !check.expect.is_empty();
                let answers = node.children().filter_map(|answer| self.answer(&answer));
                check.expect = answers.collect();
                again
            }
            _ => false,
        };
        if again && let Some(clause) = word(node) {
            let message = format!("a check has one `{}`, this is the second", clause.text());
            let span = self.token_span(&clause);
            self.diagnostics
                .push(Diagnostic::error(codes::MISPLACED, span, message));
        }
    }

    fn question(&mut self, node: &SyntaxNode) -> Question {
        if let Some(possible) = child(node, SyntaxKind::Possible) {
            return Question::Possible(self.nth_expression(&possible, 0));
        }
        if let Some(least) = child(node, SyntaxKind::Least)
            && let Some(name) = self.name(&least)
        {
            return Question::Least {
                greatest: has_word(&least, "greatest"),
                name,
                claims: self.all_expressions(&least),
            };
        }
        let claims = child(node, SyntaxKind::Claims);
        Question::Claims(claims.map_or(Vec::new(), |claims| self.all_expressions(&claims)))
    }

    fn range(&mut self, node: &SyntaxNode) -> Option<ForClause> {
        Some(match node.kind() {
            SyntaxKind::ForIn => ForClause::In(self.name(node)?, self.nth_expression(node, 0)),
            SyntaxKind::ForIs => ForClause::Is(self.name(node)?, self.nth_expression(node, 0)),
            SyntaxKind::ForList => {
                let list = child(node, SyntaxKind::ListExpr)?;
                let values = self.all_expressions(&list);
                ForClause::List(self.name(node)?, values, self.span(&list))
            }
            SyntaxKind::ForEvery => ForClause::Every(self.name(node)?, self.span(node)),
            SyntaxKind::Topology => ForClause::Topology(self.topology(node)?),
            _ => return None,
        })
    }

    fn answer(&mut self, node: &SyntaxNode) -> Option<Answer> {
        let span = self.span(node);
        if node.kind() != SyntaxKind::Answer {
            return None;
        }
        let first = word(node);
        if let Some(value) = self.maybe_expression(node, 0) {
            let bound: Option<Name> = first.map(|word| self.token_name(&word));
            return Some(Answer::Value { value, bound });
        }
        Some(match first?.text() {
            "holds" => Answer::Holds(span),
            "fails" if has_word(node, "bound") => Answer::FailsForEveryBound(span),
            "fails" => Answer::Fails(span),
            "possible" => Answer::Possible(span),
            "impossible" => Answer::Impossible(span),
            "error" => Answer::Error(span),
            "unknown" => Answer::Unknown(span),
            _ => return None,
        })
    }
}
