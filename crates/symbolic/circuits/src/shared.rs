//! Parts of a state that its successors share until they change them.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// A value that clones share. A change copies the value first, unless no other clone has it. This saves copies, because
/// an event changes few parts of a state, and the successors of all events exist at the same time.
#[derive(Clone, Debug)]
pub(crate) struct Shared<T>(Rc<T>);

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Shared<T> {
        Shared(Rc::new(value))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Rc::make_mut(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_not_seen_by_other_clones() {
        let one: Shared<Vec<u32>> = vec![1, 2].into();
        let mut other = one.clone();
        assert!(std::ptr::eq(&*one, &*other), "nothing is copied yet");
        other.push(3);
        assert_eq!((&one[..], &other[..]), (&[1, 2][..], &[1, 2, 3][..]));
    }
}
