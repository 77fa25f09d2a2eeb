//! Types of expressions, and domains: declared types that include the ends of ranges.

use crate::{Expr, Index};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the table of this kind of entry.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        })*
    };
}

ids! {
    /// A parameter: an entry of `params` of the [`Model`](crate::Model).
    ParamId;
    /// A top-level abbreviation: an entry of `lets`.
    LetId;
    /// A top-level function: an entry of `fns`.
    FnId;
    /// An enum: an entry of `enums`.
    EnumId;
    /// A message type: an entry of `messages`.
    MessageId;
    /// A struct: an entry of `structs`.
    StructId;
    /// A named timing: an entry of `timings`.
    TimingId;
    /// A node kind: an entry of `kinds`.
    KindId;
    /// A constant or variable of a kind, in [`Kind::fields`](crate::Kind::fields).
    FieldId;
    /// A timer of a kind, in [`Kind::timers`](crate::Kind::timers).
    TimerId;
    /// A name bound inside an expression, block or claim: an entry of `locals`.
    LocalId;
    /// A claim: an entry of `claims`.
    ClaimId;
    /// A world: an entry of `worlds`.
    WorldId;
    /// A variant: an entry of `variants`.
    VariantId;
}

/// The type of an expression. All integers have the same type; the ranges are in [`Domain`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// The type of an expression with a reported error. It is compatible with every type.
    Error,
    /// A type that the expression alone does not determine: the element type of `none` and `{ }`.
    Unknown,
    /// `Bool`.
    Bool,
    /// A number.
    Int,
    /// A duration, in the unit of the file.
    Duration,
    /// A value of an enum.
    Enum(EnumId),
    /// An id; ids can be compared, but have no arithmetic.
    Id,
    /// A counter: an unbounded integer of which only differences matter.
    Counter,
    /// A node, with its kind if all possible values are of one kind.
    Node(Option<KindId>),
    /// `none` or a value.
    Option(Box<Type>),
    /// A set.
    Set(Box<Type>),
    /// A message of this type.
    Message(MessageId),
    /// A struct of this type.
    Struct(StructId),
    /// An array: one value for each index.
    Array(Index, Box<Type>),
    /// A message of one of these types, in the order of the text: an element of an inbox that can contain several
    /// types.
    Messages(Vec<MessageId>),
}

impl Type {
    /// The common type of values of both types; `None` if there is none without a conversion.
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

    /// Whether the type is or contains a duration.
    pub fn has_duration(&self) -> bool {
        match self {
            Type::Duration => true,
            Type::Option(inner) | Type::Set(inner) | Type::Array(_, inner) => inner.has_duration(),
            _ => false,
        }
    }

    /// Whether the type is or contains the type of a reported error.
    pub fn is_error(&self) -> bool {
        match self {
            Type::Error => true,
            Type::Option(inner) | Type::Set(inner) | Type::Array(_, inner) => inner.is_error(),
            _ => false,
        }
    }

    /// Whether the type is or contains a type that is not determined.
    pub fn is_unclear(&self) -> bool {
        match self {
            Type::Unknown => true,
            Type::Option(inner) | Type::Set(inner) | Type::Array(_, inner) => inner.is_unclear(),
            _ => false,
        }
    }

    /// The type of the value if this is an option, otherwise the type itself.
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
    /// The domain of a declared type with a reported error.
    Error,
    /// `Bool`.
    Bool,
    /// Any integer: the domain of a parameter without a declared type.
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
    /// The type of the values of the domain.
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
