//! The meanings of top-level names, and the words for properties that every node has.

use crate::{EnumId, FnId, KindId, LetId, MessageId, ParamId, StructId, TimingId};

/// The meaning of a top-level name in expressions and types.
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
    /// An item with a reported error. Uses of its name are not reported.
    Refused,
}

/// The words `w` in `k.w` that claims can use for every node k, such as `k.halted`.
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
