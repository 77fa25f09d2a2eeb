//! Types as the checker sees them, and domains: types as they were declared, with the ends of ranges.

use crate::{Expr, Index};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// Its place in the table it belongs to.
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

/// What kind of value an expression has. All integers are of one type: ranges are kept by [`Domain`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Something was wrong and has been reported; fits everywhere.
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
    /// An id: ordered, nothing else.
    Id,
    /// A counter: an integer of which only the distances to others are known.
    Counter,
    /// A node, of that kind if it is known.
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
    /// A message of one of these types, in the order of the text: what an inbox with several holds.
    Messages(Vec<MessageId>),
}

impl Type {
    /// The type of values that are of either type, if the two go together without a conversion.
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

    /// Whether a part of it is a length of time.
    pub fn has_duration(&self) -> bool {
        match self {
            Type::Duration => true,
            Type::Option(inner) | Type::Set(inner) | Type::Array(_, inner) => inner.has_duration(),
            _ => false,
        }
    }

    /// Whether something inside has been reported already.
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

/// A type as it was declared: which values a variable, field or parameter can have.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// Said already.
    Error,
    /// `Bool`.
    Bool,
    /// Any integer: a parameter without a type.
    Integer,
    /// `a .. b`; the ends are constant expressions of the parameters.
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
