//! Names of other languages, with their equivalents in this language.

/// The equivalent of a value of another language; `None` for other words.
pub(crate) fn value(word: &str) -> Option<&'static str> {
    Some(match word {
        "null" | "nil" | "Null" | "NULL" | "None" => "none",
        "True" | "TRUE" => "true",
        "False" | "FALSE" => "false",
        "this" => "self",
        _ => return None,
    })
}

/// A note on how to write a function of another language; `None` for other words.
pub(crate) fn call(word: &str) -> Option<&'static str> {
    Some(match word {
        "print" | "println" | "printf" | "log" | "echo" | "console" => {
            "code prints nothing, and need not: whoever reads a run sees every message and every change of a variable"
        }
        "range" => "the numbers from a to b, both included, are `a..b`",
        "len" | "length" | "count" | "card" | "Cardinality" => {
            "how many elements a set has is `size(S)`"
        }
        "random" | "rand" | "randint" | "select" => {
            "`choose x in S` takes any element: a check looks at every choice"
        }
        "sleep" | "wait" | "await" => {
            "a block runs to its end at once; what waits is a block of its own: `when NAME: condition { … }`"
        }
        "receive" | "recv" => "messages are taken by blocks: `on M as m { … }`",
        _ => return None,
    })
}
