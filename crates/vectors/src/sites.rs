//! Which decisions there are in the code of a block, and the outcomes of each.

use bits::Way;
use machine::{BinaryOp, Block, Expr, LocalId, Origin, PlaceStep, Quantifier, Stmt, StmtKind, Trigger, UnaryOp};

/// One outcome of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// Where the decision is.
    pub(crate) origin: Option<Origin>,
    /// Its outcome.
    pub(crate) way: Way,
    /// The text that is decided: that of an operand is not that of the whole.
    pub(crate) shown: Option<Origin>,
    /// A name without a place of its own that is decided.
    pub(crate) local: Option<LocalId>,
}

/// The outcomes of all decisions of a block, in the order of its text.
pub(crate) fn sites(block: &Block) -> Vec<Site> {
    let mut found = Found {
        sites: Vec::new(),
        origin: Some(block.origin),
    };
    found.add(Way::Guard(true));
    if let Trigger::When(guard) | Trigger::On(_, Some(guard)) = &block.trigger {
        found.add(Way::Guard(false));
        found.expr(guard);
    }
    found.statements(&block.body);
    found.sites
}

struct Found {
    sites: Vec<Site>,
    origin: Option<Origin>,
}

impl Found {
    fn add(&mut self, way: Way) {
        self.add_of(way, None);
    }

    fn both(&mut self, way: fn(bool) -> Way) {
        self.add(way(true));
        self.add(way(false));
    }

    fn add_of(&mut self, way: Way, operand: Option<&Expr>) {
        let (shown, local) = match operand {
            Some(Expr::At(origin, _)) => (Some(*origin), None),
            Some(Expr::Local(local)) => (self.origin, Some(*local)),
            _ => (self.origin, None),
        };
        let site = Site {
            origin: self.origin,
            way,
            shown,
            local,
        };
        let same = |s: &Site| (s.origin, s.way) == (site.origin, site.way);
        // Code that is called several times is one place.
        if !self.sites.iter().any(same) {
            self.sites.push(site);
        }
    }

    fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        self.origin = Some(statement.origin);
        match &statement.kind {
            StmtKind::Assign(place, value) => {
                self.expr(value);
                for step in &place.path {
                    if let PlaceStep::Index(_, index) = step {
                        self.expr(index);
                    }
                }
            }
            StmtKind::If(condition, then, otherwise) => {
                self.both(Way::If);
                self.expr(condition);
                self.statements(then);
                self.statements(otherwise);
            }
            StmtKind::For(_, domain, body) => {
                self.both(Way::Loop);
                self.expr(domain);
                self.statements(body);
            }
            StmtKind::Assert(condition) => {
                self.both(Way::Assert);
                self.expr(condition);
            }
            StmtKind::Let(_, value) | StmtKind::Choose(_, value) => self.expr(value),
            StmtKind::Send(message, to) => {
                self.expr(message);
                self.expr(to);
            }
            StmtKind::SetTimer(_, other, from, to) => {
                other.iter().for_each(|other| self.expr(other));
                let terms = from.terms.iter().chain(&to.terms);
                terms.for_each(|(term, _)| self.expr(term));
            }
            StmtKind::CancelTimer(_, other) => other.iter().for_each(|other| self.expr(other)),
            StmtKind::ClearInbox | StmtKind::Halt => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::At(origin, inner) => {
                let outer = self.origin.replace(*origin);
                self.expr(inner);
                self.origin = outer;
                return;
            }
            Expr::If(..) => self.both(Way::If),
            Expr::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, left, right) => {
                for (way, operand) in [(Way::Left as fn(bool) -> Way, left), (Way::Right, right)] {
                    if !is_made_of_others(operand) {
                        self.add_of(way(true), Some(operand));
                        self.add_of(way(false), Some(operand));
                    }
                }
            }
            Expr::Quantified(quantifier, ..) => {
                use Quantifier::{All, Count, Exists, The};
                self.add(Way::Nothing);
                if let All | Exists | Count | The = quantifier {
                    self.both(Way::Body);
                }
            }
            Expr::Filter(..) => {
                self.add(Way::Nothing);
                self.both(Way::Body);
            }
            Expr::Extremum(..) => self.add(Way::Nothing),
            _ => {}
        }
        for part in expr.children() {
            self.expr(part);
        }
    }
}

/// Whether the outcomes of a condition are those of its parts.
fn is_made_of_others(condition: &Expr) -> bool {
    match condition.bare() {
        Expr::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, ..) => true,
        Expr::Unary(UnaryOp::Not, inner) => is_made_of_others(inner),
        _ => false,
    }
}
