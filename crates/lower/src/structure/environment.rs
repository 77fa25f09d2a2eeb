//! The environment of a check: network, inboxes and faults.

use crate::context::lowering::Lowering;
use crate::instances::topology::{around, both_ways, edges, written};
use machine::{
    Effect, Expr as M, Fault, Map, MessageFault, NodeFault, NodeId, Quantifier, StmtKind, Trigger,
};
use model::{
    Channel, Delay, Environment, Expr, InboxStart, Interval, KindId, Network, NodeFaultKind,
    RuntimeFault, Topology, TopologyShape,
};
use rational::Rational;
use source::{Diagnostic, codes};

/// Maximum number of nodes of a complete network, and of any other network. More edges would exhaust the memory.
const MOST_FULLY_JOINED: u32 = 1_000;
const MOST_JOINED: u32 = 10_000;

impl<'a> Lowering<'a> {
    /// The network of this check: that of its world, or that of the file.
    pub(crate) fn network_of_check(&self) -> Option<&'a Network> {
        let world = self.check.world.map(|w| self.model.world(w));
        let own = world.and_then(|w| w.network.as_ref());
        own.or(self.model.network.as_ref())
    }

    /// Adds edges, channel, delay and inboxes.
    pub(crate) fn network(&mut self) {
        if let Some(network) = self.network_of_check() {
            let n = self.machine.node_count();
            let topology = self.instance.topology.unwrap_or(&network.topology);
            let shape = topology.shape;
            if shape == TopologyShape::Complete && n > MOST_FULLY_JOINED || n > MOST_JOINED {
                self.report(Diagnostic::error(
                    codes::NODE_COUNT,
                    topology.span,
                    format!(
                        "{n} nodes are too many for this network: there would be too many edges"
                    ),
                ));
                return;
            }
            self.machine.edges = self.edges(topology, network.to_self);
            if shape == TopologyShape::Ring {
                for (name, step) in [("next", 1), ("previous", n - 1)] {
                    self.machine.maps.push(Map {
                        name: name.into(),
                        to: around(n, step),
                    });
                }
            }
            self.machine.channel = match &network.channel {
                Channel::Unordered => machine::Channel::Unordered,
                Channel::Instant => machine::Channel::Instant,
                Channel::Fifo(None) => machine::Channel::Fifo(None),
                Channel::Fifo(Some(capacity)) => {
                    let least = "a channel has room for at least one message";
                    machine::Channel::Fifo(self.small(capacity, 1, least))
                }
            };
            self.machine.delay = match &network.delay {
                None => machine::Delay::Any,
                Some(Delay::BeforeNextActivation) => machine::Delay::BeforeNext,
                Some(Delay::Within(interval)) => {
                    self.has_times(interval.span);
                    match self.interval(interval, "a message would travel") {
                        Some((from, to)) => machine::Delay::Within(from, to),
                        None => machine::Delay::Any,
                    }
                }
            };
            self.machine.inbox.latest = network.inbox.latest_per_sender;
            self.machine.inbox.start = match network.inbox.start {
                InboxStart::Empty => machine::InboxStart::Empty,
                InboxStart::OneFromEachSender => machine::InboxStart::OneFromEach,
                InboxStart::Anything => machine::InboxStart::Anything,
            };
        }
    }

    /// The directed edges of the instance.
    fn edges(&mut self, topology: &Topology, to_self: bool) -> Vec<(NodeId, NodeId)> {
        let n = self.machine.node_count();
        if let Some(graph) = &self.instance.graph {
            return both_ways(graph.edges.iter().copied(), n, to_self);
        }
        if topology.shape == TopologyShape::Edges {
            let machine = &self.machine;
            let the = |kind: KindId| {
                let mut nodes = machine.nodes_of(machine::KindId(kind.0));
                nodes.next().map_or(0, |node| node.0)
            };
            let env = Environment::new(self.model, self.sized());
            return match written(&topology.edges, &env, &the, n, to_self) {
                Ok(edges) => edges,
                Err(problem) => {
                    self.report(problem);
                    Vec::new()
                }
            };
        }
        let sizes: Vec<i64> = topology
            .sizes
            .iter()
            .filter_map(|e| self.sized_number(e))
            .collect();
        edges(topology.shape, &sizes, n, to_self)
    }

    /// Adds the faults of messages and of nodes.
    pub(crate) fn faults(&mut self) {
        let world = self.check.world.map(|w| self.model.world(w));
        let own = world.and_then(|w| w.faults.as_ref());
        let faults = own.unwrap_or(&self.model.faults);
        for fault in &faults.messages {
            let limit = self.limit(fault.at_most.as_ref(), "so often cannot be less than never");
            let effect = match fault.repeat {
                true => Effect::Repeat,
                false => Effect::Lose,
            };
            let of = fault.of.map(|m| machine::RecordId(m.0));
            // Items with the same effect and message type share one limit: the sum of their limits.
            let mut known = self.machine.faults.iter_mut();
            match known.find(|f| f.effect == effect && f.of == of) {
                Some(fault) => {
                    fault.limit = fault.limit.zip(limit).map(|(a, b)| a.saturating_add(b))
                }
                None => self.machine.faults.push(MessageFault { effect, limit, of }),
            }
        }
        for fault in &faults.nodes {
            let why = "there cannot be less than no node with a fault";
            let limit = self.limit_of_nodes(fault.at_most.as_ref(), why);
            self.open_limit(fault.at_most.as_ref(), false, limit);
            self.machine.node_faults.push(NodeFault {
                of: fault.of.map(|k| machine::KindId(k.0)),
                limit,
                faults: fault.faults.iter().map(|f| fault_of(*f)).collect(),
            });
        }
        self.runtime_faults(&faults.runtime_faults);
    }

    /// Adds the faults of nodes during the run.
    fn runtime_faults(&mut self, runtime_faults: &[RuntimeFault]) {
        for runtime_fault in runtime_faults {
            let why = "there cannot be less than no node with a fault";
            let limit = self.limit_of_nodes(runtime_fault.at_most.as_ref(), why);
            let of = runtime_fault.of.map(|k| machine::KindId(k.0));
            let stop = runtime_fault.stop.as_ref().map(|restart| {
                let within = restart.within.as_ref().and_then(|interval| {
                    self.has_times(interval.span);
                    self.interval(interval, "the node would be stopped")
                });
                machine::Restart {
                    fresh: restart.fresh,
                    within,
                }
            });
            let mut before = self
                .machine
                .runtime_faults
                .iter()
                .filter(|s| s.stop.is_some());
            let together = |s: &machine::RuntimeFault| s.of.is_none() || of.is_none() || s.of == of;
            if stop.is_some() && before.any(together) {
                let what = "two `faults` lines with `stop` for the same nodes";
                self.refuse(runtime_fault.span, what);
                continue;
            }
            self.open_limit(runtime_fault.at_most.as_ref(), true, limit);
            self.machine.runtime_faults.push(machine::RuntimeFault {
                of,
                limit,
                crash: runtime_fault.crash.map(|crash| machine::Crash {
                    during_broadcast: crash.during_broadcast,
                }),
                stop,
            });
        }
    }

    /// The times of an interval for the parameter values of the instance. Reports impossible times and returns
    /// `None`; `what` is the beginning of the message, such as "a message would travel".
    fn interval(&mut self, interval: &Interval, what: &str) -> Option<(Rational, Rational)> {
        let env = Environment::new(self.model, &self.instance.params);
        let times = interval.times(self.model, &env, what);
        times.map_err(|error| self.no_times(&error)).ok()
    }

    fn limit(&mut self, at_most: Option<&Expr>, why: &str) -> Option<u32> {
        at_most.map(|limit| self.small(limit, 0, why).unwrap_or(0))
    }

    /// A limit of the number of nodes with faults. It may depend on an open size.
    fn limit_of_nodes(&mut self, at_most: Option<&Expr>, why: &str) -> Option<u32> {
        at_most.map(|limit| {
            let number = self.sized_number(limit);
            number
                .and_then(|n| self.bounded(limit, n, 0, why))
                .unwrap_or(0)
        })
    }

    /// Whether some code depends on the number of copies of a message in an inbox: a `count`, a `sum` or a `for` over
    /// an inbox.
    pub(crate) fn counts_copies(&self) -> bool {
        let is_inbox = |e: &M| matches!(e.bare(), M::Inbox(..));
        let mut counts = false;
        let mut look = |e: &M| {
            counts |= matches!(
                e,
                M::Quantified(Quantifier::Count | Quantifier::Sum, _, domain, _) if is_inbox(domain)
            );
        };
        for block in &self.machine.blocks {
            if let Trigger::On(_, Some(guard)) | Trigger::When(guard) = &block.trigger {
                guard.walk(&mut look);
            }
            for statement in &block.body {
                statement.walk_exprs(&mut look);
            }
        }
        let mut loops = false;
        for statement in self.machine.blocks.iter().flat_map(|b| &b.body) {
            statement.walk(&mut |s| {
                loops |= matches!(&s.kind, StmtKind::For(_, domain, _) if is_inbox(domain));
            });
        }
        counts || loops
    }

    /// The number that a constant expression has. Reports a number below `least` or beyond 32 bits, with the
    /// explanation `why`, and returns `None`.
    pub(crate) fn small(&mut self, e: &Expr, least: i64, why: &str) -> Option<u32> {
        let number = self.number(e)?;
        self.bounded(e, number, least, why)
    }

    /// The number of an expression as 32 bits, with the reports of [`Lowering::small`].
    fn bounded(&mut self, e: &Expr, number: i64, least: i64, why: &str) -> Option<u32> {
        match u32::try_from(number) {
            Ok(small) if number >= least => Some(small),
            _ => {
                self.report(Diagnostic::error(
                    codes::OUT_OF_RANGE,
                    e.span,
                    format!("{why}; this is {number}"),
                ));
                None
            }
        }
    }
}

/// The fault of the Machine for a fault of the Model.
pub(crate) fn fault_of(kind: NodeFaultKind) -> Fault {
    match kind {
        NodeFaultKind::Off => Fault::Off,
        NodeFaultKind::Mute => Fault::Mute,
        NodeFaultKind::Deaf => Fault::Deaf,
        NodeFaultKind::Isolated => Fault::Isolated,
    }
}
