//! Stores the proofs of a check, each in its own file.

use crate::console::lines;
use crate::results::places::Places;
use crate::results::runs::{settings, title, world_and_variants};
use checks::{Asked, CheckReport, InstanceReport, Judged, Loaded, Proof, ProofFile};

/// Stores all proofs of a check, and prints the paths if `verbose`. Returns their number. The error is a message.
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

/// The contents of the file of a proof.
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
