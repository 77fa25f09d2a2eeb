//! The methods for claims about every size of an open Machine, as a table, and the walk through it.
//!
//! A row either proves the claim for every size, or reduces it to the sizes up to a certain one, or says what stands in
//! its way. If no row answers, only a run at some size can still decide the claim: the caller searches small sizes.

use crate::log::{Attempt, Log, Meter};
use every_size::{Analysis, Unsupported};
use machine::{OpenMachine, Origin};
use std::cell::OnceCell;
use verdict::{Answer, Budget, Evidence, OneNodeProof, PropertyResult, SizeMethod};

/// A row of the table.
pub struct SizeRow {
    /// The name of the method.
    pub method: &'static str,
    /// What the row answers, for the documentation.
    pub hands_on: &'static str,
    step: Step,
}

#[derive(Clone, Copy)]
enum Step {
    Projection,
    OneNode,
}

/// The rows, in the order in which they are tried.
pub const SIZE_TABLE: &[SizeRow] = &[
    SizeRow {
        method: "projection",
        hands_on: "the number of nodes that decides; the table for one size answers for these",
        step: Step::Projection,
    },
    SizeRow {
        method: "one node",
        hands_on: "proofs; if there is none, runs are searched at small sizes",
        step: Step::OneNode,
    },
];

/// How a claim about every size is decided.
pub enum Argument {
    /// By the sizes up to this number of nodes.
    Sizes(passes::Projection),
    /// By a proof for every size.
    Proved(Box<PropertyResult>),
}

/// What stands in the way of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The method.
    pub method: SizeMethod,
    /// What stands in the way, as a noun phrase.
    pub what: String,
    /// Where it is.
    pub origin: Option<Origin>,
}

/// What the one-node method found out about all properties of an open Machine. It is filled by the first question.
#[derive(Default)]
pub struct Analysed(OnceCell<Result<Analysis, Unsupported>>);

/// The argument for one property of an open Machine, or what stands in the way of each row. The other properties may
/// serve as lemmas. Questions about the same open Machine share what was found out.
pub fn argue(
    open: &OpenMachine,
    property: usize,
    analysed: &Analysed,
    budget: &dyn Budget,
    log: &Log,
) -> Result<Argument, Vec<Gap>> {
    let mut gaps = Vec::new();
    for row in SIZE_TABLE {
        let meter = Meter::new(budget);
        let tried = match row.step {
            Step::Projection => by_projection(open, property),
            Step::OneNode => by_one_node(open, property, analysed, &meter),
        };
        log.add(Attempt {
            method: row.method,
            effort: "for every size".into(),
            questions: 1,
            open: 1,
            decided: u64::from(tried.is_ok()),
            time: meter.time(),
            states: 0,
        });
        match tried {
            Ok(argument) => return Ok(argument),
            Err(gap) => gaps.push(gap),
        }
    }
    Err(gaps)
}

fn by_projection(open: &OpenMachine, property: usize) -> Result<Argument, Gap> {
    match passes::projection(open, &open.base.properties[property]) {
        Ok(projection) => Ok(Argument::Sizes(projection)),
        Err(not) => Err(Gap {
            method: SizeMethod::Projection,
            what: not.what,
            origin: not.origin,
        }),
    }
}

fn by_one_node(
    open: &OpenMachine,
    property: usize,
    analysed: &Analysed,
    budget: &dyn Budget,
) -> Result<Argument, Gap> {
    let gap = |what, origin| Gap {
        method: SizeMethod::OneNode,
        what,
        origin,
    };
    let properties = &open.base.properties;
    let analyse = || every_size::analyse(open, properties, budget.solver(), budget);
    let analysis = analysed.0.get_or_init(analyse).as_ref();
    let analysis = analysis.map_err(|why| gap(why.what.clone(), why.origin))?;
    match &analysis.answers[property] {
        every_size::Answer::Holds(proof) => {
            let evidence = Evidence::OneNode(OneNodeProof {
                claim: property as u32,
                proof: proof.clone(),
            });
            let result = PropertyResult {
                evidence: Some(evidence),
                by: Some("one node"),
                ..Answer::Holds.into()
            };
            Ok(Argument::Proved(Box::new(result)))
        }
        every_size::Answer::Unknown(why) => Err(gap(why.what.clone(), why.origin)),
        every_size::Answer::Spent(_) => Err(gap("a limit was reached".into(), None)),
    }
}
