//! The node of models/chang-roberts.scrut.

use crate::ring;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Message {
    Election(u8),
    Elected(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    rank: u8,
    /// The rank of the leader; 0 if none is known.
    leader: u8,
}

impl ring::Member for Member {
    type Message = Message;

    fn new(rank: u8) -> Member {
        Member { rank, leader: 0 }
    }

    fn start(&self) -> Message {
        Message::Election(self.rank)
    }

    fn handle(&mut self, message: Message) -> (Option<Message>, bool) {
        match message {
            Message::Election(candidate) if candidate > self.rank => (Some(message), false),
            Message::Election(candidate) if candidate == self.rank => {
                self.leader = candidate;
                (Some(Message::Elected(candidate)), false)
            }
            Message::Election(_) => (None, false),
            Message::Elected(winner) if winner != self.rank => {
                self.leader = winner;
                (Some(message), true)
            }
            Message::Elected(_) => (None, true),
        }
    }

    fn leader(&self) -> Option<u8> {
        (self.leader != 0).then_some(self.leader)
    }
}
