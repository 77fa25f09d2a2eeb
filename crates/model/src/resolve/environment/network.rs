//! The network: topology, delivery and inboxes.

use crate::resolve::context::resolver::Resolver;
use crate::{Channel, Delay, Inbox, InboxStart, Network};
use source::{Diagnostic, Span, codes};
use syntax::ast::{self, NetworkItem};

impl Resolver<'_> {
    pub(crate) fn network(&mut self, tree: &ast::Network) -> Option<Network> {
        let topology = self.topology(&tree.topology);
        let mut channel: Option<(Channel, Option<Delay>, Span)> = None;
        let mut inbox: Option<(Inbox, Span)> = None;
        let mut to_self = false;
        let mut refused = topology.is_none();
        for item in &tree.items {
            match item {
                NetworkItem::ToSelf(_) => to_self = true,
                NetworkItem::Delivery(delivery, span) => {
                    if let Some((_, _, first)) = &channel {
                        let first = *first;
                        self.declared_twice(*span, first, "how messages travel");
                        continue;
                    }
                    match self.channel(delivery) {
                        Some((declared, delay)) => channel = Some((declared, delay, *span)),
                        None => refused = true,
                    }
                }
                NetworkItem::Inbox(tree, span) => {
                    if let Some((_, first)) = inbox.replace((inbox_of(tree), *span)) {
                        self.declared_twice(*span, first, "what inboxes are");
                    }
                }
            }
        }
        self.network_refused |= refused;
        let (channel, delay, _) = channel.unwrap_or((Channel::Fifo(None), None, tree.span));
        Some(Network {
            topology: topology?,
            channel,
            delay,
            to_self,
            inbox: inbox.map_or(Inbox::default(), |(inbox, _)| inbox),
            span: tree.span,
        })
    }

    fn channel(&mut self, tree: &ast::Delivery) -> Option<(Channel, Option<Delay>)> {
        // Messages with a delay are unordered unless `fifo` is written.
        let ordered = |fifo: &Option<bool>| match fifo {
            Some(true) => Channel::Fifo(None),
            _ => Channel::Unordered,
        };
        Some(match tree {
            ast::Delivery::Fifo(capacity) => {
                let capacity = capacity.as_ref().map(|c| self.constant_number(c));
                (Channel::Fifo(capacity), None)
            }
            ast::Delivery::Unordered => (Channel::Unordered, None),
            ast::Delivery::Instant => (Channel::Instant, None),
            ast::Delivery::Within(interval, fifo) => {
                let what = "a message would travel";
                let times = self.span_of_time(interval, "a delay is", what, None)?;
                (ordered(fifo), Some(Delay::Within(times)))
            }
            ast::Delivery::BeforeNextActivation(fifo) => {
                (ordered(fifo), Some(Delay::BeforeNextActivation))
            }
        })
    }

    fn declared_twice(&mut self, span: Span, first: Span, what: &str) {
        let text = format!("a network says once {what}");
        self.report(
            Diagnostic::error(codes::TWO_DELIVERIES, span, text).other(first, "said here already"),
        );
    }
}

fn inbox_of(tree: &ast::Inbox) -> Inbox {
    Inbox {
        latest_per_sender: tree.latest_per_sender,
        start: match tree.start {
            ast::InboxStart::Empty => InboxStart::Empty,
            ast::InboxStart::OneFromEachSender => InboxStart::OneFromEachSender,
            ast::InboxStart::Anything => InboxStart::Anything,
        },
    }
}
