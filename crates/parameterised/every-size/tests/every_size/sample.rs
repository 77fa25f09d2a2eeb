//! Random periodic protocols: what is proved for every number of nodes holds in networks of up to four nodes, no bound
//! that is proved is below the least one there, and of the claims that hold there enough are proved.

use crate::protocols::{accepted, direct_within, protocol};
use crate::random::{BOUNDS, CONDITIONS, CONSTRUCTS, constructs, random_protocol};
use every_size::{Answer, analyse};
use machine::OpenMachine;
use testkit::sample::{Census, compare_all, seeds};
use verdict::Unlimited;

/// The number of protocols in a test run; SCRUTINEER_SAMPLE may set more.
const USUAL: u64 = 16;

/// The largest number of nodes of the networks in which claims are decided directly.
const LARGEST: u32 = 4;

/// How often the direct method may ask its budget for one claim at one size.
const PATIENCE: u64 = 20;

/// What came out for the claims of one condition, which differ in their bounds.
struct Outcome {
    /// By bound: whether the claim holds with 1, 2, … nodes; `None` if that is undecided.
    direct: [Option<bool>; BOUNDS.len()],
    /// By bound: whether the claim is proved for every number of nodes.
    proved: [bool; BOUNDS.len()],
}

/// Whether a claim holds in the network of each size up to the largest one; `None` if that is undecided.
fn holds_directly(open: &OpenMachine, claim: usize) -> Option<bool> {
    let mut all = Some(true);
    for n in 1..=LARGEST {
        match direct_within(open, n, claim, PATIENCE) {
            Some(false) => return Some(false),
            Some(true) => {}
            None => all = None,
        }
    }
    all
}

/// What comes out for the conditions of one protocol.
fn compare(seed: u64) -> Result<Vec<Outcome>, String> {
    let text = random_protocol(seed);
    let open = protocol(&text, &[]);
    let claims = &open.base.properties;
    let found = analyse(&open, claims, cadical::BACKEND, &Unlimited)
        .map_err(|why| format!("{why:?}\n{text}"))?;
    let holds = |answer: &Answer| matches!(answer, Answer::Holds(_));
    let mut outcomes = Vec::new();
    for condition in 0..CONDITIONS {
        let first = condition * BOUNDS.len();
        let proved: [bool; BOUNDS.len()] =
            std::array::from_fn(|bound| holds(&found.answers[first + bound]));
        // A larger bound claims less: above the least bound that holds, all do.
        let mut direct = [Some(true); BOUNDS.len()];
        for (bound, direct) in direct.iter_mut().enumerate() {
            *direct = holds_directly(&open, first + bound);
            if proved[bound] && *direct == Some(false) {
                let claim = &claims[first + bound].name;
                return Err(format!(
                    "{claim} is proved and fails with at most {LARGEST} nodes\n{text}"
                ));
            }
            if *direct == Some(true) {
                break;
            }
        }
        // Of the bounds of one condition, the least one that is proved says the most.
        if let Some(least) = proved.iter().position(|proved| *proved) {
            accepted(&open, claims, &found, first + least)
                .map_err(|why| format!("{why}\n{text}"))?;
        }
        outcomes.push(Outcome { direct, proved });
    }
    Ok(outcomes)
}

#[test]
fn what_is_proved_holds_in_small_networks_and_enough_is_proved() {
    let compared = compare_all(seeds(USUAL), compare);
    let protocols = compared.len();
    let outcomes: Vec<Outcome> = compared.into_iter().flatten().collect();
    let mut claims = [0; 3];
    let mut proved = [0; 3];
    let (mut fail, mut open, mut above) = (0, [0; 2], 0);
    for outcome in &outcomes {
        let least = outcome
            .direct
            .iter()
            .position(|direct| *direct == Some(true));
        for (bound, (direct, is_proved)) in outcome.direct.iter().zip(outcome.proved).enumerate() {
            match direct {
                Some(true) => {
                    // All claims; those of the least bounds; and those of the least bounds above 0.
                    let is_least = least == Some(bound);
                    for (kind, counts) in [true, is_least, is_least && bound > 0].iter().enumerate()
                    {
                        claims[kind] += usize::from(*counts);
                        proved[kind] += usize::from(*counts && is_proved);
                    }
                }
                Some(false) => fail += 1,
                None => open[usize::from(is_proved)] += 1,
            }
        }
        let proves = outcome.proved.iter().any(|proved| *proved);
        above += usize::from(least.is_some_and(|least| !outcome.proved[least]) && proves);
    }
    println!(
        "{protocols} protocols, {} claims",
        outcomes.len() * BOUNDS.len()
    );
    println!(
        "{fail} claims fail with at most {LARGEST} nodes, {} are undecided there, of which {} are proved",
        open[0] + open[1],
        open[1]
    );
    println!(
        "{} of {} claims that hold there are proved",
        proved[0], claims[0]
    );
    println!(
        "{} of {} with the least bound that holds",
        proved[1], claims[1]
    );
    println!(
        "{} of {} with the least bound where it is not 0",
        proved[2], claims[2]
    );
    println!("{above} conditions are proved with a larger bound than the least one only");
    for kind in 0..2 {
        assert!(claims[kind] > 0 && 3 * proved[kind] >= claims[kind]);
    }
}

#[test]
fn protocols_are_varied() {
    let cases = (0..300).map(|seed| constructs(&random_protocol(seed)));
    let names = CONSTRUCTS.iter().map(|(name, _)| *name);
    Census::of(cases).is_varied(names, 20);
}
