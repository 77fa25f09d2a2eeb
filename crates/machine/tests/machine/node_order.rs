//! Dependence on the order of nodes: a broadcast over bounded channels serves its receivers in node order.

use machine::{depends_on_node_numbering, parse, verify};

/// Whether a Machine in which clerks send to a number of ledgers depends on the order of nodes.
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
    // The number of neighbours is a property of the network, not of the expression.
    assert!(clerks(1, "fifo 1", "(neighbours self)"));
}
