//! The setup of an enumeration: parameters, world, variants, ids, topology and the limit of states.

use crate::instance::value::Value;
use syntax::ast;

/// Which instances of a file are meant.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Parameters that differ from the file; times in nanoseconds if it writes units.
    pub params: Vec<(String, i128)>,
    /// Variants, applied in this order.
    pub variants: Vec<String>,
    /// The world.
    pub world: Option<String>,
    /// One id per node; only the order counts. None: every arrangement.
    pub ids: Option<Vec<i128>>,
    /// So many ids belong to no node, anywhere in the order.
    pub strangers: usize,
    /// Who can send to whom, instead of what the network says.
    pub topology: Option<ast::Topology>,
    /// Constants that are given: one value for each node that has it. Others: every value.
    pub constants: Vec<(String, Vec<Value>)>,
    /// Restricts the initial states further.
    pub assuming: Option<ast::Expr>,
    /// What the names in a condition stand for: the arguments of its claim.
    pub arguments: Vec<(String, Value)>,
    /// More states than this in one instance are refused.
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
    /// With a parameter.
    pub fn param(mut self, name: &str, value: i128) -> Setup {
        self.params.push((name.to_owned(), value));
        self
    }

    /// With a variant.
    pub fn variant(mut self, name: &str) -> Setup {
        self.variants.push(name.to_owned());
        self
    }

    /// In a world.
    pub fn world(mut self, name: &str) -> Setup {
        self.world = Some(name.to_owned());
        self
    }

    /// With so many ids that belong to no node.
    pub fn strangers(mut self, number: usize) -> Setup {
        self.strangers = number;
        self
    }

    /// With another topology.
    pub fn topology(mut self, topology: ast::Topology) -> Setup {
        self.topology = Some(topology);
        self
    }

    /// With these ids.
    pub fn ids(mut self, ids: &[i128]) -> Setup {
        self.ids = Some(ids.to_vec());
        self
    }
}
