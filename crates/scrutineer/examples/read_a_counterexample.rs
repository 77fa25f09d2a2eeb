//! Reads a counterexample in two forms: as a story for the user, and as data, event by event.

use scrutineer::{Error, Model, Options, PropertyResult};

const SHOP: &str = "
message Pay
message Receipt

node Client {
    var patience: 0..1 = 1
    var paid: Bool = false

    start { send Pay to Shop }
    on Receipt { paid = true }
    when impatient: patience > 0 and not paid {
        patience = patience - 1
        send Pay to Shop
    }
}

node Shop {
    var charged: 0..2 = 0

    on Pay from client { charged = charged + 1; send Receipt to client }
}

network complete { channel fifo }

claim charged_once: always Shop.charged <= 1
check charged_once
";

/// The result of the only question of the model.
pub fn charged_once() -> Result<PropertyResult, Error> {
    let model = Model::parse_named("shop.scrut", SHOP)?;
    let report = model.checks()[0].run(&Options::default())?;
    Ok(report.properties.into_iter().next().expect("one question"))
}

#[test]
fn the_second_payment_breaks_the_claim() -> Result<(), Error> {
    use scrutineer::{Ending, Verdict};
    let result = charged_once()?;
    assert_eq!(result.verdict, Verdict::Fails);
    let witness = result.witness.expect("a run that breaks the claim");
    let last = witness.run.events.last().expect("an event");
    assert_eq!((&last.node[..], &last.what[..]), ("Shop", "gets Pay"));
    assert!(last.effects.contains(&"charged 1 → 2".to_string()));
    assert_eq!(witness.run.ending, Ending::Open);
    let why = witness.run.why.expect("an explanation");
    assert_eq!(why.part.as_deref(), Some("Shop.charged <= 1"));
    assert_eq!(why.after_event, witness.run.events.len());
    Ok(())
}

/// Prints the run that violates the claim.
pub fn main() -> Result<(), Error> {
    let result = charged_once()?;
    println!("{}: {}", result.claim, result.verdict);
    if let Some(witness) = &result.witness {
        println!("\nThe story:");
        witness.story.iter().for_each(|line| println!("  {line}"));
        println!("\nThe events:");
        for event in &witness.run.events {
            println!("  {} {}: {:?}", event.node, event.what, event.effects);
        }
        if let Some(why) = &witness.run.why {
            let part = why.part.as_deref().unwrap_or("the claim");
            println!("\n{part} is {}: {}", why.is, why.because);
        }
    }
    Ok(())
}
