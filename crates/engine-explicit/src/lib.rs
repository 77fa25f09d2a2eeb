//! Answers by visiting every state.
