//! The argument why a claim holds, as sentences with numbers, from the result of the audit of its proof.

use crate::console::lines::many;
use crate::console::progress::count;
use checks::{Checked, CircuitChecked, Moment, OrderChecked, PartChecked, Refuted, Silence, Step};
use machine::{
    BinaryOp, Channel, Delay, Expr, Formula, Machine, NodeId, Origin, Periodic, Property,
    PropertyKind,
};
use verdict::{Choice, Labels};

/// Turns a checked proof into text.
pub(crate) struct Argument<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) labels: &'a Labels,
}

impl Argument<'_> {
    /// The argument as paragraphs. Each has a heading and sentences.
    pub(crate) fn paragraphs(&self, checked: &Checked) -> Vec<(String, Vec<String>)> {
        match checked {
            Checked::Order(checked) => self.by_order(checked),
            Checked::Circuit(checked) => vec![("Why".into(), by_circuit(checked))],
            // `every_size.rs` has the argument for every size.
            Checked::Sizes(_) | Checked::OneNode(_) => Vec::new(),
        }
    }

    fn by_order(&self, checked: &OrderChecked) -> Vec<(String, Vec<String>)> {
        let mut paragraphs = vec![("When things happen".into(), self.times())];
        let errors = std::iter::once(&checked.no_error);
        let errors: Vec<&Refuted> = errors
            .chain(checked.parts.iter().map(|p| &p.no_error))
            .collect();
        paragraphs.push((
            "Nothing goes wrong on the way".into(),
            vec![
                "Whatever variables are and inboxes hold, neither the code nor the claim ends in an error.".into(),
                format!("{}.", work(&errors)),
            ],
        ));
        let filled = checked.parts.iter().find_map(|part| part.filled.as_ref());
        if let Some((refuted, silence)) = filled {
            let mut lines = self.inboxes(silence);
            lines.push(format!("{}.", work(&[refuted])));
            paragraphs.push(("Inboxes are never empty of anybody".into(), lines));
        }
        paragraphs.push((
            "From a bounded look to for ever".into(),
            self.bounded(&checked.parts, filled.is_some()),
        ));
        paragraphs.push((
            "What was asked, and why the answer is no".into(),
            self.questions(&checked.parts),
        ));
        let all = checked.parts.iter().flat_map(|part| &part.for_ever);
        if let Some(longest) = all.map(|r| &r.longest).max_by_key(|steps| steps.len())
            && !longest.is_empty()
        {
            paragraphs.push((
                format!(
                    "The longest reason why an order has no times: {}",
                    many(longest.len() as u64, "step")
                ),
                self.reason(longest),
            ));
        }
        paragraphs
    }

    fn times(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (kind, rhythm) in self.machine.periodic_kinds() {
            let name = &self.machine.kinds[kind.index()].name;
            let (least, most) = rhythm.span(1);
            let (least, most) = (self.labels.time(&least), self.labels.time(&most));
            let gap = match least == most {
                true => format!("exactly {least} pass"),
                false => format!("at least {least} and at most {most} pass"),
            };
            lines.push(format!(
                "{name}: from one activation to the next {gap}{}.",
                self.period(rhythm)
            ));
        }
        lines.push(match (self.machine.channel, &self.machine.delay) {
            (Channel::Instant, _) => "What is sent arrives at once.".into(),
            (_, Delay::Within(least, most)) => format!(
                "What is sent arrives {} to {} later.",
                self.labels.time(least),
                self.labels.time(most)
            ),
            _ => "What is sent arrives some time.".into(),
        });
        lines
    }

    fn period(&self, rhythm: &Periodic) -> String {
        match rhythm.fixed && rhythm.gap.0 != rhythm.gap.1 {
            true => format!(
                "; its period, {} to {}, is the same for the whole run",
                self.labels.time(&rhythm.gap.0),
                self.labels.time(&rhythm.gap.1)
            ),
            false => String::new(),
        }
    }

    fn inboxes(&self, silence: &Silence) -> Vec<String> {
        let so = "So whoever looks into an inbox finds something from everybody who can send.";
        if !silence.is_short() {
            return vec![
                "Whoever looks into an inbox finds something from everybody who can send: every order of events in \
                 which that is not so has no times."
                    .into(),
            ];
        }
        // Nodes of one kind usually have equal texts, which are merged into one sentence.
        let mut merged: Vec<(u32, String, Vec<NodeId>)> = Vec::new();
        for (node, gaps, apart) in &silence.looks {
            let apart = self.labels.time(apart);
            match merged.iter_mut().find(|(g, a, _)| g == gaps && *a == apart) {
                Some((_, _, nodes)) => nodes.push(*node),
                None => merged.push((*gaps, apart, vec![*node])),
            }
        }
        let one = merged.len() == 1;
        let mut lines: Vec<String> = merged
            .into_iter()
            .map(|(gaps, apart, nodes)| {
                let subject = match one {
                    true => "a node".into(),
                    false => self.nodes(&nodes),
                };
                let gaps = many(u64::from(gaps), "gap");
                format!(
                    "When {subject} has emptied its inbox, at least {apart} ({gaps}) pass before it looks into it again."
                )
            })
            .collect();
        lines.push(format!(
            "No node that can send is silent for longer than {}.",
            self.labels.time(&silence.longest)
        ));
        lines.push(so.into());
        lines
    }

    fn bounded(&self, parts: &[PartChecked], filled: bool) -> Vec<String> {
        let reach = parts.iter().map(|part| part.reach).max().unwrap_or(0);
        let spare = parts.iter().map(|part| part.spare).max().unwrap_or(0);
        let mut lines = Vec::new();
        lines.push(match reach {
            0 => "The claim asks for no number of activations.".into(),
            _ => format!("The claim asks for at most {}.", activations(reach)),
        });
        let beyond = match spare {
            0 => String::new(),
            _ => format!(
                ", {spare} more than it is asked for: of its count the first {spare} are left out"
            ),
        };
        lines.push(format!(
            "Take a run that breaks it, and of that run only what is behind some moment, as late as it can be while some node \
             still makes {} from there on{beyond}. What is left breaks the claim, too.",
            activations(reach + spare)
        ));
        let inboxes = match filled {
            true => {
                "and inboxes hold something, it does not matter what, from everybody who can send"
            }
            false => "and inboxes hold whatever somebody can have sent, or nothing",
        };
        lines.push(format!(
            "So it is enough to look from any moment of a run, where variables have any values of their types {inboxes}, up to \
             where some node has made {}.",
            activations(reach + spare)
        ));
        let most = parts.iter().flat_map(|part| &part.for_ever);
        let most = most.map(|r| r.activations).max().unwrap_or(0);
        if most > 0 {
            lines.push(format!(
                "Until then nobody makes more than {most}, by the times above."
            ));
        }
        lines
    }

    fn questions(&self, parts: &[PartChecked]) -> Vec<String> {
        let mut lines = Vec::new();
        if parts.len() > 1 {
            lines.push(format!(
                "The claim has {}, and each is asked about by itself.",
                many(parts.len() as u64, "part")
            ));
        }
        let mut merged: Vec<(Option<String>, Vec<&Refuted>)> = Vec::new();
        for part in parts {
            let text = self.text(&part.property);
            match merged.iter_mut().find(|(known, _)| *known == text) {
                Some((_, all)) => all.extend(&part.for_ever),
                None => merged.push((text, part.for_ever.iter().collect())),
            }
        }
        for (text, all) in merged {
            let what = match (text, parts.len()) {
                (Some(text), 2..) => format!("Can `{text}` be broken there?"),
                _ => "Can the claim be broken there?".into(),
            };
            lines.push(format!("{what} {}.", work(&all)));
        }
        let sums: usize = parts.iter().flat_map(|p| &p.for_ever).map(|r| r.sums).sum();
        if sums > 0 {
            lines.push(format!(
                "Of the combinations {sums} are ruled out because periods are the same for the whole run."
            ));
        }
        lines
    }

    fn reason(&self, steps: &[Step]) -> Vec<String> {
        let mut lines: Vec<String> = steps.iter().map(|step| self.step(step)).collect();
        let sum = Step::sum(steps);
        lines.push(match sum.is_zero() {
            true => "Added up, a moment would come before itself.".into(),
            false => format!(
                "Added up, a moment would be at least {} later than itself.",
                self.labels.time(&sum)
            ),
        });
        lines
    }

    fn step(&self, step: &Step) -> String {
        let at_once = self.machine.channel == Channel::Instant;
        match step.choice {
            Some(Choice::Reaches(sent, read)) if at_once => {
                format!("Say {} comes before {}.", self.one(sent), self.one(read))
            }
            Some(Choice::Misses(sent, read)) if at_once => {
                format!("Say {} comes before {}.", self.one(read), self.one(sent))
            }
            Some(Choice::Reaches(sent, read)) => format!(
                "Say what is sent at {} has arrived before {}.",
                self.one(sent),
                self.one(read)
            ),
            Some(Choice::Misses(sent, read)) => format!(
                "Say what is sent at {} has not arrived before {}.",
                self.one(sent),
                self.one(read)
            ),
            Some(Choice::Passed(one)) => {
                format!(
                    "Say {} is over at the moment that is looked at.",
                    self.one(one)
                )
            }
            Some(Choice::Ahead(one)) => format!(
                "Say {} is still to come at the moment that is looked at.",
                self.one(one)
            ),
            None => {
                let (from, to) = (self.moment(step.from), self.moment(step.to));
                match step.by.is_negative() {
                    true => {
                        let by = self.labels.time(&step.by.abs());
                        format!("Then {to} is at most {by} before {from}.")
                    }
                    false => {
                        let by = self.labels.time(&step.by);
                        format!("Then {to} is at least {by} behind {from}.")
                    }
                }
            }
        }
    }

    fn moment(&self, moment: Moment) -> String {
        match moment {
            Moment::At(one) => self.one(one),
            Moment::Now => "the moment that is looked at".into(),
        }
    }

    fn one(&self, (node, n): verdict::Activation) -> String {
        format!("activation {n} of {}", self.labels.node(node))
    }

    fn nodes(&self, nodes: &[NodeId]) -> String {
        let names: Vec<String> = nodes.iter().map(|node| self.labels.node(*node)).collect();
        names.join(" or ")
    }

    /// The text of a conjunct of the claim, without its premise, as in the model; `None` if it has no place in the
    /// text.
    fn text(&self, property: &Property) -> Option<String> {
        let PropertyKind::Claim(Formula::Always(inner)) = &property.kind else {
            return None;
        };
        let Formula::State(condition) = &**inner else {
            return None;
        };
        let mut place: Option<Origin> = None;
        let mut part = condition;
        loop {
            match part {
                Expr::At(origin, inner) => {
                    place = Some(*origin);
                    part = inner;
                }
                Expr::Binary(BinaryOp::Implies, _, then) => {
                    place = None;
                    part = then;
                }
                _ => break,
            }
        }
        let label = self.labels.origin(place?)?;
        Some(label.text.clone())
    }
}

/// The argument by an inductive invariant, k-induction, or a bound on the length of all runs.
fn by_circuit(checked: &CircuitChecked) -> Vec<String> {
    let bits = many(checked.bits as u64, "bit");
    let clauses = many(checked.clauses as u64, "clause");
    let state = format!("A state of the model is {bits}, an event a circuit over them.");
    let why = match checked.depth {
        None => format!(
            "There is an invariant of {clauses}: it is true at first, every event keeps it, and where it is true neither the \
             claim is broken nor anything an error."
        ),
        Some(depth) => format!(
            "It is enough to look at {} at a time: either no run has more of them, or whoever has kept the claim for so many \
             keeps it in the next{}.",
            many(u64::from(depth), "event"),
            match checked.clauses {
                0 => String::new(),
                _ => format!(", with {clauses} that are true of every state"),
            }
        ),
    };
    let asked = "A second solver, which did not find the reason, was asked and agrees.";
    let mut sentences = vec![state];
    if !checked.before.is_empty() {
        let names: Vec<String> = { checked.before.iter() }
            .map(|property| format!("`{}`", property.name))
            .collect();
        sentences.push(format!(
            "It rests on {}, proved before in the same way: in every state that can be reached that is so, and no others are looked at.",
            names.join(" and ")
        ));
    }
    sentences.extend([why, asked.into()]);
    sentences
}

fn activations(number: u32) -> String {
    many(u64::from(number), "activation")
}

/// The size of the solver queries and of their refutations, as a sentence.
fn work(all: &[&Refuted]) -> String {
    let asked: Vec<&&Refuted> = all.iter().filter(|r| r.variables > 0).collect();
    let sum = |of: fn(&Refuted) -> usize| count(asked.iter().map(|r| of(r) as u64).sum());
    let (formulas, none) = match asked.len() {
        0 => return "Nothing had to be asked for that: nothing in them can fail".into(),
        1 => ("As a formula that is".into(), "It has no solution"),
        many => (format!("As {many} formulas that is"), "None has a solution"),
    };
    let orders = match asked.iter().map(|r| r.orders).sum::<usize>() {
        0 => String::new(),
        _ => format!(
            "; for {} pairs of events times leave open who comes first, and {} combinations of such choices are ruled out by \
             times",
            sum(|r| r.open),
            sum(|r| r.orders)
        ),
    };
    format!(
        "{formulas} {} variables and {} clauses{orders}. {none}: {} steps show that, and each was checked",
        sum(|r| r.variables),
        sum(|r| r.clauses),
        sum(|r| r.steps)
    )
}
