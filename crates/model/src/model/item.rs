//! The Model and its top-level items.

use crate::{
    Body, Check, ClaimId, Domain, EnumId, Expr, Faults, FieldId, FnId, Formula, IndexRange, KindId,
    LetId, LocalId, Message, MessageId, Network, ParamId, Struct, StructId, Timer, Timing,
    TimingId, Type, Use, VariantId, World, WorldId,
};
use rational::Rational;
use source::{FileId, Span};
use syntax::ast::Unit;

/// A file with all names resolved. Plain data: one table per kind of declaration. References are positions in these
/// tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The file of the model.
    pub file: FileId,
    /// The text of the `//!` lines, joined.
    pub docs: String,
    /// The unit of all durations in the Model; `None` if the file writes times as plain numbers.
    pub unit: Option<Unit>,
    /// Parameters. The value of each may contain earlier ones.
    pub params: Vec<Param>,
    /// Abbreviations.
    pub lets: Vec<Let>,
    /// Functions.
    pub fns: Vec<Function>,
    /// Enums.
    pub enums: Vec<Enum>,
    /// Message types.
    pub messages: Vec<Message>,
    /// Structs.
    pub structs: Vec<Struct>,
    /// Ranges that are index types of arrays.
    pub ranges: Vec<IndexRange>,
    /// Named timings.
    pub timings: Vec<Timing>,
    /// Node kinds.
    pub kinds: Vec<Kind>,
    /// The network; `None` if the file declares none.
    pub network: Option<Network>,
    /// The faults.
    pub faults: Faults,
    /// Conditions on the initial states.
    pub initially: Vec<Expr>,
    /// Claims.
    pub claims: Vec<Claim>,
    /// Worlds.
    pub worlds: Vec<World>,
    /// Variants, with everything that they inherit from their kind.
    pub variants: Vec<Variant>,
    /// Checks, in the order of the text.
    pub checks: Vec<Check>,
    /// Every name bound inside expressions, blocks and claims.
    pub locals: Vec<Local>,
    /// The spans at which the names of parameters and abbreviations are used. A use can occur more than once.
    pub uses: Vec<Use>,
}

/// `param x: T = v`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Param {
    pub name: String,
    pub domain: Domain,
    pub value: Expr,
    /// The span of the name.
    pub span: Span,
}

/// `let x = e`.
#[derive(Clone, Debug, PartialEq)]
pub struct Let {
    /// The name.
    pub name: String,
    /// The expression, which is evaluated in the state in which the abbreviation is used.
    pub value: Expr,
    /// Whether the expression reads nodes, directly or through another abbreviation. Then node code may not use it.
    pub reads_nodes: bool,
    /// The span of the name.
    pub span: Span,
}

/// `fn f(a: T): U = e`.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The name.
    pub name: String,
    /// The parameters.
    pub parameters: Vec<(LocalId, Domain)>,
    /// The domain of the result.
    pub result: Domain,
    /// The body, which is evaluated in the state in which the function is called.
    pub body: Expr,
    /// Whether the body reads nodes. Then node code may not call the function.
    pub reads_nodes: bool,
    /// The span of the name.
    pub span: Span,
}

/// `enum E { A, B }`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Enum {
    pub name: String,
    pub values: Vec<String>,
    pub span: Span,
}

/// `node K[n] { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// The name.
    pub name: String,
    /// `[n]`: the number of nodes; `None` if it is not written.
    pub number: Option<Expr>,
    /// Whether there is exactly one node of this kind for all parameter values.
    pub single: bool,
    /// The constants and variables of the kind and of all its variants. Claims can use all of them.
    pub fields: Vec<Field>,
    /// The timers of the kind and of all its variants.
    pub timers: Vec<Timer>,
    /// The body of the kind without a variant.
    pub body: Body,
    /// The span of the name.
    pub span: Span,
}

/// A constant or variable of a node kind.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Field {
    pub name: String,
    pub ty: Type,
    pub role: FieldRole,
    pub span: Span,
}

/// The role of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum FieldRole {
    Constant,
    Variable,
    /// A ghost variable: node code sets it, and only claims and other ghosts read it.
    Ghost,
}

/// `claim c(x: T): φ`.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Claim {
    pub name: String,
    pub parameters: Vec<(LocalId, Domain)>,
    pub formula: Formula,
    pub span: Span,
}

/// `variant V of K { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The name.
    pub name: String,
    /// The kind whose body the variant changes.
    pub of: KindId,
    /// The body of the kind after the replacements, additions and removals of the variant.
    pub body: Body,
    /// The span of the name.
    pub span: Span,
}

/// A name bound inside an expression, block or claim.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub struct Local {
    pub name: String,
    pub ty: Type,
    pub span: Span,
}

macro_rules! tables {
    ($($function:ident: $id:ty => $table:ident: $item:ty;)*) => {
        impl Model {
            $(#[doc = concat!("The entry of `", stringify!($table), "`.")]
            pub fn $function(&self, id: $id) -> &$item {
                &self.$table[id.index()]
            })*
        }
    };
}

tables! {
    param: ParamId => params: Param;
    abbreviation: LetId => lets: Let;
    function: FnId => fns: Function;
    enumeration: EnumId => enums: Enum;
    message: MessageId => messages: Message;
    structure: StructId => structs: Struct;
    timing: TimingId => timings: Timing;
    kind: KindId => kinds: Kind;
    claim: ClaimId => claims: Claim;
    world: WorldId => worlds: World;
    variant: VariantId => variants: Variant;
    local: LocalId => locals: Local;
}

impl Model {
    /// A description of a type, with an article: "a number", "an option of an id".
    pub fn words(&self, ty: &Type) -> String {
        match ty {
            Type::Error | Type::Unknown => "something".into(),
            Type::Bool => "a `Bool`".into(),
            Type::Int => "a number".into(),
            Type::Duration => "a time".into(),
            Type::Enum(e) => format!("a value of `{}`", self.enumeration(*e).name),
            Type::Id => "an id".into(),
            Type::Counter => "a counter".into(),
            Type::Node(_) => "a node".into(),
            Type::Option(inner) if inner.is_unclear() => "`none`".into(),
            Type::Option(inner) => format!("an option of {}", self.words(inner)),
            Type::Set(inner) if inner.is_unclear() => "an empty set".into(),
            Type::Set(inner) => format!("a set of {}", self.plural(inner)),
            Type::Message(m) => format!("a message `{}`", self.message(*m).name),
            Type::Struct(s) => format!("a struct `{}`", self.structure(*s).name),
            Type::Array(index, inner) => format!(
                "an array of {} over {}",
                self.plural(inner),
                self.index_words(*index)
            ),
            Type::Messages(all) => format!("a message {}", self.one_of(all)),
        }
    }

    fn plural(&self, ty: &Type) -> String {
        match ty {
            Type::Bool => "`Bool`s".into(),
            Type::Int => "numbers".into(),
            Type::Duration => "times".into(),
            Type::Enum(e) => format!("values of `{}`", self.enumeration(*e).name),
            Type::Id => "ids".into(),
            Type::Counter => "counters".into(),
            Type::Node(_) => "nodes".into(),
            Type::Option(inner) => format!("options of {}", self.words(inner)),
            Type::Set(inner) => format!("sets of {}", self.plural(inner)),
            Type::Message(m) => format!("messages `{}`", self.message(*m).name),
            Type::Struct(s) => format!("structs `{}`", self.structure(*s).name),
            Type::Array(_, inner) => format!("arrays of {}", self.plural(inner)),
            Type::Messages(all) => format!("messages {}", self.one_of(all)),
            Type::Error | Type::Unknown => "something".into(),
        }
    }

    fn one_of(&self, messages: &[MessageId]) -> String {
        let names = messages
            .iter()
            .map(|m| format!("`{}`", self.message(*m).name));
        names.collect::<Vec<_>>().join(" or ")
    }

    /// A time in the syntax of the language: `0.5 ms`, `47/3 ms`.
    pub fn time(&self, time: &Rational) -> String {
        let number = time.decimal().unwrap_or_else(|| time.to_string());
        match self.unit {
            Some(unit) => format!("{number} {}", unit.name()),
            None => number,
        }
    }

    /// Converts a number to the unit of the file. `None` if the number has a unit and the file has none, or the
    /// reverse.
    pub fn in_unit(&self, number: Rational, unit: Option<Unit>) -> Option<Rational> {
        match (unit, self.unit) {
            (Some(unit), Some(own)) => {
                Some(number * Rational::new(unit.nanoseconds(), own.nanoseconds()))
            }
            (None, None) => Some(number),
            _ => None,
        }
    }

    /// The field of a kind with this name, if there is one.
    pub fn field_named(&self, kind: KindId, name: &str) -> Option<FieldId> {
        let position = self.kind(kind).fields.iter().position(|f| f.name == name)?;
        Some(FieldId(position as u32))
    }
}
