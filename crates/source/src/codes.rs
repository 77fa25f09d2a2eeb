//! The codes of diagnostics, each with the page that `explain` shows: one code, one file in `codes/`.

/// A code such as `E0201`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(pub &'static str);

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal;)*) => {
        $($(#[$doc])* pub const $name: Code = Code($code);)*

        /// Every code with its page.
        pub const PAGES: &[(Code, &str)] = &[
            $(($name, include_str!(concat!("../codes/", $code, ".md"))),)*
        ];
    };
}

codes! {
    // E01xx: the text cannot be read.
    /// Something else should stand here.
    UNEXPECTED = "E0101";
    /// A bracket that is not closed.
    UNCLOSED = "E0102";
    /// A bracket that closes nothing.
    STRAY_BRACKET = "E0103";
    /// `=` where `==` is meant, or the other way round.
    ASSIGN_OR_COMPARE = "E0104";
    /// An operator of another language.
    FOREIGN_OPERATOR = "E0105";
    /// `a < b < c`.
    CHAINED = "E0106";
    /// A word that begins no item.
    UNKNOWN_ITEM = "E0107";
    /// Something that belongs elsewhere.
    MISPLACED = "E0108";
    /// A declaration without its type, value or name.
    INCOMPLETE = "E0109";
    /// A character that the language does not have.
    UNKNOWN_CHARACTER = "E0110";
    /// Too many brackets or operators within each other.
    TOO_DEEP = "E0111";
    /// Something behind the end of a statement.
    LEFTOVER = "E0112";
    /// `send` without a receiver.
    NO_RECEIVER = "E0113";
    /// Statements without braces.
    NO_BRACES = "E0114";
    /// A number that is too large.
    LARGE_NUMBER = "E0115";
    /// A jitter that does not say whether it adds up.
    WHICH_JITTER = "E0116";
    /// A word behind `expect` that is not an answer.
    UNKNOWN_ANSWER = "E0117";
    /// A word that has no meaning in its place.
    UNKNOWN_WORD = "E0118";
    /// Something that is not a statement.
    UNKNOWN_STATEMENT = "E0119";
    /// A word of the language as a name.
    RESERVED_WORD = "E0120";

    // E02xx: names.

    // E03xx: types.

    // E04xx: rules of node code, networks, faults, claims.

    // E05xx: checks, parameters, instances.

    // E09xx: named by the language, not in this version.
    /// A part of the language that this version does not give a meaning yet.
    NOT_IN_THIS_VERSION = "E0900";
}

/// The page of a code, if there is such a code.
pub fn page(code: &str) -> Option<&'static str> {
    PAGES
        .iter()
        .find(|(known, _)| known.0.eq_ignore_ascii_case(code))
        .map(|(_, page)| *page)
}
