//! A symbolic state as a [`World`], for the evaluation of code and conditions.

use crate::state::{Fixed, State, of_type};
use bits::{Bits, Number, Slot, Sort, Unsupported, World};
use machine::{Fault, FrozenId, Machine, Mode, NodeId, RecordId, VarId};
use sat::{Aig, Lit};

/// A symbolic state that code and conditions can read.
pub(crate) struct StateView<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) fixed: &'a Fixed,
    pub(crate) state: &'a State,
    /// Whether the state is quiescent; `None` while events are being built, when this is not known yet.
    pub(crate) quiescent: Option<Lit>,
}

impl StateView<'_> {
    /// Whether a node is inactive: it has halted, crashed or stopped, or is off.
    pub(crate) fn is_gone(&self, aig: &mut Aig, node: NodeId) -> Lit {
        let at = &self.state.nodes[node.index()];
        let off = self.fixed.has(aig, node, |fault| fault == Fault::Off);
        aig.any([at.halted, at.crashed, at.stopped, off])
    }

    /// Whether a node is running: neither inactive nor waiting for its start.
    pub(crate) fn is_running(&self, aig: &mut Aig, node: NodeId) -> Lit {
        let gone = self.is_gone(aig, node);
        aig.and(!gone, !self.state.nodes[node.index()].waiting)
    }
}

impl World for StateView<'_> {
    fn var(&self, _: &mut Aig, var: VarId, node: NodeId) -> Result<Bits, Unsupported> {
        let place = self.machine.place_of_var(var);
        Ok(self.state.nodes[node.index()].vars[place].clone())
    }

    fn frozen(&self, _: &mut Aig, frozen: FrozenId, node: NodeId) -> Result<Bits, Unsupported> {
        let place = self.machine.place_in_kind(node);
        Ok(self.fixed.values[frozen.index()][place].clone())
    }

    fn mode(&self, aig: &mut Aig, node: NodeId, mode: Mode) -> Result<Lit, Unsupported> {
        let at = &self.state.nodes[node.index()];
        Ok(match mode {
            Mode::Waiting => at.waiting,
            Mode::Running => self.is_running(aig, node),
            Mode::Halted => at.halted,
            Mode::Off => self.fixed.has(aig, node, |fault| fault == Fault::Off),
            Mode::Crashed => at.crashed,
            Mode::Stopped => at.stopped,
        })
    }

    fn fault(&self, aig: &mut Aig, node: NodeId, fault: Fault) -> Result<Lit, Unsupported> {
        Ok(self.fixed.has(aig, node, |f| f == fault))
    }

    fn faultless(&self, aig: &mut Aig, node: NodeId) -> Result<Lit, Unsupported> {
        let faulty = self.fixed.has(aig, node, |_| true);
        let faulted = self.state.nodes[node.index()].faulted.iter().copied();
        let faulted = aig.any(faulted);
        Ok(aig.and(!faulty, !faulted))
    }

    fn inbox(&self, _: &mut Aig, node: NodeId) -> Result<Vec<Slot>, Unsupported> {
        Ok(self.state.nodes[node.index()].inbox.clone())
    }

    fn in_flight(
        &self,
        aig: &mut Aig,
        record: RecordId,
        from: NodeId,
        to: NodeId,
    ) -> Result<Bits, Unsupported> {
        let mut wanted = Vec::new();
        if let Some(edge) = self.machine.edge(from, to) {
            for place in self.state.edges[edge.index()].iter() {
                if let Some((is, _)) = of_type(&place.message, record) {
                    wanted.push(aig.and(place.present, is));
                }
            }
        }
        Ok(Bits::Number(Sort::Int, Number::count(aig, wanted)))
    }

    fn quiescent(&self, _: &mut Aig) -> Result<Lit, Unsupported> {
        let missing = || Unsupported::new("`quiescent` where it decides what happens");
        self.quiescent.ok_or_else(missing)
    }
}
