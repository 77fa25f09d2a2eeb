//! Lists the decisions in the code of a block, and the branches of each decision.

use bits::Branch;
use machine::{
    BinaryOp, Block, Expr, LocalId, Origin, PlaceStep, Quantifier, Stmt, StmtKind, Trigger, UnaryOp,
};

/// One branch of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// The origin of the decision.
    pub(crate) origin: Option<Origin>,
    /// Which branch of the decision.
    pub(crate) branch: Branch,
    /// The origin of the text that describes the condition; an operand has a text of its own.
    pub(crate) shown: Option<Origin>,
    /// The local name that is the condition, if the condition has no origin of its own.
    pub(crate) local: Option<LocalId>,
}

/// The branches of all decisions of a block, in the order of its text.
pub(crate) fn sites(block: &Block) -> Vec<Site> {
    let mut found = Found {
        sites: Vec::new(),
        origin: None,
    };
    found.add(Branch::Guard(true));
    if let Trigger::When(guard) | Trigger::On(_, Some(guard)) = &block.trigger {
        found.add(Branch::Guard(false));
        found.expr(guard);
    }
    found.statements(&block.body);
    for site in &mut found.sites {
        site.shown = site.shown.or(Some(block.origin));
    }
    found.sites
}

struct Found {
    sites: Vec<Site>,
    origin: Option<Origin>,
}

impl Found {
    fn add(&mut self, branch: Branch) {
        self.add_of(branch, None);
    }

    /// Adds the branch in which the domain is empty, unless the domain is fixed.
    fn over(&mut self, domain: &Expr) {
        if !is_fixed(domain) {
            self.add(Branch::Nothing);
        }
    }

    fn both(&mut self, branch: fn(bool) -> Branch) {
        self.add(branch(true));
        self.add(branch(false));
    }

    fn both_of(&mut self, branch: fn(bool) -> Branch, operand: &Expr) {
        self.add_of(branch(true), Some(operand));
        self.add_of(branch(false), Some(operand));
    }

    fn add_of(&mut self, branch: Branch, operand: Option<&Expr>) {
        let (shown, local) = match operand {
            Some(Expr::At(origin, _)) => (Some(*origin), None),
            Some(Expr::Local(local)) => (self.origin, Some(*local)),
            _ => (self.origin, None),
        };
        let site = Site {
            origin: self.origin,
            branch,
            shown,
            local,
        };
        let same = |s: &Site| (s.origin, s.branch) == (site.origin, site.branch);
        // Code that is expanded several times has the same origins and is one site.
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
                self.both_of(Branch::If, condition);
                self.expr(condition);
                self.statements(then);
                self.statements(otherwise);
            }
            StmtKind::For(_, domain, body) => {
                self.add_of(Branch::Loop(true), Some(domain));
                if !is_fixed(domain) {
                    self.add_of(Branch::Loop(false), Some(domain));
                }
                self.expr(domain);
                self.statements(body);
            }
            StmtKind::Assert(condition) => {
                self.both(Branch::Assert);
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
            Expr::If(condition, ..) => self.both_of(Branch::If, condition),
            Expr::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, left, right) => {
                for (branch, operand) in [
                    (Branch::Left as fn(bool) -> Branch, left),
                    (Branch::Right, right),
                ] {
                    if !is_made_of_others(operand) {
                        self.both_of(branch, operand);
                    }
                }
            }
            Expr::Quantified(quantifier, _, domain, _) => {
                use Quantifier::{All, Count, Exists, The};
                self.over(domain);
                if let All | Exists | Count | The = quantifier {
                    self.both(Branch::Body);
                }
            }
            Expr::Filter(_, domain, _) => {
                self.over(domain);
                self.both(Branch::Body);
            }
            Expr::Extremum(_, _, domain, _) => self.over(domain),
            _ => {}
        }
        for part in expr.children() {
            self.expr(part);
        }
    }
}

/// Whether the elements of a set depend only on the node, so that an empty set is not a branch.
fn is_fixed(set: &Expr) -> bool {
    let mut fixed = true;
    set.walk(&mut |e| {
        let varies = e.reads_state() || matches!(e, Expr::Frozen(..));
        fixed &= !varies && !matches!(e, Expr::Local(local) if *local != LocalId(0));
    });
    fixed
}

/// Whether a condition is composed of other conditions, whose branches are listed instead.
fn is_made_of_others(condition: &Expr) -> bool {
    match condition.bare() {
        Expr::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, ..) => true,
        Expr::Unary(UnaryOp::Not, inner) => is_made_of_others(inner),
        _ => false,
    }
}
