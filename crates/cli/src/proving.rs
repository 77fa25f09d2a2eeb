//! Proofs: `check` stores them, `audit` checks them again.

use crate::args::AuditArgs;
use crate::places::Places;
use crate::telling::{settings, title};
use crate::{Exit, complain, lines};
use driver::{Asked, CheckReport, InstanceReport, Judged, Proof, ProofFile, ProofFileError};

/// Stores every proof of a check; says with `-v` where. How many there are, or why one cannot be stored.
pub(crate) fn store(
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
            file(asked, instance, &judged[number], proof).write(&path)?;
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
    asked: &Asked,
    instance: &InstanceReport,
    judged: &Judged,
    proof: &Proof,
) -> ProofFile {
    let what = match (&asked.sought, &judged.value_text) {
        (Some((name, _)), Some(value)) => format!("{} holds for {name} = {value}", asked.text),
        _ => format!("{} holds", asked.text),
    };
    ProofFile::new(title(&what, &settings(&instance.request)), proof)
}

/// `audit FILES…`.
pub(crate) fn audit(args: &AuditArgs) -> Exit {
    let mut exit = Exit::Good;
    for path in &args.files {
        let (file, proof) = match ProofFile::read(path) {
            Ok(read) => read,
            Err(ProofFileError::Unreadable(why)) => {
                exit = exit.and(complain(&why));
                continue;
            }
            Err(ProofFileError::Refused(why)) => {
                complain(&why);
                exit = exit.and(Exit::Bad);
                continue;
            }
        };
        match proof.audit() {
            Ok(_) => lines::verdict(lines::Mark::Good, &file.title, "", None),
            Err(why) => {
                complain(&format!("{} proves nothing: {why}", path.display()));
                exit = exit.and(Exit::Bad);
            }
        }
    }
    exit
}
