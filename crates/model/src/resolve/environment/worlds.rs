//! The environment of the file and of its worlds: networks, faults, and conditions on initial states.

use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::{Place, Scope};
use crate::resolve::context::suggest::unknown;
use crate::{Expr, World, WorldId};
use source::{Diagnostic, codes};
use syntax::ast::{self, Item, Name};

impl<'a> Resolver<'a> {
    /// Resolves the networks of the file and of its worlds.
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

    /// Resolves the `where` conditions of networks, the faults and the conditions on initial states, of the file and of
    /// its worlds.
    pub(crate) fn environment(&mut self) {
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

    /// A condition on one state, outside node code. `of` is the word before it, for messages.
    pub(crate) fn state_condition(&mut self, tree: &ast::Expr, of: &str) -> Expr {
        let mut scope = Scope::new(Place::Claim);
        let condition = self.condition(tree, &mut scope, of).0;
        self.misplaced_now(&condition);
        condition
    }

    /// A condition on initial states, in which counters are numbers.
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
}
