//! Seeded defects: rules that tests break one at a time, to show that the tests notice each.
//!
//! Each defect is queried at the one place that follows the rule. Without the feature `defects` no rule is
//! broken and the queries cost nothing.

/// A rule that the code breaks while the defect is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// An until may be postponed for ever.
    PutOffForEver,
    /// The left side of an until need not hold before the right side does.
    LeftForgotten,
    /// A release is never released.
    NeverReleased,
    /// An eventual formula is taken to have one value for the whole word.
    EventualIsConstant,
    /// A consequence of one side of an until is taken to be a consequence of the until.
    FollowsFromOneSide,
    /// A component drops one mark that it needs.
    MarkDropped,
    /// States whose edges differ only in guards are merged.
    GuardsIgnored,
    /// A state simulates another with fewer marks.
    MarksIgnored,
    /// Backward simulation ignores whether a state is initial.
    InitialIgnored,
    /// The greedily found lasso is reported as the shortest.
    GreedyIsShortest,
}

#[cfg(feature = "defects")]
impl Defect {
    /// The defects of the translation.
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

    /// Whether a rule is broken.
    pub(crate) fn broken(rule: Defect) -> bool {
        ACTIVE.get() == Some(rule)
    }

    /// A guard: the rule is broken in this thread until it is dropped.
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

/// Whether a rule is broken.
#[cfg(not(feature = "defects"))]
pub(crate) const fn broken(_: Defect) -> bool {
    false
}
