//! The conditions of the projection on the network, the timing, the faults and the types.

use crate::defects::{Projecting, is_ignored_rule};
use crate::projection::expressions::{Class, class};
use crate::projection::{Checked, refuse};
use machine::{
    Abstraction, Channel, Delay, EdgeRule, Expr, InboxStart, Machine, OpenLimit, OpenMachine, SIZE,
    Shape, Timing, Trigger,
};

pub(super) fn check(open: &OpenMachine) -> Checked<()> {
    let base = &open.base;
    if base.kinds.len() != 1 {
        return refuse("several kinds of node", None);
    }
    if open.extra_ids.is_some() {
        return refuse("ids", None);
    }
    match open.edges {
        EdgeRule::None | EdgeRule::Joined(Shape::Complete, _) => {}
        EdgeRule::Joined(..) => return refuse("a network that is not complete", None),
    }
    if !base.maps.is_empty() {
        return refuse("functions between nodes", None);
    }
    if matches!(base.channel, Channel::Fifo(Some(_))) {
        return refuse("channels of bounded capacity", None);
    }
    if base.delay == Delay::BeforeNext {
        return refuse("`delivery before next activation`", None);
    }
    if base.inbox.start != InboxStart::Empty {
        return refuse("inboxes that do not begin empty", None);
    }
    if base.abstraction != Abstraction::Exact {
        return refuse("an abstraction of time", None);
    }
    if !base.counters.is_empty() {
        return refuse("counters without bounds", None);
    }
    let limits = open.limits.iter().chain(&open.runtime_limits);
    for limit in limits {
        let all_but = matches!(limit, OpenLimit::AllBut(without) if *without > 0);
        if all_but && !is_ignored_rule(Projecting::Limits) {
            return refuse(
                "a limit of faults that depends on the number of nodes",
                None,
            );
        }
    }
    for fault in &base.runtime_faults {
        if fault.crash.is_some_and(|crash| crash.during_broadcast) {
            return refuse("crashes during a broadcast", None);
        }
    }
    for block in &base.blocks {
        if matches!(block.trigger, Trigger::Every(Timing::Round(_))) {
            return refuse("rounds: a node waits for the others", Some(block.origin));
        }
    }
    for frozen in &base.frozen_vars {
        if class(base, &frozen.ty) != Class::Plain {
            return refuse(
                format!(
                    "the constant `{}`, whose values are about nodes",
                    frozen.name
                ),
                Some(frozen.origin),
            );
        }
    }
    sizes(base)
}

/// Refuses expressions that are computed from the number of nodes.
fn sizes(base: &Machine) -> Checked<()> {
    let mut found = None;
    let mut around = None;
    base.each_expr(&mut |e| match e {
        // `SIZE` is a mark and not a source location; the location is that of the expression around it.
        Expr::At(SIZE, _) => found = found.or(Some(around)),
        Expr::At(origin, _) => around = Some(*origin),
        _ => {}
    });
    match found {
        Some(origin) => refuse("a number that depends on the number of nodes", origin),
        None => Ok(()),
    }
}
