//! The code of random models: statements and sends.

use crate::models::data::{Scope, Ty};
use crate::models::text::Generator;

impl Generator {
    /// A statement that reads the inbox, if the kind has one.
    pub fn reading(&mut self, scope: &Scope) {
        let Some(inbox) = scope.inbox else {
            return;
        };
        let scope = self.without_own(scope);
        let condition = self.w.over_inbox(&scope, inbox, 1);
        self.line(2, format!("if {condition} {{"));
        self.statement(&scope, 3, 1);
        self.line(2, "}");
    }

    /// In gossip models, mostly removes the variable with the initial value from the scope, so that code does not read
    /// it.
    fn without_own(&mut self, scope: &Scope) -> Scope {
        let mut scope = scope.clone();
        if self.w.gossip && self.w.percent(80) {
            scope.readers.retain(|(_, text)| !text.starts_with('x'));
        }
        scope
    }

    /// The statements of a block. `sends` says whether it may send.
    pub fn block(&mut self, scope: &Scope, sends: bool) {
        let inner = self.without_own(scope);
        for _ in 0..1 + self.w.rng.below(3) {
            self.statement(&inner, 2, 2);
        }
        if scope.inbox.is_some() && self.w.percent(45) {
            self.line(2, "clear inbox");
            self.w.has("clear inbox");
        }
        if sends || !self.instant && self.w.percent(40) {
            self.send(scope, false);
            if self.w.percent(25) {
                self.send(scope, true);
            }
        }
        if self.w.percent(4) {
            self.line(2, "halt");
            self.w.has("halt");
        }
    }

    fn statement(&mut self, scope: &Scope, indent: usize, depth: u32) {
        let options = scope
            .readers
            .iter()
            .filter(|(ty, text)| matches!(ty, Ty::Option(_)) && !text.contains('.'));
        let options: Vec<_> = options.cloned().collect();
        match self.w.rng.below(12) {
            0 | 1 if depth > 0 => {
                let condition = self.w.condition(scope, 1);
                self.line(indent, format!("if {condition} {{"));
                self.statement(scope, indent + 1, depth - 1);
                if self.w.percent(40) {
                    self.line(indent, "} else {");
                    self.statement(scope, indent + 1, depth - 1);
                }
                self.line(indent, "}");
            }
            2 if depth > 0 && !options.is_empty() => {
                let ((ty, option), name) = (self.w.pick(&options), self.w.fresh("v"));
                let Ty::Option(of) = ty else { return };
                let mut inner = scope.clone();
                self.w.read(&mut inner, &of, &name);
                self.line(indent, format!("if {option} is {name} {{"));
                self.statement(&inner, indent + 1, depth - 1);
                self.line(indent, "}");
                self.w.has("is");
            }
            3 if depth > 0 => {
                let (name, set) = (self.w.fresh("k"), self.w.set(scope, &Ty::Node, 1));
                let mut inner = scope.clone();
                inner.readers.push((Ty::Node, name.clone()));
                self.line(indent, format!("for {name} in {set} {{"));
                self.statement(&inner, indent + 1, 0);
                self.line(indent, "}");
                self.w.has("for");
            }
            4 if depth > 0 => {
                let ty = self.w.pick(&[Ty::Int(1), Ty::Colour, Ty::Bool]);
                let domain = match ty {
                    Ty::Bool => "{ true, false }".to_string(),
                    _ => ty.text(),
                };
                let name = self.w.fresh("c");
                let mut inner = scope.clone();
                inner.readers.push((ty, name.clone()));
                self.line(indent, format!("choose {name} in {domain}"));
                self.statement(&inner, indent, depth - 1);
                self.w.has("choose");
            }
            5 if self.w.risky => {
                let condition = self.w.condition(scope, 1);
                self.line(indent, format!("assert {condition}"));
                self.w.has("assert");
            }
            6 if self.w.percent(50) => {
                let (looked_at, first) = match self.w.rng.below(2) {
                    0 => (self.w.expr(scope, &Ty::Colour, 0), "Red or Blue"),
                    _ => (self.w.expr(scope, &Ty::Int(2), 0), "0..1"),
                };
                let (a, b) = (self.assign(scope), self.assign(scope));
                self.line(indent, format!("match {looked_at} {{"));
                self.line(indent + 1, format!("{first} => {a}"));
                self.line(indent + 1, format!("_ => {b}"));
                self.line(indent, "}");
                self.w.has("match as a statement");
            }
            7 if self.w.counts && depth > 0 && scope.inbox.is_some() => {
                let (name, inbox) = (self.w.fresh("m"), scope.inbox.unwrap_or_default());
                let mut inner = scope.clone();
                self.w.read(&mut inner, &Ty::Note, &name);
                self.line(indent, format!("for {name} in {inbox} {{"));
                self.statement(&inner, indent + 1, 0);
                self.line(indent, "}");
                self.w.has("for inbox");
            }
            _ => {
                let assign = self.assign(scope);
                self.line(indent, assign);
            }
        }
    }

    /// An assignment to a variable, or to a component of one.
    fn assign(&mut self, scope: &Scope) -> String {
        let place = |text: &str| ["x", "y", "z", "w"].iter().any(|v| text.starts_with(v));
        let places = scope.readers.iter().filter(|(_, text)| place(text));
        let places: Vec<_> = places.cloned().collect();
        let (ty, text) = self.w.pick(&places);
        if text.len() > 1 {
            self.w.has("part of a variable");
        }
        let value = self.w.expr(scope, &ty, 2);
        format!("{text} = {value}")
    }

    /// A statement that sends a note, or a poke if `poke`, to all or to some neighbours.
    fn send(&mut self, scope: &Scope, poke: bool) {
        let notes = scope.readers.iter().filter(|(ty, _)| *ty == Ty::Note);
        let notes: Vec<String> = notes.map(|(_, text)| text.clone()).collect();
        let often = if self.w.gossip { 8 } else { 10 };
        let message = match self.w.rng.below(often) {
            0..=4 if poke => "Poke".to_string(),
            0..=6 if !notes.is_empty() => {
                self.w.has("send a variable");
                self.w.pick(&notes)
            }
            7..=8 if !self.w.constructs.contains("starts with messages") || self.w.percent(20) => {
                let message = self.w.expr(scope, &Ty::Note, 2);
                let name = self.w.fresh("note");
                self.line(2, format!("let {name} = {message}"));
                self.w.has("let");
                name
            }
            _ => {
                let message = self.w.record(scope, &Ty::Note, 0);
                self.w.has("send a new message");
                if message.contains("a: x, b: y") {
                    self.w.has("message of two variables");
                }
                message
            }
        };
        let send = match self.w.rng.below(10) {
            0 if self.ring => format!("send {message} to next"),
            1 | 2 => {
                let name = self.w.fresh("k");
                let mut inner = scope.clone();
                inner.readers.push((Ty::Node, name.clone()));
                let condition = self.w.condition(&inner, 0);
                self.w.has("send to some");
                format!("send {message} to {{ {name} in neighbours: {condition} }}")
            }
            _ => format!("broadcast {message}"),
        };
        match self.paid {
            true => self.line(2, format!("if fuel > 0 {{ fuel = fuel - 1; {send} }}")),
            false => self.line(2, send),
        }
    }
}
