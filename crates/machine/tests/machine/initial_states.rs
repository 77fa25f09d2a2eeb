//! The lazy enumeration of initial states yields exactly the initial states, each once, and reconstructs each of them
//! from its number. A naive enumeration is the reference.

use machine::random::Rng;
use machine::{InboxStart, Instance, Machine, State, Value, parse, verify};
use testkit::{Size, random_machine};

/// Maximum number of candidates that a comparison enumerates.
const MOST: u128 = 3_000;

/// All initial states, by trying all values of all types. `None` if there are too many candidates, or if the Machine
/// has initial inboxes or real times.
fn by_trying(instance: Instance<'_>) -> Option<Vec<State>> {
    let machine = instance.machine;
    if machine.inbox.start != InboxStart::Empty || machine.has_time() {
        return None;
    }
    let first = instance.initial_state_with(&mut |_, _, _| true, Vec::new());
    let first = first.ok()??;
    let mut columns: Vec<(usize, usize, Vec<Value>)> = Vec::new();
    let mut count = 1u128;
    for node in machine.nodes() {
        for (place, var) in machine.vars_of(machine.kind_of(node)).enumerate() {
            count = count.saturating_mul(machine.cardinality(&var.ty));
            if count > MOST {
                return None;
            }
            columns.push((node.index(), place, machine.values(&var.ty)));
        }
    }
    let mut states = vec![first];
    for (node, place, values) in columns {
        let each = |state: &State| {
            let with = |value: &Value| {
                let mut state = state.clone();
                state.nodes[node].vars[place] = value.clone();
                state
            };
            values.iter().map(with).collect::<Vec<_>>()
        };
        states = states.iter().flat_map(each).collect();
    }
    let initial = |state: &State| instance.is_initial(state).ok();
    let are: Option<Vec<bool>> = states.iter().map(initial).collect();
    let pairs = states.into_iter().zip(are?);
    Some(
        pairs
            .filter(|(_, is)| *is)
            .map(|(state, _)| state)
            .collect(),
    )
}

/// Compares the lazy and the naive enumeration for the first instances of a Machine. Returns the number of candidates
/// that pruning skipped; `None` if no instance could be compared.
fn compare(machine: &Machine, what: &str) -> Option<u128> {
    let mut passed_over = None;
    for frozen in machine.frozen_choices().take(20) {
        let instance = Instance {
            machine,
            frozen: &frozen,
        };
        let Some(mut expected) = by_trying(instance) else {
            continue;
        };
        let Ok(parts) = instance.initial_parts() else {
            continue;
        };
        let states = instance.initial_states_from(parts);
        let mut found = Vec::new();
        for look in states.clone() {
            let Some((number, state)) = look.unwrap_or_else(|e| panic!("{what}: {e:?}")) else {
                continue;
            };
            assert_eq!(states.state_by_number(number), state, "{what}");
            found.push(state);
        }
        let looked = states.clone().count() as u128;
        let over = passed_over.get_or_insert(0);
        *over += states.candidates() - looked;
        // The two enumerations may list the states in different orders.
        expected.sort();
        let mut sorted = found.clone();
        sorted.sort();
        assert_eq!(sorted, expected, "{what}");
    }
    passed_over
}

#[test]
fn of_random_machines() {
    let mut compared = 0;
    for seed in 0..300 {
        let machine = random_machine(seed, &Size::default());
        compared += u32::from(compare(&machine, &format!("seed {seed}")).is_some());
    }
    assert!(compared > 50, "{compared}");
}

/// A Machine with three nodes with two variables each, and a restriction of their initial values.
fn restricted(condition: &str) -> Machine {
    let text = format!(
        "(kind K 3) (channel fifo) (ids 3) (frozen K id id arrangement)
         (var K a (int 0 3) any) (var K b bool any)
         (initially (locals (k node) (j node) (l node)) {condition})"
    );
    let machine =
        parse(&text).unwrap_or_else(|e| panic!("{condition}: {}: {}", e.line, e.expected));
    verify(&machine).unwrap_or_else(|e| panic!("{condition}: {e}"));
    machine
}

#[test]
fn of_restrictions_about_several_variables() {
    let atoms = [
        "(< (var a (node 1)) (var a (node 2)))",
        "(all k (nodes) (all j (nodes) (<= (var a k) (+ (var a j) 1))))",
        "(all k (nodes) (implies (var b k) (= (var a k) 2)))",
        "(exists k (nodes) (var b k))",
        "(all k (nodes) (<= (var a k) (var a (smallest j (nodes) (frozen id j)))))",
        "(var b (largest j (nodes) (frozen id j)))",
        "(= (var a (smallest j (nodes) (var a j))) 1)",
        "(= (sum l (nodes) (var a l)) 4)",
        "(not (= (var a (node 3)) (var a (node 1))))",
        "(< 5 3)",
    ];
    let mut rng = Rng(1);
    let mut passed_over = 0;
    for one in atoms {
        passed_over += compare(&restricted(one), one).expect("few enough");
        let other = atoms[rng.below(atoms.len())];
        for both in [
            format!("(and {one} {other})"),
            format!("(or {one} {other})"),
        ] {
            passed_over += compare(&restricted(&both), &both).expect("few enough");
        }
    }
    assert!(passed_over > 10_000, "{passed_over}");
}
