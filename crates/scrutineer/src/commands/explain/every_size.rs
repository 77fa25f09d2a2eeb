//! The argument why a claim holds for every size, as sentences.

use crate::commands::explain::arguments::Argument;
use crate::console::lines::many;
use checks::{Checked, SizesChecked};
use machine::OpenMachine;
use verdict::{Labels, Projection};

/// The argument as paragraphs. Each has a heading and sentences.
pub(crate) fn paragraphs(
    open: &OpenMachine,
    labels: &Labels,
    checked: &Checked,
) -> Vec<(String, Vec<String>)> {
    match checked {
        Checked::Sizes(checked) => by_sizes(open, labels, checked),
        Checked::OneNode(checked) => {
            let mut text = report::every_size_argument(&checked.argument, labels);
            text.push((
                "What was asked, and why the answer is no".into(),
                vec![format!(
                    "{}; each was refuted, by {} that were checked one by one.",
                    many(checked.queries as u64, "question"),
                    many(checked.steps as u64, "step")
                )],
            ));
            text
        }
        Checked::Order(_) | Checked::Circuit(_) => Vec::new(),
    }
}

fn by_sizes(
    open: &OpenMachine,
    labels: &Labels,
    checked: &SizesChecked,
) -> Vec<(String, Vec<String>)> {
    let (name, least) = &checked.size;
    let projection = Projection {
        names: checked.names,
        nodes: checked.nodes,
    };
    let mut paragraphs = vec![by_projection(name, *least, projection)];
    for (place, size) in checked.sizes.iter().enumerate() {
        let n = least + place as u32;
        let machine = open.at(n);
        let argument = Argument {
            machine: &machine,
            labels,
        };
        let inner = argument.paragraphs(size).into_iter();
        paragraphs.extend(inner.map(|(title, text)| (format!("With {name} = {n}: {title}"), text)));
    }
    paragraphs
}

/// Why few nodes decide a claim about any number of nodes: a heading and sentences. `name` is the parameter, and
/// `least` its least value.
pub(crate) fn by_projection(
    name: &str,
    least: u32,
    projection: Projection,
) -> (String, Vec<String>) {
    let names = many(u64::from(projection.names), "node");
    let nodes = many(u64::from(projection.nodes), "node");
    let mut text = vec![
        format!("The claim names {names}: a run that breaks it breaks it for these, however many others there are."),
        "What others send, and timers about them, touch only their own elements of sets and arrays over nodes; nothing \
         counts nodes, compares sets of them, chooses one or waits for all."
            .into(),
        format!("So a run of more nodes, seen from {nodes} with those of the claim among them, is a run of {nodes} alone, with the same times."),
    ];
    if projection.nodes > projection.names {
        text.push(
            "An error in an event of one node involves at most one other: two nodes show it."
                .into(),
        );
    }
    let last = projection.nodes.max(least);
    text.push(match last == least {
        true => format!("So {name} = {last} decides every larger {name}."),
        false => format!("So {name} = {last} decides every larger {name}, and each smaller one is proved by itself."),
    });
    (format!("From {nodes} to any number"), text)
}
