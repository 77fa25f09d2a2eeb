//! Several methods in turns: who answers first has answered.

use crate::bmc::{Bmc, Depth};
use crate::induction::{Induction, Step};
use crate::pdr::Pdr;
use circuits::{Circuit, Clause, Proof, Trace};
use sat::Solver;

/// Makes solvers.
#[derive(Clone, Copy)]
pub struct Solvers<'a> {
    /// For few questions that are hard.
    pub thorough: &'a dyn Fn() -> Box<dyn Solver>,
    /// For many questions that are easy.
    pub quick: &'a dyn Fn() -> Box<dyn Solver>,
}

/// How often a method may ask in its first slice whether to stop. It does so before each question to its solver, and the
/// solver now and then. Some methods have few questions that take long, one has many short ones.
const FIRST_SLICE: Slices = Slices {
    bmc: 10,
    induction: 6,
    pdr: 8000,
};

/// A way to an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Bounded model checking.
    Bmc,
    /// Induction over several moments.
    Induction,
    /// Property directed reachability.
    Pdr,
}

impl Method {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Method::Bmc => "bounded model checking",
            Method::Induction => "induction",
            Method::Pdr => "property directed reachability",
        }
    }
}

/// What came of a question answer_property a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing bad can happen.
    Holds(Proof),
    /// This run ends badly.
    Fails(Trace),
    /// Nobody knows, and why.
    Unknown(String),
}

/// What came of asking several methods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The answer.
    pub verdict: Verdict,
    /// Who gave it.
    pub method: Option<Method>,
    /// No run of fewer steps ends badly.
    pub clear: usize,
}

/// How long the slices of a turn are.
#[derive(Clone, Copy)]
struct Slices {
    bmc: u64,
    induction: u64,
    pdr: u64,
}

impl Slices {
    fn doubled(self) -> Slices {
        Slices {
            bmc: self.bmc.saturating_mul(2),
            induction: self.induction.saturating_mul(2),
            pdr: self.pdr.saturating_mul(2),
        }
    }
}

/// Decides whether anything bad can happen, by one method or by all in turns. What is known must be an inductive
/// invariant of the circuit. Runs are shortest ones: whoever finds a run, a bounded search looks for a shorter one. An
/// induction has a bounded search for its base.
pub fn decide(
    circuit: &Circuit,
    known: Vec<Clause>,
    by: Option<Method>,
    solvers: Solvers<'_>,
    stop: &mut dyn FnMut() -> bool,
) -> Decision {
    let is_asked = |method: Method| by.is_none_or(|by| by == method);
    let mut bmc = Bmc::new(circuit, (solvers.thorough)());
    let mut induction = Induction::new(circuit, known, (solvers.thorough)());
    let mut pdr = Pdr::new(circuit, solvers.quick);
    let mut slices = FIRST_SLICE;
    loop {
        let mut slice = Slice::new(slices.bmc, stop);
        while by != Some(Method::Pdr) && !slice.is_over() {
            match bmc.advance(&mut || slice.ask()) {
                Depth::Clear | Depth::Stopped => {}
                Depth::Reached(trace) => {
                    return decision(Verdict::Fails(trace), Method::Bmc, &bmc);
                }
                Depth::NoRun => return exhausted(&bmc),
            }
        }
        let mut slice = Slice::new(slices.induction, stop);
        while is_asked(Method::Induction) && !slice.is_over() && induction.k() <= bmc.clear() {
            if let Step::Proved(k) = induction.advance(&mut || slice.ask()) {
                return conclude(k, &mut bmc, &induction, stop);
            }
        }
        let mut slice = Slice::new(slices.pdr, stop);
        let found = match is_asked(Method::Pdr) {
            true => pdr.work(&mut || slice.ask()),
            false => None,
        };
        match found {
            Some(Verdict::Fails(trace)) => return shortest(trace, &mut bmc, stop),
            Some(verdict) => return decision(verdict, Method::Pdr, &bmc),
            None => {}
        }
        if stop() {
            return stopped(&bmc);
        }
        slices = slices.doubled();
    }
}

/// The step of the induction is done; its base may not be.
fn conclude(
    k: usize,
    bmc: &mut Bmc<'_>,
    induction: &Induction<'_>,
    stop: &mut dyn FnMut() -> bool,
) -> Decision {
    while bmc.clear() < k {
        match bmc.advance(stop) {
            Depth::Clear => {}
            Depth::NoRun => return exhausted(bmc),
            Depth::Stopped => return stopped(bmc),
            Depth::Reached(trace) => return decision(Verdict::Fails(trace), Method::Bmc, bmc),
        }
    }
    let strengthened_by = induction.known().to_vec();
    let proof = Proof::KInductive { k, strengthened_by };
    decision(Verdict::Holds(proof), Method::Induction, bmc)
}

/// There is a run: the bounded search looks for a shortest one, unless it is stopped.
fn shortest(trace: Trace, bmc: &mut Bmc<'_>, stop: &mut dyn FnMut() -> bool) -> Decision {
    while bmc.clear() < trace.depth() {
        match bmc.advance(stop) {
            Depth::Clear => {}
            Depth::Reached(trace) => return decision(Verdict::Fails(trace), Method::Bmc, bmc),
            Depth::Stopped | Depth::NoRun => break,
        }
    }
    decision(Verdict::Fails(trace), Method::Pdr, bmc)
}

fn decision(verdict: Verdict, method: Method, bmc: &Bmc<'_>) -> Decision {
    Decision {
        verdict,
        method: Some(method),
        clear: bmc.clear(),
    }
}

fn exhausted(bmc: &Bmc<'_>) -> Decision {
    let steps = bmc.clear();
    decision(
        Verdict::Holds(Proof::Exhaustive { steps }),
        Method::Bmc,
        bmc,
    )
}

fn stopped(bmc: &Bmc<'_>) -> Decision {
    let clear = bmc.clear();
    Decision {
        verdict: Verdict::Unknown(format!(
            "stopped; no run of fewer than {clear} steps breaks it"
        )),
        method: None,
        clear,
    }
}

/// A part of the work, in questions whether to stop.
struct Slice<'s> {
    left: u64,
    stop: &'s mut dyn FnMut() -> bool,
    stopped: bool,
}

impl<'s> Slice<'s> {
    fn new(limit: u64, stop: &'s mut dyn FnMut() -> bool) -> Slice<'s> {
        Slice {
            left: limit,
            stop,
            stopped: false,
        }
    }

    fn ask(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.stopped |= (self.stop)();
        self.is_over()
    }

    fn is_over(&self) -> bool {
        self.stopped || self.left == 0
    }
}
