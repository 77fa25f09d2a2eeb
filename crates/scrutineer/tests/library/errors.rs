//! Errors of the library: errors in a model, options that do not fit the model, Machines that are not well-formed.

use crate::examples::adders;
use scrutineer::{Error, Model, Options, Severity, check_machine};

const MODEL: &str = "param n: 1..4 = 2
node Member[n] { var done: Bool = false; when act: not done { done = true } }
claim ends: eventually all k in Member: k.done
check ends
";

#[test]
fn a_mistake_has_a_place_and_a_code() {
    let text = MODEL.replace("k.done", "k.gone");
    let error = Model::parse_named("wrong.scrut", &text).expect_err("a mistake");
    let [only] = error.diagnostics() else {
        panic!("one diagnostic: {error:?}");
    };
    assert_eq!(only.severity, Severity::Error);
    let place = text.lines().nth(2).and_then(|line| line.find("k.gone"));
    let column = place.expect("the mistake") + 1;
    assert_eq!(only.from.line, 3);
    assert!(
        (column..=column + 2).contains(&only.from.column),
        "{only:?}"
    );
    assert!(only.code.starts_with('E'), "{only:?}");
    let line = error.to_string();
    assert!(line.starts_with("wrong.scrut:3:"), "{line}");
    assert!(line.contains(only.code) && !line.contains('\n'), "{line}");
    let _: &dyn std::error::Error = &error;
}

#[test]
fn a_mistake_with_these_parameters_is_a_diagnostic() {
    let model = Model::parse(MODEL).expect("a model");
    let outside = Options::default().set("n", 9);
    let error = model.checks()[0].run(&outside).expect_err("n has no 9");
    assert!(!error.diagnostics().is_empty(), "{error:?}");
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let model = Model::parse(MODEL).expect("a model");
    let check = model.checks()[0];
    for (options, name) in [
        (Options::default().set("m", 1), "`m`"),
        (Options::default().claim("end"), "`end`"),
    ] {
        let error = check.run(&options).expect_err("options that do not fit");
        assert!(matches!(error, Error::Options(_)), "{error:?}");
        assert!(error.to_string().contains(name), "{error}");
    }
    let error = check_machine(&adders(), true, &Options::default().claim("three"));
    assert!(matches!(error, Err(Error::Options(_))), "{error:?}");
}

#[test]
fn a_malformed_machine_is_refused() {
    let mut machine = adders();
    machine.blocks[0].scope.locals.clear();
    let error = check_machine(&machine, true, &Options::default());
    assert!(matches!(error, Err(Error::Machine(_))), "{error:?}");
}

#[test]
fn a_file_that_is_not_there_is_no_model() {
    let error = Model::read("no-such-file.scrut").expect_err("no file");
    assert!(matches!(error, Error::Read(_)), "{error:?}");
    assert!(error.to_string().contains("no-such-file.scrut"), "{error}");
}
