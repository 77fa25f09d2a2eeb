//! Decides every property of a Machine, over all instances.

use super::Judgement;
use super::fixpoint::some_run;
use super::graph::Graph;
use machine::{
    Expr, Formula, Frozen, Instance, LocalId, Machine, Property, PropertyKind, State, Value,
};
use std::collections::BTreeSet;

/// The results for a Machine.
pub struct Judged {
    /// Counts over instances up to rotation.
    pub initial: u64,
    pub states: u64,
    pub transitions: u64,
    /// Whether in some instance a state can be reached from itself.
    pub cycle: bool,
    /// The number of events of a shortest run to an error of the code.
    pub error: Option<usize>,
    /// By property: the result for fair runs, and for all runs.
    pub fair: Vec<Judgement>,
    pub unfair: Vec<Judgement>,
}

/// The outcome for a Machine.
pub enum Outcome {
    Judged(Judged),
    /// There is no initial state.
    NoInitialState,
    /// The computation of initial states is an error.
    Initial,
    /// All instances together have more states than the limit.
    TooLarge,
    /// The computation would take too long.
    TooLong,
}

/// Decides the properties of a Machine with at most `limit` states.
pub fn judge(machine: &Machine, limit: usize) -> Outcome {
    let least: BTreeSet<Frozen> = machine.frozen_choices_up_to_rotation().collect();
    let never = || vec![Judgement::Never; machine.properties.len()];
    let mut judged = Judged {
        initial: 0,
        states: 0,
        transitions: 0,
        cycle: false,
        error: None,
        fair: never(),
        unfair: never(),
    };
    let frozen_vars: Vec<Frozen> = machine.frozen_choices().take(limit).collect();
    let mut graphs = Vec::new();
    let mut left = limit;
    for frozen in &frozen_vars {
        match Graph::new(Instance { machine, frozen }, left) {
            Ok(graph) if !graph.explored.complete => return Outcome::TooLarge,
            Ok(graph) => {
                left -= graph.explored.states.len();
                graphs.push(graph);
            }
            Err(_) => return Outcome::Initial,
        }
    }
    let (mut long, mut begins) = (false, false);
    for graph in &graphs {
        begins |= graph.explored.initial > 0;
        if least.contains(graph.instance.frozen) {
            judged.initial += graph.explored.initial as u64;
            judged.states += graph.explored.states.len() as u64;
            let errors = graph.explored.errors.len();
            judged.transitions += (graph.explored.transitions() + errors) as u64;
        }
        judged.cycle |= graph.has_cycle();
        let everywhere = graph.depths(&vec![true; graph.moves.len()]);
        let errors = graph.explored.errors.iter();
        let error = errors
            .filter_map(|(from, ..)| Some(everywhere[*from]? + 1))
            .min();
        judged.error = judged.error.into_iter().chain(error).min();
        for (p, property) in machine.properties.iter().enumerate() {
            for (fair, all) in [(true, &mut judged.fair), (false, &mut judged.unfair)] {
                match of_property(graph, property, fair) {
                    Some(found) => all[p] = all[p].and(found),
                    None => long = true,
                }
            }
        }
    }
    match (begins, long) {
        (false, _) => Outcome::NoInitialState,
        (_, true) => Outcome::TooLong,
        _ => Outcome::Judged(judged),
    }
}

/// The result for a property in one instance; `None` if the computation would take too long. A run ends in a state in
/// which a condition of the property has no value.
fn of_property(graph: &Graph<'_>, property: &Property, fair: bool) -> Option<Judgement> {
    let broken = !graph.explored.errors.is_empty();
    match &property.kind {
        PropertyKind::Possible(condition) => Some(of_condition(graph, condition, true, broken)),
        PropertyKind::Claim(formula) => match formula.invariant() {
            Some(condition) => Some(of_condition(graph, &condition, false, broken)),
            None => of_formula(graph, formula, fair, broken),
        },
    }
}

/// Searches for the nearest state in which a condition has the value `wanted`.
fn of_condition(graph: &Graph<'_>, condition: &Expr, wanted: bool, broken: bool) -> Judgement {
    let states = graph.explored.states.iter();
    let values: Vec<Option<bool>> = states
        .map(|s| graph.instance.holds(s, condition, &[]).ok())
        .collect();
    let valued: Vec<bool> = values.iter().map(Option::is_some).collect();
    let depths = graph.depths(&valued);
    let met = depths
        .iter()
        .zip(&values)
        .filter(|(_, value)| **value == Some(wanted));
    match met.filter_map(|(depth, _)| *depth).min() {
        Some(depth) => Judgement::Happens(Some(depth)),
        None if broken || valued.contains(&false) => Judgement::Error,
        None => Judgement::Never,
    }
}

fn of_formula(graph: &Graph<'_>, formula: &Formula, fair: bool, broken: bool) -> Option<Judgement> {
    if graph.explored.states.is_empty() {
        return Some(Judgement::Never);
    }
    let Some((letters, automaton)) = letters(graph, formula) else {
        return Some(Judgement::TooLarge);
    };
    Some(if some_run(graph, &letters, &automaton, fair)? {
        Judgement::Happens(None)
    } else if broken || letters.contains(&None) {
        Judgement::Error
    } else {
        Judgement::Never
    })
}

/// The letter of each state (`None` if a condition has no value), and an automaton for the negated formula; `None` if
/// that is too large.
pub fn letters(
    graph: &Graph<'_>,
    formula: &Formula,
) -> Option<(Vec<Option<ltl::Letter>>, ltl::Buchi)> {
    let first = graph.explored.states.first()?;
    let mut conditions = Vec::new();
    let claim = translate(graph.instance, first, formula, &[], &mut conditions);
    let automaton = ltl::translate(&ltl::Formula::not(claim)).ok()?;
    let letter = |state: &State| {
        let mut letter = 0;
        for (a, (condition, bound)) in conditions.iter().enumerate() {
            let value = graph.instance.holds(state, condition, bound).ok()?;
            letter |= u64::from(value) << a;
        }
        Some(letter)
    };
    Some((
        graph.explored.states.iter().map(letter).collect(),
        automaton,
    ))
}

/// The values of the quantified names around a condition.
type Bound = Vec<(LocalId, Value)>;

/// Translates a formula to one over numbered conditions. Quantifiers are expanded.
fn translate(
    instance: Instance<'_>,
    state: &State,
    formula: &Formula,
    bound: &[(LocalId, Value)],
    conditions: &mut Vec<(Expr, Bound)>,
) -> ltl::Formula {
    use ltl::Formula as L;
    if let Some(condition) = formula.condition() {
        // Names that do not occur in the condition are left out, so that equal conditions share a number.
        let is_named = |local: LocalId| {
            let mut found = false;
            condition.walk(&mut |e| found |= *e == Expr::Local(local));
            found
        };
        let around = bound.iter().filter(|(local, _)| is_named(*local));
        let atom = (condition.clone(), around.cloned().collect::<Bound>());
        let known = conditions.iter().position(|other| *other == atom);
        let number = known.unwrap_or(conditions.len());
        if known.is_none() {
            conditions.push(atom);
        }
        return L::Atom(number as u32);
    }
    let mut of = |f: &Formula| translate(instance, state, f, bound, conditions);
    match formula {
        Formula::State(_) => unreachable!("a condition"),
        Formula::At(_, a) => of(a),
        Formula::Not(a) => L::not(of(a)),
        Formula::And(a, b) => L::And(vec![of(a), of(b)]),
        Formula::Or(a, b) => L::Or(vec![of(a), of(b)]),
        Formula::Implies(a, b) => L::implies(of(a), of(b)),
        Formula::Always(a) => L::always(of(a)),
        Formula::Eventually(a) => L::eventually(of(a)),
        Formula::Until(a, b) => L::until(of(a), of(b)),
        Formula::LeadsTo(a, b) => L::always(L::implies(of(a), L::eventually(of(b)))),
        Formula::All(local, domain, a) | Formula::Exists(local, domain, a) => {
            let domain = instance
                .value(state, domain, bound)
                .expect("a set without state");
            let mut parts = Vec::new();
            for element in domain.as_set() {
                let mut inner = bound.to_vec();
                inner.push((*local, element.clone()));
                parts.push(translate(instance, state, a, &inner, conditions));
            }
            match formula {
                Formula::All(..) => L::And(parts),
                _ => L::Or(parts),
            }
        }
    }
}
