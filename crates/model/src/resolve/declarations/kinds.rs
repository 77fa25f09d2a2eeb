//! Node kinds and their variants: fields, blocks, and the items that a variant replaces.

use crate::resolve::context::globals::{Global, NODE_WORDS};
use crate::resolve::context::resolver::Resolver;
use crate::resolve::context::scope::{Place, Scope};
use crate::resolve::context::suggest::unknown;
use crate::{
    Block, Body, Field, FieldId, FieldRole, Head, KindId, MessageId, NodeConstant, TimerId, Type,
    Var, VarStart, Variant, VariantId,
};
use source::{Diagnostic, Span, codes};
use syntax::ast::{self, BlockHead, Item, Name, NodeItem};

/// Identifies an item of a node kind. An item of a variant replaces the item with the same key.
#[derive(PartialEq)]
enum Key<'a> {
    Field(&'a str),
    Start,
    Every,
    On(&'a str),
    When(&'a str),
    Action(&'a str),
    Timer(&'a str),
}

impl<'a> Resolver<'a> {
    /// Declares the names and types of the fields and timers of all kinds and variants.
    pub(crate) fn kind_fields(&mut self) {
        for index in 0..self.model.kinds.len() {
            let kind = KindId(index as u32);
            let tree = self.kind_tree(kind);
            self.add_fields(kind, &tree.items, &tree.name, None);
        }
        let file = self.trees.file;
        let mut places: Vec<&Name> = Vec::new();
        for item in &file.items {
            let Item::Variant(variant) = item else {
                continue;
            };
            if let Some(first) = places.iter().find(|n| n.text == variant.name.text) {
                let first = first.span;
                self.duplicate(&variant.name, first, "for variants");
                continue;
            }
            places.push(&variant.name);
            let Some(kind) = self.kind_named(&variant.of) else {
                continue;
            };
            self.add_fields(kind, &variant.items, &variant.name, Some(&variant.name));
            self.model.variants.push(Variant {
                name: variant.name.text.clone(),
                of: kind,
                body: Body::default(),
                span: variant.name.span,
            });
            self.trees.variants.push(variant);
        }
    }

    /// Determines the number of nodes of each kind.
    pub(crate) fn kind_numbers(&mut self) {
        let sized = self.some_topology(Self::determines_size);
        for index in 0..self.model.kinds.len() {
            let tree = self.kind_tree(KindId(index as u32));
            let number = tree.number.as_ref().map(|n| self.constant_number(n));
            let single = match &number {
                Some(number) => self.literal(number) == Some(1),
                None => self.model.kinds.len() > 1 || !sized,
            };
            self.model.kinds[index].single = single;
            self.model.kinds[index].number = number;
        }
    }

    /// Resolves the code of every kind and variant.
    pub(crate) fn bodies(&mut self) {
        for index in 0..self.model.kinds.len() {
            let kind = KindId(index as u32);
            let items: Vec<&NodeItem> = self.kind_tree(kind).items.iter().collect();
            let name = self.model.kind(kind).name.clone();
            self.code.in_variant = false;
            self.open_inbox(kind, &items);
            self.model.kinds[index].body = self.body(kind, &items, &name);
        }
        for index in 0..self.model.variants.len() {
            let variant = self.trees.variants[index];
            let kind = self.model.variants[index].of;
            let items = self.merged(kind, variant);
            self.code.in_variant = true;
            self.open_inbox(kind, &items);
            self.model.variants[index].body = self.body(kind, &items, &variant.name.text);
        }
        self.code.in_variant = false;
    }

    /// Warns about messages that are sent to a kind without code for them.
    pub(crate) fn unhandled(&mut self) {
        // An item that is not implemented may handle the message, so there are no warnings.
        let sends = std::mem::take(&mut self.code.sends);
        let understood = |d: &Diagnostic| d.code != codes::NOT_IN_THIS_VERSION;
        if !self.diagnostics.iter().all(understood) {
            return;
        }
        for sending in sends.iter().filter(|s| !s.in_variant) {
            let (Some(message), Some(kind)) = (sending.message, sending.to) else {
                continue;
            };
            let body = &self.model.kind(kind).body;
            if handles(body, message) || body.reads_inbox() {
                continue;
            }
            let (kind, message) = (
                &self.model.kind(kind).name,
                &self.model.message(message).name,
            );
            let diagnostic = Diagnostic::warning(
                codes::UNHANDLED_MESSAGE,
                sending.span,
                format!("`{message}` is sent to nodes of `{kind}`, which have no `on {message}`"),
            )
            .note(format!("when it arrives, that is an error; write `on {message} {{ … }}` or `ignore {message}`"));
            self.report(diagnostic);
        }
    }

    pub(crate) fn kind_named(&mut self, name: &Name) -> Option<KindId> {
        match self.globals.get(&name.text) {
            Some(Global::Kind(id)) => Some(*id),
            _ => {
                let known: Vec<String> = self.model.kinds.iter().map(|k| k.name.clone()).collect();
                self.report(unknown(codes::UNKNOWN_KIND, "kind of node", name, &known));
                None
            }
        }
    }

    pub(crate) fn variant_named(&mut self, name: &Name) -> Option<VariantId> {
        let found = self.model.variants.iter().position(|v| v.name == name.text);
        if let Some(index) = found {
            return Some(VariantId(index as u32));
        }
        // A variant of an unknown kind is not in the Model; this has been reported at its declaration.
        let written = self
            .trees
            .file
            .items
            .iter()
            .any(|i| matches!(i, Item::Variant(v) if v.name.text == name.text));
        if !written {
            let known: Vec<String> = self.model.variants.iter().map(|v| v.name.clone()).collect();
            self.report(unknown(codes::UNKNOWN_VARIANT, "variant", name, &known));
        }
        None
    }

    fn add_fields(
        &mut self,
        kind: KindId,
        items: &'a [NodeItem],
        owner: &Name,
        variant: Option<&Name>,
    ) {
        let mut here: Vec<&Name> = Vec::new();
        for item in items {
            cancellation::poll();
            let (name, ty, role) = match item {
                NodeItem::Constant(c) => (&c.name, &c.ty, FieldRole::Constant),
                NodeItem::Var(v) if v.ghost => (&v.name, &v.ty, FieldRole::Ghost),
                NodeItem::Var(v) => (&v.name, &v.ty, FieldRole::Variable),
                NodeItem::Timer(name, over) => {
                    if let Some(first) = here.iter().find(|n| n.text == name.text) {
                        let (first, place) = (first.span, format!("in `{}`", owner.text));
                        self.duplicate(name, first, &place);
                        continue;
                    }
                    here.push(name);
                    self.add_timer(kind, name, over.as_ref(), variant);
                    continue;
                }
                _ => continue,
            };
            if let Some(first) = here.iter().find(|n| n.text == name.text) {
                let (first, place) = (first.span, format!("in `{}`", owner.text));
                self.duplicate(name, first, &place);
                continue;
            }
            here.push(name);
            if NODE_WORDS.contains(&name.text.as_str()) {
                self.error(
                    codes::DUPLICATE_NAME,
                    name.span,
                    format!(
                        "every node has `{}` already, for claims: choose another name",
                        name.text
                    ),
                );
                // The field is declared nevertheless, so that its uses are not reported.
            }
            let checked = self.type_of(ty);
            if checked.has_duration() {
                self.refuse(ty.span, "times that a node keeps");
            }
            self.add_field(kind, name, checked, role, variant);
        }
    }

    fn add_field(
        &mut self,
        kind: KindId,
        name: &Name,
        ty: Type,
        role: FieldRole,
        variant: Option<&Name>,
    ) {
        let mut timers = self.model.kind(kind).timers.iter();
        if let Some(timer) = timers.find(|t| t.name == name.text) {
            let (first, owner) = (timer.span, self.model.kind(kind).name.clone());
            self.duplicate(name, first, &format!("in `{owner}`"));
            return;
        }
        let fields = &mut self.model.kinds[kind.index()].fields;
        let Some(known) = fields.iter().find(|f| f.name == name.text) else {
            fields.push(Field {
                name: name.text.clone(),
                ty,
                role,
                span: name.span,
            });
            return;
        };
        let fits = known.role == role && known.ty.join(&ty).is_some();
        if let Some(variant) = variant.filter(|_| !fits) {
            let (first, words) = (known.span, (known.ty.clone(), role));
            let text = format!(
                "claims name `{}` whatever the variant: in `{}` it would be {}, elsewhere it is {}",
                name.text,
                variant.text,
                self.model.words(&ty),
                self.model.words(&words.0)
            );
            self.report(
                Diagnostic::error(codes::VARIANT_CHANGES_TYPE, name.span, text)
                    .other(first, "elsewhere")
                    .note("a variant may change the range and first value of a variable; for another kind of value choose another name"),
            );
        }
    }

    /// The items of a kind after the replacements, additions and removals of a variant.
    fn merged(&mut self, kind: KindId, variant: &'a ast::Variant) -> Vec<&'a NodeItem> {
        let base = &self.kind_tree(kind).items;
        let mut gone: Vec<Key<'a>> = Vec::new();
        for item in &variant.items {
            if let NodeItem::Without(head, span) = item {
                let key = head_key(head);
                if !base.iter().any(|b| item_key(b).as_ref() == Some(&key)) {
                    let text = format!(
                        "`{}` has no such block: there is nothing to leave out",
                        self.model.kind(kind).name
                    );
                    self.error(codes::UNKNOWN_BLOCK, *span, text);
                }
                gone.push(key);
            } else if let Some(key) = item_key(item) {
                gone.push(key);
            }
        }
        let kept = base
            .iter()
            .filter(|item| item_key(item).is_none_or(|key| !gone.contains(&key)));
        let added = variant
            .items
            .iter()
            .filter(|item| !matches!(item, NodeItem::Without(..)));
        kept.chain(added).collect()
    }

    fn body(&mut self, kind: KindId, items: &[&'a NodeItem], owner: &str) -> Body {
        let mut fields: Vec<FieldId> = Vec::new();
        let mut timers: Vec<TimerId> = Vec::new();
        for item in items {
            cancellation::poll();
            match item {
                NodeItem::Constant(ast::Constant { name, .. })
                | NodeItem::Var(ast::Var { name, .. }) => {
                    let field = self.model.field_named(kind, &name.text);
                    fields.extend(field.filter(|f| !fields.contains(f)));
                }
                NodeItem::Timer(name, _) => {
                    let timer = self.timer_of(kind, &name.text);
                    timers.extend(timer.filter(|t| !timers.contains(t)));
                }
                _ => {}
            }
        }
        let scope = |place| Scope::of_node(place, fields.clone(), timers.clone());
        let mut body = Body {
            timers: timers.clone(),
            ..Body::default()
        };
        let mut blocks: Vec<(Key<'a>, Span)> = Vec::new();
        self.open_actions(items);
        for item in items {
            match item {
                NodeItem::Constant(c) => self.constant(kind, c, &mut body),
                NodeItem::Var(v) => {
                    let var = self.variable(kind, v, scope(Place::First(kind)));
                    body.vars.extend(var);
                }
                NodeItem::Timer(..) => {}
                NodeItem::Action { name, .. } => {
                    self.once(
                        kind,
                        Key::Action(&name.text),
                        name.span,
                        &mut blocks,
                        owner,
                        false,
                    );
                }
                NodeItem::Ignore(name) => {
                    let message = self.message_named(name);
                    body.ignored.extend(message);
                    self.once(
                        kind,
                        Key::On(&name.text),
                        name.span,
                        &mut blocks,
                        owner,
                        true,
                    );
                }
                NodeItem::Without(_, span) => self.error(
                    codes::UNKNOWN_BLOCK,
                    *span,
                    "`without` is for variants: here the block can simply be left out",
                ),
                NodeItem::Block(block) => {
                    let ignoring = false;
                    let key = head_key(&block.head);
                    self.once(kind, key, block.head_span, &mut blocks, owner, ignoring);
                    let block = self.block(kind, block, scope(Place::Code(kind)));
                    body.blocks.extend(block);
                }
            }
        }
        self.close_actions(kind, &scope(Place::Code(kind)));
        body
    }

    /// Reports a block, action or `ignore` that contradicts an earlier one with the same key.
    fn once(
        &mut self,
        kind: KindId,
        key: Key<'a>,
        span: Span,
        seen: &mut Vec<(Key<'a>, Span)>,
        owner: &str,
        ignoring: bool,
    ) {
        cancellation::poll();
        if let Some((_, first)) = seen.iter().find(|(k, _)| *k == key) {
            let text = match key {
                Key::Start => Some(format!("`{owner}` starts twice")),
                Key::Every => Some(format!("`{owner}` has two rhythms: `every` can stand once")),
                Key::When(name) => Some(format!("`{owner}` has two blocks `when {name}`")),
                Key::Action(name) => Some(format!("`{owner}` has two actions `{name}`")),
                Key::On(name) if self.timer_of(kind, name).is_some() => Some(format!(
                    "`{owner}` has two blocks `on {name}`: when a timer expires, one of them runs"
                )),
                Key::On(name) if ignoring => Some(format!(
                    "`{owner}` both ignores `{name}` and does something with it"
                )),
                _ => None,
            };
            let first = *first;
            if let Some(text) = text {
                self.report(
                    Diagnostic::error(codes::BLOCK_TWICE, span, text).other(first, "first here"),
                );
            }
        }
        seen.push((key, span));
    }

    fn constant(&mut self, kind: KindId, constant: &ast::Constant, body: &mut Body) {
        let domain = self.domain_of(&constant.ty);
        let Some(field) = self.model.field_named(kind, &constant.name.text) else {
            return;
        };
        if body.constants.iter().any(|c| c.field == field) {
            return;
        }
        if self.misplaced_counter(&domain, constant.name.span, "a constant of a node") {
            return;
        }
        if domain == crate::Domain::Id
            && let Some(first) = body.constants.iter().find(|c| c.domain == domain)
        {
            let first = first.span;
            self.report(
                Diagnostic::error(
                    codes::TWO_IDS,
                    constant.name.span,
                    "a node has one id, and this would be its second",
                )
                .other(first, "the first")
                .note("for another number that a node knows from the start use a range such as `1..9`"),
            );
            return;
        }
        body.constants.push(NodeConstant {
            field,
            domain,
            span: constant.name.span,
        });
    }

    fn variable(&mut self, kind: KindId, var: &ast::Var, mut scope: Scope) -> Option<Var> {
        let domain = self.domain_of(&var.ty);
        let field = self.model.field_named(kind, &var.name.text)?;
        let ty = domain.ty();
        let holder = format!("`{}` is", var.name.text);
        self.counters_are_numbers = true;
        let start = match &var.init.kind {
            ast::ExprKind::Any(None) => {
                self.any_counter(&domain, var);
                VarStart::Any
            }
            ast::ExprKind::Any(Some(set)) => {
                let wanted = Type::Set(Box::new(ty));
                let holder = format!("what `{}` begins with is", var.name.text);
                VarStart::AnyIn(self.check(set, &mut scope, &wanted, &holder))
            }
            _ => {
                let value = self.check(&var.init, &mut scope, &ty, &holder);
                self.certain_range(&value, &domain, &holder);
                VarStart::Value(value)
            }
        };
        self.counters_are_numbers = false;
        Some(Var {
            field,
            domain,
            start,
            persistent: var.persistent,
            span: var.name.span,
        })
    }
}

/// Whether a kind has an `on` block for messages of a type, or ignores them.
pub(crate) fn handles(body: &Body, message: MessageId) -> bool {
    let on = |b: &Block| matches!(b.head, Head::On { message: m, .. } if m == message);
    body.ignored.contains(&message) || body.blocks.iter().any(on)
}

fn head_key(head: &BlockHead) -> Key<'_> {
    match head {
        BlockHead::Start => Key::Start,
        BlockHead::Every(_) => Key::Every,
        BlockHead::On { name, .. } => Key::On(&name.text),
        BlockHead::When(name, _) => Key::When(&name.text),
        BlockHead::Action(name) => Key::Action(&name.text),
    }
}

fn item_key(item: &NodeItem) -> Option<Key<'_>> {
    Some(match item {
        NodeItem::Constant(ast::Constant { name, .. }) | NodeItem::Var(ast::Var { name, .. }) => {
            Key::Field(&name.text)
        }
        NodeItem::Timer(name, _) => Key::Timer(&name.text),
        NodeItem::Block(block) => head_key(&block.head),
        NodeItem::Action { name, .. } => Key::Action(&name.text),
        NodeItem::Ignore(name) => Key::On(&name.text),
        NodeItem::Without(..) => return None,
    })
}
