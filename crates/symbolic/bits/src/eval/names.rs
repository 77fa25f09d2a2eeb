//! The names of an open world and the conditions that its evaluation collects; `open/mod.rs` explains them.

use sat::{Aig, Lit};
use std::cell::RefCell;

/// The names of an open world: the nodes of the Machine, with the conditions that the evaluation has collected.
#[derive(Debug)]
pub struct Names {
    /// By name: whether it denotes a node.
    exists: Vec<Lit>,
    /// The number of names that are given from the beginning.
    given: usize,
    /// By name: whether sets that are built by a condition get witnesses at this name.
    pub(crate) interesting: Vec<bool>,
    state: RefCell<State>,
}

#[derive(Debug)]
struct State {
    /// The number of names reserved on the current path of the evaluation.
    reserved: usize,
    /// The largest number of names that were reserved at once.
    most: usize,
    /// The condition under which witnesses are required.
    grant: Lit,
    conditions: Vec<Lit>,
    /// The number of free values that the evaluation created.
    values: u32,
}

/// How a world uses the names.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The names.
    pub names: &'a Names,
    /// Whether quantifiers get witnesses.
    pub granted: bool,
    /// Whether the contents of inboxes are unknown altogether.
    pub blind: bool,
    /// Whether the steps of loops over nodes are independent: in the variables that a loop changes, a step reads and
    /// changes only the element of its own node in sets and arrays over nodes.
    pub independent_steps: bool,
}

impl Names {
    /// Names, of which the first `given` are given, the last one is generic, and the others may be reserved. The first
    /// name exists; for each other name, an input says whether it exists.
    pub fn new(aig: &mut Aig, names: usize, given: usize) -> Names {
        let exists = (0..names).map(|name| match name {
            0 => Lit::TRUE,
            _ => aig.input(),
        });
        Names {
            exists: exists.collect(),
            given,
            interesting: (0..names).map(|name| name < given).collect(),
            state: RefCell::new(State {
                reserved: 0,
                most: 0,
                grant: Lit::TRUE,
                conditions: Vec::new(),
                values: 0,
            }),
        }
    }

    /// Whether a name denotes a node.
    pub fn exists(&self, name: usize) -> Lit {
        self.exists[name]
    }

    /// The number of names, the generic one included.
    pub fn count(&self) -> usize {
        self.exists.len()
    }

    /// The generic name.
    pub fn generic(&self) -> usize {
        self.exists.len() - 1
    }

    /// The number of names that the evaluation used, without the generic one.
    pub fn used(&self) -> usize {
        self.given + self.state.borrow().most
    }

    /// Adds a condition.
    pub fn require(&self, condition: Lit) {
        if condition != Lit::TRUE {
            self.state.borrow_mut().conditions.push(condition);
        }
    }

    /// The conditions collected so far.
    pub fn conditions(&self) -> Vec<Lit> {
        self.state.borrow().conditions.clone()
    }

    /// The number of free values that quantifiers created.
    pub fn values(&self) -> u32 {
        self.state.borrow().values
    }

    pub(crate) fn count_value(&self) {
        self.state.borrow_mut().values += 1;
    }

    pub(crate) fn grant(&self) -> Lit {
        self.state.borrow().grant
    }

    /// Withholds witnesses unless a name is interesting. Returns the condition under which they were required before.
    pub(crate) fn grant_at(&self, name: usize) -> Lit {
        match self.interesting[name] {
            true => self.grant(),
            false => self.set_grant(Lit::FALSE),
        }
    }

    pub(crate) fn set_grant(&self, grant: Lit) -> Lit {
        std::mem::replace(&mut self.state.borrow_mut().grant, grant)
    }

    pub(crate) fn reserved(&self) -> usize {
        self.state.borrow().reserved
    }

    pub(crate) fn set_reserved(&self, reserved: usize) {
        let mut state = self.state.borrow_mut();
        state.reserved = reserved;
        state.most = state.most.max(reserved);
    }

    /// Reserves a name; `None` if no name is left.
    pub(crate) fn reserve(&self) -> Option<usize> {
        let reserved = self.reserved();
        let name = self.given + reserved;
        if name >= self.generic() {
            return None;
        }
        self.set_reserved(reserved + 1);
        Some(name)
    }
}
