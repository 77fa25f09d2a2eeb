//! Answers to the properties of a Machine.

use crate::lemmas::Lemmas;
use crate::meter::Meter;
use crate::portfolio::{Method, Solvers, Verdict, decide};
use bits::Unsupported;
use circuits::{
    Asked, Clause, Encoded, Proof, Shows, Trace, check_inductive, decided_by, encode, property,
    value_of,
};
use machine::{Machine, Property};
use sat::{Backend, Batsat, Lit, Outcome, Solver, Tseitin};
use std::collections::HashMap;
use verdict::{
    Answer, Budget, Cause, Counts, Defect, Established, Evidence, Exhausted, Findings, Induction,
    Invariant, Premise, PropertyResult, Question, Reason, Refusal, Relying, Report, Run, Spent,
};

/// The numbers of messages that a circuit represents in an unbounded channel or inbox, tried in this order as needed.
const ROOMS: [usize; 4] = [2, 4, 8, 16];

/// A claim of the Machine that holds, or a condition that is unreachable, with the evidence for it.
pub type Lemma<'k> = (&'k Property, &'k Evidence);

/// Answers every property of a Machine that is a condition on single states: an invariant or a reachability condition.
/// Uses the method `by`, or all methods in turns if it is `None`.
pub fn run(
    question: &Question<'_>,
    by: Option<Method>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    run_with_lemmas(question, &[], by, budget)
}

/// Like [`run`], with lemmas: properties of the same Machine that are already proved and are assumed in every state.
/// The evidence lists the lemmas that were needed.
pub fn run_with_lemmas(
    question: &Question<'_>,
    known: &[Lemma<'_>],
    by: Option<Method>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let machine = question.machine;
    let is_open = |property: &Property| decided_by(property).is_some();
    let meter = Meter::new(by, budget);
    let refused = || Answer::Unknown(Reason::NotAboutStates);
    let mut answers: Vec<Option<Answer>> = { machine.properties.iter() }
        .map(|property| (!is_open(property)).then(refused))
        .collect();
    let mut longest = None;
    let mut methods = vec![None; answers.len()];
    let mut evidence = vec![None; answers.len()];
    for (attempt, room) in ROOMS.iter().enumerate() {
        if answers.iter().all(Option::is_some) {
            break; // avoids building another circuit, which is expensive
        }
        let mut encoded = encode(machine, *room, meter.backend.new).map_err(unsupported)?;
        if attempt == 0 && !check_initial_states(&encoded, &meter)? {
            break;
        }
        let lemmas = Lemmas::of(&mut encoded, known);
        let is_last = attempt + 1 == ROOMS.len() || !encoded.may_overflow();
        let open = machine.properties.iter().zip(&mut answers).enumerate();
        for (p, (property, answer)) in open {
            if answer.is_some() {
                continue;
            }
            meter.answered_by.set(None);
            match answer_property(&mut encoded, property, is_last, &meter) {
                Ok(Found::Answer(found)) => *answer = Some(found),
                Ok(Found::Proved(found, proof)) => {
                    *answer = Some(found);
                    let needed = lemmas.needed(&mut encoded, &proof, meter.backend);
                    let plain = to_evidence(&encoded, &proof);
                    evidence[p] = Some(match needed.is_empty() {
                        true => plain,
                        false => Evidence::Relying(Relying::on(machine, &needed, plain)),
                    });
                }
                Ok(Found::NeedsRoom(trace)) => longest = circuits::longest(&encoded, &trace),
                Err(Unsupported { what, .. }) => {
                    *answer = Some(Answer::Unknown(Reason::no_circuit(what)));
                }
            }
            methods[p] = meter.answered_by.get().map(Method::name);
        }
    }
    let spent = meter.spent();
    let open = || Answer::Unknown(Reason::limit(spent.clone().unwrap_or(Spent::Interrupted)));
    let found = answers.into_iter().zip(evidence).zip(methods);
    let results = found.zip(&machine.properties);
    let results = results.map(|(((answer, evidence), by), property)| PropertyResult {
        evidence,
        premise: Premise::of(property),
        by,
        ..answer.unwrap_or_else(open).into()
    });
    Ok(Report {
        method: by.map_or("circuits", Method::name),
        abstraction: None,
        results: results.collect(),
        counts: Counts {
            depth: meter.depth.get(),
            ..Counts::default()
        },
        findings: Findings {
            ran: vec![false; machine.blocks.len()],
            sent: vec![false; machine.records.len()],
            longest,
            ..Findings::default()
        },
    })
}

fn unsupported(why: Unsupported) -> Refusal {
    Refusal::Unsupported(why.what)
}

/// The result for one property.
enum Found {
    Answer(Answer),
    Proved(Answer, Proof),
    /// A run needs more messages than the circuit represents.
    NeedsRoom(Trace),
}

/// Which kind of bad state a run of the circuit reaches.
enum End {
    Sought,
    Overflow,
    Error,
}

/// The answer to a property. On the last attempt (`is_last`) it is never `NeedsRoom`.
fn answer_property(
    encoded: &mut Encoded<'_>,
    of: &Property,
    is_last: bool,
    meter: &Meter<'_>,
) -> Result<Found, Unsupported> {
    let Some(asked) = property(encoded, of)? else {
        return Err(Unsupported::new("a claim about more than single states"));
    };
    let (sought, no_value) = (asked.sought, asked.no_value);
    let (error, overflow) = (encoded.error, encoded.overflow);
    // First tries one proof that none of the literals is reachable.
    let mut failed = None;
    match decide_reachability(encoded, &[sought, error, no_value, overflow], sought, meter) {
        Reachability::Never(proof) => return Ok(Found::Proved(never(&asked), proof)),
        Reachability::Stopped(why) => return Ok(Found::Answer(Answer::Unknown(why))),
        Reachability::Reached(End::Sought, trace) => {
            return Ok(answer_with_run(encoded, &asked, &trace));
        }
        Reachability::Reached(End::Overflow, trace) if !is_last => {
            return Ok(Found::NeedsRoom(trace));
        }
        Reachability::Reached(End::Overflow, _) => {}
        Reachability::Reached(End::Error, trace) => failed = Some(trace),
    }
    // A run to the sought state is shown even if other runs end in an error or need more room.
    let also = match (&failed, is_last) {
        (Some(_), false) => vec![sought, overflow],
        _ => vec![sought],
    };
    match decide_reachability(encoded, &also, sought, meter) {
        Reachability::Stopped(why) => return Ok(Found::Answer(Answer::Unknown(why))),
        Reachability::Reached(End::Sought, trace) => {
            return Ok(answer_with_run(encoded, &asked, &trace));
        }
        Reachability::Reached(_, trace) => return Ok(Found::NeedsRoom(trace)),
        Reachability::Never(_) => {}
    }
    let room = encoded.room;
    let bounded = !encoded.may_overflow();
    let too_many = || match bounded {
        true => Answer::Unknown(Reason::Defect(Defect::NoRoom)),
        false => Answer::Unknown(Reason::NoRoom(room)),
    };
    let Some(trace) = failed else {
        return Ok(Found::Answer(too_many()));
    };
    if is_last && overflow != Lit::FALSE {
        match decide_reachability(encoded, &[overflow], overflow, meter) {
            Reachability::Never(_) => {}
            Reachability::Stopped(why) => return Ok(Found::Answer(Answer::Unknown(why))),
            Reachability::Reached(..) => return Ok(Found::Answer(too_many())),
        }
    }
    let shows = Shows::Error(&asked.condition);
    let run = circuits::run(encoded, &trace, &shows);
    let answer = run.map_or_else(no_run, |run| Answer::Error(Box::new(run)));
    Ok(Found::Answer(answer))
}

fn never(asked: &Asked) -> Answer {
    match asked.wanted {
        true => Answer::Impossible,
        false => Answer::Holds,
    }
}

fn answer_with_run(encoded: &Encoded<'_>, asked: &Asked, trace: &Trace) -> Found {
    let shows = Shows::Value(&asked.condition, asked.wanted);
    let run: Option<Run> = circuits::run(encoded, trace, &shows);
    Found::Answer(match (run, asked.wanted) {
        (None, _) => no_run(),
        (Some(run), true) => Answer::Possible(Box::new(run)),
        (Some(run), false) => Answer::Fails(Box::new(run)),
    })
}

/// The evidence for a proof. State bits are numbered from 1 in the order of the latches.
fn to_evidence(encoded: &Encoded<'_>, proof: &Proof) -> Evidence {
    let room = encoded.room as u32;
    let bits = encoded.circuit.latches.iter().zip(1..);
    let numbers: HashMap<u32, i32> = bits.map(|(latch, n)| (latch.now.gate(), n)).collect();
    let number = |lit: &Lit| match lit.is_negated() {
        true => -numbers[&lit.gate()],
        false => numbers[&lit.gate()],
    };
    let invariant = |clauses: &[Clause]| Invariant {
        room,
        clauses: { clauses.iter() }
            .map(|clause| clause.iter().map(number).collect())
            .collect(),
    };
    match proof {
        Proof::Inductive(clauses) => Evidence::Invariant(invariant(clauses)),
        Proof::KInductive { k, strengthened_by } => Evidence::Induction(Induction {
            k: *k as u32,
            strengthening: invariant(strengthened_by),
        }),
        Proof::Exhaustive { steps } => Evidence::Exhausted(Exhausted {
            room,
            events: *steps as u32,
        }),
    }
}

fn no_run() -> Answer {
    Answer::Unknown(Reason::Defect(Defect::NoRun))
}

/// The result of a reachability query.
enum Reachability {
    Never(Proof),
    Reached(End, Trace),
    Stopped(Reason),
}

/// Decides whether one of the literals `bad` is reachable. A run is a shortest one, unless the search for it is stopped.
fn decide_reachability(
    encoded: &mut Encoded<'_>,
    bad: &[Lit],
    sought: Lit,
    meter: &Meter<'_>,
) -> Reachability {
    let overflow = encoded.overflow;
    let circuit = encoded.with_bad(bad);
    if circuit.bad == Lit::FALSE {
        return Reachability::Never(Proof::Inductive(Vec::new()));
    }
    let solvers = Solvers {
        thorough: &meter.backend.new,
        quick: &|| Box::new(Batsat::new()),
    };
    let decision = decide(circuit, Vec::new(), meter.by, solvers, &mut || meter.ask());
    meter.reached(decision.clear);
    meter.answered_by.set(decision.method);
    match decision.verdict {
        Verdict::Holds(proof) => Reachability::Never(proof),
        Verdict::Stopped => Reachability::Stopped(Reason::Ended {
            cause: Cause::Limit(meter.spent().unwrap_or(Spent::Interrupted)),
            established: Established::FewerSteps(decision.clear),
        }),
        Verdict::Fails(trace) => {
            debug_assert!(circuit.is_run(&trace));
            let last = trace.moments.last().expect("a trace has a moment");
            let values = circuit.simulate(last);
            let end = match (value_of(&values, sought), value_of(&values, overflow)) {
                (true, _) => End::Sought,
                (false, true) => End::Overflow,
                (false, false) => End::Error,
            };
            Reachability::Reached(end, trace)
        }
    }
}

/// Checks that there is an initial state, that no initial value is a runtime error, and that the known invariant of the
/// circuit is inductive. Returns false if a limit was reached before.
fn check_initial_states(encoded: &Encoded<'_>, meter: &Meter<'_>) -> Result<bool, Refusal> {
    let mut solver = (meter.backend.new)();
    let mut tseitin = Tseitin::new();
    let mut possible = |lit: Lit| {
        let literal = tseitin.literal(&encoded.circuit.aig, lit, &mut solver);
        solver.solve(&[literal], &mut || meter.ask())
    };
    match possible(encoded.initial_error) {
        Outcome::Unsatisfiable => {}
        Outcome::Stopped => return Ok(false),
        Outcome::Satisfiable => {
            let why = "initial values or restrictions that may be errors";
            return Err(Refusal::Unsupported(why.into()));
        }
    }
    match possible(encoded.circuit.init) {
        Outcome::Satisfiable => {}
        Outcome::Stopped => return Ok(false),
        Outcome::Unsatisfiable => return Err(Refusal::NoInitialState),
    }
    match check_inductive(&encoded.circuit, &[], &mut (meter.backend.new)()) {
        Ok(()) => Ok(true),
        Err(_) => Err(Refusal::Unsupported(
            "a state whose bits do not stay in their ranges; please report this".into(),
        )),
    }
}

/// Why a Machine cannot be translated to a circuit, as text; `None` if it can.
pub fn refuses(machine: &Machine) -> Option<String> {
    encode(machine, ROOMS[0], Backend::BATSAT.new)
        .err()
        .map(|why| why.what)
}
