//! Timelines of runs with times: texts never overlap, every event has a hit area, the SVG is well formed.

use crate::walks::Walk;
use crate::{markup, timed};
use expect_test::expect_file;
use report::{Caption, Text, Timeline, page};

const CAPTION: Caption<'_> = Caption {
    title: "elected(6) fails",
    subtitle: "p = 2, reads_every = 3, jitter ± 25 ms",
};

/// Random runs: short ones, long ones, and ones with many nodes.
fn all_walks() -> impl Iterator<Item = Walk> {
    let small = (0..150).map(|seed| timed::random(seed, 2 + (seed % 3) as u32, 30, seed % 5 == 0));
    let long = (0..40).map(|seed| timed::random(seed, 2, 160, false));
    let wide = (0..40).map(|seed| timed::random(seed, 5 + (seed % 14) as u32, 90, false));
    small.chain(long).chain(wide)
}

fn meet(a: &Text, b: &Text) -> bool {
    let ([al, at, ar, ab], [bl, bt, br, bb]) = (a.bounds(), b.bounds());
    al < br - 0.01 && bl < ar - 0.01 && at < bb - 0.01 && bt < ab - 0.01
}

fn check_rules(timeline: &Timeline, events: usize) {
    for (i, text) in timeline.texts.iter().enumerate() {
        let [left, top, right, bottom] = text.bounds();
        assert!(text.size >= 11.0, "too small: {text:?}");
        assert!(
            left >= 0.0
                && top >= 0.0
                && right <= timeline.width + 0.01
                && bottom <= timeline.height,
            "outside of {} × {}: {text:?}",
            timeline.width,
            timeline.height
        );
        if let Some(other) = timeline.texts[..i].iter().find(|other| meet(text, other)) {
            panic!("{text:?} meets {other:?}");
        }
    }
    let mut seen = vec![0; events];
    for hit in &timeline.hits {
        (hit.first..=hit.last).for_each(|event| seen[event] += 1);
    }
    assert!(seen.iter().all(|count| *count == 1), "{seen:?}");
    assert!(timeline.width <= 1200.0);
}

#[test]
fn texts_never_meet_and_every_event_can_be_pointed_at() {
    let mut brackets = 0;
    for walk in all_walks() {
        for caption in [CAPTION, Caption::default()] {
            let timeline = Timeline::new(&walk.replay(), &caption);
            check_rules(&timeline, walk.run.choices.len());
            let bracketed = |t: &&Text| t.text.contains("between two reads");
            brackets += timeline.texts.iter().filter(bracketed).count();
        }
    }
    assert!(brackets > 20, "{brackets} silences");
}

#[test]
fn the_svg_is_well_formed_and_says_everything() {
    for walk in all_walks() {
        let timeline = Timeline::new(&walk.replay(), &CAPTION);
        let svg = timeline.svg();
        let names = markup::well_formed(&svg);
        assert_eq!(names[0], "svg");
        let texts = names.iter().filter(|n| *n == "text").count();
        assert_eq!(texts, timeline.texts.len());
        assert_eq!(svg.matches("textLength=").count(), texts);
    }
}

#[test]
fn where_it_breaks_is_marked_once() {
    for walk in all_walks() {
        let timeline = Timeline::new(&walk.replay(), &CAPTION);
        let marked = timeline.hits.iter().filter(|h| h.fails).count();
        let svg = timeline.svg();
        assert!(marked <= 1, "{marked}");
        assert!(
            svg.matches("class=\"sc-cross\"").count() <= 2,
            "one, and the legend"
        );
    }
}

#[test]
fn a_silence_is_shown() {
    let walk = timed::silence();
    let timeline = Timeline::new(&walk.replay(), &CAPTION);
    check_rules(&timeline, walk.run.choices.len());
    let texts: Vec<&str> = timeline.texts.iter().map(|t| &t.text[..]).collect();
    for wanted in [
        "node 1 becomes Candidate: for 72 ms it hears nothing from node 2",
        "72 ms between two reads: nothing from node 2",
        "one gap of 76 ms (51 + 25)",
        "Hello(sender #2, role Leader), same instant, sent first",
        "Hello(sender #2, role Leader), 4 ms late",
        "at 366 ms the claim is false: k.role == Follower",
    ] {
        assert!(texts.contains(&wanted), "{wanted} in {texts:#?}");
    }
    expect_file!["../data/silence.svg"].assert_eq(&timeline.svg());
}

#[test]
fn a_run_that_ends_with_the_failure_says_how_long_the_gap_can_be() {
    let mut walk = timed::silence();
    walk.run.choices.pop();
    walk.states.pop();
    let timeline = Timeline::new(&walk.replay(), &CAPTION);
    let texts: Vec<&str> = timeline.texts.iter().map(|t| &t.text[..]).collect();
    assert!(
        texts.contains(&"a gap can last 76 ms (51 + 25)"),
        "{texts:#?}"
    );
}

#[test]
fn long_runs_are_cut_and_say_so() {
    let mut cut = 0;
    for seed in 0..20 {
        let walk = timed::random(seed, 2, 160, false);
        let timeline = Timeline::new(&walk.replay(), &CAPTION);
        let before = timeline
            .hits
            .iter()
            .find(|h| h.first == 0)
            .expect("the first event");
        if before.last > 0 {
            let text = format!("⋯ {} activations before", before.last + 1);
            let is_it = |t: &Text| t.text == text || t.full.as_deref() == Some(&text);
            assert!(timeline.texts.iter().any(is_it), "{text}");
            cut += 1;
        }
    }
    assert!(cut > 5, "{cut}");
}

#[test]
fn the_page_has_the_timeline_and_the_inboxes() {
    let walk = timed::silence();
    let page = page(&walk.replay(), &CAPTION, Some(0));
    for wanted in ["between two reads", "inbox", "294 ms", "id=\"timeline\""] {
        assert!(page.contains(wanted), "{wanted}");
    }
    assert!(!page.contains("Sequence chart"));
}

/// Writes pictures for manual inspection: `SHOW=dir cargo test --test report timeline::show -- --ignored`.
#[test]
#[ignore = "writes files"]
fn show() {
    let dir = std::path::PathBuf::from(std::env::var("SHOW").expect("a directory"));
    let mut walks = vec![
        ("silence".to_string(), timed::silence()),
        ("alone".into(), timed::alone()),
    ];
    walks.extend((0..6).map(|seed| (format!("small-{seed}"), timed::random(seed, 3, 30, false))));
    walks.extend((6..9).map(|seed| (format!("late-{seed}"), timed::random(seed, 3, 30, true))));
    walks.extend((0..4).map(|seed| (format!("long-{seed}"), timed::random(seed, 2, 160, false))));
    walks.extend((0..4).map(|seed| (format!("wide-{seed}"), timed::random(seed, 8, 120, false))));
    for (nodes, seed) in (2..9).flat_map(|nodes| (0..40).map(move |seed| (nodes, seed))) {
        let walk = timed::random(seed, nodes, 60, false);
        let svg = Timeline::new(&walk.replay(), &CAPTION).svg();
        let few = walks.iter().filter(|w| w.0.starts_with("silent")).count() < 8;
        if few && svg.contains("between two reads") {
            walks.push((format!("silent-{nodes}-{seed}"), walk));
        }
    }
    for (name, walk) in walks {
        let replay = walk.replay();
        let svg = Timeline::new(&replay, &CAPTION).svg();
        std::fs::write(dir.join(format!("{name}.svg")), svg).expect("a file");
        let page = page(&replay, &CAPTION, Some(0));
        std::fs::write(dir.join(format!("{name}.html")), page).expect("a file");
        let story = report::story(&replay).join("\n");
        std::fs::write(dir.join(format!("{name}.txt")), story).expect("a file");
    }
}
