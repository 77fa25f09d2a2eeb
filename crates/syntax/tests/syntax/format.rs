//! Tests of the formatter: it loses no token or comment, does not change the meaning, and is idempotent.

use crate::text;

use expect_test::{Expect, expect};
use source::{Severity, Sources};
use std::path::{Path, PathBuf};
use syntax::{SyntaxKind, SyntaxNode};

/// The formatted text; `None` if the model has a syntax error.
fn format(model: &str) -> Option<String> {
    let mut sources = Sources::default();
    let file = sources.add("test.scrut", model);
    syntax::format(&sources, file).ok()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder with this extension, sorted by path, with their texts.
fn files(folder: &str, ending: &str) -> Vec<(PathBuf, String)> {
    let Ok(entries) = std::fs::read_dir(root().join(folder)) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .collect();
    paths.sort();
    let text = |path: &PathBuf| std::fs::read_to_string(path).expect("a text");
    let texts: Vec<String> = paths.iter().map(text).collect();
    paths.into_iter().zip(texts).collect()
}

/// Every model in the repository: shipped models, test data of the parser, models with mistakes, and the models of
/// the semantics suite.
fn models() -> Vec<(String, String)> {
    let folders = ["models", "crates/syntax/tests/data", "tests/mistakes"];
    let mut models: Vec<(String, String)> = folders
        .iter()
        .flat_map(|folder| files(folder, "scrut"))
        .map(|(path, text)| (path.display().to_string(), text))
        .collect();
    for (path, document) in files("tests/semantics", "md") {
        for block in document.split("\n```scrut").skip(1) {
            let (_, block) = block.split_once('\n').expect("a block of several lines");
            let (model, _) = block.split_once("```").expect("a block that ends");
            models.push((path.display().to_string(), model.to_owned()));
        }
    }
    models
}

/// The comments and the other tokens of a text, without parentheses.
fn parts(tree: &SyntaxNode) -> (Vec<String>, Vec<String>) {
    let tokens = tree.descendants_with_tokens();
    let tokens = tokens.filter_map(|element| element.into_token());
    let (blank, other): (Vec<_>, Vec<_>) = tokens.partition(|token| token.kind().is_trivia());
    let text = |token: &syntax::SyntaxToken| token.text().trim_end().to_owned();
    let blanks = [SyntaxKind::Whitespace, SyntaxKind::Newline];
    let comments = blank.iter().filter(|t| !blanks.contains(&t.kind()));
    let brackets = [SyntaxKind::LParen, SyntaxKind::RParen];
    let other = other.iter().filter(|t| !brackets.contains(&t.kind()));
    (comments.map(text).collect(), other.map(text).collect())
}

/// Formats a model and checks that everything that must not change is unchanged. `None` if the model has a syntax
/// error.
fn check(name: &str, model: &str) -> Option<String> {
    let before = text::parse(model);
    if before
        .diagnostics
        .iter()
        .any(|d| d.severity == Severity::Error)
    {
        assert_eq!(format(model), None, "{name}");
        return None;
    }
    let formatted = format(model).expect("a text without errors");
    let shown = || format!("{name}\n--- before\n{model}\n--- after\n{formatted}");
    let after = text::parse(&formatted);
    let said = text::messages(&formatted, &after.diagnostics);
    assert!(
        after.diagnostics.len() <= before.diagnostics.len(),
        "{}\n{said}",
        shown()
    );
    assert_eq!(parts(&before.tree), parts(&after.tree), "{}", shown());
    // `compact` shows parentheses as `<…>`. They are removed, because the formatter may add some.
    let meaning = |file| text::compact::file(file).replace(['<', '>'], "");
    assert_eq!(meaning(&before.file), meaning(&after.file), "{}", shown());
    let again = format(&formatted).expect("it is still readable");
    assert!(again == formatted, "{}\n--- again\n{again}", shown());
    for line in formatted.lines() {
        assert_eq!(line.trim_end(), line, "{}", shown());
    }
    assert!(
        !formatted.contains("\n\n\n") && !formatted.contains(['\t', '\r']),
        "{}",
        shown()
    );
    assert!(formatted.is_empty() || formatted.ends_with('\n') && !formatted.starts_with('\n'));
    Some(formatted)
}

#[test]
fn every_model_is_kept() {
    let mut readable = 0;
    for (name, model) in models() {
        readable += usize::from(check(&name, &model).is_some());
        let windows = model.replace('\n', "\r\n");
        assert_eq!(format(&windows), format(&model), "{name}");
    }
    assert!(readable > 15, "only {readable} models can be read");
}

#[test]
fn shipped_models_are_laid_out() {
    let mut wrong = Vec::new();
    for (path, model) in files("models", "scrut") {
        if check(&path.display().to_string(), &model) != Some(model) {
            wrong.push(path.display().to_string());
        }
    }
    assert!(
        wrong.is_empty(),
        "scrutineer fmt changes {}",
        wrong.join(", ")
    );
}

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

/// The texts of all tokens of a model.
fn tokens(model: &str) -> Vec<String> {
    let tree = text::parse(model).tree;
    let tokens = tree.descendants_with_tokens();
    let tokens = tokens.filter_map(|element| element.into_token());
    tokens.map(|token| token.text().to_owned()).collect()
}

/// Items of models with tokens exchanged, doubled or removed, and with irregular blanks: formatting keeps the meaning
/// of every text that can still be parsed.
#[test]
fn changed_models_are_kept() {
    let models = models();
    let all: Vec<Vec<String>> = models.iter().map(|(_, model)| tokens(model)).collect();
    let odd = [
        "\n",
        "\n",
        "\n    ",
        " ",
        "  ",
        "   ",
        "\t",
        "// x",
        "// x\n",
        "(",
        ")",
        "-",
        "and",
        "implies",
        "always ",
        "eventually ",
        "not ",
        " or ",
        ";",
        "..",
        "{",
        "}",
        "{}",
        " all k in S: ",
        " until ",
        " leads to ",
        "if",
        "1",
        "\r\n",
        "\n\n\n",
    ];
    let mut dice = Dice(11);
    let (mut rounds, mut readable) = (0, 0);
    while readable < 4000 {
        rounds += 1;
        assert!(rounds < 60_000, "only {readable} texts could be read");
        let mut tokens = all[dice.roll(all.len())].clone();
        let blanks_only = dice.roll(3) == 0;
        for _ in 0..=dice.roll(8) {
            let at = dice.roll(tokens.len() - 1);
            let blank = tokens[at].trim().is_empty();
            match dice.roll(5) {
                0 | 1 if blank => {
                    tokens[at] = [" ", "", "   ", "\n", "\n   "][dice.roll(5)].to_owned()
                }
                2 if blank => tokens[at] += &" ".repeat(dice.roll(9)),
                _ if blanks_only => {}
                0 => drop(tokens.remove(at)),
                1 => tokens.insert(at, tokens[at].clone()),
                2 => tokens.swap(at, at + 1),
                3 => {
                    let other = &all[dice.roll(all.len())];
                    tokens[at] = other[dice.roll(other.len())].clone();
                }
                _ => tokens.insert(at, odd[dice.roll(odd.len())].to_owned()),
            }
        }
        let name = format!("round {rounds}");
        readable += usize::from(check(&name, &tokens.concat()).is_some());
    }
}

/// Checks a model and compares its formatted text with `expected`.
fn becomes(model: &str, expected: Expect) {
    expected.assert_eq(&check("text", model).expect("a text that can be read"));
}

#[test]
fn parentheses_where_something_reaches_further_than_it_seems() {
    becomes(
        "\
claim a: always p implies q
claim b: eventually p and q or r
claim c: always p == q
claim d: always (p implies q)
claim e: always all k in S: k.p implies k.q
claim f: p and all k in S: q implies r
claim g: p implies all k in S: q and r
claim h: n == count k in S: k.p or k.q
claim i: always p leads to q within 3 s
claim j: always p
                implies q
claim k: p and not exists k in S: all j in S: q implies r
",
        expect![[r#"
            claim a: always (p implies q)
            claim b: eventually (p and q or r)
            claim c: always p == q
            claim d: always (p implies q)
            claim e: always all k in S: k.p implies k.q
            claim f: p and all k in S: (q implies r)
            claim g: p implies all k in S: q and r
            claim h: n == count k in S: (k.p or k.q)
            claim i: always (p leads to q within 3 s)
            claim j: always (p
                             implies q)
            claim k: p and not exists k in S: all j in S: (q implies r)
        "#]],
    );
}

#[test]
fn blanks() {
    becomes(
        "\r\n\n\u{feff}param  n :1 .. 9=3;\tlet x=- 1+ n *( 2-n )\n\n\n
enum E{A,B}
message M{a:Option < Id >,b:[ Set<Node> ; 0..n-1 ]}
node  N [ n ]{   // the node
  var x : 0..n = any   in {}
  timer t [ Node ]
\tstart{ send M { a :none }to next ;f ( 1 ) }
      // before the end
}
check possible :N . x==- 1 expect possible
check least a:c( a )for n in 2 ..3,id=[1,2] expect below - 47 / 3 ms
",
        expect![[r#"
            param n: 1 .. 9 = 3; let x = -1 + n * (2 - n)

            enum E { A, B }
            message M { a: Option<Id>, b: [Set<Node>; 0..n-1] }
            node N[n] {      // the node
                var x: 0..n = any in {}
                timer t[Node]
                start { send M { a: none } to next; f(1) }
                // before the end
            }
            check possible: N.x == -1 expect possible
            check least a: c(a) for n in 2 .. 3, id = [1, 2] expect below -47/3 ms
        "#]],
    );
}

#[test]
fn columns_stay_columns() {
    becomes(
        "\
message Ask     { seq: 0..1 }     // the question,
                                  // and more of it
message Answer  { seq:0..1 }      // the answer
node N {
  start {
    if a        { x = 1 }    // one
    else if bcd { x = 1+1 }  // two
    else        { x=3 }
    longer_name=1
    y          =2
  }
}
claim a:    always p implies q
claim abcd: p
            or q
check a         expect holds
check a, abcd   expect fails  // why
check a for n=3,m=4
                expect fails
check a   for n=3
",
        expect![[r#"
            message Ask     { seq: 0..1 }     // the question,
                                              // and more of it
            message Answer  { seq: 0..1 }     // the answer
            node N {
                start {
                    if a        { x = 1 }     // one
                    else if bcd { x = 1 + 1 } // two
                    else        { x = 3 }
                    longer_name = 1
                    y           = 2
                }
            }
            claim a:    always (p implies q)
            claim abcd: p
                        or q
            check a         expect holds
            check a, abcd   expect fails  // why
            check a for n = 3, m = 4
                            expect fails
            check a for n = 3
        "#]],
    );
}

#[test]
fn lines_that_go_on() {
    becomes(
        "\
claim a:
  always (p
     and q
          or r)
claim b: always (
p
)
check a
 for n = 3
    unfair
      expect holds
world W { timing t: 1 s
   network ring { channel fifo } }
node N
  {
  on M as m
  { x = if a then 1
        else 2
    y = M {
    a: 1,
      // about b
      b: 2,
  }
  }
    // the end
}
",
        expect![[r#"
            claim a:
                  always (p
                     and q
                          or r)
            claim b: always (
                p
            )
            check a
                  for n = 3
                unfair
                  expect holds
            world W { timing t: 1 s
                      network ring { channel fifo } }
            node N
            {
                on M as m
                { x = if a then 1
                      else 2
                  y = M {
                      a: 1,
                      // about b
                      b: 2,
                  }
                }
                // the end
            }
        "#]],
    );
}
