//! What of each node can make a difference to the properties, for one choice of what is rigid.
//!
//! *What.* Like the pass over variables, but for each node by itself: a property may look at a variable of one node
//! only, and what a mute node computes reaches nobody. The Machine stays as it is; an engine is told which
//! variables, inboxes and statements of a node it may leave out.
//!
//! *When.* A condition that reads a variable of a certain node needs it there; of any other it needs it
//! everywhere. Code that has to stay needs what it reads, of its own node, or of all nodes where it looks at another.
//! A `send` has to stay, unless the node cannot send and the statement is never an error. Of a node that
//! is off nothing runs. What goes is never an error: values are always there and within their types.
//!
//! *Why it is exact.* As for the pass over variables: what is left reads nothing of what goes, so events, picks,
//! messages that have an effect and conditions are the same whatever the values of what goes are.

use crate::sites::{Site, conditions, guard};
use crate::vars::{Code, Needed, begins_somehow};
use machine::{BlockId, Expr, Fault, Machine, NodeId, Rigid, Stmt, Value, VarId};
use verdict::Relevant;

/// What of each node can make a difference to the properties of a Machine.
pub fn relevant(machine: &Machine, rigid: &Rigid) -> Vec<Relevant> {
    let mut all: Vec<Needed> = machine.nodes().map(|_| Needed::default()).collect();
    for (v, var) in machine.vars.iter().enumerate() {
        if !begins_somehow(machine, var) {
            everywhere(machine, &mut all, VarId(v as u32));
        }
    }
    conditions(machine, &mut |_, condition| {
        condition.walk(&mut |e| match e {
            Expr::Var(var, node) => match node.bare() {
                Expr::Const(Value::Node(node)) => drop(all[node.index()].vars.insert(*var)),
                _ => everywhere(machine, &mut all, *var),
            },
            Expr::Inbox(_, node) | Expr::Senders(_, node) => match node.bare() {
                Expr::Const(Value::Node(node)) => all[node.index()].inbox = true,
                _ => all.iter_mut().for_each(|needed| needed.inbox = true),
            },
            _ => {}
        });
    });
    loop {
        let before = size(&all);
        for node in machine.nodes() {
            let needed = &mut all[node.index()];
            for (b, code) in blocks(machine, rigid, node) {
                if let Some(guard) = guard(&machine.blocks[b]) {
                    needed.reads(&code, guard);
                }
                code.look(needed, &machine.blocks[b].body);
            }
            let elsewhere = std::mem::take(&mut needed.elsewhere);
            if std::mem::take(&mut needed.inboxes_elsewhere) {
                all.iter_mut().for_each(|needed| needed.inbox = true);
            }
            for var in elsewhere {
                everywhere(machine, &mut all, var);
            }
        }
        if size(&all) == before {
            break;
        }
    }
    let nodes = machine.nodes().zip(&all);
    nodes
        .map(|(node, needed)| said(machine, rigid, node, needed))
        .collect()
}

/// The blocks of a node that can run.
fn blocks<'m>(
    machine: &'m Machine,
    rigid: &Rigid,
    node: NodeId,
) -> impl Iterator<Item = (usize, Code<'m>)> {
    let fault = rigid.fault(node);
    let can_send = fault.is_none_or(Fault::can_send);
    let kind = machine.kind_of(node);
    let runs = fault != Some(Fault::Off);
    let blocks = machine.blocks.iter().enumerate();
    let blocks = blocks.filter(move |(_, block)| runs && block.kind == kind);
    blocks.map(move |(b, block)| {
        let code = Code {
            site: Site::block(machine, block),
            block: b,
            can_send,
        };
        (b, code)
    })
}

fn everywhere(machine: &Machine, all: &mut [Needed], var: VarId) {
    for node in machine.nodes_of(machine.vars[var.index()].kind) {
        all[node.index()].vars.insert(var);
    }
}

fn size(all: &[Needed]) -> usize {
    let sizes = all
        .iter()
        .map(|needed| needed.vars.len() + needed.locals.len() + usize::from(needed.inbox));
    sizes.sum()
}

fn said(machine: &Machine, rigid: &Rigid, node: NodeId, needed: &Needed) -> Relevant {
    let kind = machine.kind_of(node);
    let vars = machine.vars.iter().enumerate();
    let vars = vars.filter(|(_, var)| var.kind == kind);
    let code = blocks(machine, rigid, node).map(|(b, code)| {
        let mut needed = needed.clone();
        let stays = &mut |s: &Stmt| code.stays(&mut needed, s);
        (
            BlockId(b as u32),
            Stmt::retain(&machine.blocks[b].body, stays),
        )
    });
    Relevant {
        vars: vars
            .map(|(v, _)| needed.vars.contains(&VarId(v as u32)))
            .collect(),
        inbox: needed.inbox,
        code: code.collect(),
    }
}
