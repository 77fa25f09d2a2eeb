//! Access to the items of an S-expression: lists, names, numbers, source locations.

use crate::text::sexpr::{Atom, ParseError, Sexpr, Shape, expected};
use crate::{NodeId, Origin};

/// The items of a list that are not yet consumed.
pub(crate) struct Items<'s> {
    line: u32,
    rest: &'s [Sexpr],
}

impl<'s> Items<'s> {
    pub(crate) fn of(sexpr: &'s Sexpr, what: &str) -> Result<Items<'s>, ParseError> {
        match &sexpr.shape {
            Shape::List(rest) => Ok(Items {
                line: sexpr.line,
                rest,
            }),
            _ => expected(sexpr.line, what),
        }
    }

    pub(crate) fn line(&self) -> u32 {
        self.rest.first().map_or(self.line, |next| next.line)
    }

    pub(crate) fn next(&mut self, what: &str) -> Result<&'s Sexpr, ParseError> {
        let Some((first, rest)) = self.rest.split_first() else {
            return expected(self.line, what);
        };
        self.rest = rest;
        Ok(first)
    }

    pub(crate) fn atom(&mut self, what: &str) -> Result<&'s Atom, ParseError> {
        atom(self.next(what)?, what)
    }

    /// Consumes the next item if it is a list that begins with the given word; returns the items after the word.
    pub(crate) fn form(&mut self, head: &str) -> Option<Items<'s>> {
        let (first, rest) = self.rest.split_first()?;
        let Shape::List(items) = &first.shape else {
            return None;
        };
        let (word, inner) = items.split_first()?;
        if !is_word(word, head) {
            return None;
        }
        self.rest = rest;
        Some(Items {
            line: first.line,
            rest: inner,
        })
    }

    pub(crate) fn rest(&mut self) -> &'s [Sexpr] {
        std::mem::take(&mut self.rest)
    }

    pub(crate) fn len(&self) -> usize {
        self.rest.len()
    }

    pub(crate) fn end(&self) -> Result<(), ParseError> {
        match self.rest.first() {
            None => Ok(()),
            Some(more) => expected(more.line, "`)`"),
        }
    }
}

pub(crate) fn atom<'s>(sexpr: &'s Sexpr, what: &str) -> Result<&'s Atom, ParseError> {
    match &sexpr.shape {
        Shape::Atom(atom) => Ok(atom),
        _ => expected(sexpr.line, what),
    }
}

pub(crate) fn is_word(sexpr: &Sexpr, word: &str) -> bool {
    matches!(&sexpr.shape, Shape::Atom(a) if !a.quoted && a.copy == 1 && a.text == word)
}

/// The S-expression without its source location, and the location; 0 if it has none.
pub(crate) fn unmarked(sexpr: &Sexpr) -> (&Sexpr, Origin) {
    match &sexpr.shape {
        Shape::Mark(mark, inner) => (inner, Origin(*mark)),
        _ => (sexpr, Origin(0)),
    }
}

pub(crate) fn number<T: std::str::FromStr>(sexpr: &Sexpr, what: &str) -> Result<T, ParseError> {
    let atom = atom(sexpr, what)?;
    match atom.text.parse() {
        Ok(number) if !atom.quoted && atom.copy == 1 => Ok(number),
        _ => expected(sexpr.line, what),
    }
}

/// A node; the text form counts nodes from 1.
pub(crate) fn node(sexpr: &Sexpr) -> Result<NodeId, ParseError> {
    let from_one: u64 = number(sexpr, "a node")?;
    match from_one.checked_sub(1).map(u32::try_from) {
        Some(Ok(n)) => Ok(NodeId(n)),
        _ => expected(sexpr.line, "a node, from 1"),
    }
}

/// The index of a declared name; `#7` is the index 7.
pub(crate) fn find(names: &[Atom], sexpr: &Sexpr, what: &str) -> Result<u32, ParseError> {
    let wanted = atom(sexpr, what)?;
    if !wanted.quoted
        && let Some(raw) = wanted.text.strip_prefix('#')
    {
        return match raw.parse() {
            Ok(raw) => Ok(raw),
            Err(_) => expected(sexpr.line, "a number after `#`"),
        };
    }
    match names.iter().position(|name| name.same(wanted)) {
        Some(place) => Ok(place as u32),
        None => expected(sexpr.line, format!("{what}, not `{wanted}`")),
    }
}

/// Appends a name to the list; an error if it is already in it.
pub(crate) fn declare(names: &mut Vec<Atom>, sexpr: &Sexpr, what: &str) -> Result<(), ParseError> {
    let name = atom(sexpr, what)?;
    if names.iter().any(|other| other.same(name)) {
        return expected(sexpr.line, format!("another name: `{name}` is taken"));
    }
    names.push(name.clone());
    Ok(())
}

pub(crate) fn all<T>(
    items: &[Sexpr],
    one: impl FnMut(&Sexpr) -> Result<T, ParseError>,
) -> Result<Vec<T>, ParseError> {
    items.iter().map(one).collect()
}
