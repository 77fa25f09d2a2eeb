//! Display names and source text for the ids of a Machine.

use crate::{Label, Side, Threshold};
use machine::{BlockId, Frozen, Machine, NodeId, Order, Origin, Value};
use rational::Rational;
use serde::{Deserialize, Serialize};

/// Display names and source text for the ids of a Machine. Lowering creates them, and reports read them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labels {
    /// The name of each node, such as `node 3`, or `B` for the only node of its kind.
    pub nodes: Vec<String>,
    /// The name of each id, least first, such as `#32`.
    pub ids: Vec<String>,
    /// The name of an event of each block, such as `start`, `activation`, `on Election`.
    #[serde(default)]
    pub blocks: Vec<String>,
    /// The unit of all times, as written in the model; `None` if times are plain numbers.
    #[serde(default)]
    pub unit: Option<String>,
    /// Indexed by [`Origin`].
    pub origins: Vec<Label>,
}

impl Labels {
    /// The name of a node; `node 3` if it has no label.
    pub fn node(&self, node: NodeId) -> String {
        self.nodes
            .get(node.index())
            .cloned()
            .unwrap_or_else(|| node.to_string())
    }

    /// The number of a node, counted from 1 over all nodes; `None` unless its label is the word `node` and this number.
    pub fn number(&self, node: NodeId) -> Option<u32> {
        (self.node(node) == node.to_string()).then_some(node.0 + 1)
    }

    /// The name of an id; `place` is its position in the order of ids, from 1.
    pub fn id(&self, place: u32) -> String {
        let known = self.ids.get(place as usize - 1);
        known.cloned().unwrap_or_else(|| format!("#{place}"))
    }

    /// The labels for one frozen choice. Ids that no node has are marked, as in `#2 (nobody's)`. If the number of ids
    /// in frozen variables is not the number of nodes, no id is marked.
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

    /// The labels for a stored file, which may be moved to another machine: absolute paths become file names.
    pub fn without_folders(mut self) -> Labels {
        for label in &mut self.origins {
            let path = std::path::Path::new(&label.file);
            if path.is_absolute()
                && let Some(name) = path.file_name()
            {
                label.file = name.to_string_lossy().into_owned();
            }
        }
        self
    }

    /// The name of an event of a block; `None` if the block has no label.
    pub fn block(&self, block: BlockId) -> Option<&str> {
        self.blocks.get(block.index()).map(String::as_str)
    }

    /// A time in the notation of the model: `0.5 ms`, `47/3 ms`.
    pub fn time(&self, time: &Rational) -> String {
        let number = time.decimal().unwrap_or_else(|| time.to_string());
        match &self.unit {
            Some(unit) => format!("{number} {unit}"),
            None => number,
        }
    }

    /// A threshold in the notation of the model: `14`, `below 47/3 ms`.
    pub fn threshold(&self, threshold: &Threshold) -> String {
        let time = self.time(&threshold.time);
        match threshold.side {
            Side::Here => time,
            Side::Below => format!("below {time}"),
            Side::Above => format!("above {time}"),
        }
    }

    /// The source location; `None` if it is not recorded.
    pub fn origin(&self, origin: Origin) -> Option<&Label> {
        self.origins.get(origin.index())
    }

    /// Adds a source location and returns its id.
    pub fn add(&mut self, label: Label) -> Origin {
        self.origins.push(label);
        Origin(self.origins.len() as u32 - 1)
    }
}
