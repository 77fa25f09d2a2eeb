//! Types of expressions, and domains: declared types with the ends of ranges.

use crate::{Expr, Index};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        })*
    };
}

ids! {
    /// A parameter of the model.
    ParamId;
    /// An abbreviation at the top level.
    LetId;
    /// A function at the top level.
    FnId;
    /// An enum.
    EnumId;
    /// A message type.
    MessageId;
    /// A struct.
    StructId;
    /// A named timing.
    TimingId;
    /// A kind of node.
    KindId;
    /// A constant or variable of a kind, in [`Kind::fields`](crate::Kind::fields).
    FieldId;
    /// A timer of a kind, in [`Kind::timers`](crate::Kind::timers).
    TimerId;
    /// A name bound inside an expression, block or claim.
    LocalId;
    /// A claim.
    ClaimId;
    /// A world.
    WorldId;
    /// A variant.
    VariantId;
}

/// The type of an expression. All integers have one type; [`Domain`] keeps the ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// An error has been reported; this type fits everywhere.
    Error,
    /// Not determined by the expression alone: inside `none` and `{ }`.
    Unknown,
    /// `Bool`.
    Bool,
    /// A number.
    Int,
    /// A length of time, in the unit of the file.
    Duration,
    /// A value of an enum.
    Enum(EnumId),
    /// An id; ids can only be compared.
    Id,
    /// A counter: an integer that is known only relative to other counters.
    Counter,
    /// A node, with its kind if it is known.
    Node(Option<KindId>),
    /// `none` or a value.
    Option(Box<Type>),
    /// A set.
    Set(Box<Type>),
    /// A message of that type.
    Message(MessageId),
    /// A struct of that type.
    Struct(StructId),
    /// A value for each index.
    Array(Index, Box<Type>),
    /// A message of one of these types, in the order of the text: an element of an inbox with several types.
    Messages(Vec<MessageId>),
}

impl Type {
    /// The common type of values of both types, if no conversion is needed.
    pub fn join(&self, other: &Type) -> Option<Type> {
        Some(match (self, other) {
            (Type::Error, _) | (_, Type::Error) => Type::Error,
            (Type::Unknown, t) | (t, Type::Unknown) => t.clone(),
            (Type::Node(a), Type::Node(b)) => Type::Node(if a == b { *a } else { None }),
            (Type::Option(a), Type::Option(b)) => Type::Option(Box::new(a.join(b)?)),
            (Type::Set(a), Type::Set(b)) => Type::Set(Box::new(a.join(b)?)),
            (Type::Array(i, a), Type::Array(j, b)) if i == j => {
                Type::Array(*i, Box::new(a.join(b)?))
            }
            (Type::Messages(all), Type::Message(one))
            | (Type::Message(one), Type::Messages(all))
                if all.contains(one) =>
            {
                Type::Messages(all.clone())
            }
            (a, b) if a == b => a.clone(),
            _ => return None,
        })
    }

    /// Whether a part of it is a duration.
    pub fn has_duration(&self) -> bool {
        match self {
            Type::Duration => true,
            Type::Option(inner) | Type::Set(inner) | Type::Array(_, inner) => inner.has_duration(),
            _ => false,
        }
    }

    /// Whether an error inside has been reported.
    pub fn is_error(&self) -> bool {
        match self {
            Type::Error => true,
            Type::Option(inner) | Type::Set(inner) | Type::Array(_, inner) => inner.is_error(),
            _ => false,
        }
    }

    /// Whether a part of it is not determined.
    pub fn is_unclear(&self) -> bool {
        match self {
            Type::Unknown => true,
            Type::Option(inner) | Type::Set(inner) | Type::Array(_, inner) => inner.is_unclear(),
            _ => false,
        }
    }

    /// The type without an option around it.
    pub fn without_option(&self) -> &Type {
        match self {
            Type::Option(inner) => inner,
            other => other,
        }
    }
}

/// A declared type: the values that a variable, field or parameter can have.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// A declared type with a reported error.
    Error,
    /// `Bool`.
    Bool,
    /// Any integer: a parameter without a type.
    Integer,
    /// `a .. b`; the ends are constant expressions over the parameters.
    Range(Box<Expr>, Box<Expr>),
    /// `Duration`.
    Duration,
    /// An enum.
    Enum(EnumId),
    /// `Id`.
    Id,
    /// `Counter`.
    Counter,
    /// `Node`.
    Node,
    /// `Option<T>`.
    Option(Box<Domain>),
    /// `Set<T>`.
    Set(Box<Domain>),
    /// A message type.
    Message(MessageId),
    /// A struct.
    Struct(StructId),
    /// `[T; I]`.
    Array(Index, Box<Domain>),
}

impl Domain {
    /// The type of its values.
    pub fn ty(&self) -> Type {
        match self {
            Domain::Error => Type::Error,
            Domain::Bool => Type::Bool,
            Domain::Integer | Domain::Range(..) => Type::Int,
            Domain::Duration => Type::Duration,
            Domain::Enum(e) => Type::Enum(*e),
            Domain::Id => Type::Id,
            Domain::Counter => Type::Counter,
            Domain::Node => Type::Node(None),
            Domain::Option(inner) => Type::Option(Box::new(inner.ty())),
            Domain::Set(inner) => Type::Set(Box::new(inner.ty())),
            Domain::Message(m) => Type::Message(*m),
            Domain::Struct(s) => Type::Struct(*s),
            Domain::Array(index, inner) => Type::Array(*index, Box::new(inner.ty())),
        }
    }
}
