//! The environment of random models: kinds, timing, network and faults from the start.

use crate::models::text::{Generator, Rhythm};

impl Generator {
    /// Chooses kinds, timing, network and faults. Returns the text of the network and the faults.
    pub fn environment(&mut self) -> String {
        let w = &mut self.w;
        w.risky = w.percent(18);
        w.gossip = w.percent(30);
        w.counts = w.percent(30);
        w.ids = w.percent(15);
        if w.ids {
            w.has("ids");
        }
        w.nodes = if w.percent(25) { 3 } else { 2 };
        w.kinds = vec!["Peer"];
        if w.percent(30) {
            w.kinds.push("Hub");
            w.has("two kinds");
        }
        if w.gossip {
            w.has("gossip");
        }
        let (every, rhythm) = match w.rng.below(10) {
            0..=3 => ("any", Rhythm::Untimed),
            4 => ("round", Rhythm::Untimed),
            5 | 6 => ("10 .. 20", Rhythm::Timed),
            7 => ("10 .. 15, first 0 .. 0", Rhythm::Timed),
            8 => ("10 .. 12 fixed, first 0 .. period", Rhythm::Timed),
            _ => ("10 fixed, jitter ± 1 per gap", Rhythm::Timed),
        };
        (self.every, self.rhythm) = (every.into(), rhythm);
        w.has(if rhythm == Rhythm::Timed {
            "timed"
        } else {
            "untimed"
        });
        self.instant = w.gossip || w.percent(60);
        let latest = w.gossip || w.percent(60);
        let start = match w.rng.below(10) {
            0..=3 if !w.gossip => "",
            _ if w.gossip && w.percent(20) => "",
            4..=7 => ", starts with one from each sender",
            _ => ", starts with anything",
        };
        w.has(if start.is_empty() {
            "starts empty"
        } else {
            "starts with messages"
        });
        if start.ends_with("anything") {
            w.has("starts with anything");
        }
        // Models with many instances or many initial states have only two nodes.
        if !start.is_empty() || w.ids {
            w.nodes = 2;
        }
        let topologies = ["complete", "complete", "ring", "line"];
        let topology = match w.gossip && w.percent(60) {
            true => topologies[0],
            false => w.pick(&topologies),
        };
        self.ring = topology == "ring";
        self.paid = !self.instant || (w.counts && !latest);
        let channel = match self.instant {
            true => "delivery instant",
            false => w.pick(&["channel fifo", "channel unordered"]),
        };
        w.has(if self.instant { "instant" } else { "channel" });
        w.has(if latest { "latest" } else { "all" });
        let inbox = if latest { "latest per sender" } else { "all" };
        let itself = if w.percent(15) { "; to self" } else { "" };
        let mut text =
            format!("network {topology} {{ {channel}; inbox {inbox}{start}{itself} }}\n");
        if w.percent(65) {
            text += &self.faults();
        }
        text
    }

    fn faults(&mut self) -> String {
        let w = &mut self.w;
        w.has("faults");
        let mut modes = vec!["off", "mute", "deaf", "isolated"];
        while modes.len() > 2 || (modes.len() == 2 && w.percent(50)) {
            modes.remove(w.rng.below(modes.len()));
        }
        modes.iter().for_each(|mode| w.has(mode));
        if modes.len() > 1 {
            w.has("mixture");
        }
        let nodes = match w.rng.below(4) {
            0 if w.nodes == 2 => "any nodes".to_string(),
            1 => {
                w.has("faults of a kind");
                let kind = w.pick(&w.kinds.clone());
                format!("at most 1 {kind}")
            }
            _ => "at most 1 node".to_string(),
        };
        format!("faults {nodes}: {} from start\n", modes.join(", "))
    }
}
