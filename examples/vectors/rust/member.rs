//! The membership node as an engineer would write it: sets of nodes are bit masks, and nothing here knows the model.

/// A set of nodes: bit k - 1 is node k.
pub type Nodes = u64;

/// What nodes tell each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Alive {
    pub from: usize,
    pub heard: Nodes,
    pub proposal: Nodes,
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    pub me: usize,
    pub heard: Nodes,
    pub proposal: Nodes,
    pub view: Nodes,
    pub reading: bool,
    /// The latest message of each sender.
    pub inbox: Vec<(usize, Alive)>,
}

impl Member {
    /// One activation; what is sent, and to whom.
    pub fn activate(&mut self, neighbours: &[usize]) -> Vec<(usize, Alive)> {
        if self.reading {
            if self.inbox.iter().all(|(_, m)| m.proposal == self.proposal) {
                self.view = self.proposal;
            }
            let common = self.inbox.iter().fold(self.heard, |all, (_, m)| all & m.heard);
            self.proposal = common;
            let senders = self.inbox.iter().map(|(from, _)| 1 << (from - 1));
            self.heard = senders.fold(1 << (self.me - 1), |all: Nodes, one: Nodes| all | one);
            // A mistake on purpose, for those who want to see a test fail: old messages stay.
            if !cfg!(planted) {
                self.inbox.clear();
            }
        }
        self.reading = !self.reading;
        let message = Alive {
            from: self.me,
            heard: self.heard,
            proposal: self.proposal,
        };
        neighbours.iter().map(|to| (*to, message.clone())).collect()
    }
}
