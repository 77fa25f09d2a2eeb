//! The meaning of the words of the language: rows of the tables of `docs/language.md`, which is the only source.

/// The text of the page.
const PAGE: &str = include_str!("../../../language.txt");

/// A row of one of its tables.
struct Row {
    /// The heading above the table.
    heading: &'static str,
    /// The syntax or the word.
    write: String,
    /// The meaning.
    meaning: String,
}

impl Row {
    /// The words that this row explains.
    fn words(&self) -> impl Iterator<Item = &str> {
        let words = self.write.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.filter(|word| !word.is_empty())
    }

    /// Whether the row explains a word, or a sequence of words.
    fn is_about(&self, wanted: &[&str]) -> bool {
        let words: Vec<&str> = self.words().collect();
        !wanted.is_empty() && words.windows(wanted.len()).any(|some| some == wanted)
    }
}

/// The rows about a word, or a sequence of words such as `leads to`; none if there is no such word.
pub(crate) fn explained(text: &str) -> Option<Vec<String>> {
    let wanted: Vec<&str> = text.split_whitespace().collect();
    let found: Vec<Row> = rows().into_iter().filter(|r| r.is_about(&wanted)).collect();
    if found.is_empty() {
        return None;
    }
    let mut lines = Vec::new();
    let mut heading = "";
    for row in &found {
        if row.heading != heading {
            heading = row.heading;
            lines.push(heading.to_string());
        }
        lines.push(format!("  {}", row.write));
        lines.push(format!("      {}", row.meaning));
    }
    Some(lines)
}

/// The most similar word.
pub(crate) fn nearest(text: &str) -> Option<String> {
    let rows = rows();
    let known = rows.iter().flat_map(Row::words);
    model::nearest(text, known).map(str::to_string)
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut heading = "";
    for line in PAGE.lines() {
        if let Some(text) = line.strip_prefix("## ") {
            heading = text;
        }
        let cells = line.strip_prefix("| ").and_then(|l| l.strip_suffix(" |"));
        let Some((write, meaning)) = cells.and_then(|cells| cells.split_once(" | ")) else {
            continue;
        };
        if meaning != "meaning" {
            rows.push(Row {
                heading,
                write: write.replace('`', ""),
                meaning: plain(meaning),
            });
        }
    }
    rows
}

/// The text without its links.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        let Some((label, behind)) = link.split_once("](") else {
            break;
        };
        plain.push_str(before);
        plain.push_str(label);
        rest = behind.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_page_can_be_asked_for() {
        let rows = rows();
        assert!(rows.len() > 80, "{} lines", rows.len());
        for row in &rows {
            // Operators are not words.
            for word in row.words() {
                let lines = explained(word).expect("a word of the page");
                let line = format!("  {}", row.write);
                assert!(lines.contains(&line), "{word}: {line}");
            }
        }
    }

    #[test]
    fn words_are_distinguished() {
        let lines = explained("leads to").expect("an operator");
        assert_eq!(lines[0], "Claims");
        assert_eq!(lines[1], "  p leads to q");
        assert_eq!(lines[3], "  p leads to q within x");
        assert_eq!(lines.len(), 5);
        assert!(explained("leads from").is_none());
        assert!(explained("").is_none());
        assert_eq!(nearest("unorderd").as_deref(), Some("unordered"));
    }

    #[test]
    fn links_are_left_out() {
        assert_eq!(
            plain("see [here](there.md), [`x`] and"),
            "see here, [`x`] and"
        );
        assert_eq!(plain("a [b](c) d"), "a b d");
    }
}
