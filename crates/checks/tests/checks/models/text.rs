//! Random small models, as text: nodes with data, code, a network, faults from the start, claims.
//!
//! A seed always gives the same text. If messages could accumulate, every send uses up a bounded fuel variable. A few
//! models are *risky*: their code may end in an error.

use crate::models::data::{Scope, Ty, Writer};
use std::collections::BTreeSet;

/// The largest number of initial states of a model, computed from the types, without faults and constants.
const MAX_INITIAL_STATES: u64 = 80;

/// Whether the periodic blocks of a model have times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rhythm {
    /// No times: `every any` or rounds.
    Untimed,
    /// Declared times.
    Timed,
}

/// A question of a check.
#[derive(Clone, Debug)]
pub struct Asked {
    pub name: String,
    /// The condition that must always be true, or be reached if `possible`; `None` for other claims.
    pub condition: Option<String>,
    pub possible: bool,
}

/// A random model.
#[derive(Clone, Debug)]
pub struct Model {
    pub text: String,
    pub rhythm: Rhythm,
    /// The questions, in the order of the checks and their claims.
    pub asked: Vec<Asked>,
    pub constructs: BTreeSet<&'static str>,
}

impl Model {
    /// The text of the model without times. It has all runs of the model and more.
    pub fn untimed(&self) -> String {
        let head = |line: &str| match line.trim_start().starts_with("every ") && line.ends_with('{')
        {
            true => "    every any {".to_string(),
            false => line.to_string(),
        };
        let lines: Vec<String> = self.text.lines().map(head).collect();
        lines.join("\n") + "\n"
    }
}

/// The model for a seed.
pub fn random_model(seed: u64) -> Model {
    let mut generator = Generator {
        w: Writer::new(seed),
        text: String::new(),
        instant: false,
        paid: false,
        ring: false,
        rhythm: Rhythm::Untimed,
        every: String::new(),
        hearsay: String::new(),
        begun: 1,
        vars: Vec::new(),
    };
    let network = generator.environment();
    generator.data();
    for kind in 0..generator.w.kinds.len() {
        generator.kind(kind);
    }
    generator.text += &network;
    let asked = generator.claims();
    Model {
        text: generator.text,
        rhythm: generator.rhythm,
        asked,
        constructs: generator.w.constructs,
    }
}

pub struct Generator {
    pub w: Writer,
    pub text: String,
    pub instant: bool,
    /// Whether a send uses up fuel.
    pub paid: bool,
    pub ring: bool,
    pub rhythm: Rhythm,
    /// The head of periodic blocks.
    pub every: String,
    /// The value whose receipt sets `told`, in gossip models.
    pub hearsay: String,
    /// The number of initial states so far.
    pub begun: u64,
    /// For each kind the variables that claims can read.
    pub vars: Vec<Vec<(Ty, String)>>,
}

/// The number of nodes of a kind. The second kind has one node.
fn number(generator: &Generator, kind: usize) -> u32 {
    match (kind, generator.w.kinds.len()) {
        (0, 1) => generator.w.nodes,
        (0, _) => generator.w.nodes - 1,
        _ => 1,
    }
}

impl Generator {
    pub fn line(&mut self, indent: usize, text: impl AsRef<str>) {
        self.text += &"    ".repeat(indent);
        self.text += text.as_ref();
        self.text.push('\n');
    }

    /// Chooses the fields of the types and writes the types.
    fn data(&mut self) {
        let w = &mut self.w;
        w.pair = vec![
            ("left", Ty::Bool),
            (
                "right",
                w.pick(&[Ty::Int(1), Ty::Colour, Ty::Bool.option()]),
            ),
        ];
        let small = [
            Ty::Bool,
            Ty::Bool,
            Ty::Int(1),
            Ty::Int(1),
            Ty::Node,
            Ty::Colour,
            Ty::Bool.option(),
            Ty::Node.set(),
        ];
        let few = if w.gossip { 4 } else { small.len() };
        w.note = vec![("a", w.pick(&small[..few]))];
        if w.percent(if w.gossip { 30 } else { 65 }) {
            let second = w.pick(&small[..4]);
            w.note.push(("b", second));
        }
        let fields = |fields: &[(&str, Ty)]| {
            let fields: Vec<String> = fields
                .iter()
                .map(|(n, ty)| format!("{n}: {}", ty.text()))
                .collect();
            fields.join(", ")
        };
        let (pair, note) = (fields(&w.pair), fields(&w.note));
        self.line(0, "enum Colour { Red, Green, Blue }");
        self.line(0, format!("struct Pair {{ {pair} }}"));
        self.line(0, format!("message Note {{ {note} }}"));
        self.line(0, "message Poke");
        if self.w.constructs.contains("starts with messages") {
            let notes = self.w.values(&Ty::Note);
            self.begun = notes * notes; // any message on each of two edges
        }
    }

    fn kind(&mut self, kind: usize) {
        let name = self.w.kinds[kind];
        let count = number(self, kind);
        self.line(0, format!("node {name}[{count}] {{"));
        let mut scope = Scope {
            node: "self".into(),
            code: true,
            ..Scope::default()
        };
        scope.readers.push((Ty::Node, "self".into()));
        let mut seen = Vec::new();
        if self.w.ids {
            self.line(1, "id: Id");
            seen.push((Ty::Id, "id".to_string()));
        }
        if kind == 0 && count < 3 && self.w.percent(15) {
            self.line(1, "mark: Bool");
            seen.push((Ty::Bool, "mark".to_string()));
            self.w.has("constant");
        }
        // Variables that store messages, or variables with the types of message fields.
        let mut vars: Vec<Ty> = Vec::new();
        if self.w.gossip {
            vars.push(Ty::Note);
        } else if self.w.percent(40) {
            vars.push(self.w.pick(&[Ty::Note, Ty::Note, Ty::Note.option()]));
        } else {
            vars.extend(self.w.note.clone().into_iter().map(|(_, ty)| ty));
        }
        if self.w.risky {
            vars.push(Ty::Int(1).option());
        }
        for _ in 0..1 + self.w.rng.below(2) {
            vars.push(self.var_type());
        }
        for (ty, name) in vars.into_iter().zip(["x", "y", "z", "w", "v"]) {
            self.var(&scope, &ty, name, count);
            seen.push((ty, name.to_string()));
        }
        for (ty, name) in &seen {
            self.w.read(&mut scope, ty, name);
        }
        if kind == 0 && self.w.gossip {
            self.line(1, "var fresh: Bool = false");
            self.line(1, "var told: Bool = false");
        }
        if self.paid {
            self.line(1, "var fuel: 0..2 = 2");
        }
        if self.w.percent(20) {
            self.line(1, "ghost var seen: 0..2 = 0");
            seen.push((Ty::Int(2), "seen".into()));
            self.w.has("ghost");
        }
        let ghost = seen.iter().any(|(_, name)| name == "seen");
        self.vars.push(seen);
        let often = if self.w.gossip { 0 } else { 18 };
        let (handles, mixed) = (self.w.percent(often), self.w.percent(often));
        if !handles {
            scope.inbox = Some(if mixed { "inbox(Note)" } else { "inbox" });
        }
        self.line(1, format!("every {} {{", self.every));
        if ghost {
            let now = self.w.expr(&scope, &Ty::Int(2), 1);
            self.line(2, format!("seen = {now}"));
        }
        if kind == 0 && self.w.gossip {
            // Not the first value of the type, because variables with lazy initial values have it until they are read.
            self.hearsay = match self.w.note[0].1 {
                Ty::Bool => "true".into(),
                _ => "1".into(),
            };
            // Messages in the initial inbox are ignored, because no node has sent them.
            let told = format!("exists m in inbox: m.a == {}", self.hearsay);
            self.line(2, format!("if fresh and ({told}) {{ told = true }}"));
            self.line(2, "if not fresh { clear inbox; fresh = true }");
        }
        match kind == 0 && self.w.gossip && self.w.percent(50) {
            true => self.line(2, "broadcast x"),
            false => {
                self.reading(&scope);
                self.block(&scope, true);
            }
        }
        self.line(1, "}");
        let mut taking = scope.clone();
        taking.inbox = scope.inbox.filter(|_| !self.w.gossip && self.w.percent(20));
        taking.readers.push((Ty::Node, "sender".into()));
        if handles {
            let mut taking = taking.clone();
            self.w.read(&mut taking, &Ty::Note, "m");
            self.line(1, "on Note as m from sender {");
            self.block(&taking, false);
            self.line(1, "}");
            self.w.has("on Note");
        }
        match mixed && !handles {
            true => self.w.has("mixed inbox"),
            false => {
                self.line(1, "on Poke from sender {");
                self.block(&taking, false);
                self.line(1, "}");
            }
        }
        self.line(0, "}");
    }

    fn var_type(&mut self) -> Ty {
        let w = &mut self.w;
        let index = w.pick(&[Ty::Int(1), Ty::Colour, Ty::Node]);
        w.pick(&[
            Ty::Bool,
            Ty::Int(2),
            Ty::Colour,
            Ty::Node,
            Ty::Node.option(),
            Ty::Int(1).option(),
            Ty::Node.set(),
            Ty::Node.set(),
            Ty::Int(1).set(),
            Ty::Colour.set(),
            Ty::Bool.over(index.clone()),
            Ty::Int(1).over(index),
            Ty::Pair,
            Ty::Pair.option(),
            if w.ids { Ty::Id } else { Ty::Bool },
            if w.ids { Ty::Id.option() } else { Ty::Int(1) },
        ])
    }

    /// Declares a variable. Its initial value is `any` if this does not give too many initial states.
    fn var(&mut self, scope: &Scope, ty: &Ty, name: &str, nodes: u32) {
        let w = &mut self.w;
        w.has(match ty {
            Ty::Note => "message variable",
            Ty::Option(of) if **of == Ty::Note => "optional message",
            Ty::Option(_) => "option",
            Ty::Set(of) if **of == Ty::Node => "set of nodes",
            Ty::Set(_) => "set",
            Ty::Array(_, index) if **index == Ty::Node => "array over nodes",
            Ty::Array(_, index) if **index == Ty::Colour => "array over an enum",
            Ty::Array(..) => "array over a range",
            Ty::Pair => "struct",
            _ => "plain variable",
        });
        let more = self
            .begun
            .saturating_mul(w.values(ty).saturating_pow(nodes));
        let (most, likely) = match w.gossip && *ty == Ty::Note {
            true => (4 * MAX_INITIAL_STATES, 95),
            false => (MAX_INITIAL_STATES, 75),
        };
        let first = match more <= most && w.percent(likely) {
            true => {
                self.begun = more;
                let some = match ty {
                    Ty::Int(2) => Some("any in { v in 0..2: v != 1 }".to_string()),
                    Ty::Colour => Some("any in { c in Colour: c != Green }".into()),
                    Ty::Node => Some("any in { k in Peer: k != self or true }".into()),
                    Ty::Note => {
                        let (a, b) = (w.constant(scope, ty), w.constant(scope, ty));
                        Some(format!("any in {{ {a}, {b} }}"))
                    }
                    _ => None,
                };
                match some.filter(|_| w.percent(40)) {
                    Some(some) => {
                        w.has("any in");
                        some
                    }
                    None => {
                        w.has("any");
                        if *ty == Ty::Note {
                            w.has("message with any");
                        }
                        "any".into()
                    }
                }
            }
            false => w.constant(scope, ty),
        };
        self.line(1, format!("var {name}: {} = {first}", ty.text()));
    }
}
