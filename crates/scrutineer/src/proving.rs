//! Proofs: `check` stores them, `audit` checks them again.

use crate::args::AuditArgs;
use crate::places::Places;
use crate::progress::count;
use crate::telling::{settings, title, world_and_variants};
use crate::{Exit, complain, lines};
use driver::{
    Asked, CheckReport, Checked, CircuitChecked, InstanceReport, Judged, Loaded, OrderChecked,
    Proof, ProofFile, ProofFileError, Refuted,
};
use std::path::Path;

/// Stores every proof of a check; says with `-v` where. How many there are, or why one cannot be stored.
pub(crate) fn store(
    loaded: &Loaded,
    report: &CheckReport,
    judged: &[Vec<Judged>],
    places: &mut Places,
    verbose: bool,
) -> Result<usize, String> {
    let mut stored = 0;
    for (instance, judged) in report.instances.iter().zip(judged) {
        for (number, asked) in report.asked.iter().enumerate() {
            let Some(proof) = &instance.proofs[number] else {
                continue;
            };
            let path = places.take(asked, instance, "proof");
            file(loaded, report, asked, (instance, &judged[number]), proof).write(&path)?;
            stored += 1;
            if verbose {
                lines::aside(&format!("  proof: scrutineer audit {}", path.display()));
            }
        }
    }
    Ok(stored)
}

/// The file of a proof.
pub(crate) fn file(
    loaded: &Loaded,
    report: &CheckReport,
    asked: &Asked,
    (instance, judged): (&InstanceReport, &Judged),
    proof: &Proof,
) -> ProofFile {
    let asks = format!(
        "{}{}",
        asked.text,
        world_and_variants(loaded, report.number)
    );
    let what = match (&asked.sought, &judged.value_text) {
        (Some((name, _)), Some(value)) => format!("{asks} holds for {name} = {value}"),
        _ => format!("{asks} holds"),
    };
    ProofFile::new(title(&what, &settings(&instance.request)), proof)
}

/// Says why a stored proof is not accepted.
pub(crate) fn refused(error: &ProofFileError) -> Exit {
    match error {
        ProofFileError::Unreadable(why) => complain(why),
        ProofFileError::Refused(why) => {
            complain(why);
            Exit::Bad
        }
    }
}

/// `audit FILES…`.
pub(crate) fn audit(args: &AuditArgs) -> Exit {
    let mut exit = Exit::Good;
    for path in &args.files {
        exit = exit.and(one(path));
    }
    exit
}

fn one(path: &Path) -> Exit {
    let (file, proof) = match ProofFile::read(path) {
        Ok(read) => read,
        Err(error) => return refused(&error),
    };
    match proof.audit(crate::SOLVER) {
        Ok(checked) => {
            // What a file is called is not what it proves: that is what its Machine says.
            let said = format!("proved; the file calls it: {}", file.title);
            lines::verdict(lines::Mark::Good, &said, "", None);
            summary(&checked)
                .iter()
                .for_each(|line| lines::detail(line));
            Exit::Good
        }
        Err(why) => {
            complain(&format!("{} proves nothing: {why}", path.display()));
            Exit::Bad
        }
    }
}

/// What was checked, and by what.
fn summary(checked: &Checked) -> Vec<String> {
    match checked {
        Checked::Order(checked) => by_order(checked),
        Checked::Circuit(checked) => by_circuit(checked),
    }
}

fn by_circuit(checked: &CircuitChecked) -> Vec<String> {
    let bits = lines::many(checked.bits as u64, "bit");
    let clauses = lines::many(checked.clauses as u64, "clause");
    let mut said = vec![match checked.depth {
        None => {
            format!("by an invariant of {clauses} over a state of {bits}, asked of another solver")
        }
        Some(depth) => {
            format!(
                "by {depth} steps of a circuit with {bits} and {clauses}, asked of another solver"
            )
        }
    }];
    if !checked.before.is_empty() {
        let names: Vec<&str> = checked.before.iter().map(|p| &p.name[..]).collect();
        said.push(format!(
            "relying on {}, proved in the file as well",
            names.join(", ")
        ));
    }
    said
}

fn by_order(checked: &OrderChecked) -> Vec<String> {
    let parts = checked.parts.iter();
    let asked: Vec<&Refuted> = std::iter::once(&checked.no_error)
        .chain(parts.flat_map(|part| {
            let filled = part.filled.iter().map(|(refuted, _)| refuted);
            std::iter::once(&part.no_error)
                .chain(filled)
                .chain(&part.for_ever)
        }))
        .collect();
    let sum = |of: fn(&Refuted) -> usize| asked.iter().map(|r| of(r) as u64).sum();
    vec![
        format!(
            "by the order of events: the claim in {}, {} put again from the Machine, {} variables, {} clauses",
            lines::many(checked.parts.len() as u64, "part"),
            lines::many(asked.len() as u64, "question"),
            count(sum(|r| r.variables)),
            count(sum(|r| r.clauses))
        ),
        format!(
            "{} without times added up, and a refutation of {} gone through",
            lines::many(sum(|r| r.orders), "order"),
            lines::many(sum(|r| r.steps), "step")
        ),
    ]
}
