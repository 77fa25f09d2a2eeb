//! Symmetry reduction of states: where it applies, and what a report says about it.
//!
//! *What.* A permutation of the nodes of an instance that preserves kinds, edges, maps and frozen values, and fixes the
//! nodes that the Machine names (`group.rs`), maps states to states. If code, initial states and properties cannot
//! distinguish nodes otherwise, it maps runs to runs and preserves the value of every condition. So one state of each
//! orbit is visited (`canonical_form.rs`), at the same distance from the initial states as the others. Runs are
//! reconstructed state by state (`graph/unfold.rs`).
//!
//! *When.* Conditions on single states, reachability, errors, deadlocks, premises, blocks that ran and messages that
//! were sent are preserved. A temporal claim requires that each of its conditions is preserved by itself, so none may
//! be about one node of an outer quantifier. Fairness depends on names of nodes, and is judged on real states
//! (`liveness/symmetric_fairness.rs`). Where an obstacle exists, states are not reduced, and the report gives the
//! reason.

use crate::defects::{Defect, broken};
use crate::program::compiled_machine::CompiledMachine;
use crate::state::codec::Codec;
use crate::state::layout::Layout;
use crate::symmetry::canonical_form::{CanonicalForm, Group, orders};
use crate::symmetry::node_names::NodeNames;
use crate::symmetry::renaming::StateRenaming;
use machine::{
    Channel, Expr, Formula, Frozen, LocalId, Machine, Property, PropertyKind, Quantifier, Trigger,
    depends_on_node_numbering, may_fail,
};
use verdict::{NodeCone, Question};

/// The symmetry of a question, and how much of it was used so far.
#[derive(Debug, Default)]
pub(crate) struct Symmetry {
    wanted: bool,
    /// The obstacle for all instances, if there is one.
    obstacle: Option<String>,
    /// The greatest number of permutations of an instance, and a description of them.
    used: Option<(usize, String)>,
}

impl Symmetry {
    /// The symmetry of a question, if it is wanted; `other` is an obstacle by another reduction.
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

    /// The canonical form for an instance; none if it has no symmetry or there is an obstacle.
    pub(crate) fn of(
        &mut self,
        compiled: &CompiledMachine<'_>,
        layout: &Layout,
        frozen: &Frozen,
        cone: Option<&[NodeCone]>,
    ) -> Result<Option<CanonicalForm>, String> {
        if !self.wanted || self.obstacle.is_some() {
            return Ok(None);
        }
        let Some(group) = crate::symmetry::group::group(compiled, frozen, cone)? else {
            return Ok(None);
        };
        let (size, words) = in_words(&group);
        if self.used.as_ref().is_none_or(|(most, _)| *most < size) {
            self.used = Some((size, words));
        }
        let places = StateRenaming::new(compiled, layout)?;
        Ok(Some(CanonicalForm::new(places, group)))
    }

    /// A description of the permutations or of the obstacle; none if symmetry was not wanted.
    pub(crate) fn description(&self) -> Option<String> {
        self.wanted.then(|| match (&self.obstacle, &self.used) {
            (Some(why), _) => format!("states are not taken up to symmetry: {why}"),
            (None, Some((_, words))) => format!("states {words}"),
            (None, None) => "states are not taken up to symmetry: no two nodes are alike".into(),
        })
    }
}

/// The number of permutations, and a description of them.
fn in_words(group: &Group) -> (usize, String) {
    let (size, renamed): (usize, Vec<u32>) = match group {
        Group::Classes(classes) => {
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

/// The obstacle to symmetry in code and conditions, in words.
pub(crate) fn obstacle_in_code(machine: &Machine) -> Option<String> {
    if depends_on_node_numbering(machine) && !broken(Defect::NodeOrderIgnored) {
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

/// The obstacle to symmetry, in words.
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

/// The obstacle in a temporal claim.
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

/// Whether a condition of a formula is about a node of a quantifier outside of the condition.
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

/// Whether a receiver that handles a message as part of the sending event can observe another receiver of the same
/// event: then the order of receivers is visible.
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

/// Whether an existential quantifier may stop before a node whose condition is an error, beyond what `depends_on_node_numbering`
/// covers: in premises below a quantifier of a formula.
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
