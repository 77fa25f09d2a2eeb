//! The text form: malformed text is rejected with a line number, never with a panic.

use machine::{Machine, Value, parse, parse_value};
use testkit::{Size, random_machine};

#[test]
fn the_empty_text_is_the_empty_machine() {
    assert_eq!(parse(""), Ok(Machine::default()));
    assert_eq!(parse("; nothing\n"), Ok(Machine::default()));
}

#[test]
fn damaged_text_is_refused_or_read_but_never_panics() {
    let mut refused = 0;
    for seed in 0..60 {
        let text: Vec<char> = random_machine(seed, &Size::default())
            .to_string()
            .chars()
            .collect();
        for i in 0..40 {
            let at = (i * 7919 + seed as usize * 31) % text.len();
            let mut cut = text.clone();
            cut.truncate(at);
            let mut without = text.clone();
            without.remove(at);
            let mut other = text.clone();
            other[at] = ['(', ')', '"', '@', '#', '7', '.', 'x'][i % 8];
            for damaged in [cut, without, other] {
                let damaged: String = damaged.into_iter().collect();
                match parse(&damaged) {
                    // A parsed text survives a round trip even if the Machine is not well formed.
                    Ok(machine) => assert_eq!(parse(&machine.to_string()), Ok(machine)),
                    Err(error) => {
                        refused += 1;
                        assert!(error.line as usize <= damaged.lines().count() + 1);
                        assert!(error.line > 0, "{error}");
                    }
                }
            }
        }
    }
    assert!(refused > 3_000, "only {refused}");
}

#[test]
fn deep_nesting_is_refused_before_the_stack_ends() {
    let nested = |depth: usize| {
        format!(
            "(initially {}true{})",
            "(not ".repeat(depth),
            ")".repeat(depth)
        )
    };
    assert!(parse(&nested(300)).is_ok());
    let error = parse(&nested(100_000)).expect_err("too deep");
    assert!(error.expected.contains("levels"), "{error}");
    let marks = format!("(initially {} true)", "@1 ".repeat(100_000));
    assert!(parse(&marks).is_err());
    assert!(parse(&"(".repeat(1_000_000)).is_err());
}

#[test]
fn values_are_read_as_they_are_shown() {
    let text = "(enum Colour red \"dark red\") (message A (x bool)) (kind K 2)";
    let machine = parse(text).expect("it is well formed");
    for shown in [
        "true",
        "-5",
        "none",
        "(some (id 3))",
        "(set (node 1) (node 2))",
        "(new A false)",
        "(array 1 2)",
        "(name Colour \"dark red\")",
    ] {
        let value = parse_value(&machine, shown).expect("a value");
        assert_eq!(machine.show_value(&value), shown);
    }
    assert_eq!(parse_value(&machine, "7"), Ok(Value::Int(7)));
    assert!(parse_value(&machine, "(new B)").is_err());
    assert!(parse_value(&machine, "1 2").is_err());
}
