//! The data of random models, as text: types, readable values, and random expressions.

use machine::random::Rng;
use std::collections::BTreeSet;

/// A type of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    Bool,
    /// The numbers from 0 to this number.
    Int(i64),
    Colour,
    Node,
    Id,
    Pair,
    Note,
    Option(Box<Ty>),
    Set(Box<Ty>),
    /// The element type and the index type.
    Array(Box<Ty>, Box<Ty>),
}

impl Ty {
    pub fn option(self) -> Ty {
        Ty::Option(Box::new(self))
    }

    pub fn set(self) -> Ty {
        Ty::Set(Box::new(self))
    }

    pub fn over(self, index: Ty) -> Ty {
        Ty::Array(Box::new(self), Box::new(index))
    }

    pub fn text(&self) -> String {
        match self {
            Ty::Int(most) => format!("0..{most}"),
            Ty::Option(of) => format!("Option<{}>", of.text()),
            Ty::Set(of) => format!("Set<{}>", of.text()),
            Ty::Array(of, index) => format!("[{}; {}]", of.text(), index.text()),
            plain => format!("{plain:?}"),
        }
    }
}

/// A readable value: its type, and the expression that reads it.
pub type Reader = (Ty, String);

/// The values that can be read at a place in the text.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub readers: Vec<Reader>,
    /// The expression for the inbox, if it may be read.
    pub inbox: Option<&'static str>,
    /// An expression for some node.
    pub node: String,
    /// Whether the place is in the code of a node (true) or in a claim (false).
    pub code: bool,
}

/// Writes random expressions.
pub struct Writer {
    pub rng: Rng,
    /// The names of the constructs used in the model so far.
    pub constructs: BTreeSet<&'static str>,
    /// Whether code may end in an error.
    pub risky: bool,
    /// Whether nodes send each other their initial values.
    pub gossip: bool,
    /// Whether two equal messages in an inbox may be distinguished from one.
    pub counts: bool,
    /// Whether nodes have ids.
    pub ids: bool,
    pub note: Vec<(&'static str, Ty)>,
    pub pair: Vec<(&'static str, Ty)>,
    /// The names of the node kinds.
    pub kinds: Vec<&'static str>,
    pub nodes: u32,
    names: u32,
}

impl Writer {
    pub fn new(seed: u64) -> Writer {
        Writer {
            rng: Rng(seed),
            constructs: BTreeSet::new(),
            risky: false,
            gossip: false,
            counts: false,
            ids: false,
            note: Vec::new(),
            pair: Vec::new(),
            kinds: Vec::new(),
            nodes: 0,
            names: 0,
        }
    }

    pub fn percent(&mut self, chance: usize) -> bool {
        self.rng.below(100) < chance
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.rng.below(from.len())].clone()
    }

    pub fn has(&mut self, construct: &'static str) {
        self.constructs.insert(construct);
    }

    pub fn fresh(&mut self, name: &str) -> String {
        self.names += 1;
        format!("{name}{}", self.names)
    }

    /// The number of values of a type.
    pub fn values(&self, ty: &Ty) -> u64 {
        let all = |fields: &[(&str, Ty)]| fields.iter().map(|(_, ty)| self.values(ty)).product();
        match ty {
            Ty::Bool => 2,
            Ty::Int(most) => *most as u64 + 1,
            Ty::Colour => 3,
            Ty::Node | Ty::Id => u64::from(self.nodes),
            Ty::Pair => all(&self.pair),
            Ty::Note => all(&self.note),
            Ty::Option(of) => 1 + self.values(of),
            Ty::Set(of) => 1 << self.values(of),
            Ty::Array(of, index) => self.values(of).pow(self.values(index) as u32),
        }
    }

    /// Adds a value and its components to the readable values of a scope.
    pub fn read(&self, scope: &mut Scope, ty: &Ty, text: &str) {
        let fields = match ty {
            Ty::Pair => &self.pair[..],
            Ty::Note => &self.note[..],
            _ => &[],
        };
        for (name, ty) in fields {
            self.read(scope, ty, &format!("{text}.{name}"));
        }
        if let Ty::Array(of, index) = ty {
            let at = match **index {
                Ty::Colour => "Green",
                Ty::Node => &scope.node.clone(),
                _ => "1",
            };
            self.read(scope, of, &format!("{text}[{at}]"));
        }
        scope.readers.push((ty.clone(), text.to_string()));
    }

    /// An expression without variables, except for a node.
    pub fn constant(&mut self, scope: &Scope, ty: &Ty) -> String {
        match ty {
            Ty::Bool => self.pick(&["true", "false"]).into(),
            Ty::Int(most) => self.rng.below(*most as usize + 1).to_string(),
            Ty::Colour => self.pick(&["Red", "Green", "Blue"]).into(),
            Ty::Node => scope.node.clone(),
            Ty::Id if scope.code => "id".into(),
            Ty::Id => format!("{}.id", scope.node),
            Ty::Pair | Ty::Note => self.record(scope, ty, 0),
            Ty::Option(_) if self.percent(40) => "none".into(),
            Ty::Option(of) => self.constant(scope, of),
            Ty::Set(of) if **of == Ty::Node && self.percent(40) => {
                self.pick(&self.kinds.clone()).into()
            }
            Ty::Set(of) => format!("{{ {} }}", self.constant(scope, of)),
            Ty::Array(of, _) => self.constant(scope, of),
        }
    }

    /// An expression for a new record; its fields are mostly readable values.
    pub fn record(&mut self, scope: &Scope, ty: &Ty, depth: u32) -> String {
        let (name, fields) = match ty {
            Ty::Pair => ("Pair", self.pair.clone()),
            _ => ("Note", self.note.clone()),
        };
        let fields = fields
            .iter()
            .map(|(f, ty)| format!("{f}: {}", self.expr(scope, ty, depth)));
        let fields: Vec<String> = fields.collect();
        format!("{name} {{ {} }}", fields.join(", "))
    }

    /// An expression of depth 0: a readable value of the type, or a constant.
    fn leaf(&mut self, scope: &Scope, ty: &Ty) -> String {
        let fits = |found: &Ty| match (ty, found) {
            (Ty::Int(most), Ty::Int(other)) => other <= most,
            _ => ty == found,
        };
        let fitting: Vec<&Reader> = scope.readers.iter().filter(|(ty, _)| fits(ty)).collect();
        match fitting.is_empty() || self.percent(20) {
            true => self.constant(scope, ty),
            false => fitting[self.rng.below(fitting.len())].1.clone(),
        }
    }

    /// A random expression of a type, with at most this depth.
    pub fn expr(&mut self, scope: &Scope, ty: &Ty, depth: u32) -> String {
        if depth == 0 || self.percent(35) {
            return self.leaf(scope, ty);
        }
        let below = depth - 1;
        if self.percent(15) && *ty != Ty::Bool && !matches!(ty, Ty::Array(..)) {
            let (a, b) = (self.expr(scope, ty, below), self.expr(scope, ty, below));
            let condition = self.condition(scope, below);
            return format!("(if {condition} then {a} else {b})");
        }
        let option = scope
            .readers
            .iter()
            .find(|(found, _)| *found == ty.clone().option());
        if let Some((_, option)) = option.cloned()
            && self.percent(40)
        {
            if self.risky && self.percent(20) {
                return option;
            }
            let (name, other) = (self.fresh("v"), self.leaf(scope, ty));
            self.has("is");
            return format!("(if {option} is {name} then {name} else {other})");
        }
        match ty {
            Ty::Bool => self.condition(scope, below),
            Ty::Int(most) => self.number(scope, *most, below),
            Ty::Colour => {
                self.has("match");
                let (c, a) = (self.leaf(scope, ty), self.leaf(scope, ty));
                format!("(match {c} {{ Red => {a}, Green => Blue, _ => Red }})")
            }
            Ty::Option(of) => self.expr(scope, of, below),
            Ty::Set(of) => self.set(scope, of, below),
            Ty::Pair | Ty::Note => self.record(scope, ty, below),
            Ty::Node | Ty::Id | Ty::Array(..) => self.leaf(scope, ty),
        }
    }

    fn number(&mut self, scope: &Scope, most: i64, depth: u32) -> String {
        let ty = Ty::Int(most);
        let a = self.expr(scope, &ty, depth);
        match self.rng.below(6) {
            0 if self.risky && a.parse::<i64>().is_err() => format!("({a} + 1)"),
            0 | 1 => format!("(({a} + 1) mod {})", most + 1),
            2 => format!("min({a}, {})", self.expr(scope, &ty, depth)),
            3 => {
                let set = self.set(scope, &Ty::Node, depth);
                format!("min(size({set}), {most})")
            }
            3.. if self.counts && scope.inbox.is_some() => {
                self.has("count inbox");
                let (name, body) = self.about_message(scope, depth);
                format!(
                    "min((count {name} in {}: {body}), {most})",
                    scope.inbox.unwrap_or("")
                )
            }
            _ => {
                let (name, set, body) = self.about_element(scope, &Ty::Node, depth);
                self.has("count");
                format!("min((count {name} in {set}: {body}), {most})")
            }
        }
    }

    /// A set expression whose type can be inferred.
    pub fn set(&mut self, scope: &Scope, of: &Ty, depth: u32) -> String {
        let ty = of.clone().set();
        match self.rng.below(7) {
            0 if *of == Ty::Node && scope.inbox.is_some() => {
                self.has("senders");
                "senders(inbox)".into()
            }
            0 | 1 if *of == Ty::Node && scope.code => "neighbours".into(),
            2 | 3 => {
                let (name, set, body) = self.about_element(scope, of, depth);
                self.has("filter");
                format!("{{ {name} in {set}: {body} }}")
            }
            4 | 5 if depth > 0 => {
                let op = self.pick(&["union", "intersect", "minus"]);
                let (a, b) = (self.leaf(scope, &ty), self.expr(scope, &ty, depth - 1));
                format!("({a} {op} {b})")
            }
            _ => self.leaf(scope, &ty),
        }
    }

    /// A bound variable, the set that it ranges over, and a condition about it.
    fn about_element(&mut self, scope: &Scope, of: &Ty, depth: u32) -> (String, String, String) {
        let name = self.fresh("e");
        let domain = match of {
            Ty::Node => self.pick(&self.kinds.clone()).into(),
            Ty::Colour => "Colour".into(),
            Ty::Int(most) => format!("0..{most}"),
            other => self.leaf(scope, &other.clone().set()),
        };
        let mut inner = scope.clone();
        self.read(&mut inner, of, &name);
        let set = scope.readers.iter().find(|(ty, _)| *ty == of.clone().set());
        let body = match set {
            Some((_, set)) if self.percent(50) => format!("{name} in {set}"),
            _ => self.condition(&inner, depth.min(1)),
        };
        (name, domain, body)
    }

    /// A bound variable for a message in the inbox, and a condition about it.
    fn about_message(&mut self, scope: &Scope, depth: u32) -> (String, String) {
        let name = self.fresh("m");
        let mut inner = scope.clone();
        // Half of the other readable values are dropped, so that most conditions are about the message.
        inner
            .readers
            .retain(|(ty, _)| matches!(ty, Ty::Set(_)) || self.rng.below(2) == 0);
        self.read(&mut inner, &Ty::Note, &name);
        (name, self.condition(&inner, depth))
    }

    /// A condition that quantifies over the messages in the inbox.
    pub fn over_inbox(&mut self, scope: &Scope, inbox: &str, depth: u32) -> String {
        let (name, body) = self.about_message(scope, depth);
        let quantifier = self.pick(&["all", "exists"]);
        self.has("over inbox");
        format!("({quantifier} {name} in {inbox}: {body})")
    }

    /// A condition over the readable values.
    pub fn condition(&mut self, scope: &Scope, depth: u32) -> String {
        if depth > 0 && self.percent(30) {
            let (a, b) = (
                self.condition(scope, depth - 1),
                self.condition(scope, depth - 1),
            );
            return match self.rng.below(4) {
                0 => format!("({a} and {b})"),
                1 => format!("({a} or {b})"),
                2 => format!("({a} implies {b})"),
                _ => format!("(not {a})"),
            };
        }
        if let Some(inbox) = scope.inbox
            && self.percent(40)
        {
            if self.percent(20) {
                return format!("({} in senders(inbox))", self.leaf(scope, &Ty::Node));
            }
            return self.over_inbox(scope, inbox, depth.min(1));
        }
        let readable = scope
            .readers
            .iter()
            .filter(|(ty, text)| !matches!(ty, Ty::Array(..)) && *text != scope.node);
        let readable: Vec<Reader> = readable.cloned().collect();
        let Some((ty, text)) = (!readable.is_empty()).then(|| self.pick(&readable)) else {
            return self.pick(&["true", "false"]).into();
        };
        // A value is not compared with itself.
        let scope = &Scope {
            readers: { scope.readers.iter() }
                .filter(|(_, other)| *other != text)
                .cloned()
                .collect(),
            ..scope.clone()
        };
        match &ty {
            Ty::Bool => text,
            Ty::Int(_) | Ty::Id => {
                let op = self.pick(&["==", "!=", "<", "<=", ">"]);
                format!("({text} {op} {})", self.expr(scope, &ty, depth))
            }
            Ty::Option(of) if self.risky && **of == Ty::Int(1) => {
                self.has("perhaps no value");
                format!("({text} <= {})", self.leaf(scope, of))
            }
            Ty::Option(_) if self.percent(40) => format!("({text} == none)"),
            Ty::Option(of) => {
                let name = self.fresh("v");
                let mut inner = scope.clone();
                inner.readers.retain(|(_, t)| !t.starts_with(&text[..]));
                self.read(&mut inner, of, &name);
                self.has("is");
                let about = self.expr(&inner, of, depth.min(1));
                format!("({text} is {name} and {name} == {about})")
            }
            Ty::Set(of) => match self.rng.below(4) {
                0 => format!("(size({text}) <= 1)"),
                1 => format!("({text} subset {})", self.set(scope, of, depth)),
                2 => format!("({text} == {})", self.set(scope, of, depth)),
                _ => format!("({} in {text})", self.leaf(scope, of)),
            },
            _ => {
                let op = self.pick(&["==", "==", "!="]);
                format!("({text} {op} {})", self.expr(scope, &ty, depth))
            }
        }
    }
}
