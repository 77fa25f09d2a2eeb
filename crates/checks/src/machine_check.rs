//! Checks a Machine that is given directly, without a model: answers every property and audits the runs.

use crate::call::limits::{Limits, Watcher};
use crate::call::options::Options;
use crate::call::watchdog::{self, Watched};
use crate::check::audited_in_time;
use crate::results::audited_run::AuditedRun;
use crate::results::contradiction::Contradicted;
use crate::results::proof_file::Proof;
use cancellation::Cancelled;
use lower::Lowered;
use machine::{InitialError, Machine};
use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use strategy::{About, Attempt, Log};
use verdict::{Budget, Labels, Progress, Question, Reason, Refusal, Report, Spent};

/// The answers to the properties of a Machine.
pub struct MachineReport {
    /// The Machine, with names for its nodes and blocks.
    pub lowered: Lowered,
    /// The report of the strategy. An answer whose run fails the audit is replaced by unknown.
    pub report: Report,
    /// For each property the audited run; `None` if the answer has no run or the audit rejects it.
    pub parts: Vec<Option<AuditedRun>>,
    /// For each property the proof, if the method produces one.
    pub proofs: Vec<Option<Proof>>,
    /// The wall-clock time of the whole check.
    pub took: Duration,
    /// The rows of the strategy table that were tried.
    pub tried: Vec<Attempt>,
}

/// The reason why a Machine has no report.
#[derive(Debug)]
pub enum MachineError {
    /// The Machine is not well-formed.
    Malformed(machine::TypeError),
    /// No initial state can be computed; the text says why.
    NoBeginning(String),
    /// Two methods contradict each other: one of them has a bug.
    Contradiction(Box<Contradicted>),
}

impl std::fmt::Display for MachineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MachineError::Malformed(error) => write!(f, "the Machine is not well-formed: {error}"),
            MachineError::NoBeginning(why) => f.write_str(why),
            MachineError::Contradiction(found) => found.fmt(f),
        }
    }
}

impl std::error::Error for MachineError {}

/// Answers every property of a Machine. `fair` restricts runs to weakly fair ones. The options about models, `defines`,
/// `claim`, `check`, `total_time` and `checkpoints`, are ignored.
pub fn check_machine(
    machine: &Machine,
    fair: bool,
    options: &Options,
    interrupted: &AtomicBool,
    watcher: &mut Watcher<'_>,
) -> Result<MachineReport, MachineError> {
    machine::verify(machine).map_err(MachineError::Malformed)?;
    let lowered = Lowered {
        machine: machine.clone(),
        labels: names(machine),
        instance_restrictions: 0,
    };
    let token = watchdog::token();
    let limits = Limits {
        files: None,
        since: Instant::now(),
        time: options.time,
        memory: options.memory,
        threads: options.threads,
        solver: options.solver,
        storage: options.storage,
        interrupted,
        watcher: RefCell::new(&mut *watcher),
        token: Some(&token),
    };
    let log = Log::default();
    let question = Question { machine, fair };
    let about = About::Instance;
    let answer = || match options.by {
        Some(by) => strategy::answer_by_logged(by, &question, about, &limits, &log),
        None => strategy::answer_logged(&question, about, &limits, &log),
    };
    let watched = Watched {
        since: limits.since,
        time: options.time,
        memory: options.memory,
        interrupted,
    };
    let limit_reached = || {
        let spent = limits.ask(&Progress::default());
        Reason::limit(spent.unwrap_or(Spent::Interrupted))
    };
    let answered = watched.run(&token, || {
        let answered = cancellation::catch(answer);
        let mut report = match answered {
            Ok(answered) => answered?,
            Err(Cancelled) => Report::unanswered(machine, limit_reached()),
        };
        let parts = audited_in_time(&question, &mut report, limit_reached);
        Ok((report, parts))
    });
    let unanswered = |why| {
        let parts = machine.properties.iter().map(|_| None).collect();
        (Report::unanswered(machine, why), parts)
    };
    let (report, parts) = match answered {
        Ok(audited) => audited,
        Err(Refusal::Unsupported(what)) => unanswered(Reason::no_states(what)),
        Err(Refusal::Checkpoint(why)) => unanswered(Reason::Checkpoint(why)),
        Err(Refusal::NoInitialState) => {
            let why = "no state can begin a run: the restrictions of initial states allow none";
            return Err(MachineError::NoBeginning(why.into()));
        }
        Err(Refusal::Initial(error)) => {
            return Err(MachineError::NoBeginning(no_beginning(machine, &error)));
        }
        Err(Refusal::Contradiction(contradiction)) => {
            return Err(MachineError::Contradiction(Box::new(Contradicted {
                lowered,
                fair,
                contradiction: *contradiction,
            })));
        }
    };
    let results = report.results.iter().enumerate();
    let proofs = results.map(|(p, result)| Proof::of(&lowered, p, result.evidence.as_ref()));
    let proofs = proofs.collect();
    Ok(MachineReport {
        took: limits.since.elapsed(),
        tried: log.attempts(),
        lowered,
        report,
        parts,
        proofs,
    })
}

/// Names for nodes and blocks. A node that is the only one of its kind has the name of the kind; the others are
/// numbered.
fn names(machine: &Machine) -> Labels {
    let mut nodes = Vec::new();
    for kind in &machine.kinds {
        for _ in 0..kind.count {
            nodes.push(match kind.count {
                1 => kind.name.clone(),
                _ => format!("node {}", nodes.len() + 1),
            });
        }
    }
    Labels {
        nodes,
        blocks: machine.blocks.iter().map(|b| b.name.clone()).collect(),
        ..Labels::default()
    }
}

/// The message that the initial states cannot be computed.
fn no_beginning(machine: &Machine, error: &InitialError) -> String {
    match error {
        InitialError::OutOfRange(var, value) => format!(
            "`{}` cannot begin with {}: its type does not have that value",
            machine.vars[var.index()].name,
            machine.show_value(value)
        ),
        InitialError::TooMany(var, values) => format!(
            "`{}` can begin with {values} values, which are too many to go through",
            machine.vars[var.index()].name
        ),
        InitialError::Error(error) => {
            format!(
                "an initial value or restriction has no value: {:?}",
                error.kind
            )
        }
    }
}
