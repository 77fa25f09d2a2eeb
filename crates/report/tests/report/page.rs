//! Pages of random runs are complete without a script and self-contained, and escape every text.

use crate::markup;
use crate::walks::{Walk, walk};
use report::{Caption, page};

const CAPTION: Caption<'_> = Caption {
    title: "It <fails> & so on",
    subtitle: "n = 3",
};

fn pages() -> impl Iterator<Item = (Walk, String)> {
    let walks = (0..60).filter_map(|seed| walk(seed, 4, 20));
    walks.map(|walk| {
        let page = page(&walk.replay(), &CAPTION, Some(0));
        (walk, page)
    })
}

#[test]
fn nothing_is_loaded() {
    for (_, page) in pages() {
        assert!(page.contains(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
        ));
        for address in [
            "http:",
            "https:",
            "url(",
            "@import",
            "src=",
            "<link",
            "href=\"//",
        ] {
            assert!(!page.contains(address), "{address}");
        }
        let links = page.matches("href=\"").count();
        assert_eq!(links, page.matches("href=\"#").count());
    }
}

#[test]
fn the_body_is_well_formed_and_escaped() {
    for (_, page) in pages() {
        let body =
            &page[page.find("<main>").expect("main")..page.find("</main>").expect("its end")];
        markup::well_formed(&format!("{body}</main>").replace(" hidden>", ">"));
        assert!(page.contains("&lt;1&gt; &amp; &quot;co&quot;"));
        let data = &page[page.find("id=\"run\">").expect("data")..];
        let data = &data[..data.find("</script>").expect("its end")];
        assert!(!data.contains("</"));
    }
}

#[test]
fn everything_is_there_without_a_script() {
    for (walk, page) in pages() {
        let events = walk.run.choices.len();
        for step in 0..=events {
            assert!(
                page.contains(&format!("href=\"#step={step}\"")),
                "line {step}"
            );
        }
        for step in 0..walk.states.len() {
            assert!(
                page.contains(&format!("<tbody id=\"step={step}\">")),
                "state {step}"
            );
        }
        assert!(page.contains("<svg") && page.contains("<summary>all states</summary>"));
        // The controls are hidden until the script runs.
        assert!(page.contains("<nav class=\"controls\" aria-label=\"Steps\" hidden>"));
    }
}

#[test]
fn the_data_is_what_the_script_needs() {
    for (walk, page) in pages() {
        let data = &page[page.find("id=\"run\">").expect("data") + 9..];
        let data = &data[..data.find("</script>").expect("its end")];
        let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
        assert_eq!(data["events"], walk.run.choices.len());
        assert_eq!(
            data["values"].as_array().map(Vec::len),
            Some(walk.states.len())
        );
        assert_eq!(
            data["said"].as_array().map(Vec::len),
            Some(walk.run.choices.len())
        );
        let cells = page.matches("<td data-row=").count();
        let first = data["values"][0].as_array().map(Vec::len);
        assert_eq!(first, Some(cells), "a cell for each value");
    }
}
