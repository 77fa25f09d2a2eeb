//! States that differ only in who is who: when one of them is enough, and what a report says about it.
//!
//! *What.* A way to give the nodes of an instance other names that keeps kinds, edges, maps and what is frozen, and leaves
//! those in place whom somebody names (`group.rs`), maps its states to its states. If code, initial states and properties
//! cannot tell nodes apart otherwise, it maps runs to runs and keeps the value of every condition. So of states that
//! differ by such a way one is visited (`canonical.rs`), at the same distance from the beginning as the others.
//! Runs are found again state by state (`unfold.rs`).
//!
//! *When.* Conditions on single states, reachability, errors, deadlocks, premises and what ran or was sent are kept. A
//! temporal claim needs that each of its conditions is kept by itself, so none may be about one node of an outer
//! quantifier. Fairness goes by names, and is judged on real states (`fair.rs`). Where something is in the way, states are
//! not reduced, and the report says why.

use crate::defects::{Defect, broken};
use crate::program::compiled_machine::CompiledMachine;
use crate::state::codec::Codec;
use crate::state::layout::Layout;
use crate::symmetry::canonical_form::{CanonicalForm, Group, orders};
use crate::symmetry::node_names::NodeNames;
use crate::symmetry::renaming::StateRenaming;
use machine::{
    Channel, Expr, Formula, Frozen, LocalId, Machine, Property, PropertyKind, Quantifier, Trigger,
    knows_node_order, may_fail,
};
use verdict::{NodeCone, Question};

/// What is known of the symmetry of a question, and was used of it so far.
#[derive(Debug, Default)]
pub(crate) struct Symmetry {
    wanted: bool,
    /// What is in the way, for all instances.
    obstacle: Option<String>,
    /// The greatest number of permutations in an instance, and in words which.
    used: Option<(usize, String)>,
}

impl Symmetry {
    /// For a question, if it is wanted; what else is left out may be in the way.
    pub(crate) fn new(question: &Question<'_>, wanted: bool, other: Option<&str>) -> Symmetry {
        let obstacle = || match other {
            Some(other) => Some(other.to_string()),
            None => obstacle(question.machine),
        };
        Symmetry {
            wanted,
            obstacle: wanted.then(obstacle).flatten(),
            used: None,
        }
    }

    /// What makes one state of all that differ only in who is who, in an instance; nothing if it cannot be used.
    pub(crate) fn of(
        &mut self,
        compiled: &CompiledMachine<'_>,
        layout: &Layout,
        frozen: &Frozen,
        relevant: Option<&[NodeCone]>,
    ) -> Result<Option<CanonicalForm>, String> {
        if !self.wanted || self.obstacle.is_some() {
            return Ok(None);
        }
        let Some(group) = crate::symmetry::group::group(compiled, frozen, relevant)? else {
            return Ok(None);
        };
        let (size, words) = in_words(&group);
        if self.used.as_ref().is_none_or(|(most, _)| *most < size) {
            self.used = Some((size, words));
        }
        let places = StateRenaming::new(compiled, layout)?;
        Ok(Some(CanonicalForm::new(places, group)))
    }

    /// What was used, in words, or why nothing; nothing if it was not wanted.
    pub(crate) fn told(&self) -> Option<String> {
        self.wanted.then(|| match (&self.obstacle, &self.used) {
            (Some(why), _) => format!("states are not taken up to symmetry: {why}"),
            (None, Some((_, words))) => format!("states {words}"),
            (None, None) => "states are not taken up to symmetry: no two nodes are alike".into(),
        })
    }
}

/// How many permutations there are, and which.
fn in_words(group: &Group) -> (usize, String) {
    let (size, renamed): (usize, Vec<u32>) = match group {
        Group::CommutingClasses(classes) => {
            let sizes = classes.iter().map(|class| orders(class.len()));
            let mut nodes: Vec<u32> = classes.iter().flatten().copied().collect();
            nodes.sort_unstable();
            (sizes.fold(1, usize::saturating_mul), nodes)
        }
        Group::Listed(all) => {
            let nodes = 0..all[0].len() as u32;
            let moves = |node: &u32| all.iter().any(|to| to[*node as usize] != *node);
            (all.len(), nodes.filter(moves).collect())
        }
    };
    let names: Vec<String> = renamed.iter().map(|node| (node + 1).to_string()).collect();
    (
        size,
        format!("up to {size} permutations of nodes {}", names.join(", ")),
    )
}

/// What of code and conditions is in the way of symmetry, in words.
pub(crate) fn obstacle_in_code(machine: &Machine) -> Option<String> {
    if knows_node_order(machine) && !broken(Defect::NodeOrderIgnored) {
        return Some("code or a property depends on the order of nodes".into());
    }
    if receivers_look_around(machine) {
        return Some("what arrives at once is seen by other receivers of the same event".into());
    }
    if errors_in_order(machine) {
        return Some("whether a condition has a value may depend on the order of nodes".into());
    }
    None
}

/// What is in the way of symmetry, in words.
pub(crate) fn obstacle(machine: &Machine) -> Option<String> {
    let code = obstacle_in_code(machine);
    if code.is_some() {
        return code;
    }
    let mut claims = machine.properties.iter();
    claims.find_map(|property| {
        let PropertyKind::Claim(claim) = &property.kind else {
            return None;
        };
        let why = match claim.invariant() {
            Some(_) => None,
            None => obstacle_in_claim(machine, property, claim),
        };
        why.map(|why| format!("{}: {why}", property.name))
    })
}

/// What of a temporal claim is in the way.
fn obstacle_in_claim(
    machine: &Machine,
    property: &Property,
    claim: &Formula,
) -> Option<&'static str> {
    if machine.digitisation().is_some() {
        return Some("a temporal claim, and time passes");
    }
    if is_about_one_node(machine, property, claim) && !broken(Defect::AtomsOfOneNode) {
        return Some("a temporal claim about one node after the other");
    }
    None
}

/// Whether a condition of a formula is about a node of a quantifier that is not part of the condition.
fn is_about_one_node(machine: &Machine, property: &Property, formula: &Formula) -> bool {
    if formula.condition().is_some() {
        return false;
    }
    let inside = |formula: &Formula| is_about_one_node(machine, property, formula);
    match formula {
        Formula::State(_) => false,
        Formula::At(_, a) | Formula::Not(a) | Formula::Always(a) | Formula::Eventually(a) => {
            inside(a)
        }
        Formula::And(a, b)
        | Formula::Or(a, b)
        | Formula::Implies(a, b)
        | Formula::Until(a, b)
        | Formula::LeadsTo(a, b) => inside(a) || inside(b),
        Formula::All(local, _, a) | Formula::Exists(local, _, a) => {
            let ty = &property.scope.locals[local.index()].ty;
            !matches!(NodeNames::new(Codec { machine }, ty), Ok(None)) || inside(a)
        }
    }
}

/// Whether a receiver that takes a message as part of the sending event can see what another one did with it: then it is
/// seen in which order they are served.
fn receivers_look_around(machine: &Machine) -> bool {
    let own = |e: &Expr| matches!(e, Expr::Local(LocalId(0)));
    let mut found = false;
    let mut look = |e: &Expr| {
        found |= match e {
            Expr::Var(_, node) | Expr::InMode(_, node) | Expr::Inbox(_, node) => !own(node.bare()),
            Expr::Senders(_, node) | Expr::TimerSet(_, node, _) => !own(node.bare()),
            other => other.reads_state(),
        };
    };
    for block in &machine.blocks {
        if let (Channel::Instant, Trigger::On(_, guard)) = (machine.channel, &block.trigger) {
            guard.iter().for_each(|guard| guard.walk(&mut look));
            block.body.iter().for_each(|s| s.walk_exprs(&mut look));
        }
    }
    found
}

/// Whether `some` may end at a node behind which something is an error, beyond what `knows_node_order` sees: in premises below
/// a quantifier of a formula.
fn errors_in_order(machine: &Machine) -> bool {
    let mut premises = machine.properties.iter().filter_map(|p| match &p.kind {
        PropertyKind::Claim(claim) => claim.premise(),
        PropertyKind::Possible(_) => None,
    });
    let fails = |e: &Expr| may_fail(machine, e, &[]);
    let quantified = |e: &Expr| {
        let mut may = false;
        e.walk(&mut |e| {
            may |= matches!(e, Expr::Quantified(Quantifier::Exists, _, _, b) if fails(b))
        });
        may
    };
    premises.any(|premise| quantified(&premise))
}
