//! Names and source text for what a Machine refers to by numbers.

use crate::{Side, Threshold};
use machine::{BlockId, Frozen, Machine, NodeId, Order, Origin, Value};
use rational::Rational;
use serde::{Deserialize, Serialize};

/// Names and source text; filled by who made the Machine, read by who shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labels {
    /// What each node is called, such as `node 3`, or `B` for the only one of its kind.
    pub nodes: Vec<String>,
    /// What each id is called, least first, such as `#32`.
    pub ids: Vec<String>,
    /// What people call an event of each block, by its number: `start`, `activation`, `on Election`.
    #[serde(default)]
    pub blocks: Vec<String>,
    /// The unit of all times, as the model writes it; none where it writes plain numbers.
    #[serde(default)]
    pub unit: Option<String>,
    /// By number of the origin.
    pub origins: Vec<Label>,
}

/// A place in a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The text there, on one line.
    pub text: String,
    /// The file, as messages name it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl Labels {
    /// What a node is called.
    pub fn node(&self, node: NodeId) -> String {
        self.nodes
            .get(node.index())
            .cloned()
            .unwrap_or_else(|| node.to_string())
    }

    /// The number of a node without a name of its own: its label is `node` and this number, counted from 1 over all nodes.
    pub fn number(&self, node: NodeId) -> Option<u32> {
        (self.node(node) == node.to_string()).then_some(node.0 + 1)
    }

    /// What an id is called, by its place in the order, from 1.
    pub fn id(&self, place: u32) -> String {
        let known = self.ids.get(place as usize - 1);
        known.cloned().unwrap_or_else(|| format!("#{place}"))
    }

    /// The same for one choice of what is frozen: ids that no node has are called so, `#2 (nobody's)`. Where nodes of some
    /// kind have no id that anybody could see, nobody can tell.
    pub fn in_instance(&self, machine: &Machine, frozen: &Frozen) -> Labels {
        let mut labels = self.clone();
        let columns = machine.frozen_vars.iter().zip(&frozen.values);
        let ids = columns.filter(|(var, _)| var.order == Order::Arrangement);
        let owned: Vec<&Value> = ids.flat_map(|(_, values)| values).collect();
        let strangers = machine.ids > machine.node_count();
        if strangers && owned.len() == machine.node_count() as usize {
            let name = |place: u32| match owned.contains(&&Value::Id(place)) {
                true => self.id(place),
                false => format!("{} (nobody's)", self.id(place)),
            };
            labels.ids = (1..=machine.ids).map(name).collect();
        }
        labels
    }

    /// What an event of a block is called.
    pub fn block(&self, block: BlockId) -> Option<&str> {
        self.blocks.get(block.index()).map(String::as_str)
    }

    /// A time as the model would write it: `0.5 ms`, `47/3 ms`.
    pub fn time(&self, time: &Rational) -> String {
        let number = time.decimal().unwrap_or_else(|| time.to_string());
        match &self.unit {
            Some(unit) => format!("{number} {unit}"),
            None => number,
        }
    }

    /// A threshold as the model would write it: `14`, `below 47/3 ms`.
    pub fn threshold(&self, threshold: &Threshold) -> String {
        let time = self.time(&threshold.time);
        match threshold.side {
            Side::Here => time,
            Side::Below => format!("below {time}"),
            Side::Above => format!("above {time}"),
        }
    }

    /// The place in the model, if it is known.
    pub fn origin(&self, origin: Origin) -> Option<&Label> {
        self.origins.get(origin.index())
    }

    /// Registers a place.
    pub fn add(&mut self, label: Label) -> Origin {
        self.origins.push(label);
        Origin(self.origins.len() as u32 - 1)
    }
}
