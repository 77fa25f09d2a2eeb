//! The parts of Markdown that the rules and the reference need: prose, and anchors of headings.

/// The lines of a Markdown text outside of code blocks, with line numbers from 1.
pub(crate) fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut inside = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        let fence = line.trim_start().starts_with("```");
        if fence {
            inside = !inside;
        }
        (!inside && !fence).then_some((number + 1, line))
    })
}

/// The anchor of a heading: lower case, without punctuation, with hyphens instead of spaces.
pub(crate) fn anchor(heading: &str) -> String {
    heading
        .trim()
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_leaves_out_code() {
        let lines: Vec<usize> = prose("a\n```\nb\n```\nc").map(|(n, _)| n).collect();
        assert_eq!(lines, [1, 5]);
    }
}
