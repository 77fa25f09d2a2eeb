//! The instances of a setup: every arrangement of ids, every value of the constants, and every assignment of faults.

use crate::expressions::types::product;
use crate::instance::data::Instance;
use crate::instance::scope::Scope;
use crate::instance::setup::Setup;
use crate::instance::state::State;
use crate::instance::value::{Res, Value, refuse};
use syntax::ast::{self, TypeKind};

/// Whether a type is exactly this name.
pub(crate) fn is_named(ty: &ast::Type, wanted: &str) -> bool {
    matches!(&ty.kind, TypeKind::Name(name) if name.text == wanted)
}

fn is_id(constant: &ast::Constant) -> bool {
    is_named(&constant.ty, "Id")
}

/// The instances that extend `base` by an arrangement of ids, values of the constants, and an assignment of faults.
pub(crate) fn arrange<'a>(base: Instance<'a>, setup: &Setup) -> Res<Vec<Instance<'a>>> {
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
            // The ids of the nodes keep their order; ids that belong to no node may be anywhere between them.
            let all = n + setup.strangers;
            let ascending = placements(n, all).into_iter().filter(|p| p.is_sorted());
            let place = |among: Vec<i128>| ranks.iter().map(|r| among[*r as usize - 1]).collect();
            ascending.map(place).collect()
        }
        // If no kind has a constant of type `Id`, there is only one arrangement.
        None if with_id == 0 => vec![Vec::new()],
        None => placements(n, n + setup.strangers),
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

/// Every sequence of n different numbers from 1 to `all`, in lexicographic order.
fn placements(n: usize, all: usize) -> Vec<Vec<i128>> {
    let mut taken = vec![Vec::new()];
    for _ in 0..n {
        let mut longer = Vec::new();
        for begun in &taken {
            for rank in (1..=all as i128).filter(|r| !begun.contains(r)) {
                let mut next: Vec<i128> = begun.clone();
                next.push(rank);
                longer.push(next);
            }
        }
        taken = longer;
    }
    taken
}
