//! Deadlines of open Machines: one bounded-response obligation for each choice of the nodes that a deadline names.
//!
//! In the base, a response is a template: its first locals are the nodes that the quantifiers around the deadline bind,
//! outermost first. At one size each template becomes one response for each choice of these nodes, and the quantifiers
//! become conjunctions.

use crate::{
    BinaryOp, Expr, Formula, LocalId, Machine, NodeId, PropertyKind, Quantifier, Response,
    ResponseId, Scope,
};

/// Replaces the templates of `machine` by their responses. The kinds of `machine` already have their numbers of nodes.
/// `names` has, for each template, the number of nodes that it names.
pub(crate) fn expand(machine: &mut Machine, names: &[u32]) {
    let templates = std::mem::take(&mut machine.responses);
    let mut properties = std::mem::take(&mut machine.properties);
    let mut expansion = Expansion {
        machine,
        templates: &templates,
        names,
        responses: Vec::new(),
    };
    for property in &mut properties {
        if let PropertyKind::Claim(claim) = &mut property.kind
            && has_deadline(claim)
        {
            *claim = claim.with_exprs(&mut |e| expansion.expr(e, &mut Vec::new()));
            property.scope = Scope::default();
        }
    }
    let responses = expansion.responses;
    machine.properties = properties;
    machine.responses = responses;
}

fn has_deadline(claim: &Formula) -> bool {
    let mut found = false;
    claim.walk_exprs(&mut |e| found |= matches!(e, Expr::Overdue(_)));
    found
}

struct Expansion<'m> {
    machine: &'m Machine,
    templates: &'m [Response],
    names: &'m [u32],
    responses: Vec<Response>,
}

impl Expansion<'_> {
    /// The expansion of a part of a condition; `values` are the values of the quantifiers around it, outermost first.
    fn expr(&mut self, e: &Expr, values: &mut Vec<NodeId>) -> Expr {
        let mut found = false;
        e.walk(&mut |part| found |= matches!(part, Expr::Overdue(_)));
        match e {
            _ if !found => e.clone(),
            Expr::Overdue(template) => Expr::Overdue(self.response(*template, values)),
            Expr::Quantified(Quantifier::All, _, domain, body) => {
                let nodes: Vec<NodeId> = match **domain {
                    Expr::Nodes(Some(kind)) => self.machine.nodes_of(kind).collect(),
                    _ => self.machine.nodes().collect(),
                };
                let one = |value: NodeId| {
                    values.push(value);
                    let one = self.expr(body, values);
                    values.pop();
                    one
                };
                let all = nodes.into_iter().map(one);
                let all = all.reduce(|a, b| a.binary(BinaryOp::And, b));
                all.unwrap_or(Expr::bool(true))
            }
            _ => e.with_parts(&mut |part| self.expr(part, values)),
        }
    }

    /// The response of a template for these nodes.
    fn response(&mut self, template: ResponseId, values: &[NodeId]) -> ResponseId {
        let id = ResponseId(self.responses.len() as u32);
        let Some(response) = self.templates.get(template.index()) else {
            return template;
        };
        let about = self.names.get(template.index()).map_or(0, |n| *n as usize);
        let values = &values[..about.min(values.len())];
        let locals = response.scope.locals.iter().skip(values.len());
        self.responses.push(Response {
            scope: Scope {
                locals: locals.cloned().collect(),
            },
            from: about_nodes(&response.from, values),
            to: about_nodes(&response.to, values),
            within: response.within.clone(),
        });
        id
    }
}

/// The expression with its first locals replaced by nodes, and the others renumbered.
fn about_nodes(e: &Expr, nodes: &[NodeId]) -> Expr {
    let inner = |e: &Expr| Box::new(about_nodes(e, nodes));
    let renumbered = |local: &LocalId| LocalId(local.0.saturating_sub(nodes.len() as u32));
    match e {
        Expr::Local(local) => match nodes.get(local.index()) {
            Some(node) => Expr::node(*node),
            None => Expr::Local(renumbered(local)),
        },
        Expr::Let(local, a, b) => Expr::Let(renumbered(local), inner(a), inner(b)),
        Expr::Filter(local, a, b) => Expr::Filter(renumbered(local), inner(a), inner(b)),
        Expr::Quantified(q, local, a, b) => {
            Expr::Quantified(*q, renumbered(local), inner(a), inner(b))
        }
        Expr::Extremum(largest, local, a, b) => {
            Expr::Extremum(*largest, renumbered(local), inner(a), inner(b))
        }
        _ => e.with_parts(&mut |part| about_nodes(part, nodes)),
    }
}
