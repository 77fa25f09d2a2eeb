//! Variables that nobody can tell the values of.
//!
//! *What.* Such a variable becomes one that has a single value, 0, and what only serves to compute it goes:
//! assignments to it, local names for that, branches and loops in which nothing else happens. States are
//! mapped by setting the variable to 0 everywhere.
//!
//! *When.* No condition reads it, no guard, and no code but such that goes. A read of a variable in what
//! is assigned to another that goes, too, does not count, so variables that only depend on each other go
//! together. What goes is never an error: values are always there and within their types. The variable has an
//! initial value, whatever is frozen.
//!
//! *Why it is exact.* What is left reads nothing of what goes, so that in the image of a state the same
//! blocks can run and the same messages can arrive, with the same picks (a `choose` never goes), and leave
//! the image of the state that they left before; errors stay, since none goes. The map takes initial states
//! to all initial states, for a variable begins with its values whatever the others begin with, and no
//! restriction reads it. Which messages enter an inbox must stay the same: it depends on whether code reads
//! it. Messages, queues and all that fairness is about are untouched, so the channel does not matter.

use crate::analysis::sites::{Site, conditions, guard, rewrite, same_inboxes};
use crate::analysis::totality::{assignment_is_total, has_initial_value, is_total};
use crate::defects::{Defect, broken};
use crate::reduce::Removed;
use crate::reduce::lift::{Map, Shrunk};
use machine::{
    Block, Choice, Expr, Init, Instance, LocalId, Machine, NodeId, PlaceStep, Scope, State, Stmt,
    StmtKind, Type, Value, VarId, verify,
};
use std::collections::{BTreeMap, BTreeSet};

/// Variables that have one value in the image of every state, and that value.
#[derive(Clone, Debug)]
pub(crate) struct Vars(pub(crate) BTreeMap<VarId, Value>);

/// Removes variables; whether there were any.
pub(crate) fn pass(shrunk: &mut Shrunk) -> bool {
    let machine = &shrunk.machine;
    let needed = needed(machine);
    let all = (0..machine.vars.len() as u32).map(VarId);
    let gone = all.filter(|var| !needed.vars.contains(var));
    let gone: BTreeSet<VarId> = gone
        .filter(|var| machine.cardinality(&machine.vars[var.index()].ty) > 1)
        .collect();
    if gone.is_empty() {
        return false;
    }
    let small = without(machine, &needed, &gone);
    let same = same_inboxes(machine, &small) || broken(Defect::InboxesUnread);
    if !same || verify(&small).is_err() {
        return false;
    }
    let removed = gone.iter().map(|var| Removed::Var(*var)).collect();
    let gone = gone.into_iter().map(|var| (var, Value::Int(0))).collect();
    shrunk.then(small, Map::Vars(Vars(gone)), removed);
    true
}

/// What is needed: variables, and the local names of each block.
#[derive(Clone, Default)]
struct Needed {
    vars: BTreeSet<VarId>,
    locals: BTreeSet<(usize, LocalId)>,
}

/// The least that is needed by conditions, guards and code that has to stay.
fn needed(machine: &Machine) -> Needed {
    let mut needed = Needed::default();
    for (v, var) in machine.vars.iter().enumerate() {
        if !has_initial_value(machine, var) {
            needed.vars.insert(VarId(v as u32));
        }
    }
    conditions(machine, &mut |_, condition| {
        condition.walk(&mut |e| {
            if let Expr::Var(var, _) = e
                && !broken(Defect::VarsOfConditions)
            {
                needed.vars.insert(*var);
            }
        });
    });
    loop {
        let before = needed.vars.len() + needed.locals.len();
        for (b, block) in machine.blocks.iter().enumerate() {
            if let Some(guard) = guard(block) {
                needed.reads(b, guard);
            }
            let code = Code {
                site: Site::block(machine, block),
                block: b,
            };
            code.visit(&mut needed, &block.body);
        }
        if needed.vars.len() + needed.locals.len() == before {
            return needed;
        }
    }
}

impl Needed {
    /// What an expression of a block reads is needed.
    fn reads(&mut self, block: usize, expr: &Expr) {
        expr.walk(&mut |e| match e {
            Expr::Var(var, _) => drop(self.vars.insert(*var)),
            Expr::Local(local) => drop(self.locals.insert((block, *local))),
            _ => {}
        });
    }
}

/// The code of a block.
struct Code<'m> {
    site: Site<'m>,
    block: usize,
}

impl Code<'_> {
    /// Notes what statements that stay need; whether any stays.
    fn visit(&self, needed: &mut Needed, statements: &[Stmt]) -> bool {
        let mut stays = false;
        for statement in statements {
            stays |= self.stays(needed, statement);
        }
        stays
    }

    fn stays(&self, needed: &mut Needed, statement: &Stmt) -> bool {
        match &statement.kind {
            StmtKind::Assign(place, value) => {
                if !needed.vars.contains(&place.var)
                    && assignment_is_total(&self.site, place, value)
                {
                    return false;
                }
                needed.vars.insert(place.var);
                for step in &place.path {
                    if let PlaceStep::Index(_, index) = step {
                        needed.reads(self.block, index);
                    }
                }
                needed.reads(self.block, value);
            }
            StmtKind::Let(local, value) => {
                let read = needed.locals.contains(&(self.block, *local));
                if !read && is_total(&self.site, value) {
                    return false;
                }
                needed.reads(self.block, value);
            }
            StmtKind::If(condition, then, otherwise) => {
                let inside = self.visit(needed, then) | self.visit(needed, otherwise);
                if !inside && is_total(&self.site, condition) {
                    return false;
                }
                if !broken(Defect::VarsOfBranches) {
                    needed.reads(self.block, condition);
                }
            }
            StmtKind::For(_, domain, body) => {
                let inside = self.visit(needed, body);
                if !inside && is_total(&self.site, domain) {
                    return false;
                }
                needed.reads(self.block, domain);
            }
            StmtKind::Choose(_, e) | StmtKind::Assert(e) => needed.reads(self.block, e),
            StmtKind::Send(message, to) => {
                needed.reads(self.block, message);
                needed.reads(self.block, to);
            }
            StmtKind::SetTimer(_, other, from, to) => {
                let times = from.terms.iter().chain(&to.terms).map(|(e, _)| e);
                other
                    .iter()
                    .chain(times)
                    .for_each(|e| needed.reads(self.block, e));
            }
            StmtKind::CancelTimer(_, other) => {
                other.iter().for_each(|e| needed.reads(self.block, e));
            }
            StmtKind::ClearInbox | StmtKind::Halt => {}
        }
        true
    }
}

/// The Machine without some variables and what only serves them.
fn without(machine: &Machine, needed: &Needed, gone: &BTreeSet<VarId>) -> Machine {
    let mut number = 0;
    let mut code = |block: &Block| {
        let code = Code {
            site: Site::block(machine, block),
            block: number,
        };
        number += 1;
        let mut known = needed.clone();
        Stmt::retain(&block.body, &mut |s| code.stays(&mut known, s))
    };
    let mut small = rewrite(machine, &mut Expr::clone, &mut code);
    for var in gone {
        let var = &mut small.vars[var.index()];
        var.ty = Type::Int(0, 0);
        var.init = Init::Value(Scope::of_node(), Expr::int(0));
    }
    small
}

impl Vars {
    /// What the variable at a place of a node always is, if it is one of them.
    fn fixed(&self, machine: &Machine, node: machine::NodeId, place: usize) -> Option<&Value> {
        let kind = machine.kind_of(node);
        let mut vars = self.0.iter();
        let found = vars.find(|(var, _)| {
            machine.vars[var.index()].kind == kind && machine.place_of_var(**var) == place
        });
        found.map(|(_, value)| value)
    }

    /// The image of a state.
    pub(crate) fn state(&self, machine: &Machine, state: &State) -> State {
        let mut image = state.clone();
        for node in machine.nodes() {
            let vars = &mut image.nodes[node.index()].vars;
            for (place, value) in vars.iter_mut().enumerate() {
                if let Some(fixed) = self.fixed(machine, node, place) {
                    value.clone_from(fixed);
                }
            }
        }
        image
    }

    /// An initial state whose image is this one.
    pub(crate) fn initial(&self, instance: Instance<'_>, small: &State) -> Option<State> {
        let machine = instance.machine;
        let inboxes = machine.nodes().flat_map(|to| {
            let entries = small.nodes[to.index()].inbox.iter();
            entries.map(move |(from, message)| (to, *from, message.clone()))
        });
        let mut wanted = |node: NodeId, place: usize, value: &Value| {
            self.fixed(machine, node, place).is_some()
                || *value == small.nodes[node.index()].vars[place]
        };
        let found = instance.initial_state_with(&mut wanted, inboxes.collect());
        found.ok().flatten()
    }

    /// The choice whose image is this one.
    pub(crate) fn choice(&self, small: &Choice) -> Option<Choice> {
        Some(small.clone())
    }
}
