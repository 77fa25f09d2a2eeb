//! Where rotations are said to be symmetries, instances that are rotations of each other have equally many
//! states, transitions and errors.

use machine::explore::explore;
use machine::random::{Size, random_machine};
use machine::{Instance, Machine, Rigid, rotations};

fn turned(rigid: &Rigid) -> Rigid {
    let mut turned = rigid.clone();
    for column in &mut turned.values {
        column.rotate_left(1);
    }
    if !turned.faults.is_empty() {
        turned.faults.rotate_left(1);
    }
    turned
}

fn counts(machine: &Machine, rigid: &Rigid) -> Option<(usize, usize, usize)> {
    let found = explore(Instance { machine, rigid }, 1_000).ok()?;
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
        let alone = machine.rigids.is_empty() && machine.node_faults.is_empty();
        if alone || !rotations(&machine) {
            continue;
        }
        for rigid in machine.rigids().take(8) {
            let other = turned(&rigid);
            if let (Some(a), Some(b)) = (counts(&machine, &rigid), counts(&machine, &other)) {
                let shown = machine.show_rigid(&rigid);
                assert_eq!(a, b, "seed {seed}: {shown}\n{machine}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 40, "only {compared}");
}

const SEEDS: u64 = 800;
