//! Soundness of symmetries: leaving out instances by rotations, exchanges or automorphisms loses no combination of the
//! numbers of states, transitions and errors.

use machine::{
    Expr, Frozen, Instance, Machine, Mode, NodeId, Property, PropertyKind, Scope, Value, rotations,
};
use std::collections::BTreeSet;
use testkit::explore;
use testkit::sample::on_all_cores;
use testkit::{Size, random_machine};

fn turned(frozen: &Frozen) -> Frozen {
    let mut turned = frozen.clone();
    for column in &mut turned.values {
        column.rotate_left(1);
    }
    if !turned.faults.is_empty() {
        turned.faults.rotate_left(1);
    }
    turned
}

fn counts(machine: &Machine, frozen: &Frozen) -> Option<(usize, usize, usize)> {
    let found = explore(Instance { machine, frozen }, 1_000).ok()?;
    let transitions = found.transitions();
    found
        .complete
        .then_some((found.states.len(), transitions, found.errors.len()))
}

#[test]
fn rotated_instances_look_the_same() {
    let mut compared = 0;
    for seed in 0..SEEDS {
        let machine = random_machine(seed, &Size::default());
        let alone = machine.frozen_vars.is_empty() && machine.node_faults.is_empty();
        if alone || !rotations(&machine) {
            continue;
        }
        for frozen in machine.frozen_choices().take(8) {
            let other = turned(&frozen);
            if let (Some(a), Some(b)) = (counts(&machine, &frozen), counts(&machine, &other)) {
                let shown = machine.show_frozen(&frozen);
                assert_eq!(a, b, "seed {seed}: {shown}\n{machine}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 40, "only {compared}");
}

/// The property that the first node can halt. It names a node.
fn names_the_first() -> Property {
    let first = Expr::Const(Value::Node(NodeId(0)));
    Property {
        name: "the first halts".into(),
        scope: Scope::default(),
        kind: PropertyKind::Possible(Expr::InMode(Mode::Halted, Box::new(first))),
    }
}

type FrozenChoices<'m> = Box<dyn Iterator<Item = Frozen> + 'm>;

/// Checks on random Machines with these properties that the kept instances have the same set of counts as all
/// instances.
fn nothing_else_is_left_out(
    seeds: u64,
    properties: &[Property],
    kept: impl for<'m> Fn(&'m Machine) -> FrozenChoices<'m> + Sync,
    is_meant: impl Fn(&Machine) -> bool + Sync,
) {
    let fewer = on_all_cores(0..seeds, |seed| {
        let mut machine = random_machine(seed, &Size::default());
        machine.properties = properties.to_vec();
        let all: Vec<Frozen> = machine.frozen_choices().take(200).collect();
        let kept: Vec<Frozen> = kept(&machine).take(200).collect();
        if all.len() == 200 || kept.len() == all.len() || !is_meant(&machine) {
            return false;
        }
        let looks = |frozen_vars: &[Frozen]| {
            let counts = frozen_vars.iter().map(|frozen| counts(&machine, frozen));
            counts.collect::<BTreeSet<_>>()
        };
        assert_eq!(looks(&all), looks(&kept), "seed {seed}\n{machine}");
        true
    });
    let fewer = fewer.into_iter().filter(|fewer| *fewer).count();
    assert!(fewer >= 10, "only {fewer}");
}

#[test]
fn what_is_left_out_by_exchange_looks_like_what_is_there() {
    let named = [names_the_first()];
    let kept = Machine::frozen_choices_up_to_exchange;
    nothing_else_is_left_out(20 * SEEDS, &named, kept, |machine| !rotations(machine));
}

/// The same check for automorphisms of the network. The properties name no node.
#[test]
fn what_is_left_out_by_renumbering_looks_like_what_is_there() {
    let kept = Machine::frozen_choices_up_to_symmetry;
    nothing_else_is_left_out(4 * SEEDS, &[], kept, |_| true);
}

/// Three nodes with ids in a line have a reflection as automorphism. A property that names the first node excludes it.
#[test]
fn a_line_can_be_turned_round() {
    let text =
        "(ids 3)\n(kind N 3)\n(edges (1 2) (2 1) (2 3) (3 2))\n(frozen N id id arrangement)\n";
    let mut machine = machine::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(machine.frozen_choices_up_to_symmetry().count(), 3);
    machine.properties = vec![names_the_first()];
    assert_eq!(machine.frozen_choices_up_to_symmetry().count(), 6);
}

const SEEDS: u64 = 800;

/// Whether rotation is a symmetry of a ring of three nodes with this start code.
fn turns(code: &str) -> bool {
    let text = format!(
        "(message Say)\n(kind N 3)\n(edges (1 2) (2 3) (3 1))\n(channel fifo)
         (var N near (array node bool) (is (fill node false)))\n(var N heard (set node) (is (set node)))
         (var N last (option node) (is (none node)))\n(var N sum (int 0 9) (is 0))
         (block N start start (locals (self node) (k node)) {code})\n"
    );
    let machine = machine::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    rotations(&machine)
}

#[test]
fn a_loop_whose_rounds_run_in_any_order_does_not_tell_nodes_apart() {
    let own = "(:= (near (index node k)) (not (index node (var near self) k)))";
    let adds =
        "(if (index node (var near self) k) (do (:= heard (union (var heard self) (set node k)))))";
    assert!(turns(&format!("(for k (nodes) {own} {adds})")));

    // Each of these loops reads or overwrites what another iteration assigns, sends, or ends early.
    let others = "(:= (near (index node k)) (index node (var near self) self))";
    let elsewhere = "(:= (near (index node self)) (in k (neighbours self)))";
    let read = "(:= heard (union (var heard self) (set node k))) (:= sum (size (var heard self)))";
    let removed = "(:= heard (minus (var heard self) (set node k)))";
    for code in [
        others,
        elsewhere,
        read,
        removed,
        "(:= last (some k))",
        "(send (new Say) k)",
        "(if (= k self) (do (halt)))",
    ] {
        assert!(!turns(&format!("(for k (nodes) {code})")), "{code}");
    }
}
