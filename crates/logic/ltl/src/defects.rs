//! Rules that tests can break, one at a time: a test that notices none of this is no test.
//!
//! Each is asked for at the one place where the rule is followed. Without the feature `defects` nothing is broken
//! and the questions cost nothing.

/// A rule that is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// An until may be put off for ever.
    PutOffForEver,
    /// Before its right side comes, the left side of an until need not hold.
    LeftForgotten,
    /// Nothing releases.
    NeverReleased,
    /// What is eventual has one value for the whole word.
    EventualIsConstant,
    /// What follows from one side of an until follows from the until.
    FollowsFromOneSide,
    /// A component gets along with one mark less than it needs.
    MarkDropped,
    /// States with the same edges but for their guards become one.
    GuardsIgnored,
    /// A state simulates another with fewer marks.
    MarksIgnored,
    /// Backwards a state simulates an initial one without being initial.
    InitialIgnored,
    /// What was found greedily is the shortest.
    GreedyIsShortest,
}

#[cfg(feature = "defects")]
impl Defect {
    /// Those of the translation.
    pub const TRANSLATION: [Defect; 9] = [
        Defect::PutOffForEver,
        Defect::LeftForgotten,
        Defect::NeverReleased,
        Defect::EventualIsConstant,
        Defect::FollowsFromOneSide,
        Defect::MarkDropped,
        Defect::GuardsIgnored,
        Defect::MarksIgnored,
        Defect::InitialIgnored,
    ];
}

#[cfg(feature = "defects")]
mod active {
    use super::Defect;
    use std::cell::Cell;

    thread_local! {
        static ACTIVE: Cell<Option<Defect>> = const { Cell::new(None) };
    }

    /// Whether the rule is broken.
    pub(crate) fn broken(rule: Defect) -> bool {
        ACTIVE.get() == Some(rule)
    }

    /// Until this is dropped the rule is broken in this thread.
    pub struct Breaking(());

    impl Breaking {
        /// Breaks a rule.
        pub fn rule(rule: Defect) -> Breaking {
            ACTIVE.set(Some(rule));
            Breaking(())
        }
    }

    impl Drop for Breaking {
        fn drop(&mut self) {
            ACTIVE.set(None);
        }
    }
}

#[cfg(feature = "defects")]
pub use active::Breaking;
#[cfg(feature = "defects")]
pub(crate) use active::broken;

/// Whether the rule is broken.
#[cfg(not(feature = "defects"))]
pub(crate) const fn broken(_: Defect) -> bool {
    false
}
