//! The states behind a state from what is known of events (`learnt.rs`), without opening it.
//!
//! The order of transitions is that of [`Desk::each_transition`]: nodes by themselves first, then messages by edge. What
//! is not known yet is computed there, on the open state, and learnt.

use crate::defects::{Defect, broken};
use crate::desk::{Desk, Room, Transition};
use crate::learnt::{Learnt, Way};
use crate::model::{Effects, Happening};
use crate::parts::Numbering;
use machine::{Channel, EdgeId, NodeId, Outcome};
use std::ops::Range;

impl Desk<'_> {
    /// Visits the transitions of the state in order, until `visit` says `false`.
    pub(crate) fn each_learnt(
        &mut self,
        numbering: &mut impl Numbering,
        visit: &mut dyn FnMut(&Transition<'_>) -> bool,
    ) {
        let mut room = std::mem::take(&mut self.room);
        let mut learnt = self.learnt.take().expect("it applies");
        if learnt.is_full() {
            learnt = Learnt::new(self.compiled.machine);
        }
        self.recall(&mut learnt, &mut room, numbering, visit);
        (self.room, self.learnt) = (room, Some(learnt));
    }

    fn recall(
        &mut self,
        learnt: &mut Learnt,
        room: &mut Room,
        numbering: &mut impl Numbering,
        visit: &mut dyn FnMut(&Transition<'_>) -> bool,
    ) {
        let machine = self.compiled.machine;
        for node in machine.nodes() {
            let outbox = self.numbers[self.index.outbox(node)];
            if !numbering.value(self.index.outbox(node), outbox).is_empty() {
                if !self.transmit(node, room, numbering, visit) {
                    return;
                }
                continue;
            }
            let (vars, inbox) = self.of_node(node);
            let (ways, known) = match learnt.own(node.index(), vars, inbox) {
                Some(ways) => (ways, true),
                None => {
                    let mut events = Vec::new();
                    self.make_sure_open(numbering);
                    self.compiled
                        .own_happenings(&self.context(), node, false, &mut events);
                    let (ways, settled) = self.find_out(node, &events, room, numbering);
                    let ways = learnt.add(ways);
                    if settled {
                        learnt.learn_own(node.index(), vars, inbox, ways.clone());
                    }
                    (ways, settled)
                }
            };
            if !self.go(node, None, (learnt, ways, known), room, numbering, visit) {
                return;
            }
        }
        let unordered = machine.channel == Channel::Unordered;
        let width = self.index.channel_width;
        for (e, (_, to)) in machine.edges.iter().enumerate() {
            let part = self.index.channel(e);
            let queue = numbering.value(part, self.numbers[part]);
            if queue.is_empty() {
                continue;
            }
            let outbox = self.index.outbox(*to);
            if !numbering.value(outbox, self.numbers[outbox]).is_empty() {
                continue;
            }
            let reachable = if unordered { queue.len() / width } else { 1 };
            let mut before = None;
            for place in 0..reachable {
                let queue = numbering.value(part, self.numbers[part]);
                let message = item(queue, place, width);
                if before.replace(message) == Some(message) {
                    continue; // of several that are the same the first
                }
                let (vars, inbox) = self.of_node(*to);
                let like = match broken(Defect::LearntWithoutMessage) {
                    false => message,
                    true => 0,
                };
                let (ways, known) = match learnt.handed(e, vars, inbox, like) {
                    Some(ways) => (ways, true),
                    None => {
                        let mut events = Vec::new();
                        self.make_sure_open(numbering);
                        let mut locals = vec![0; self.compiled.most_locals];
                        let edge = EdgeId(e as u32);
                        self.compiled.outcomes(
                            &self.context(),
                            edge,
                            place,
                            message,
                            &mut locals,
                            &mut events,
                        );
                        let (ways, settled) = self.find_out(*to, &events, room, numbering);
                        let ways = learnt.add(ways);
                        if settled {
                            learnt.learn_handed(e, (vars, inbox, like), ways.clone());
                        }
                        (ways, settled)
                    }
                };
                let taken = Some((e, place));
                if !self.go(*to, taken, (learnt, ways, known), room, numbering, visit) {
                    return;
                }
            }
        }
    }

    /// The numbers of a node's variables and inbox.
    fn of_node(&self, node: NodeId) -> (u32, u32) {
        let inbox = match broken(Defect::LearntWithoutInbox) {
            false => self.numbers[self.index.inbox(node)],
            true => 0,
        };
        (self.numbers[node.index()], inbox)
    }

    /// Computes what events of a node do; and whether the numbers in it stay what they are.
    fn find_out(
        &mut self,
        node: NodeId,
        events: &[Happening],
        room: &mut Room,
        numbering: &mut impl Numbering,
    ) -> (Vec<Way>, bool) {
        let (mut ways, inbox) = (Vec::new(), self.index.inbox(node));
        for event in events {
            self.each_way(
                (*event, &[]),
                room,
                &mut Vec::new(),
                numbering,
                &mut |transition| {
                    let behind =
                        |(numbers, _): (&[u32], _)| (numbers[node.index()], numbers[inbox]);
                    ways.push(Way {
                        happening: transition.happening,
                        picks: transition.picks.into(),
                        chosen: transition.effects.chosen.as_slice().into(),
                        behind: transition.target.map(behind),
                        sent: transition.effects.sent.as_slice().into(),
                        ran: transition.effects.ran.as_slice().into(),
                    });
                    true
                },
            );
        }
        let settled = ways
            .iter()
            .filter_map(|way| way.behind)
            .all(|(v, i)| numbering.is_settled(node.index(), v) && numbering.is_settled(inbox, i));
        let now = self.of_node(node);
        let settled = settled
            && numbering.is_settled(node.index(), now.0)
            && numbering.is_settled(inbox, now.1);
        (ways, settled)
    }

    /// Visits the transitions of known ways; whether to go on.
    fn go(
        &mut self,
        node: NodeId,
        taken: Option<(usize, usize)>,
        (learnt, ways, keep): (&mut Learnt, Range<u32>, bool),
        room: &mut Room,
        numbering: &mut impl Numbering,
        visit: &mut dyn FnMut(&Transition<'_>) -> bool,
    ) -> bool {
        let go_on = ways.clone().all(|way| {
            let way = learnt.way(way);
            let mut happening = way.happening;
            if let (Happening::Deliver { place, .. }, Some((_, now))) = (&mut happening, taken) {
                *place = now;
            }
            note(&mut room.effects, way);
            if let Some((vars, inbox)) = way.behind {
                self.begin_next(room);
                self.change(room, node.index(), vars);
                self.change(room, self.index.inbox(node), inbox);
                let stays = matches!(
                    happening,
                    Happening::Deliver {
                        outcome: Outcome::Repeat(..),
                        ..
                    }
                );
                if let Some((edge, place)) = taken.filter(|_| !stays) {
                    let width = self.index.channel_width;
                    let part = self.index.channel(edge);
                    self.without(room, part, place, width, numbering);
                }
                for (edge, message) in &way.sent {
                    self.send(room, node, *edge, *message, numbering);
                }
                self.end_next(room);
            }
            visit(&Transition {
                happening,
                arrivals: &[],
                picks: &way.picks,
                decisions: &[],
                target: way
                    .behind
                    .map(|_| (&room.next_numbers[..], &room.differs[..])),
                effects: &room.effects,
                shift: &[],
                states: None,
            })
        });
        if !keep {
            learnt.forget(ways);
        }
        go_on
    }

    /// Visits the transition that moves the head of an outbox, if there is room; whether to go on.
    fn transmit(
        &mut self,
        node: NodeId,
        room: &mut Room,
        numbering: &mut impl Numbering,
        visit: &mut dyn FnMut(&Transition<'_>) -> bool,
    ) -> bool {
        let (part, width) = (self.index.outbox(node), self.index.outbox_width);
        let head = item(numbering.value(part, self.numbers[part]), 0, width);
        let (edge, message) = self.compiled.outgoing(node, head);
        if !self.has_room(&self.numbers, edge, numbering) {
            return true;
        }
        room.effects.sent.clear();
        room.effects.put.clear();
        room.effects.chosen.clear();
        room.effects.ran.clear();
        self.begin_next(room);
        self.without(room, part, 0, width, numbering);
        self.put(room, edge, message, numbering);
        self.end_next(room);
        visit(&Transition {
            happening: Happening::Transmit(node),
            arrivals: &[],
            picks: &[],
            decisions: &[],
            target: Some((&room.next_numbers[..], &room.differs[..])),
            effects: &room.effects,
            shift: &[],
            states: None,
        })
    }

    fn begin_next(&self, room: &mut Room) {
        room.next_numbers.clone_from(&self.numbers);
        room.differs.clear();
    }

    /// A part of the next state has another number.
    fn change(&self, room: &mut Room, part: usize, number: u32) {
        if room.next_numbers[part] != number {
            room.next_numbers[part] = number;
            if !room.differs.contains(&(part as u32)) {
                room.differs.push(part as u32);
            }
        }
    }

    /// What was changed and changed back does not differ.
    fn end_next(&self, room: &mut Room) {
        let Room {
            differs,
            next_numbers,
            ..
        } = room;
        differs.retain(|part| next_numbers[*part as usize] != self.numbers[*part as usize]);
    }

    fn has_room(&self, numbers: &[u32], edge: EdgeId, numbering: &impl Numbering) -> bool {
        let Channel::Fifo(Some(capacity)) = self.compiled.machine.channel else {
            return true;
        };
        if broken(Defect::LearntFindsRoom) {
            return true;
        }
        let part = self.index.channel(edge.index());
        let length = numbering.value(part, numbers[part]).len() / self.index.channel_width;
        length < capacity as usize
    }

    /// A node of the next state sends a message.
    fn send(
        &self,
        room: &mut Room,
        node: NodeId,
        edge: EdgeId,
        message: i64,
        numbering: &mut impl Numbering,
    ) {
        let outbox = self.index.outbox(node);
        let waits = numbering.value(outbox, room.next_numbers[outbox]);
        if waits.is_empty() && self.has_room(&room.next_numbers, edge, numbering) {
            return self.put(room, edge, message, numbering);
        }
        let mut edges = self.compiled.out_edges[node.index()].iter();
        let out = edges.position(|e| *e == edge).expect("its edge") as i64;
        let outgoing = out * self.compiled.message_count + message;
        room.value.clear();
        room.value.extend_from_slice(waits);
        push(&mut room.value, outgoing, self.index.outbox_width);
        let number = numbering.number(outbox, &room.value);
        self.change(room, outbox, number);
    }

    /// Puts a message on its way in the next state.
    fn put(&self, room: &mut Room, edge: EdgeId, message: i64, numbering: &mut impl Numbering) {
        let (part, width) = (self.index.channel(edge.index()), self.index.channel_width);
        let queue = numbering.value(part, room.next_numbers[part]);
        let place = match self.compiled.machine.channel {
            Channel::Unordered => {
                let items = (0..queue.len() / width).map(|place| item(queue, place, width));
                items.take_while(|other| *other <= message).count()
            }
            _ => queue.len() / width,
        };
        room.value.clear();
        room.value.extend_from_slice(&queue[..place * width]);
        push(&mut room.value, message, width);
        room.value.extend_from_slice(&queue[place * width..]);
        let number = numbering.number(part, &room.value);
        self.change(room, part, number);
        room.effects.put.push((edge, message));
    }

    /// Takes an item out of a container of the next state.
    fn without(
        &self,
        room: &mut Room,
        part: usize,
        place: usize,
        width: usize,
        numbering: &mut impl Numbering,
    ) {
        let items = numbering.value(part, room.next_numbers[part]);
        room.value.clear();
        room.value.extend_from_slice(&items[..place * width]);
        room.value.extend_from_slice(&items[(place + 1) * width..]);
        let number = numbering.number(part, &room.value);
        self.change(room, part, number);
    }
}

fn note(effects: &mut Effects, way: &Way) {
    effects.put.clear();
    effects.sent.clear();
    effects.sent.extend_from_slice(&way.sent);
    effects.ran.clear();
    effects.ran.extend_from_slice(&way.ran);
    effects.chosen.clear();
    effects.chosen.extend_from_slice(&way.chosen);
}

fn item(items: &[u8], place: usize, width: usize) -> i64 {
    crate::parts::read(&items[place * width..(place + 1) * width]) as i64
}

fn push(value: &mut Vec<u8>, item: i64, width: usize) {
    value.extend_from_slice(&(item as u64).to_le_bytes()[..width]);
}
