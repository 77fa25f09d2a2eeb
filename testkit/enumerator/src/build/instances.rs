//! Builds the instances of a file and a setup: names, worlds, variants, parameters, timings, faults.

use crate::build::arrange::{arrange, is_named};
use crate::build::topology::lay_out;
use crate::counters::classes::classes_of;
use crate::instance::counter_classes::Classes;
use crate::instance::data::{Channel, Gaps, Inbox, Instance, Loss};
use crate::instance::kind::Kind;
use crate::instance::scope::Scope;
use crate::instance::setup::Setup;
use crate::instance::state::State;
use crate::instance::value::{Res, Value, refuse};
use syntax::ast::{self, BlockHead, Every, FaultItem, Item};

/// The items of a file that a world can replace.
#[derive(Default)]
struct Environment<'a> {
    timings: Vec<&'a ast::Timing>,
    network: Option<&'a ast::Network>,
    faults: Vec<&'a ast::Faults>,
    initially: Vec<&'a ast::Expr>,
}

/// The instances of a setup, without their initial states.
pub(crate) fn instances<'a>(file: &'a ast::File, setup: &'a Setup) -> Res<Vec<Instance<'a>>> {
    let mut base = Instance {
        params: Vec::new(),
        durations: Vec::new(),
        lets: Vec::new(),
        fns: Vec::new(),
        enums: Vec::new(),
        records: Vec::new(),
        kinds: Vec::new(),
        kind_of: Vec::new(),
        ranks: Vec::new(),
        strangers: setup.strangers,
        constants: Vec::new(),
        ring: false,
        edges: Vec::new(),
        channel: Channel::Fifo(None),
        delay: None,
        before_next: false,
        inbox: Inbox::empty_set(),
        losses: Vec::new(),
        fault_items: Vec::new(),
        faults: Vec::new(),
        rounds: Vec::new(),
        gaps: Vec::new(),
        clock: None,
        units: !file.units.is_empty(),
        classes: Classes::default(),
        conditions: Vec::new(),
        ghosts: false,
        count_to: None,
    };
    let mut around = Environment::default();
    let mut params = Vec::new();
    for item in &file.items {
        match item {
            Item::Param(param) => params.push(param),
            Item::Let(found) => base.lets.push(found),
            Item::Fn(found) => base.fns.push(found),
            Item::Enum(found) => base.enums.push(found),
            Item::Struct(found) => base.records.push((found, false)),
            Item::Message(found) => base.records.push((found, true)),
            Item::Node(node) => base.kinds.push(Kind::of(node)?),
            Item::Timing(timing) => around.timings.push(timing),
            Item::Network(network) => {
                if around.network.replace(network).is_some() {
                    return refuse("two networks");
                }
            }
            Item::Faults(faults) => around.faults.push(faults),
            Item::Initially(e) => around.initially.push(e),
            Item::Claim(_) | Item::World(_) | Item::Variant(_) | Item::Check(_) => {}
        }
    }
    vary(&mut base, file, setup)?;
    if let Some(name) = &setup.world {
        around = in_world(around, file, name)?;
    }
    set_params(&mut base, &params, setup)?;
    check_blocks(&base)?;
    set_timings(&mut base, &around)?;
    let network = around.network;
    let topology = setup.topology.as_ref();
    let topology = topology.or(network.map(|network| &network.topology));
    let ways = lay_out(&mut base, network, topology)?;
    if ways.len() > 1 && (setup.ids.is_some() || !setup.constants.is_empty()) {
        return refuse("ids or constants of nodes whose place in the graph is open");
    }
    base.inbox.copies = base.kinds.iter().any(Kind::goes_through_copies);
    check_waiting(&base, &around.faults)?;
    set_faults(&mut base, &around.faults)?;
    base.start_clock()?;
    base.conditions = around.initially;
    base.conditions.extend(&setup.assuming);
    base.classes = classes_of(&base, file)?;
    let mut all = Vec::new();
    for edges in ways {
        let mut connected = base.clone();
        connected.edges = edges;
        all.extend(arrange(connected, setup)?);
    }
    match topology.and_then(|topology| topology.condition.as_ref()) {
        None => Ok(all),
        Some(condition) => satisfying(all, condition),
    }
}

/// The instances that satisfy a condition that reads no state.
fn satisfying<'a>(all: Vec<Instance<'a>>, condition: &ast::Expr) -> Res<Vec<Instance<'a>>> {
    let mut kept = Vec::new();
    for instance in all {
        if instance.holds(condition, &State::empty())? {
            kept.push(instance);
        }
    }
    Ok(kept)
}

fn vary<'a>(base: &mut Instance<'a>, file: &'a ast::File, setup: &Setup) -> Res<()> {
    for name in &setup.variants {
        let found = file.items.iter().find_map(|item| match item {
            Item::Variant(variant) if variant.name.text == *name => Some(variant),
            _ => None,
        });
        let Some(variant) = found else {
            return refuse(format!("there is no variant `{name}`"));
        };
        let of = &variant.of.text;
        match base.kinds.iter_mut().find(|k| k.name == of) {
            Some(kind) => kind.vary(variant)?,
            None => return refuse(format!("there is no kind `{of}`")),
        }
    }
    base.kinds.iter().try_for_each(Kind::check)
}

/// The environment in a world; items of kinds that the world does not contain are those of the file.
fn in_world<'a>(outside: Environment<'a>, file: &'a ast::File, name: &str) -> Res<Environment<'a>> {
    let found = file.items.iter().find_map(|item| match item {
        Item::World(world) if world.name.text == name => Some(world),
        _ => None,
    });
    let Some(world) = found else {
        return refuse(format!("there is no world `{name}`"));
    };
    let mut inside = Environment::default();
    for item in &world.items {
        match item {
            Item::Timing(timing) => inside.timings.push(timing),
            Item::Network(network) => inside.network = Some(network),
            Item::Faults(faults) => inside.faults.push(faults),
            Item::Initially(e) => inside.initially.push(e),
            _ => return refuse("an item in a world that does not belong there"),
        }
    }
    // Timings are looked up from the front, so those of the world take precedence.
    inside.timings.extend(outside.timings);
    inside.network = inside.network.or(outside.network);
    if inside.faults.is_empty() {
        inside.faults = outside.faults;
    }
    if inside.initially.is_empty() {
        inside.initially = outside.initially;
    }
    Ok(inside)
}

fn set_params<'a>(base: &mut Instance<'a>, params: &[&'a ast::Param], setup: &Setup) -> Res<()> {
    for (name, _) in &setup.params {
        if !params.iter().any(|p| p.name.text == *name) {
            return refuse(format!("there is no parameter `{name}`"));
        }
    }
    for param in params {
        let given = setup.params.iter().find(|(n, _)| *n == param.name.text);
        let value = match given {
            Some((_, value)) => Value::Int(*value),
            None => base.eval(&param.value, &State::empty(), &mut Scope::default())?,
        };
        let value = match &param.ty {
            Some(ty) => base.conform(value, ty, &State::empty(), &mut Scope::default())?,
            None => Value::Int(value.int()?),
        };
        base.params.push((&param.name.text, value));
        if param.ty.as_ref().is_some_and(|ty| is_named(ty, "Duration")) {
            base.durations.push(&param.name.text);
        }
    }
    Ok(())
}

/// Refuses `on` blocks whose name is neither a message nor a timer of the kind.
fn check_blocks(base: &Instance) -> Res<()> {
    for kind in &base.kinds {
        for block in &kind.blocks {
            if let BlockHead::On { name, .. } = &block.head
                && !base.is_message(&name.text)
                && kind.timer(&name.text).is_none()
            {
                return refuse(format!("`on {}`, which is no message", name.text));
            }
        }
    }
    Ok(())
}

/// Refuses guards on messages that must be taken when they arrive, and faults of messages if delivery is instantaneous.
fn check_waiting(base: &Instance, faults: &[&ast::Faults]) -> Res<()> {
    let instant = base.channel == Channel::Instant;
    if !instant && base.delay.is_none() && !base.before_next {
        return Ok(());
    }
    let messages = |f: &&ast::Faults| matches!(f.item, FaultItem::Messages(_));
    if instant && faults.iter().any(messages) {
        return refuse("messages that are lost where none is on the way");
    }
    for block in base.kinds.iter().flat_map(|kind| &kind.blocks) {
        if let BlockHead::On { guard: Some(_), .. } = &block.head {
            return refuse("a guard of a message that cannot wait");
        }
    }
    Ok(())
}

/// Sets, for each kind, the round limit of its nodes, or the times of their activations.
fn set_timings(base: &mut Instance, around: &Environment) -> Res<()> {
    let mut without = false;
    for kind in 0..base.kinds.len() {
        let (mut round, mut gaps) = (None, None);
        for block in base.kinds[kind].everies() {
            let BlockHead::Every(Some(every)) = &block.head else {
                return refuse("`every` without a rhythm");
            };
            match timing(every, around)? {
                Every::Any(_) => without = true,
                Every::Round(None, _) => round = Some(1),
                Every::Round(Some(e), _) => {
                    let ahead = base
                        .eval(e, &State::empty(), &mut Scope::default())?
                        .int()?;
                    if ahead < 1 {
                        return refuse("rounds in which nobody can be ahead");
                    }
                    round = Some(ahead);
                }
                Every::Gap { fixed: true, .. } => return refuse("`fixed`"),
                Every::Gap {
                    interval,
                    jitter,
                    first,
                    ..
                } => gaps = Some(read_gaps(base, interval, jitter.as_ref(), first.as_ref())?),
                Every::Named(_) => return refuse("a timing that is the name of another"),
            }
        }
        base.rounds.push(round);
        base.gaps.push(gaps);
    }
    if without && base.rounds.iter().any(Option::is_some) {
        return refuse("rounds beside `every any`");
    }
    Ok(())
}

fn read_gaps(
    base: &Instance,
    interval: &ast::Expr,
    jitter: Option<&ast::Jitter>,
    first: Option<&ast::Expr>,
) -> Res<Gaps> {
    let (low, high) = base.fixed_interval(interval)?;
    let (less, more) = match jitter {
        None => (0, 0),
        Some(jitter) if jitter.on_the_grid => return refuse("jitter on the grid"),
        Some(jitter) => base.interval(&jitter.amount, &State::empty(), &mut Scope::default())?,
    };
    let gap = (low + less, high + more);
    if gap.0 <= 0 || gap.1 < gap.0 {
        return refuse("a gap between activations that is not positive");
    }
    Ok(Gaps {
        gap,
        first: match first {
            Some(first) => base.fixed_interval(first)?,
            None => (0, high),
        },
    })
}

fn timing<'a>(every: &'a Every, around: &Environment<'a>) -> Res<&'a Every> {
    let Every::Named(name) = every else {
        return Ok(every);
    };
    let mut timings = around.timings.iter();
    match timings.find(|t| t.name.text == name.text) {
        Some(timing) => Ok(&timing.every),
        None => refuse(format!("there is no timing `{}`", name.text)),
    }
}

fn set_faults<'a>(base: &mut Instance<'a>, faults: &[&'a ast::Faults]) -> Res<()> {
    for fault in faults {
        let message = match &fault.item {
            FaultItem::None => continue,
            FaultItem::Nodes(scope, modes) => {
                let item = base.node_faults(scope, modes)?;
                base.fault_items.push(item);
                continue;
            }
            FaultItem::Messages(message) => message,
        };
        let of = message.of.as_ref().map(|name| name.text.as_str());
        if let Some(of) = of
            && !base.is_message(of)
        {
            return refuse(format!("there is no message `{of}`"));
        }
        let at_most = match &message.at_most {
            None => None,
            Some(e) => {
                let number = base
                    .eval(e, &State::empty(), &mut Scope::default())?
                    .int()?;
                if number < 0 {
                    return refuse("a negative number of faults");
                }
                Some(number)
            }
        };
        // Items with the same effect on the same message type add up.
        let repeat = message.repeat;
        match base
            .losses
            .iter_mut()
            .find(|l| l.repeat == repeat && l.of == of)
        {
            Some(old) => old.at_most = old.at_most.zip(at_most).map(|(a, b)| a + b),
            None => base.losses.push(Loss {
                repeat,
                of,
                at_most,
            }),
        }
    }
    Ok(())
}
