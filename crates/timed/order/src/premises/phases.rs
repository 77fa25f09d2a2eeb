//! Cases by where in its periodic of work a node begins: what it does at which activation is then known beforehand.
//!
//! *What.* Code such as `if reading { … }` with `reading = not reading` does one thing at odd activations and another at even
//! ones. A variable that controls_a_branch what is done, and that code changes only by what such variables were, is a *phase*. A question
//! is asked once for each choice of what the phases of all nodes begin with; then they are constants at every activation, and
//! nothing is said about reads that never happen.
//!
//! *Why it is exact.* Every run begins with one of these choices. Which variables are taken for phases is of no importance for
//! that: it only controls_a_branch how much is known. Where nodes can be exchanged without anybody noticing, a run in which two of them
//! begin with each other's phases is as good as any other; so in a case the phases of such nodes do not fall with the number of
//! the node. Where ids or constants are in play, these put nodes in order (`fixed.rs`), and phases do not.

use crate::constraints::times::Start;
use crate::defects::{Defect, broken};
use crate::premises::scope::Scope;
use machine::{
    Expr, Init, KindId, LocalId, Machine, NodeId, Order, Stmt, StmtKind, Value, VarId,
    interchangeable_without_errors,
};

/// What phases begin with, by node; nothing is known of variables that are not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    values: Vec<Vec<(VarId, Value)>>,
}

impl Case {
    /// Nothing is known.
    pub fn open() -> Case {
        Case::default()
    }

    /// What a variable of a node begins with, if that is known.
    pub fn value(&self, node: NodeId, var: VarId) -> Option<&Value> {
        let own = self.values.get(node.index())?;
        let found = own.iter().find(|(v, _)| *v == var);
        found.map(|(_, value)| value)
    }

    /// Whether the same is known of two nodes of a kind.
    pub fn is_same(&self, a: NodeId, b: NodeId) -> bool {
        self.values.get(a.index()) == self.values.get(b.index())
    }
}

/// More cases are not told apart.
const MAX_CASES: usize = 48;

/// A variable with more values is no phase.
const MAX_VALUES: u128 = 8;

/// The cases that together are all runs.
pub fn cases(scope: &Scope<'_>, start: Start) -> Vec<Case> {
    let machine = scope.machine;
    let choices: Vec<Vec<Vec<(VarId, Value)>>> = (0..machine.kinds.len())
        .map(|kind| choices(scope, start, KindId(kind as u32)))
        .collect();
    let mut cases = vec![vec![Vec::new(); machine.node_count() as usize]];
    for group in groups(machine) {
        let own = &choices[machine.kind_of(group[0]).index()];
        let mut more = Vec::new();
        for case in &cases {
            for numbers in nondecreasing_lists(own.len(), group.len()) {
                let mut case = case.clone();
                for (node, number) in group.iter().zip(numbers) {
                    case[node.index()] = own[number].clone();
                }
                more.push(case);
                if more.len() > MAX_CASES {
                    return vec![Case::open()];
                }
            }
        }
        cases = more;
    }
    cases.into_iter().map(|values| Case { values }).collect()
}

/// All nodes, those together that are put in order by their phases.
fn groups(machine: &Machine) -> Vec<Vec<NodeId>> {
    if broken(Defect::PhasesInOrder) {
        let kinds = (0..machine.kinds.len() as u32).map(KindId);
        return kinds.map(|kind| machine.nodes_of(kind).collect()).collect();
    }
    let ordered = |r: &machine::FrozenVar| matches!(r.order, Order::Arrangement | Order::Every);
    let mut groups = match machine.frozen_vars.iter().any(ordered) {
        true => Vec::new(),
        false => interchangeable_without_errors(machine),
    };
    for node in machine.nodes() {
        if !groups.iter().any(|group| group.contains(&node)) {
            groups.push(vec![node]);
        }
    }
    groups
}

/// All lists of so many numbers below another, each not less than the one before; not many more than anybody wants.
fn nondecreasing_lists(below: usize, length: usize) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new()];
    for _ in 0..length {
        let mut longer = Vec::new();
        for list in &lists {
            let least = list.last().copied().unwrap_or(0);
            longer.extend((least..below).map(|next| [&list[..], &[next]].concat()));
        }
        lists = longer;
        if lists.len() > MAX_CASES {
            break;
        }
    }
    lists
}

/// What the phases of a kind can begin with.
fn choices(scope: &Scope<'_>, start: Start, kind: KindId) -> Vec<Vec<(VarId, Value)>> {
    let machine = scope.machine;
    let mut all = vec![Vec::new()];
    for var in phases(scope, kind) {
        let declared = &machine.vars[var.index()];
        if start == Start::Initial && matches!(declared.init, Init::Value(..)) {
            continue;
        }
        let values = machine.values(&declared.ty);
        let with = |choice: &Vec<(VarId, Value)>, value: &Value| {
            [&choice[..], &[(var, value.clone())]].concat()
        };
        let longer = all
            .iter()
            .flat_map(|choice| values.iter().map(|value| with(choice, value)));
        all = longer.collect();
        if all.len() > MAX_CASES {
            return all;
        }
    }
    all
}

/// The phases among the variables of a kind.
fn phases(scope: &Scope<'_>, kind: KindId) -> Vec<VarId> {
    let machine = scope.machine;
    let body = &machine.blocks[scope.code[kind.index()].index()].body;
    let vars = (0..machine.vars.len() as u32).map(VarId);
    let mut found: Vec<VarId> = vars
        .filter(|var| {
            let declared = &machine.vars[var.index()];
            declared.kind == kind
                && !scope.counts.has(*var)
                && machine.cardinality(&declared.ty) <= MAX_VALUES
        })
        .collect();
    // Those that something else changes are none; neither are those that they change then.
    loop {
        let mut changed = Vec::new();
        changed_by_others(body, &found, true, &mut changed);
        if changed.is_empty() {
            break;
        }
        found.retain(|var| !changed.contains(var));
    }
    found.retain(|var| controls_a_branch(body, *var));
    found
}

/// Variables that statements change though it depends on more than phases whether, or to what; `known` says whether it is known
/// that they are run.
fn changed_by_others(body: &[Stmt], phases: &[VarId], known: bool, changed: &mut Vec<VarId>) {
    for statement in body {
        match &statement.kind {
            StmtKind::Assign(place, value) => {
                let whole = place.path.is_empty();
                if phases.contains(&place.var)
                    && !(known && whole && depends_only_on(value, phases))
                {
                    changed.push(place.var);
                }
            }
            StmtKind::If(condition, then, otherwise) => {
                let known = known && depends_only_on(condition, phases);
                changed_by_others(then, phases, known, changed);
                changed_by_others(otherwise, phases, known, changed);
            }
            StmtKind::For(_, _, inner) => changed_by_others(inner, phases, false, changed),
            _ => {}
        }
    }
}

/// Whether a value depends on nothing but phases of the node itself.
fn depends_only_on(e: &Expr, phases: &[VarId]) -> bool {
    let mut only = true;
    e.walk(&mut |part| {
        only &= match part {
            Expr::Var(var, _) => phases.contains(var),
            Expr::Local(local) => *local == LocalId(0),
            part => !part.reads_state(),
        }
    });
    only
}

/// Whether a variable controls_a_branch what is done.
fn controls_a_branch(body: &[Stmt], var: VarId) -> bool {
    let mut controls_a_branch = false;
    for statement in body {
        statement.walk(&mut |s| {
            if let StmtKind::If(condition, ..) = &s.kind {
                condition
                    .walk(&mut |e| controls_a_branch |= matches!(e, Expr::Var(v, _) if *v == var));
            }
        });
    }
    controls_a_branch
}
