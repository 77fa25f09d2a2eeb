//! Checks the horizon of a query: the orders that the unrolling takes as constant, and the activations that it leaves
//! out, must follow from declared times by the arithmetic of `times.rs`.
//!
//! The unrolling replaces an order of two events by a constant if declared times decide it. The unrolling contains
//! finitely many activations of each node: those after the start that can precede the cut, and those before the start
//! whose messages can be in transit. Each of these decisions is justified by a cycle of one or two choices that is
//! infeasible.

use super::times::Timings;
use crate::rejected::{Rejected, reject};
use machine::{Channel, Machine, NodeId};
use order::{Query, Sending, decided};
use std::collections::BTreeSet;
use verdict::{Activation, Choice};

/// Checks the horizons of queries about one Machine, and remembers those that passed.
pub(super) struct Horizons<'m> {
    machine: &'m Machine,
    timings: Timings<'m>,
    /// The horizons that passed: by node, the number of activations after the start and before it; and the bound of the
    /// query.
    checked: BTreeSet<(Vec<u32>, Vec<u32>, u32)>,
}

impl<'m> Horizons<'m> {
    /// An empty set of checked horizons. Rejects a Machine in which some node is not periodic.
    pub(super) fn of(machine: &'m Machine) -> Result<Horizons<'m>, Rejected> {
        let timings = Timings::of(machine);
        Ok(Horizons {
            machine,
            timings: timings.ok_or_else(|| Rejected("nodes without a rhythm".into()))?,
            checked: BTreeSet::new(),
        })
    }

    /// The declared timings of the nodes.
    pub(super) fn timings(&self) -> &Timings<'m> {
        &self.timings
    }

    /// Checks the horizon of a query with an arbitrary start.
    pub(super) fn check(&mut self, query: &Query<'_, '_>) -> Result<(), Rejected> {
        let unrolled = &query.unrolled;
        let key = (
            unrolled.horizon.after.clone(),
            unrolled.horizon.before.clone(),
            query.last,
        );
        if self.checked.contains(&key) {
            return Ok(());
        }
        for node in self.machine.nodes() {
            let next = activation(node, i64::from(unrolled.horizon.after[node.index()]) + 1)?;
            for early in self.machine.nodes() {
                let bound = activation(early, i64::from(query.last) + 1)?;
                self.exclude(&[Choice::Passed(next), Choice::Ahead(bound)])?;
            }
        }
        for to in self.machine.nodes() {
            for from in unrolled.scope.senders(to) {
                self.check_overtaking(from)?;
                let before = i64::from(unrolled.horizon.before[from.index()]);
                let older = activation(from, -before)?;
                self.exclude(&[Choice::Misses(older, activation(to, 1)?)])?;
                for sent in unrolled.sendings(from) {
                    for n in 1..=unrolled.horizon.after[to.index()] {
                        if let Some(arrived) = decided(&unrolled.times, sent, (to, n)) {
                            self.check_order(sent, (to, n), arrived)?;
                        }
                    }
                }
            }
        }
        self.checked.insert(key);
        Ok(())
    }

    /// Checks that declared times imply that a message has arrived, or has not arrived, before an activation.
    fn check_order(
        &self,
        sent: Sending,
        (to, n): (NodeId, u32),
        arrived: bool,
    ) -> Result<(), Rejected> {
        let sent = activation(sent.node(), sent.number())?;
        let read = activation(to, i64::from(n))?;
        self.exclude(&[match arrived {
            true => Choice::Misses(sent, read),
            false => Choice::Reaches(sent, read),
        }])
    }

    /// If inboxes keep only the latest message, checks that messages of a node arrive in the order of sending.
    fn check_overtaking(&self, from: NodeId) -> Result<(), Rejected> {
        let in_order = match (self.machine.inbox.latest, self.machine.channel) {
            (false, _) | (_, Channel::Fifo(_)) => true,
            _ => self.timings.cannot_overtake(from).map_err(Rejected)?,
        };
        match in_order {
            true => Ok(()),
            false => reject("messages that may overtake each other"),
        }
    }

    /// Checks that, for each node with senders, the gaps that the query covers last longer than the silence of each
    /// sender.
    pub(super) fn check_gaps(&self, query: &Query<'_, '_>) -> Result<(), Rejected> {
        let gaps = query.last - 1;
        for to in self.machine.nodes() {
            for from in query.unrolled.scope.senders(to) {
                let silence = self.timings.silence(from).map_err(Rejected)?;
                if self.timings.periodic(to).map_err(Rejected)?.span(gaps).0 <= silence {
                    return reject("reads of inboxes that are not looked at");
                }
            }
        }
        Ok(())
    }

    fn exclude(&self, choices: &[Choice]) -> Result<(), Rejected> {
        match self.timings.cycle(choices) {
            Ok(_) => Ok(()),
            Err(why) => reject(format!("an order of events is left out: {why}")),
        }
    }
}

fn activation(node: NodeId, number: i64) -> Result<Activation, Rejected> {
    match i32::try_from(number) {
        Ok(number) => Ok((node, number)),
        Err(_) => reject("more activations than anybody counts"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::{Abstraction, Expr, Value, parse, verify};
    use order::defects::{Breaking, Defect};
    use order::{Claim, Filled, Scope, Start, cases, step_query};

    /// Two nodes that send each other a message at every activation.
    fn machine(channel: &str, timing: &str) -> Machine {
        let text = format!(
            "(message M) (kind K 2) (edges (1 2) (2 1)) {channel} (inbox latest)
             (block K tick (every {timing}) (locals (self node) (m (record M)) (heard bool))
               (let heard (exists m (inbox M self) true))
               (clear-inbox)
               (send (new M) (neighbours self)))"
        );
        let machine = parse(&text).unwrap_or_else(|e| panic!("{}: {}", e.line, e.expected));
        verify(&machine).unwrap_or_else(|e| panic!("{e}"));
        Machine {
            abstraction: Abstraction::Order(Vec::new(), Vec::new()),
            ..machine
        }
    }

    fn check(machine: &Machine) -> Result<(), Rejected> {
        let scope = Scope::of(machine).expect("in scope");
        let claim = Claim {
            scope: &machine.blocks[0].scope,
            condition: &Expr::Const(Value::Bool(true)),
        };
        let case = &cases(&scope, Start::Arbitrary)[0];
        let query = step_query(&scope, &claim, Filled::Perhaps, case, 2);
        let query = query.expect("a query");
        Horizons::of(machine)?.check(&query)
    }

    #[test]
    fn wrong_horizons_are_rejected() {
        let at_once = machine("(channel instant)", "10 10 (first 0 10)");
        let delayed = machine("(channel unordered) (delay 1 3)", "10 20 (first 0 20)");
        let wrong = [
            (Defect::HorizonShort, &delayed),
            (Defect::OnTheWayForgotten, &delayed),
            (Defect::TiesOneWay, &at_once),
        ];
        for (defect, machine) in wrong {
            assert_eq!(check(machine), Ok(()));
            let _broken = Breaking::rule(defect);
            assert!(check(machine).is_err(), "{defect:?} is not detected");
        }
    }
}
