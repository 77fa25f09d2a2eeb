//! Protocols that are not among the published studies, by every method on circuits: proofs and counterexamples.

use crate::circuits::{agreed, by, machines};
use invariants::Method;

/// The answers of BMC, k-induction, PDR and all of them in turn, to the claims of a check; one element per instance.
fn each(text: &str, check: usize) -> Vec<[String; 4]> {
    let methods = [
        Some(Method::Bmc),
        Some(Method::Induction),
        Some(Method::Pdr),
        None,
    ];
    machines(text, check)
        .iter()
        .map(|machine| methods.map(|method| agreed(machine, &by(machine, method))))
        .collect()
}

const TOKEN: &str = "
param n: 2..4 = 3
message Token
node Station[n] {
    var holds: Bool = any
    var inside: Bool = false
    when enter: holds and not inside { inside = true }
    when leave: inside { inside = false; holds = false; send Token to next }
    on Token { holds = true }
}
variant Greedy of Station {
    when leave: inside { inside = false; send Token to next }
}
network ring { channel fifo(1) }
initially (count k in Station: k.holds) == 1
claim exclusive: always (count k in Station: k.inside) <= 1
check exclusive for n in 2..4
check exclusive with Greedy for n in 2..3
";

#[test]
fn a_token_goes_round_a_ring() {
    for answers in each(TOKEN, 0) {
        assert_eq!(answers[2..], ["holds", "holds"]);
    }
    for answers in each(TOKEN, 1) {
        assert_eq!(answers, ["fails"; 4]);
    }
}

const LOCK: &str = "
param n: 1..4 = 2
enum Want { Idle, Asks, Owns }
message Ask
message Grant
message Release
node Server {
    var owner: Option<Node> = none
    on Ask from c when owner == none { owner = c; send Grant to c }
    on Release { owner = none }
}
node Client[n] {
    var want: Want = Idle
    when ask: want == Idle { want = Asks; send Ask to Server }
    on Grant { want = Owns }
    when done: want == Owns { want = Idle; send Release to Server }
}
variant Careless of Server {
    on Ask from c { owner = c; send Grant to c }
}
network star { channel fifo }
claim exclusive: always (count c in Client: c.want == Owns) <= 1
claim owned:     always (all c in Client: c.want == Owns implies Server.owner == c)
check exclusive, owned for n in 1..2
check exclusive, owned with Careless for n = 2
";

#[test]
fn a_server_lends_a_lock() {
    for answers in each(LOCK, 0) {
        assert_eq!(answers[2..], ["holds holds", "holds holds"]);
    }
    for answers in each(LOCK, 1) {
        assert_eq!(answers, ["fails fails"; 4]);
    }
}

const ALTERNATING_BIT: &str = "
message Data { bit: Bool, item: 0..2 }
message Ack { bit: Bool }
node Sender {
    var bit: Bool = false
    var item: 0..2 = 0
    when push: true { send Data { bit: bit, item: item } to Receiver }
    on Ack as m { if m.bit == bit { bit = not bit; item = (item + 1) mod 3 } }
}
node Receiver {
    var bit: Bool = false
    var last: 0..2 = 2
    on Data as m {
        if m.bit == bit { bit = not bit; last = m.item }
        send Ack { bit: m.bit } to Sender
    }
}
variant Gullible of Receiver {
    on Data as m { last = (last + 1) mod 3; send Ack { bit: m.bit } to Sender }
}
network complete { channel fifo(1) }
faults lose any messages
claim in_order: always (Sender.item == Receiver.last or Sender.item == (Receiver.last + 1) mod 3)
check in_order
check in_order with Gullible
";

#[test]
fn a_bit_alternates_over_a_lossy_channel() {
    for answers in each(ALTERNATING_BIT, 0) {
        assert_eq!(answers[2..], ["holds", "holds"]);
    }
    for answers in each(ALTERNATING_BIT, 1) {
        assert_eq!(answers, ["fails"; 4]);
    }
}
