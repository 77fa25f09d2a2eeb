//! Replaces all checks of a shipped model by one check.

use source::Sources;
use std::path::Path;
use syntax::ast::Item;

/// The text of a model with the given check instead of its own checks.
pub(crate) fn with_check(path: &Path, check: &str) -> Result<String, String> {
    let text = std::fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))?;
    let mut sources = Sources::default();
    let file = sources.add(path.display().to_string(), text);
    let parsed = syntax::parse(&sources, file);
    if !parsed.diagnostics.is_empty() {
        return Err(format!("{} cannot be read", path.display()));
    }
    let mut rest = sources.text(file).to_string();
    for item in parsed.file.items.iter().rev() {
        if let Item::Check(own) = item {
            rest.replace_range(own.span.start as usize..own.span.end as usize, "");
        }
    }
    Ok(format!("{rest}\ncheck {check}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shipped_model_asks_one_question_instead_of_its_own() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let model = root.join("models/thales-election.scrut");
        let text = with_check(&model, "elected(4) for p = 2 expect holds").expect("a model");
        let mut sources = Sources::default();
        let file = sources.add("asked", text);
        let parsed = syntax::parse(&sources, file);
        assert!(parsed.diagnostics.is_empty());
        let checks = parsed.file.items.iter().filter_map(|item| match item {
            Item::Check(check) => Some(sources.slice(check.span)),
            _ => None,
        });
        assert_eq!(
            checks.collect::<Vec<_>>(),
            ["check elected(4) for p = 2 expect holds"]
        );
    }
}
