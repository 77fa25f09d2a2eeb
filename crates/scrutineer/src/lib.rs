//! Scrutineer as a library: checks models of distributed protocols. It proves each claim, or shows a run that violates
//! it.
//!
//! A [`Model`] is parsed from text in the language of Scrutineer. Each [`Check`] of the model is run with [`Options`]
//! and returns a [`Report`] with one [`PropertyResult`] for each claim and each instance, that is, each choice of
//! parameter values.
//!
//! ```
//! use scrutineer::{Model, Options, Verdict};
//!
//! let model = Model::parse(
//!     "message Token
//!      node Member[3] {
//!          var seen: Bool = false
//!          start    { send Token to next }
//!          on Token { seen = true }
//!      }
//!      network ring { channel fifo }
//!      claim served: eventually all k in Member: k.seen
//!      check served",
//! )?;
//! let report = model.checks()[0].run(&Options::default())?;
//! for result in &report.properties {
//!     assert_eq!(result.verdict, Verdict::Holds, "{result}");
//! }
//! # Ok::<(), scrutineer::Error>(())
//! ```
//!
//! # What `unknown` means
//!
//! [`Verdict::Unknown`] means that no method decided the claim within the limits: it is neither proved nor refuted. A
//! limit of time or memory, a cancellation, a part of the model that no method can represent, and a method that ends
//! without a proof and without a run all lead to `unknown`, never to `holds`. A caller must not treat `unknown` as
//! success: [`PropertyResult::is_proved`] is false for it, and [`PropertyResult::judgement`] is [`Judgement::Unknown`]
//! unless the model says `expect unknown`. [`ReasonKind`] distinguishes a limit that can be raised from a question that
//! no method answers; the reason gives the details.
//!
//! # Machines
//!
//! [`check_machine`] answers the properties of a [`machine::Machine`] that is built in code, without a model text.
//!
//! # Threads
//!
//! All types are `Send`, so a check can run on another thread. A [`Cancel`] token ends the check from another thread;
//! [`Options::progress`] reports its progress.

mod library;

pub use library::diagnostic::{Diagnostic, Place, Severity};
pub use library::error::Error;
pub use library::evidence::{Evidence, EvidenceRejected};
pub use library::machines::check_machine;
pub use library::model::{Check, Model};
pub use library::options::{Cancel, Options};
pub use library::results::{
    Counts, Judgement, Parameter, PropertyKind, PropertyResult, Report, Verdict, Witness,
};
pub use machine;
pub use report::{CauseData as Cause, EndingData as Ending, EventData as Event, RunData as Run};
pub use verdict::{Progress, ReasonKind};

/// The SAT solver that the engines use: CaDiCaL, or batsat if the crate is built without the feature `cadical`.
#[cfg(feature = "cadical")]
#[doc(hidden)]
pub const SOLVER: sat::Backend = cadical::BACKEND;
#[cfg(not(feature = "cadical"))]
#[doc(hidden)]
pub const SOLVER: sat::Backend = sat::Backend::BATSAT;
