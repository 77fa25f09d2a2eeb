//! Proofs that rely on other proved claims. The other claims are stored with their proofs, each after the claims on
//! which it relies.

use crate::Evidence;
use machine::{Machine, Property, verify};
use serde::{Deserialize, Serialize};

/// A proof of a claim that assumes other claims of the same Machine, which are proved first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relying {
    /// The claims that are proved first, in this order.
    pub before: Vec<Proved>,
    /// The numbers, from 1, of the claims in `before` that the evidence assumes in every state.
    pub relies_on: Vec<u32>,
    /// The evidence for the claim under these assumptions; it is about a circuit.
    pub evidence: Box<Evidence>,
}

/// A claim on which other proofs rely.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proved {
    /// The claim in the text form of the Machine.
    pub claim: String,
    /// The numbers, from 1, of the earlier claims that the evidence assumes in every state.
    pub relies_on: Vec<u32>,
    /// The evidence for the claim under these assumptions; it is about a circuit.
    pub evidence: Evidence,
}

impl Relying {
    /// A proof that assumes the claims `others`. Their evidence may in turn rely on claims.
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

/// The number, from 1, of a claim in `before`. If the claim is missing, it is appended after the claims on which it
/// relies.
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

/// A property in the text form of its Machine, which lists properties last.
fn claim_text(machine: &Machine, property: &Property) -> String {
    let whole = Machine {
        properties: vec![property.clone()],
        ..machine.clone()
    };
    let whole = whole.to_string();
    let rest = whole.strip_prefix(&without_properties(machine).to_string());
    rest.expect("properties are last").trim_end().to_owned()
}

/// The property with the given text, for a Machine; an error message if the text is not exactly one valid property.
pub fn claim_of(machine: &Machine, text: &str) -> Result<Property, String> {
    let bare = without_properties(machine);
    let whole = machine::parse(&format!("{bare}{text}\n")).map_err(|e| e.to_string())?;
    verify(&whole).map_err(|e| e.to_string())?;
    // The text must not declare anything else: that would change the Machine.
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
