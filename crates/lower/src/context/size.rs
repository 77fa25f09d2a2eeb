//! The size parameter during lowering: which expressions depend on it, and what they are as expressions of an open
//! Machine.

use crate::context::lowering::Lowering;
use machine::{BinaryOp as Op, Expr as M, KindId, OpenLimit, SIZE, UnaryOp, Value};
use model::{BinaryOp, Constant, Domain, Expr, ExprKind, Model, ParamId, Topology};
use source::Span;
use std::collections::HashSet;

/// The parameter that is open, and what depends on it.
pub(crate) struct OpenSize {
    pub(crate) param: ParamId,
    /// The parameters that a clause of `for` or the command line sets. The values of the others are computed from the
    /// parameters before them.
    pub(crate) set: Vec<bool>,
    /// The kinds whose number of nodes is the parameter.
    pub(crate) kinds: Vec<KindId>,
    /// The limits of fault groups, and of runtime fault groups.
    pub(crate) limits: [Vec<OpenLimit>; 2],
    /// The first use of the parameter that an open Machine does not represent.
    pub(crate) refused: Option<NotOpen>,
    /// For each response, the number of nodes that the response is about.
    pub(crate) deadlines: Vec<u32>,
    /// The values of all parameters at the size that is lowered. `Instance::params` lacks those that depend on the size,
    /// so that nothing can be computed from them by mistake.
    pub(crate) sized: Vec<Option<Constant>>,
}

/// Why a check has no open Machine: what depends on the size, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotOpen {
    /// What depends on the size, as the end of a sentence that begins with the text at `place`: "is a range that depends
    /// on `n`".
    pub what: String,
    /// Where it is; `None` if it has no place in the text.
    pub place: Option<Span>,
}

/// How a number depends on the size: a multiple of it, plus a constant.
type Affine = (i64, i64);

impl OpenSize {
    /// The open parameter of a request at one size, and the values of the parameters that do not depend on it.
    pub(crate) fn new(
        model: &Model,
        param: ParamId,
        row: &[Option<Constant>],
        sized: Vec<Option<Constant>>,
    ) -> (OpenSize, Vec<Option<Constant>>) {
        let open = OpenSize {
            param,
            set: row.iter().map(Option::is_some).collect(),
            kinds: Vec::new(),
            limits: [Vec::new(), Vec::new()],
            refused: None,
            deadlines: Vec::new(),
            sized,
        };
        let values = open.sized.iter().enumerate();
        let fixed = values.map(|(index, value)| {
            let depends = match open.set[index] {
                true => index == param.index(),
                false => open.is_in(model, &model.params[index].value),
            };
            value.clone().filter(|_| !depends)
        });
        let fixed = fixed.collect();
        (open, fixed)
    }

    /// Whether an expression depends on the size, directly or through parameters, abbreviations and functions.
    pub(crate) fn is_in(&self, model: &Model, e: &Expr) -> bool {
        let mut seen = HashSet::new();
        self.reaches(model, e, &mut seen)
    }

    fn reaches(&self, model: &Model, e: &Expr, seen: &mut HashSet<Span>) -> bool {
        let mut further: Vec<&Expr> = Vec::new();
        let mut domains: Vec<&Domain> = Vec::new();
        let mut found = false;
        e.walk(&mut |part| match &part.kind {
            ExprKind::Param(id) if *id == self.param => found = true,
            ExprKind::Param(id) if !self.set[id.index()] => further.push(&model.param(*id).value),
            ExprKind::Let(id) => further.push(&model.abbreviation(*id).value),
            ExprKind::Call(id, _) => {
                let function = model.function(*id);
                further.push(&function.body);
                domains.push(&function.result);
                domains.extend(function.parameters.iter().map(|(_, domain)| domain));
            }
            _ => {}
        });
        for domain in domains {
            ends_of(domain, &mut further);
        }
        found
            || further
                .into_iter()
                .any(|e| seen.insert(e.span) && self.reaches(model, e, seen))
    }

    /// A number as a multiple of the size plus a constant; `None` if it is not of this form.
    pub(crate) fn affine(&self, model: &Model, e: &Expr) -> Option<Affine> {
        let of = |e: &Expr| self.affine(model, e);
        match &e.kind {
            ExprKind::Int(i) => Some((0, *i)),
            ExprKind::Param(id) if *id == self.param => Some((1, 0)),
            ExprKind::Param(id) => of(&model.param(*id).value).filter(|_| !self.set[id.index()]),
            ExprKind::Let(id) => of(&model.abbreviation(*id).value),
            ExprKind::Neg(a) => {
                let (a, b) = of(a)?;
                Some((a.checked_neg()?, b.checked_neg()?))
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let ((a, b), (c, d)) = (of(a)?, of(b)?);
                match op {
                    BinaryOp::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
                    _ => Some((a.checked_sub(c)?, b.checked_sub(d)?)),
                }
            }
            _ => None,
        }
    }

    /// Notes a use that an open Machine does not represent.
    pub(crate) fn refuse(&mut self, what: impl Into<String>, place: Option<Span>) {
        if self.refused.is_none() {
            let what = what.into();
            self.refused = Some(NotOpen { what, place });
        }
    }
}

/// Adds the ends of the ranges in a domain.
fn ends_of<'m>(domain: &'m Domain, ends: &mut Vec<&'m Expr>) {
    match domain {
        Domain::Range(low, high) => ends.extend([&**low, &**high]),
        Domain::Option(inner) | Domain::Set(inner) | Domain::Array(_, inner) => {
            ends_of(inner, ends);
        }
        _ => {}
    }
}

impl Lowering<'_> {
    /// The open parameter, if an expression depends on it.
    pub(crate) fn open_in(&self, e: &Expr) -> Option<&OpenSize> {
        let open = self.instance.open.as_ref()?;
        open.is_in(self.model, e).then_some(open)
    }

    /// The values of all parameters, also of those that depend on an open size. Only for numbers that an open Machine
    /// represents.
    pub(crate) fn sized(&self) -> &[Option<Constant>] {
        match &self.instance.open {
            Some(open) => &open.sized,
            None => &self.instance.params,
        }
    }

    pub(crate) fn refuse_open(&mut self, what: impl Into<String>, place: Option<Span>) {
        if let Some(open) = &mut self.instance.open {
            open.refuse(what, place);
        }
    }

    /// Records a kind whose number of nodes is the size itself. Refuses a number of nodes that depends on the size in
    /// another way.
    pub(crate) fn open_kind(&mut self, number: Option<&Expr>, kind: usize) {
        let Some(number) = number.filter(|e| self.open_in(e).is_some()) else {
            return;
        };
        let Some(open) = &mut self.instance.open else {
            return;
        };
        match open.affine(self.model, number) {
            Some((1, 0)) => open.kinds.push(KindId(kind as u32)),
            _ => open.refuse(
                "is a number of nodes other than the parameter itself",
                Some(number.span),
            ),
        }
    }

    /// Refuses a topology in which a number depends on the size, unless it is the number of all nodes at every size.
    pub(crate) fn open_topology(&mut self, topology: &Topology) {
        let Some(open) = &self.instance.open else {
            return;
        };
        let (model, kinds) = (self.model, open.kinds.len() as i64);
        let fixed = self.machine.kinds.iter().enumerate();
        let fixed = fixed.filter(|(k, _)| !open.kinds.contains(&KindId(*k as u32)));
        let fixed: i64 = fixed.map(|(_, kind)| i64::from(kind.count)).sum();
        let sizes = topology.sizes.iter();
        let mut wrong = sizes
            .filter(|e| open.is_in(model, e) && open.affine(model, e) != Some((kinds, fixed)))
            .map(|e| e.span);
        let edges = topology.edges.iter();
        let ends = edges.filter(|edge| {
            [&edge.from, &edge.to]
                .into_iter()
                .any(|end| matches!(end, model::EdgeEnd::Number(e) if open.is_in(model, e)))
        });
        if let Some(span) = wrong.next().or(ends.map(|edge| edge.span).next()) {
            self.refuse_open("is a network whose numbers are others", Some(span));
        }
    }

    /// Notes how the limit of a fault group depends on the size.
    pub(crate) fn open_limit(&mut self, at_most: Option<&Expr>, runtime: bool, limit: Option<u32>) {
        let Some(open) = &mut self.instance.open else {
            return;
        };
        let mut open_limit = OpenLimit::Fixed(limit);
        if let Some(e) = at_most.filter(|e| open.is_in(self.model, e)) {
            match open.affine(self.model, e) {
                Some((1, less)) if (-i64::from(u32::MAX)..=0).contains(&less) => {
                    open_limit = OpenLimit::AllBut((-less) as u32);
                }
                _ => open.refuse(
                    "is a limit of faults that is neither fixed nor all nodes but some",
                    Some(e.span),
                ),
            }
        }
        open.limits[usize::from(runtime)].push(open_limit);
    }

    /// A parameter as an expression of an open Machine; `None` if its value does not depend on the size, or if the
    /// dependence is refused.
    pub(crate) fn open_param(&mut self, e: &Expr) -> Option<M> {
        let open = self.open_in(e)?;
        let written = open.written(self.model, &self.instance.params, e);
        if written.is_none() {
            self.refuse_open("is no number that is computed from the size", Some(e.span));
        }
        written.map(|number| M::At(SIZE, Box::new(number)))
    }
}

impl OpenSize {
    /// A number that is computed from the size and constants, as an expression of an open Machine, not yet marked with
    /// the origin `SIZE`.
    fn written(&self, model: &Model, params: &[Option<Constant>], e: &Expr) -> Option<M> {
        let of = |e: &Expr| self.written(model, params, e);
        match &e.kind {
            ExprKind::Int(i) => Some(M::int(*i)),
            ExprKind::Param(id) if *id == self.param => {
                let nodes = M::Nodes(Some(*self.kinds.first()?));
                Some(M::Unary(UnaryOp::Size, Box::new(nodes)))
            }
            ExprKind::Param(id) if self.set[id.index()] => match params[id.index()] {
                Some(Constant::Int(i)) => Some(M::Const(Value::Int(i))),
                _ => None,
            },
            ExprKind::Param(id) => of(&model.param(*id).value),
            ExprKind::Let(id) => of(&model.abbreviation(*id).value),
            ExprKind::Neg(a) => Some(M::Unary(UnaryOp::Neg, Box::new(of(a)?))),
            ExprKind::Binary(op, a, b) => {
                let op = match op {
                    BinaryOp::Add => Op::Add,
                    BinaryOp::Sub => Op::Sub,
                    BinaryOp::Mul => Op::Mul,
                    BinaryOp::Mod => Op::Mod,
                    BinaryOp::FloorDiv => Op::FloorDiv,
                    BinaryOp::CeilDiv => Op::CeilDiv,
                    BinaryOp::Min => Op::Min,
                    BinaryOp::Max => Op::Max,
                    _ => return None,
                };
                Some(of(a)?.binary(op, of(b)?))
            }
            _ => None,
        }
    }
}
