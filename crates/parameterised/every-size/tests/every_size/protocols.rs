//! Protocols of the tests, and what the engine says of them.

use every_size::{Analysis, Answer, analyse};
use machine::{OpenMachine, parse_open, verify_open};
use verdict::Unlimited;

pub const ELECTION: &str = include_str!("models/election.machine");
pub const MEMBERSHIP_A: &str = include_str!("models/membership-a.machine");
pub const MEMBERSHIP_B: &str = include_str!("models/membership-b.machine");

/// A protocol from text, with replacements. Panics if a replaced text does not occur.
pub fn protocol(text: &str, replaced: &[(&str, &str)]) -> OpenMachine {
    let mut text = text.to_string();
    for (old, new) in replaced {
        assert!(text.contains(old), "{old} does not occur in\n{text}");
        text = text.replace(old, new);
    }
    let open = parse_open(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let wrong = verify_open(&open);
    assert!(wrong.is_ok(), "{wrong:?}\n{text}");
    open
}

pub fn analysis(open: &OpenMachine) -> Analysis {
    let found = analyse(open, &open.base.properties, cadical::BACKEND, &Unlimited);
    found.unwrap_or_else(|why| panic!("{why}"))
}

/// Whether each claim is proved, and its proof is accepted by the audit.
pub fn proved(open: &OpenMachine) -> Vec<bool> {
    let claims = &open.base.properties;
    let answers = analysis(open).answers.into_iter().enumerate();
    let proved = answers.map(|(claim, answer)| match answer {
        Answer::Holds(proof) => {
            let checked = audit::every_size(open, claims, claim, &proof, cadical::BACKEND);
            assert!(checked.is_ok(), "{checked:?}");
            true
        }
        _ => false,
    });
    proved.collect()
}
