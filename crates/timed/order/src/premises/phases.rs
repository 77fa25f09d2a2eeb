//! Case split by initial phases, so that each case fixes the branches taken at every activation.
//!
//! *What.* Code such as `if reading { … }` with `reading = not reading` takes one branch at odd activations and the
//! other at even ones. A *phase* variable occurs in the condition of a branch, and its new values depend only on phase
//! variables. A query is posed once per choice of the initial phases of all nodes. In such a case the phases are
//! constants at every activation, and reads that never happen are not encoded.
//!
//! *Why it is exact.* Every run begins with one of these choices, whichever variables are selected as phases; the
//! selection only decides how much is constant. Exchanging two interchangeable nodes gives an equivalent run; so a
//! case lists the phases of such nodes in nondecreasing order. If ids or constants
//! distinguish nodes, symmetry breaking orders the ids or constants instead (`unroll/frozen.rs`), and all orders of
//! phases are cases.

use crate::constraints::times::Start;
use crate::defects::{Defect, broken};
use crate::premises::scope::Scope;
use machine::{
    Expr, Init, KindId, LocalId, Machine, NodeId, Order, Stmt, StmtKind, Value, VarId,
    interchangeable_without_errors,
};

/// The initial phases of each node; variables without an entry are unconstrained.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    values: Vec<Vec<(VarId, Value)>>,
}

impl Case {
    /// The case that constrains no variable.
    pub fn open() -> Case {
        Case::default()
    }

    /// The initial value of a variable of a node; `None` if the case does not fix it.
    pub fn value(&self, node: NodeId, var: VarId) -> Option<&Value> {
        let own = self.values.get(node.index())?;
        let found = own.iter().find(|(v, _)| *v == var);
        found.map(|(_, value)| value)
    }

    /// Whether the case fixes the same values for two nodes of a kind.
    pub fn is_same(&self, a: NodeId, b: NodeId) -> bool {
        self.values.get(a.index()) == self.values.get(b.index())
    }
}

/// The largest number of cases; with more, there is no case split.
const MAX_CASES: usize = 48;

/// The largest number of values that a phase variable may have.
const MAX_VALUES: u128 = 8;

/// Cases that together cover all runs with this start.
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

/// A partition of the nodes into groups; within a group, phases are nondecreasing.
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

/// All nondecreasing lists of `length` numbers less than `below`. Stops early, with shorter lists, if there are more
/// than `MAX_CASES`.
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

/// The combinations of initial phases of a kind. Stops early if there are more than `MAX_CASES`.
fn choices(scope: &Scope<'_>, start: Start, kind: KindId) -> Vec<Vec<(VarId, Value)>> {
    let machine = scope.machine;
    let mut all = vec![Vec::new()];
    for var in phases(scope, kind) {
        let declared = &machine.vars[var.index()];
        if start == Start::Initial && matches!(declared.init, Init::Value(..)) {
            continue;
        }
        let few = 0..MAX_CASES as u128 + 1;
        let values: Vec<Value> = few
            .map_while(|n| machine.nth_value(&declared.ty, n))
            .collect();
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

/// The phase variables of a kind.
pub fn phases(scope: &Scope<'_>, kind: KindId) -> Vec<VarId> {
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
    // Removes variables that depend on more than phases, until no remaining variable depends on a removed one.
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

/// Adds to `changed` the variables of `phases` whose new value, or whose assignment, depends on anything but `phases`.
/// `known` says whether `phases` alone decide that `body` is executed.
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

/// Whether an expression reads no state except the given phases of the node itself.
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

/// Whether a variable occurs in the condition of an `if` statement.
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
