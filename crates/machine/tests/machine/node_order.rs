//! Dependence on the order of nodes: a broadcast over bounded channels sends its messages in node order.

use machine::{NodeOrderUse, depends_on_node_numbering, node_numbering_use, parse, verify};

/// Whether a Machine in which clerks send messages to ledgers depends on the order of nodes.
fn clerks(ledgers: u32, channel: &str, to: &str) -> bool {
    let clerk = ledgers + 1;
    let edges = (1..=ledgers).flat_map(|l| (clerk..clerk + 3).map(move |c| format!("({c} {l})")));
    let edges: Vec<String> = edges.collect();
    let text = format!(
        "(message Stamp)
         (kind Ledger {ledgers})
         (kind Clerk 3)
         (edges {})
         (channel {channel})
         (var Clerk left (int 0 1) (is 1))
         (block Ledger \"on Stamp\" (on Stamp) (locals (self node) (s (record Stamp)) (sender node)))
         (block Clerk \"when stamp\"
           (when (> (var left self) 0))
           (locals (self node))
           (:= left 0)
           (send (new Stamp) {to}))",
        edges.join(" ")
    );
    let machine = parse(&text).unwrap_or_else(|e| panic!("{}: {}\n{text}", e.line, e.expected));
    verify(&machine).unwrap_or_else(|e| panic!("{e}\n{text}"));
    depends_on_node_numbering(&machine)
}

#[test]
fn several_receivers_are_served_in_order_where_channels_may_be_full() {
    assert!(clerks(2, "fifo 1", "(nodes Ledger)"));
    assert!(clerks(2, "fifo 1", "(neighbours self)"));
    assert!(!clerks(2, "fifo", "(nodes Ledger)"));
    assert!(!clerks(2, "unordered", "(nodes Ledger)"));
}

#[test]
fn one_receiver_is_served_in_no_order() {
    assert!(!clerks(1, "fifo 1", "(nodes Ledger)"));
    assert!(!clerks(1, "fifo 1", "(set node (node 1))"));
    // The analysis does not use the network to bound the number of neighbours.
    assert!(clerks(1, "fifo 1", "(neighbours self)"));
}

/// What uses the order of nodes in a claim about two kinds of nodes.
fn claimed(condition: &str) -> Option<NodeOrderUse> {
    let text = format!(
        "(kind Root 1)
         (kind Worker 3)
         (var Root n (int 0 3) (is 0))
         (var Worker w (int 0 3) (is 0))
         (var Worker log (array (int 1 2) (int 0 3)) (is (fill (int 1 2) 0)))
         (block Worker \"step\" (when (< (var w self) 3)) (locals (self node)) (:= w (+ (var w self) 1)))
         (claim c (locals (k node) (i (int 0 3))) (always (state {condition})))"
    );
    let machine = parse(&text).unwrap_or_else(|e| panic!("{}: {}\n{text}", e.line, e.expected));
    verify(&machine).unwrap_or_else(|e| panic!("{e}\n{text}"));
    node_numbering_use(&machine)
}

#[test]
fn a_constant_node_has_a_known_kind() {
    let of_root = "(all k (nodes Worker) (<= (var n (node 1)) (var w k)))";
    assert_eq!(claimed(of_root), None);
    let of_any = "(all k (nodes) (<= (var n (node 1)) (var w k)))";
    assert_eq!(claimed(of_any), Some(NodeOrderUse::CrossKindRead));
}

#[test]
fn an_index_inside_the_array_is_no_error() {
    let at = |index: &str| {
        format!("(all k (nodes Worker) (<= (index (int 1 2) (var log k) {index}) (var w k)))")
    };
    assert_eq!(claimed(&at("1")), None);
    assert_eq!(claimed(&at("2")), None);
    let partial = Some(NodeOrderUse::PartialCondition(None));
    assert_eq!(claimed(&at("3")), partial);
    assert_eq!(claimed(&at("(var w k)")), partial);
    let each = |range: &str| {
        format!("(all k (nodes Worker) (all i {range} (<= (index (int 1 2) (var log k) i) 3)))")
    };
    assert_eq!(claimed(&each("(.. 1 2)")), None);
    assert_eq!(claimed(&each("(.. 2 2)")), None);
    assert_eq!(claimed(&each("(.. 0 2)")), partial);
    assert_eq!(claimed(&each("(.. 1 3)")), partial);
    assert_eq!(claimed(&each("(.. 1 (var w k))")), partial);
}
