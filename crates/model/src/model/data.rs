//! Data with parts: messages, structs, and what arrays have a place for.

use crate::{Domain, EnumId, MessageId, Model, StructId, Type};
use source::Span;

/// `message M { … }`: data that can be sent.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "plain parts")]
pub struct Message {
    pub name: String,
    pub fields: Vec<RecordField>,
    pub span: Span,
}

/// `struct S { … }`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "plain parts")]
pub struct Struct {
    pub name: String,
    pub fields: Vec<RecordField>,
    pub span: Span,
}

/// A field of a message or struct.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "plain parts")]
pub struct RecordField {
    pub name: String,
    pub domain: Domain,
    pub span: Span,
}

/// A type whose values have named fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordId {
    /// A message.
    Message(MessageId),
    /// A struct.
    Struct(StructId),
}

impl RecordId {
    /// The type of its values.
    pub fn ty(self) -> Type {
        match self {
            RecordId::Message(id) => Type::Message(id),
            RecordId::Struct(id) => Type::Struct(id),
        }
    }
}

/// What an array has a place for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Index {
    /// Every number of a range.
    Range(RangeId),
    /// Every value of an enum.
    Enum(EnumId),
    /// Every node.
    Nodes,
}

/// A range that arrays are over, in [`Model::ranges`]. Two ranges are the same if they are written the same:
/// only parameters and abbreviations stand in them, so that the same text has the same value everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RangeId(pub u32);

/// See [`RangeId`].
#[derive(Clone, Debug, PartialEq)]
pub struct IndexRange {
    /// As it is written, without blanks.
    pub text: String,
    /// Its ends.
    pub domain: Domain,
}

impl Type {
    /// The type whose fields its values have.
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

    /// A range that arrays are over.
    pub fn range(&self, id: RangeId) -> &IndexRange {
        &self.ranges[id.0 as usize]
    }

    /// What an array is over, as the text writes it.
    pub(crate) fn index_words(&self, index: Index) -> String {
        match index {
            Index::Range(id) => self.range(id).text.clone(),
            Index::Enum(e) => format!("`{}`", self.enumeration(e).name),
            Index::Nodes => "`Node`".into(),
        }
    }
}
