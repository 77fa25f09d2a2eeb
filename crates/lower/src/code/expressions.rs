//! Expressions: names become indices; abbreviations are expanded, and parameters are replaced by their values.

use crate::context::counts::{Counted, Range};
use crate::context::lowering::{Lowering, Slot};
use crate::context::names::Names;
use crate::structure::data::{over, records};
use crate::structure::environment::fault_of;
use machine::{
    BinaryOp as Op, Expr as M, Fault, LocalId, MOST_ELEMENTS, Mode, Type, Typing, UnaryOp, Value,
};
use model::{BinaryOp, Expr, ExprKind, KindId, Quantifier, Status};
use source::{Diagnostic, codes};

const SELF: M = M::Local(LocalId(0));

/// Maximum number of abbreviations and functions expanded in one Machine, and maximum nesting depth of expansions.
pub(crate) const MOST_EXPANSIONS: u32 = 50_000;
pub(crate) const DEEPEST_EXPANSION: u32 = 60;

impl Lowering<'_> {
    /// Lowers an expression. The result gets an origin unless it is a constant, `none`, a conversion to an option, a
    /// local name or a number marked with the origin `SIZE`.
    pub(crate) fn expr(&mut self, e: &Expr, names: &mut Names) -> M {
        cancellation::poll();
        let counting = std::mem::take(&mut names.counting);
        let bare = self.bare(e, names, counting);
        names.counting = counting;
        match bare {
            M::Const(_) | M::None(_) | M::Some(_) | M::Local(_) | M::At(machine::SIZE, _) => bare,
            other => M::At(self.origins.of(e.span), Box::new(other)),
        }
    }

    /// The type of a lowered expression.
    pub(crate) fn type_of(&self, e: &M, names: &Names) -> Type {
        let typing = Typing::all_bound(&self.machine, &names.scope);
        let mut typing = match names.numbers {
            true => typing.with_numbers(),
            false => typing,
        };
        match typing.type_of(e) {
            Ok(ty) => ty,
            // After an error the Machine is not used: any type will do.
            Err(_) if !self.problems.is_empty() => Type::Bool.set(),
            Err(error) => unreachable!("the Model's types are the Machine's: {error}"),
        }
    }

    /// The local name of the Machine for a bound name of the Model. If an abbreviation is used twice in one scope,
    /// the second use has the same local names.
    pub(crate) fn bind(&mut self, id: model::LocalId, ty: Type, names: &mut Names) -> LocalId {
        match names.bound.get(&id) {
            Some(M::Local(known)) if names.scope.locals[known.index()].ty == ty => *known,
            _ => {
                let local = names.scope.add(self.model.local(id).name.clone(), ty);
                names.bound.insert(id, M::Local(local));
                local
            }
        }
    }

    /// The local name for a bound name that ranges over a set.
    pub(crate) fn bind_over(&mut self, id: model::LocalId, set: &M, names: &mut Names) -> LocalId {
        let element = match self.type_of(set, names) {
            Type::Set(element) => *element,
            // The expression has a reported error.
            other => other,
        };
        self.bind(id, element, names)
    }

    /// Reports a range that may have more elements than an expression may enumerate.
    fn range_size(&mut self, e: &Expr, (low, high): (&M, &M), names: &mut Names) {
        let ends = (self.type_of(low, names), self.type_of(high, names));
        let (Type::Int(first, _), Type::Int(_, last)) = ends else {
            return;
        };
        let elements = self.machine.cardinality(&Type::Int(first, last));
        if elements > MOST_ELEMENTS && self.problems.is_empty() {
            let text = format!("this range has up to {elements} numbers, too many to go through");
            self.report(
                Diagnostic::error(codes::NUMBER_TOO_LARGE, e.span, text).note(format!(
                    "every state goes through all of them: at most {MOST_ELEMENTS}; `x in a..b` alone may be of any size"
                )),
            );
        }
    }

    /// Reports that the expansion of abbreviations and functions is too large.
    pub(crate) fn too_large(&mut self, e: &Expr) -> M {
        if self
            .problems
            .iter()
            .all(|problem| problem.code != codes::TOO_DEEP)
        {
            let text =
                "abbreviations and functions within each other make this too large to write out";
            self.report(Diagnostic::error(codes::TOO_DEEP, e.span, text));
        }
        M::bool(true)
    }

    fn boxed(&mut self, e: &Expr, names: &mut Names) -> Box<M> {
        Box::new(self.expr(e, names))
    }

    /// Lowers a part of an expression whose value is compared; `counting` says whether counts are allowed in it.
    fn counted(&mut self, e: &Expr, names: &mut Names, counting: bool) -> Box<M> {
        names.counting = counting;
        let lowered = self.expr(e, names);
        names.counting = false;
        Box::new(lowered)
    }

    fn bare(&mut self, e: &Expr, names: &mut Names, counting: bool) -> M {
        match &e.kind {
            ExprKind::Error => unreachable!("a Model without errors"),
            ExprKind::Binary(op, a, b) if a.kind == ExprKind::Now || b.kind == ExprKind::Now => {
                self.now_compared(*op, a, b, names)
            }
            _ if is_about_times(e) => match self.computed(e, names) {
                Ok(Some(constant)) => M::Const(self.value(&constant)),
                Ok(None) => self.about_times(e, names).unwrap_or(M::bool(false)),
                Err(()) => M::bool(false),
            },
            ExprKind::Duration(_) => unreachable!("expressions of times are evaluated above"),
            ExprKind::Int(i) => M::int(*i),
            ExprKind::Bool(b) => M::bool(*b),
            ExprKind::EnumValue(id, n) => M::Const(Value::Enum(machine::EnumId(id.0), *n)),
            ExprKind::None => M::None(self.inside(&e.ty)),
            ExprKind::Some(inner) => M::Some(self.boxed(inner, names)),
            ExprKind::Unwrap(inner) => M::Unwrap(self.boxed(inner, names)),
            ExprKind::IsSome(inner) => M::Unary(UnaryOp::IsSome, self.boxed(inner, names)),
            ExprKind::Param(id) => {
                if let Some(number) = self.open_param(e) {
                    return number;
                }
                let value = self.sized()[id.index()]
                    .as_ref()
                    .expect("every parameter is set");
                M::Const(self.value(value))
            }
            ExprKind::Let(id) => {
                self.expansions.0 += 1;
                if self.expansions.0 > MOST_EXPANSIONS || self.expansions.1 > DEEPEST_EXPANSION {
                    return self.too_large(e);
                }
                self.expansions.1 += 1;
                let value = &self.model.abbreviation(*id).value;
                let expanded = *self.counted(value, names, counting);
                self.expansions.1 -= 1;
                expanded
            }
            ExprKind::Local(id) => names.bound[id].clone(),
            ExprKind::SelfNode => SELF,
            ExprKind::Next => self.around(0, e),
            ExprKind::Previous => self.around(1, e),
            ExprKind::Neighbours => M::Neighbours(Box::new(SELF)),
            ExprKind::KindNodes(kind) => M::Nodes(Some(machine::KindId(kind.0))),
            ExprKind::AllNodes => M::Nodes(None),
            ExprKind::EnumValues(id) => M::Values(Type::Enum(machine::EnumId(id.0))),
            ExprKind::TheNode(kind) => {
                let mut nodes = self.machine.nodes_of(machine::KindId(kind.0));
                M::node(nodes.next().expect("a kind with one node"))
            }
            ExprKind::Own(field) => {
                let kind = self
                    .current_kind
                    .expect("own fields occur in a node's code");
                self.field(kind, *field, SELF, e)
            }
            ExprKind::NodeField(node, kind, field) => {
                let node = self.expr(node, names);
                self.field(*kind, *field, node, e)
            }
            ExprKind::Inbox(messages) => M::Inbox(records(messages), Box::new(SELF)),
            ExprKind::Senders(message) => {
                let record = message.map(|m| machine::RecordId(m.0));
                M::Senders(record, Box::new(SELF))
            }
            ExprKind::Status(node, status) => self.status(node, *status, names),
            ExprKind::Halted(node) => M::InMode(Mode::Halted, self.boxed(node, names)),
            ExprKind::Sent(node, message) => {
                if !counting {
                    self.cannot_count(e);
                }
                let of = node.ty.clone();
                let node = self.expr(node, names);
                self.count(node, &of, Counted::Sent(*message))
            }
            ExprKind::Activations(node) => {
                if !counting {
                    self.cannot_count(e);
                }
                let of = node.ty.clone();
                let node = self.expr(node, names);
                self.count(node, &of, Counted::Activations)
            }
            ExprKind::InFlight(message, a, b) => M::InFlight(
                machine::RecordId(message.0),
                self.boxed(a, names),
                self.boxed(b, names),
            ),
            ExprKind::Distance(a, b) => {
                M::Binary(Op::Distance, self.boxed(a, names), self.boxed(b, names))
            }
            ExprKind::NeighboursOf(node) => M::Neighbours(self.boxed(node, names)),
            ExprKind::Quiescent => M::Quiescent,
            ExprKind::Now => unreachable!("`now` occurs in comparisons only"),
            ExprKind::TimerSet(node, kind, timer) => {
                let node = self.boxed(node, names);
                let index = timer.index.as_ref().map(|index| self.boxed(index, names));
                match self.slots.timers.get(&(*kind, timer.timer)) {
                    Some(id) => M::TimerSet(*id, node, index),
                    None => {
                        let name = &self.model.kind(*kind).timers[timer.timer.index()].name;
                        self.not_in_variant(*kind, name, e, |body| {
                            body.timers.contains(&timer.timer)
                        });
                        M::bool(false)
                    }
                }
            }
            ExprKind::Record(id, values) => M::Record(
                self.record(*id),
                values.iter().map(|v| self.expr(v, names)).collect(),
            ),
            ExprKind::RecordField(base, _, index) => M::Field(self.boxed(base, names), *index),
            ExprKind::Index(array, index) => M::Index(
                self.index_type(over(&array.ty)),
                self.boxed(array, names),
                self.boxed(index, names),
            ),
            ExprKind::Fill(value) => {
                M::Fill(self.index_type(over(&e.ty)), self.boxed(value, names))
            }
            ExprKind::Neg(inner) => M::Unary(UnaryOp::Neg, self.counted(inner, names, counting)),
            ExprKind::Not(inner) => M::Unary(UnaryOp::Not, self.boxed(inner, names)),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, names, counting),
            ExprKind::If(c, a, b) => {
                let condition = self.boxed(c, names);
                let then = self.assuming(c, true, names, |this, names| {
                    this.counted(a, names, counting)
                });
                let otherwise = self.assuming(c, false, names, |this, names| {
                    this.counted(b, names, counting)
                });
                M::If(condition, then, otherwise)
            }
            ExprKind::Match(cases) => self.match_value(cases, names),
            ExprKind::Call(id, arguments) => self.call(*id, arguments, e, names),
            ExprKind::IsMessage(inner, message) => {
                M::IsRecord(machine::RecordId(message.0), self.boxed(inner, names))
            }
            ExprKind::AsMessage(inner, message) => {
                let ty = Type::Record(machine::RecordId(message.0));
                M::Within(ty, self.boxed(inner, names))
            }
            ExprKind::Set(parts) => {
                let parts: Vec<M> = parts.iter().map(|p| self.expr(p, names)).collect();
                let types = parts.iter().map(|p| self.type_of(p, names));
                let joined = types.reduce(|a, b| a.join(&b).unwrap_or(a));
                M::Set(joined.unwrap_or_else(|| self.inside(&e.ty)), parts)
            }
            ExprKind::Range(a, b) => {
                let (low, high) = (self.expr(a, names), self.expr(b, names));
                self.range_size(e, (&low, &high), names);
                M::Range(Box::new(low), Box::new(high))
            }
            ExprKind::Filter {
                var,
                domain,
                condition,
            } => {
                let domain = self.expr(domain, names);
                let local = self.bind_over(*var, &domain, names);
                M::Filter(local, Box::new(domain), self.boxed(condition, names))
            }
            ExprKind::Size(set) => M::Unary(UnaryOp::Size, self.boxed(set, names)),
            ExprKind::Quantifier {
                kind,
                var,
                domain,
                body,
            } => {
                names
                    .ranges
                    .extend(Range::of(domain).map(|range| (*var, range)));
                let domain = self.expr(domain, names);
                let local = self.bind_over(*var, &domain, names);
                let adds = matches!(kind, Quantifier::Sum | Quantifier::Max | Quantifier::Min);
                let body = self.counted(body, names, counting && adds);
                M::Quantified(quantifier(*kind), local, Box::new(domain), body)
            }
            ExprKind::Extremum {
                largest,
                var,
                domain,
                by,
            } => {
                let domain = self.expr(domain, names);
                let local = self.bind_over(*var, &domain, names);
                M::Extremum(*largest, local, Box::new(domain), self.boxed(by, names))
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, names: &mut Names, counting: bool) -> M {
        let compares = matches!(
            op,
            BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge
                | BinaryOp::In
        );
        if compares {
            return self.comparison(op, a, b, names);
        }
        // Each side matters only if the other side does not determine the result: see `saturation`.
        let decides = match op {
            BinaryOp::And => Some((true, true)),
            BinaryOp::Or => Some((false, false)),
            BinaryOp::Implies => Some((true, false)),
            _ => None,
        };
        if let Some((left, right)) = decides {
            let first = self.assuming(b, right, names, |this, names| this.boxed(a, names));
            let second = self.assuming(a, left, names, |this, names| this.boxed(b, names));
            return M::Binary(operator(op), first, second);
        }
        let counting = counting
            && matches!(
                op,
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Min | BinaryOp::Max
            );
        let a = self.counted(a, names, counting);
        let b = self.counted(b, names, counting);
        M::Binary(operator(op), a, b)
    }

    /// A comparison. Only comparisons determine bounds of counts.
    fn comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr, names: &mut Names) -> M {
        let counts = self.counts(a) || self.counts(b);
        let left = self.counted(a, names, counts);
        let right = match (op, &b.kind) {
            // Membership in a range is a comparison with its ends, and the range may have any size.
            (BinaryOp::In, ExprKind::Range(low, high)) => {
                let range = M::Range(self.boxed(low, names), self.boxed(high, names));
                Box::new(M::At(self.origins.of(b.span), Box::new(range)))
            }
            _ => self.counted(b, names, counts),
        };
        if counts {
            self.distinguish_in(op, a, b, names);
        }
        M::Binary(operator(op), left, right)
    }

    /// A condition on the faults of a node. Without faults during the run no node is crashed or stopped. The
    /// expression for the node is evaluated nevertheless, because its evaluation may fail.
    fn status(&mut self, node: &Expr, status: Status, names: &mut Names) -> M {
        let node = self.boxed(node, names);
        let has = |fault: Fault| M::HasFault(fault, node.clone());
        match status {
            Status::Fault(kind) => has(fault_of(kind)),
            Status::Crashed if !self.machine.runtime_faults.is_empty() => {
                M::InMode(Mode::Crashed, node)
            }
            Status::Stopped if !self.machine.runtime_faults.is_empty() => {
                M::InMode(Mode::Stopped, node)
            }
            Status::Faultless if !self.machine.runtime_faults.is_empty() => M::Faultless(node),
            Status::Crashed | Status::Stopped => match node.bare() {
                M::Local(_) | M::Const(_) => M::bool(false),
                _ => has(Fault::Off).binary(Op::And, M::bool(false)),
            },
            Status::Faultless => {
                let all = [Fault::Off, Fault::Mute, Fault::Deaf, Fault::Isolated];
                let items = &self.machine.node_faults;
                let possible = all
                    .into_iter()
                    .filter(|f| items.iter().any(|item| item.faults.contains(f)));
                let some = possible.map(has).reduce(|a, b| a.binary(Op::Or, b));
                let some = some.unwrap_or_else(|| M::HasFault(Fault::Off, node.clone()));
                M::Unary(UnaryOp::Not, Box::new(some))
            }
        }
    }

    fn around(&mut self, map: u32, e: &Expr) -> M {
        if self.machine.maps.is_empty() {
            let mut diagnostic = Diagnostic::error(
                codes::NO_NEXT,
                e.span,
                "`next` and `previous` are neighbours on a ring, and the network here is none",
            );
            if let Some(topology) = self.instance.topology {
                diagnostic = diagnostic.other(topology.span, "the network");
            }
            self.report(diagnostic);
            return SELF;
        }
        M::Map(machine::MapId(map), Box::new(SELF))
    }

    fn field(&mut self, kind: KindId, field: model::FieldId, node: M, e: &Expr) -> M {
        match self.slots.fields.get(&(kind, field)) {
            Some(Slot::Var(id)) => M::Var(*id, Box::new(node)),
            Some(Slot::Frozen(id)) => M::Frozen(*id, Box::new(node)),
            None => {
                let name = &self.model.kind(kind).fields[field.index()].name;
                self.not_in_variant(kind, name, e, |body| {
                    let vars = body.vars.iter().map(|var| var.field);
                    let constants = body.constants.iter().map(|c| c.field);
                    vars.chain(constants).any(|f| f == field)
                });
                M::bool(false)
            }
        }
    }

    /// Reports a field or timer that the nodes of this check do not have, but that some variants have.
    fn not_in_variant(
        &mut self,
        kind: KindId,
        name: &str,
        e: &Expr,
        has: impl Fn(&model::Body) -> bool,
    ) {
        let owner = self.model.kind(kind);
        let variants = self.model.variants.iter().filter(|v| v.of == kind);
        let having: Vec<String> = variants
            .filter(|v| has(&v.body))
            .map(|v| format!("`with {}`", v.name))
            .collect();
        let place = self.check.span;
        // An empty span means that the check is not written in the file.
        let (here, written) = match place.start < place.end {
            true => ("in this check", true),
            false => ("here", false),
        };
        let mut diagnostic = Diagnostic::error(
            codes::NOT_IN_VARIANT,
            e.span,
            format!("{here} the nodes of `{}` have no `{name}`", owner.name),
        )
        .note(format!("it is there {}", having.join(" or ")));
        if written {
            diagnostic = diagnostic.other(place, "this check");
        }
        self.report(diagnostic);
    }
}

/// Whether an expression is an operation on times. Then its value is a constant, or is computed from sums of times.
fn is_about_times(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(_, a, b) => a.ty.has_duration() || b.ty.has_duration(),
        ExprKind::Quantifier { domain, .. }
        | ExprKind::Filter { domain, .. }
        | ExprKind::Extremum { domain, .. }
        | ExprKind::Size(domain) => domain.ty.has_duration(),
        _ => false,
    }
}

fn operator(op: BinaryOp) -> Op {
    match op {
        BinaryOp::Add => Op::Add,
        BinaryOp::Sub => Op::Sub,
        BinaryOp::Mul => Op::Mul,
        BinaryOp::Mod => Op::Mod,
        BinaryOp::FloorDiv => Op::FloorDiv,
        BinaryOp::CeilDiv => Op::CeilDiv,
        BinaryOp::Div => unreachable!("division of times is constant"),
        BinaryOp::Min => Op::Min,
        BinaryOp::Max => Op::Max,
        BinaryOp::Eq => Op::Eq,
        BinaryOp::Ne => Op::Ne,
        BinaryOp::Lt => Op::Lt,
        BinaryOp::Le => Op::Le,
        BinaryOp::Gt => Op::Gt,
        BinaryOp::Ge => Op::Ge,
        BinaryOp::And => Op::And,
        BinaryOp::Or => Op::Or,
        BinaryOp::Implies => Op::Implies,
        BinaryOp::Union => Op::Union,
        BinaryOp::Intersect => Op::Intersect,
        BinaryOp::Minus => Op::Minus,
        BinaryOp::In => Op::In,
        BinaryOp::Subset => Op::Subset,
    }
}

fn quantifier(kind: Quantifier) -> machine::Quantifier {
    match kind {
        Quantifier::All => machine::Quantifier::All,
        Quantifier::Exists => machine::Quantifier::Exists,
        Quantifier::The => machine::Quantifier::The,
        Quantifier::Max => machine::Quantifier::Max,
        Quantifier::Min => machine::Quantifier::Min,
        Quantifier::Count => machine::Quantifier::Count,
        Quantifier::Sum => machine::Quantifier::Sum,
        Quantifier::Union => machine::Quantifier::Union,
        Quantifier::Intersect => machine::Quantifier::Intersect,
    }
}
