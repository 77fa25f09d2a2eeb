//! The items of `faults`, and all assignments of faults from the start.

use crate::instance::data::Instance;
use crate::instance::fault::{Fault, Item, RuntimeFault};
use crate::instance::scope::Scope;
use crate::instance::state::State;
use crate::instance::value::{Res, refuse};
use syntax::ast;

impl Instance<'_> {
    /// Reads an item of `faults`.
    pub fn node_faults(&self, scope: &ast::FaultScope, modes: &[ast::Mode]) -> Res<Item> {
        let kind = match &scope.kind {
            None => None,
            Some(name) => match self.kinds.iter().position(|k| k.name == name.text) {
                Some(kind) => Some(kind),
                None => return refuse(format!("there is no kind `{}`", name.text)),
            },
        };
        let at_most = match &scope.at_most {
            None => None,
            Some(e) => {
                let number = self
                    .eval(e, &State::empty(), &mut Scope::default())?
                    .int()?;
                if number < 0 {
                    return refuse("a negative number of faults");
                }
                Some(number)
            }
        };
        // If the list contains several `from start` or `any time`, the last one applies to the whole list.
        let said = modes.iter().rev().find_map(|mode| mode.from_start);
        let mut item = Item {
            kind,
            at_most,
            modes: Vec::new(),
            runtime_faults: Vec::new(),
        };
        for mode in modes {
            let name = mode.name.text.as_str();
            if mode.from_start.is_some() && mode.from_start != said {
                return refuse("a list of faults with two times");
            }
            match (name, said) {
                ("off", Some(true)) => item.modes.push(Fault::Off),
                ("mute", Some(true)) => item.modes.push(Fault::Mute),
                ("deaf", Some(true)) => item.modes.push(Fault::Deaf),
                ("isolated", Some(true)) => item.modes.push(Fault::Isolated),
                ("crash", Some(false)) => item.runtime_faults.push(RuntimeFault::Crash {
                    during_broadcast: mode.during_broadcast,
                }),
                ("stop", Some(false)) if !mode.during_broadcast => {
                    item.runtime_faults.push(self.stop(mode)?);
                }
                (_, None) => return refuse(format!("`{name}` without a time")),
                (_, Some(true)) => return refuse(format!("`{name}` from the start")),
                (_, Some(false)) => {
                    return refuse(format!("`{name}` other than from the start"));
                }
            }
        }
        Ok(item)
    }

    fn stop(&self, mode: &ast::Mode) -> Res<RuntimeFault> {
        let Some(restart) = &mode.restart else {
            return refuse("`stop` without `restart`");
        };
        Ok(RuntimeFault::Stop {
            fresh: restart.fresh,
            within: match &restart.within {
                Some(within) => Some(self.fixed_interval(within)?),
                None => None,
            },
        })
    }

    /// All assignments of faults from the start: each node has no fault, or one fault of one item.
    pub fn assignments(&self) -> Vec<Vec<Option<Fault>>> {
        let mut found = std::collections::BTreeSet::new();
        let used = vec![0; self.fault_items.len()];
        self.assign_from(0, &mut Vec::new(), &used, &mut found);
        found.into_iter().collect()
    }

    fn assign_from(
        &self,
        node: usize,
        so_far: &mut Vec<Option<Fault>>,
        used: &[i128],
        found: &mut std::collections::BTreeSet<Vec<Option<Fault>>>,
    ) {
        if node == self.size() {
            found.insert(so_far.clone());
            return;
        }
        so_far.push(None);
        self.assign_from(node + 1, so_far, used, found);
        so_far.pop();
        for (i, item) in self.fault_items.iter().enumerate() {
            let of_kind = item.kind.is_none_or(|kind| kind == self.kind_of[node]);
            if !of_kind || item.at_most.is_some_and(|most| used[i] >= most) {
                continue;
            }
            let mut used = used.to_vec();
            used[i] += 1;
            for mode in &item.modes {
                so_far.push(Some(*mode));
                self.assign_from(node + 1, so_far, &used, found);
                so_far.pop();
            }
        }
    }

    /// The fault of a node from the start, if any.
    pub fn fault(&self, node: usize) -> Option<Fault> {
        self.faults.get(node).copied().flatten()
    }

    /// Whether the fault of a node, if any, lets it send.
    pub fn can_send(&self, node: usize) -> bool {
        matches!(self.fault(node), None | Some(Fault::Deaf))
    }

    /// Whether the fault of a node, if any, lets it receive.
    pub fn can_receive(&self, node: usize) -> bool {
        matches!(self.fault(node), None | Some(Fault::Mute))
    }

    /// Whether a message for a node is dropped, because the node is inactive or cannot receive.
    pub fn is_gone_for(&self, node: usize, state: &State) -> bool {
        !self.runs(node, state) || !self.can_receive(node)
    }
}
