//! Restrictions that depend on the delivery. With a deadline for delivery or with `delivery instant`, `on` blocks must
//! not have guards. With `delivery instant`, `on` and `start` blocks must not send, and messages are neither lost nor
//! repeated.

use crate::resolve::context::resolver::Resolver;
use crate::{Block, Body, Channel, Delay, Expr, Faults, Head, Network, Stmt, StmtKind};
use source::{Diagnostic, Span, codes};

impl Resolver<'_> {
    /// Checks the restrictions for all combinations of network and node code: the network of the file with all kinds
    /// without variants, and the network of each check with its variants.
    pub(crate) fn instant_rules(&mut self) {
        let kinds = || self.model.kinds.iter().map(|k| &k.body);
        let mut problems = Vec::new();
        if let Some(network) = self.model.network.as_ref() {
            problems.extend(of_network(network, &self.model.faults, kinds()));
        }
        for check in &self.model.checks {
            let world = check.world.map(|w| self.model.world(w));
            let own = world.and_then(|w| w.network.as_ref());
            let faults = world.and_then(|w| w.faults.as_ref());
            let Some(network) = own.or(self.model.network.as_ref()) else {
                continue;
            };
            let bodies = (0u32..).zip(&self.model.kinds).map(|(index, kind)| {
                let variants = check.variants.iter().map(|v| self.model.variant(*v));
                let mut chosen = variants.filter(|v| v.of.0 == index);
                chosen.next().map_or(&kind.body, |v| &v.body)
            });
            let faults = faults.unwrap_or(&self.model.faults);
            problems.extend(of_network(network, faults, bodies));
        }
        for problem in problems {
            self.report(problem);
        }
    }
}

fn of_network<'b>(
    network: &Network,
    faults: &Faults,
    bodies: impl Iterator<Item = &'b Body>,
) -> Vec<Diagnostic> {
    if network.delay.is_some() {
        return cannot_wait(network, bodies);
    }
    if network.channel != Channel::Instant {
        return Vec::new();
    }
    let mut problems: Vec<Diagnostic> = Vec::new();
    let mut not_allowed = |span: Span, text: &str, note: &str| {
        problems.push(
            Diagnostic::error(codes::NOT_WITH_INSTANT, span, text)
                .other(network.topology.span, "in this network delivery is instant")
                .note(note),
        );
    };
    for fault in &faults.messages {
        not_allowed(
            fault.span,
            "losing and repeating need messages that are on the way, and with instant delivery none is",
            "use `channel unordered` or `channel fifo`",
        );
    }
    for block in bodies.flat_map(|body| &body.blocks) {
        match (&block.head, &block.guard) {
            (Head::On { .. }, Some(guard)) => not_allowed(
                guard.span,
                "a message that is delivered at once cannot wait for a condition",
                "put the condition inside the block: `if … { … }`",
            ),
            (Head::On { .. } | Head::Start, _) => {}
            _ => continue,
        }
        let (text, note) = match block.head {
            Head::Start => (
                "with instant delivery nobody may send in `start`: others may not have started",
                "send in an `every` or `when` block",
            ),
            _ => (
                "with instant delivery a block that takes a message may not send",
                "keep what is to be sent in a variable, and send in an `every` or `when` block",
            ),
        };
        for span in sends(block) {
            not_allowed(span, text, note);
        }
    }
    problems
}

/// Reports guards of `on` blocks in a network in which a message must be delivered within a time.
fn cannot_wait<'b>(network: &Network, bodies: impl Iterator<Item = &'b Body>) -> Vec<Diagnostic> {
    let when = match network.delay {
        Some(Delay::BeforeNextActivation) => "before the next activation of its sender",
        _ => "within a time",
    };
    let here = format!("in this network it is handed over {when}");
    let blocks = bodies.flat_map(|body| &body.blocks);
    let guards = blocks.filter_map(|block| match block.head {
        Head::On { .. } => block.guard.as_ref(),
        _ => None,
    });
    let problem = |guard: &Expr| {
        Diagnostic::error(
            codes::CANNOT_WAIT,
            guard.span,
            "a message that has to be handed over in time cannot wait for a condition",
        )
        .other(network.topology.span, here.clone())
        .note("put the condition inside the block: `if … { … }`; what comes too early is kept in a variable")
    };
    guards.map(problem).collect()
}

/// The spans of the send statements of a block.
fn sends(block: &Block) -> Vec<Span> {
    let mut found = Vec::new();
    let mut visit = |statement: &Stmt| {
        if let StmtKind::Send(..) = statement.kind {
            found.push(statement.span);
        }
    };
    for statement in &block.body {
        statement.walk(&mut visit);
    }
    found
}
