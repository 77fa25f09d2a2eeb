//! Seeded defects: a test disables one rule of one crate, to show that the tests detect the defect.
//!
//! A crate lists its rules as an enum and implements [`Rule`] for the enum. Where the code applies a rule, it asks
//! [`is_broken`]. A rule is broken in the thread of a test while the test holds a [`Breaking`]. Without the feature
//! `on` no rule is ever broken, and [`is_broken`] costs nothing.

use std::any::TypeId;
use std::cell::Cell;
use std::marker::PhantomData;

/// A rule of a crate that a test can break.
pub trait Rule: Copy + 'static {
    /// The number of the rule, unique among the rules of its type.
    fn number(self) -> u32;
}

/// The type and the number of the broken rule; `None` if no rule is broken.
type Broken = Option<(TypeId, u32)>;

thread_local! {
    /// The broken rule of this thread.
    static BROKEN: Cell<Broken> = const { Cell::new(None) };
}

/// Whether `rule` is broken in this thread.
#[inline(always)]
pub fn is_broken<R: Rule>(rule: R) -> bool {
    cfg!(feature = "on") && BROKEN.get() == Some((TypeId::of::<R>(), rule.number()))
}

/// The number of the rule of type `R` that is broken in this thread; `None` if no rule of this type is.
#[inline(always)]
pub fn broken_rule<R: Rule>() -> Option<u32> {
    match BROKEN.get() {
        Some((of, number)) if cfg!(feature = "on") && of == TypeId::of::<R>() => Some(number),
        _ => None,
    }
}

/// A guard: the rule is broken in this thread until the guard is dropped, or until another rule is broken. Threads that
/// the code under test starts are not affected.
pub struct Breaking<R: Rule>(PhantomData<R>);

impl<R: Rule> Breaking<R> {
    /// Breaks `rule` in this thread, instead of a rule that is broken already. Panics without the feature `on`.
    pub fn rule(rule: R) -> Breaking<R> {
        if !cfg!(feature = "on") {
            panic!("rules can be broken only with the feature `on`");
        }
        BROKEN.set(Some((TypeId::of::<R>(), rule.number())));
        Breaking(PhantomData)
    }
}

impl<R: Rule> Drop for Breaking<R> {
    fn drop(&mut self) {
        BROKEN.set(None);
    }
}

#[cfg(all(test, feature = "on"))]
mod tests {
    use super::*;

    #[derive(Clone, Copy)]
    enum One {
        First,
        Second,
    }

    #[derive(Clone, Copy)]
    enum Other {
        First,
    }

    impl Rule for One {
        fn number(self) -> u32 {
            self as u32
        }
    }

    impl Rule for Other {
        fn number(self) -> u32 {
            self as u32
        }
    }

    #[test]
    fn one_rule_of_one_type_is_broken_in_one_thread() {
        let breaking = Breaking::rule(One::Second);
        assert!(is_broken(One::Second));
        assert_eq!(
            (broken_rule::<One>(), broken_rule::<Other>()),
            (Some(1), None)
        );
        assert!(!is_broken(One::First) && !is_broken(Other::First));
        let elsewhere = std::thread::spawn(|| is_broken(One::Second));
        assert!(!elsewhere.join().expect("a thread"));
        drop(breaking);
        assert!(!is_broken(One::Second));
    }
}
