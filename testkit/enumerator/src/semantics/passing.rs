//! The passing of time by one unit, unless an event is due.

use crate::instance::data::Instance;
use crate::instance::state::{Mode, State, Window};
use crate::instance::value::Res;

impl Instance<'_> {
    /// The state after one unit of time; `None` if an event is due before, or if the model has no time.
    pub fn later(&self, state: &State) -> Option<State> {
        let clock = self.clock.as_ref()?;
        let mut after = state.clone();
        // Each window moves by one unit; if one of them ends now, time cannot pass.
        for node in &mut after.nodes {
            match &mut node.mode {
                // A start is due at time 0, or when the node restarts.
                Mode::Waiting => return None,
                Mode::Stopped(pause) => pass(&mut pause.window)?,
                _ => {}
            }
            pass(&mut node.activation)?;
            for window in node.timers.values_mut() {
                *window = window.later()?;
            }
        }
        for (_, window) in after.channels.iter_mut().flatten() {
            pass(window)?;
        }
        for edge in 0..after.channels.len() {
            self.sort_bag(&mut after, edge);
        }
        if let Some(end) = clock.end() {
            after.now = (after.now + 1).min(end);
        }
        Some(after)
    }

    /// Whether no event is enabled, now or after any time, except faults.
    pub fn is_quiescent(&self, state: &State) -> Res<bool> {
        let mut state = state.clone();
        loop {
            if !self.events(&state)?.is_empty() {
                return Ok(false);
            }
            match self.later(&state) {
                Some(later) if later != state => state = later,
                _ => return Ok(true),
            }
        }
    }
}

fn pass(window: &mut Option<Window>) -> Option<()> {
    if let Some(inner) = window {
        *inner = inner.later()?;
    }
    Some(())
}
