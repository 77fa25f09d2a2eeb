//! Lowered Machines on the reference interpreter have the known numbers of states.

use super::{RING, Text};
use machine::{Instance, Machine, State};
use std::collections::HashSet;

/// The numbers of states and transitions, summed over all values of the frozen variables.
fn explore(machine: &Machine) -> (usize, usize) {
    let (mut states, mut transitions) = (0, 0);
    for frozen in machine.frozen_choices() {
        let instance = Instance {
            machine,
            frozen: &frozen,
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
        // The known numbers are those up to rotation.
        assert_eq!((found, steps), (states * n, transitions * n), "n = {n}");
    }
}

#[test]
fn ghosts_count_messages() {
    let text = Text::new(RING);
    let requests = text.instances(0, &["n=3"]).unwrap();
    let machine = text.lower(&requests[0]).unwrap().machine;
    // Every node has sent one `Elected` message.
    let state = last_state(&machine);
    assert_eq!(values(&machine, &state, "sent(Elected)"), "1 1 1");
}

/// The last state of a run that always takes the first choice.
fn last_state(machine: &Machine) -> State {
    let frozen = machine
        .frozen_choices()
        .next()
        .expect("a choice of what is frozen");
    let instance = Instance {
        machine,
        frozen: &frozen,
    };
    let mut state = instance.initial_states().unwrap().remove(0);
    let mut steps = 0;
    while let Some(choice) = instance.choices(&state).first() {
        state = instance.step(&state, choice).unwrap();
        steps += 1;
        assert!(steps < 1000, "the run ends");
    }
    state
}

/// The values of a variable at all nodes, as text.
fn values(machine: &Machine, state: &State, name: &str) -> String {
    let var = machine.vars.iter().position(|v| v.name == name).unwrap();
    let place = machine.place_of_var(machine::VarId(var as u32));
    let shown: Vec<String> = state
        .nodes
        .iter()
        .map(|node| match &node.vars[place] {
            machine::Value::Set(set) => format!("{}", set.len()),
            machine::Value::Int(i) => i.to_string(),
            other => format!("{other:?}"),
        })
        .collect();
    shown.join(" ")
}

#[test]
fn sets_and_loops() {
    let text = Text::new(
        "message Hello { from: Set<Node> }\n\
         node A[4] { var known: Set<Node> = { self }\n var steps: 0..99 = 0\n\
           start { broadcast Hello { from: known } }\n\
           on Hello as m {\n if not (m.from subset known) {\n\
             for k in m.from minus known { known = known union { k }; steps = steps + 1 }\n\
             broadcast Hello { from: known } } } }\n\
         network line { channel fifo }\n\
         claim everybody: eventually ((intersect k in A: k.known) == A and (union k in A: k.known) == A)\n\
         check everybody",
    );
    let machine = text.first(0).machine;
    let state = last_state(&machine);
    assert_eq!(values(&machine, &state, "known"), "4 4 4 4");
    assert_eq!(values(&machine, &state, "steps"), "3 3 3 3");
}

#[test]
fn activations_are_counted_as_far_as_the_claim_can_tell() {
    let text = Text::new(
        "node A { var x: 0..5 = 0\n every any { if x == 5 { halt }\n x = x + 1 } }\n\
         node B { }\n\
         claim a: always (A.activations <= 2 and B.activations == 0)\ncheck a",
    );
    let machine = text.first(0).machine;
    let ghosts = machine.vars.iter().filter(|v| v.ghost);
    let shown: Vec<String> = ghosts.map(|v| format!("{} {:?}", v.name, v.ty)).collect();
    assert_eq!(shown, ["activations Int(0, 3)", "activations Int(0, 1)"]);
    let frozen = machine.frozen_choices().next().unwrap();
    let instance = Instance {
        machine: &machine,
        frozen: &frozen,
    };
    let mut state = instance.initial_states().unwrap().remove(0);
    let mut counts = Vec::new();
    while let Some(choice) = instance.choices(&state).first() {
        state = instance.step(&state, choice).unwrap();
        counts.push(state.nodes[0].vars[1].as_int());
    }
    assert_eq!(counts, [1, 2, 3, 3, 3, 3]);
}
