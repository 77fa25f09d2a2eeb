//! The setup of an enumeration: parameters, world, variants, ids, topology, and the limit on states.

use crate::instance::value::Value;
use syntax::ast;

/// Which instances of a file are enumerated.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Values of parameters that differ from the file. Times are in nanoseconds if the file uses units.
    pub params: Vec<(String, i128)>,
    /// The variants, in the order in which they are applied.
    pub variants: Vec<String>,
    /// The world; `None` for the environment of the file itself.
    pub world: Option<String>,
    /// One id per node; only their order matters. `None` for every arrangement.
    pub ids: Option<Vec<i128>>,
    /// The number of ids that belong to no node; they may have any rank.
    pub strangers: usize,
    /// The topology that replaces that of the file.
    pub topology: Option<ast::Topology>,
    /// Given constants, with one value for each node that has the constant. Other constants range over all values.
    pub constants: Vec<(String, Vec<Value>)>,
    /// An additional condition on initial states.
    pub assuming: Option<ast::Expr>,
    /// The values of free names in a claim or condition.
    pub arguments: Vec<(String, Value)>,
    /// The maximum number of states of an instance.
    pub limit: usize,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            params: Vec::new(),
            variants: Vec::new(),
            world: None,
            ids: None,
            strangers: 0,
            topology: None,
            constants: Vec::new(),
            assuming: None,
            arguments: Vec::new(),
            limit: 1_000_000,
        }
    }
}

impl Setup {
    /// Sets a parameter.
    pub fn param(mut self, name: &str, value: i128) -> Setup {
        self.params.push((name.to_owned(), value));
        self
    }

    /// Adds a variant.
    pub fn variant(mut self, name: &str) -> Setup {
        self.variants.push(name.to_owned());
        self
    }

    /// Sets the world.
    pub fn world(mut self, name: &str) -> Setup {
        self.world = Some(name.to_owned());
        self
    }

    /// Sets the number of ids that belong to no node.
    pub fn strangers(mut self, number: usize) -> Setup {
        self.strangers = number;
        self
    }

    /// Sets the topology.
    pub fn topology(mut self, topology: ast::Topology) -> Setup {
        self.topology = Some(topology);
        self
    }

    /// Sets the ids.
    pub fn ids(mut self, ids: &[i128]) -> Setup {
        self.ids = Some(ids.to_vec());
        self
    }
}
