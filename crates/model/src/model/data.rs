//! Compound data: messages, structs, and index types of arrays.

use crate::{Domain, EnumId, MessageId, Model, StructId, Type};
use source::Span;

/// `message M { … }`: a record that can be sent.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Message {
    pub name: String,
    pub fields: Vec<RecordField>,
    pub span: Span,
}

/// `struct S { … }`: a record that is not a message.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Struct {
    pub name: String,
    pub fields: Vec<RecordField>,
    pub span: Span,
}

/// A field of a message or struct.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct RecordField {
    pub name: String,
    pub domain: Domain,
    pub span: Span,
}

/// A message or struct type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordId {
    /// A message type.
    Message(MessageId),
    /// A struct type.
    Struct(StructId),
}

impl RecordId {
    /// The type of the values of this record type.
    pub fn ty(self) -> Type {
        match self {
            RecordId::Message(id) => Type::Message(id),
            RecordId::Struct(id) => Type::Struct(id),
        }
    }
}

/// The index type of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Index {
    /// The numbers of a range.
    Range(RangeId),
    /// The values of an enum.
    Enum(EnumId),
    /// The nodes.
    Nodes,
}

/// A range that is the index type of arrays: an entry of [`Model::ranges`]. Ranges with equal texts share one entry:
/// a range contains only parameters and abbreviations, so equal texts have equal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RangeId(pub u32);

/// The entry of [`Model::ranges`] for a [`RangeId`].
#[derive(Clone, Debug, PartialEq)]
pub struct IndexRange {
    /// The text of the range, without blanks.
    pub text: String,
    /// The range as a domain.
    pub domain: Domain,
}

impl Type {
    /// The record type, if this is a message or struct type.
    pub fn record(&self) -> Option<RecordId> {
        match self {
            Type::Message(id) => Some(RecordId::Message(*id)),
            Type::Struct(id) => Some(RecordId::Struct(*id)),
            _ => None,
        }
    }
}

impl Model {
    /// The name of a message or struct.
    pub fn record_name(&self, record: RecordId) -> &str {
        match record {
            RecordId::Message(id) => &self.message(id).name,
            RecordId::Struct(id) => &self.structure(id).name,
        }
    }

    /// The fields of a message or struct.
    pub fn record_fields(&self, record: RecordId) -> &[RecordField] {
        match record {
            RecordId::Message(id) => &self.message(id).fields,
            RecordId::Struct(id) => &self.structure(id).fields,
        }
    }

    /// The entry of `ranges`.
    pub fn range(&self, id: RangeId) -> &IndexRange {
        &self.ranges[id.0 as usize]
    }

    /// The index type of an array in the syntax of the language, for messages.
    pub(crate) fn index_words(&self, index: Index) -> String {
        match index {
            Index::Range(id) => self.range(id).text.clone(),
            Index::Enum(e) => format!("`{}`", self.enumeration(e).name),
            Index::Nodes => "`Node`".into(),
        }
    }
}
