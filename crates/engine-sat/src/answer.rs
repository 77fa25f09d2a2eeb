//! The answers to all properties of a Machine.

use crate::portfolio::{Method, Solvers, Verdict, decide};
use bits::Unsupported;
use circuits::{Encoded, Proof, Shows, Trace, check_inductive, check_proof, encode, value_of};
use machine::{Expr, Machine, Property, PropertyKind};
use sat::{Batsat, Cadical, Lit, Outcome, Solver, Tseitin};
use std::cell::Cell;
use verdict::{
    Answer, Budget, Counts, Findings, Premise, Progress, Question, Refusal, Report, Run,
};

/// For how many messages there is room where there is no bound: as many as are needed, one after the other.
const ROOMS: [usize; 4] = [2, 4, 8, 16];

/// Answers every property of a Machine, as far as it is about single states: that something is always so, or possible. By one
/// method, or by all in turns.
pub fn run(
    question: &Question<'_>,
    by: Option<Method>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let machine = question.machine;
    let properties: Vec<Option<Asked>> = machine.properties.iter().map(asked).collect();
    if properties.iter().all(Option::is_none) {
        return Err(Refusal::Unsupported(
            "claims about more than single states".into(),
        ));
    }
    let meter = Meter::new(by, budget);
    let mut answers: Vec<Option<Answer>> = { properties.iter() }
        .map(|asked| match asked {
            Some(_) => None,
            None => Some(Answer::Unknown(
                "a claim about more than single states".into(),
            )),
        })
        .collect();
    let mut longest = None;
    let mut methods = vec![None; answers.len()];
    for (attempt, room) in ROOMS.iter().enumerate() {
        let mut encoded = encode(machine, *room).map_err(unsupported)?;
        if attempt == 0 {
            check_beginning(&encoded, &meter)?;
        }
        let is_last = attempt + 1 == ROOMS.len() || !encoded.may_overflow();
        for (p, (asked, answer)) in properties.iter().zip(&mut answers).enumerate() {
            let Some(asked) = asked.as_ref().filter(|_| answer.is_none()) else {
                continue;
            };
            meter.answered_by.set(None);
            match about(&mut encoded, asked, is_last, &meter) {
                Ok(Found::Answer(found)) => *answer = Some(found),
                Ok(Found::NeedsRoom(trace)) => longest = circuits::longest(&encoded, &trace),
                Err(Unsupported(what)) => *answer = Some(Answer::Unknown(what)),
            }
            methods[p] = meter.answered_by.get().map(Method::name);
        }
        if answers.iter().all(Option::is_some) {
            break;
        }
    }
    let spent = meter.spent();
    let open = |answer: Option<Answer>| {
        answer.unwrap_or_else(|| Answer::Unknown(spent.clone().unwrap_or_default()))
    };
    Ok(Report {
        method: by.map_or("circuits", Method::name),
        rung: None,
        answers: answers.into_iter().map(open).collect(),
        counts: Counts {
            depth: meter.depth.get(),
            ..Counts::default()
        },
        findings: Findings {
            ran: vec![false; machine.blocks.len()],
            sent: vec![false; machine.records.len()],
            premises: machine.properties.iter().map(premise).collect(),
            latest: vec![None; machine.properties.len()],
            longest,
            by: methods,
            ..Findings::default()
        },
        evidence: Vec::new(),
    })
}

/// A property about single states.
struct Asked<'m> {
    property: &'m Property,
    condition: Expr,
    /// What a run shows that decides it: that the condition is so.
    sought: bool,
}

fn asked(property: &Property) -> Option<Asked<'_>> {
    let (condition, sought) = match &property.kind {
        PropertyKind::Claim(formula) => (formula.invariant()?, false),
        PropertyKind::Possible(condition) => (condition.clone(), true),
    };
    Some(Asked {
        property,
        condition,
        sought,
    })
}

fn premise(property: &Property) -> Option<Premise> {
    match &property.kind {
        PropertyKind::Claim(formula) => formula.premise().map(|_| Premise::Open),
        PropertyKind::Possible(_) => None,
    }
}

fn unsupported(why: Unsupported) -> Refusal {
    Refusal::Unsupported(why.0)
}

/// What came of one property.
enum Found {
    Answer(Answer),
    /// A run needs room for more messages.
    NeedsRoom(Trace),
}

/// What a run of the circuit ends with.
enum End {
    Sought,
    Overflow,
    Error,
}

/// The answer to a property; where this is the last attempt, at any rate.
fn about(
    encoded: &mut Encoded<'_>,
    asked: &Asked<'_>,
    is_last: bool,
    meter: &Meter<'_>,
) -> Result<Found, Unsupported> {
    let (holds, no_value) = encoded.condition(&asked.property.scope, &asked.condition)?;
    let wanted = if asked.sought { holds } else { !holds };
    let sought = encoded.circuit.aig.and(wanted, !no_value);
    let (error, overflow) = (encoded.error, encoded.overflow);
    // One proof for everything, if there is one.
    let mut failed = None;
    match look(encoded, &[sought, error, no_value, overflow], sought, meter) {
        Looked::Never => return Ok(Found::Answer(asked.never())),
        Looked::Stopped(why) => return Ok(Found::Answer(Answer::Unknown(why))),
        Looked::Reached(End::Sought, trace) => return Ok(asked.shown(encoded, &trace)),
        Looked::Reached(End::Overflow, trace) if !is_last => return Ok(Found::NeedsRoom(trace)),
        Looked::Reached(End::Overflow, _) => {}
        Looked::Reached(End::Error, trace) => failed = Some(trace),
    }
    // A run that shows what is sought is shown, also if others end in an error or need more room.
    let also = match (&failed, is_last) {
        (Some(_), false) => vec![sought, overflow],
        _ => vec![sought],
    };
    match look(encoded, &also, sought, meter) {
        Looked::Stopped(why) => return Ok(Found::Answer(Answer::Unknown(why))),
        Looked::Reached(End::Sought, trace) => return Ok(asked.shown(encoded, &trace)),
        Looked::Reached(_, trace) => return Ok(Found::NeedsRoom(trace)),
        Looked::Never => {}
    }
    let room = encoded.room;
    let bounded = !encoded.may_overflow();
    let too_many = || match bounded {
        true => Answer::Unknown("no room where there should be; please report this".into()),
        false => Answer::Unknown(format!(
            "a channel or inbox may hold more than {room} messages"
        )),
    };
    let Some(trace) = failed else {
        return Ok(Found::Answer(too_many()));
    };
    if is_last && overflow != Lit::FALSE {
        match look(encoded, &[overflow], overflow, meter) {
            Looked::Never => {}
            Looked::Stopped(why) => return Ok(Found::Answer(Answer::Unknown(why))),
            Looked::Reached(..) => return Ok(Found::Answer(too_many())),
        }
    }
    let shows = Shows::Error(&asked.condition);
    let run = circuits::run(encoded, &trace, &shows);
    let answer = run.map_or_else(no_run, |run| Answer::Error(Box::new(run)));
    Ok(Found::Answer(answer))
}

impl Asked<'_> {
    fn never(&self) -> Answer {
        match self.sought {
            true => Answer::Impossible,
            false => Answer::Holds,
        }
    }

    fn shown(&self, encoded: &Encoded<'_>, trace: &Trace) -> Found {
        let shows = Shows::Value(&self.condition, self.sought);
        let run: Option<Run> = circuits::run(encoded, trace, &shows);
        Found::Answer(match (run, self.sought) {
            (None, _) => no_run(),
            (Some(run), true) => Answer::Possible(Box::new(run)),
            (Some(run), false) => Answer::Fails(Box::new(run)),
        })
    }
}

fn no_run() -> Answer {
    Answer::Unknown("the run that was found is none; please report this".into())
}

/// What came of looking for something.
enum Looked {
    Never,
    Reached(End, Trace),
    Stopped(String),
}

/// Whether one of several things is reached; by a shortest run.
fn look(encoded: &mut Encoded<'_>, bad: &[Lit], sought: Lit, meter: &Meter<'_>) -> Looked {
    let overflow = encoded.overflow;
    let circuit = encoded.with_bad(bad);
    if circuit.bad == Lit::FALSE {
        return Looked::Never;
    }
    let solvers = Solvers {
        thorough: &|| Box::new(Cadical::new()),
        quick: &|| Box::new(Batsat::new()),
    };
    let decision = decide(circuit, Vec::new(), meter.by, solvers, &mut || meter.ask());
    meter.reached(decision.clear);
    meter.answered_by.set(decision.method);
    match decision.verdict {
        Verdict::Holds(proof) => {
            // The solver that checks has not found it. Other proofs take as long again.
            debug_assert!(
                !matches!(proof, Proof::Inductive(_))
                    || check_proof(circuit, &proof, solvers.thorough) == Ok(())
            );
            Looked::Never
        }
        Verdict::Unknown(why) => {
            let spent = meter.spent().map(|spent| format!("{spent}; "));
            Looked::Stopped(format!("{}{why}", spent.unwrap_or_default()))
        }
        Verdict::Fails(trace) => {
            debug_assert!(circuit.is_run(&trace));
            let last = trace.moments.last().expect("a trace has a moment");
            let values = circuit.simulate(last);
            let end = match (value_of(&values, sought), value_of(&values, overflow)) {
                (true, _) => End::Sought,
                (false, true) => End::Overflow,
                (false, false) => End::Error,
            };
            Looked::Reached(end, trace)
        }
    }
}

/// There must be an initial state, and none without a value; and what is known of all states must be so.
fn check_beginning(encoded: &Encoded<'_>, meter: &Meter<'_>) -> Result<(), Refusal> {
    let mut solver = Cadical::new();
    let mut tseitin = Tseitin::new();
    let mut possible = |lit: Lit| {
        let literal = tseitin.literal(&encoded.circuit.aig, lit, &mut solver);
        solver.solve(&[literal], &mut || meter.ask())
    };
    if possible(encoded.initial_error) != Outcome::Unsatisfiable {
        return Err(Refusal::Unsupported(
            "initial values or restrictions that may be errors".into(),
        ));
    }
    if possible(encoded.circuit.init) == Outcome::Unsatisfiable {
        return Err(Refusal::NoInitialState);
    }
    match check_inductive(&encoded.circuit, &[], &mut Cadical::new()) {
        Ok(()) => Ok(()),
        Err(_) => Err(Refusal::Unsupported(
            "a state whose bits do not stay in their ranges; please report this".into(),
        )),
    }
}

/// Asks the budget, and remembers what it said.
struct Meter<'b> {
    by: Option<Method>,
    budget: &'b dyn Budget,
    /// Who gave the last answer.
    answered_by: Cell<Option<Method>>,
    depth: Cell<u64>,
    asked: Cell<u64>,
    spent: std::cell::RefCell<Option<String>>,
}

impl<'b> Meter<'b> {
    fn new(by: Option<Method>, budget: &'b dyn Budget) -> Meter<'b> {
        Meter {
            by,
            budget,
            answered_by: Cell::new(None),
            depth: Cell::new(0),
            asked: Cell::new(0),
            spent: std::cell::RefCell::new(None),
        }
    }

    fn ask(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        let progress = Progress {
            depth: self.depth.get(),
            transitions: self.asked.get(),
            ..Progress::default()
        };
        if let Some(spent) = self.budget.ask(&progress) {
            *self.spent.borrow_mut() = Some(spent.to_string());
        }
        self.spent.borrow().is_some()
    }

    fn reached(&self, depth: usize) {
        self.depth.set(self.depth.get().max(depth as u64));
    }

    fn spent(&self) -> Option<String> {
        self.spent.borrow().clone()
    }
}

/// What a Machine asks that cannot be answered here, in words; nothing if everything can.
pub fn refuses(machine: &Machine) -> Option<String> {
    encode(machine, ROOMS[0]).err().map(|why| why.0)
}
