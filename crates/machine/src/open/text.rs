//! The text form of open Machines: the declarations about the size, then those of the base.
//!
//! ```text
//! (every p 1)            the size parameter and its least value
//! (open Node)            the open kinds
//! (extra-ids 0)          ids that no node has, if there are ids
//! (joined ring to-self)  the edges, if there are any
//! (maps next previous)   the functions between nodes
//! (all-but 0 1)          the limit of the first fault group: all nodes but one
//! (runtime-all-but 0 1)  the same for a runtime fault group
//! (deadlines 2 2)        by response: the number of nodes that it is about
//! ```

use crate::open::structure::{EdgeRule, MapRule, OpenLimit, OpenMachine, Shape, SizeParameter};
use crate::text::items::{Items, all, find, is_word, number, unmarked};
use crate::text::names::{Names, by_number, meaning, word};
use crate::text::parse::parse_items;
use crate::text::sexpr;
use crate::text::sexpr::{Atom, ParseError, Sexpr, expected};
use crate::{KindId, Machine};

const SHAPES: [(Shape, &str); 4] = [
    (Shape::Complete, "complete"),
    (Shape::Ring, "ring"),
    (Shape::Line, "line"),
    (Shape::Star, "star"),
];

const MAPS: [(MapRule, &str); 2] = [(MapRule::Next, "next"), (MapRule::Previous, "previous")];

impl std::fmt::Display for OpenMachine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = Names::of(&self.base);
        let digits = |number: u32| Sexpr::word(number.to_string());
        let name = Sexpr::atom(Atom::name(&self.size.name, 1));
        let mut items = vec![Sexpr::form("every", [name, digits(self.size.least)])];
        let kinds = self.open.iter();
        let kinds = kinds.map(|kind| Sexpr::atom(by_number(&names.kinds, kind.index())));
        items.push(Sexpr::form("open", kinds));
        items.extend(
            self.extra_ids
                .map(|extra| Sexpr::form("extra-ids", [digits(extra)])),
        );
        if let EdgeRule::Joined(shape, to_self) = self.edges {
            let mut words = vec![Sexpr::word(word(&SHAPES, shape))];
            words.extend(to_self.then(|| Sexpr::word("to-self")));
            items.push(Sexpr::form("joined", words));
        }
        if !self.maps.is_empty() {
            let words = self.maps.iter().map(|rule| Sexpr::word(word(&MAPS, *rule)));
            items.push(Sexpr::form("maps", words));
        }
        for (head, limits) in [
            ("all-but", &self.limits),
            ("runtime-all-but", &self.runtime_limits),
        ] {
            for (group, limit) in limits.iter().enumerate() {
                if let OpenLimit::AllBut(without) = limit {
                    items.push(Sexpr::form(head, [digits(group as u32), digits(*without)]));
                }
            }
        }
        if !self.deadlines.is_empty() {
            let numbers = self.deadlines.iter().map(|number| digits(*number));
            items.push(Sexpr::form("deadlines", numbers));
        }
        let mut out = String::new();
        for item in items {
            sexpr::write(&mut out, &item, 0);
            out.push('\n');
        }
        write!(f, "{out}{}", self.base)
    }
}

/// The declarations about the size.
#[derive(Default)]
struct Head<'s> {
    size: Option<SizeParameter>,
    open: Vec<&'s Sexpr>,
    extra_ids: Option<u32>,
    edges: Option<EdgeRule>,
    maps: Vec<MapRule>,
    limits: Vec<(bool, usize, u32)>,
    deadlines: Vec<u32>,
}

impl<'s> Head<'s> {
    /// Reads a declaration about the size; false for one of the base.
    fn item(&mut self, item: &'s Sexpr) -> Result<bool, ParseError> {
        let mut list = Items::of(unmarked(item).0, "a declaration")?;
        let head = list.atom("the word for a declaration")?;
        match head.text.as_str() {
            "every" => {
                let name = list.atom("a name")?.text.clone();
                let least = number(list.next("a number")?, "a number")?;
                if self.size.is_some() {
                    return expected(item.line, "one `every`");
                }
                self.size = Some(SizeParameter { name, least });
            }
            "open" => self.open.extend(list.rest()),
            "extra-ids" => self.extra_ids = Some(number(list.next("a number")?, "a number")?),
            "joined" => {
                let line = list.line();
                let shape = meaning(&SHAPES, &list.atom("a shape")?.text);
                let Some(shape) = shape else {
                    return expected(line, "`complete`, `ring`, `line` or `star`");
                };
                let to_self = list.len() > 0 && is_word(list.next("`to-self`")?, "to-self");
                self.edges = Some(EdgeRule::Joined(shape, to_self));
            }
            "maps" => {
                self.maps = all(list.rest(), |rule| {
                    let text = &crate::text::items::atom(rule, "`next` or `previous`")?.text;
                    match meaning(&MAPS, text) {
                        Some(rule) => Ok(rule),
                        None => expected(rule.line, "`next` or `previous`"),
                    }
                })?;
            }
            "deadlines" => {
                self.deadlines = all(list.rest(), |count| number(count, "a number"))?;
            }
            "all-but" | "runtime-all-but" => {
                let group = number(list.next("a fault group")?, "a fault group")?;
                let without = number(list.next("a number")?, "a number")?;
                self.limits
                    .push((head.text == "runtime-all-but", group, without));
            }
            _ => return Ok(false),
        }
        list.end()?;
        Ok(true)
    }
}

/// Parses an open Machine from its text form. The result need not be well formed: see
/// [`verify_open`](crate::verify_open()).
pub fn parse_open(text: &str) -> Result<OpenMachine, ParseError> {
    let mut head = Head::default();
    let items = sexpr::read(text)?;
    let mut rest = Vec::new();
    for item in &items {
        if !head.item(item)? {
            rest.push(item.clone());
        }
    }
    let base: Machine = parse_items(&rest)?;
    let Some(size) = head.size else {
        return expected(1, "`(every …)`");
    };
    let kinds = Names::of(&base).kinds;
    let kind = |name: &&Sexpr| find(&kinds, name, "a kind").map(KindId);
    let open: Result<Vec<KindId>, ParseError> = head.open.iter().map(kind).collect();
    let edges = head.edges.unwrap_or(EdgeRule::None);
    let mut machine = OpenMachine::new(base, size, open?, head.extra_ids, edges);
    machine.maps = head.maps;
    machine.deadlines = head.deadlines;
    for (runtime, group, without) in head.limits {
        let limits = match runtime {
            true => &mut machine.runtime_limits,
            false => &mut machine.limits,
        };
        match limits.get_mut(group) {
            Some(limit) => *limit = OpenLimit::AllBut(without),
            None => return expected(1, format!("a fault group, not {group}")),
        }
    }
    Ok(machine)
}
