//! The interface between callers and engines: questions, budgets, answers, runs, evidence.

mod answer;
mod budget;
mod checkpoint_store;
mod cone;
mod evidence;
mod labels;
mod omission;
mod relying;
mod run;
mod state_explosion;
mod timed_reductions;
mod why;

pub use answer::{
    Answer, Counts, Findings, Latest, Premise, Question, Refusal, Report, Side, Threshold,
};
pub use budget::{Budget, Progress, Spent, Storage, Unlimited};
pub use checkpoint_store::{CheckpointStore, Log};
pub use cone::{ConeOfInfluence, Influence, NodeCone};
pub use evidence::{
    Activation, Choice, Demanded, Evidence, Exhausted, Induction, Invariant, Never, NoTimes,
    OrderPart, OrderProof,
};
pub use labels::{Label, Labels};
pub use omission::Omission;
pub use relying::{Proved, Relying, claim_of};
pub use run::{Ending, Run};
pub use state_explosion::{Component, Multiplier, StateExplosion};
pub use timed_reductions::{DeadElements, TimedReductions};
pub use why::{Explanation, Fact, PartVerdict, Timely, Waiting, Why};
