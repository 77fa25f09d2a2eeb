//! `audit`: checks stored proofs without the engines that found them.

use crate::args::AuditArgs;
use crate::console::progress::count;
use crate::console::{interrupt, lines};
use crate::{Exit, complain};
use checks::{
    Checked, CircuitChecked, EverySizeChecked, OrderChecked, ProofFile, ProofFileError, Refuted,
    Rejected, SizesChecked,
};
use std::path::Path;
use verdict::Spent;

/// Prints why a stored proof is not accepted.
pub(crate) fn refused(error: &ProofFileError) -> Exit {
    match error {
        ProofFileError::Unreadable(why) => complain(why),
        ProofFileError::Refused(why) => {
            complain(why);
            Exit::Bad
        }
    }
}

/// Executes `audit FILES…` and returns the exit code.
pub(crate) fn audit(args: &AuditArgs) -> Exit {
    let interrupted = interrupt::listen(|| {});
    let mut exit = Exit::Good;
    for path in &args.files {
        let audit =
            || ProofFile::read(path).map(|(file, proof)| (file, proof.audit(crate::SOLVER)));
        let audited = checks::within(args.time, args.memory.limit(), &interrupted, audit);
        exit = exit.and(match audited {
            Ok(audited) => one(path, audited),
            Err(spent) => unchecked(&path.display().to_string(), &spent),
        });
    }
    exit
}

/// Prints that a limit ended an audit.
pub(crate) fn unchecked(what: &str, spent: &Spent) -> Exit {
    let text = format!("{what} was not checked: {}", report::spent(spent));
    lines::verdict(lines::Mark::Unknown, &text, "", None);
    Exit::Unknown
}

/// Prints the result of one audit.
fn one(
    path: &Path,
    audited: Result<(ProofFile, Result<Checked, Rejected>), ProofFileError>,
) -> Exit {
    let (file, checked) = match audited {
        Ok(audited) => audited,
        Err(error) => return refused(&error),
    };
    match checked {
        Ok(checked) => {
            // The Machine in the file determines what is proved. The title is only text.
            let text = format!("proved; the file calls it: {}", file.title);
            lines::verdict(lines::Mark::Good, &text, "", None);
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

/// What was checked and how, as lines of text.
fn summary(checked: &Checked) -> Vec<String> {
    match checked {
        Checked::Order(checked) => by_order(checked),
        Checked::Circuit(checked) => by_circuit(checked),
        Checked::Sizes(checked) => by_sizes(checked),
        Checked::OneNode(checked) => by_one_node(checked),
    }
}

fn by_one_node(checked: &EverySizeChecked) -> Vec<String> {
    vec![format!(
        "for every size, from the code of one node: {} about at most {} with names put again from the Machine, and \
         refutations of {} gone through",
        lines::many(checked.queries as u64, "question"),
        lines::many(u64::from(checked.names), "node"),
        lines::many(checked.steps as u64, "step"),
    )]
}

fn by_sizes(checked: &SizesChecked) -> Vec<String> {
    let (name, least) = &checked.size;
    let mut text = vec![format!(
        "for every {name} from {least} on, by projection: the claim names {}, and {} decide",
        lines::many(u64::from(checked.names), "node"),
        lines::many(u64::from(checked.nodes), "node"),
    )];
    for (place, size) in checked.sizes.iter().enumerate() {
        let first = format!("with {name} = {}: ", *least as usize + place);
        let mut of = summary(size).into_iter();
        text.extend(of.next().map(|line| first + &line));
        text.extend(of);
    }
    text
}

fn by_circuit(checked: &CircuitChecked) -> Vec<String> {
    let bits = lines::many(checked.bits as u64, "bit");
    let clauses = lines::many(checked.clauses as u64, "clause");
    let mut text = vec![match checked.depth {
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
        text.push(format!(
            "relying on {}, proved in the file as well",
            names.join(", ")
        ));
    }
    text
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
