//! From a file and a setup to its instances: names, worlds, variants, parameters, nodes and edges.

use crate::Setup;
use crate::eval::Scope;
use crate::inbox::Inbox;
use crate::instance::{Channel, Instance, Loss};
use crate::kind::Kind;
use crate::state::State;
use crate::types::product;
use crate::value::{Res, Value, refuse};
use syntax::ast::{self, BlockHead, Delivery, Every, FaultItem, Item, NetworkItem, TypeKind};

/// The items that a world may replace.
#[derive(Default)]
struct Surroundings<'a> {
    timings: Vec<&'a ast::Timing>,
    network: Option<&'a ast::Network>,
    faults: Vec<&'a ast::Faults>,
    initially: Vec<&'a ast::Expr>,
}

/// The instances of a setup, still without their initial states.
pub(crate) fn instances<'a>(file: &'a ast::File, setup: &'a Setup) -> Res<Vec<Instance<'a>>> {
    let mut base = Instance {
        params: Vec::new(),
        lets: Vec::new(),
        fns: Vec::new(),
        enums: Vec::new(),
        records: Vec::new(),
        kinds: Vec::new(),
        kind_of: Vec::new(),
        ranks: Vec::new(),
        constants: Vec::new(),
        ring: false,
        edges: Vec::new(),
        channel: Channel::Fifo(None),
        inbox: Inbox::empty_set(),
        losses: Vec::new(),
        fault_items: Vec::new(),
        faults: Vec::new(),
        rounds: Vec::new(),
        conditions: Vec::new(),
        ghosts: false,
        count_to: None,
    };
    let mut around = Surroundings::default();
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
    base.rounds = rounds(&base, &around)?;
    lay_out(&mut base, around.network)?;
    base.inbox.copies = base.kinds.iter().any(Kind::goes_through_copies);
    check_instant(&base, &around.faults)?;
    set_faults(&mut base, &around.faults)?;
    base.conditions = around.initially;
    base.conditions.extend(&setup.assuming);
    arrange(base, setup)
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

/// Whatever the world does not mention stays.
fn in_world<'a>(
    outside: Surroundings<'a>,
    file: &'a ast::File,
    name: &str,
) -> Res<Surroundings<'a>> {
    let found = file.items.iter().find_map(|item| match item {
        Item::World(world) if world.name.text == name => Some(world),
        _ => None,
    });
    let Some(world) = found else {
        return refuse(format!("there is no world `{name}`"));
    };
    let mut inside = Surroundings::default();
    for item in &world.items {
        match item {
            Item::Timing(timing) => inside.timings.push(timing),
            Item::Network(network) => inside.network = Some(network),
            Item::Faults(faults) => inside.faults.push(faults),
            Item::Initially(e) => inside.initially.push(e),
            _ => return refuse("an item in a world that does not belong there"),
        }
    }
    // Of timings of one name the first is found.
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
    }
    Ok(())
}

/// Refuses what has no meaning here, wherever it stands.
fn check_blocks(base: &Instance) -> Res<()> {
    for block in base.kinds.iter().flat_map(|kind| &kind.blocks) {
        if let BlockHead::On { name, .. } = &block.head
            && !base.is_message(&name.text)
        {
            return refuse(format!("`on {}`, which is no message", name.text));
        }
    }
    Ok(())
}

/// Where messages are taken at once nobody waits, nothing is lost, and only some blocks send.
fn check_instant(base: &Instance, faults: &[&ast::Faults]) -> Res<()> {
    if base.channel != Channel::Instant {
        return Ok(());
    }
    let messages = |f: &&ast::Faults| matches!(f.item, FaultItem::Messages(_));
    if faults.iter().any(messages) {
        return refuse("messages that are lost where none is on the way");
    }
    for block in base.kinds.iter().flat_map(|kind| &kind.blocks) {
        if let BlockHead::On { guard: Some(_), .. } = &block.head {
            return refuse("a guard of a message that cannot wait");
        }
    }
    Ok(())
}

/// Per kind: how far ahead its nodes may be, if they are activated in rounds.
fn rounds(base: &Instance, around: &Surroundings) -> Res<Vec<Option<i128>>> {
    let mut rounds = Vec::new();
    let mut without = false;
    for kind in &base.kinds {
        let mut round = None;
        for block in kind.everies() {
            let BlockHead::Every(Some(every)) = &block.head else {
                return refuse("`every` without a rhythm");
            };
            match rhythm(every, around)? {
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
                Every::Gap { .. } | Every::Named(_) => return refuse("`every` with times"),
            }
        }
        rounds.push(round);
    }
    if without && rounds.iter().any(Option::is_some) {
        return refuse("rounds beside `every any`");
    }
    Ok(rounds)
}

fn rhythm<'a>(every: &'a Every, around: &Surroundings<'a>) -> Res<&'a Every> {
    let Every::Named(name) = every else {
        return Ok(every);
    };
    let mut timings = around.timings.iter();
    match timings.find(|t| t.name.text == name.text) {
        Some(timing) => Ok(&timing.every),
        None => refuse(format!("there is no timing `{}`", name.text)),
    }
}

/// Nodes and edges.
fn lay_out(base: &mut Instance, network: Option<&ast::Network>) -> Res<()> {
    let size = match network.map(|n| &n.topology.arguments[..]) {
        None | Some([]) => None,
        Some([size]) => Some(
            base.eval(size, &State::empty(), &mut Scope::default())?
                .int()?,
        ),
        Some(_) => return refuse("a topology with several sizes"),
    };
    let only = base.kinds.len() == 1;
    for kind in 0..base.kinds.len() {
        let number = match base.kinds[kind].number {
            Some(number) => base
                .eval(number, &State::empty(), &mut Scope::default())?
                .int()?,
            None if only => size.unwrap_or(1),
            None => 1,
        };
        if !(0..=1000).contains(&number) {
            return refuse(format!("{number} nodes"));
        }
        base.kind_of.extend(vec![kind; number as usize]);
    }
    let n = base.size();
    if size.is_some_and(|size| size != n as i128) {
        return refuse("a topology with another number of nodes than the kinds have");
    }
    let Some(network) = network else {
        return Ok(());
    };
    if network.topology.condition.is_some() {
        return refuse("`where` of a topology");
    }
    let mut edges = std::collections::BTreeSet::new();
    let mut both = |a: usize, b: usize| {
        edges.insert((a, b));
        edges.insert((b, a));
    };
    match network.topology.name.text.as_str() {
        "complete" => (0..n).for_each(|i| (0..i).for_each(|j| both(i, j))),
        "ring" => {
            (0..n).for_each(|i| both(i, (i + 1) % n));
            base.ring = true;
        }
        "line" => (1..n).for_each(|i| both(i - 1, i)),
        "star" => (1..n).for_each(|i| both(0, i)),
        other => return refuse(format!("topology `{other}`")),
    }
    for item in &network.items {
        match item {
            NetworkItem::ToSelf(_) => edges.extend((0..n).map(|i| (i, i))),
            NetworkItem::Inbox(inbox, _) => {
                base.inbox.latest = inbox.latest_per_sender;
                base.inbox.start = inbox.start;
            }
            NetworkItem::Delivery(Delivery::Instant, _) => base.channel = Channel::Instant,
            NetworkItem::Delivery(Delivery::Unordered, _) => base.channel = Channel::Unordered,
            NetworkItem::Delivery(Delivery::Fifo(None), _) => base.channel = Channel::Fifo(None),
            NetworkItem::Delivery(Delivery::Fifo(Some(e)), _) => {
                let capacity = base
                    .eval(e, &State::empty(), &mut Scope::default())?
                    .int()?;
                if capacity < 1 {
                    return refuse("a channel without room");
                }
                base.channel = Channel::Fifo(Some(capacity as usize));
            }
            NetworkItem::Delivery(..) => return refuse("`delivery`"),
        }
    }
    base.edges = edges.into_iter().collect();
    Ok(())
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
        // Several items add up.
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

fn is_id(constant: &ast::Constant) -> bool {
    matches!(&constant.ty.kind, TypeKind::Name(name) if name.text == "Id")
}

/// Every arrangement of ids, every value of the constants, and every assignment of faults.
fn arrange<'a>(base: Instance<'a>, setup: &Setup) -> Res<Vec<Instance<'a>>> {
    let n = base.size();
    let mut with_id = 0;
    for kind in (0..n).map(|node| base.kind(node)) {
        match kind.constants.iter().filter(|c| is_id(c)).count() {
            0 => {}
            1 => with_id += 1,
            _ => return refuse(format!("{} has two constants of type Id", kind.name)),
        }
    }
    let arrangements = match &setup.ids {
        Some(ids) => {
            if ids.len() != n || with_id != n {
                return refuse("`ids` need one for each node, and each node its constant");
            }
            let rank = |id: &i128| 1 + ids.iter().filter(|other| *other < id).count() as i128;
            let ranks: Vec<i128> = ids.iter().map(rank).collect();
            if (1..=n as i128).any(|r| !ranks.contains(&r)) {
                return refuse("two ids are equal");
            }
            vec![ranks]
        }
        // Nobody can tell the ids apart.
        None if with_id == 0 => vec![Vec::new()],
        None => permutations(n),
    };
    for (name, _) in &setup.constants {
        let mut constants = base.kinds.iter().flat_map(|k| &k.constants);
        if constants.any(|c| c.name.text == *name && is_id(c)) {
            return refuse(format!("`{name}` is an Id: its order is given by `ids`"));
        }
        if !base.kinds.iter().any(|k| k.constant(name).is_some()) {
            return refuse(format!("there is no constant `{name}`"));
        }
    }
    let mut all = Vec::new();
    for ranks in arrangements {
        let mut arranged = base.clone();
        arranged.ranks = ranks;
        let mut slots = Vec::new();
        for node in 0..n {
            for constant in &base.kind(node).constants {
                slots.push(constant_values(&arranged, node, constant, setup)?);
            }
        }
        for values in product(slots)? {
            let mut values = values.into_iter();
            let mut instance = arranged.clone();
            instance.constants = (0..n)
                .map(|node| {
                    values
                        .by_ref()
                        .take(base.kind(node).constants.len())
                        .collect()
                })
                .collect();
            for faults in base.assignments() {
                let mut one = instance.clone();
                one.faults = faults;
                all.push(one);
            }
        }
    }
    Ok(all)
}

fn constant_values(
    arranged: &Instance,
    node: usize,
    constant: &ast::Constant,
    setup: &Setup,
) -> Res<Vec<Value>> {
    if is_id(constant) {
        return Ok(vec![Value::Id(arranged.ranks[node])]);
    }
    let name = &constant.name.text;
    let (state, mut scope) = (State::empty(), Scope::default());
    let Some((_, given)) = setup.constants.iter().find(|(n, _)| n == name) else {
        return arranged.domain(&constant.ty, &state, &mut scope);
    };
    let has = |n: &usize| arranged.kind(*n).constant(name).is_some();
    let place = (0..node).filter(has).count();
    if given.len() != (0..arranged.size()).filter(has).count() {
        return refuse(format!(
            "`{name}` needs one value for each node that has it"
        ));
    }
    let value = arranged.conform(given[place].clone(), &constant.ty, &state, &mut scope)?;
    Ok(vec![value])
}

/// Every order of 1 ..= n, in lexicographic order.
fn permutations(n: usize) -> Vec<Vec<i128>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        let mut longer = Vec::new();
        for begun in &all {
            for rank in (1..=n as i128).filter(|r| !begun.contains(r)) {
                let mut next: Vec<i128> = begun.clone();
                next.push(rank);
                longer.push(next);
            }
        }
        all = longer;
    }
    all
}
