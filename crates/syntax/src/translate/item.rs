//! Translates items and types from the lossless tree to the AST.

use super::{Reader, child, has_word};
use crate::ast::{
    Claim, Enum, Every, Expr, ExprKind, Field, Fn, Item, Jitter, Let, Param, Parameter, Struct,
    Timing, Type, TypeKind, World,
};
use crate::lexical::kind::{SyntaxKind, SyntaxNode};
use source::Span;

impl Reader<'_> {
    /// The items in a file or a world.
    pub(super) fn items(&mut self, node: &SyntaxNode) -> Vec<Item> {
        node.children()
            .filter_map(|item| self.item(&item))
            .collect()
    }

    fn item(&mut self, node: &SyntaxNode) -> Option<Item> {
        cancellation::poll();
        let span = self.span(node);
        Some(match node.kind() {
            SyntaxKind::Param => Item::Param(Param {
                name: self.name(node)?,
                ty: self.maybe_type(node, 0),
                value: self.nth_expression(node, 0),
                span,
            }),
            SyntaxKind::Let => Item::Let(Let {
                name: self.name(node)?,
                value: self.nth_expression(node, 0),
                span,
            }),
            SyntaxKind::Fn => Item::Fn(Fn {
                name: self.name(node)?,
                parameters: self.parameters(node),
                result: self.maybe_type(node, 0),
                body: self.nth_expression(node, 0),
                span,
            }),
            SyntaxKind::Enum => Item::Enum(Enum {
                name: self.name(node)?,
                values: child(node, SyntaxKind::Fields)
                    .map_or(Vec::new(), |fields| self.names(&fields)),
                span,
            }),
            SyntaxKind::Struct => Item::Struct(self.structure_item(node)?),
            SyntaxKind::Message => Item::Message(self.structure_item(node)?),
            SyntaxKind::Timing => Item::Timing(Timing {
                name: self.name(node)?,
                every: self.every(node),
                span,
            }),
            SyntaxKind::Node => Item::Node(self.node(node)?),
            SyntaxKind::Variant => Item::Variant(self.variant(node)?),
            SyntaxKind::Network => Item::Network(self.network(node)?),
            SyntaxKind::Faults => Item::Faults(self.faults(node)?),
            SyntaxKind::Initially => Item::Initially(self.nth_expression(node, 0)),
            SyntaxKind::Claim => Item::Claim(Claim {
                name: self.name(node)?,
                parameters: self.parameters(node),
                formula: self.nth_expression(node, 0),
                span,
            }),
            SyntaxKind::World => Item::World(World {
                name: self.name(node)?,
                items: child(node, SyntaxKind::WorldBody)
                    .map_or(Vec::new(), |body| self.items(&body)),
                span,
            }),
            SyntaxKind::Check => Item::Check(self.check(node)),
            _ => return None,
        })
    }

    fn structure_item(&mut self, node: &SyntaxNode) -> Option<Struct> {
        let fields = child(node, SyntaxKind::Fields)
            .into_iter()
            .flat_map(|fields| fields.children())
            .filter(|field| field.kind() == SyntaxKind::Field)
            .filter_map(|field| {
                Some(Field {
                    name: self.name(&field)?,
                    ty: self.nth_type(&field, 0),
                })
            })
            .collect();
        Some(Struct {
            name: self.name(node)?,
            fields,
            span: self.span(node),
        })
    }

    /// The parameters `(a: T, …)` of a claim, function or action.
    pub(super) fn parameters(&mut self, node: &SyntaxNode) -> Vec<Parameter> {
        child(node, SyntaxKind::Parameters)
            .into_iter()
            .flat_map(|parameters| parameters.children())
            .filter(|parameter| parameter.kind() == SyntaxKind::Parameter)
            .filter_map(|parameter| {
                Some(Parameter {
                    name: self.name(&parameter)?,
                    ty: self.nth_type(&parameter, 0),
                })
            })
            .collect()
    }

    /// The n-th type among the children of a node; `Error` if it is missing.
    pub(super) fn nth_type(&mut self, node: &SyntaxNode, n: usize) -> Type {
        self.maybe_type(node, n).unwrap_or_else(|| {
            let end = self.span(node).end;
            Type {
                kind: TypeKind::Error,
                span: Span::new(self.file, end, end),
            }
        })
    }

    /// The n-th type among the children of a node, if there is one.
    pub(super) fn maybe_type(&mut self, node: &SyntaxNode, n: usize) -> Option<Type> {
        let found = node
            .children()
            .filter(|child| child.kind().is_type())
            .nth(n)?;
        Some(self.ty(&found))
    }

    fn ty(&mut self, node: &SyntaxNode) -> Type {
        let kind = match node.kind() {
            SyntaxKind::NameType => super::word(node).map_or(TypeKind::Error, |token| {
                TypeKind::Name(self.token_name(&token))
            }),
            // If the second end is missing, the intended type is unknown.
            SyntaxKind::RangeType if super::expressions(node).count() < 2 => TypeKind::Error,
            SyntaxKind::RangeType => {
                let low = self.nth_expression(node, 0);
                TypeKind::Range(Box::new(low), Box::new(self.nth_expression(node, 1)))
            }
            SyntaxKind::OptionType => TypeKind::Option(Box::new(self.nth_type(node, 0))),
            SyntaxKind::SetType => TypeKind::Set(Box::new(self.nth_type(node, 0))),
            SyntaxKind::ArrayType => {
                let element = self.nth_type(node, 0);
                TypeKind::Array(Box::new(element), Box::new(self.nth_type(node, 1)))
            }
            _ => TypeKind::Error,
        };
        Type {
            kind,
            span: self.span(node),
        }
    }

    /// The timing after `every` or `timing t:`.
    pub(super) fn every(&mut self, node: &SyntaxNode) -> Every {
        let Some(every) = child(node, SyntaxKind::Every) else {
            return Every::Gap {
                interval: self.nth_expression(node, 0),
                fixed: false,
                jitter: None,
                first: None,
                span: self.span(node),
            };
        };
        let interval = self.nth_expression(&every, 0);
        let fixed = has_word(&every, "fixed");
        let jitter = child(&every, SyntaxKind::Jitter).map(|jitter| Jitter {
            amount: self.nth_expression(&jitter, 0),
            on_the_grid: has_word(&jitter, "grid"),
            span: self.span(&jitter),
        });
        let first = child(&every, SyntaxKind::First).map(|first| self.nth_expression(&first, 0));
        let span = self.span(&every);
        if fixed || jitter.is_some() || first.is_some() {
            return Every::Gap {
                interval,
                fixed,
                jitter,
                first,
                span,
            };
        }
        plain(interval, span)
    }
}

/// A timing that consists of one expression. Here `any`, `round` and a name are not values but timings.
fn plain(interval: Expr, span: Span) -> Every {
    match interval.kind {
        ExprKind::Any(None) => Every::Any(span),
        ExprKind::Name(name) if name.text == "round" => Every::Round(None, span),
        ExprKind::Name(name) => Every::Named(name),
        ExprKind::Call(name, mut arguments) if name.text == "round" && arguments.len() == 1 => {
            Every::Round(arguments.pop(), span)
        }
        _ => Every::Gap {
            interval,
            fixed: false,
            jitter: None,
            first: None,
            span,
        },
    }
}
