//! Inference of counter classes: counters that are compared with or assigned to each other are in one class.
//!
//! At first each occurrence of a counter type is a class of its own: in the types of variables, of fields of messages
//! and structs, and of locals, and in types inside expressions. A field of a record type is one occurrence, no matter
//! where values of the record type are stored. Typing then reports pairs of occurrences whose values are compared,
//! assigned to each other or alternatives of one expression; their classes are merged. Initial values and restrictions
//! of initial states do not merge classes: they treat counters as integers.

use crate::verify::code::verify_code;
use crate::verify::typing::Merges;
use crate::{
    ClassId, Counter, Expr, Init, Machine, Predicate, PropertyKind, Scope, Stmt, Trigger, Type,
};
use std::collections::BTreeMap;

/// Computes the counter classes of a Machine and replaces the preliminary class of each counter type.
pub fn classify(machine: &mut Machine) {
    if machine.counters.is_empty() {
        return;
    }
    let mut names: Vec<Option<String>> = Vec::new();
    retype(machine, &mut |_, name| {
        names.push(name.map(String::from));
        ClassId(names.len() as u32 - 1)
    });
    let counter = |name: String| Counter { name, window: None };
    machine.counters = names.iter().map(|_| counter(String::new())).collect();
    let merges = Merges::default();
    let verified = verify_code(machine, Some(&merges));
    debug_assert_eq!(verified, Ok(()));
    let mut leads: Vec<usize> = (0..names.len()).collect();
    if verified.is_err() {
        // Typing stopped early, so merges may be missing. A single class for all counters is always sound.
        leads.fill(0);
    }
    for (a, b) in merges.into_inner() {
        let (a, b) = (lead(&leads, a.index()), lead(&leads, b.index()));
        leads[a.max(b)] = a.min(b);
    }
    // Classes with a variable or field are numbered first. The other classes consist of locals and types inside
    // expressions, and do not occur in states.
    let mut numbers: BTreeMap<usize, ClassId> = BTreeMap::new();
    let mut found: Vec<Counter> = Vec::new();
    for pass in [true, false] {
        for (place, name) in names.iter().enumerate() {
            let lead = lead(&leads, place);
            if name.is_some() == pass && !numbers.contains_key(&lead) {
                numbers.insert(lead, ClassId(found.len() as u32));
                found.push(counter(name.clone().unwrap_or("counter".into())));
            }
        }
    }
    retype(machine, &mut |class, _| {
        numbers[&lead(&leads, class.index())]
    });
    machine.counters = found;
}

/// The representative of a class.
fn lead(leads: &[usize], mut class: usize) -> usize {
    while leads[class] != class {
        class = leads[class];
    }
    class
}

/// Replaces the class c of each counter type in the Machine by `class(c, name)`. The name is that of the variable or
/// field; it is `None` for locals and expressions.
fn retype(machine: &mut Machine, class: &mut dyn FnMut(ClassId, Option<&str>) -> ClassId) {
    for var in &mut machine.vars {
        let name = Some(&*var.name);
        var.ty = var.ty.with_classes(&mut |c| Type::Counter(class(c, name)));
    }
    for record in &mut machine.records {
        for (name, ty) in &mut record.fields {
            *ty = ty.with_classes(&mut |c| Type::Counter(class(c, Some(name))));
        }
    }
    let class = &mut |c| Type::Counter(class(c, None));
    for var in &mut machine.vars {
        if let Init::AnyIn(own, e) | Init::Value(own, e) = &mut var.init {
            scope(own, class);
            *e = expr(e, class);
        }
    }
    for block in &mut machine.blocks {
        scope(&mut block.scope, class);
        if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &mut block.trigger {
            *guard = expr(guard, class);
        }
        block.body = block.body.iter().map(|s| statement(s, class)).collect();
    }
    for response in &mut machine.responses {
        scope(&mut response.scope, class);
        response.from = expr(&response.from, class);
        response.to = expr(&response.to, class);
    }
    for Predicate {
        scope: own,
        condition,
    } in &mut machine.initially
    {
        scope(own, class);
        *condition = expr(condition, class);
    }
    for property in &mut machine.properties {
        scope(&mut property.scope, class);
        match &mut property.kind {
            PropertyKind::Claim(claim) => *claim = claim.with_exprs(&mut |e| expr(e, class)),
            PropertyKind::Possible(condition) => *condition = expr(condition, class),
        }
    }
}

fn scope(scope: &mut Scope, class: &mut dyn FnMut(ClassId) -> Type) {
    for local in &mut scope.locals {
        local.ty = local.ty.with_classes(class);
    }
}

fn expr(e: &Expr, class: &mut dyn FnMut(ClassId) -> Type) -> Expr {
    match e.with_parts(&mut |part| expr(part, class)) {
        Expr::None(ty) => Expr::None(ty.with_classes(class)),
        Expr::Within(ty, a) => Expr::Within(ty.with_classes(class), a),
        Expr::Set(ty, items) => Expr::Set(ty.with_classes(class), items),
        other => other,
    }
}

/// The statement with the counter classes replaced. Index types contain no counters, so the types in places stay as
/// they are.
fn statement(s: &Stmt, class: &mut dyn FnMut(ClassId) -> Type) -> Stmt {
    s.with_exprs(&mut |e| expr(e, class))
}
