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
