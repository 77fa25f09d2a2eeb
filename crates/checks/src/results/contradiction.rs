//! Contradictions between two methods. The check ends, and the evidence for both answers is stored.

use crate::results::proof_file::{Proof, ProofFile};
use crate::results::run_file::RunFile;
use lower::Lowered;
use source::Diagnostic;
use std::path::{Path, PathBuf};
use verdict::{Contradiction, Opinion};

/// The reason why a check has no report.
#[derive(Debug)]
pub enum CheckError {
    /// The check cannot be answered because the model has errors.
    Problems(Vec<Diagnostic>),
    /// Two methods contradict each other: one of them has a bug.
    Contradiction(Box<Contradicted>),
}

impl From<Vec<Diagnostic>> for CheckError {
    fn from(problems: Vec<Diagnostic>) -> CheckError {
        CheckError::Problems(problems)
    }
}

impl std::fmt::Display for CheckError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CheckError::Problems(problems) => {
                let texts: Vec<&str> = problems.iter().map(|p| &p.message[..]).collect();
                f.write_str(&texts.join("; "))
            }
            CheckError::Contradiction(found) => found.fmt(f),
        }
    }
}

impl std::error::Error for CheckError {}

/// Two answers that contradict each other, and the Machine that they are about.
#[derive(Debug)]
pub struct Contradicted {
    /// The Machine, with names for its parts.
    pub lowered: Lowered,
    /// Whether only weakly fair runs count.
    pub fair: bool,
    /// The two answers, and the index of the property.
    pub contradiction: Contradiction,
}

impl std::fmt::Display for Contradicted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Contradiction {
            property,
            first,
            second,
        } = &self.contradiction;
        let name = &self.lowered.machine.properties[*property].name;
        write!(
            f,
            "two methods contradict each other about {name}: {} says that it {}, {} that it {}; this is a bug in \
             Scrutineer, please report it with the model and the stored files",
            first.method,
            verb(first),
            second.method,
            verb(second),
        )
    }
}

/// The answer as a verb phrase after the name of the claim.
fn verb(opinion: &Opinion) -> &'static str {
    use verdict::Answer;
    match opinion.answer {
        Answer::Holds => "holds",
        Answer::Fails(_) => "fails",
        Answer::Possible(_) => "is possible",
        Answer::Impossible => "is impossible",
        Answer::NoBound(_) => "fails for every bound",
        Answer::Value(..) | Answer::Time(..) => "has a value",
        Answer::Error(_) => "ends in an error",
        Answer::Unknown(_) => "is unknown",
    }
}

impl Contradicted {
    /// Stores the Machine, and for each answer its run and its proof if there is one, as separate files in a folder.
    /// Returns the paths.
    pub fn store(&self, folder: &Path, stem: &str) -> Result<Vec<PathBuf>, String> {
        let property = self.contradiction.property;
        let machine = folder.join(format!("{stem}-contradiction.machine"));
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot write {}: {error}", folder.display()))?;
        crate::write_whole(&machine, &self.lowered.machine.to_string())?;
        let mut paths = vec![machine];
        let opinions = [&self.contradiction.first, &self.contradiction.second];
        for (number, opinion) in opinions.into_iter().enumerate() {
            let name = &self.lowered.machine.properties[property].name;
            let title = format!("{}: {name} {}", opinion.method, verb(opinion));
            let path = folder.join(format!("{stem}-contradiction-{}", number + 1));
            let run = RunFile::new(
                title.clone(),
                name.clone(),
                self.fair,
                property,
                &self.lowered,
                &opinion.answer,
            );
            if let Some(run) = run {
                let path = path.with_extension("run");
                run.write(&path).map_err(|error| error.0)?;
                paths.push(path);
            }
            let proof = Proof::of(&self.lowered, property, opinion.evidence.as_ref());
            if let Some(proof) = proof {
                let path = path.with_extension("proof");
                ProofFile::new(title, &proof).write(&path)?;
                paths.push(path);
            }
        }
        Ok(paths)
    }
}
