//! Symmetry reduction of states: when it applies, and how it is reported.
//!
//! *Method.* Consider a permutation of the nodes of an instance that preserves kinds, edges, maps and frozen values,
//! and fixes the nodes that the Machine names (`group.rs`). It maps states to states. If code, initial states and
//! properties do not distinguish nodes otherwise, it maps runs to runs and preserves the value of every condition. So
//! it suffices to visit one state of each orbit (`canonical_form.rs`); all states of an orbit have the same distance
//! from the initial states. Reported runs are unfolded state by state (`graph/unfold.rs`).
//!
//! *Conditions.* Conditions on single states, reachability, errors, deadlocks, premises, executed blocks and sent
//! messages are preserved. For a temporal claim, each of its conditions must be invariant on its own, so none may refer
//! to a node bound by a quantifier outside of the condition. Fairness depends on node names, and is decided on real
//! states (`liveness/symmetric_fairness.rs`). If there is an obstacle, states are not reduced, and the report gives the
//! reason.

use crate::defects::{Defect, broken};
use crate::program::compiled_machine::CompiledMachine;
use crate::state::codec::Codec;
use crate::state::layout::Layout;
use crate::symmetry::canonical_form::{CanonicalForm, Group, orders};
use crate::symmetry::node_names::NodeNames;
use crate::symmetry::renaming::StateRenaming;
use machine::{
    Channel, Expr, Formula, Frozen, LocalId, Machine, NodeId, Origin, Property, PropertyKind,
    Quantifier, Trigger, may_fail, node_numbering_use, ranges_over_nodes,
};
use verdict::{ExcludedBy, NoSymmetry, NodeCone, Question, Reduction};

/// Whether symmetry reduction applies to a question, and how it was used so far.
#[derive(Debug, Default)]
pub(crate) struct Symmetry {
    wanted: bool,
    /// The obstacle that excludes symmetry reduction for all instances, if there is one.
    obstacle: Option<NoSymmetry>,
    /// The greatest group used so far: its number of permutations, and the nodes that it moves.
    used: Option<(usize, Vec<NodeId>)>,
}

impl Symmetry {
    /// Looks for an obstacle if symmetry reduction is `wanted`. `other` is an obstacle caused by another reduction.
    pub(crate) fn new(
        question: &Question<'_>,
        wanted: bool,
        other: Option<ExcludedBy>,
    ) -> Symmetry {
        let obstacle = || match other {
            Some(other) => Some(NoSymmetry::Excluded(other)),
            None => obstacle(question.machine),
        };
        Symmetry {
            wanted,
            obstacle: wanted.then(obstacle).flatten(),
            used: None,
        }
    }

    /// The canonical form for an instance; `None` if it has no symmetry or there is an obstacle.
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
        let (size, nodes) = extent(&group);
        if self.used.as_ref().is_none_or(|(most, _)| *most < size) {
            self.used = Some((size, nodes));
        }
        let places = StateRenaming::new(compiled, layout)?;
        Ok(Some(CanonicalForm::new(places, group)))
    }

    /// A description of the permutations or of the obstacle; `None` if symmetry reduction was not wanted.
    pub(crate) fn description(&self) -> Option<Reduction> {
        self.wanted.then(|| match (&self.obstacle, &self.used) {
            (Some(why), _) => Reduction::NoSymmetry(why.clone()),
            (None, Some((permutations, nodes))) => Reduction::Symmetry {
                permutations: *permutations as u64,
                nodes: nodes.clone(),
            },
            (None, None) => Reduction::NoSymmetry(NoSymmetry::NoPermutation),
        })
    }
}

/// The number of permutations of a group, and the nodes that they move.
fn extent(group: &Group) -> (usize, Vec<NodeId>) {
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
    (size, renamed.into_iter().map(NodeId).collect())
}

/// The obstacle to symmetry in code and conditions; `None` if there is none.
pub(crate) fn obstacle_in_code(machine: &Machine) -> Option<NoSymmetry> {
    if let Some(used) = node_numbering_use(machine)
        && !broken(Defect::NodeOrderIgnored)
    {
        return Some(NoSymmetry::NodeOrder(used));
    }
    if receivers_look_around(machine) {
        return Some(NoSymmetry::ReceiversReadOthers);
    }
    errors_in_order(machine).map(NoSymmetry::PremiseMayFail)
}

/// The obstacle to symmetry in code, conditions and temporal claims; `None` if there is none.
pub(crate) fn obstacle(machine: &Machine) -> Option<NoSymmetry> {
    let code = obstacle_in_code(machine);
    if code.is_some() {
        return code;
    }
    let mut claims = machine.properties.iter();
    claims.find_map(|property| {
        let PropertyKind::Claim(claim) = &property.kind else {
            return None;
        };
        match claim.invariant() {
            Some(_) => None,
            None => obstacle_in_claim(machine, property, claim),
        }
    })
}

/// The obstacle in a temporal claim, if there is one.
fn obstacle_in_claim(
    machine: &Machine,
    property: &Property,
    claim: &Formula,
) -> Option<NoSymmetry> {
    if machine.digitisation().is_some() {
        return Some(NoSymmetry::TimedTemporalClaim(property.name.clone()));
    }
    if is_about_one_node(machine, property, claim) && !broken(Defect::AtomsOfOneNode) {
        return Some(NoSymmetry::ClaimAboutOneNode(property.name.clone()));
    }
    None
}

/// Whether a condition of a formula may refer to a node bound by a quantifier outside of the condition.
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

/// Whether code that handles an instant message can observe another receiver of the same event. Then the order of
/// receivers is visible.
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

/// The first place that is known within an expression.
fn first_place(expr: &Expr) -> Option<Origin> {
    let mut place = None;
    expr.walk(&mut |e| {
        if let Expr::At(origin, _) = e {
            place = place.or(Some(*origin));
        }
    });
    place
}

/// The place of an existential quantifier over nodes, in a premise, whose body may be an error, if there is one. Then
/// the order of nodes may determine whether the error is evaluated. Other cases are covered by [`node_numbering_use`].
fn errors_in_order(machine: &Machine) -> Option<Option<Origin>> {
    let premises = machine.properties.iter().filter_map(|p| match &p.kind {
        PropertyKind::Claim(claim) => claim.premise(),
        PropertyKind::Possible(_) => None,
    });
    let mut found = None;
    for premise in premises {
        let mut place = None;
        premise.walk(&mut |e| match e {
            Expr::At(origin, _) => place = Some(*origin),
            Expr::Quantified(Quantifier::Exists, _, domain, body)
                if found.is_none()
                    && ranges_over_nodes(machine, domain)
                    && may_fail(machine, body, &[]) =>
            {
                found = Some(place.or_else(|| first_place(body)));
            }
            _ => {}
        });
    }
    found
}
