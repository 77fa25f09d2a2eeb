//! Rule: comments use the terms of the field and name the component that acts.

use crate::tree::rust::{Kind, pieces};
use crate::tree::{Problem, Tree};

/// Words that comments must not contain, each with what to write instead.
const REPLACED: &[(&str, &str)] = &[
    ("nobody", "the component by its name, or a passive clause"),
    ("somebody", "the component by its name"),
    ("anybody", "the component by its name"),
    ("whoever", "the component by its name"),
    ("desk", "expander"),
    ("desks", "expanders"),
    ("mate", "worker"),
    ("crew", "worker pool"),
    ("rung", "abstraction"),
    ("rungs", "abstractions"),
    ("stroll", "random run"),
    ("strolls", "random runs"),
    ("crux", "cause"),
    ("refrain", "loop summary"),
    ("lineage", "predecessor table"),
    ("retrace", "path reconstruction"),
    ("glance", "property cache"),
    ("lookout", "monitor"),
];

/// Verbs that must not follow "who" in a comment, as in `who looks` or `who only reads`.
const RIDDLES: &[&str] = &[
    "does", "knows", "asks", "looks", "wants", "says", "reads", "works", "searches",
];

/// The largest number of words between "who" and such a verb.
const MOST_BETWEEN: usize = 3;

/// Finds forbidden words in the comments of Rust files.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let files = tree.with_ending(".rs");
    files
        .flat_map(|(path, text)| check_file(path, text))
        .collect()
}

fn check_file(path: &str, text: &str) -> Vec<Problem> {
    let words = comment_words(text);
    let mut problems = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if let Some((old, new)) = REPLACED.iter().find(|(old, _)| *old == word.text) {
            let text = format!("line {}: `{old}` in a comment: write {new}", word.line);
            problems.push(Problem::new(path, text));
        }
        if word.text == "who"
            && let Some(verb) = riddle(&words[at + 1..])
        {
            let text = format!(
                "line {}: `who … {verb}` in a comment: name the component",
                word.line
            );
            problems.push(Problem::new(path, text));
        }
    }
    problems
}

/// The forbidden verb of a clause, given the words after "who"; `None` if there is none.
fn riddle(words: &[Word]) -> Option<&str> {
    let clause = words.iter().take_while(|word| word.follows);
    let mut clause = clause.take(MOST_BETWEEN + 1);
    let verb = clause.find(|word| RIDDLES.contains(&&word.text[..]))?;
    Some(&verb.text)
}

/// A word of a comment, in lower case.
#[derive(Debug, PartialEq, Eq)]
struct Word {
    text: String,
    line: usize,
    /// Whether only blanks or a line break between comment lines separate it from the previous word.
    follows: bool,
}

/// The words of all comments of a Rust file, except code in backticks and in code blocks.
fn comment_words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut line = 1;
    let mut last_line = 0;
    let mut in_block = false;
    for (kind, piece) in pieces(text) {
        if kind == Kind::Comment {
            for (offset, content) in piece.lines().enumerate() {
                let number = line + offset;
                let mut follows = number <= last_line + 1;
                in_block &= follows;
                last_line = number;
                let content = content.trim_start_matches(|c: char| " /!*".contains(c));
                if content.starts_with("```") {
                    in_block = !in_block;
                } else if !in_block {
                    add_words(content, number, &mut follows, &mut words);
                }
            }
        }
        line += piece.matches('\n').count();
    }
    words
}

fn add_words(content: &str, line: usize, follows: &mut bool, words: &mut Vec<Word>) {
    for (place, prose) in content.split('`').enumerate() {
        if place % 2 == 1 {
            *follows = false;
            continue;
        }
        let mut rest = prose;
        while let Some(c) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let length = match is_word(c) {
                true => {
                    let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                    words.push(Word {
                        text: rest[..end].to_lowercase(),
                        line,
                        follows: *follows,
                    });
                    *follows = true;
                    end
                }
                false => {
                    *follows &= c.is_whitespace();
                    c.len_utf8()
                }
            };
            rest = &rest[length..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        let problems = check(&Tree::of(&[("xtask/a.rs", source)]));
        problems.into_iter().map(|p| p.text).collect()
    }

    #[test]
    fn every_replaced_word_is_noticed() {
        for (old, new) in REPLACED {
            let found = texts(&format!("fn f() {{}}\n/// One {}.\n", old.to_uppercase()));
            assert_eq!(
                found,
                [format!("line 2: `{old}` in a comment: write {new}")]
            );
        }
    }

    #[test]
    fn riddles_are_noticed() {
        assert_eq!(texts("// It is nobody's.\n").len(), 1);
        let found = texts("//! Who works ahead\n//! waits; who only later\n//! asks, too.\n");
        assert_eq!(
            found,
            [
                "line 1: `who … works` in a comment: name the component",
                "line 2: `who … asks` in a comment: name the component"
            ]
        );
    }

    #[test]
    fn distant_verbs_are_no_riddles() {
        assert!(texts("// who sends, reads; who is one of the three knows\n").is_empty());
        assert!(texts("// who\nlet a = 1;\n// knows\n").is_empty());
    }

    #[test]
    fn parts_of_words_are_fine() {
        assert!(texts("// An estimate of the desktop's sheets.\n").is_empty());
    }

    #[test]
    fn code_and_strings_are_not_looked_at() {
        let source = "fn desk() -> &'static str { \"who knows nobody\" }\n// The type `Desk`\n\
                      /// ```\n/// let desk = nobody();\n/// ```\nlet lineage = r\"// crew\";\n";
        assert!(texts(source).is_empty(), "{:?}", texts(source));
    }

    #[test]
    fn block_comments_and_their_lines_are_looked_at() {
        assert_eq!(
            texts("/* fine\n * a rung */ let a = 'a'; // a stroll\n").len(),
            2
        );
    }
}
