//! Generates random send statements.

use super::Generator;
use super::code::Making;
use machine::{BinaryOp, Channel, Expr, LocalId, MapId, NodeId, RecordId, Stmt, StmtKind, Type};

impl Generator {
    /// A send to one or several nodes. The send consumes fuel unless the block sends freely. If the edge may not exist,
    /// the send is guarded by a test for the edge.
    pub(super) fn send(&mut self, making: &mut Making) -> Vec<Stmt> {
        if making.quiet {
            return vec![];
        }
        let this = Expr::Local(LocalId(0));
        let neighbours = Expr::Neighbours(Box::new(this.clone()));
        let (to, test) = match self.rng.below(4) {
            0 => (neighbours.clone(), false),
            1 if making.message.is_some() => {
                let back = |(a, b): &(NodeId, NodeId)| self.machine.edge(*b, *a).is_some();
                let symmetric = self.machine.edges.iter().all(back);
                (Expr::Local(LocalId(2)), !symmetric)
            }
            _ => {
                let next = |n: NodeId| self.machine.edge(n, self.machine.maps[0].to[n.index()]);
                let mut nodes = self.machine.nodes_of(making.kind);
                let there = nodes.all(|n| next(n).is_some());
                (Expr::Map(MapId(0), Box::new(this.clone())), !there)
            }
        };
        let message = match making.message {
            Some(_) if self.rng.percent(40) => Expr::Local(LocalId(1)),
            _ => {
                let records = self.machine.records.iter().enumerate();
                let records: Vec<_> = records.filter(|(_, r)| r.message).collect();
                let record = RecordId(self.rng.pick(&records).0 as u32);
                self.expr(&mut making.cx, &Type::Record(record), 1)
            }
        };
        let mut code = vec![self.stmt(StmtKind::Send(message, to.clone()))];
        // With instantaneous delivery, two sends make the order of deliveries observable.
        if self.machine.channel == Channel::Instant && self.rng.percent(60) {
            let other = self.expr(&mut making.cx, &Type::Record(RecordId(0)), 1);
            code.push(self.stmt(StmtKind::Send(other, to.clone())));
        }
        if !making.free {
            let fuel = self.fuel[making.kind.index()];
            let left = Expr::Var(fuel, Box::new(this));
            let pay = self.set_var(fuel, left.clone().binary(BinaryOp::Sub, Expr::int(1)));
            code.insert(0, pay);
            let enough = left.binary(BinaryOp::Gt, Expr::int(0));
            code = vec![self.stmt(StmtKind::If(enough, code, vec![]))];
        }
        if test && !(self.features.failing_code && self.rng.percent(20)) {
            let there = to.binary(BinaryOp::In, neighbours);
            code = vec![self.stmt(StmtKind::If(there, code, vec![]))];
        }
        code
    }
}
