//! A portfolio of methods that run in turns until one of them has an answer.

use crate::bmc::{Bmc, Depth};
use crate::induction::{Induction, Step};
use crate::pdr::Pdr;
use circuits::{Circuit, Clause, Proof, Trace};
use sat::Solver;

/// Constructors of SAT solvers.
#[derive(Clone, Copy)]
pub struct Solvers<'a> {
    /// A solver for few hard queries.
    pub thorough: &'a dyn Fn() -> Box<dyn Solver>,
    /// A solver for many easy queries.
    pub quick: &'a dyn Fn() -> Box<dyn Solver>,
}

/// The first slice of each method, in calls of the stop callback. A method calls it before each query to its solver,
/// and the solver calls it several times during a query. BMC and k-induction make few long queries, PDR makes many
/// short ones.
const FIRST_SLICE: Slices = Slices {
    bmc: 10,
    induction: 6,
    pdr: 8000,
};

/// A method of the portfolio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Bounded model checking.
    Bmc,
    /// k-induction.
    Induction,
    /// Property directed reachability.
    Pdr,
}

impl Method {
    /// The name of the method, as reports show it.
    pub fn name(self) -> &'static str {
        match self {
            Method::Bmc => "bounded model checking (BMC)",
            Method::Induction => "k-induction",
            Method::Pdr => "property directed reachability (PDR)",
        }
    }
}

/// Whether a bad state of a circuit is reachable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No bad state is reachable; with the proof.
    Holds(Proof),
    /// This run reaches a bad state.
    Fails(Trace),
    /// The search was stopped before a decision.
    Stopped,
}

/// The verdict, the method that gave it, and the depth that BMC has cleared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The result.
    pub verdict: Verdict,
    /// The method that gave the result; `None` if the search was stopped.
    pub method: Option<Method>,
    /// No run of fewer steps than this reaches a bad state.
    pub clear: usize,
}

/// The slice of each method in one turn, in calls of the stop callback.
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

/// Decides whether a bad state is reachable, by the method `by`, or by all methods in turns if it is `None`. `known`
/// must be an inductive invariant of the circuit. If PDR finds a run, BMC searches for a shortest one. BMC also
/// provides the base of a k-induction.
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

/// Completes the base of a k-induction whose step is proved for k.
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

/// Searches by BMC for a run that is shorter than `trace`. Returns `trace` if there is none or the search is stopped.
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
        verdict: Verdict::Stopped,
        method: None,
        clear,
    }
}

/// A slice of work, measured in calls of the stop callback.
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
