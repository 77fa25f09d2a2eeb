//! The kinds of tokens and nodes of the lossless tree.

/// A node of the lossless tree, which includes comments and blanks.
pub type SyntaxNode = rowan::SyntaxNode<Scrut>;
/// A token of the lossless tree.
pub type SyntaxToken = rowan::SyntaxToken<Scrut>;

/// The type by which rowan identifies this language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scrut {}

impl rowan::Language for Scrut {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        SyntaxKind::ALL[raw.0 as usize]
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        rowan::SyntaxKind(kind as u16)
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The kind of a token or node.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        #[expect(missing_docs, reason = "the names are self-explanatory")]
        pub enum SyntaxKind { $($(#[$doc])* $name,)* }

        impl SyntaxKind {
            pub(crate) const ALL: &'static [SyntaxKind] = &[$(SyntaxKind::$name,)*];
        }
    };
}

kinds! {
    // Trivia.
    Whitespace,
    Newline,
    /// `// …`.
    Comment,
    /// `/// …`.
    DocComment,
    /// `//! …`.
    FileDoc,
    /// `/* … */`: lexed as a comment and reported by the parser.
    BlockComment,

    // Words and numbers.
    Word,
    Number,
    /// `"…"`: the language has no strings.
    Text,
    /// An operator of another language, such as `&&`.
    Foreign,
    /// A character that is not part of the language.
    Unknown,

    // Punctuation.
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Comma,
    Colon,
    Semicolon,
    Dot,
    DotDot,
    Eq,
    EqEq,
    NotEq,
    Less,
    LessEq,
    Greater,
    GreaterEq,
    Plus,
    Minus,
    Star,
    Slash,
    PlusMinus,
    Percent,
    Arrow,
    EndOfFile,

    // Items.
    File,
    Error,
    Name,
    Param,
    Let,
    Fn,
    Parameters,
    Parameter,
    Enum,
    Struct,
    Message,
    Fields,
    Field,
    Timing,
    Node,
    NodeNumber,
    NodeBody,
    Network,
    NetworkBody,
    Faults,
    Initially,
    Claim,
    World,
    WorldBody,
    Variant,
    Check,

    // Types.
    NameType,
    RangeType,
    OptionType,
    SetType,
    ArrayType,

    // Parts of nodes.
    Constant,
    Var,
    Timer,
    Block,
    Action,
    Ignore,
    Without,
    StartHead,
    EveryHead,
    OnHead,
    WhenHead,
    ActionHead,
    TimerIndex,
    Binding,
    From,
    Guard,
    Every,
    Jitter,
    First,

    // Statements.
    Body,
    AssignStmt,
    IfStmt,
    ElseBranch,
    MatchStmt,
    ForStmt,
    LetStmt,
    ChooseStmt,
    SendStmt,
    BroadcastStmt,
    ClearStmt,
    AssertStmt,
    HaltStmt,
    SetStmt,
    CancelStmt,
    CallStmt,

    // Networks and faults.
    Topology,
    Edge,
    Where,
    Channel,
    Delivery,
    ToSelf,
    Inbox,
    NodeFaults,
    MessageFaults,
    NoFaults,
    Mode,
    Restart,

    // Checks.
    Claims,
    Possible,
    Least,
    InClause,
    WithClause,
    ForClause,
    ForIn,
    ForIs,
    ForList,
    ForEvery,
    AssumingClause,
    UnfairClause,
    ExpectClause,
    Answer,

    // Parts of expressions.
    Arguments,
    MatchArm,
    Pattern,
    FieldInit,

    // Expressions.
    NumberExpr,
    WordExpr,
    NameExpr,
    AnyExpr,
    FieldExpr,
    IndexExpr,
    CallExpr,
    MethodCallExpr,
    UnaryExpr,
    BinaryExpr,
    RangeExpr,
    PlusMinusExpr,
    IfExpr,
    MatchExpr,
    SetExpr,
    FilterExpr,
    StructExpr,
    QuantifierExpr,
    ExtremumExpr,
    IsExpr,
    TemporalExpr,
    UntilExpr,
    LeadsToExpr,
    ParenExpr,
    ListExpr,
}

impl SyntaxKind {
    /// Whether a token is trivia: blanks, newlines and comments, which are not part of the grammar.
    pub fn is_trivia(self) -> bool {
        self <= SyntaxKind::BlockComment
    }

    /// Whether a node is an expression or [`SyntaxKind::Error`], which may take the place of one.
    pub fn is_expression(self) -> bool {
        self >= SyntaxKind::NumberExpr || self == SyntaxKind::Error
    }

    /// Whether a node is a type.
    pub fn is_type(self) -> bool {
        (SyntaxKind::NameType..=SyntaxKind::ArrayType).contains(&self)
    }
}
