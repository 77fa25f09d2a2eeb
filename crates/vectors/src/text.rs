//! Descriptions of branches and their coverage as text.

use crate::{Fate, Outcome, Suite};
use bits::Branch;
use machine::Machine;
use verdict::{Label, Labels};

/// Maximum number of characters of a condition in a description.
const LONGEST: usize = 60;

/// The label of the text that describes the condition of a branch.
pub fn place_of<'l>(labels: &'l Labels, outcome: &Outcome) -> Option<&'l Label> {
    labels.origin(outcome.shown.or(outcome.origin)?)
}

/// The condition and its value on the branch: `` `reading` holds ``.
pub fn outcome_text(machine: &Machine, labels: &Labels, outcome: &Outcome) -> String {
    let block = &machine.blocks[outcome.block.index()];
    let text = match outcome.local {
        Some(local) => block.scope.locals[local.index()].name.clone(),
        None => place_of(labels, outcome).map_or(String::new(), |label| shortened(&label.text)),
    };
    let guarded = matches!(
        block.trigger,
        machine::Trigger::When(_) | machine::Trigger::On(_, Some(_))
    );
    match outcome.branch {
        Branch::Guard(true) if !guarded => "runs".into(),
        Branch::Guard(true) => "the guard holds".into(),
        Branch::Guard(false) => "the guard does not hold".into(),
        Branch::If(true) | Branch::Left(true) | Branch::Right(true) => format!("`{text}` holds"),
        Branch::If(false) | Branch::Left(false) | Branch::Right(false) => {
            format!("`{text}` does not hold")
        }
        Branch::Loop(true) => format!("the loop over `{text}` goes through something"),
        Branch::Loop(false) => format!("the loop over `{text}` has nothing to go through"),
        Branch::Nothing => format!("`{text}` has nothing to go through"),
        Branch::Body(true) => format!("`{text}`: its condition holds for one"),
        Branch::Body(false) => format!("`{text}`: its condition does not hold for one"),
        Branch::Assert(true) => format!("`{text}` holds"),
        Branch::Assert(false) => format!("`{text}` fails, an error"),
        Branch::Error => format!("an error in `{text}`"),
        Branch::Changes => format!("`{text}` changes something"),
        Branch::Tie => format!("both sides of `{text}` are the same"),
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_string(),
    }
}

/// The lines of a coverage report: every branch with its line and coverage, block by block.
pub fn coverage(machine: &Machine, labels: &Labels, suite: &Suite) -> Vec<String> {
    let mut lines = Vec::new();
    let mut block = None;
    for outcome in &suite.outcomes {
        if block != Some(outcome.block) {
            block = Some(outcome.block);
            let code = &machine.blocks[outcome.block.index()];
            let line = labels.origin(code.origin).map(|label| label.line);
            let name = labels.block(outcome.block).unwrap_or(&code.name);
            lines.push(match line {
                Some(line) => format!("{name}, line {line}"),
                None => name.to_string(),
            });
        }
        let fate = match outcome.fate {
            Fate::Covered(place) if outcome.is_error() => {
                format!("vector {}, from an assumed start", place + 1)
            }
            Fate::Covered(place) => format!("vector {}", place + 1),
            Fate::Unreachable => "unreachable".to_string(),
            Fate::NotWith(room) => {
                format!("not met with {room} messages of each sender and type in the inbox")
            }
            Fate::Open => "not looked at".to_string(),
        };
        let line = place_of(labels, outcome).map_or(String::new(), |label| label.line.to_string());
        let text = outcome_text(machine, labels, outcome);
        lines.push(format!("  {line:>4}  {text}: {fate}"));
    }
    lines
}
