//! The interface between callers and engines: questions, budgets, answers, runs, evidence.

mod answer;
mod budget;
mod checkpoint_store;
mod combine;
mod cone;
mod evidence;
mod labels;
mod omission;
mod relying;
mod run;
mod state_explosion;
mod state_limited;
mod timed_reductions;
mod why;

pub use answer::{
    Answer, Contradiction, Counts, Findings, Latest, Opinion, Premise, Question, Refusal, Report,
    Side, Threshold,
};
pub use budget::{Budget, Engine, Progress, Spent, Storage, Unlimited};
pub use checkpoint_store::{CheckpointStore, Log};
pub use combine::{NO_METHOD, both_open, with_only};
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
pub use state_limited::StateLimited;
pub use timed_reductions::{DeadElements, TimedReductions};
pub use why::{Explanation, Fact, PartVerdict, Timely, Waiting, Why};
