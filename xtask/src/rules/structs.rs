//! Rule: structs have few fields, unless a comment gives a reason.

use crate::tree::rust::{Kind, pieces};
use crate::tree::{Problem, Tree};

/// The largest number of named fields of a struct without a stated reason.
const MOST_FIELDS: usize = 12;

/// The phrase that introduces the reason in the doc comment of a struct.
const REASON: &str = "Plain data:";

/// Finds structs with too many fields in Rust files.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.with_ending(".rs") {
        for found in structs(text) {
            if found.fields > MOST_FIELDS && !found.has_reason {
                let text = format!(
                    "the struct `{}` has {} fields, and {MOST_FIELDS} are the most: group them, or give the reason in its doc \
                     comment after \"{REASON}\"",
                    found.name, found.fields
                );
                problems.push(Problem::new(path, text));
            }
        }
    }
    problems
}

/// A struct with named fields, the number of these, and whether a comment gives a reason for many.
#[derive(Debug, PartialEq, Eq)]
struct Struct {
    name: String,
    fields: usize,
    has_reason: bool,
}

/// The structs with named fields in a Rust file; the file must be formatted.
fn structs(text: &str) -> Vec<Struct> {
    let mut found = Vec::new();
    let mut open: Option<(Struct, String)> = None;
    let mut has_reason = false;
    for line in lines(text) {
        let code = line.trim_start();
        let indent = &line[..line.len() - code.len()];
        match &mut open {
            Some((_, end)) if line.trim_end() == *end => {
                found.extend(open.take().map(|(one, _)| one));
                has_reason = false;
            }
            Some((one, end)) => {
                one.fields += usize::from(indent.len() == end.len() + 3 && is_field(code));
            }
            None if code.starts_with("//") => has_reason |= code.contains(REASON),
            None if code.starts_with("#[") => {}
            None => {
                open = name_of_struct(code).map(|name| {
                    let name = name.to_string();
                    let one = Struct {
                        name,
                        fields: 0,
                        has_reason,
                    };
                    (one, format!("{indent}}}"))
                });
                has_reason &= open.is_some();
            }
        }
    }
    found
}

/// The lines of a Rust file, with the contents of string literals removed.
fn lines(text: &str) -> Vec<String> {
    let mut kept = String::new();
    for (kind, piece) in pieces(text) {
        match kind {
            Kind::Code | Kind::Comment => kept.push_str(piece),
            Kind::Text => kept.push_str("\"\""),
        }
    }
    kept.lines().map(Into::into).collect()
}

/// The name of the struct with named fields that begins on this line; `None` for other lines.
fn name_of_struct(code: &str) -> Option<&str> {
    let rest = without_visibility(code).strip_prefix("struct ")?;
    let rest = rest.strip_suffix('{')?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    Some(&rest[..end])
}

/// Whether a line inside a struct declares a field.
fn is_field(code: &str) -> bool {
    let Some((name, _)) = without_visibility(code).split_once(':') else {
        return false;
    };
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || "_#".contains(c))
}

fn without_visibility(code: &str) -> &str {
    let Some(rest) = code.strip_prefix("pub") else {
        return code;
    };
    match rest.strip_prefix('(').and_then(|r| r.split_once(") ")) {
        Some((_, rest)) => rest,
        None => rest.strip_prefix(' ').unwrap_or(code),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_fields(doc: &str, fields: usize) -> String {
        let fields: String = (0..fields)
            .map(|f| format!("    /// The place: `{f}`.\n    pub(crate) field_{f}: Vec<u32>,\n"))
            .collect();
        format!("{doc}#[derive(Debug)]\npub(crate) struct Big<'a, T: Copy> {{\n{fields}}}\n")
    }

    fn problems(source: &str) -> Vec<String> {
        let problems = check(&Tree::of(&[("xtask/a.rs", source)]));
        problems.into_iter().map(|p| p.text).collect()
    }

    #[test]
    fn many_fields_need_a_reason() {
        assert_eq!(
            problems(&with_fields("/// Something.\n", 13)),
            [
                "the struct `Big` has 13 fields, and 12 are the most: group them, or give the reason in its doc comment after \
                 \"Plain data:\""
            ]
        );
        assert!(problems(&with_fields("/// Something.\n", 12)).is_empty());
        let reason = "/// Something.\n///\n/// Plain data: a table of the file.\n";
        assert!(problems(&with_fields(reason, 13)).is_empty());
    }

    #[test]
    fn the_reason_belongs_to_one_struct() {
        let small = with_fields("/// Plain data: a table.\n", 2);
        let big = with_fields("", 20);
        assert_eq!(problems(&format!("{small}\n{big}")).len(), 1);
        let constant = "/// Plain data: a table.\nconst A: u32 = 1;\n";
        assert_eq!(problems(&format!("{constant}\n{big}")).len(), 1);
    }

    #[test]
    fn nested_structs_and_visibilities_are_counted() {
        let source = "mod m {\n    struct A {\n        a: u32,\n        pub b: u32,\n        pub(in m) r#type: u32,\n    }\n\
                      \n    struct Unit;\n    pub struct Pair(u32, u32);\n}\n";
        let expected = Struct {
            name: "A".into(),
            fields: 3,
            has_reason: false,
        };
        assert_eq!(structs(source), [expected]);
    }

    #[test]
    fn strings_are_not_looked_at() {
        let source = format!("const TEXT: &str = \"\n{}\";\n", with_fields("", 20));
        assert!(problems(&source).is_empty());
    }
}
