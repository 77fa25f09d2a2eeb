//! The models of the test data are parsed without diagnostics, and their lossless trees contain the whole text.

use crate::text;

#[test]
fn models_have_no_diagnostics_and_are_kept() {
    for (name, model) in text::models() {
        let parsed = text::parse(&model);
        let said = text::messages(&model, &parsed.diagnostics);
        assert!(said.is_empty(), "{name}\n{said}");
        assert_eq!(parsed.tree.text().to_string(), model, "{name}");
    }
}
