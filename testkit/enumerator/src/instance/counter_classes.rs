//! Classes of counters: a union-find structure over the `Counter` types in declarations.

use std::collections::HashMap;
use syntax::ast::Type;

/// The classes of an instance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classes {
    /// The number of each place, by the address of its `Counter` type in the syntax tree.
    places: HashMap<*const Type, usize>,
    /// By place: its parent in the union-find forest; a representative is its own parent.
    nearer: Vec<usize>,
}

impl Classes {
    /// The place of a `Counter` in a declaration; created at its first occurrence.
    pub fn place(&mut self, ty: &Type) -> usize {
        let new = self.nearer.len();
        let place = *self.places.entry(std::ptr::from_ref(ty)).or_insert(new);
        if place == new {
            self.nearer.push(new);
        }
        place
    }

    /// Joins the classes of two places.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.representative(a), self.representative(b));
        self.nearer[a.max(b)] = a.min(b);
    }

    fn representative(&self, mut place: usize) -> usize {
        while self.nearer[place] != place {
            place = self.nearer[place];
        }
        place
    }

    /// The class of a `Counter` in a declaration; `None` if the place was never read.
    pub fn class(&self, ty: &Type) -> Option<usize> {
        let place = self.places.get(&std::ptr::from_ref(ty))?;
        Some(self.representative(*place))
    }

    /// Whether there are no counters.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// An upper bound on the class numbers.
    pub fn bound(&self) -> usize {
        self.nearer.len()
    }
}
