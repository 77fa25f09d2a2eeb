//! Diagnostics for checks for which no initial state was found, and for questions that an engine refuses.

use crate::call::load::Loaded;
use lower::Lowered;
use machine::{InitialError, TooLarge};
use simulate::NoInitial;
use source::{Diagnostic, Span, codes};
use verdict::Refusal;

/// The diagnostic for a check for which no initial state was found.
pub(crate) fn no_initial(
    loaded: &Loaded,
    number: usize,
    lowered: &Lowered,
    why: NoInitial,
) -> Diagnostic {
    match why {
        NoInitial::Wrong(error) => refused(loaded, number, lowered, &Refusal::Initial(error)),
        NoInitial::Nowhere => refused(loaded, number, lowered, &Refusal::NoInitialState),
        NoInitial::NotFound => restricted(
            loaded,
            number,
            "no state was found that can begin a run: nearly all that were tried are ruled out"
                .into(),
        )
        .note("give the variables fewer values to begin with: `= any in …` instead of `initially`"),
        NoInitial::Interrupted => restricted(
            loaded,
            number,
            "interrupted before a state was found that can begin a run".into(),
        ),
        NoInitial::TooLarge(TooLarge { kind, name, values }) => {
            let text = match values {
                u128::MAX => {
                    format!("no first value of `{name}` can be drawn: that takes too many values")
                }
                _ => format!("no first value of `{name}` can be drawn: that takes {values} values"),
            };
            let kind = &lowered.machine.kinds[kind.index()].name;
            let span = loaded.model.checks[number].span;
            let place = declared(loaded, kind, &name).unwrap_or(span);
            Diagnostic::error(codes::BAD_INITIAL_VALUE, place, text)
                .note("give it a smaller type, or a first value instead of `any`")
        }
    }
}

/// The place of the declaration of a variable; `None` if the kind has no field of this name.
fn declared(loaded: &Loaded, kind: &str, name: &str) -> Option<Span> {
    let kind = loaded.model.kinds.iter().find(|k| k.name == kind)?;
    let field = kind.fields.iter().find(|f| f.name == name)?;
    Some(field.span)
}

/// The diagnostic for the refusal of an engine.
pub(crate) fn refused(
    loaded: &Loaded,
    number: usize,
    lowered: &Lowered,
    refusal: &Refusal,
) -> Diagnostic {
    let span = loaded.model.checks[number].span;
    let nodes = lowered.machine.node_count();
    match refusal {
        Refusal::NoInitialState => {
            let of = if is_written(span) {
                " of this check"
            } else {
                ""
            };
            let nodes = match nodes {
                1 => "1 node".to_string(),
                many => format!("{many} nodes"),
            };
            let text = format!("no state can begin a run{of} ({nodes})");
            restricted(loaded, number, text).note(
                "a variable that may begin with several values is declared `= any` or `= any in …`",
            )
        }
        Refusal::Initial(InitialError::OutOfRange(var, value)) => {
            let var = &lowered.machine.vars[var.index()];
            let kind = &lowered.machine.kinds[var.kind.index()].name;
            let value = lowered.machine.show_value(value);
            let text = format!(
                "`{}` cannot begin with {value}: its type does not have that value",
                var.name
            );
            let declared = declared(loaded, kind, &var.name);
            let place = declared.unwrap_or(span);
            let diagnostic = Diagnostic::error(codes::BAD_INITIAL_VALUE, place, text);
            match declared {
                Some(_) if is_written(span) => diagnostic.other(span, "in this check"),
                _ => diagnostic,
            }
        }
        Refusal::Initial(InitialError::TooMany(var, values)) => {
            let var = &lowered.machine.vars[var.index()];
            let kind = &lowered.machine.kinds[var.kind.index()].name;
            let many = match *values {
                u128::MAX => "too many values".to_string(),
                many => format!("{many} values, which are too many"),
            };
            let text = format!("`{}` can begin with {many} to go through", var.name);
            let place = declared(loaded, kind, &var.name).unwrap_or(span);
            Diagnostic::error(codes::BAD_INITIAL_VALUE, place, text)
                .note("give it a smaller type, or a first value instead of `any`")
        }
        Refusal::Initial(InitialError::Error(error)) => {
            let place = error.origin.and_then(|o| lowered.labels.origin(o));
            let place = place.map_or(String::new(), |label| {
                format!(": {} (line {})", label.text, label.line)
            });
            Diagnostic::error(
                codes::BAD_INITIAL_VALUE,
                span,
                format!("an initial value or restriction has no value{place}"),
            )
        }
        Refusal::Contradiction(contradiction) => {
            let (first, second) = (contradiction.first.method, contradiction.second.method);
            let text = format!(
                "{first} and {second} contradict each other about property {}: this is a bug in Scrutineer, please \
                 report it with the model",
                contradiction.property + 1
            );
            Diagnostic::error(codes::NOT_IN_THIS_VERSION, span, text)
        }
        Refusal::Unsupported(why) | Refusal::Checkpoint(why) => {
            Diagnostic::error(codes::NOT_IN_THIS_VERSION, span, why.clone())
        }
    }
}

/// Whether a check is part of the model text (true) or was added by `setup` for a run (false).
fn is_written(span: Span) -> bool {
    span.start < span.end
}

/// The error that no initial state was found, with labels at the restrictions.
fn restricted(loaded: &Loaded, number: usize, text: String) -> Diagnostic {
    let check = &loaded.model.checks[number];
    let world = check.world.map(|w| &loaded.model.worlds[w.index()]);
    let initially = world
        .and_then(|w| w.initially.as_ref())
        .unwrap_or(&loaded.model.initially);
    let why = "what the variables begin with does not allow this";
    let all = initially.iter().chain(&check.assuming);
    let mut places = all.map(|e| e.span);
    let diagnostic = if is_written(check.span) {
        Diagnostic::error(codes::NO_INITIAL_STATE, check.span, text)
    } else {
        let place = places.next();
        let place = place.map_or((check.span, ""), |place| (place, why));
        Diagnostic::error(codes::NO_INITIAL_STATE, place.0, text).at(place.1)
    };
    places.fold(diagnostic, |d, place| d.other(place, why))
}
