//! The open world: evaluation of expressions over a network of which only some nodes have names.
//!
//! *What.* A closed world knows every node. In an open world the nodes of the Machine are *names*: pairwise different
//! nodes of a network of unknown size, which has at least as many nodes as there are names that exist. A quantifier over
//! nodes, over messages of an inbox, or over the elements of a set of nodes cannot be evaluated from the names alone,
//! so its truth is a new input d ("some element decides"), constrained in two directions:
//!
//! - *Instances.* If a named element decides, d is true. This is added for every name.
//! - *Witness.* If d is true, some element decides. The element is a node that has a name already, or it gets one: a
//!   name is reserved for it. This direction is added only while names are left.
//!
//! *Why it is sound.* Claim: for every network, every state of it and every choice of the nodes for the given names,
//! the inputs of the circuit have values under which all conditions are true and every literal has the value that it
//! has in the network. Each d gets the truth of its quantifier in the network. Then the instances hold. A quantifier
//! with a witness selects a real element that decides; if its node has no name, the reserved name becomes its name, and
//! the name *exists*. Reserved names are assigned in the order of evaluation, so the node of a witness has a name that
//! is not later than the reserved one, and only these are offered. A name that nothing uses does not exist; conditions
//! at a name are required only if it exists, and only on paths that the evaluation takes. So leaving out an instance or
//! a witness makes fewer conditions, never a false one. A query about such a circuit can therefore only be refuted if
//! no network of any size satisfies it.
//!
//! *One witness for many instances.* A quantifier inside the body of another one matters for the other's witness only
//! for the element that is the witness. So each element has a literal *pick* that says that it is the witness, and the
//! names reserved inside the body are the same ones for all elements: at most one of them is picked. The witness
//! condition of an inner quantifier is required only if its element is picked (`Names` in `eval/names.rs`).
//!
//! *Elements without a name.* The last name is *generic*: it is never reserved and denotes any node without another
//! name. If the body is the constant false for it, no unnamed element decides, and d is exactly the disjunction over
//! the names.
//!
//! *Refused.* Counts, sizes and sums over unknown elements; `the`; bodies that may be an error, because an unnamed
//! element could be the error; `largest` by anything but distinct ids, because ties depend on the numbering of nodes;
//! equality of values that contain sets of nodes or arrays over nodes; choices among unknown elements; loops over
//! messages, and loops over nodes unless the world says that their steps do not depend on each other.

mod elements;
mod quantify;

use crate::Unsupported;
use crate::eval::evaluator::Evaluator;
use machine::{Expr, Type, Typing};

/// Whether equality and membership of values of a type depend on nodes without a name.
fn is_unbounded(ty: &Type) -> bool {
    match ty {
        Type::Set(inner) => **inner == Type::Node || is_unbounded(inner),
        Type::Array(index, inner) => **index == Type::Node || is_unbounded(inner),
        Type::Option(inner) => is_unbounded(inner),
        _ => false,
    }
}

impl Evaluator<'_> {
    /// Whether a quantifier over this domain ranges over elements without a name. Refuses sets of other values whose
    /// number grows with the number of nodes.
    pub(crate) fn is_open(&self, domain: &Expr) -> Result<bool, Unsupported> {
        if self.world.open().is_none() {
            return Ok(false);
        }
        if let Expr::Inbox(..) = domain.bare() {
            return Ok(true);
        }
        match self.type_of(domain)? {
            Type::Set(inner) if *inner == Type::Node => Ok(true),
            Type::Set(inner) if self.depends_on_size(&inner) => Err(Unsupported::new(
                "a set of values of which there are more with more nodes",
            )),
            _ => Ok(false),
        }
    }

    /// Refuses a domain whose elements may have no name.
    pub(crate) fn refuse_open(&self, domain: &Expr, what: &str) -> Result<(), Unsupported> {
        match self.is_open(domain)? {
            true => Err(Unsupported::new(what)),
            false => Ok(()),
        }
    }

    /// Whether the operands of a comparison are sets of nodes in an open world. Refuses other values whose comparison
    /// depends on nodes without a name.
    pub(crate) fn compares_openly(&self, operand: &Expr) -> Result<bool, Unsupported> {
        if self.world.open().is_none() {
            return Ok(false);
        }
        let ty = self.type_of(operand)?;
        if ty == Type::Set(Box::new(Type::Node)) {
            return Ok(true);
        }
        match is_unbounded(&ty) || self.depends_on_size_inside(&ty) {
            true => Err(Unsupported::new(
                "the equality of values that contain sets of nodes",
            )),
            false => Ok(false),
        }
    }

    pub(crate) fn type_of(&self, e: &Expr) -> Result<Type, Unsupported> {
        let typed = Typing::all_bound(self.machine, self.scope).type_of(e);
        typed.map_err(|why| Unsupported::new(format!("an expression without type: {why}")))
    }

    /// Whether the number of values of a type grows with the number of nodes.
    fn depends_on_size(&self, ty: &Type) -> bool {
        match ty {
            Type::Node | Type::Id => true,
            Type::Set(inner) | Type::Option(inner) => self.depends_on_size(inner),
            Type::Array(index, inner) => self.depends_on_size(index) || self.depends_on_size(inner),
            Type::Record(_) | Type::OneOf(_) => true,
            Type::Bool | Type::Int(..) | Type::Counter(_) | Type::Enum(_) => false,
        }
    }

    /// Whether a record contains a set of nodes or an array over nodes.
    fn depends_on_size_inside(&self, ty: &Type) -> bool {
        let fields = |record: &machine::RecordId| {
            let fields = &self.machine.records[record.index()].fields;
            fields
                .iter()
                .any(|(_, ty)| is_unbounded(ty) || self.depends_on_size_inside(ty))
        };
        match ty {
            Type::Record(record) => fields(record),
            Type::OneOf(records) => records.iter().any(fields),
            Type::Option(inner) => self.depends_on_size_inside(inner),
            _ => false,
        }
    }
}
