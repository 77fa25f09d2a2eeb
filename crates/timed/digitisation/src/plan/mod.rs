//! The grid on which a question about real times can be asked, and whether its answer there is final.
//!
//! Times on the grid are multiples of a unit that divides every constant of time in the Machine and in its one
//! property. Let the unit be 1. Every constraint of timing is a closed bound, a whole number, on the difference of the
//! times of two events. Take a real run, and any monotone g from the fractions [0, 1) to [0, 1] with g(0) = 0: the run
//! with the same events in the same order, in which time n + r becomes n + g(r), satisfies the constraints too (if
//! r ≤ r' a difference n - n' + r - r' ≤ c has n - n' ≤ c, otherwise n - n' ≤ c - 1; bounds from below are bounds of
//! the other difference from above). Three choices of g are used:
//!
//! - Up: g(r) = 1 for r > 0. What is after a whole number stays so. Down: g(r) = 0 for all r; what is before one
//!   stays so. Both keep `≤` and `≥`. So on whole numbers a violation may ask that `now` is after several constants, or
//!   before several, not both. That `now` is more than x after another event stays true with Down if now is whole;
//!   with Up if the fraction of now is not greater than that of the event; otherwise if g is 0 up to the fraction of
//!   the event and 1 beyond: one such demand is allowed, by itself or with `now` before constants on halves.
//! - Half: g(r) = 1/2 for r > 0. Every comparison with a whole number stays as it is, at every moment of the run; and
//!   every moment of the new run, halves counted as moments, is one of the old run. So on halves a claim may compare `now`
//!   as it likes, also under temporal operators. (With one demand of being late 1/2 takes the place of 1 above.)
//!
//! A `fixed` period is an unknown of its own, which no such g respects: then the grid is good for finding runs only.

use machine::{
    BinaryOp, Block, Channel, Delay, Digitisation, Expr, First, Formula, Jitter, Machine, NodeId,
    Periodic, Property, PropertyKind, Quantifier, RecordId, StmtKind, TimeSum, TimerId, Timing,
    Trigger, Type, Typing, UnaryOp, Value, may_fail,
};
use rational::Rational;
use std::collections::BTreeSet;

/// The grid for a question, and why its answer may be wrong for real times, if it may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The grid.
    pub(crate) grid: Digitisation,
    /// Whether it misses nothing; otherwise why not, in words.
    pub(crate) exact: Result<(), String>,
}

/// The grid for a Machine with one property. Nothing if times on it cannot be counted.
pub(crate) fn plan(machine: &Machine) -> Option<Plan> {
    let mut unit = unit(machine);
    let asked = match machine.properties.first() {
        Some(property) => precision(machine, property),
        None => Ok(Precision::Whole),
    };
    if let Ok(Precision::Half) = asked {
        unit /= Rational::from(2);
    }
    let exact = of_world(machine).and(asked.map(|_| ()));
    Some(Plan {
        grid: digitisation(machine, unit)?,
        exact,
    })
}

/// The same with a unit that is a part of the plan's.
pub(crate) fn finer(machine: &Machine, plan: &Plan, parts: u32) -> Option<Digitisation> {
    digitisation(machine, &plan.grid.unit / &Rational::from(parts))
}

fn digitisation(machine: &Machine, unit: Rational) -> Option<Digitisation> {
    let horizon = match compared(machine).into_iter().max() {
        Some(last) => ((last / &unit).floor().to_i64()?.max(0) as u64).checked_add(1)?,
        None => 0,
    };
    // Nobody counts that far: who asks refuses long before.
    let horizon = u32::try_from(horizon).unwrap_or(u32::MAX);
    Some(Digitisation { unit, horizon })
}

/// The greatest time of which every constant of time is a multiple; 1 if there is none but 0.
pub fn unit(machine: &Machine) -> Rational {
    let mut unit = Rational::default();
    for time in constants(machine) {
        unit = unit.gcd(&time);
    }
    match unit.is_zero() {
        true => Rational::ONE,
        false => unit,
    }
}

/// Every constant of time.
pub(crate) fn constants(machine: &Machine) -> Vec<Rational> {
    let mut found = compared(machine);
    for (_, periodic) in machine.periodic_kinds() {
        found.extend([periodic.gap.0.clone(), periodic.gap.1.clone()]);
        if let Jitter::PerGap(by) | Jitter::OnGrid(by) = &periodic.jitter {
            found.push(by.clone());
        }
        for first in [&periodic.first.0, &periodic.first.1] {
            if let First::At(time) = first {
                found.push(time.clone());
            }
        }
    }
    if let Delay::Within(least, most) = &machine.delay {
        found.extend([least.clone(), most.clone()]);
    }
    for statement in machine.blocks.iter().flat_map(|block| &block.body) {
        statement.walk(&mut |s| {
            if let StmtKind::SetTimer(_, _, from, to) = &s.kind {
                for sum in [from, to] {
                    found.push(sum.constant.clone());
                    found.extend(sum.terms.iter().map(|(_, by)| by.clone()));
                }
            }
        });
    }
    for restart in machine
        .runtime_faults
        .iter()
        .filter_map(|item| item.stop.as_ref())
    {
        if let Some((least, most)) = &restart.within {
            found.extend([least.clone(), most.clone()]);
        }
    }
    found.extend(machine.responses.iter().map(|r| r.within.clone()));
    found
}

/// The constants with which `now` is compared.
pub(crate) fn compared(machine: &Machine) -> Vec<Rational> {
    let mut found = Vec::new();
    let mut look = |e: &Expr| {
        if let Expr::Now(_, time) = e {
            found.push(time.clone());
        }
    };
    for property in &machine.properties {
        match &property.kind {
            PropertyKind::Claim(claim) => claim.walk_exprs(&mut look),
            PropertyKind::Possible(condition) => condition.walk(&mut look),
        }
    }
    found
}

/// Whether every constraint of the world is a closed bound on the difference of two times, and time goes on whatever
/// happens; otherwise why not.
fn of_world(machine: &Machine) -> Result<(), String> {
    if let Some((kind, _)) = machine
        .periodic_kinds()
        .into_iter()
        .find(|(_, p)| is_free(p))
    {
        let name = &machine.kinds[kind.index()].name;
        return Err(format!(
            "a {name} has one period for the whole run, which may be any time of its interval"
        ));
    }
    if let Channel::Fifo(Some(_)) = machine.channel {
        return Err("a full channel can keep a node from what is due".into());
    }
    match goes_round_in_no_time(machine) {
        true => Err(
            "code that takes no time may cause itself again, and whether time goes on then may depend on times \
             between those that were tried"
                .into(),
        ),
        false => Ok(()),
    }
}

/// Whether nodes have one period each, and nobody knows which.
fn is_free(periodic: &Periodic) -> bool {
    periodic.fixed && periodic.gap.0 < periodic.gap.1
}

/// Whether a block can oblige itself, perhaps through others, to run again at the same moment.
///
/// If none can, only finitely much is due at one moment, so time always goes on: whatever is due can happen, for
/// nobody is kept from it where channels have room.
pub(crate) fn goes_round_in_no_time(machine: &Machine) -> bool {
    // What runs: a block at a node.
    let runs: Vec<(NodeId, &Block)> = machine
        .nodes()
        .flat_map(|node| {
            let kind = machine.kind_of(node);
            let own = machine.blocks.iter().filter(move |b| b.kind == kind);
            own.map(move |block| (node, block))
        })
        .collect();
    let next: Vec<Vec<usize>> = runs
        .iter()
        .map(|(node, block)| {
            let at_once = at_once(machine, *node, block);
            let follows = |(other, block): &(NodeId, &Block)| {
                at_once.iter().any(|next| match (next, &block.trigger) {
                    (AtOnce::Message(record, to), Trigger::On(wanted, _)) => {
                        to == other && record.is_none_or(|record| record == *wanted)
                    }
                    (AtOnce::Timer(set), Trigger::Timer(timer)) => node == other && set == timer,
                    _ => false,
                })
            };
            (0..runs.len()).filter(|r| follows(&runs[*r])).collect()
        })
        .collect();
    // Those that lead nowhere, then those that lead only to such, and so on: the others go round.
    let mut ends = vec![false; runs.len()];
    loop {
        let more: Vec<usize> = (0..runs.len())
            .filter(|r| !ends[*r] && next[*r].iter().all(|n| ends[*n]))
            .collect();
        if more.is_empty() {
            return ends.contains(&false);
        }
        more.into_iter().for_each(|r| ends[r] = true);
    }
}

/// What a block may oblige to happen at the same moment.
enum AtOnce {
    /// A message, of a type if that is known, reaches a node.
    Message(Option<RecordId>, NodeId),
    /// A timer of the same node expires.
    Timer(TimerId),
}

fn at_once(machine: &Machine, node: NodeId, block: &Block) -> Vec<AtOnce> {
    let instantly = matches!(&machine.delay, Delay::Within(_, most) if most.is_zero());
    let mut found = Vec::new();
    for statement in &block.body {
        statement.walk(&mut |s| match &s.kind {
            StmtKind::Send(message, to) if instantly => {
                let record = match message.bare() {
                    Expr::Record(record, _) => Some(*record),
                    _ => None,
                };
                let edges = machine.edges.iter().filter(|(from, _)| *from == node);
                let receivers = edges.map(|(_, to)| *to);
                let receivers = receivers.filter(|receiver| match to.bare() {
                    Expr::Nodes(Some(kind)) => machine.kind_of(*receiver) == *kind,
                    Expr::Const(Value::Node(node)) => node == receiver,
                    _ => true,
                });
                found.extend(receivers.map(|receiver| AtOnce::Message(record, receiver)));
            }
            StmtKind::SetTimer(timer, _, _, to) if may_be_zero(machine, block, to) => {
                found.push(AtOnce::Timer(*timer));
            }
            _ => {}
        });
    }
    found
}

/// Whether a time that is computed in a block may be 0, as far as the types of what it is computed from can tell.
fn may_be_zero(machine: &Machine, block: &Block, sum: &TimeSum) -> bool {
    let mut least = sum.constant.clone();
    for (number, by) in &sum.terms {
        let Ok(Type::Int(lo, hi)) = Typing::all_bound(machine, &block.scope).type_of(number) else {
            return true;
        };
        let ends = [lo, hi].map(|end| &Rational::from(end) * by);
        least += ends.iter().min().expect("two of them");
    }
    !least.is_positive()
}

/// How fine a grid must be so that no violation is missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Precision {
    Whole,
    Half,
}

/// What a violation demands of `now`, strictly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Strict {
    /// That it is after a constant.
    after: bool,
    /// That it is before one.
    before: bool,
    /// That so many things are late; 2 if more.
    late: u8,
}

/// Different ways to be violated.
type Ways = BTreeSet<Strict>;

fn precision(machine: &Machine, property: &Property) -> Result<Precision, String> {
    let (condition, wanted) = match &property.kind {
        PropertyKind::Possible(condition) => (condition.clone(), true),
        PropertyKind::Claim(claim) => match claim.invariant() {
            Some(condition) => (condition, false),
            None => return of_temporal(claim),
        },
    };
    let mut ways = ways(&condition, wanted);
    // That the property has no value is found too.
    if asks(&condition).is_some() && may_fail(machine, &condition, &[]) {
        ways.insert(all_at_once(&condition));
    }
    of_ways(&ways)
}

fn of_ways(ways: &Ways) -> Result<Precision, String> {
    if ways.iter().any(|way| way.late > 1) {
        return Err("it takes several delays at once to break the claim".into());
    }
    if ways.iter().any(|way| way.late > 0 && way.after) {
        return Err("it takes a delay, and that a time has passed, to break the claim".into());
    }
    let both = |way: &Strict| way.before && (way.after || way.late > 0);
    Ok(match ways.iter().any(both) {
        true => Precision::Half,
        false => Precision::Whole,
    })
}

/// Of a claim about whole runs.
fn of_temporal(claim: &Formula) -> Result<Precision, String> {
    let (mut now, mut late) = (false, false);
    claim.walk_exprs(&mut |e| {
        now |= matches!(e, Expr::Now(..));
        late |= matches!(e, Expr::Overdue(_));
    });
    match (now, late) {
        (_, true) => Err("`within` stands below another temporal operator".into()),
        (true, false) => Ok(Precision::Half),
        (false, false) => Ok(Precision::Whole),
    }
}

/// Whether a condition is about time.
fn asks(condition: &Expr) -> Option<()> {
    let mut found = None;
    condition.walk(&mut |e| {
        if matches!(e, Expr::Now(..) | Expr::Overdue(_)) {
            found = Some(());
        }
    });
    found
}

/// What it may take to know everything about a condition.
fn all_at_once(condition: &Expr) -> Strict {
    let mut all = Strict::default();
    condition.walk(&mut |e| match e {
        Expr::Now(..) => (all.after, all.before) = (true, true),
        Expr::Overdue(_) => all.late = (all.late + 1).min(2),
        _ => {}
    });
    all
}

/// The ways in which a condition has a value.
fn ways(condition: &Expr, wanted: bool) -> Ways {
    let nothing = || Ways::from([Strict::default()]);
    if asks(condition).is_none() {
        return nothing();
    }
    let after = Strict {
        after: true,
        ..Strict::default()
    };
    let before = Strict {
        before: true,
        ..Strict::default()
    };
    match condition {
        Expr::At(_, inner) => ways(inner, wanted),
        Expr::Now(op, _) => match (op, wanted) {
            (BinaryOp::Gt, true) | (BinaryOp::Le, false) => Ways::from([after]),
            (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => Ways::from([before]),
            (BinaryOp::Ne, true) | (BinaryOp::Eq, false) => Ways::from([after, before]),
            _ => nothing(),
        },
        // That nothing is late is a closed bound.
        Expr::Overdue(_) if !wanted => nothing(),
        Expr::Overdue(_) => Ways::from([Strict {
            late: 1,
            ..Strict::default()
        }]),
        Expr::Unary(UnaryOp::Not, inner) => ways(inner, !wanted),
        Expr::Binary(BinaryOp::And, a, b) if wanted => both(&ways(a, true), &ways(b, true)),
        Expr::Binary(BinaryOp::And, a, b) => &ways(a, false) | &ways(b, false),
        Expr::Binary(BinaryOp::Or, a, b) if wanted => &ways(a, true) | &ways(b, true),
        Expr::Binary(BinaryOp::Or, a, b) => both(&ways(a, false), &ways(b, false)),
        Expr::Binary(BinaryOp::Implies, a, b) if wanted => &ways(a, false) | &ways(b, true),
        Expr::Binary(BinaryOp::Implies, a, b) => both(&ways(a, true), &ways(b, false)),
        Expr::If(c, a, b) => {
            let then = both(&ways(c, true), &ways(a, wanted));
            &then | &both(&ways(c, false), &ways(b, wanted))
        }
        Expr::Let(_, value, body) if asks(value).is_none() => ways(body, wanted),
        Expr::Quantified(q @ (Quantifier::All | Quantifier::Exists), _, domain, body)
            if asks(domain).is_none() =>
        {
            let one = ways(body, wanted);
            match (*q == Quantifier::All) == wanted {
                // For several elements at once: more than twice changes nothing any more.
                true => both(&one, &both(&one, &one)),
                false => one,
            }
        }
        _ => Ways::from([all_at_once(condition)]),
    }
}

/// The ways in which two conditions are satisfied together.
fn both(a: &Ways, b: &Ways) -> Ways {
    let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
    pairs
        .map(|(x, y)| Strict {
            after: x.after || y.after,
            before: x.before || y.before,
            late: (x.late + y.late).min(2),
        })
        .collect()
}

/// The Machine in which periods that are fixed may change from gap to gap: it has at least the runs of the other.
/// Nothing if a gap might then be 0.
pub(crate) fn relaxed(machine: &Machine) -> Option<Machine> {
    let mut relaxed = machine.clone();
    for block in &mut relaxed.blocks {
        let Trigger::Every(Timing::Periodic(periodic)) = &mut block.trigger else {
            continue;
        };
        if !is_free(periodic) {
            continue;
        }
        periodic.fixed = false;
        // The first activation after a whole period: after the shortest at the earliest, the longest at the latest.
        let (shortest, longest) = periodic.gap.clone();
        let at = |first: &mut First, time: Rational| {
            if *first == First::Period {
                *first = First::At(time);
            }
        };
        at(&mut periodic.first.0, shortest);
        at(&mut periodic.first.1, longest);
        if let Jitter::OnGrid(by) = &periodic.jitter {
            // Two activations next to each other may each be off by that much.
            periodic.jitter = Jitter::PerGap(by + by);
        }
        if let Jitter::PerGap(by) = &periodic.jitter
            && periodic.gap.0 <= *by
        {
            return None;
        }
    }
    Some(relaxed)
}

#[cfg(test)]
mod tests;
