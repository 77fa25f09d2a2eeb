//! The verifier of open Machines.
//!
//! A verified open Machine satisfies:
//! 1. The least size is at least 1. At least one kind is open; open kinds are listed once each, in ascending order, and
//!    have no nodes in the base.
//! 2. The base has no ids, no edges, and functions between nodes without values; there is one rule for each function,
//!    one number for each response, and one limit for each fault group. The base has the same limits, if they are
//!    fixed. In a limit `AllBut(c)`, c is at most the least size.
//! 3. Only expressions with a value at every size (unless it overflows) are marked: integers, numbers of nodes of open
//!    kinds, and their negations, sums, differences, products, minima, maxima, and quotients and remainders by
//!    constants other than 0.
//! 4. No frozen variable of an open kind has given values, and constants in the base name only nodes before the first
//!    open kind.
//! 5. The Machines at the least size and the next two are well formed.

use crate::open::structure::{OpenMachine, SIZE};
use crate::verify::verifier::{TypeError, require, verify};
use crate::{BinaryOp, Expr, KindId, Order, UnaryOp, Value};

/// Checks that an open Machine is well formed; the module documentation lists the invariants.
pub fn verify_open(open: &OpenMachine) -> Result<(), TypeError> {
    let base = &open.base;
    let says = |text: &str| text.to_string();
    require(open.size.least >= 1, || says("a size that begins at 0"))?;
    require(!open.open.is_empty(), || says("no open kind"))?;
    require(open.open.windows(2).all(|pair| pair[0] < pair[1]), || {
        says("open kinds that are not in order, each once")
    })?;
    for kind in &open.open {
        let count = base.kinds.get(kind.index()).map(|kind| kind.count);
        require(count == Some(0), || {
            says("an open kind that is none, or has nodes in the base")
        })?;
    }
    require(base.ids == 0 && base.edges.is_empty(), || {
        says("a base with ids or edges")
    })?;
    require(
        base.maps.len() == open.maps.len() && base.maps.iter().all(|map| map.to.is_empty()),
        || says("functions between nodes that do not match their rules"),
    )?;
    let limits = base.node_faults.iter().map(|fault| fault.limit);
    let runtime = base.runtime_faults.iter().map(|fault| fault.limit);
    let in_base = |limits: &[crate::OpenLimit]| -> Vec<Option<u32>> {
        limits.iter().map(|limit| limit.at_every_size()).collect()
    };
    require(
        limits.eq(in_base(&open.limits)) && runtime.eq(in_base(&open.runtime_limits)),
        || says("limits of faults that the base does not repeat"),
    )?;
    require(open.deadlines.len() == base.responses.len(), || {
        says("deadlines that do not match the responses")
    })?;
    for limit in open.limits.iter().chain(&open.runtime_limits) {
        if let crate::OpenLimit::AllBut(without) = limit {
            require(*without <= open.size.least, || {
                says("a limit that is negative at the least size")
            })?;
        }
    }
    for frozen in &base.frozen_vars {
        require(
            !open.open.contains(&frozen.kind) || !matches!(frozen.order, Order::Given(_)),
            || format!("{}: given values at every size", frozen.name),
        )?;
    }
    verify_marks(open)?;
    let most = crate::MOST_NODES / open.open.len() as u32;
    for n in open.size.least..=open.size.least.saturating_add(2) {
        require(n <= most, || says("more nodes than a Machine can have"))?;
        verify(&open.at(n)).map_err(|e| TypeError(format!("with {n}: {e}")))?;
    }
    Ok(())
}

/// Checks the marked expressions and the named nodes.
fn verify_marks(open: &OpenMachine) -> Result<(), TypeError> {
    let mut wrong: Option<&str> = None;
    let nodes = open.base.node_count();
    let first_open = open.open[0].index();
    let before: u32 = open.base.kinds[..first_open].iter().map(|k| k.count).sum();
    open.base.each_expr(&mut |e| match e {
        Expr::At(SIZE, inner) if !has_value(inner, &open.open) => {
            wrong = Some("a mark of the size at an expression without a value at every size");
        }
        // Nodes after the first open kind have other numbers at other sizes.
        Expr::Const(Value::Node(node)) if node.0 >= before.min(nodes) => {
            wrong = Some("a node whose number depends on the size");
        }
        _ => {}
    });
    match wrong {
        Some(text) => Err(TypeError(text.into())),
        None => Ok(()),
    }
}

/// Whether an expression may be marked: it has a value at every size, unless it overflows.
fn has_value(e: &Expr, open: &[KindId]) -> bool {
    match e {
        Expr::At(_, inner) => has_value(inner, open),
        Expr::Const(Value::Int(_)) => true,
        Expr::Unary(UnaryOp::Size, set) => {
            matches!(**set, Expr::Nodes(Some(kind)) if open.contains(&kind))
        }
        Expr::Unary(UnaryOp::Neg, a) => has_value(a, open),
        Expr::Binary(op, a, b) => {
            let divides = matches!(op, BinaryOp::FloorDiv | BinaryOp::CeilDiv | BinaryOp::Mod);
            let arithmetic = matches!(
                op,
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Min | BinaryOp::Max
            );
            let divisor = matches!(b.bare(), Expr::Const(Value::Int(i)) if *i != 0);
            (arithmetic || divides && divisor) && has_value(a, open) && has_value(b, open)
        }
        _ => false,
    }
}
