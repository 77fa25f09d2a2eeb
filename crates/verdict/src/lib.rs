//! The interface between the strategy and the engines: questions, budgets, answers, runs, evidence, labels.

mod answer;
mod budget;
mod checkpoint_store;
mod combine;
mod every_size;
mod evidence;
mod labels;
mod partial;
mod reason;
mod reductions;
mod relevance;
mod relying;
mod run;
mod state_explosion;
mod state_limited;
mod time_abstraction;
mod why;

pub use answer::{
    Answer, Contradiction, Counts, Findings, Latest, Opinion, Projection, PropertyResult, Question,
    Refusal, Report, Side, Threshold,
};
pub use budget::{Budget, Engine, Progress, Storage, Unlimited};
pub use checkpoint_store::{CheckpointStore, Log};
pub use combine::{NO_METHOD, both_open, with_only};
pub use every_size::{
    EverySizeArgument, EverySizeInvariant, EverySizeNames, EverySizeProof, EverySizeStep, Half,
    LeftOut, NamedNode, NamedPart, RightPart,
};
pub use evidence::{
    Activation, Choice, Demanded, Evidence, Exhausted, Induction, Invariant, Never, NoTimes,
    OneNodeProof, OrderPart, OrderProof, Projected,
};
pub use labels::Labels;
pub use partial::{Found, PartialResults};
pub use reason::{
    Cause, Defect, Depth, Established, Goal, Inexact, Label, NoThreshold, NotForEvery, NotMonotone,
    Omission, OrderGap, Premise, Reason, ReasonKind, Representation, Searched, SizeBound, SizeGap,
    SizeMethod, Sought, Spent, Spurious, Undecided, Unsought,
};
pub use reductions::{ExcludedBy, NoPartialOrder, NoSymmetry, Reduction};
pub use relevance::cone::{ConeOfInfluence, Influence, NodeCone};
pub use relevance::timed_reductions::{DeadElements, TimedReductions};
pub use relying::{Proved, Relying, claim_of};
pub use run::{Ending, Run};
pub use state_explosion::{Component, CountersApart, Multiplier, StateExplosion};
pub use state_limited::StateLimited;
pub use time_abstraction::{Digitised, TimeAbstraction};
pub use why::{Explanation, Fact, PartVerdict, Timely, Waiting, Why};
