//! Rule: the map of crates in `docs/architecture.md` agrees with the table of layers.

use crate::rules::layers::{LAYERS, Layer};
use crate::tree::{Problem, Tree};

const MAP: &str = "docs/architecture.md";

/// Compares the rows of the map with the table of layers.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let Some(text) = tree.text(MAP) else {
        return vec![Problem::new(MAP, "the map of crates is not there")];
    };
    let mut problems = Vec::new();
    let rows: Vec<Vec<&str>> = text.lines().filter_map(row).collect();
    for layer in LAYERS {
        let Some(row) = rows.iter().find(|r| plain(r[0]) == layer.name) else {
            let text = format!("the map has no row for `{}`", layer.name);
            problems.push(Problem::new(MAP, text));
            continue;
        };
        let wanted = known(layer);
        if row[2] != wanted {
            let text = format!(
                "the row of `{}` should say that it may know: {wanted}",
                layer.name
            );
            problems.push(Problem::new(MAP, text));
        }
    }
    problems
}

/// The cells of a table row with three columns whose first cell is code; `None` for other lines.
fn row(line: &str) -> Option<Vec<&str>> {
    let cells: Vec<&str> = line
        .strip_prefix('|')?
        .strip_suffix('|')?
        .split('|')
        .collect();
    let cells: Vec<&str> = cells.into_iter().map(str::trim).collect();
    (cells.len() == 3 && cells[0].starts_with('`')).then_some(cells)
}

fn plain(cell: &str) -> &str {
    cell.trim_matches('`')
}

fn known(layer: &Layer) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(layer.knows.iter().map(|k| k.to_string()));
    let also: Vec<&str> = layer.also.iter().map(|(other, _)| *other).collect();
    if !also.is_empty() {
        parts.push(format!("exceptions: {}", also.join(", ")));
    }
    match parts.is_empty() {
        true => "–".into(),
        false => parts.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(leave_out: &str, source: &str) -> String {
        LAYERS
            .iter()
            .filter(|layer| layer.name != leave_out)
            .map(|layer| {
                let knows = match layer.name {
                    "source" => source.to_string(),
                    _ => known(layer),
                };
                format!("| `{}` | something | {knows} |\n", layer.name)
            })
            .collect()
    }

    #[test]
    fn a_map_like_the_table_is_fine() {
        assert_eq!(check(&Tree::of(&[(MAP, &map("", "–"))])), []);
    }

    #[test]
    fn a_missing_row_is_noticed() {
        let problems = check(&Tree::of(&[(MAP, &map("audit", "–"))]));
        assert_eq!(
            problems,
            [Problem::new(MAP, "the map has no row for `audit`")]
        );
    }

    #[test]
    fn another_opinion_is_noticed() {
        let problems = check(&Tree::of(&[(MAP, &map("", "syntax"))]));
        assert_eq!(problems.len(), 1);
        assert!(problems[0].text.contains("`source`"));
    }

    #[test]
    fn no_map_is_noticed() {
        assert_eq!(check(&Tree::default()).len(), 1);
    }
}
