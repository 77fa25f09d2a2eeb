//! Removal of variables whose values no condition and no remaining code distinguishes.
//!
//! *What.* Such a variable gets a type with the single value 0. Code that only serves to compute it is removed:
//! assignments to it, locals used only for that, and branches and loops that contain nothing else. The map sets the
//! variable to 0 in every state.
//!
//! *When.* No condition and no guard reads the variable, and neither does code that remains. A read in a value that is
//! assigned to another removed variable does not count, so variables that depend only on each other are removed
//! together. Removed code is never a runtime error: its expressions are total, and assigned values are of the
//! variable's type. The variable has an initial value for every frozen choice.
//!
//! *Why it is exact.* The remaining code reads nothing that is removed. So the same blocks can run and the same
//! messages can arrive in a state and in its image, with the same picks (a `choose` is never removed). They lead to
//! states that again correspond. No error is removed. The map takes the initial states onto all initial states of the
//! smaller Machine, because the initial values of different variables are independent and no restriction reads a
//! removed variable. Which message types enter an inbox depends on whether code reads the inbox; the pass checks that
//! this stays the same. Messages, queues and fairness obligations are unchanged, so the kind of channel does not
//! matter.

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

/// Variables that have one fixed value in the image of every state, with that value.
#[derive(Clone, Debug)]
pub(crate) struct Vars(pub(crate) BTreeMap<VarId, Value>);

/// Removes variables. Returns whether any variable is removed.
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

/// The needed variables, and the needed locals with the index of their block.
#[derive(Clone, Default)]
struct Needed {
    vars: BTreeSet<VarId>,
    locals: BTreeSet<(usize, LocalId)>,
}

/// The variables and locals that are read by conditions, by guards, and by code that has to stay: a least fixpoint.
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
    /// Adds the variables and locals that an expression of a block reads.
    fn reads(&mut self, block: usize, expr: &Expr) {
        expr.walk(&mut |e| match e {
            Expr::Var(var, _) => drop(self.vars.insert(*var)),
            Expr::Local(local) => drop(self.locals.insert((block, *local))),
            _ => {}
        });
    }
}

/// The code of one block, with its context and the index of the block.
struct Code<'m> {
    site: Site<'m>,
    block: usize,
}

impl Code<'_> {
    /// Adds what is needed by the statements that have to stay. Returns whether any statement has to stay.
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

/// The Machine without the variables in `gone` and the code that only serves them.
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
    /// The fixed value of the variable with index `place` of a node; `None` if the variable is not among these.
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

    /// An initial state whose image is `small`; `None` if none is found.
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

    /// The choice whose image is `small`. The map leaves choices unchanged.
    pub(crate) fn choice(&self, small: &Choice) -> Option<Choice> {
        Some(small.clone())
    }
}
