//! Lowered Machines on the reference interpreter: the numbers of states that are known.

use super::{RING, Text};
use machine::{Instance, Machine, State};
use std::collections::HashSet;

/// States and transitions over all choices of what is rigid.
fn explore(machine: &Machine) -> (usize, usize) {
    let (mut states, mut transitions) = (0, 0);
    for rigid in machine.rigids() {
        let instance = Instance {
            machine,
            rigid: &rigid,
        };
        let mut waiting = instance.initial_states().expect("initial states");
        let mut seen: HashSet<State> = waiting.iter().cloned().collect();
        while let Some(state) = waiting.pop() {
            for choice in instance.choices(&state) {
                let next = instance.step(&state, &choice).expect("no errors");
                transitions += 1;
                if seen.insert(next.clone()) {
                    waiting.push(next);
                }
            }
        }
        states += seen.len();
    }
    (states, transitions)
}

#[test]
fn the_ring_has_the_known_numbers_of_states() {
    let text = format!("{RING}\ncheck termination for n in 1..4\n");
    let text = Text::new(&text);
    let requests = text.instances(4, &[]).unwrap();
    let known = [(4, 3), (11, 12), (60, 92), (512, 1042)];
    for (request, (states, transitions)) in requests.iter().zip(known) {
        let n = request.params[0].as_int().unwrap() as usize;
        let (found, steps) = explore(&text.lower(request).unwrap().machine);
        // The known numbers are up to rotation.
        assert_eq!((found, steps), (states * n, transitions * n), "n = {n}");
    }
}

#[test]
fn ghosts_count_messages() {
    let text = Text::new(RING);
    let requests = text.instances(0, &["n=3"]).unwrap();
    let machine = text.lower(&requests[0]).unwrap().machine;
    let ghost = machine.vars.iter().position(|v| v.ghost).expect("a ghost");
    let rigid = machine.rigids().next().unwrap();
    let instance = Instance {
        machine: &machine,
        rigid: &rigid,
    };
    let mut state = instance.initial_states().unwrap().remove(0);
    while let Some(choice) = instance.choices(&state).first() {
        state = instance.step(&state, choice).unwrap();
    }
    // Every node has sent the news once.
    let place = machine.place_of_var(machine::VarId(ghost as u32));
    for node in &state.nodes {
        assert_eq!(node.vars[place], machine::Value::Int(1));
    }
}
