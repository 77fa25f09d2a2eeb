//! Proofs that rely on other proved claims: the claims with their proofs, in an acyclic order.

use crate::Evidence;
use machine::{Machine, Property, verify};
use serde::{Deserialize, Serialize};

/// A proof of a claim that relies on claims of the same Machine, which are proved before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relying {
    /// The claims proved before, in this order.
    pub before: Vec<Proved>,
    /// Which of these, from 1, the evidence assumes in every state.
    pub relies_on: Vec<u32>,
    /// The evidence for the claim under these assumptions, by a circuit.
    pub evidence: Box<Evidence>,
}

/// A claim on which other proofs rely.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proved {
    /// The claim in the text form of the Machine.
    pub claim: String,
    /// Which of the earlier claims, from 1, its evidence assumes in every state.
    pub relies_on: Vec<u32>,
    /// The evidence for it under these assumptions, by a circuit.
    pub evidence: Evidence,
}

impl Relying {
    /// A proof that relies on other claims, whose evidence may itself rely on claims.
    pub fn on(machine: &Machine, others: &[(&Property, &Evidence)], evidence: Evidence) -> Relying {
        let mut before = Vec::new();
        let relies_on = others.iter().map(|(property, evidence)| {
            let claim = claim_text(machine, property);
            number_of(&mut before, claim, evidence)
        });
        let relies_on = relies_on.collect();
        Relying {
            before,
            relies_on,
            evidence: Box::new(evidence),
        }
    }
}

/// The number of a claim among those proved before; inserts it, after the claims on which it relies, if it is missing.
fn number_of(before: &mut Vec<Proved>, claim: String, evidence: &Evidence) -> u32 {
    if let Some(place) = before.iter().position(|proved| proved.claim == claim) {
        return place as u32 + 1;
    }
    let (relies_on, evidence) = match evidence {
        Evidence::Relying(relying) => {
            let mut numbers = Vec::new();
            for proved in &relying.before {
                let own: Vec<u32> = { proved.relies_on.iter() }
                    .map(|number| numbers[*number as usize - 1])
                    .collect();
                let known = before.iter().position(|other| other.claim == proved.claim);
                let place = known.unwrap_or_else(|| {
                    before.push(Proved {
                        relies_on: own,
                        ..proved.clone()
                    });
                    before.len() - 1
                });
                numbers.push(place as u32 + 1);
            }
            let relied = relying.relies_on.iter();
            let relied = relied.map(|number| numbers[*number as usize - 1]);
            (relied.collect(), (*relying.evidence).clone())
        }
        other => (Vec::new(), other.clone()),
    };
    before.push(Proved {
        claim,
        relies_on,
        evidence,
    });
    before.len() as u32
}

/// A property in the text form of its Machine, where properties come last.
fn claim_text(machine: &Machine, property: &Property) -> String {
    let whole = Machine {
        properties: vec![property.clone()],
        ..machine.clone()
    };
    let whole = whole.to_string();
    let rest = whole.strip_prefix(&without_properties(machine).to_string());
    rest.expect("properties are last").trim_end().to_owned()
}

/// The property of a Machine with the given text, or the reason why there is none.
pub fn claim_of(machine: &Machine, text: &str) -> Result<Property, String> {
    let bare = without_properties(machine);
    let whole = machine::parse(&format!("{bare}{text}\n")).map_err(|e| e.to_string())?;
    verify(&whole).map_err(|e| e.to_string())?;
    // Text that declares more than a property would change the Machine.
    if without_properties(&whole) != bare {
        return Err("it says more than a claim".into());
    }
    match <[Property; 1]>::try_from(whole.properties) {
        Ok([property]) => Ok(property),
        Err(several) => Err(format!("it is {} claims", several.len())),
    }
}

fn without_properties(machine: &Machine) -> Machine {
    Machine {
        properties: Vec::new(),
        ..machine.clone()
    }
}
