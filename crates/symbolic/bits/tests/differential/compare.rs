//! Random runs of one Machine: every event that runs code, and every condition, is evaluated over bits and by the
//! interpreter, and the results are compared.

use crate::worlds::{Open, inputs};
use bits::{
    Bits, Branch, BranchCondition, Cause, Effects, Evaluator, Known, World, constant, free,
    packed_value, run, run_with_branches,
};
use machine::random::Rng;
use machine::{
    BlockId, Channel, Choice, Event, Expr, Formula, Instance, LocalId, Machine, Mode, NodeId,
    Outcome, PropertyKind, Scope, State, StepError, Trigger, Type, Value,
};
use sat::{Aig, Lit};
use std::collections::BTreeMap;

/// The number of comparisons of each kind.
#[derive(Debug, Default)]
pub struct Tally {
    /// Events compared in a world of constants.
    pub known: u64,
    /// Events compared in a world of inputs, too.
    pub events: u64,
    pub errors: u64,
    pub picks: u64,
    pub sends: u64,
    pub inboxes: u64,
    pub conditions: u64,
    pub condition_errors: u64,
    pub refused: BTreeMap<String, u64>,
}

impl Tally {
    fn refuse(&mut self, what: bits::Unsupported) {
        *self.refused.entry(what.what).or_default() += 1;
    }
}

/// The number of initial states, and the number of steps from each.
const WALKS: usize = 3;
const STEPS: usize = 6;

pub fn machine(mut machine: Machine, seed: u64, tally: &mut Tally) -> Result<(), String> {
    if machine.channel == Channel::Instant {
        // An instantaneous delivery runs blocks of other nodes within one event, so the channel is replaced by a queue.
        machine.channel = Channel::Fifo(None);
    }
    let mut rng = Rng(seed);
    for _ in 0..WALKS {
        let Some(frozen) = machine.sample_frozen(&mut |n| rng.below(n)) else {
            continue;
        };
        let instance = Instance {
            machine: &machine,
            frozen: &frozen,
        };
        let Ok(Some(mut state)) = instance.sample_initial(&mut |n| rng.below(n)) else {
            continue;
        };
        for _ in 0..STEPS {
            conditions(&instance, &state, tally)?;
            let choices = instance.choices(&state);
            for choice in &choices {
                event(&instance, &state, choice, tally)?;
            }
            if choices.is_empty() {
                break;
            }
            match instance.step(&state, &choices[rng.below(choices.len())]) {
                Ok(next) => state = next,
                Err(_) => break,
            }
        }
    }
    Ok(())
}

/// A message with its sender.
type Received = (Value, NodeId);

/// The block that an event runs, its node, and the message with its sender for a message handler. `None` if the event
/// runs no code.
fn code_of(machine: &Machine, event: &Event) -> Option<(BlockId, NodeId, Option<Received>)> {
    match event {
        Event::Run(node, block) => Some((*block, *node, None)),
        Event::Deliver(edge, message, outcome) => {
            let (Outcome::HandOver(block) | Outcome::Repeat(_, Some(block))) = outcome else {
                return None;
            };
            let (from, to) = machine.edges[edge.index()];
            Some((*block, to, Some((message.clone(), from))))
        }
        _ => None,
    }
}

fn event(
    instance: &Instance<'_>,
    state: &State,
    choice: &Choice,
    tally: &mut Tally,
) -> Result<(), String> {
    let machine = instance.machine;
    let Some((block, node, message)) = code_of(machine, &choice.event) else {
        return Ok(());
    };
    let known = Known {
        instance: *instance,
        state,
    };
    let told = |why: String| {
        let name = &machine.blocks[block.index()].name;
        format!(
            "{name} at {node}, picks {:?}, in {state:?}: {why}",
            choice.picks
        )
    };
    // First, a world in which all state is constant.
    let mut aig = Aig::new();
    let given = message.as_ref().map(|(message, from)| {
        let ty = Type::Record(message.record());
        (constant(machine, message, &ty), *from)
    });
    let cause = |given: Option<(Bits, NodeId)>| match given {
        Some((message, from)) => Cause::Message(message, from),
        None => Cause::Itself,
    };
    let (effects, branches) =
        match run_with_branches(&mut aig, machine, &known, block, node, cause(given)) {
            Ok(found) => found,
            Err(why) => {
                tally.refuse(why);
                return Ok(());
            }
        };
    let found = Found {
        aig: &aig,
        effects: &effects,
        branches: &branches,
        inputs: Vec::new(),
    };
    compare_event(instance, state, choice, node, found)
        .map_err(|why| told(format!("known: {why}")))?;
    tally.known += 1;
    // Second, a world in which all state that code reads is an input.
    let mut aig = Aig::new();
    let Ok(world) = Open::new(&mut aig, known) else {
        return Ok(());
    };
    let Ok(Some(mut values)) = inputs(instance, state) else {
        return Ok(());
    };
    let mut given = None;
    if let Some((message, from)) = &message {
        let ty = Type::Record(message.record());
        let Ok((bits, _)) = free(&mut aig, machine, &ty) else {
            return Ok(());
        };
        values.extend(packed_value(machine, &ty, message).expect("it is free"));
        given = Some((bits, *from));
    }
    let (effects, branches) =
        match run_with_branches(&mut aig, machine, &world, block, node, cause(given)) {
            Ok(found) => found,
            Err(why) => {
                tally.refuse(why);
                return Ok(());
            }
        };
    if !holds(&aig, &values, world.valid) {
        return Err(told("the inputs are not a state".into()));
    }
    tally.events += 1;
    tally.picks += choice.picks.len() as u64;
    tally.sends += u64::from(!effects.sent.is_empty());
    tally.inboxes += u64::from(!state.nodes[node.index()].inbox.is_empty());
    let error = matches!(instance.step(state, choice), Err(StepError::Error(_)));
    tally.errors += u64::from(error);
    let found = Found {
        aig: &aig,
        effects: &effects,
        branches: &branches,
        inputs: values,
    };
    compare_event(instance, state, choice, node, found).map_err(|why| told(format!("open: {why}")))
}

fn holds(aig: &Aig, inputs: &[bool], lit: Lit) -> bool {
    let mut inputs = inputs.to_vec();
    inputs.resize(aig.inputs() as usize, false);
    aig.simulate(&inputs)[lit.gate() as usize] != lit.is_negated()
}

/// The result of executing a block over bits, with values for the inputs.
struct Found<'f> {
    aig: &'f Aig,
    effects: &'f Effects,
    branches: &'f [BranchCondition],
    inputs: Vec<bool>,
}

impl Found<'_> {
    /// Sets the inputs of the picks so that they select the given values.
    fn pick(&mut self, picks: &[Value]) -> Result<(), String> {
        self.inputs.resize(self.aig.inputs() as usize, false);
        let mut wanted = picks.iter();
        for pick in &self.effects.picks {
            if !holds(self.aig, &self.inputs, pick.when) {
                continue;
            }
            let Some(value) = wanted.next() else {
                return Err("it chooses more often".into());
            };
            let found = (0..1u32 << pick.inputs.len()).any(|number| {
                for (i, lit) in pick.inputs.iter().enumerate() {
                    let sat::Gate::Input(input) = self.aig.gate(lit.gate()) else {
                        panic!("an input")
                    };
                    self.inputs[input as usize] = number >> i & 1 == 1;
                }
                let values = self.aig.simulate(&self.inputs);
                let model = |lit: Lit| values[lit.gate() as usize] != lit.is_negated();
                model(pick.allowed) && pick.value.decode(&model) == *value
            });
            if !found {
                return Err(format!("{value:?} cannot be picked"));
            }
        }
        match wanted.next() {
            Some(_) => Err("it chooses less often".into()),
            None => Ok(()),
        }
    }
}

fn errors_logged(branches: &[BranchCondition], model: &dyn Fn(Lit) -> bool) -> bool {
    let mut errors = branches
        .iter()
        .filter(|branch| branch.branch == Branch::Error);
    errors.any(|branch| model(branch.when))
}

fn compare_event(
    instance: &Instance<'_>,
    state: &State,
    choice: &Choice,
    node: NodeId,
    mut found: Found<'_>,
) -> Result<(), String> {
    found.pick(&choice.picks)?;
    let values = found.aig.simulate(&found.inputs);
    let model = |lit: Lit| values[lit.gate() as usize] != lit.is_negated();
    let effects = found.effects;
    if !model(effects.guard) {
        return Err("its guard does not hold".into());
    }
    if !model(effects.valid) {
        return Err("what is picked is not valid".into());
    }
    let next = match instance.step(state, choice) {
        Err(StepError::Error(error)) if model(effects.error) => {
            // An error must be logged at the origin at which the interpreter reports it, and at no other.
            let errors = found
                .branches
                .iter()
                .filter(|branch| branch.branch == Branch::Error);
            let mut errors = errors.filter(|branch| model(branch.when));
            return match errors.all(|branch| branch.origin == error.origin) {
                true if errors_logged(found.branches, &model) => Ok(()),
                true => Err(format!("{error:?} is not noted")),
                false => Err(format!("another error is noted than {error:?}")),
            };
        }
        Err(StepError::Error(error)) => return Err(format!("{error:?} is not met")),
        Err(other) => return Err(format!("{other:?}")),
        Ok(next) => next,
    };
    if model(effects.error) {
        return Err("an error".into());
    }
    let decoded: Vec<Value> = effects.vars.iter().map(|var| var.decode(&model)).collect();
    let after = &next.nodes[node.index()];
    if decoded != after.vars {
        return Err(format!("variables {decoded:?} instead of {:?}", after.vars));
    }
    if model(effects.halted) != (after.mode == Mode::Halted) {
        return Err(format!("halted: {}", model(effects.halted)));
    }
    let before = &state.nodes[node.index()].inbox;
    let inbox = if model(effects.cleared) {
        &vec![]
    } else {
        before
    };
    if *inbox != after.inbox {
        return Err(format!("inbox {inbox:?} instead of {:?}", after.inbox));
    }
    if !instance.frozen.can_send(node) {
        return Ok(());
    }
    let sent = effects.sent.iter().filter(|sent| model(sent.when));
    let sent: Vec<_> = sent
        .map(|sent| (sent.to, sent.message.decode(&model)))
        .collect();
    let wanted: Vec<_> = { instance.trace(state, choice).sent.into_iter() }
        .map(|sent| (instance.machine.edges[sent.edge.index()].1, sent.message))
        .collect();
    match sent == wanted {
        true => Ok(()),
        false => Err(format!("sent {sent:?} instead of {wanted:?}")),
    }
}

/// Compares the condition of every property, every guard and every restriction of initial states.
fn conditions(instance: &Instance<'_>, state: &State, tally: &mut Tally) -> Result<(), String> {
    let machine = instance.machine;
    for property in &machine.properties {
        match &property.kind {
            PropertyKind::Possible(condition) => {
                condition_of(instance, state, &property.scope, condition, &[], tally)?;
            }
            PropertyKind::Claim(formula) => {
                formula_of(
                    instance,
                    state,
                    &property.scope,
                    formula,
                    &mut vec![],
                    tally,
                )?;
            }
        }
    }
    for restriction in &machine.initially {
        condition_of(
            instance,
            state,
            &restriction.scope,
            &restriction.condition,
            &[],
            tally,
        )?;
    }
    for (b, block) in machine.blocks.iter().enumerate() {
        let Trigger::When(guard) = &block.trigger else {
            continue;
        };
        for node in machine.nodes_of(block.kind) {
            let this = [(LocalId(0), Value::Node(node))];
            condition_of(instance, state, &block.scope, guard, &this, tally)?;
            guarded(instance, state, BlockId(b as u32), node)?;
        }
    }
    Ok(())
}

/// Checks that the guard of a block has the value that the interpreter computes, and that a block whose guard is false
/// has no error and sends nothing.
fn guarded(
    instance: &Instance<'_>,
    state: &State,
    block: BlockId,
    node: NodeId,
) -> Result<(), String> {
    let Trigger::When(guard) = &instance.machine.blocks[block.index()].trigger else {
        return Ok(());
    };
    let known = Known {
        instance: *instance,
        state,
    };
    let mut aig = Aig::new();
    let Ok(effects) = run(&mut aig, instance.machine, &known, block, node, None) else {
        return Ok(());
    };
    let this = [(LocalId(0), Value::Node(node))];
    let holds = instance.holds(state, guard, &this).unwrap_or(true);
    let quiet = effects.error == Lit::FALSE && effects.sent.is_empty();
    match effects.guard == Lit::constant(holds) && (holds || quiet) {
        true => Ok(()),
        false => Err(format!(
            "{block:?} at {node} with guard {:?} in {state:?}",
            effects.guard
        )),
    }
}

fn formula_of(
    instance: &Instance<'_>,
    state: &State,
    scope: &Scope,
    formula: &Formula,
    locals: &mut Vec<(LocalId, Value)>,
    tally: &mut Tally,
) -> Result<(), String> {
    match formula {
        Formula::State(condition) => condition_of(instance, state, scope, condition, locals, tally),
        Formula::At(_, a) | Formula::Not(a) | Formula::Always(a) | Formula::Eventually(a) => {
            formula_of(instance, state, scope, a, locals, tally)
        }
        Formula::And(a, b)
        | Formula::Or(a, b)
        | Formula::Implies(a, b)
        | Formula::Until(a, b)
        | Formula::LeadsTo(a, b) => {
            formula_of(instance, state, scope, a, locals, tally)?;
            formula_of(instance, state, scope, b, locals, tally)
        }
        Formula::All(local, domain, a) | Formula::Exists(local, domain, a) => {
            let Ok(Value::Set(values)) = instance.value(state, domain, locals) else {
                return Ok(());
            };
            for value in values {
                locals.push((*local, value));
                formula_of(instance, state, scope, a, locals, tally)?;
                locals.pop();
            }
            Ok(())
        }
    }
}

fn condition_of(
    instance: &Instance<'_>,
    state: &State,
    scope: &Scope,
    condition: &Expr,
    locals: &[(LocalId, Value)],
    tally: &mut Tally,
) -> Result<(), String> {
    let known = Known {
        instance: *instance,
        state,
    };
    let wanted = instance.value(state, condition, locals);
    let told = |how: &str, found: Option<Value>| {
        format!(
            "{how}: {found:?} instead of {wanted:?}: {condition:?} with {locals:?} in {state:?}"
        )
    };
    let mut aig = Aig::new();
    let found = value_in(&mut aig, instance.machine, &known, scope, condition, locals);
    let (value, error) = match found {
        Ok(found) => found,
        Err(why) => {
            tally.refuse(why);
            return Ok(());
        }
    };
    let constant = |lit: Lit| lit == Lit::TRUE;
    let found = (!constant(error)).then(|| value.decode(&constant));
    if found != wanted.clone().ok() {
        return Err(told("known", found));
    }
    tally.conditions += 1;
    tally.condition_errors += u64::from(wanted.is_err());
    let mut aig = Aig::new();
    let (Ok(world), Ok(Some(inputs))) = (Open::new(&mut aig, known), inputs(instance, state))
    else {
        return Ok(());
    };
    let found = value_in(&mut aig, instance.machine, &world, scope, condition, locals);
    let Ok((value, error)) = found.map_err(|why| tally.refuse(why)) else {
        return Ok(());
    };
    let values = aig.simulate(&inputs);
    let model = |lit: Lit| values[lit.gate() as usize] != lit.is_negated();
    let found = (!model(error)).then(|| value.decode(&model));
    match found == wanted.clone().ok() {
        true => Ok(()),
        false => Err(told("open", found)),
    }
}

fn value_in(
    aig: &mut Aig,
    machine: &Machine,
    world: &dyn World,
    scope: &Scope,
    expr: &Expr,
    locals: &[(LocalId, Value)],
) -> Result<(Bits, Lit), bits::Unsupported> {
    let mut evaluator = Evaluator::new(aig, machine, world, scope);
    for (local, value) in locals {
        let ty = &scope.locals[local.index()].ty;
        evaluator.bind(*local, constant(machine, value, ty));
    }
    let value = evaluator.value(expr)?;
    let error = evaluator.error();
    Ok((value, error))
}
