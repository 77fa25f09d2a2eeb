//! Parts of claims: conditions about the variables of one node, in which the quantified nodes have names.
//!
//! A claim `always C` is C for all choices of the nodes that its outer quantifiers name. C is split at conjunctions; a
//! quantifier over nodes names its node, with membership in its domain as a premise; an equality of two sets of nodes is
//! two parts, one for each direction, each with a name for the element. An equality of ids or numbers is two parts, too:
//! one for `<=` and one for `>=`. `largest k in S by id` is evaluated once, as a node with its own name (a
//! *definition*). The parts together are equivalent to C wherever C is no error. A claim that may be an error is
//! refused, except if only the set of a `largest` may be empty; the error query covers this case.
//!
//! The *subject* is the only node whose variables the part reads. A part that reads variables of several nodes is
//! refused: the rule unrolls the code of one.

use crate::defects::{Defect, broken};
use crate::protocol::Protocol;
use bits::Unsupported;
use machine::{
    BinaryOp, Expr, Fault, Init, LocalId, Machine, Origin, Property, PropertyKind, Quantifier,
    Scope, Type, Typing, UnaryOp, may_fail, may_overflow,
};
use verdict::Half;

/// The local of an element of a set that is compared with another one.
const ELEMENT: &str = "element";

/// A condition about one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name of the claim, or of what proposed the part.
    pub name: String,
    /// The locals of all expressions.
    pub scope: Scope,
    /// The nodes that are quantified over. The first one is the subject, unless the subject is a definition.
    pub nodes: Vec<LocalId>,
    /// The node whose variables the part reads.
    pub subject: LocalId,
    /// Nodes that are defined by an expression.
    pub definitions: Vec<(LocalId, Expr)>,
    /// Where the definitions are, as far as they have places.
    pub places: Vec<(LocalId, Origin)>,
    /// The premises about the nodes.
    pub premises: Vec<Expr>,
    /// The condition that follows from the premises.
    pub conclusion: Expr,
    /// Which half of an equality the part is; `None` if it is no half.
    pub half: Option<Half>,
    /// Where the conclusion is in the text; `None` if it has no place.
    pub origin: Option<Origin>,
    /// Whether the part is proposed as an invariant only.
    pub invariant_only: bool,
}

impl Part {
    /// Whether two parts differ only in their names and in the numbers of their locals.
    pub fn is_same(&self, other: &Part) -> bool {
        let shape = |part: &Part| {
            let parts = (&part.nodes, &part.subject, &part.definitions);
            shape(&format!(
                "{parts:?}{:?}{:?}",
                part.premises, part.conclusion
            ))
        };
        shape(self) == shape(other)
    }

    /// The number of nodes that the part speaks of, apart from those that are defined.
    pub fn given(&self) -> u32 {
        let others = self.nodes.iter().filter(|local| **local != self.subject);
        1 + others.count() as u32
    }

    /// Whether a node is an element of a set that is compared with another one.
    pub fn is_element(&self, node: LocalId) -> bool {
        self.scope.locals[node.index()].name == ELEMENT
    }

    /// The part without premises about counts of activations. It is stronger.
    pub fn without_counts(&self, protocol: &Protocol<'_>) -> Part {
        let mut part = self.clone();
        part.premises.retain(|e| !reads_counts(protocol, e));
        part
    }
}

/// The parts of a claim. An error says why the rule does not apply.
pub fn parts(protocol: &Protocol<'_>, property: &Property) -> Result<Vec<Part>, Unsupported> {
    let condition = match &property.kind {
        PropertyKind::Claim(formula) => formula.invariant(),
        PropertyKind::Possible(_) => None,
    };
    let Some(condition) = condition else {
        return Err(Unsupported::new("a claim that is not about every state"));
    };
    let machine = protocol.named(2);
    let mut splitting = Splitting {
        machine: &machine,
        scope: property.scope.clone(),
        definitions: Vec::new(),
        places: Vec::new(),
        found: Vec::new(),
    };
    let condition = splitting.with_names_for_largest(&condition);
    let mut reads = false;
    for (_, definition) in &splitting.definitions {
        definition.walk(&mut |e| {
            reads |= matches!(e, Expr::Var(..) | Expr::Inbox(..) | Expr::Senders(..))
        });
    }
    if reads {
        return Err(Unsupported::new(
            "the largest of nodes that are chosen by their variables",
        ));
    }
    let overflows = may_overflow(&machine, &splitting.scope, &condition);
    if !broken(Defect::ErrorsIgnored) && (may_fail(&machine, &condition, &[]) || overflows) {
        return Err(Unsupported::new("a claim that may be an error"));
    }
    splitting.split(&condition, &Outer::default())?;
    let (scope, places) = (splitting.scope, splitting.places);
    let definitions = splitting.definitions;
    let found = splitting.found.into_iter();
    found
        .map(|(outer, conclusion)| {
            let part = Part::of(protocol, property, &scope, &definitions, outer, conclusion)?;
            let places = places.clone();
            Ok(Part { places, ..part })
        })
        .collect()
}

impl Part {
    fn of(
        protocol: &Protocol<'_>,
        property: &Property,
        scope: &Scope,
        definitions: &[(LocalId, Expr)],
        outer: Outer,
        conclusion: Expr,
    ) -> Result<Part, Unsupported> {
        let premises: Vec<Expr> = outer.premises.iter().flat_map(conjuncts).collect();
        let refuse = |what: &str| {
            let why = Unsupported::new(what);
            Err(outer.origin.map_or(why.clone(), |origin| why.at(origin)))
        };
        if reads_counts(protocol, &conclusion) {
            return refuse("counts of activations otherwise than as premises");
        }
        let all = || premises.iter().chain([&conclusion]);
        let mut subjects: Vec<LocalId> = Vec::new();
        let mut others = false;
        for e in all().filter(|e| !reads_counts(protocol, e)) {
            e.walk(&mut |e| {
                if let Expr::Var(_, node) = e {
                    match node.bare() {
                        Expr::Local(local) if !subjects.contains(local) => subjects.push(*local),
                        Expr::Local(_) => {}
                        _ => others = true,
                    }
                }
            });
        }
        let known = |local: &LocalId| {
            outer.nodes.contains(local) || definitions.iter().any(|(name, _)| name == local)
        };
        if subjects.is_empty() {
            return refuse("a condition about no variable of a node");
        }
        let [subject] = subjects[..] else {
            return refuse("a condition about the variables of several nodes at once");
        };
        if others || !known(&subject) {
            return refuse("a condition about the variables of several nodes at once");
        }
        let mut used: Vec<LocalId> = Vec::new();
        for e in all() {
            e.walk(&mut |e| {
                if let Expr::Local(local) = e {
                    used.push(*local);
                }
            });
        }
        let mut nodes = outer.nodes;
        nodes.sort_by_key(|node| *node != subject);
        let definitions = definitions.iter().filter(|(name, _)| used.contains(name));
        Ok(Part {
            name: property.name.clone(),
            scope: scope.clone(),
            nodes,
            subject,
            definitions: definitions.cloned().collect(),
            places: Vec::new(),
            premises: premises.iter().map(without_origins).collect(),
            conclusion: without_origins(&conclusion),
            half: outer.half,
            origin: outer.origin,
            invariant_only: false,
        })
    }
}

/// The parts that the rule tries to prove: those of all claims without their premises about counts, each once; parts
/// about nodes that receive nothing; and invariants about first values. Proofs refer to candidates by number.
pub fn candidates(protocol: &Protocol<'_>, claims: &[Property]) -> Vec<Part> {
    let mut candidates: Vec<Part> = Vec::new();
    for part in claims
        .iter()
        .filter_map(|claim| parts(protocol, claim).ok())
        .flatten()
    {
        let part = part.without_counts(protocol);
        if !candidates.iter().any(|other| other.is_same(&part)) {
            candidates.push(part);
        }
    }
    candidates.extend(silent_parts(protocol));
    candidates.extend(start_parts(protocol));
    candidates
}

/// Candidates for invariants: an id or number never falls below its initial value, or never exceeds it.
fn start_parts(protocol: &Protocol<'_>) -> Vec<Part> {
    let base = &protocol.open.base;
    let mut found = Vec::new();
    for (v, var) in base.vars.iter().enumerate() {
        let (Type::Id | Type::Int(..), Init::Value(scope, first)) = (&var.ty, &var.init) else {
            continue;
        };
        let id = machine::VarId(v as u32);
        if var.ghost || protocol.counts.contains(&id) {
            continue;
        }
        // The first local of the scope is the node itself.
        let node = LocalId(0);
        let value = Expr::Var(id, Box::new(Expr::Local(node)));
        for op in [BinaryOp::Ge, BinaryOp::Le] {
            let first = Box::new(without_origins(first));
            found.push(Part {
                name: format!("{} and its first value", var.name),
                scope: scope.clone(),
                nodes: vec![node],
                subject: node,
                definitions: Vec::new(),
                places: Vec::new(),
                premises: Vec::new(),
                conclusion: Expr::Binary(op, Box::new(value.clone()), first),
                half: None,
                origin: Some(var.origin),
                invariant_only: true,
            });
        }
    }
    found
}

/// Candidates about nodes with a fault: for each fault with which a node sends but receives nothing, and each variable
/// that is a set of nodes, the set of such a node contains only the node itself.
fn silent_parts(protocol: &Protocol<'_>) -> Vec<Part> {
    let base = &protocol.open.base;
    let faults = base.node_faults.iter().flat_map(|item| &item.faults);
    let deaf = faults.filter(|fault| fault.can_send() && !fault.can_receive());
    let deaf: Vec<Fault> = deaf.copied().collect();
    let mut found = Vec::new();
    for fault in deaf {
        for (v, var) in base.vars.iter().enumerate() {
            if var.ty != Type::Node.set() || var.ghost {
                continue;
            }
            let mut scope = Scope::default();
            let node = scope.add("node", Type::Node);
            let element = scope.add(ELEMENT, Type::Node);
            let local = |local| Box::new(Expr::Local(local));
            let set = Expr::Var(machine::VarId(v as u32), local(node));
            found.push(Part {
                name: format!("{} of a node that hears nothing", var.name),
                scope,
                nodes: vec![node, element],
                subject: node,
                definitions: Vec::new(),
                places: Vec::new(),
                premises: vec![
                    Expr::HasFault(fault, local(node)),
                    Expr::Local(element).binary(BinaryOp::In, set),
                ],
                conclusion: Expr::Local(element).binary(BinaryOp::Eq, Expr::Local(node)),
                half: None,
                origin: Some(var.origin),
                invariant_only: false,
            });
        }
    }
    found
}

/// Whether an expression reads a count of activations.
fn reads_counts(protocol: &Protocol<'_>, e: &Expr) -> bool {
    let mut reads = false;
    e.walk(&mut |e| reads |= matches!(e, Expr::Var(var, _) if protocol.counts.contains(var)));
    reads
}

/// The context of a condition inside a claim.
#[derive(Clone, Default)]
struct Outer {
    origin: Option<Origin>,
    half: Option<Half>,
    nodes: Vec<LocalId>,
    premises: Vec<Expr>,
}

impl Outer {
    fn half(&self, half: Half) -> Outer {
        let mut outer = self.clone();
        outer.half = Some(half);
        outer
    }

    fn given(&self, premise: Expr) -> Outer {
        let mut outer = self.clone();
        outer.premises.push(premise);
        outer
    }
}

struct Splitting<'m> {
    machine: &'m Machine,
    scope: Scope,
    definitions: Vec<(LocalId, Expr)>,
    places: Vec<(LocalId, Origin)>,
    found: Vec<(Outer, Expr)>,
}

impl Splitting<'_> {
    /// Replaces every `largest` that depends on no local by a node of its own name.
    fn with_names_for_largest(&mut self, condition: &Expr) -> Expr {
        condition.rebuild(&mut |e| match e.bare() {
            Expr::Extremum(..) if is_closed(e) => {
                let plain = without_origins(e);
                let mut known = self.definitions.iter();
                if let Some((local, _)) = known
                    .find(|(_, other)| shape(&format!("{other:?}")) == shape(&format!("{plain:?}")))
                {
                    return Some(Expr::Local(*local));
                }
                let local = self.scope.add("largest", Type::Node);
                self.definitions.push((local, plain));
                if let Expr::At(origin, _) = e {
                    self.places.push((local, *origin));
                }
                Some(Expr::Local(local))
            }
            _ => None,
        })
    }

    fn split(&mut self, condition: &Expr, outer: &Outer) -> Result<(), Unsupported> {
        match condition {
            Expr::At(origin, inner) => {
                let mut inside = outer.clone();
                inside.origin = Some(*origin);
                self.split(inner, &inside)
            }
            Expr::Binary(BinaryOp::And, a, b) => {
                self.split(a, outer)?;
                self.split(b, outer)
            }
            Expr::Binary(BinaryOp::Implies, premise, then) => {
                self.split(then, &outer.given((**premise).clone()))
            }
            Expr::If(condition, then, otherwise) => {
                self.split(then, &outer.given((**condition).clone()))?;
                let not = Expr::Unary(UnaryOp::Not, condition.clone());
                self.split(otherwise, &outer.given(not))
            }
            Expr::Quantified(Quantifier::All, local, domain, body)
                if self.is_set_of_nodes(domain)? =>
            {
                let mut inner = outer.clone();
                inner.nodes.push(*local);
                inner.premises.extend(membership(*local, domain));
                self.split(body, &inner)
            }
            Expr::Binary(BinaryOp::Eq, a, b) if self.is_set_of_nodes(a)? => {
                self.included(a, b, &outer.half(Half::AtMost));
                if !broken(Defect::OneDirection) {
                    self.included(b, a, &outer.half(Half::AtLeast));
                }
                Ok(())
            }
            Expr::Binary(BinaryOp::Eq, a, b) if self.is_ordered(a)? && self.is_ordered(b)? => {
                for (op, half) in [(BinaryOp::Le, Half::AtMost), (BinaryOp::Ge, Half::AtLeast)] {
                    let bound = Expr::Binary(op, a.clone(), b.clone());
                    self.found.push((outer.half(half), bound));
                }
                Ok(())
            }
            Expr::Binary(BinaryOp::Subset, a, b) if self.is_set_of_nodes(a)? => {
                self.included(a, b, outer);
                Ok(())
            }
            other => {
                self.found.push((outer.clone(), other.clone()));
                Ok(())
            }
        }
    }

    /// Every element of the first set is one of the second.
    fn included(&mut self, a: &Expr, b: &Expr, outer: &Outer) {
        let element = self.scope.add(ELEMENT, Type::Node);
        let mut inner = outer.clone();
        inner.nodes.push(element);
        inner.premises.extend(membership(element, a));
        let inside = Expr::Local(element).binary(BinaryOp::In, b.clone());
        self.found.push((inner, inside));
    }

    /// Whether an expression is an id, or a number that is no constant.
    fn is_ordered(&self, e: &Expr) -> Result<bool, Unsupported> {
        let ty = self.type_of(e)?;
        Ok(match ty {
            Type::Id => true,
            Type::Int(..) => !matches!(e.bare(), Expr::Const(_)),
            _ => false,
        })
    }

    fn is_set_of_nodes(&self, e: &Expr) -> Result<bool, Unsupported> {
        Ok(self.type_of(e)? == Type::Node.set())
    }

    fn type_of(&self, e: &Expr) -> Result<Type, Unsupported> {
        match Typing::all_bound(self.machine, &self.scope).type_of(e) {
            Ok(ty) => Ok(ty),
            Err(why) => Err(Unsupported::new(format!(
                "an expression without type: {why}"
            ))),
        }
    }
}

/// The premises that say that a node is in a set. For a set built by a condition, the condition is a premise.
fn membership(node: LocalId, set: &Expr) -> Vec<Expr> {
    match set.bare() {
        Expr::Nodes(_) => Vec::new(),
        Expr::Filter(local, domain, condition) => {
            let mut premises = membership(node, domain);
            premises.push(condition.rebuild(&mut |e| match e {
                Expr::Local(other) if other == local => Some(Expr::Local(node)),
                _ => None,
            }));
            premises
        }
        _ => vec![Expr::Local(node).binary(BinaryOp::In, set.clone())],
    }
}

/// The conditions of which a condition is the conjunction. A claim that may be an error is refused, so their order does
/// not matter.
fn conjuncts(e: &Expr) -> Vec<Expr> {
    match e.bare() {
        Expr::Binary(BinaryOp::And, a, b) => [conjuncts(a), conjuncts(b)].concat(),
        _ => vec![e.clone()],
    }
}

/// Whether an expression has no free locals.
fn is_closed(e: &Expr) -> bool {
    let mut bound = Vec::new();
    let mut read = Vec::new();
    e.walk(&mut |e| match e {
        Expr::Local(local) => read.push(*local),
        Expr::Let(local, ..)
        | Expr::Filter(local, ..)
        | Expr::Quantified(_, local, ..)
        | Expr::Extremum(_, local, ..) => bound.push(*local),
        _ => {}
    });
    read.iter().all(|local| bound.contains(local))
}

/// The expression without source locations.
fn without_origins(e: &Expr) -> Expr {
    match e {
        Expr::At(_, inner) => without_origins(inner),
        other => other.with_parts(&mut without_origins),
    }
}

/// A text of expressions, with locals numbered in the order in which they occur.
fn shape(text: &str) -> String {
    let mut seen: Vec<&str> = Vec::new();
    let mut shape = String::new();
    for (i, piece) in text.split("LocalId(").enumerate() {
        if i == 0 {
            shape.push_str(piece);
            continue;
        }
        let (number, rest) = piece.split_once(')').unwrap_or((piece, ""));
        let place = seen.iter().position(|other| *other == number);
        let place = place.unwrap_or_else(|| {
            seen.push(number);
            seen.len() - 1
        });
        shape.push_str(&format!("local {place}{rest}"));
    }
    shape
}
