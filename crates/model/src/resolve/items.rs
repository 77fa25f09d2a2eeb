//! Parameters, networks, `initially`, worlds: what stands around the nodes.

use crate::resolve::resolver::Resolver;
use crate::resolve::scope::Place;
use crate::resolve::scope::Scope;
use crate::resolve::suggest::unknown;
use crate::{
    Channel, Constant, Delay, Domain, Environment, Expr, Inbox, InboxStart, Model, Network, Type,
    World, WorldId, evaluate,
};
use source::{Diagnostic, Span, codes};
use syntax::ast::{self, Item, Name, NetworkItem};

impl<'a> Resolver<'a> {
    /// Parameters in order: each may mention those before it.
    pub(crate) fn params(&mut self) {
        let file = self.trees.file;
        let trees = file.items.iter().filter_map(|item| match item {
            Item::Param(p) => Some(p),
            _ => None,
        });
        let mut values: Vec<Option<Constant>> = Vec::new();
        // Types first, so that a parameter may name one further down without a second message.
        for (index, tree) in trees.clone().enumerate() {
            let ty = match &tree.ty {
                Some(ty) => self.type_of(ty),
                None => Type::Int,
            };
            self.model.params[index].domain = match ty {
                Type::Int => Domain::Integer,
                Type::Bool => Domain::Bool,
                Type::Duration => Domain::Duration,
                Type::Enum(e) => Domain::Enum(e),
                Type::Error => Domain::Error,
                _ => {
                    let span = tree.ty.as_ref().map_or(tree.name.span, |t| t.span);
                    self.refuse(span, "parameters that are no number, time, `Bool` or enum");
                    Domain::Error
                }
            };
        }
        for (index, tree) in trees.enumerate() {
            if let (Some(ty), Domain::Integer) = (&tree.ty, &self.model.params[index].domain) {
                let domain = self.domain_of(ty);
                let misplaced = self.misplaced_counter(&domain, ty.span, "a parameter");
                self.model.params[index].domain = match misplaced {
                    true => Domain::Error,
                    false => domain,
                };
            }
            let domain = self.model.params[index].domain.clone();
            let holder = format!("`{}` is", tree.name.text);
            let mut scope = Scope::new(Place::Constant);
            let value = self.check(&tree.value, &mut scope, &domain.ty(), &holder);
            let value = self.require_constant(value);
            let known = evaluate(&value, &Environment::new(&self.model, &values)).ok();
            if known.is_none() && !value.ty.is_error() && domain != Domain::Error {
                self.report(
                    Diagnostic::error(
                        codes::NOT_CONSTANT,
                        value.span,
                        format!("the value of `{}` cannot be computed here", tree.name.text),
                    )
                    .note("a parameter may mention parameters above it, not those below"),
                );
            }
            if let Some(value) = &known {
                let outside = outside_range(&self.model, &domain, value, &values);
                if let Some((low, high)) = outside {
                    let text = format!(
                        "`{}` is a number in {low}..{high}; {} is outside",
                        tree.name.text,
                        value.text(&self.model)
                    );
                    self.error(codes::PARAM_OUT_OF_RANGE, tree.value.span, text);
                }
            }
            values.push(known);
            self.model.params[index].value = value;
        }
    }

    /// The network of the file and those of its worlds.
    pub(crate) fn networks(&mut self) {
        let file = self.trees.file;
        let mut first = None;
        for item in &file.items {
            match item {
                Item::Network(tree) => {
                    if let Some(first) = first.replace(tree.topology.span) {
                        self.report(
                            Diagnostic::error(
                                codes::TWO_NETWORKS,
                                tree.topology.span,
                                "there is one network; this is a second one",
                            )
                            .other(first, "the first")
                            .note("a `world` can have another network"),
                        );
                        continue;
                    }
                    self.model.network = self.network(tree);
                }
                Item::World(tree) => self.begin_world(tree),
                _ => {}
            }
        }
    }

    /// Faults and initial conditions, of the file and of its worlds.
    pub(crate) fn surroundings(&mut self) {
        self.network_conditions();
        let file = self.trees.file;
        for item in &file.items {
            match item {
                Item::Faults(tree) => {
                    let mut faults = std::mem::take(&mut self.model.faults);
                    self.fault(tree, &mut faults);
                    self.model.faults = faults;
                }
                Item::Initially(tree) => {
                    let condition = self.start_condition(tree, "`initially`");
                    self.model.initially.push(condition);
                }
                _ => {}
            }
        }
        for index in 0..self.trees.worlds.len() {
            for item in &self.trees.worlds[index].items {
                match item {
                    Item::Faults(tree) => {
                        let mut faults = self.model.worlds[index].faults.take().unwrap_or_default();
                        self.fault(tree, &mut faults);
                        self.model.worlds[index].faults = Some(faults);
                    }
                    Item::Initially(tree) => {
                        let condition = self.start_condition(tree, "`initially`");
                        let conditions = &mut self.model.worlds[index].initially;
                        conditions.get_or_insert_default().push(condition);
                    }
                    _ => {}
                }
            }
        }
    }

    /// A condition on a state, seen from outside.
    pub(crate) fn state_condition(&mut self, tree: &ast::Expr, of: &str) -> Expr {
        let mut scope = Scope::new(Place::Claim);
        let condition = self.condition(tree, &mut scope, of).0;
        self.misplaced_now(&condition);
        condition
    }

    /// A condition on the initial states.
    pub(crate) fn start_condition(&mut self, tree: &ast::Expr, of: &str) -> Expr {
        self.counters_are_numbers = true;
        let condition = self.state_condition(tree, of);
        self.counters_are_numbers = false;
        self.now_at_the_start(&condition, of);
        condition
    }

    pub(crate) fn world_named(&mut self, name: &Name) -> Option<WorldId> {
        let found = self.model.worlds.iter().position(|w| w.name == name.text);
        if found.is_none() {
            let known: Vec<String> = self.model.worlds.iter().map(|w| w.name.clone()).collect();
            self.report(unknown(codes::UNKNOWN_WORLD, "world", name, &known));
        }
        found.map(|index| WorldId(index as u32))
    }

    fn begin_world(&mut self, tree: &'a ast::World) {
        if let Some(first) = self.model.worlds.iter().find(|w| w.name == tree.name.text) {
            let first = first.span;
            self.duplicate(&tree.name, first, "for worlds");
            return;
        }
        let mut world = World {
            name: tree.name.text.clone(),
            timings: Vec::new(),
            network: None,
            faults: None,
            initially: None,
            span: tree.name.span,
        };
        for item in &tree.items {
            if let Item::Network(network) = item {
                if world.network.is_some() {
                    self.error(
                        codes::TWO_NETWORKS,
                        network.topology.span,
                        "a world has one network; this is a second one",
                    );
                }
                world.network = self.network(network);
            }
        }
        self.model.worlds.push(world);
        self.trees.worlds.push(tree);
    }

    fn network(&mut self, tree: &ast::Network) -> Option<Network> {
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
                        self.said_twice(*span, first, "how messages travel");
                        continue;
                    }
                    match self.channel(delivery) {
                        Some((declared, delay)) => channel = Some((declared, delay, *span)),
                        None => refused = true,
                    }
                }
                NetworkItem::Inbox(tree, span) => {
                    if let Some((_, first)) = inbox.replace((inbox_of(tree), *span)) {
                        self.said_twice(*span, first, "what inboxes are");
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
        // What has to arrive in time is unordered unless it says otherwise.
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

    fn said_twice(&mut self, span: Span, first: Span, what: &str) {
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

/// The ends of a range that a value is outside of, as far as the parameters' values tell.
fn outside_range(
    model: &Model,
    domain: &Domain,
    value: &Constant,
    params: &[Option<Constant>],
) -> Option<(i64, i64)> {
    let (Domain::Range(low, high), Constant::Int(found)) = (domain, value) else {
        return None;
    };
    let env = Environment::new(model, params);
    let low = evaluate(low, &env).ok()?.as_int()?;
    let high = evaluate(high, &env).ok()?.as_int()?;
    (!(low..=high).contains(found)).then_some((low, high))
}
