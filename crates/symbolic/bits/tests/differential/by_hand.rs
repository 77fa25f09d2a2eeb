//! Cases that random code does not contain: loops over values in symbolic order, rebound local names, errors after
//! choices.

use crate::compare::{self, Tally};
use machine::{Machine, parse, verify};

fn agree(text: &str) -> Tally {
    let machine: Machine = parse(text).expect("it can be read");
    assert_eq!(verify(&machine), Ok(()));
    let mut tally = Tally::default();
    for seed in 0..40 {
        let result = compare::machine(machine.clone(), seed, &mut tally);
        assert_eq!(result, Ok(()), "seed {seed}");
    }
    assert!(tally.events > 50, "{tally:#?}");
    assert!(tally.refused.is_empty(), "{tally:#?}");
    tally
}

#[test]
fn loops_over_records_go_through_them_in_order_and_once() {
    agree(
        "(message A (x (int 0 2)) (b bool))
        (kind K 2)
        (edges (1 2) (2 1))
        (channel fifo)
        (var K p (record A) any)
        (var K q (record A) any)
        (var K n (int 0 400) (is 0))
        (block K go (when true)
          (locals (self node) (e (record A)) (r (record A)) (s (set (record A))))
          (:= n 0)
          (choose r (values (record A)))
          (let s (set (record A) (var p self) r (var q self) (new A 1 true)))
          (for e s
            (:= n (+ (* 3 (var n self)) (+ (field A x e) 1)))
            (if (> (var n self) 200) (do (send e (node 1)) (halt))))
          (:= p (var q self))
          (:= q r)
          (send r (neighbours self)))",
    );
}

#[test]
fn names_may_be_bound_anew_inside() {
    agree(
        "(kind K 2)
        (edges (1 2) (2 1))
        (channel fifo)
        (var K x (int 0 3) any)
        (var K y (int 0 3) any)
        (block K go (when (< (var x self) 3))
          (locals (self node) (v (int 0 3)) (k (int 0 3)))
          (let v (var x self))
          (if (> (var y self) 1)
            (do (let v (var y self)) (:= x v))
            (do (choose v (.. 0 (var x self)))))
          (for k (.. (var y self) v) (if (= k 2) (do (let v k))))
          (:= y v))
        (block K turn (when (= (var x self) 3))
          (:= x (mod (+ (var y self) 1) 4)))",
    );
}

#[test]
fn nothing_is_chosen_after_an_error() {
    let tally = agree(
        "(kind K 2)
        (edges (1 2))
        (channel fifo)
        (message M (x (int 0 2)))
        (var K o (option (int 0 2)) any)
        (var K a (array (int 0 2) (option (int 0 2))) any)
        (var K x (int 0 2) any)
        (block K go (when true)
          (locals (self node) (v (int 0 2)) (k node) (w (int 0 1)))
          (choose v (.. (var x self) 2))
          (:= (a (index (int 0 2) (- (+ v (var x self)) 1)) (unwrap)) (var x self))
          (choose v (filter w (.. 0 1) (> (floor 2 (+ w (var x self))) 0)))
          (if (is-some (var o self)) (do (:= x (unwrap (var o self)))) (do (:= o (some v))))
          (choose k (nodes))
          (if (= v 1) (do (send (new M v) k)) (do (assert (!= k self)) (halt))))
        (block K take (on M) (locals (self node) (message (record M)) (sender node))
          (:= (a (index (int 0 2) (field M x message))) (some (var x self)))
          (:= x (field M x message)))",
    );
    assert!(tally.errors > 50, "{tally:#?}");
}

#[test]
fn what_is_cleared_is_not_read() {
    agree(
        "(kind K 2)
        (edges (1 2) (2 1) (1 1))
        (channel fifo 1)
        (inbox copies)
        (message M (x (int 0 2)))
        (message N (s (set node)))
        (var K n (int 0 9) (is 0))
        (var K s (set node) any)
        (block K say (every any) (locals (self node) (v (int 0 2)) (m (record M)))
          (choose v (.. 0 2))
          (send (new M v) (neighbours self))
          (if (in self (var s self)) (do (send (new N (var s self)) (neighbours self)))))
        (block K look (when (> (size (inbox M N self)) 0))
          (locals (self node) (m (one-of M N)) (k (record M)))
          (:= n 0)
          (for m (inbox M N self)
            (if (is M m)
              (do (:= n (min 9 (+ (* 2 (var n self)) (field M x (within (record M) m))))))
              (do (:= s (minus (field N s (within (record N) m)) (var s self)))
                  (clear-inbox)))
            (if (> (count k (inbox M self) true) 1) (do (:= n (min 9 (+ 1 (var n self)))))))
          (if (= (var n self) 2) (do (clear-inbox)))
          (:= s (union (var s self) (senders M self)))
          (if (= (var n self) 1) (do (clear-inbox) (halt))))",
    );
}
