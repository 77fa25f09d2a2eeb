//! The pages of the codes E01xx are correct: the wrong example has the problem, and the right example has none.

use crate::text;

use source::codes::PAGES;

/// The examples of a page: the texts in its `scrut` code blocks.
fn examples(page: &str) -> Vec<&str> {
    page.split("```scrut\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect()
}

#[test]
fn examples_are_true() {
    let mut pages = 0;
    for (code, page) in PAGES.iter().filter(|(code, _)| code.0.starts_with("E01")) {
        assert!(page.starts_with(&format!("# {code}: ")), "{code}");
        pages += 1;
        let [wrong, right] = examples(page)[..] else {
            assert!(examples(page).is_empty(), "{code} has half an example");
            continue;
        };
        let said: Vec<&str> = (text::parse(wrong).diagnostics.iter())
            .map(|diagnostic| diagnostic.code.0)
            .collect();
        assert!(
            !said.is_empty() && said.iter().all(|said| *said == code.0),
            "{code}: {said:?}"
        );
        let said = text::messages(right, &text::parse(right).diagnostics);
        assert!(said.is_empty(), "{code}\n{said}");
    }
    assert_eq!(pages, 20);
}

/// The fixes that the parser proposes for the wrong example remove the problem.
#[test]
fn fixes_mend() {
    for (code, page) in PAGES.iter().filter(|(code, _)| code.0.starts_with("E01")) {
        let Some(wrong) = examples(page).first().copied() else {
            continue;
        };
        let mut text = wrong.to_owned();
        let diagnostics = text::parse(wrong).diagnostics;
        if diagnostics
            .iter()
            .any(|diagnostic| diagnostic.fix.is_none())
        {
            continue;
        }
        for fix in diagnostics.iter().rev().filter_map(|d| d.fix.as_ref()) {
            let range = fix.span.start as usize..fix.span.end as usize;
            text.replace_range(range, &fix.replacement);
        }
        let said = text::messages(&text, &text::parse(&text).diagnostics);
        assert!(said.is_empty(), "{code}\n{text}\n{said}");
    }
}
