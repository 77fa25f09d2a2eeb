//! The node of models/dolev-klawe-rodeh.scrut.

use crate::ring;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Message {
    First(u8),
    Second(u8),
    Winner(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    active: bool,
    maximum: u8,
    /// The rank of the left neighbour's candidate; 0 if none is known.
    left: u8,
    /// The rank of the leader; 0 if none is known.
    leader: u8,
}

impl ring::Member for Member {
    type Message = Message;

    fn new(rank: u8) -> Member {
        Member {
            active: true,
            maximum: rank,
            left: 0,
            leader: 0,
        }
    }

    fn start(&self) -> Message {
        Message::First(self.maximum)
    }

    fn handle(&mut self, message: Message) -> (Option<Message>, bool) {
        match message {
            Message::First(_) | Message::Second(_) if !self.active => (Some(message), false),
            Message::First(number) if number != self.maximum => {
                self.left = number;
                (Some(Message::Second(number)), false)
            }
            Message::First(number) => {
                self.leader = number;
                (Some(Message::Winner(number)), false)
            }
            Message::Second(number) => {
                let left = std::mem::take(&mut self.left);
                if left > number && left > self.maximum {
                    self.maximum = left;
                    (Some(Message::First(left)), false)
                } else {
                    self.active = false;
                    (None, false)
                }
            }
            Message::Winner(number) if self.leader == 0 => {
                self.leader = number;
                (Some(message), true)
            }
            Message::Winner(_) => (None, true),
        }
    }

    fn leader(&self) -> Option<u8> {
        (self.leader != 0).then_some(self.leader)
    }
}
