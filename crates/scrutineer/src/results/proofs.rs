//! Proofs of a check: one stored file each.

use crate::console::lines;
use crate::results::places::Places;
use crate::results::runs::{settings, title, world_and_variants};
use checks::{Asked, CheckReport, InstanceReport, Judged, Loaded, Proof, ProofFile};

/// Stores every proof of a check; prints the paths with `-v`. Returns the number of proofs, or why one cannot be
/// stored.
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

/// The stored file of a proof.
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
