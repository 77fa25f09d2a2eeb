//! A system of processes with resolved names and types.

use crate::format::error::{Error, Mistake};

/// A network of timed automata, read from a file by [`parse`](crate::parse).
#[derive(Debug)]
pub struct System {
    pub(crate) name: String,
    /// The text of the file, for positions in errors.
    pub(crate) text: String,
    pub(crate) processes: Vec<Process>,
    pub(crate) locations: Vec<Location>,
    pub(crate) edges: Vec<Edge>,
    /// The names of the events.
    pub(crate) events: Vec<String>,
    pub(crate) syncs: Vec<Sync>,
    /// The number of clocks; clocks are numbered from 1, elements of arrays one by one.
    pub(crate) clocks: usize,
    /// The names of the clocks, beginning with clock 1.
    pub(crate) clock_names: Vec<String>,
    /// The integer variables, elements of arrays one by one.
    pub(crate) ints: Vec<Int>,
    /// The names of the integer variables.
    pub(crate) int_names: Vec<String>,
    pub(crate) labels: Vec<String>,
}

impl System {
    /// The name of the system.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The labels of locations, which queries name.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.labels.iter().map(String::as_str)
    }

    /// Whether every process has an initial location. Otherwise there is no initial state.
    pub fn has_initial_state(&self) -> bool {
        self.processes.iter().all(|p| !p.initial.is_empty())
    }

    pub(crate) fn locate(&self, mistake: Mistake) -> Error {
        mistake.locate(&self.text)
    }
}

#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) name: String,
    /// The initial locations.
    pub(crate) initial: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct Location {
    pub(crate) name: String,
    pub(crate) process: usize,
    pub(crate) is_committed: bool,
    pub(crate) is_urgent: bool,
    pub(crate) invariant: Guard,
    pub(crate) labels: Vec<usize>,
    /// The edges that leave the location.
    pub(crate) edges: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct Edge {
    pub(crate) process: usize,
    pub(crate) source: usize,
    pub(crate) target: usize,
    pub(crate) event: usize,
    /// Whether the edge is taken only in synchronisations.
    pub(crate) is_synchronous: bool,
    pub(crate) guard: Guard,
    pub(crate) statements: Vec<Statement>,
    /// The number of local variables of the statements.
    pub(crate) locals: usize,
}

/// A synchronisation of at least two processes.
#[derive(Debug)]
pub(crate) struct Sync {
    pub(crate) participants: Vec<Participant>,
}

#[derive(Debug)]
pub(crate) struct Participant {
    pub(crate) process: usize,
    pub(crate) event: usize,
    pub(crate) is_weak: bool,
}

/// An integer variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Int {
    pub(crate) least: i64,
    pub(crate) most: i64,
    pub(crate) initial: i64,
}

/// A conjunction of conditions on integers and tests of clocks.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    pub(crate) conditions: Vec<Condition>,
    pub(crate) tests: Vec<ClockTest>,
}

/// `clock op term`.
#[derive(Debug)]
pub(crate) struct ClockTest {
    pub(crate) clock: Element,
    pub(crate) relation: Relation,
    pub(crate) term: Term,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Relation {
    /// The relation with its operands exchanged.
    pub(crate) fn reversed(self) -> Relation {
        match self {
            Relation::Equal | Relation::Unequal => self,
            Relation::Less => Relation::Greater,
            Relation::AtMost => Relation::AtLeast,
            Relation::Greater => Relation::Less,
            Relation::AtLeast => Relation::AtMost,
        }
    }
}

#[derive(Debug)]
pub(crate) enum Condition {
    NonZero(Term),
    Compare(Relation, Term, Term),
    Not(Box<Condition>),
    And(Vec<Condition>),
}

#[derive(Debug)]
pub(crate) enum Term {
    Number(i64),
    Int(Element),
    Local(Element),
    Negative(usize, Box<Term>),
    /// The operator is `+`, `-`, `*`, `/` or `%`. The position is that of the operator.
    Arithmetic(&'static str, usize, Box<[Term; 2]>),
    If(Box<(Condition, Term, Term)>),
}

/// A variable, or an element of an array.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) at: usize,
    /// The number of the variable, or of the first element.
    pub(crate) base: usize,
    /// The number of elements.
    pub(crate) size: usize,
    pub(crate) index: Option<Box<Term>>,
}

#[derive(Debug)]
pub(crate) enum Statement {
    Int(Element, Term),
    Local(Element, Term),
    Clock(ClockAssignment),
    If(Condition, Vec<Statement>, Vec<Statement>),
    While(Condition, Vec<Statement>),
}

/// `clock = offset + source`, or `clock = offset`.
#[derive(Debug)]
pub(crate) struct ClockAssignment {
    pub(crate) at: usize,
    pub(crate) clock: Element,
    pub(crate) source: Option<Element>,
    pub(crate) offset: Term,
}
