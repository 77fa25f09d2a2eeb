//! Expected answers: checks that the answers after `expect` fit the question.

use crate::resolve::context::resolver::Resolver;
use crate::{Answer, AnswerKind, Attained, ExpectedValue, Question, Searched, Type};
use source::{Diagnostic, Span, codes};
use syntax::ast;

impl Resolver<'_> {
    /// The answers after `expect`. `question` is `None` if the question has an error, which has been reported.
    pub(crate) fn answers(
        &mut self,
        tree: &ast::Check,
        question: Option<&Question>,
    ) -> Vec<Answer> {
        let asked = match &tree.question {
            ast::Question::Claims(claims) | ast::Question::Least { claims, .. } => claims.len(),
            ast::Question::Possible(_) => 1,
        };
        let mut answers = Vec::new();
        for answer in &tree.expect {
            answers.extend(self.answer(answer, &tree.question, question));
        }
        if tree.expect.len() > 1 && tree.expect.len() != asked {
            let given = tree.expect.len();
            let text = match &tree.question {
                ast::Question::Possible(_) => {
                    format!("{given} answers are expected, but {asked} asked for")
                }
                _ => format!(
                    "{given} answers are expected of {asked} claim{}",
                    if asked == 1 { "" } else { "s" }
                ),
            };
            let span = answers.first().map_or(tree.span, |a| a.span);
            let span = answers.last().map_or(span, |a| span.to(a.span));
            self.report(
                Diagnostic::error(codes::EXPECT_COUNT, span, text)
                    .note("write one answer for all of them, or one for each"),
            );
        }
        answers
    }

    fn answer(
        &mut self,
        answer: &ast::Answer,
        tree: &ast::Question,
        question: Option<&Question>,
    ) -> Option<Answer> {
        let (kind, span) = match answer {
            ast::Answer::Holds(s) => (AnswerKind::Holds, *s),
            ast::Answer::Fails(s) => (AnswerKind::Fails, *s),
            ast::Answer::FailsForEveryBound(s) => (AnswerKind::FailsForEveryBound, *s),
            ast::Answer::Possible(s) => (AnswerKind::Possible, *s),
            ast::Answer::Impossible(s) => (AnswerKind::Impossible, *s),
            ast::Answer::Error(s) => (AnswerKind::Error, *s),
            ast::Answer::Unknown(s) => (AnswerKind::Unknown, *s),
            ast::Answer::Value { value, .. } => (AnswerKind::Value, value.span),
        };
        let fits = match kind {
            AnswerKind::Error | AnswerKind::Unknown => true,
            AnswerKind::Possible | AnswerKind::Impossible => {
                matches!(tree, ast::Question::Possible(_))
            }
            AnswerKind::Holds | AnswerKind::Fails => matches!(tree, ast::Question::Claims(_)),
            AnswerKind::Value | AnswerKind::FailsForEveryBound => {
                matches!(tree, ast::Question::Least { .. })
            }
        };
        if !fits {
            self.wrong_answer(tree, span);
            return None;
        }
        let value = match answer {
            ast::Answer::Value { value, bound } => {
                Some(self.expected_value(value, bound.as_ref(), question?)?)
            }
            _ => None,
        };
        Some(Answer { kind, value, span })
    }

    fn expected_value(
        &mut self,
        value: &ast::Expr,
        bound: Option<&ast::Name>,
        question: &Question,
    ) -> Option<ExpectedValue> {
        let Question::Extreme {
            greatest, searched, ..
        } = question
        else {
            return None;
        };
        let (ty, name) = match searched {
            Searched::Param(param) => {
                let param = self.model.param(*param);
                (param.domain.ty(), param.name.clone())
            }
            Searched::Argument { local, .. } => {
                let local = self.model.local(*local);
                (local.ty.clone(), local.name.clone())
            }
        };
        let value = self.constant_value(value, &ty, &format!("`{name}` is"));
        let attained = match bound.map(|b| b.text.as_str()) {
            None => Attained::Here,
            Some("below") => Attained::Below,
            Some(_) => Attained::Above,
        };
        let wrong = match (attained, greatest, &ty) {
            (Attained::Here, ..) => None,
            (_, _, Type::Int) => {
                Some("a number is attained or not at all: write it without `below` or `above`")
            }
            (Attained::Below, false, _) => {
                Some("the least value that is not attained is approached from above: write `above`")
            }
            (Attained::Above, true, _) => Some(
                "the greatest value that is not attained is approached from below: write `below`",
            ),
            _ => None,
        };
        if let (Some(wrong), Some(bound)) = (wrong, bound) {
            self.error(codes::EXPECT_KIND, bound.span, wrong);
            return None;
        }
        Some(ExpectedValue { value, attained })
    }

    fn wrong_answer(&mut self, question: &ast::Question, span: Span) {
        let text = match question {
            ast::Question::Possible(_) => {
                "`check possible` is answered by `possible`, `impossible`, `error` or `unknown`"
            }
            ast::Question::Least { .. } => {
                "`least` and `greatest` are answered by a value, `fails for every bound`, `error` or `unknown`"
            }
            ast::Question::Claims(_) => {
                "a claim is answered by `holds`, `fails`, `error` or `unknown`"
            }
        };
        self.error(codes::EXPECT_KIND, span, text);
    }
}
