//! Mutated models cause no panic, formatting does not change their meaning, and diagnostics lead to the mutation.
//! `cargo xtask long` does the same with a hundred thousand mutants.

use mutations::{Operator, errors, sample, texts};

#[test]
fn messages_lead_to_the_damage() {
    let tally = sample(3000);
    println!("{tally}");
    assert!(tally.defects.is_empty(), "{}", tally.defects.join("\n\n"));
    for (operator, row) in tally.rows() {
        assert_eq!(row.mutants, 3000 / Operator::ALL.len());
        assert!(
            row.leads(operator),
            "{}: too few messages lead to the damage\n\n{tally}\n{}",
            operator.words(),
            tally.misses.join("\n\n")
        );
        assert!(
            row.to_the_point(),
            "{}: too much is said\n\n{tally}",
            operator.words()
        );
    }
}

#[test]
fn before_the_damage_nothing_is_wrong() {
    let texts = texts();
    assert!(texts.iter().any(|text| text.shipped));
    assert!(texts.iter().any(|text| !text.shipped && !text.refused));
    for text in texts.iter().filter(|text| !text.refused) {
        let errors = errors(&text.text);
        assert!(errors.is_empty(), "{}: {errors:?}", text.name);
    }
}
