//! For each seeded defect of symmetry reduction, a small Machine that catches it.

use crate::sample::read;
use explicit::defects::Defect;
use machine::Machine;

/// Three nodes with edges between all of them, and the declarations in `more`.
fn three(more: &str) -> Machine {
    read(&format!(
        "(kind K 3) (edges (1 2) (1 3) (2 1) (2 3) (3 1) (3 2)) {more}"
    ))
}

/// The Machine that catches a defect.
pub fn noticed(defect: Defect) -> Machine {
    match defect {
        // A node stores only its own name.
        Defect::NamesStay => three(
            "(channel fifo) (var K x (option node) (is (none node)))
             (block K names (when (not (is-some (var x self)))) (:= x (some self)))
             (claim itself (locals (k node)) (always (state (all k (nodes)
               (or (= (var x k) (none node)) (= (var x k) (some k)))))))",
        ),
        // No node is more than one round ahead of another.
        Defect::SharesStay => three(
            "(channel fifo) (var K c (int 0 4) (is 0))
             (block K round (every round 1) (:= c (min 4 (+ (var c self) 1))))
             (claim together (locals (j node) (k node)) (always (state (all j (nodes) (all k (nodes)
               (<= (var c j) (+ (var c k) 1)))))))",
        ),
        // A message in an outbox keeps its receiver.
        Defect::OutboxesStay => three(
            "(message M) (channel fifo 1) (var K left bool (is true)) (var K to (option node) (is (none node)))
             (block K sends (when (var left self)) (locals (self node) (k node))
               (:= left false) (choose k (neighbours self)) (:= to (some k))
               (send (new M) k) (send (new M) k))
             (block K \"on M\" (on M) (assert (= (var to sender) (some self))))",
        ),
        // Two messages on the same edge name different nodes.
        Defect::MovedBagsUnsorted => three(
            "(message M (about node)) (channel unordered) (var K left bool (is true))
             (block K sends (when (var left self)) (locals (self node) (k node))
               (:= left false) (choose k (neighbours self))
               (send (new M self) k) (send (new M k) k))
             (block K \"on M\" (on M))",
        ),
        // A node has messages from two others in its inbox.
        Defect::MovedInboxesUnsorted => three(
            "(message M) (channel fifo) (var K left bool (is true)) (var K both bool (is false))
             (block K sends (when (var left self)) (:= left false) (send (new M) (neighbours self)))
             (block K looks (when (and (= (size (senders self)) 2) (not (var both self)))) (:= both true))
             (possible all-both (locals (k node)) (all k (nodes) (var both k)))",
        ),
        // Each of the three nodes can be the first to set its variable.
        Defect::NamesInClaimsIgnored => three(
            "(channel fifo) (var K x bool (is false))
             (block K sets (when (not (var x self))) (:= x true))
             (possible first (and (var x (node 1)) (not (or (var x (node 2)) (var x (node 3))))))
             (possible second (and (var x (node 2)) (not (or (var x (node 1)) (var x (node 3))))))
             (possible third (and (var x (node 3)) (not (or (var x (node 1)) (var x (node 2))))))",
        ),
        // At most one node, the second, has `x` set initially; a fresh restart sets it again.
        Defect::NamesAtFirstIgnored => three(
            "(channel fifo) (runtime-fault at-most 2 (stop fresh))
             (var K x bool (is (= self (node 2)))) (var K y (int 0 2) (is 0))
             (block K gives (when (< (var y self) 2)) (:= x false) (:= y (+ (var y self) 1)))
             (claim one (locals (k node)) (always (state (<= (count k (nodes) (var x k)) 1))))",
        ),
        // `x` spreads from each node to the one before it, so the nodes in which it is set are contiguous.
        Defect::MapsIgnored => read(
            "(kind K 4) (map next 2 3 4 1) (channel fifo) (var K x bool any)
             (initially (locals (k node)) (= (count k (nodes) (var x k)) 1))
             (block K spreads (when (and (not (var x self)) (var x (map next self)))) (:= x true))
             (claim one-piece (locals (k node)) (always (state
               (<= (count k (nodes) (and (var x k) (not (var x (map next k))))) 1))))",
        ),
        // A node copies its own frozen value.
        Defect::FrozenIgnored => three(
            "(channel fifo) (frozen K w (int 0 1) every) (var K v (option (int 0 1)) (is (none (int 0 1))))
             (block K shows (when (not (is-some (var v self)))) (:= v (some (frozen w self))))
             (claim own (locals (k node)) (always (state (all k (nodes)
               (or (= (var v k) (none (int 0 1))) (= (var v k) (some (frozen w k))))))))",
        ),
        // All nodes select the same node by order.
        Defect::NodeOrderIgnored => three(
            "(channel fifo) (var K first (option node) (is (none node)))
             (block K looks (when (not (is-some (var first self)))) (locals (self node) (k node))
               (:= first (some (largest k (nodes) 1))))
             (claim same (locals (j node) (k node)) (always (state (all j (nodes) (all k (nodes)
               (or (or (= (var first j) (none node)) (= (var first k) (none node)))
                 (= (var first j) (var first k))))))))",
        ),
        // A node that can always finish does so, although others loop for ever.
        Defect::FairnessUpToSymmetry => three(
            "(channel fifo) (var K x (int 0 7) (is 0)) (var K done bool (is false))
             (block K finishes (when (not (var done self))) (:= done true))
             (block K goes (when (var done self)) (:= x (mod (+ (var x self) 1) 8)))
             (claim all-finish (locals (k node)) (eventually (state (all k (nodes) (var done k)))))",
        ),
        // A node keeps `x` once it is set.
        Defect::AtomsOfOneNode => three(
            "(channel fifo) (var K x bool (is false)) (var K y (int 0 2) (is 0))
             (block K sets (when (not (var x self))) (:= x true))
             (block K goes (when (< (var y self) 2)) (:= y (+ (var y self) 1)))
             (claim keeps (locals (k node)) (not (exists k (nodes) (eventually
               (and (state (var x k)) (eventually (state (not (var x k)))))))))",
        ),
        // The first node sets `x`, the others never do.
        Defect::OneForOthers => three(
            "(channel fifo) (frozen K w (int 0 1) (given 0 1 1)) (var K x bool (is false))
             (block K sets (when (and (not (var x self)) (= (frozen w self) 0))) (:= x true))
             (claim all-set (locals (k node)) (all k (nodes) (eventually (state (var x k)))))",
        ),
        // All nodes count to 5.
        Defect::RunsNotUnfolded => three(
            "(channel fifo) (var K x (int 0 5) (is 0))
             (block K goes (when (< (var x self) 5)) (:= x (+ (var x self) 1)))
             (claim never (locals (k node)) (always (state (exists k (nodes) (< (var x k) 5)))))",
        ),
        // A token moves around a ring for ever and is back after three steps.
        Defect::LoopsNotUnfolded => read(
            "(kind K 3) (map next 2 3 1) (edges (1 2) (2 3) (3 1)) (message T) (channel fifo) (var K h bool any)
             (initially (locals (k node)) (= (count k (nodes) (var h k)) 1))
             (block K gives (when (var h self)) (:= h false) (send (new T) (map next self)))
             (block K \"on T\" (on T) (:= h true))
             (claim two (locals (k node)) (eventually (state (> (count k (nodes) (var h k)) 1))))",
        ),
        other => panic!("{other:?} is not about symmetry"),
    }
}
