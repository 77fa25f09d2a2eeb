//! The code of a kind of nodes, with the chosen variants applied.

use crate::instance::value::{Res, refuse};
use syntax::ast::{self, BlockHead, NodeItem};

/// An action: `action f(…) { … }`.
#[derive(Clone, Copy)]
pub(crate) struct Action<'a> {
    pub name: &'a str,
    pub parameters: &'a [ast::Parameter],
    pub body: &'a [ast::Stmt],
}

/// A kind of nodes.
#[derive(Clone)]
pub(crate) struct Kind<'a> {
    pub name: &'a str,
    pub number: Option<&'a ast::Expr>,
    pub constants: Vec<&'a ast::Constant>,
    pub vars: Vec<&'a ast::Var>,
    /// The blocks `start`, `every`, `on` and `when`, in the order of the text.
    pub blocks: Vec<&'a ast::Block>,
    pub actions: Vec<Action<'a>>,
    pub ignores: Vec<&'a str>,
    /// The timers, each with the type of its index if it has one.
    pub timers: Vec<(&'a str, Option<&'a ast::Type>)>,
}

impl<'a> Kind<'a> {
    /// The kind without variants.
    pub fn of(node: &'a ast::NodeKind) -> Res<Kind<'a>> {
        let mut kind = Kind {
            name: &node.name.text,
            number: node.number.as_ref(),
            constants: Vec::new(),
            vars: Vec::new(),
            blocks: Vec::new(),
            actions: Vec::new(),
            ignores: Vec::new(),
            timers: Vec::new(),
        };
        for item in &node.items {
            if matches!(item, NodeItem::Without(..)) {
                return refuse("`without` outside of a variant");
            }
            kind.add(item)?;
        }
        Ok(kind)
    }

    fn add(&mut self, item: &'a NodeItem) -> Res<()> {
        match item {
            NodeItem::Constant(constant) => self.constants.push(constant),
            NodeItem::Var(var) => self.vars.push(var),
            NodeItem::Timer(name, index) => {
                // A variant may declare a timer again.
                self.timers.retain(|(old, _)| *old != name.text);
                self.timers.push((&name.text, index.as_ref()));
            }
            NodeItem::Block(block) => self.blocks.push(block),
            NodeItem::Action {
                name,
                parameters,
                body,
                ..
            } => self.actions.push(Action {
                name: &name.text,
                parameters,
                body,
            }),
            NodeItem::Ignore(name) => self.ignores.push(&name.text),
            NodeItem::Without(..) => {}
        }
        Ok(())
    }

    /// Applies a variant: it replaces, adds and removes items.
    pub fn vary(&mut self, variant: &'a ast::Variant) -> Res<()> {
        let new = &variant.items;
        // First, the blocks and actions that the variant replaces or removes are dropped. Variables keep their
        // position.
        for item in new {
            match item {
                NodeItem::Block(block) => self.blocks.retain(|b| !same_head(&b.head, &block.head)),
                NodeItem::Action { name, .. } => self.actions.retain(|a| a.name != name.text),
                NodeItem::Without(BlockHead::Action(name), _) => {
                    let before = self.actions.len();
                    self.actions.retain(|a| a.name != name.text);
                    if self.actions.len() == before {
                        return refuse(format!("without action {}: there is none", name.text));
                    }
                }
                NodeItem::Without(head, _) => {
                    let before = self.blocks.len();
                    self.blocks.retain(|b| !same_head(&b.head, head));
                    if self.blocks.len() == before {
                        return refuse(format!("`without`: {} has no such block", self.name));
                    }
                }
                _ => {}
            }
        }
        for item in new {
            match item {
                NodeItem::Var(var) => {
                    match self.vars.iter_mut().find(|v| v.name.text == var.name.text) {
                        Some(old) => *old = var,
                        None => self.vars.push(var),
                    }
                }
                NodeItem::Constant(c) => {
                    match self
                        .constants
                        .iter_mut()
                        .find(|o| o.name.text == c.name.text)
                    {
                        Some(old) => *old = c,
                        None => self.constants.push(c),
                    }
                }
                _ => self.add(item)?,
            }
        }
        Ok(())
    }

    /// Refuses code whose meaning is ambiguous.
    pub fn check(&self) -> Res<()> {
        for name in &self.ignores {
            if self.handlers(name).next().is_some() {
                return refuse(format!(
                    "{} has both `on {name}` and `ignore {name}`",
                    self.name
                ));
            }
        }
        for (word, number) in [
            ("start", self.starts().count()),
            ("every", self.everies().count()),
        ] {
            if number > 1 {
                return refuse(format!("{} has several `{word}` blocks", self.name));
            }
        }
        Ok(())
    }

    fn starts(&self) -> impl Iterator<Item = &'a ast::Block> {
        let blocks = self.blocks.iter().copied();
        blocks.filter(|b| b.head == BlockHead::Start)
    }

    /// The `every` blocks; `check` ensures that there is at most one.
    pub fn everies(&self) -> impl Iterator<Item = &'a ast::Block> {
        let blocks = self.blocks.iter().copied();
        blocks.filter(|b| matches!(b.head, BlockHead::Every(_)))
    }

    /// The `start` block, if there is one.
    pub fn start(&self) -> Option<&'a ast::Block> {
        self.starts().next()
    }

    /// The `on` blocks for a message or timer, in the order of the text.
    pub fn handlers(&self, message: &str) -> impl Iterator<Item = &'a ast::Block> {
        let blocks = self.blocks.iter().copied();
        blocks
            .filter(move |b| matches!(&b.head, BlockHead::On { name, .. } if name.text == message))
    }

    /// The `when` blocks with their guards.
    pub fn whens(&self) -> impl Iterator<Item = (&'a ast::Block, Option<&'a ast::Expr>)> {
        self.blocks.iter().filter_map(|b| match &b.head {
            BlockHead::When(_, guard) => Some((*b, guard.as_ref())),
            _ => None,
        })
    }

    /// The position of a variable among those of its kind.
    pub fn var(&self, name: &str) -> Option<usize> {
        self.vars.iter().position(|v| v.name.text == name)
    }

    /// The type of a variable or constant.
    pub fn declared(&self, name: &str) -> Option<&'a ast::Type> {
        let var = self.vars.iter().find(|v| v.name.text == name);
        let constant = self.constants.iter().find(|c| c.name.text == name);
        var.map(|v| &v.ty).or(constant.map(|c| &c.ty))
    }

    /// The position of a timer among those of its kind.
    pub fn timer(&self, name: &str) -> Option<usize> {
        self.timers.iter().position(|(n, _)| *n == name)
    }

    /// The position of a constant among those of its kind.
    pub fn constant(&self, name: &str) -> Option<usize> {
        self.constants.iter().position(|c| c.name.text == name)
    }
}

fn same_head(a: &BlockHead, b: &BlockHead) -> bool {
    match (a, b) {
        (BlockHead::Start, BlockHead::Start) | (BlockHead::Every(_), BlockHead::Every(_)) => true,
        (BlockHead::On { name: a, .. }, BlockHead::On { name: b, .. }) => a.text == b.text,
        (BlockHead::When(a, _), BlockHead::When(b, _)) => a.text == b.text,
        _ => false,
    }
}
