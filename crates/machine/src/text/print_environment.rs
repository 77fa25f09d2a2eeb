//! Printer of channels, inboxes, faults, timings and abstractions.

use crate::text::names::{FAULTS, Names, by_number, word};
use crate::text::sexpr::Sexpr;
use crate::{
    Abstraction, ChainRule, Channel, Delay, First, Inbox, InboxStart, Jitter, KindId, NodeFault,
    OrderRule, Periodic, RuntimeFault, Timing, Window,
};
use std::fmt::Display;

pub(crate) fn number(number: impl Display) -> Sexpr {
    Sexpr::word(number.to_string())
}

fn kind(names: &Names, kind: KindId) -> Sexpr {
    Sexpr::atom(by_number(&names.kinds, kind.index()))
}

pub(crate) fn channel(channel: Channel) -> Sexpr {
    let form = match channel {
        Channel::Fifo(None) => vec![Sexpr::word("fifo")],
        Channel::Fifo(Some(c)) => vec![Sexpr::word("fifo"), number(c)],
        Channel::Unordered => vec![Sexpr::word("unordered")],
        Channel::Instant => vec![Sexpr::word("instant")],
    };
    Sexpr::form("channel", form)
}

/// The inbox declaration; `None` if it is the default.
pub(crate) fn inbox(inbox: Inbox) -> Option<Sexpr> {
    let start = match inbox.start {
        InboxStart::Empty => None,
        InboxStart::OneFromEach => Some("one-from-each"),
        InboxStart::Anything => Some("anything"),
    };
    let words = [
        inbox.latest.then_some("latest"),
        inbox.copies.then_some("copies"),
        start,
    ];
    let words = words.into_iter().flatten().map(Sexpr::word);
    (inbox != Inbox::default()).then(|| Sexpr::form("inbox", words))
}

pub(crate) fn node_fault(names: &Names, fault: &NodeFault) -> Sexpr {
    let mut form = Vec::new();
    if let Some(limit) = fault.limit {
        form.extend([Sexpr::word("at-most"), number(limit)]);
    }
    if let Some(of) = fault.of {
        form.extend([Sexpr::word("of"), kind(names, of)]);
    }
    form.extend(fault.faults.iter().map(|f| Sexpr::word(word(&FAULTS, *f))));
    Sexpr::form("faulty", form)
}

/// The delay declaration; `None` if delays are unbounded.
pub(crate) fn delay(delay: &Delay) -> Option<Sexpr> {
    let form = match delay {
        Delay::Any => return None,
        Delay::Within(least, most) => vec![number(least), number(most)],
        Delay::BeforeNext => vec![Sexpr::word("before-next")],
    };
    Some(Sexpr::form("delay", form))
}

pub(crate) fn runtime_fault(names: &Names, runtime_fault: &RuntimeFault) -> Sexpr {
    let mut form = Vec::new();
    if let Some(limit) = runtime_fault.limit {
        form.extend([Sexpr::word("at-most"), number(limit)]);
    }
    if let Some(of) = runtime_fault.of {
        form.extend([Sexpr::word("of"), kind(names, of)]);
    }
    form.extend(runtime_fault.crash.map(|crash| {
        Sexpr::word(if crash.during_broadcast {
            "crash-during"
        } else {
            "crash"
        })
    }));
    form.extend(runtime_fault.stop.as_ref().map(|restart| {
        let how = Sexpr::word(if restart.fresh { "fresh" } else { "keeping" });
        let within = restart
            .within
            .iter()
            .flat_map(|(from, to)| [number(from), number(to)]);
        Sexpr::form("stop", std::iter::once(how).chain(within))
    }));
    Sexpr::form("runtime-fault", form)
}

/// The abstraction; `None` if it is `Exact`.
pub(crate) fn abstraction(names: &Names, abstraction: &Abstraction) -> Option<Sexpr> {
    match abstraction {
        Abstraction::Exact => None,
        Abstraction::Digitised(grid) => Some(Sexpr::form(
            "digitisation",
            [number(&grid.unit), number(grid.horizon)],
        )),
        Abstraction::Order(rules, chains) => {
            let rules = rules.iter().map(|r| rule(names, r));
            let chains = chains.iter().map(|c| chain(names, c));
            Some(Sexpr::form("order", rules.chain(chains)))
        }
    }
}

fn chain(names: &Names, rule: &ChainRule) -> Sexpr {
    let kinds = [rule.of, rule.with, rule.then].map(|k| kind(names, k));
    let numbers = [rule.activations, rule.leads.0, rule.leads.1].map(number);
    Sexpr::form("chain", kinds.into_iter().chain(numbers))
}

fn rule(names: &Names, rule: &OrderRule) -> Sexpr {
    let window = match rule.window {
        Window::Start(n) => Sexpr::form("start", [number(n)]),
        Window::Gaps { gaps, early } => {
            let early = early.then(|| Sexpr::word("early"));
            Sexpr::form("gaps", std::iter::once(number(gaps)).chain(early))
        }
    };
    let mut form = vec![
        kind(names, rule.of),
        kind(names, rule.with),
        window,
        number(rule.least),
    ];
    form.extend(rule.most.map(number));
    Sexpr::list(form)
}

pub(crate) fn timing(timing: &Timing) -> Sexpr {
    let form = match timing {
        Timing::Any => vec![Sexpr::word("any")],
        Timing::Round(lead) => vec![Sexpr::word("round"), number(lead)],
        Timing::Periodic(periodic) => self::periodic(periodic),
    };
    Sexpr::form("every", form)
}

fn periodic(periodic: &Periodic) -> Vec<Sexpr> {
    let mut form = vec![number(&periodic.gap.0), number(&periodic.gap.1)];
    form.extend(periodic.fixed.then(|| Sexpr::word("fixed")));
    form.extend(match &periodic.jitter {
        Jitter::None => None,
        Jitter::PerGap(by) => Some(Sexpr::form("per-gap", [number(by)])),
        Jitter::OnGrid(by) => Some(Sexpr::form("on-grid", [number(by)])),
    });
    let first = |first: &First| match first {
        First::At(time) => number(time),
        First::Period => Sexpr::word("period"),
    };
    let bounds = [first(&periodic.first.0), first(&periodic.first.1)];
    form.push(Sexpr::form("first", bounds));
    form
}
