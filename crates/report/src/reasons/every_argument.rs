//! The argument of a proof from the code of one node, as sentences.

use verdict::{EverySizeArgument, EverySizeProof, Half, Labels, LeftOut, NamedNode, NamedPart};

/// A heading and the sentences below it.
type Paragraph = (String, Vec<String>);

/// The argument as paragraphs. `labels` are those of the Machine.
pub fn every_size_argument(argument: &EverySizeArgument, labels: &Labels) -> Vec<Paragraph> {
    let mut paragraphs = vec![("From the code of one node".into(), rule(argument, labels))];
    paragraphs.push((
        "What is right, and from when on".into(),
        right(argument, labels),
    ));
    paragraphs.push(("So the claim holds".into(), claimed(argument, labels)));
    paragraphs.push(("Which nodes have names".into(), names(argument, labels)));
    paragraphs.push(("What is left out".into(), left_out(argument)));
    paragraphs
}

/// What a proof says, as one line.
pub fn every_size_proof(proof: &EverySizeProof, labels: &Labels) -> String {
    let names = nodes(proof.names());
    match proof.latest() {
        Some(time) => format!(
            "right {} after any moment of a run; at most {names} with names at once",
            labels.time(time)
        ),
        None => format!("right at every moment; at most {names} with names at once"),
    }
}

fn rule(argument: &EverySizeArgument, labels: &Labels) -> Vec<String> {
    let (name, least) = &argument.size;
    let (short, long) = &argument.gap;
    let mut text = vec![
        format!("Whatever {name} is, from {least} on: take any run and any moment of it, and count time from this moment."),
        "A part of the claim is right from a time T on if at every moment later than T it is true of every node that runs, \
         whichever run and moment was taken."
            .into(),
        format!(
            "To show that, one node runs its own code from any values of its variables; its activations are at least {} and \
             at most {} apart. Of what it reads from others only that is assumed which was shown before, and which was right \
             when they sent it.",
            labels.time(short),
            labels.time(long)
        ),
    ];
    if argument.filled {
        text.push("Every read finds a message of everybody who can send: between two reads somebody who can send does so.".into());
    }
    text
}

fn right(argument: &EverySizeArgument, labels: &Labels) -> Vec<String> {
    let parts = argument.right.iter().map(|right| {
        let when = match &right.from {
            Some(time) => format!("right from T = {} on", labels.time(time)),
            None => {
                "right at every moment: it is so at the start, and every activation keeps it".into()
            }
        };
        format!("{}: {when}.", part(&right.part, labels))
    });
    let mut text: Vec<String> = parts.collect();
    if argument.right.iter().any(|right| right.part.half.is_some()) {
        text.push(
            "The two halves of an equality are shown by themselves, `at most` and `at least`."
                .into(),
        );
    }
    text
}

fn claimed(argument: &EverySizeArgument, labels: &Labels) -> Vec<String> {
    let parts = argument.claimed.iter().map(|(claimed, activations)| {
        let of = part(claimed, labels);
        match activations {
            0 | 1 => format!("{of}: it is right at every moment."),
            most => format!(
                "{of}: after {} or more a node is behind T. After fewer it is not asked for, or was asked about from the \
                 start of a run.",
                many(*most, "activation")
            ),
        }
    });
    parts.collect()
}

fn names(argument: &EverySizeArgument, labels: &Labels) -> Vec<String> {
    let all = argument.right.iter().map(|right| &right.part);
    let all: Vec<&NamedPart> = all
        .chain(argument.claimed.iter().map(|(part, _)| part))
        .collect();
    let most = all.iter().map(|part| part.names).max().unwrap_or(0);
    let mut text = vec![format!(
        "B = {most}: no question names more than {}, and with one less some question would stay open. Nothing is assumed about \
         the others, however many there are.",
        nodes(most)
    )];
    let mut known: Vec<String> = Vec::new();
    for part in all {
        let own: Vec<String> = part.nodes.iter().map(|node| role(node, labels)).collect();
        let spare = part.names.saturating_sub(own.len() as u32);
        let mut who = own.join(", ");
        if spare > 0 {
            who += &format!(", and {} that a condition may depend on", nodes(spare));
        }
        if part.looks > 0 {
            who += &match part.looks {
                1 => " in the last read".into(),
                looks => format!(" in the last {looks} reads"),
            };
        }
        let line = format!("{}: {who}.", nodes(part.names));
        if !known.contains(&line) {
            known.push(line);
        }
    }
    text.append(&mut known);
    text
}

fn left_out(argument: &EverySizeArgument) -> Vec<String> {
    let mut text = vec![
        "What others do that have no name, and what they wrote before: it may be anything.".into(),
    ];
    text.extend(argument.left_out.iter().map(|what| {
        match what {
            LeftOut::Restrictions => "Restrictions of the first states.",
            LeftOut::FixedPeriods => "That a period is the same for the whole run: gaps may be anything between the least and the largest.",
            LeftOut::LimitsOfFaults => "How many nodes may be faulty; only that there is one that is not.",
            LeftOut::EarlierReads => "What a node has found in earlier reads than in the last ones: its variables may have any values then.",
        }
        .to_string()
    }));
    text
}

/// A part by its text in the model.
fn part(part: &NamedPart, labels: &Labels) -> String {
    match part.place.and_then(|place| labels.origin(place)) {
        Some(label) => {
            let among: Vec<String> = part.nodes.iter().map(|node| role(node, labels)).collect();
            let half = match part.half {
                Some(Half::AtMost) => ", at most",
                Some(Half::AtLeast) => ", at least",
                None => "",
            };
            format!(
                "`{}`{half} (line {}), about {}",
                label.text,
                label.line,
                among.join(" and ")
            )
        }
        None => format!("a part of {}", part.of),
    }
}

fn role(node: &NamedNode, labels: &Labels) -> String {
    match node {
        NamedNode::Any(name) => format!("any node {name}"),
        NamedNode::Element => "any element".into(),
        NamedNode::Defined(place) => match place.and_then(|place| labels.origin(place)) {
            Some(label) => label.text.clone(),
            None => "the largest node".into(),
        },
    }
}

fn nodes(number: u32) -> String {
    many(number, "node")
}

fn many(number: u32, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}
