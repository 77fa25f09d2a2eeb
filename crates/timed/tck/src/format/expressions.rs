//! The inner grammar: expressions and statements in attributes, without the meaning of names.

use crate::format::declarations::Name;
use crate::format::error::Mistake;
use crate::format::lexer::{Token, tokens};

/// The largest nesting depth of an expression or statement. Functions that traverse the tree are recursive.
const MOST_LEVELS: usize = 200;

/// An expression with its position.
#[derive(Debug)]
pub(crate) struct Expr {
    pub(crate) at: usize,
    /// The depth of the tree.
    levels: usize,
    pub(crate) kind: ExprKind,
}

#[derive(Debug)]
pub(crate) enum ExprKind {
    Number(i64),
    Variable(Lvalue),
    Negative(Box<Expr>),
    /// The operator is `+`, `-`, `*`, `/` or `%`.
    Arithmetic(&'static str, Box<Expr>, Box<Expr>),
    If(Box<[Expr; 3]>),
    /// `left op middle`, and `middle op right` in a chain.
    Comparison(Vec<(&'static str, usize)>, Vec<Expr>),
    Not(Box<Expr>),
    And(Vec<Expr>),
}

/// A variable or an element of an array.
#[derive(Debug)]
pub(crate) struct Lvalue {
    pub(crate) name: Name,
    pub(crate) index: Option<Box<Expr>>,
}

/// A statement with its position.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) at: usize,
    pub(crate) kind: StatementKind,
}

#[derive(Debug)]
pub(crate) enum StatementKind {
    Nop,
    Assign(Lvalue, Expr),
    If(Expr, Vec<Statement>, Vec<Statement>),
    While(Expr, Vec<Statement>),
    /// The name, the size of an array, and the first value.
    Local(Name, Option<Expr>, Option<Expr>),
}

/// The expression of an attribute; `None` if the attribute is empty.
pub(crate) fn expression(value: &Name) -> Result<Option<Expr>, Mistake> {
    let mut parser = Parser::new(value)?;
    if parser.token() == &Token::End {
        return Ok(None);
    }
    let expression = parser.conjunction()?;
    parser.end()?;
    Ok(Some(expression))
}

/// The statements of an attribute.
pub(crate) fn statements(value: &Name) -> Result<Vec<Statement>, Mistake> {
    let mut parser = Parser::new(value)?;
    if parser.token() == &Token::End {
        return Ok(Vec::new());
    }
    let statements = parser.statements()?;
    parser.end()?;
    Ok(statements)
}

struct Parser {
    tokens: Vec<(Token, usize)>,
    next: usize,
    /// The nesting depth at the current position.
    levels: usize,
}

impl Parser {
    fn new(value: &Name) -> Result<Parser, Mistake> {
        Ok(Parser {
            tokens: tokens(value)?,
            next: 0,
            levels: 0,
        })
    }

    fn statements(&mut self) -> Result<Vec<Statement>, Mistake> {
        let mut statements = vec![self.statement()?];
        while self.eat(";") {
            let ends = matches!(self.token(), Token::End | Token::Keyword("end" | "else"));
            if ends {
                break;
            }
            statements.push(self.statement()?);
        }
        Ok(statements)
    }

    fn statement(&mut self) -> Result<Statement, Mistake> {
        let at = self.at();
        self.enter()?;
        let kind = match self.token().clone() {
            Token::Keyword("nop") => {
                self.next += 1;
                StatementKind::Nop
            }
            Token::Keyword("if") => {
                self.next += 1;
                let condition = self.conjunction()?;
                self.keyword("then")?;
                let then = self.statements()?;
                let mut otherwise = Vec::new();
                if self.token() == &Token::Keyword("else") {
                    self.next += 1;
                    otherwise = self.statements()?;
                }
                self.keyword("end")?;
                StatementKind::If(condition, then, otherwise)
            }
            Token::Keyword("while") => {
                self.next += 1;
                let condition = self.conjunction()?;
                self.keyword("do")?;
                let body = self.statements()?;
                self.keyword("end")?;
                StatementKind::While(condition, body)
            }
            Token::Keyword("local") => {
                self.next += 1;
                let name = self.name()?;
                let (mut size, mut value) = (None, None);
                if self.eat("[") {
                    size = Some(self.term()?);
                    self.symbol("]")?;
                } else if self.eat("=") {
                    value = Some(self.term()?);
                }
                StatementKind::Local(name, size, value)
            }
            _ => {
                let target = self.lvalue()?;
                self.symbol("=")?;
                StatementKind::Assign(target, self.term()?)
            }
        };
        self.levels -= 1;
        Ok(Statement { at, kind })
    }

    /// A conjunction of atoms. Only its last operand may be a conjunction in parentheses.
    fn conjunction(&mut self) -> Result<Expr, Mistake> {
        let at = self.at();
        let mut operands = vec![self.negation()?];
        while self.eat("&&") {
            let before = operands.last().map(|operand| (operand.at, &operand.kind));
            if let Some((at, ExprKind::And(_))) = before {
                let message = "a conjunction in parentheses must be the last operand of `&&`";
                return Err(Mistake::new(at, message));
            }
            operands.push(self.negation()?);
        }
        match operands.len() {
            1 => Ok(operands.remove(0)),
            _ => self.expr(at, levels(&operands), ExprKind::And(operands)),
        }
    }

    fn negation(&mut self) -> Result<Expr, Mistake> {
        let at = self.at();
        if !self.eat("!") {
            return self.comparison();
        }
        self.enter()?;
        let operand = self.negation()?;
        self.levels -= 1;
        if let ExprKind::And(_) = operand.kind {
            return Err(Mistake::new(operand.at, "a conjunction cannot be negated"));
        }
        let levels = operand.levels;
        self.expr(at, levels, ExprKind::Not(Box::new(operand)))
    }

    fn comparison(&mut self) -> Result<Expr, Mistake> {
        let at = self.at();
        let first = self.sum()?;
        let mut operators: Vec<(&'static str, usize)> = Vec::new();
        let mut operands = vec![first];
        while let &Token::Symbol(symbol @ ("==" | "!=" | "<" | "<=" | ">" | ">=")) = self.token() {
            let is_order = |symbol: &'static str| symbol == "<" || symbol == "<=";
            let place = self.at();
            let is_chain = operators.iter().all(|(symbol, _)| is_order(symbol)) && is_order(symbol);
            if operators.len() > 1 || (operators.len() == 1 && !is_chain) {
                let message = "at most two comparisons are chained, both `<` or `<=`";
                return Err(Mistake::new(place, message));
            }
            self.next += 1;
            operators.push((symbol, place));
            operands.push(self.sum()?);
        }
        if operators.is_empty() {
            return Ok(operands.remove(0));
        }
        for operand in &operands {
            check_term(operand)?;
        }
        let levels = levels(&operands);
        self.expr(at, levels, ExprKind::Comparison(operators, operands))
    }

    /// A sum without comparisons and conjunctions in parentheses.
    fn term(&mut self) -> Result<Expr, Mistake> {
        let term = self.sum()?;
        check_term(&term)?;
        Ok(term)
    }

    fn sum(&mut self) -> Result<Expr, Mistake> {
        let left = self.product()?;
        self.arithmetic(left, &["+", "-"], Parser::product)
    }

    fn product(&mut self) -> Result<Expr, Mistake> {
        let left = self.factor()?;
        self.arithmetic(left, &["*", "/", "%"], Parser::factor)
    }

    fn arithmetic(
        &mut self,
        mut left: Expr,
        operators: &[&'static str],
        operand: fn(&mut Parser) -> Result<Expr, Mistake>,
    ) -> Result<Expr, Mistake> {
        loop {
            let found = operators.iter().find(|o| self.token() == &Token::Symbol(o));
            let Some(operator) = found else {
                return Ok(left);
            };
            check_term(&left)?;
            let at = self.at();
            self.next += 1;
            let right = operand(self)?;
            check_term(&right)?;
            let levels = left.levels.max(right.levels);
            let kind = ExprKind::Arithmetic(operator, Box::new(left), Box::new(right));
            left = self.expr(at, levels, kind)?;
        }
    }

    fn factor(&mut self) -> Result<Expr, Mistake> {
        let at = self.at();
        self.enter()?;
        let result = match self.token().clone() {
            Token::Number(number) => {
                self.next += 1;
                self.expr(at, 0, ExprKind::Number(number))
            }
            Token::Symbol("-") => {
                self.next += 1;
                let operand = self.factor()?;
                check_term(&operand)?;
                let levels = operand.levels;
                self.expr(at, levels, ExprKind::Negative(Box::new(operand)))
            }
            Token::Symbol("(") => {
                self.next += 1;
                let inner = match self.token() {
                    Token::Keyword("if") => self.conditional()?,
                    _ => self.conjunction()?,
                };
                if let ExprKind::Not(_) = inner.kind {
                    return Err(Mistake::new(
                        inner.at,
                        "a negation is not put in parentheses",
                    ));
                }
                self.symbol(")")?;
                Ok(inner)
            }
            _ => {
                let lvalue = self.lvalue()?;
                let levels = lvalue.index.as_ref().map_or(0, |index| index.levels);
                self.expr(at, levels, ExprKind::Variable(lvalue))
            }
        };
        self.levels -= 1;
        result
    }

    fn conditional(&mut self) -> Result<Expr, Mistake> {
        let at = self.at();
        self.next += 1;
        let condition = self.conjunction()?;
        self.keyword("then")?;
        let then = self.term()?;
        self.keyword("else")?;
        let parts = [condition, then, self.term()?];
        let levels = levels(&parts);
        self.expr(at, levels, ExprKind::If(Box::new(parts)))
    }

    fn lvalue(&mut self) -> Result<Lvalue, Mistake> {
        let name = self.name()?;
        let mut index = None;
        if self.eat("[") {
            index = Some(Box::new(self.term()?));
            self.symbol("]")?;
        }
        Ok(Lvalue { name, index })
    }

    fn name(&mut self) -> Result<Name, Mistake> {
        let at = self.at();
        match self.token().clone() {
            Token::Name(text) => {
                self.next += 1;
                Ok(Name { at, text })
            }
            other => Err(Mistake::new(
                at,
                format!("{} instead of a name", show(&other)),
            )),
        }
    }

    fn keyword(&mut self, keyword: &'static str) -> Result<(), Mistake> {
        self.expect(Token::Keyword(keyword))
    }

    fn symbol(&mut self, symbol: &'static str) -> Result<(), Mistake> {
        self.expect(Token::Symbol(symbol))
    }

    fn end(&mut self) -> Result<(), Mistake> {
        self.expect(Token::End)
    }

    fn expect(&mut self, expected: Token) -> Result<(), Mistake> {
        if *self.token() == expected {
            self.next += usize::from(expected != Token::End);
            return Ok(());
        }
        let message = format!("{} instead of {}", show(self.token()), show(&expected));
        Err(Mistake::new(self.at(), message))
    }

    fn eat(&mut self, symbol: &'static str) -> bool {
        let found = self.token() == &Token::Symbol(symbol);
        self.next += usize::from(found);
        found
    }

    fn enter(&mut self) -> Result<(), Mistake> {
        self.levels += 1;
        self.check_levels(self.levels, self.at())
    }

    fn expr(&self, at: usize, levels: usize, kind: ExprKind) -> Result<Expr, Mistake> {
        let levels = levels + 1;
        self.check_levels(levels, at)?;
        Ok(Expr { at, levels, kind })
    }

    fn check_levels(&self, levels: usize, at: usize) -> Result<(), Mistake> {
        match levels > MOST_LEVELS {
            true => Err(Mistake::new(
                at,
                format!("more than {MOST_LEVELS} nested levels"),
            )),
            false => Ok(()),
        }
    }

    fn token(&self) -> &Token {
        &self.tokens[self.next].0
    }

    fn at(&self) -> usize {
        self.tokens[self.next].1
    }
}

fn levels(operands: &[Expr]) -> usize {
    operands
        .iter()
        .map(|operand| operand.levels)
        .max()
        .unwrap_or(0)
}

fn check_term(expr: &Expr) -> Result<(), Mistake> {
    match &expr.kind {
        ExprKind::Comparison(..) | ExprKind::Not(_) | ExprKind::And(_) => Err(Mistake::new(
            expr.at,
            "an integer is expected here, not a condition",
        )),
        _ => Ok(()),
    }
}

fn show(token: &Token) -> String {
    match token {
        Token::Number(number) => format!("`{number}`"),
        Token::Name(name) => format!("`{name}`"),
        Token::Keyword(text) | Token::Symbol(text) => format!("`{text}`"),
        Token::End => "the end of the attribute".to_string(),
    }
}
