//! For each seeded defect of partial-order reduction, a small Machine that catches it.

use explicit::defects::Defect;

/// A defect; whether runs are fair; whether the sound search abandons partial-order reduction; and the Machine.
pub type Case = (Defect, bool, bool, &'static str);

/// Contains each defect at least once.
pub const CASES: [Case; 17] = [
    // The order of two events is visible.
    (
        Defect::NothingSeen,
        true,
        false,
        "(kind K 2) (edges) (var K x (int 0 1) (is 0))
         (block K goK start (:= x 1))
         (possible p (and (= (var x (node 1)) 0) (= (var x (node 2)) 1)))",
    ),
    // An event that is an error must not be the only one that is explored: runs in which other events come first would
    // be lost.
    (
        Defect::ErrorsUnseen,
        true,
        false,
        "(kind A 1) (kind B 1) (edges) (var B x bool (is false))
         (block A goA start (assert false))
         (block B goB start (:= x true))
         (possible p (var x (node 2)))",
    ),
    // A node that acts for ever must not postpone the events of others for ever.
    (
        Defect::CyclesForgotten,
        false,
        false,
        "(kind A 1) (kind B 1) (edges) (var A y bool (is false)) (var B x bool (is false))
         (block A tickA (every any) (:= y (not (var y self))))
         (block B goB start (:= x true))
         (possible p (var x (node 2)))",
    ),
    // A node that acts for ever must not make the postponed events of others count as disabled.
    (
        Defect::OwedOfChosen,
        true,
        false,
        "(kind A 1) (kind B 1) (edges) (var A y bool (is false)) (var B x bool (is false))
         (block A tickA (every any) (:= y (not (var y self))))
         (block B goB start (:= x true))
         (claim c (eventually (state (var x (node 2)))))",
    ),
    // A message that arrives before another event makes a difference, although its edge is still empty.
    (
        Defect::EmptyEdgesForgotten,
        true,
        false,
        "(message M) (kind A 1) (kind B 1) (edges (2 1)) (channel fifo)
         (var A h bool (is false)) (var A seen bool (is false))
         (block A goA (when (not (var h self))) (:= h true))
         (block A \"on M of A\" (on M) (if (not (var h self)) (do (:= seen true))))
         (block B goB start (send (new M) (node 1)))
         (possible p (var seen (node 1)))",
    ),
    // A free place on a bounded edge is visible before the next message is transmitted.
    (
        Defect::TransmitUnseen,
        true,
        true,
        "(message M) (kind A 1) (kind B 1) (kind C 1) (edges (1 2)) (channel fifo 1)
         (var B taken (int 0 2) (is 0)) (var C x bool (is false))
         (block A goA start (send (new M) (node 2)) (send (new M) (node 2)))
         (block B \"on M of B\" (on M) (:= taken (+ (var taken self) 1)))
         (block C goC start (:= x true))
         (claim c (always (not (and
            (state (and (= (in-flight M (node 1) (node 2)) 0)
                        (and (= (var taken (node 2)) 1) (not (var x (node 3))))))
            (until (state (and (= (in-flight M (node 1) (node 2)) 0) (= (var taken (node 2)) 1)))
                   (state (and (= (in-flight M (node 1) (node 2)) 0)
                               (and (= (var taken (node 2)) 1) (var x (node 3))))))))))",
    ),
    // Weak fairness does not require an event of a node that is busy from time to time.
    (
        Defect::OwedInAnyOrder,
        true,
        true,
        "(message M) (kind A 1) (kind B 1) (edges (1 2)) (channel fifo 1)
         (var A x bool (is false))
         (block A nagA (every any) (send (new M) (node 2)))
         (block A doneA (when true) (:= x true))
         (block B \"on M of B\" (on M))
         (claim c (eventually (state (var x (node 1)))))",
    ),
    // A block that is enabled by messages from two edges in turn is disabled at times if the message of one edge comes
    // late. Then weak fairness does not require it.
    (
        Defect::OwedInAnyOrder,
        true,
        true,
        "(message M) (kind A 1) (kind B 1) (kind C 1) (edges (1 2) (3 2)) (channel fifo 2)
         (var B turn bool (is false)) (var B x bool (is false))
         (block A nag (every any) (send (new M) (node 2)))
         (block C go start (send (new M) (node 2)))
         (block B yes (on M (= (var turn self) (= sender (node 1)))) (:= x true))
         (block B no (on M (= sender (node 1))) (:= turn true))
         (block B flip (when (var turn self)) (:= turn false))
         (claim c (eventually (state (var x (node 2)))))",
    ),
    // Of two assignments the last one determines the value.
    (
        Defect::UpdatesInAnyOrder,
        true,
        false,
        "(message M (v (int 1 2))) (kind A 1) (kind B 2) (edges (2 1) (3 1)) (channel fifo)
         (frozen B w (int 1 2) (given 1 2))
         (var A h (int 0 2) (is 0)) (var A n (int 0 2) (is 0)) (var A shown (int 0 2) (is 0))
         (block A \"on M of A\" (on M) (:= h (field M v message)) (:= n (+ (var n self) 1)))
         (block A showA (when (= (var n self) 2)) (:= shown (var h self)) (:= n 0))
         (block B goB start (send (new M (frozen w self)) (node 1)))
         (possible one (= (var shown (node 1)) 1))
         (possible two (= (var shown (node 1)) 2))",
    ),
    // A FIFO channel preserves the order of messages.
    (
        Defect::SendsInAnyOrder,
        true,
        false,
        "(message M (v (int 1 2))) (kind A 1) (kind B 2) (kind C 1) (edges (2 1) (3 1) (1 4)) (channel fifo)
         (frozen B w (int 1 2) (given 1 2))
         (var C h (int 0 2) (is 0)) (var C n (int 0 2) (is 0)) (var C shown (int 0 2) (is 0))
         (block A \"on M of A\" (on M) (send message (node 4)))
         (block B goB start (send (new M (frozen w self)) (node 1)))
         (block C \"on M of C\" (on M) (:= h (field M v message)) (:= n (+ (var n self) 1)))
         (block C showC (when (= (var n self) 2)) (:= shown (var h self)) (:= n 0))
         (possible one (= (var shown (node 4)) 1))
         (possible two (= (var shown (node 4)) 2))",
    ),
    // A property reads two variables of one node that are written by independent code.
    (
        Defect::SeenNowOnly,
        true,
        false,
        "(message X) (message Y) (kind A 1) (kind B 1) (kind C 1) (edges (2 1) (3 1)) (channel fifo)
         (var A x bool (is false)) (var A y bool (is false))
         (block A \"on X of A\" (on X) (:= x true))
         (block A \"on Y of A\" (on Y) (:= y true))
         (block B goB start (send (new X) (node 1)))
         (block C goC start (send (new Y) (node 1)))
         (claim c (always (state (implies (var y (node 1)) (var x (node 1))))))",
    ),
    // A message that waits in an outbox is transmitted when there is room.
    (
        Defect::ReadersForgotten,
        true,
        false,
        "(message M) (message N) (kind A 1) (kind J 1) (kind K 1) (edges (2 1) (2 3)) (channel fifo 1)
         (var A h bool (is false)) (var A seen bool (is false))
         (block A goA (when (not (var h self))) (:= h true))
         (block A \"on M of A\" (on M) (if (not (var h self)) (do (:= seen true))))
         (block J goJ start (send (new N) (node 3)) (send (new N) (node 3)) (send (new M) (node 1)))
         (block K \"on N of K\" (on N))
         (possible p (var seen (node 1)))",
    ),
    // A message behind another one is delivered after that one has been taken.
    (
        Defect::HeadsForgotten,
        true,
        false,
        "(message X) (message Y) (message W) (kind A 1) (kind B 1) (kind C 1) (edges (2 1) (1 3)) (channel fifo)
         (var A h bool (is false)) (var A z bool (is false)) (var C seen bool (is false))
         (block A goA (when (not (var h self))) (:= h true))
         (block A \"on X\" (on X) (:= z true))
         (block A \"on Y\" (on Y) (if (not (var h self)) (do (send (new W) (node 3)))))
         (block B goB start (send (new X) (node 1)) (send (new Y) (node 1)))
         (block C \"on W\" (on W) (:= seen true))
         (possible p (var seen (node 3)))
         (possible q (var z (node 1)))",
    ),
    // On an unordered channel a message sent later can be delivered first.
    (
        Defect::BagsLikeQueues,
        true,
        false,
        "(message X) (message Y) (kind A 1) (kind B 1) (edges (2 1)) (channel unordered)
         (var A h bool (is false)) (var A never bool (is false)) (var A seen bool (is false))
         (var B todo bool (is true))
         (block A goA (when (not (var h self))) (:= h true))
         (block A \"on X of A\" (on X (and (var never self) (var h self))))
         (block A \"on Y of A\" (on Y) (if (not (var h self)) (do (:= seen true))))
         (block B goB start (send (new X) (node 1)))
         (block B moreB (when (var todo self)) (:= todo false) (send (new Y) (node 1)))
         (possible p (var seen (node 1)))",
    ),
    // Code reads a variable of another node.
    (
        Defect::NeverAside,
        true,
        true,
        "(kind A 1) (kind B 1) (edges) (var A h bool (is false)) (var B seen bool (is false))
         (block A goA start (:= h true))
         (block B lookB start (if (not (var h (node 1))) (do (:= seen true))))
         (possible p (var seen (node 2)))",
    ),
    // Nodes with rounds wait for each other.
    (
        Defect::NeverAside,
        true,
        true,
        "(kind A 1) (kind B 1) (edges)
         (var A n bool (is false)) (var A h bool (is false)) (var A seen bool (is false))
         (block A goA (when (and (var n self) (not (var h self)))) (:= h true))
         (block A tickA (every round 1)
            (if (and (var n self) (not (var h self))) (do (:= seen true))) (:= n true))
         (block B tickB (every round 1))
         (possible p (var seen (node 1)))",
    ),
    // Instant messages change their receiver in the sending event.
    (
        Defect::NeverAside,
        true,
        true,
        "(message M) (kind A 1) (kind B 1) (edges (1 2)) (channel instant)
         (var A done bool (is false))
         (var B got bool (is false)) (var B g bool (is false)) (var B seen bool (is false))
         (block A goA (when (not (var done self))) (:= done true) (send (new M) (node 2)))
         (block B goB (when (not (var g self))) (:= g true))
         (block B \"on M\" (on M) (:= got true) (if (not (var g self)) (do (:= seen true))))
         (possible p (and (var got (node 2)) (not (var seen (node 2)))))",
    ),
];
