//! Tests of the renderers, on hand-written and random runs.

mod chart;
mod faults;
mod faulty;
mod histogram;
mod markup;
mod page;
mod slice;
mod timed;
mod timed_story;
mod timeline;
mod walks;
