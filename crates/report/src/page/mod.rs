//! The HTML page of a run: one self-contained file with the story, the chart, the states and the claim.
//!
//! Without a script the page shows the whole story, the whole chart, and a table of all states. The script steps
//! through the run. A JSON block of the page has everything that the script shows.

mod claim;
mod states;

use crate::chart::{Chart, Show};
use crate::draw::palette::{DARK, LIGHT};
use crate::draw::shapes::Caption;
use crate::draw::style::{style, timeline_style};
use crate::draw::write::escaped;
use crate::events::line::{EventLine, PARTS};
use crate::replay::run::ReplayedRun;
use crate::story::headline::headline;
use crate::story::lines::digest;
use crate::story::loop_summary::loop_mark;
use crate::story::timed::start;
use crate::story::untimed::initial_choices;
use crate::timeline::Timeline;
use serde_json::json;
use verdict::{Ending, PartVerdict};

const SCRIPT: &str = include_str!("page.js");
const STYLE: &str = include_str!("page.css");
const TIMED_STYLE: &str = include_str!("timed.css");
/// The content security policy of the page: it loads nothing, because style and script are inline.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data:; base-uri 'none'; form-action 'none'";

/// The page of a run. `property` is the index in the Machine of the property that the run violates or witnesses, if
/// there is one.
pub fn page(replay: &ReplayedRun<'_>, caption: &Caption<'_>, property: Option<usize>) -> String {
    let lines = replay.lines();
    let matters = replay.slice();
    let pale = matters.iter().any(|m| !m);
    let states = states::States::of(replay);
    let timed = replay.is_timed();
    let mut chart = match timed {
        true => timeline_part(replay),
        false => chart_part(replay, Show::All, "all"),
    };
    if pale && !timed {
        chart += &chart_part(replay, Show::Mattering, "mattering");
    }
    let sentences: Vec<String> = lines.iter().map(|l| sentence(replay, l)).collect();
    let data = json!({
        "events": lines.len(),
        "open": opens_at(replay),
        "loop": replay.loop_start(),
        "matters": matters,
        "said": sentences,
        "values": states.values,
        "when": timed.then(|| when(replay)),
    });
    let (main, head, more) = match timed {
        true => (
            "<main class=\"timed\">",
            "Time",
            format!("{}{TIMED_STYLE}", timeline_style()),
        ),
        false => ("<main>", "Messages", String::new()),
    };
    let headline = headline(replay).map_or(String::new(), |text| {
        format!("<p class=\"headline\">{}</p>\n", escaped(&text))
    });
    let title = escaped(caption.title);
    let colours = format!(
        ":root{{color-scheme:light dark;{}}}@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}",
        LIGHT.variables(),
        DARK.variables()
    );
    let toggle = if pale {
        "<button type=\"button\" id=\"which\" aria-pressed=\"false\" title=\"key a\">only what matters</button>"
    } else {
        ""
    };
    let key = if pale {
        " · <kbd>a</kbd> all events or only those that matter"
    } else {
        ""
    };
    [
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
        &format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n"),
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
        &format!("<title>{title}</title>\n<style>{colours}{STYLE}{}{more}</style>\n", style()),
        "</head>\n<body>\n<header>\n",
        &format!("<h1>{title}</h1>\n{headline}<p>{}</p>\n</header>\n", escaped(caption.subtitle)),
        "<nav class=\"controls\" aria-label=\"Steps\" hidden>\n",
        "<button type=\"button\" id=\"first\" title=\"key Home\" aria-label=\"first step\">⇤</button>\n",
        "<button type=\"button\" id=\"back\" title=\"key ←\" aria-label=\"one step back\">←</button>\n",
        "<output id=\"where\"></output>\n",
        "<button type=\"button\" id=\"on\" title=\"key →\" aria-label=\"one step on\">→</button>\n",
        "<button type=\"button\" id=\"last\" title=\"key End\" aria-label=\"last step\">⇥</button>\n",
        toggle,
        &format!("<span class=\"keys\"><kbd>←</kbd> <kbd>→</kbd> step · <kbd>Home</kbd> <kbd>End</kbd>{key}</span>\n"),
        &format!("</nav>\n{main}\n"),
        "<section id=\"story\" aria-labelledby=\"story-head\">\n<h2 id=\"story-head\">Story</h2>\n",
        &story_list(replay),
        &format!("</section>\n<section id=\"chart\" aria-labelledby=\"chart-head\">\n<h2 id=\"chart-head\">{head}</h2>\n"),
        &chart,
        "</section>\n<section id=\"state\" aria-labelledby=\"state-head\">\n<h2 id=\"state-head\">State</h2>\n",
        &states.panel(),
        &states.table(&sentences),
        "</section>\n</main>\n<footer id=\"claim\">\n",
        &claim::claim(replay, property),
        "</footer>\n<p id=\"said\" class=\"unseen\" aria-live=\"polite\"></p>\n",
        &format!("<script type=\"application/json\" id=\"run\">{}</script>\n", embedded(&data)),
        &format!("<script>{SCRIPT}</script>\n</body>\n</html>\n"),
    ]
    .concat()
}

/// The step at which the page opens: the first state in which the claim is false, or else the last state.
fn opens_at(replay: &ReplayedRun<'_>) -> usize {
    let end = replay.run.choices.len();
    match replay.explanation.map(|e| e.verdict) {
        Some(PartVerdict::FalseAfter(after)) if replay.error.is_none() => after.min(end),
        _ => end,
    }
}

/// The sequence chart as a scrollable element of the page. The element has the id `chart-{id}`.
fn chart_part(replay: &ReplayedRun<'_>, show: Show, id: &str) -> String {
    let chart = Chart::new(replay, &Caption::default(), show);
    let [heads, rest] = chart.parts(id);
    let (label, sheets) = match show {
        Show::All => ("all events", chart.sheets(id)),
        Show::Mattering => ("events that matter", String::new()),
    };
    format!(
        "<div class=\"scroll\" id=\"chart-{id}\" tabindex=\"0\" role=\"group\" aria-label=\"Sequence chart, {label}\">\n\
         <div class=\"heads\">{heads}</div>\n{rest}</div>\n{sheets}"
    )
}

/// The timeline as a scrollable element of the page.
fn timeline_part(replay: &ReplayedRun<'_>) -> String {
    let timeline = Timeline::new(replay, &Caption::default());
    format!(
        "<div class=\"scroll\" id=\"chart-time\" tabindex=\"0\" role=\"group\" aria-label=\"Timeline\">\n{}</div>\n",
        timeline.part("timeline")
    )
}

/// By event: its time as text.
fn when(replay: &ReplayedRun<'_>) -> Vec<String> {
    let times = replay.times();
    let events = 0..replay.run.choices.len();
    events.map(|i| times.text(&replay.time(i))).collect()
}

/// The first half of an event's sentence: the name of its node, and what happens to the node.
fn subject(replay: &ReplayedRun<'_>, line: &EventLine) -> String {
    let name = line.name(replay.words);
    let space = if name.is_empty() { "" } else { " " };
    format!("{name}{space}{}", line.action.text(replay.words))
}

/// An event in one sentence: node, action and effects.
fn sentence(replay: &ReplayedRun<'_>, line: &EventLine) -> String {
    let effects = line.effects_text(replay.words, ", ");
    let comma = if effects.is_empty() { "" } else { "; " };
    let subject = subject(replay, line);
    format!("{subject}{comma}{effects}")
}

/// The story as an HTML list: one line per event, which links to the step of the event.
fn story_list(replay: &ReplayedRun<'_>) -> String {
    let (lines, matters) = (replay.lines(), replay.slice());
    let timed = replay.is_timed();
    let first = match timed {
        true => vec![start(replay)],
        false => initial_choices(replay),
    };
    let first = first.first().map_or("the initial state", |line| &line[..]);
    let when = if timed { when(replay) } else { Vec::new() };
    let zero = if timed { "start" } else { "0" };
    // Width of the time column in characters: the longest time, plus two for the mark of the failure.
    let wide = when.iter().map(|w| w.chars().count()).max().unwrap_or(0) + 2;
    let mut out = format!(
        "<ol class=\"lines scroll\" style=\"--when:{wide}ch\">\n<li><a href=\"#step=0\" data-step=\"0\"><span class=\"number\">{zero}</span>\
         <span class=\"what\">{}</span></a></li>\n",
        escaped(first)
    );
    let fails = replay.explanation.is_some() || replay.error.is_some();
    let fails = fails.then(|| opens_at(replay));
    let never = matches!(
        replay.explanation.map(|e| e.verdict),
        Some(PartVerdict::NeverAfter(_))
    );
    for (i, line) in lines.iter().enumerate() {
        if replay.run.ending == Ending::Loops(i) {
            out += &format!("<li class=\"mark\">{}</li>\n", escaped(&loop_mark(replay)));
        }
        let mut classes = Vec::new();
        if !matters[i] {
            classes.push("pale");
        }
        if fails == Some(i + 1) && !never {
            classes.push("fails");
        }
        let what = subject(replay, line);
        let effects = line.effects_text(replay.words, PARTS);
        let effects = if effects.is_empty() {
            String::new()
        } else {
            format!("<span class=\"effects\">{}</span>", escaped(&effects))
        };
        let step = i + 1;
        let number = when.get(i).cloned().unwrap_or_else(|| step.to_string());
        out += &format!(
            "<li class=\"{}\"><a href=\"#step={step}\" data-step=\"{step}\"><span class=\"number\">{number}</span>\
             <span class=\"what\">{}</span>{effects}</a></li>\n",
            classes.join(" "),
            escaped(&what)
        );
    }
    for line in digest(replay) {
        out += &format!("<li class=\"end\">{}</li>\n", escaped(&line));
    }
    out + "</ol>\n"
}

/// JSON that can be embedded in a `script` element: `</` and `<!` are escaped.
fn embedded(data: &serde_json::Value) -> String {
    data.to_string()
        .replace("</", "<\\/")
        .replace("<!", "\\u003c!")
}
