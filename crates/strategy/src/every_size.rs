//! The methods for claims about every size of an open Machine, as a table, and its execution.
//!
//! A row either proves the claim for every size, or reduces it to the sizes up to a certain one, or reports what stands
//! in the way. If no row answers, only a run at some size can still decide the claim: the caller searches small sizes.

use crate::log::{Attempt, Log, Meter};
use every_size::{Established, Failed, establish};
use machine::{OpenMachine, Origin};
use std::cell::RefCell;
use std::rc::Rc;
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

/// The lemmas about one node that were proved last. Claims about the same protocol that differ only in activation
/// counts share them, for example the candidate values of a `least`.
#[derive(Default)]
pub struct Lemmas(RefCell<Option<Rc<Established>>>);

impl Lemmas {
    /// The lemmas for the claims of an open Machine.
    fn of(&self, open: &OpenMachine, budget: &dyn Budget) -> Result<Rc<Established>, Failed> {
        let claims = &open.base.properties;
        let known = self.0.borrow().clone();
        if let Some(known) = known.filter(|known| known.is_about(open, claims)) {
            return Ok(known);
        }
        let found = Rc::new(establish(open, claims, budget.solver(), budget)?);
        *self.0.borrow_mut() = Some(found.clone());
        Ok(found)
    }
}

/// The argument for one property of an open Machine, about fair runs or about all runs. The error says what stands in
/// the way of each row. The other properties may serve as lemmas.
pub fn argue(
    open: &OpenMachine,
    (property, fair): (usize, bool),
    budget: &dyn Budget,
    lemmas: &Lemmas,
    log: &Log,
) -> Result<Argument, Vec<Gap>> {
    let mut gaps = Vec::new();
    for row in SIZE_TABLE {
        let meter = Meter::new(budget);
        let tried = match row.step {
            Step::Projection => project(open, property, fair).map(Argument::Sizes),
            Step::OneNode => by_one_node(open, property, &meter, lemmas),
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

/// The sizes that decide one property of an open Machine, about fair runs or about all runs; else what stands in the way.
pub fn project(open: &OpenMachine, property: usize, fair: bool) -> Result<passes::Projection, Gap> {
    let projection = passes::projection(open, &open.base.properties[property], fair);
    projection.map_err(|not| Gap {
        method: SizeMethod::Projection,
        what: not.what,
        origin: not.origin,
    })
}

fn by_one_node(
    open: &OpenMachine,
    property: usize,
    budget: &dyn Budget,
    lemmas: &Lemmas,
) -> Result<Argument, Gap> {
    let gap = |what, origin| Gap {
        method: SizeMethod::OneNode,
        what,
        origin,
    };
    let refused = |why: Failed| {
        let why = why.reason();
        gap(why.what, why.origin)
    };
    let established = lemmas.of(open, budget).map_err(refused)?;
    let claim = &open.base.properties[property];
    let answer = established.answer(open, claim, budget.solver(), budget);
    match answer.map_err(|why| gap(why.what, why.origin))? {
        every_size::Answer::Holds(proof) => {
            let evidence = Evidence::OneNode(OneNodeProof {
                claim: property as u32,
                proof,
            });
            let result = PropertyResult {
                evidence: Some(evidence),
                by: Some("one node"),
                ..Answer::Holds.into()
            };
            Ok(Argument::Proved(Box::new(result)))
        }
        every_size::Answer::Unknown(why) => Err(gap(why.what, why.origin)),
        every_size::Answer::Spent(spent) => Err(refused(Failed::Spent(spent))),
    }
}
