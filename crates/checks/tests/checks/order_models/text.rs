//! Random models of periodic nodes with inboxes, as text.
//!
//! There are two or three nodes of one or two kinds; each kind has its own timing. Numbers are small, and times are
//! small multiples of one unit, so that explicit searches terminate too.

use machine::random::Rng;
use std::collections::BTreeSet;

/// A random model.
#[derive(Clone, Debug)]
pub struct Model {
    pub text: String,
    pub constructs: BTreeSet<&'static str>,
}

/// The model for a seed.
pub fn random_model(seed: u64) -> Model {
    let generator = Generator {
        rng: Rng(seed.wrapping_mul(0x9e37_79b9).wrapping_add(4_711)),
        text: String::new(),
        constructs: BTreeSet::new(),
        nodes: 2,
        hub: false,
        ids: false,
        latest: false,
        risky: false,
        fields: Vec::new(),
        faults: Vec::new(),
        travels: matches!(seed % 5, 0 | 4)
            .then(|| Rng(seed.wrapping_mul(0x2545_f491).wrapping_add(99))),
    };
    generator.model()
}

pub struct Generator {
    pub rng: Rng,
    pub text: String,
    pub constructs: BTreeSet<&'static str>,
    /// The number of nodes of the main kind.
    pub nodes: usize,
    /// Whether there is also a node of the kind `Hub`.
    pub hub: bool,
    pub ids: bool,
    pub latest: bool,
    /// Whether code or claims may end in an error.
    pub risky: bool,
    /// The fields of messages.
    pub fields: Vec<&'static str>,
    /// The node faults that the model allows.
    pub faults: Vec<&'static str>,
    /// The random numbers for delays; `None` if messages have no delay.
    travels: Option<Rng>,
}

impl Generator {
    pub fn percent(&mut self, percent: usize) -> bool {
        self.rng.below(100) < percent
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.rng.below(from.len())].clone()
    }

    pub fn has(&mut self, construct: &'static str) {
        self.constructs.insert(construct);
    }

    pub fn line(&mut self, indent: usize, text: impl AsRef<str>) {
        self.text += &"    ".repeat(indent);
        self.text += text.as_ref();
        self.text.push('\n');
    }

    pub fn carries(&self, field: &str) -> bool {
        self.fields.contains(&field)
    }

    fn model(mut self) -> Model {
        self.hub = self.percent(30);
        self.nodes = match self.hub {
            true => 1 + self.rng.below(2),
            false => 2 + usize::from(self.percent(25)),
        };
        if self.nodes + usize::from(self.hub) == 3 {
            self.has("three nodes");
        }
        if self.hub {
            self.has("two kinds");
        }
        self.ids = self.percent(25);
        if self.ids {
            self.has("ids");
        }
        self.latest = self.percent(50);
        self.risky = self.percent(13);
        self.has(if self.latest { "latest" } else { "all" });
        self.choose_fields();
        self.line(0, "enum Role { Low, Mid, High }");
        let fields = self.fields.iter().map(|field| match *field {
            "v" => "v: 0..2",
            "r" => "r: Role",
            "s" => "s: Set<Node>",
            "from" => "from: Node",
            "id" => "id: Id",
            _ => unreachable!("no such field"),
        });
        let fields = fields.collect::<Vec<_>>().join(", ");
        match fields.is_empty() {
            true => self.line(0, "message Note"),
            false => self.line(0, format!("message Note {{ {fields} }}")),
        }
        let count = self.nodes;
        self.kind(&format!("P[{count}]"));
        if self.hub {
            self.kind("Hub[1]");
        }
        self.world();
        self.claims();
        Model {
            text: self.text,
            constructs: self.constructs,
        }
    }

    /// Chooses the fields of messages. Models whose inbox keeps all messages have fewer fields, so that there are few
    /// different messages.
    fn choose_fields(&mut self) {
        let open = match self.latest {
            true => 1 + self.rng.below(2),
            false => usize::from(self.percent(75)),
        };
        for _ in 0..open {
            let field = self.pick(&["v", "r", "s"]);
            if !self.fields.contains(&field) {
                self.fields.push(field);
            }
        }
        if self.percent(30) {
            self.fields.push("from");
        }
        if self.ids && self.percent(85) {
            self.fields.push("id");
        }
        if self.fields.is_empty() {
            self.has("messages that say nothing");
        }
    }

    /// The timing of a kind.
    pub fn rhythm(&mut self) -> String {
        let mut gap = self.pick(&["2 .. 3", "3 .. 4", "4 .. 5", "3 .. 5", "3", "4", "2 .. 4"]);
        let mut text = String::new();
        let jitter = self.rng.below(10);
        // Jitter on the grid requires a fixed period.
        let fixed = matches!(jitter, 2 | 3) || self.percent(35);
        if jitter < 4 && gap.starts_with('2') {
            gap = "4 .. 5";
        }
        if fixed {
            text += " fixed";
        }
        match jitter {
            0 | 1 => {
                self.has("jitter per gap");
                text += ", jitter ± 1 per gap";
            }
            2 | 3 => {
                self.has("jitter on the grid");
                text += ", jitter ± 1 on the grid";
            }
            _ => {}
        }
        self.has(if fixed { "fixed" } else { "free gaps" });
        match self.rng.below(6) {
            0 => text += ", first 0 .. 0",
            1 => text += ", first 1 .. 2",
            2 => text += ", first 0 .. 9",
            3 if fixed => text += ", first 0 .. period",
            4 => text += ", first 0 .. 3",
            _ => {}
        }
        if text.contains("first") {
            self.has("first");
        }
        format!("{gap}{text}")
    }

    /// The delivery of messages: instant, or with a delay and possibly losses.
    fn delivery(&mut self) -> String {
        let Some(mut rng) = self.travels.take() else {
            return "instant".into();
        };
        self.has("takes time");
        let delays = [
            "0", "1", "3", "0 .. 1", "1 .. 2", "0 .. 2", "2 .. 3", "0 .. 4", "1 .. 5", "4 .. 7",
        ];
        let delay = delays[rng.below(delays.len())];
        if rng.below(100) < 40 {
            self.has("lost");
            let lost = ["at most 1", "at most 2", "any"][rng.below(3)];
            self.line(0, format!("faults lose {lost} messages"));
        }
        match rng.below(100) < 50 {
            true => {
                self.has("fifo");
                format!("within {delay}, fifo")
            }
            false => {
                self.has("unordered");
                format!("within {delay}")
            }
        }
    }

    fn world(&mut self) {
        let topology = self.pick(&["complete", "complete", "complete", "line", "ring"]);
        if topology != "complete" {
            self.has("not complete");
        }
        let start = match self.rng.below(3) {
            0 => "starts empty",
            1 => "starts with one from each sender",
            _ => "starts with anything",
        };
        self.has(start);
        let inbox = if self.latest {
            "latest per sender"
        } else {
            "all"
        };
        let itself = match self.percent(25) {
            true => {
                self.has("to self");
                "; to self"
            }
            false => "",
        };
        let delivery = self.delivery();
        self.line(
            0,
            format!("network {topology} {{ delivery {delivery}{itself}; inbox {inbox}, {start} }}"),
        );
        if self.percent(60) {
            let mut modes = vec!["off", "mute", "deaf", "isolated"];
            while modes.len() > 2 || (modes.len() == 2 && self.percent(60)) {
                modes.remove(self.rng.below(modes.len()));
            }
            modes.iter().for_each(|mode| self.has(mode));
            let faulty = match self.rng.below(3) {
                0 => "any nodes",
                1 => "at most 1 P",
                _ => "at most 1 node",
            };
            self.has("faults");
            self.line(
                0,
                format!("faults {faulty}: {} from start", modes.join(", ")),
            );
            self.faults = modes;
        }
        if self.percent(20) {
            self.has("initially");
            let kind = if self.hub { "Hub" } else { "P" };
            let text = self.pick(&[
                "initially all k in P: k.x < 2",
                "initially exists k in KIND: k.role == Low",
                "initially all k in KIND: k.role != High",
                "initially (count k in P: k.faultless) >= 1",
            ]);
            self.line(0, text.replace("KIND", kind));
        }
    }
}
