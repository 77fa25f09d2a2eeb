//! Random runs with real times: events happen within `enabled_interval`, and time does not pass a deadline. The same
//! run without times is a run of the Machine whose times are abstracted to order rules.

use machine::{
    Abstraction, Choice, Event, Frozen, Instance, KindId, Machine, Periodic, State, StepError,
    Timing, Trigger, Window, order_rule,
};
use rational::Rational;
use testkit::{Size, random_machine};

/// A multiplicative congruential generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(0xda94_2042_e4dd_58b5);
        ((self.0 >> 33) % n as u64) as usize
    }
}

fn half(a: &Rational, b: &Rational) -> Rational {
    (a + b) / Rational::from(2)
}

/// The random Machine of a seed with exact time; `None` if it has no real times.
fn exact(seed: u64) -> Option<Machine> {
    let mut machine = random_machine(seed, &Size::default());
    machine.abstraction = Abstraction::Exact;
    machine.has_time().then_some(machine)
}

/// The Machine with its times abstracted to the order rules for up to three activations and two gaps.
fn ordered(machine: &Machine) -> Machine {
    let mut rules = Vec::new();
    for of in machine.periodic_kinds() {
        for with in machine.periodic_kinds() {
            let starts = (1..=3).map(Window::Start);
            let gaps = (1..=2).map(|gaps| Window::Gaps { gaps, early: false });
            rules.extend(starts.chain(gaps).map(|w| order_rule(of, with, w)));
        }
    }
    Machine {
        abstraction: Abstraction::Order(rules, vec![]),
        ..machine.clone()
    }
}

/// A random frozen choice, with a random period for each node with a fixed period.
fn frozen(machine: &Machine, dice: &mut Dice) -> Frozen {
    let all: Vec<Frozen> = machine.frozen_choices().take(50).collect();
    let mut frozen = all[dice.below(all.len())].clone();
    let fixed = |kind: KindId| -> Option<&Periodic> {
        match machine.timing(kind) {
            Some(Timing::Periodic(periodic)) if periodic.fixed => Some(periodic),
            _ => None,
        }
    };
    let mut period = |periodic: &Periodic| {
        let (shortest, longest) = &periodic.gap;
        match dice.below(3) {
            0 => shortest.clone(),
            1 => longest.clone(),
            _ => half(shortest, longest),
        }
    };
    frozen.periods = { machine.nodes() }
        .map(|node| fixed(machine.kind_of(node)).map(&mut period))
        .collect();
    frozen
}

fn is_activation(machine: &Machine, event: &Event) -> bool {
    match event {
        Event::Run(_, block) => {
            matches!(
                machine.blocks[block.index()].trigger,
                Trigger::Every(Timing::Periodic(_))
            )
        }
        _ => false,
    }
}

/// Whether the choice is not enabled at the given time.
fn is_refused(instance: Instance, state: &State, choice: &Choice, time: Option<Rational>) -> bool {
    let choice = Choice {
        time,
        ..choice.clone()
    };
    instance.step(state, &choice) == Err(StepError::NotEnabled)
}

/// Checks that a choice is enabled at the ends of its `enabled_interval` and not outside; returns the interval.
fn check(instance: Instance, state: &State, choice: &Choice) -> (Rational, Option<Rational>) {
    let (machine, event) = (instance.machine, &choice.event);
    let what = || {
        let choice = machine.show_choice(choice);
        format!("{choice} in {}\n{machine}", machine.show_state(state))
    };
    let (from, to) = instance
        .enabled_interval(state, event)
        .unwrap_or_else(|| panic!("{}", what()));
    let now = &state.clock.as_ref().expect("a clock").now;
    assert!(*now <= from, "{}", what());
    assert_eq!(choice.time.as_ref(), Some(&from), "{}", what());
    assert_eq!(to, instance.deadline(state), "{}", what());
    let little = Rational::new(1, 1000);
    let later = to.clone().unwrap_or(&from + Rational::from(100));
    for inside in [&from, &half(&from, &later), &later] {
        let refused = is_refused(instance, state, choice, Some(inside.clone()));
        assert!(!refused, "at {inside}: {}", what());
    }
    let outside = to.as_ref().map(|to| to + &little);
    for outside in outside.into_iter().chain([&from - &little]) {
        let refused = is_refused(instance, state, choice, Some(outside.clone()));
        assert!(refused, "at {outside}: {}", what());
    }
    assert!(is_refused(instance, state, choice, None), "{}", what());
    (from, to)
}

/// Executes a random run and checks it; returns the number of activations.
fn walk(machine: &Machine, dice: &mut Dice) -> usize {
    let frozen = frozen(machine, dice);
    let instance = Instance {
        machine,
        frozen: &frozen,
    };
    assert!(instance.periods_fit());
    let other = ordered(machine);
    let timeless = Frozen {
        periods: vec![],
        ..frozen.clone()
    };
    let follower = Instance {
        machine: &other,
        frozen: &timeless,
    };
    let (Ok(states), Ok(followers)) = (instance.initial_states(), follower.initial_states()) else {
        return 0;
    };
    assert_eq!(states.len(), followers.len());
    if states.is_empty() {
        return 0;
    }
    let begin = dice.below(states.len());
    let (mut state, mut followed) = (states[begin].clone(), followers[begin].clone());
    let mut activations = 0;
    for _ in 0..40 {
        let choices = instance.choices(&state);
        if choices.is_empty() {
            break;
        }
        let mut choice = choices[dice.below(choices.len())].clone();
        let (from, to) = check(instance, &state, &choice);
        let later = to.unwrap_or(&from + Rational::from(1));
        choice.time = Some(match dice.below(4) {
            0 => later,
            1 => half(&from, &later),
            _ => from,
        });
        let Ok(next) = instance.step(&state, &choice) else {
            break; // a runtime error ends the run
        };
        activations += usize::from(is_activation(machine, &choice.event));
        let deadline = instance.deadline(&state);
        let now = next.clock.as_ref().map(|clock| clock.now.clone());
        assert_eq!(now, choice.time);
        assert!(deadline.is_none_or(|deadline| now <= Some(deadline)));
        choice.time = None;
        followed = follower.step(&followed, &choice).unwrap_or_else(|e| {
            let what = other.show_choice(&choice);
            panic!("{e:?}: {what} in {}\n{other}", other.show_state(&followed))
        });
        assert_eq!(
            (&next.nodes, &next.edges, &next.budgets),
            (&followed.nodes, &followed.edges, &followed.budgets)
        );
        state = next;
    }
    activations
}

#[test]
fn walks_happen_when_they_may_and_keep_all_order_rules() {
    let (mut machines, mut activations) = (0, 0);
    for seed in 0..400 {
        let Some(machine) = exact(seed) else { continue };
        machines += 1;
        let mut dice = Dice(2 * seed + 1);
        activations += (0..4).map(|_| walk(&machine, &mut dice)).sum::<usize>();
    }
    println!("{machines} Machines, {activations} activations");
    assert!(
        machines >= 30 && activations >= 500,
        "{machines}, {activations}"
    );
}
