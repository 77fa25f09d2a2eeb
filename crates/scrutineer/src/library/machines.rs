//! Checks a Machine that is built in code.

use crate::library::convert;
use crate::library::error::Error;
use crate::library::options::Options;
use crate::library::results::Report;
use checks::MachineError;
use machine::Machine;

/// Answers every property of a Machine, in order. If `fair`, only weakly fair runs count: an event that stays enabled
/// eventually fires. The Machine is verified first. Every run in the report has been replayed on the reference
/// interpreter. The options must not set parameters or select a claim, because these apply only to models.
pub fn check_machine(machine: &Machine, fair: bool, options: &Options) -> Result<Report, Error> {
    let options_of_checks = options.of_checks();
    if !options_of_checks.defines.is_empty() || options_of_checks.claim.is_some() {
        let why = "a Machine has no parameters, and all its properties are answered";
        return Err(Error::Options(why.into()));
    }
    let mut watcher = |progress: &verdict::Progress| options.report(progress);
    let answered = checks::check_machine(
        machine,
        fair,
        &options_of_checks,
        options.flag(),
        &mut watcher,
    );
    match answered {
        Ok(report) => Ok(convert::machine(&report)),
        Err(MachineError::Contradiction(found)) => Err(Error::Contradiction(found.to_string())),
        Err(error) => Err(Error::Machine(error.to_string())),
    }
}
