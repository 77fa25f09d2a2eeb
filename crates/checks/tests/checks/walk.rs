//! Random runs of the stepper are runs of their Machine, are determined by the seed, and can be undone event by event.

use audit::replay;
use machine::random::Rng;
use machine::{Expr, Instance, Machine, Predicate, Scope};
use simulate::{InitialSampler, NoInitial, Stepper, begin, walk};
use testkit::{Size, random_machine};
use verdict::{Budget, Ending, Progress, Run, Spent, Unlimited};

fn sample(count: u64) -> impl Iterator<Item = (u64, Machine)> {
    (0..count).map(|seed| (seed, random_machine(seed, &Size::default())))
}

fn walked(machine: &Machine, seed: u64, steps: usize) -> Option<Run> {
    let walked = walk(machine, &mut Rng(seed), steps, &Unlimited);
    walked.ok().map(|(run, spent)| {
        assert_eq!(spent, None);
        run
    })
}

#[test]
fn walks_are_runs_and_say_how_they_end() {
    let (mut still, mut errors, mut open) = (0, 0, 0);
    for (seed, machine) in sample(400) {
        let Some(run) = walked(&machine, seed, 30) else {
            continue;
        };
        let replayed = replay(&machine, &run).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        assert!(run.choices.len() <= 30);
        match &run.ending {
            Ending::StandsStill => still += 1,
            Ending::Error(error) => {
                assert_eq!(Some(error), replayed.error.as_ref());
                errors += 1;
            }
            Ending::Open => {
                assert_eq!(run.choices.len(), 30, "seed {seed} stops too early");
                open += 1;
            }
            Ending::Loops(_) => panic!("a walk does not look for loops"),
        }
    }
    assert!(
        still > 20 && errors > 5 && open > 20,
        "{still} {errors} {open}"
    );
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let mut different = 0;
    for (seed, machine) in sample(100) {
        let first = walked(&machine, 7, 20);
        assert_eq!(first, walked(&machine, 7, 20), "seed {seed}");
        different += u32::from(first != walked(&machine, 8, 20));
        // A run with more steps extends the run with fewer steps and the same seed.
        if let (Some(first), Some(longer)) = (first, walked(&machine, 7, 40)) {
            assert_eq!(first.choices[..], longer.choices[..first.choices.len()]);
        }
    }
    assert!(different > 50, "{different}");
}

#[test]
fn steps_can_be_taken_back() {
    let mut rng = Rng(3);
    for (seed, machine) in sample(200) {
        let Ok((frozen, initial)) = begin(&machine, None, &mut rng) else {
            continue;
        };
        let mut walk = Stepper::begin(&machine, frozen, initial);
        assert!(!walk.undo(), "nothing has happened");
        let mut before = vec![(walk.run().clone(), walk.next().to_vec())];
        while before.len() < 15 && !walk.next().is_empty() {
            walk.take(rng.below(walk.next().len()));
            before.push((walk.run().clone(), walk.next().to_vec()));
        }
        while let Some((run, next)) = before.pop() {
            assert_eq!((walk.run(), walk.next()), (&run, &next[..]), "seed {seed}");
            let error = usize::from(matches!(run.ending, Ending::Error(_)));
            assert_eq!(walk.states().len() + error, run.choices.len() + 1);
            assert_eq!(walk.undo(), !run.choices.is_empty());
        }
    }
}

/// A budget that ends a run after a number of events.
struct EventLimited(u64);

impl Budget for EventLimited {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        (progress.depth >= self.0).then_some(Spent::Interrupted)
    }
}

#[test]
fn a_limit_ends_a_walk_where_it_is() {
    let mut ended = 0;
    for (_, machine) in sample(50) {
        if let Ok((run, Some(spent))) = walk(&machine, &mut Rng(1), 100, &EventLimited(5)) {
            assert_eq!((spent, run.choices.len()), (Spent::Interrupted, 5));
            assert_eq!(run.ending, Ending::Open);
            ended += 1;
        }
    }
    assert!(ended > 5, "{ended}");
}

#[test]
fn beginnings_are_drawn_and_rare_ones_are_found() {
    let text = "(kind K 4) (var K x (int 0 9) any)
        (initially (locals (k node)) (= (sum k (nodes) (var x k)) 36))";
    let machine = match machine::parse(text) {
        Ok(machine) => machine,
        Err(error) => panic!("{error}"),
    };
    let (frozen, state) = begin(&machine, None, &mut Rng(1)).expect("one of ten thousand");
    let instance = Instance {
        machine: &machine,
        frozen: &frozen,
    };
    assert_eq!(instance.is_initial(&state), Ok(true));
    let mut nothing = machine.clone();
    nothing.initially.push(Predicate {
        scope: Scope::default(),
        condition: Expr::bool(false),
    });
    let none = begin(&nothing, None, &mut Rng(1));
    assert_eq!(none, Err(NoInitial::Nowhere));
    // 500^12 candidates are too many to enumerate.
    let text = text.replace("kind K 4", "kind K 12").replace("36", "500");
    let many = machine::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let none = begin(&many, None, &mut Rng(1));
    assert_eq!(none, Err(NoInitial::NotFound));
}

#[test]
fn rare_beginnings_are_equally_likely() {
    // Five of 100,000 candidates satisfy the restriction.
    let text = "(kind K 5) (var K x (int 0 9) any)
        (initially (locals (k node)) (= (sum k (nodes) (var x k)) 44))";
    let machine = match machine::parse(text) {
        Ok(machine) => machine,
        Err(error) => panic!("{error}"),
    };
    let initial_parts = InitialSampler::new(&machine, None);
    let count = initial_parts.count(&mut || false).expect("five");
    assert_eq!(count, 5);
    let all = (0..count).map(|number| initial_parts.numbered(number, &mut || false));
    let all: Vec<_> = all.collect::<Result<_, _>>().expect("each of them");
    let mut drawn = [0; 5];
    for seed in 0..8 {
        let one = initial_parts.draw(&mut Rng(seed), &mut || false);
        let one = one.expect("one of five");
        assert_eq!(begin(&machine, None, &mut Rng(seed)).as_ref(), Ok(&one));
        let place = all.iter().position(|other| *other == one);
        drawn[place.expect("one of them")] += 1;
    }
    assert!(drawn.iter().filter(|n| **n > 0).count() >= 2, "{drawn:?}");
    let stopped = InitialSampler::new(&machine, None).draw(&mut Rng(1), &mut || true);
    assert_eq!(stopped, Err(NoInitial::Interrupted));
}
