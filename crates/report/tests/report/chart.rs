//! Charts of random runs: texts never overlap, every event has a row, the SVG is well formed.

use crate::markup;
use crate::walks::{Walk, large_walk, walk};
use report::{Caption, Chart, Show, Text};

const CAPTION: Caption<'_> = Caption {
    title: "It <fails> & \"so\" on: a title that is long enough to need more than one line of the chart",
    subtitle: "n = 3",
};

/// Random runs with 3, 10 and 30 nodes.
fn all_walks() -> impl Iterator<Item = Walk> {
    let small = (0..260).filter_map(|seed| walk(seed, 3, 24));
    let middle = (0..40).filter_map(|seed| large_walk(seed, 10, 60));
    let large = (0..20).filter_map(|seed| large_walk(seed, 30, 100));
    small.chain(middle).chain(large)
}

fn meet(a: &Text, b: &Text) -> bool {
    let ([al, at, ar, ab], [bl, bt, br, bb]) = (a.bounds(), b.bounds());
    al < br - 0.01 && bl < ar - 0.01 && at < bb - 0.01 && bt < ab - 0.01
}

fn check_rules(chart: &Chart, events: usize) {
    for (i, text) in chart.texts.iter().enumerate() {
        let [left, top, right, bottom] = text.bounds();
        assert!(text.size >= 11.0, "too small: {text:?}");
        assert!(
            left >= 0.0 && top >= 0.0 && right <= chart.width + 0.01 && bottom <= chart.height,
            "outside of {} × {}: {text:?}",
            chart.width,
            chart.height
        );
        if let Some(other) = chart.texts[..i].iter().find(|other| meet(text, other)) {
            panic!("{text:?} meets {other:?}");
        }
        // A text of a row lies within the row, so it cannot overlap a text of another row.
        if let Some(row) = text.row.map(|r| &chart.rows[r]) {
            assert!(
                top >= row.top && bottom <= row.bottom,
                "{text:?} in {row:?}"
            );
        }
    }
    let mut next = 0;
    let mut y = chart.header;
    for row in &chart.rows {
        assert_eq!(row.first, next, "an event without a row");
        assert!(row.top >= y && row.y > row.top && row.bottom > row.y);
        next = row.last + 1;
        y = row.bottom;
    }
    assert_eq!(next, events, "every event has a row");
    assert!(chart.width <= 1200.0);
}

#[test]
fn texts_never_meet_and_every_event_has_a_row() {
    let mut charts = 0;
    let mut shortened = 0;
    for walk in all_walks() {
        let replay = walk.replay();
        for show in [Show::All, Show::Mattering] {
            let chart = Chart::new(&replay, &CAPTION, show);
            check_rules(&chart, walk.run.choices.len());
            shortened += chart.texts.iter().filter(|t| t.full.is_some()).count();
            charts += 1;
        }
    }
    assert!(charts > 500, "{charts} charts");
    assert!(shortened > 50, "some texts are too long: {shortened}");
}

#[test]
fn the_svg_is_well_formed_and_says_everything() {
    for walk in all_walks() {
        let replay = walk.replay();
        let chart = Chart::new(&replay, &CAPTION, Show::All);
        let svg = chart.svg();
        let names = markup::well_formed(&svg);
        assert_eq!(names[0], "svg");
        let texts = names.iter().filter(|n| *n == "text").count();
        assert_eq!(texts, chart.texts.len());
        assert_eq!(svg.matches("textLength=").count(), texts);
        assert!(!svg.contains("<script") && !svg.contains("co\"<"));
    }
}

#[test]
fn few_nodes_all_have_lanes_and_many_do_not() {
    for walk in all_walks() {
        let chart = Chart::new(&walk.replay(), &Caption::default(), Show::All);
        let names = chart.texts.iter().filter(|t| t.y < chart.header && t.bold);
        let (lanes, nodes) = (names.count(), walk.machine.node_count() as usize);
        if nodes <= 14 {
            assert_eq!(lanes, nodes);
        } else {
            assert!((1..=14).contains(&lanes), "{lanes} lanes");
        }
    }
}

#[test]
fn where_it_breaks_is_marked_once_and_never_pale() {
    let mut seen = 0;
    for walk in all_walks() {
        let chart = Chart::new(&walk.replay(), &CAPTION, Show::All);
        let marked: Vec<_> = chart.rows.iter().filter(|r| r.fails).collect();
        assert!(marked.len() <= 1);
        if let Some(row) = marked.first() {
            assert!(!row.pale, "{row:?}");
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen}");
}

/// By lane: the x coordinate of the middle of its name.
fn heads(chart: &Chart) -> Vec<f64> {
    let names = chart.texts.iter().filter(|t| t.y < chart.header && t.bold);
    names.map(|t| t.x + t.width() / 2.0).collect()
}

#[test]
fn few_lanes_use_the_room() {
    for walk in (0..60).filter_map(|seed| walk(seed, 3, 24)) {
        let chart = Chart::new(&walk.replay(), &Caption::default(), Show::All);
        let heads = heads(&chart);
        for pair in heads.windows(2).filter(|_| heads.len() <= 3) {
            assert!(pair[1] - pair[0] >= 200.0, "{heads:?}");
        }
    }
}

/// The heading of the messages in flight at the end is left of all lanes.
#[test]
fn what_is_still_on_the_way_stands_clear() {
    let mut seen = 0;
    for walk in all_walks() {
        let chart = Chart::new(&walk.replay(), &Caption::default(), Show::All);
        let first = heads(&chart).into_iter().fold(f64::MAX, f64::min);
        let below = chart.rows.last().map_or(0.0, |row| row.bottom);
        let heading = ["still on the way", "still on the", "on the way when"];
        let heading = chart.texts.iter().find(|t| {
            t.y > below && t.row.is_none() && t.size == 11.0 && heading.contains(&&t.text[..])
        });
        if let Some(text) = heading.filter(|t| t.x < 20.0) {
            assert!(text.x + text.width() <= first, "{text:?}");
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen}");
}
