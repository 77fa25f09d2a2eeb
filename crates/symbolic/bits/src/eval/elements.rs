//! The elements over which quantifiers and loops range: elements of sets, messages in inboxes, and their order of
//! iteration.

use crate::Unsupported;
use crate::eval::branches::Branch;
use crate::eval::evaluator::Evaluator;
use crate::values::compare::{equal, less};
use crate::values::merge::ite;
use crate::values::number::Number;
use crate::values::value::{Alternative, Bits, Member, Set};
use machine::{Expr, LocalId, NodeId, RecordId};
use sat::{Aig, Lit};

/// The largest number of elements for which a sorting network is built.
const MOST_SORTED: usize = 24;

/// A candidate element of a quantifier or loop.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    /// Whether the element is in the domain.
    pub(crate) present: Lit,
    /// The value bound to the local name.
    pub(crate) value: Bits,
    /// The sender of a message in an inbox; elements are ordered by sender first. `None` for elements of a set.
    pub(crate) sender: Option<Number>,
}

/// The candidate elements of a domain.
#[derive(Clone, Debug)]
pub(crate) struct Elements {
    pub(crate) list: Vec<Element>,
    /// Whether the list is in the order of iteration.
    pub(crate) ordered: bool,
    /// Whether the domain is a set, in which equal elements count once.
    pub(crate) a_set: bool,
}

impl Element {
    /// Whether the element precedes another in the order of iteration, provided that both are present.
    pub(crate) fn before(&self, aig: &mut Aig, other: &Element) -> Result<Lit, Unsupported> {
        let (Some(a), Some(b)) = (&self.sender, &other.sender) else {
            return less(aig, &self.value, &other.value);
        };
        let sender = a.less(aig, b);
        let same = a.equal(aig, b);
        if same == Lit::FALSE {
            return Ok(sender);
        }
        let message = less(aig, &self.value, &other.value)?;
        let message = aig.and(same, message);
        Ok(aig.or(sender, message))
    }

    pub(crate) fn ite(aig: &mut Aig, condition: Lit, a: &Element, b: &Element) -> Element {
        let sender = match (&a.sender, &b.sender) {
            (Some(a), Some(b)) => Some(Number::ite(aig, condition, a, b)),
            _ => None,
        };
        Element {
            present: aig.ite(condition, a.present, b.present),
            value: ite(aig, condition, &a.value, &b.value),
            sender,
        }
    }
}

impl Elements {
    fn of_set(set: &Set) -> Elements {
        let list = set.members().into_iter();
        let list = list.filter(|member| member.present != Lit::FALSE);
        let list: Vec<Element> = list
            .map(|member| Element {
                present: member.present,
                value: member.value,
                sender: None,
            })
            .collect();
        Elements {
            ordered: matches!(set, Set::Table(_)) || list.len() < 2,
            list,
            a_set: true,
        }
    }

    /// If the domain is a set, marks all but the first of equal elements as absent.
    pub(crate) fn distinct(mut self, aig: &mut Aig) -> Elements {
        if self.a_set && !self.ordered {
            let members = { self.list.iter() }.map(|element| Member {
                present: element.present,
                value: element.value.clone(),
            });
            let members = Set::List(members.collect()).distinct(aig);
            for (element, member) in self.list.iter_mut().zip(members) {
                element.present = member.present;
            }
        }
        self
    }

    /// The elements in the order of iteration, without duplicates if the domain is a set.
    pub(crate) fn sorted(self, aig: &mut Aig) -> Result<Vec<Element>, Unsupported> {
        if self.ordered {
            return Ok(self.list);
        }
        if self.list.len() > MOST_SORTED {
            let why = "a loop over many values whose order is not known";
            return Err(Unsupported::new(why));
        }
        let mut list = self.distinct(aig).list;
        for end in (1..list.len()).rev() {
            for place in 0..end {
                // Bubble sort; absent elements move to the end.
                let (first, second) = (list[place].clone(), list[place + 1].clone());
                let before = second.before(aig, &first)?;
                let before = aig.or(!first.present, before);
                let swap = aig.and(second.present, before);
                list[place] = Element::ite(aig, swap, &second, &first);
                list[place + 1] = Element::ite(aig, swap, &first, &second);
            }
        }
        Ok(list)
    }
}

impl Evaluator<'_> {
    /// The elements of a domain. In an inbox, each copy of a message is an element.
    pub(crate) fn elements(&mut self, domain: &Expr) -> Result<Elements, Unsupported> {
        match domain.bare() {
            Expr::Inbox(records, node) if !self.is_dead() => {
                let node = self.value(node)?;
                self.copies(records, &node)
            }
            _ => Ok(Elements::of_set(self.value(domain)?.set())),
        }
    }

    /// The messages of the given types in the inbox of a node, with all copies.
    pub(crate) fn copies(
        &mut self,
        records: &[RecordId],
        node: &Bits,
    ) -> Result<Elements, Unsupported> {
        let mut list = Vec::new();
        let mut ordered = true;
        for (here, n) in self.node_choices(node) {
            let first = list.len();
            for (present, sender, message) in self.slots(n)? {
                let (message, of_them) = self.pruned(message, records);
                let present = self.aig.all([here, present, of_them]);
                if present == Lit::FALSE {
                    continue;
                }
                list.push(Element {
                    present,
                    value: Bits::Record(message),
                    sender: Some(Number::constant(i128::from(sender.0))),
                });
            }
            // `node` denotes one node, so messages in inboxes of different nodes are never present together, and their
            // order is irrelevant.
            ordered &= list[first..].windows(2).all(|w| in_order(&w[0], &w[1]));
        }
        Ok(Elements {
            list,
            ordered,
            a_set: false,
        })
    }

    fn slots(&mut self, node: NodeId) -> Result<Vec<(Lit, NodeId, Vec<Alternative>)>, Unsupported> {
        let cleared = match &self.own {
            Some(own) if own.node == node => own.cleared,
            _ => Lit::FALSE,
        };
        if cleared == Lit::TRUE {
            return Ok(Vec::new());
        }
        let mut slots = Vec::new();
        self.look();
        for slot in self.world.inbox(self.aig, node)? {
            let present = self.aig.and(slot.present, !cleared);
            match slot.message {
                Bits::Record(message) => slots.push((present, slot.sender, message)),
                other => unreachable!("a message is a record: {other:?}"),
            }
        }
        Ok(slots)
    }

    /// The alternatives of a message that have one of the given types, and whether the message has one of these types.
    fn pruned(
        &mut self,
        message: Vec<Alternative>,
        records: &[RecordId],
    ) -> (Vec<Alternative>, Lit) {
        let all = message.len();
        let mut left: Vec<Alternative> = { message.into_iter() }
            .filter(|alternative| records.contains(&alternative.record))
            .collect();
        let of_them = match left.len() == all {
            true => Lit::TRUE,
            false => self
                .aig
                .any(left.iter().map(|alternative| alternative.when)),
        };
        if let [one] = &mut left[..] {
            one.when = Lit::TRUE;
        }
        (left, of_them)
    }

    /// The set of messages of the given types in the inbox of a node.
    pub(crate) fn inbox_set(
        &mut self,
        records: &[RecordId],
        node: &Expr,
    ) -> Result<Bits, Unsupported> {
        if self.world.open().is_some() {
            return Err(Unsupported::new("the set of messages in an inbox"));
        }
        let node = self.value(node)?;
        let mut set = Set::Table(Vec::new());
        for element in self.copies(records, &node)?.list {
            let one = Set::of(self.aig, element.value);
            let one = one.mapped(|_, present| self.aig.and(present, element.present));
            set = set.union(self.aig, &one)?;
        }
        Ok(Bits::Set(set))
    }

    /// The set of nodes from which a message is in the inbox of a node. `record` restricts the messages to one type.
    pub(crate) fn senders(
        &mut self,
        record: Option<RecordId>,
        node: &Expr,
    ) -> Result<Bits, Unsupported> {
        let world = self.world;
        if let Some(view) = world.open().filter(|view| view.blind) {
            return self.unknown_senders(view);
        }
        let node = self.value(node)?;
        let mut found: Vec<(NodeId, Lit)> = Vec::new();
        for (here, n) in self.node_choices(&node) {
            for (present, sender, message) in self.slots(n)? {
                let (_, wanted) = match record {
                    Some(record) => self.pruned(message, &[record]),
                    None => (message, Lit::TRUE),
                };
                found.push((sender, self.aig.all([here, present, wanted])));
            }
        }
        Ok(self.node_set(|this, n| {
            let from = found.iter().filter(|(sender, _)| *sender == n);
            this.aig.any(from.map(|(_, present)| *present))
        }))
    }

    /// The elements of a set for which a condition holds.
    pub(crate) fn filtered(
        &mut self,
        local: LocalId,
        domain: &Expr,
        condition: &Expr,
    ) -> Result<Bits, Unsupported> {
        let world = self.world;
        if let (Some(view), true) = (world.open(), self.is_open(domain)?) {
            return self.filtered_openly(view, local, domain, condition);
        }
        let Bits::Set(mut set) = self.value(domain)? else {
            unreachable!("verified to be a set")
        };
        let mut kept = Vec::new();
        let members = set.members();
        self.log_empty(members.iter().map(|member| member.present));
        for member in members {
            self.bind(local, member.value);
            let holds = self.under(member.present, |this| {
                let holds = this.condition(condition)?;
                this.log_both(Branch::Body, holds);
                Ok(holds)
            })?;
            kept.push(self.aig.and(member.present, holds));
        }
        let mut kept = kept.into_iter();
        set = set.mapped(|_, _| kept.next().unwrap_or(Lit::FALSE));
        Ok(Bits::Set(set))
    }

    /// Whether two values are equal.
    pub(crate) fn same(&mut self, a: &Bits, b: &Bits) -> Lit {
        equal(self.aig, a, b)
    }
}

/// Whether `a` certainly precedes or equals `b` in the order of iteration of an inbox.
fn in_order(a: &Element, b: &Element) -> bool {
    let sender = |e: &Element| e.sender.as_ref().and_then(Number::known);
    if sender(a) != sender(b) {
        return sender(a) < sender(b);
    }
    let (Bits::Record(x), Bits::Record(y)) = (&a.value, &b.value) else {
        return false;
    };
    let last = x.iter().map(|alternative| alternative.record).max();
    let first = y.iter().map(|alternative| alternative.record).min();
    let known = || Some(a.value.known()? <= b.value.known()?);
    last < first || known() == Some(true)
}
