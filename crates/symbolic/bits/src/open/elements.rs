//! The named elements of an unknown domain, and sets of nodes that are built element by element.

use crate::Unsupported;
use crate::eval::branches::Branch;
use crate::eval::evaluator::Evaluator;
use crate::eval::names::View;
use crate::values::number::Number;
use crate::values::value::{Bits, Set};
use machine::{Expr, LocalId, NodeId, Type};
use sat::Lit;

/// A named element of an unknown domain: a named node, or a message of a named sender.
pub(super) struct Candidate {
    /// The name of the node or sender.
    pub(super) name: usize,
    /// Whether the name exists and the element is in the domain.
    pub(super) present: Lit,
    pub(super) value: Bits,
}

/// The named elements of a domain.
pub(super) struct Candidates {
    /// The elements at which the body is instantiated.
    pub(super) list: Vec<Candidate>,
    /// Candidates for witnesses, if a named node can have several elements in the domain: for each name, any of these
    /// elements. `None` if `list` has all elements of the named nodes, or if no candidates are left.
    pub(super) any: Option<Vec<Candidate>>,
    /// Whether `list` has all elements of the named nodes.
    pub(super) complete: bool,
}

impl Evaluator<'_> {
    pub(super) fn candidates(
        &mut self,
        view: View<'_>,
        domain: &Expr,
    ) -> Result<Candidates, Unsupported> {
        let Expr::Inbox(records, node) = domain.bare() else {
            let set = self.value(domain)?;
            let list = (0..view.names.count()).map(|name| {
                let value = Bits::node(NodeId(name as u32));
                let member = set.set().contains(self.aig, &value);
                Candidate {
                    name,
                    present: self.aig.and(view.names.exists(name), member),
                    value,
                }
            });
            return Ok(Candidates {
                list: list.collect(),
                any: None,
                complete: true,
            });
        };
        let node = self.value(node)?;
        let own = self.own.as_ref().map(|own| (own.node, own.cleared));
        let of_self = own.filter(|(own, _)| node.number().known() == Some(i128::from(own.0)));
        let Some((_, cleared)) = of_self else {
            return Err(Unsupported::new("the inbox of another node"));
        };
        let mut list = Vec::new();
        for element in self.copies(records, &node)?.list {
            let sender = element.sender.as_ref().and_then(Number::known);
            let name = sender.unwrap_or_default() as usize;
            list.push(Candidate {
                name,
                present: self.aig.and(view.names.exists(name), element.present),
                value: element.value,
            });
        }
        let Some(more) = self.world.more_messages() else {
            return Ok(Candidates {
                list,
                any: None,
                complete: true,
            });
        };
        let mut any = Vec::new();
        for slot in more {
            let name = slot.sender.index();
            let there = [view.names.exists(name), slot.present, !cleared];
            any.push(Candidate {
                name,
                present: self.aig.all(there),
                value: slot.message,
            });
        }
        Ok(Candidates {
            list,
            any: (!any.is_empty()).then_some(any),
            complete: false,
        })
    }

    /// The set of the named nodes for which a literal is true.
    pub(super) fn of_names(
        &mut self,
        view: View<'_>,
        mut member: impl FnMut(&mut Self, NodeId) -> Result<Lit, Unsupported>,
    ) -> Result<Bits, Unsupported> {
        let mut nodes = Vec::new();
        for name in 0..view.names.count() {
            let node = NodeId(name as u32);
            match member(self, node)? {
                Lit::FALSE => {}
                lit => nodes.push((machine::Value::Node(node), lit)),
            }
        }
        Ok(Bits::Set(Set::table(self.machine, &Type::Node, nodes)))
    }

    /// The senders of the messages in an inbox of which nothing is known.
    pub(crate) fn unknown_senders(&mut self, view: View<'_>) -> Result<Bits, Unsupported> {
        self.look();
        self.unknown_nodes(view)
    }

    /// A set of nodes of which nothing is known.
    pub(super) fn unknown_nodes(&mut self, view: View<'_>) -> Result<Bits, Unsupported> {
        self.of_names(view, |this, _| Ok(this.aig.input()))
    }

    /// The elements of a set of nodes for which a condition holds. Quantifiers in the condition get witnesses only at
    /// interesting elements.
    pub(crate) fn filtered_openly(
        &mut self,
        view: View<'_>,
        local: LocalId,
        domain: &Expr,
        condition: &Expr,
    ) -> Result<Bits, Unsupported> {
        self.refuse_errors(condition)?;
        let set = self.value(domain)?;
        self.of_names(view, |this, node| {
            let value = Bits::node(node);
            let inside = set.set().contains(this.aig, &value);
            if inside == Lit::FALSE {
                return Ok(Lit::FALSE);
            }
            let exists = view.names.exists(node.index());
            let here = this.aig.and(exists, inside);
            this.bind(local, value);
            let before = view.names.grant_at(node.index());
            let holds = this.under(here, |this| {
                let holds = this.condition(condition)?;
                this.log_both(Branch::Body, holds);
                Ok(holds)
            });
            view.names.set_grant(before);
            let holds = holds?;
            Ok(this.aig.and(inside, holds))
        })
    }
}
