//! The table of top-level names, and the words that every node has.

use crate::{EnumId, FnId, KindId, LetId, MessageId, ParamId, StructId, TimingId};

/// What a top-level name stands for in expressions and types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Global {
    Param(ParamId),
    Let(LetId),
    Fn(FnId),
    Enum(EnumId),
    EnumValue(EnumId, u32),
    Message(MessageId),
    Struct(StructId),
    Kind(KindId),
    Timing(TimingId),
    /// Its item has been refused: using it says nothing new.
    Refused,
}

/// Words that every node answers to in claims.
pub(crate) const NODE_WORDS: &[&str] = &[
    "activations",
    "halted",
    "off",
    "crashed",
    "stopped",
    "deaf",
    "mute",
    "isolated",
    "faultless",
    "sent",
];
