//! The setup of an enumeration: parameters, world, variants, ids, topology and the limit of states.

use crate::instance::value::Value;
use syntax::ast;

/// A selection of instances of a file.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Parameters with values other than in the file; times in nanoseconds if the file writes units.
    pub params: Vec<(String, i128)>,
    /// Variants, applied in this order.
    pub variants: Vec<String>,
    /// The world.
    pub world: Option<String>,
    /// One id per node, of which only the order matters. `None`: every arrangement.
    pub ids: Option<Vec<i128>>,
    /// The number of ids that belong to no node; they may be anywhere in the order.
    pub strangers: usize,
    /// The topology that replaces that of the network.
    pub topology: Option<ast::Topology>,
    /// Given constants: one value for each node that has the constant. Other constants range over all values.
    pub constants: Vec<(String, Vec<Value>)>,
    /// A further condition on initial states.
    pub assuming: Option<ast::Expr>,
    /// The values of the names in a condition: the arguments of its claim.
    pub arguments: Vec<(String, Value)>,
    /// Maximum number of states of one instance.
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
