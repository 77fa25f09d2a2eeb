//! The contract between who asks and who answers: questions, budgets, verdicts, runs.

mod answer;
mod budget;
mod evidence;
mod inexact;
mod keeper;
mod labels;
mod relevant;
mod relying;
mod run;
mod shortcuts;
mod too_big;
mod why;

pub use answer::{
    Answer, Border, Counts, Findings, Latest, Premise, Question, Refusal, Report, Side,
};
pub use budget::{Budget, Progress, Spent, Storage, Unlimited};
pub use evidence::{
    Activation, Choice, Demanded, Evidence, Exhausted, Induction, Invariant, Never, NoTimes,
    OrderPart, OrderProof,
};
pub use inexact::Inexact;
pub use keeper::{Keeper, Log};
pub use labels::{Label, Labels};
pub use relevant::{Matters, Relevance, Relevant};
pub use relying::{Proved, Relying, claim_of};
pub use run::{Ending, Run};
pub use shortcuts::{Outgrown, Shortcuts};
pub use too_big::{Component, Multiplier, TooBig};
pub use why::{Explanation, Fact, PartVerdict, Timely, Waiting, Why};
