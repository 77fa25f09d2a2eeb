//! Parser of channels, inboxes, faults, timings and abstractions.

use crate::text::items::{Items, is_word, number};
use crate::text::names::{FAULTS, meaning};
use crate::text::parse::Parser;
use crate::text::sexpr::{ParseError, Sexpr, expected};
use crate::{
    Abstraction, ChainRule, Channel, Crash, Delay, First, Inbox, InboxStart, Jitter, NodeFault,
    OrderRule, Periodic, Restart, RuntimeFault, Timing, Window,
};

pub(crate) fn channel(list: &mut Items) -> Result<Channel, ParseError> {
    let line = list.line();
    let what = "`fifo`, `unordered` or `instant`";
    match list.atom(what)?.text.as_str() {
        "fifo" if list.len() == 0 => Ok(Channel::Fifo(None)),
        "fifo" => Ok(Channel::Fifo(Some(number(
            list.next("a capacity")?,
            "a capacity",
        )?))),
        "unordered" => Ok(Channel::Unordered),
        "instant" => Ok(Channel::Instant),
        _ => expected(line, what),
    }
}

pub(crate) fn inbox(list: &mut Items) -> Result<Inbox, ParseError> {
    let mut inbox = Inbox::default();
    let what = "`latest`, `copies`, `one-from-each` or `anything`";
    while list.len() > 0 {
        let line = list.line();
        match list.atom(what)?.text.as_str() {
            "latest" => inbox.latest = true,
            "copies" => inbox.copies = true,
            "one-from-each" => inbox.start = InboxStart::OneFromEach,
            "anything" => inbox.start = InboxStart::Anything,
            _ => return expected(line, what),
        }
    }
    Ok(inbox)
}

pub(crate) fn delay(list: &mut Items) -> Result<Delay, ParseError> {
    let what = "`any`, `before-next` or the shortest delay";
    let first = list.next(what)?;
    if is_word(first, "any") {
        return Ok(Delay::Any);
    }
    if is_word(first, "before-next") {
        return Ok(Delay::BeforeNext);
    }
    let most = number(list.next("a time")?, "a time")?;
    Ok(Delay::Within(number(first, what)?, most))
}

impl Parser {
    pub(crate) fn runtime_fault(&self, list: &mut Items) -> Result<RuntimeFault, ParseError> {
        let mut runtime_fault = RuntimeFault {
            of: None,
            limit: None,
            crash: None,
            stop: None,
        };
        let what = "`at-most`, `of`, `crash`, `crash-during` or `(stop …)`";
        while list.len() > 0 {
            if let Some(mut stop) = list.form("stop") {
                let fresh = is_word(stop.next("`fresh` or `keeping`")?, "fresh");
                let within = match stop.len() {
                    0 => None,
                    _ => Some((
                        number(stop.next("a time")?, "a time")?,
                        number(stop.next("a time")?, "a time")?,
                    )),
                };
                stop.end()?;
                runtime_fault.stop = Some(Restart { fresh, within });
                continue;
            }
            let line = list.line();
            match list.atom(what)?.text.as_str() {
                "at-most" => {
                    runtime_fault.limit = Some(number(list.next("a number")?, "a number")?)
                }
                "of" => runtime_fault.of = Some(self.kind(list.next("a kind")?)?),
                "crash" => {
                    runtime_fault.crash = Some(Crash {
                        during_broadcast: false,
                    })
                }
                "crash-during" => {
                    runtime_fault.crash = Some(Crash {
                        during_broadcast: true,
                    })
                }
                _ => return expected(line, what),
            }
        }
        Ok(runtime_fault)
    }

    pub(crate) fn node_fault(&self, list: &mut Items) -> Result<NodeFault, ParseError> {
        let mut fault = NodeFault {
            of: None,
            limit: None,
            faults: Vec::new(),
        };
        let what = "`at-most`, `of`, `off`, `mute`, `deaf` or `isolated`";
        while list.len() > 0 {
            let line = list.line();
            match list.atom(what)?.text.as_str() {
                "at-most" => fault.limit = Some(number(list.next("a number")?, "a number")?),
                "of" => fault.of = Some(self.kind(list.next("a kind")?)?),
                word => match meaning(&FAULTS, word) {
                    Some(f) => fault.faults.push(f),
                    None => return expected(line, what),
                },
            }
        }
        Ok(fault)
    }

    pub(crate) fn abstraction(&self, list: &mut Items) -> Result<Abstraction, ParseError> {
        let (mut rules, mut chains) = (Vec::new(), Vec::new());
        for rule in list.rest() {
            match self.chain_rule(rule)? {
                Some(chain) => chains.push(chain),
                None => rules.push(self.order_rule(rule)?),
            }
        }
        Ok(Abstraction::Order(rules, chains))
    }

    /// The chain rule; `None` if the item is an order rule.
    fn chain_rule(&self, sexpr: &Sexpr) -> Result<Option<ChainRule>, ParseError> {
        let mut list = Items::of(sexpr, "a rule")?;
        if !is_word(list.next("a kind or `chain`")?, "chain") {
            return Ok(None);
        }
        let mut kind = || self.kind(list.next("a kind")?);
        let (of, with, then) = (kind()?, kind()?, kind()?);
        let mut counted = || number(list.next("a number")?, "a number");
        let (activations, first, second) = (counted()?, counted()?, counted()?);
        list.end()?;
        Ok(Some(ChainRule {
            of,
            with,
            then,
            activations,
            leads: (first, second),
        }))
    }

    fn order_rule(&self, sexpr: &Sexpr) -> Result<OrderRule, ParseError> {
        let mut list = Items::of(sexpr, "a rule")?;
        let of = self.kind(list.next("a kind")?)?;
        let with = self.kind(list.next("a kind")?)?;
        let window = if let Some(mut start) = list.form("start") {
            Window::Start(number(start.next("a number")?, "a number")?)
        } else if let Some(mut form) = list.form("gaps") {
            let gaps = number(form.next("a number")?, "a number")?;
            let early = form.len() > 0 && is_word(form.next("`early`")?, "early");
            form.end()?;
            Window::Gaps { gaps, early }
        } else {
            return expected(list.line(), "`(start …)` or `(gaps …)`");
        };
        let least = number(list.next("a number")?, "a number")?;
        let most = match list.len() {
            0 => None,
            _ => Some(number(list.next("a number")?, "a number")?),
        };
        list.end()?;
        Ok(OrderRule {
            of,
            with,
            window,
            least,
            most,
        })
    }
}

pub(crate) fn timing(list: &mut Items) -> Result<Timing, ParseError> {
    let what = "`any`, `round` or the shortest gap";
    let first = list.next(what)?;
    if is_word(first, "any") {
        return Ok(Timing::Any);
    }
    if is_word(first, "round") {
        return Ok(Timing::Round(number(list.next("a number")?, "a number")?));
    }
    let gap = (
        number(first, what)?,
        number(list.next("a time")?, "a time")?,
    );
    let mut periodic = Periodic {
        gap,
        fixed: false,
        jitter: Jitter::None,
        first: (First::Period, First::Period),
    };
    loop {
        if let Some(mut form) = list.form("per-gap") {
            periodic.jitter = Jitter::PerGap(number(form.next("a time")?, "a time")?);
            form.end()?;
        } else if let Some(mut form) = list.form("on-grid") {
            periodic.jitter = Jitter::OnGrid(number(form.next("a time")?, "a time")?);
            form.end()?;
        } else if let Some(mut form) = list.form("first") {
            let from = bound_of_first(form.next("a time")?)?;
            periodic.first = (from, bound_of_first(form.next("a time")?)?);
            form.end()?;
            return Ok(Timing::Periodic(periodic));
        } else if is_word(list.next("`fixed`, jitter or `(first …)`")?, "fixed") {
            periodic.fixed = true;
        } else {
            return expected(list.line(), "`fixed`, jitter or `(first …)`");
        }
    }
}

fn bound_of_first(sexpr: &Sexpr) -> Result<First, ParseError> {
    if is_word(sexpr, "period") {
        Ok(First::Period)
    } else {
        Ok(First::At(number(sexpr, "a time or `period`")?))
    }
}
