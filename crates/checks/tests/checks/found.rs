//! Models that an engine once answered wrongly. Each must be answered as its `expect` says.

use checks::{Judgement, Options, check, judge, load_text};
use std::sync::atomic::AtomicBool;

#[test]
fn what_was_found_stays_found() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/found");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("tests/found") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|e| e != "scrut") {
            continue;
        }
        seen += 1;
        let name = path.display().to_string();
        let loaded = load_text(&name, &std::fs::read_to_string(&path).expect("a text"));
        assert!(!loaded.has_errors(), "{name}: {:?}", loaded.diagnostics);
        for number in 0..loaded.model.checks.len() {
            let never = AtomicBool::new(false);
            let report = check(&loaded, number, &Options::default(), &never, &mut |_| {});
            let Ok(Some(report)) = report else {
                panic!("{name}: check {} could not be asked", number + 1);
            };
            for judged in judge(&loaded, &report).iter().flatten() {
                assert_eq!(judged.judgement, Judgement::Good, "{name}: {judged:?}");
            }
        }
    }
    assert!(seen >= 5, "the folder is not empty");
}
