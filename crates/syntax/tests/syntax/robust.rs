//! Robustness: no text makes the parser panic, lose text, or report very many follow-up errors.
//!
//! These tests change texts at random and run only the parser. `testkit/mutations` changes one token and runs the
//! whole front end; it measures whether the diagnostics lead to the changed token.

use crate::text;

use syntax::SyntaxNode;

/// A deterministic random number generator.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }
}

fn survives(model: &str) -> syntax::Parsed {
    let parsed = text::parse(model);
    assert_eq!(parsed.tree.text().to_string(), model);
    for diagnostic in &parsed.diagnostics {
        let spans = diagnostic.others.iter().map(|label| label.span);
        for span in spans.chain([diagnostic.primary.span]) {
            assert!(
                model.get(span.start as usize..span.end as usize).is_some(),
                "{diagnostic:?}"
            );
        }
    }
    // If the AST contains an error, there is a diagnostic.
    let shown = text::compact::file(&parsed.file);
    assert!(
        !shown.contains("ERROR") || !parsed.diagnostics.is_empty(),
        "{model}\n{shown}"
    );
    parsed
}

#[test]
fn every_prefix() {
    let (_, model) = text::models().swap_remove(0);
    for end in (0..=model.len()).filter(|end| model.is_char_boundary(*end)) {
        let parsed = survives(&model[..end]);
        assert!(
            parsed.diagnostics.len() <= 3,
            "{}\n{}",
            &model[..end],
            text::messages(&model, &parsed.diagnostics)
        );
    }
}

/// The texts of all tokens of a tree.
fn tokens(tree: &SyntaxNode) -> Vec<String> {
    tree.descendants_with_tokens()
        .filter_map(|element| element.into_token())
        .map(|token| token.text().to_owned())
        .collect()
}

#[test]
fn changed_tokens() {
    let models = text::models();
    let trees: Vec<Vec<String>> = models
        .iter()
        .map(|(_, model)| tokens(&text::parse(model).tree))
        .collect();
    let odd = [
        "\"", "±", "&&", "}", "{", "(", "]", "é", "\u{0}", "/*", "if", "1.5", "..", "\n", "=>",
        "in",
    ];
    let mut dice = Dice(42);
    for round in 0..2500 {
        let mut tokens = trees[round % trees.len()].clone();
        for _ in 0..=dice.roll(3) {
            let at = dice.roll(tokens.len() - 1);
            match dice.roll(6) {
                0 => drop(tokens.remove(at)),
                1 => tokens.insert(at, tokens[at].clone()),
                2 => tokens.swap(at, at + 1),
                3 => {
                    let other = &trees[dice.roll(trees.len())];
                    tokens[at] = other[dice.roll(other.len())].clone();
                }
                4 => tokens[at] = odd[dice.roll(odd.len())].to_owned(),
                _ => {
                    let brackets: Vec<usize> = (0..tokens.len())
                        .filter(|at| "(){}[]".contains(tokens[*at].as_str()))
                        .collect();
                    if !brackets.is_empty() {
                        tokens.remove(brackets[dice.roll(brackets.len())]);
                    }
                }
            }
        }
        survives(&tokens.concat());
    }
}

#[test]
fn random_characters() {
    let letters: Vec<char> = "ab1 .\n(){}[]<>=!&|±%:;,+-*/\"é∀\t_é".chars().collect();
    let mut dice = Dice(7);
    for _ in 0..3000 {
        let length = dice.roll(40);
        let model: String = (0..length)
            .map(|_| letters[dice.roll(letters.len())])
            .collect();
        survives(&model);
    }
}

#[test]
fn deep_nesting_is_refused_once() {
    let many = 10_000;
    let deep = [
        format!("let x = {}", "(".repeat(many)),
        format!("let x = {}1{}", "(".repeat(many), ")".repeat(many)),
        format!("let x = {}", "{".repeat(many)),
        format!("let x = {}1", "- ".repeat(many)),
        format!("let x = {}p", "not ".repeat(many)),
        format!("let x = 1{}", " + 1".repeat(many)),
        format!("let x = 1{}", " implies 1".repeat(many)),
        format!("let x = a{}", ".b".repeat(many)),
        format!("let x = a{}", "[1]".repeat(many)),
        format!("let x = {}1", "f(".repeat(many)),
        format!("let x = {}1", "M { a: ".repeat(many)),
        format!("let x = {}1", "if a then b else ".repeat(many)),
        format!("let x = {}1", "all k in S: ".repeat(many)),
        format!("let x = {}1", "match a { b => ".repeat(many)),
        format!("param x: {}", "Option<".repeat(many)),
        format!("param x: {}", "[".repeat(many)),
        format!("node N {{ start {{ {}", "if a { ".repeat(many)),
        format!(
            "node N {{ start {{ if a {{ }} {}",
            "else if a { } ".repeat(many)
        ),
        format!("node N {{ start {{ {}", "match a { b => ".repeat(many)),
    ];
    for model in deep {
        let parsed = survives(&model);
        let codes: Vec<&str> = parsed.diagnostics.iter().map(|d| d.code.0).collect();
        assert_eq!(codes, ["E0111"], "{}", &model[..40]);
    }
}

#[test]
fn after_refused_depth_the_next_item_is_read() {
    let model = format!("let x = {}\nlet y = 1\n", "(".repeat(10_000));
    let parsed = survives(&model);
    assert_eq!(parsed.diagnostics.len(), 1);
    assert_eq!(
        text::compact::file(&parsed.file).lines().last(),
        Some("(let y 1)")
    );
}

/// A missing token leads to one diagnostic in nearly all cases.
#[test]
fn a_missing_token_is_one_problem() {
    let (mut cases, mut several) = (0, 0);
    for (_, model) in text::models() {
        let mut start = 0;
        for token in tokens(&text::parse(&model).tree) {
            let end = start + token.len();
            if !token.trim().is_empty() && !token.starts_with("//") {
                let without = format!("{}{}", &model[..start], &model[end..]);
                cases += 1;
                several += usize::from(survives(&without).diagnostics.len() > 1);
            }
            start = end;
        }
    }
    assert!(
        several * 25 < cases,
        "{several} of {cases} are said more than once"
    );
}
