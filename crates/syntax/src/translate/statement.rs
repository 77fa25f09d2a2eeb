//! Translates statements from the lossless tree to the AST.

use super::{Reader, child};
use crate::ast::{Expr, ExprKind, MatchArm, Send, Stmt, StmtKind};
use crate::lexical::kind::{SyntaxKind, SyntaxNode};

impl Reader<'_> {
    /// The statements in the braces of a block, branch or action.
    pub(super) fn body(&mut self, node: &SyntaxNode) -> Vec<Stmt> {
        match child(node, SyntaxKind::Body) {
            Some(body) => self.statements(&body),
            None => Vec::new(),
        }
    }

    fn statements(&mut self, body: &SyntaxNode) -> Vec<Stmt> {
        body.children().map(|node| self.statement(&node)).collect()
    }

    fn statement(&mut self, node: &SyntaxNode) -> Stmt {
        Stmt {
            kind: self.statement_kind(node).unwrap_or(StmtKind::Error),
            span: self.span(node),
        }
    }

    fn statement_kind(&mut self, node: &SyntaxNode) -> Option<StmtKind> {
        Some(match node.kind() {
            SyntaxKind::AssignStmt => {
                let place = self.nth_expression(node, 0);
                StmtKind::Assign(place, self.nth_expression(node, 1))
            }
            SyntaxKind::IfStmt => {
                let condition = self.nth_expression(node, 0);
                StmtKind::If(condition, self.body(node), self.otherwise(node))
            }
            SyntaxKind::MatchStmt => self.match_statement(node),
            SyntaxKind::ForStmt => {
                let set = self.nth_expression(node, 0);
                StmtKind::For(self.name(node)?, set, self.body(node))
            }
            SyntaxKind::LetStmt => StmtKind::Let(self.name(node)?, self.nth_expression(node, 0)),
            SyntaxKind::ChooseStmt => {
                StmtKind::Choose(self.name(node)?, self.nth_expression(node, 0))
            }
            SyntaxKind::SendStmt => StmtKind::Send(Send {
                message: self.nth_expression(node, 0),
                to: Some(self.receiver(node)),
            }),
            SyntaxKind::BroadcastStmt => StmtKind::Send(Send {
                message: self.nth_expression(node, 0),
                to: None,
            }),
            SyntaxKind::ClearStmt => StmtKind::ClearInbox,
            SyntaxKind::AssertStmt => StmtKind::Assert(self.nth_expression(node, 0)),
            SyntaxKind::HaltStmt => StmtKind::Halt,
            SyntaxKind::SetStmt => {
                let timer = self.nth_expression(node, 0);
                StmtKind::SetTimer(timer, self.nth_expression(node, 1))
            }
            SyntaxKind::CancelStmt => StmtKind::CancelTimer(self.nth_expression(node, 0)),
            SyntaxKind::CallStmt => match self.nth_expression(node, 0).kind {
                ExprKind::Call(name, arguments) => StmtKind::Call(name, arguments),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn otherwise(&mut self, node: &SyntaxNode) -> Vec<Stmt> {
        let Some(branch) = child(node, SyntaxKind::ElseBranch) else {
            return Vec::new();
        };
        match child(&branch, SyntaxKind::IfStmt) {
            Some(nested) => vec![self.statement(&nested)],
            None => self.body(&branch),
        }
    }

    /// The receivers after `to`. If they are missing, the result is `Error`, so that the statement does not become a
    /// broadcast.
    fn receiver(&mut self, node: &SyntaxNode) -> Expr {
        self.nth_expression(node, 1)
    }

    fn match_statement(&mut self, node: &SyntaxNode) -> StmtKind {
        let value = self.nth_expression(node, 0);
        let arms = node
            .children()
            .filter(|child| child.kind() == SyntaxKind::MatchArm)
            .map(|arm| MatchArm {
                pattern: self.pattern(&arm),
                result: self.body(&arm),
            })
            .collect();
        StmtKind::Match(value, arms)
    }
}
