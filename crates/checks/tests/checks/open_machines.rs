//! Open Machines of random models: at each size they are what lowering gives.

use lower::{Request, instances, lower, open};
use model::{Model, ParamId, Question};
use source::{Severity, Sources};
use testkit::sample::{compare_all, seeds};

/// The number of models of each generator; SCRUTINEER_SAMPLE may set more.
const COMPARED: u64 = 250;

/// The sizes at which Machines are compared.
const SIZES: std::ops::RangeInclusive<i64> = 1..=6;

/// The model with a parameter as the number of nodes of its first kind; `None` if the text gives no number.
fn with_size(text: &str) -> Option<String> {
    let kind = text.find("\nnode ").map_or(0, |at| at + 1);
    let (from, to) = (
        kind + text[kind..].find('[')?,
        kind + text[kind..].find(']')?,
    );
    let count: u32 = text[from + 1..to].parse().ok()?;
    let (before, after) = (&text[..=from], &text[to..]);
    Some(format!(
        "param nodes_of_it: 1..20 = {count}\n{before}nodes_of_it{after}"
    ))
}

fn resolved(text: &str) -> Option<(Sources, Model)> {
    let mut sources = Sources::default();
    let file = sources.add("random.scrut", text);
    let parsed = syntax::parse(&sources, file);
    let (model, problems) = model::resolve(&parsed.file, &sources);
    let mut all = parsed.diagnostics.iter().chain(&problems);
    let fine = all.all(|problem| problem.severity != Severity::Error);
    fine.then_some((sources, model))
}

/// The request of a check for every size.
fn for_every_size(model: &Model, check: usize) -> Option<Request> {
    let Question::Claims(_) = model.checks[check].question else {
        return None;
    };
    let mut request = instances(model, check, &[]).ok()?.into_iter().next()?;
    let every = vec![ParamId(0)];
    request.every = every.clone();
    request = request.at(model, 1).ok()?;
    (request.every, request.sized) = (every, None);
    Some(request)
}

/// Compares the Machines of one model. Returns the number of sizes, and whether the model has an open Machine.
fn compare(text: &str) -> Result<(usize, bool), String> {
    let Some((sources, model)) = with_size(text).and_then(|text| resolved(&text)) else {
        return Ok((0, false));
    };
    let (mut compared, mut opened) = (0, false);
    for check in 0..model.checks.len() {
        let Some(request) = for_every_size(&model, check) else {
            continue;
        };
        let Ok(open) = open(&model, &sources, &request) else {
            continue;
        };
        opened = true;
        for n in SIZES {
            let sized = request.at(&model, n).map_err(|e| format!("{n}: {e:?}"))?;
            let Ok(lowered) = lower(&model, &sources, &sized) else {
                continue;
            };
            let same = open.machine.at(n as u32);
            if lowered.machine != same {
                return Err(format!("{n} nodes\n{}\n{same}\n{text}", lowered.machine));
            }
            compared += 1;
        }
        let again = machine::parse_open(&open.machine.to_string());
        if again.as_ref() != Ok(&open.machine) {
            return Err(format!("{}\nis read as {again:?}", open.machine));
        }
    }
    Ok((compared, opened))
}

fn compare_generator(random_text: impl Fn(u64) -> String + Sync) {
    let compared = compare_all(seeds(COMPARED), |seed| compare(&random_text(seed)));
    let sizes: usize = compared.iter().map(|(sizes, _)| sizes).sum();
    let opened = compared.iter().filter(|(_, opened)| *opened).count();
    println!("{opened} of {} models, {sizes} Machines", compared.len());
    assert!(opened * 4 >= compared.len(), "{opened} open Machines");
    assert!(sizes >= opened * SIZES.count() / 2, "{sizes} Machines");
}

#[test]
fn random_models_are_the_same_at_each_size() {
    compare_generator(crate::models::random_text);
}

#[test]
fn random_periodic_models_are_the_same_at_each_size() {
    compare_generator(crate::order_models::random_text);
}

#[test]
fn random_timed_models_are_the_same_at_each_size() {
    compare_generator(crate::timed_models::random_text);
}
