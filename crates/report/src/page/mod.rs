//! A run as a page: one file that needs nothing else, with the story, the chart, the states and the claim.
//!
//! The page is complete without a script: the whole story, the whole chart, and a table of all states. The
//! script adds that one can step through the run. It gets its data from a block of JSON in the page; what
//! it shows at a step is only looked up there, never computed.

mod claim;
mod states;

use crate::chart::{escaped, style};
use crate::draw::palette::{DARK, LIGHT};
use crate::replay::cause::Crux;
use crate::replay::slice::slice;
use crate::story::event::Line;
use crate::story::headline::headline;
use crate::story::loop_summary::mark;
use crate::story::timed::start;
use crate::story::untimed::{digest, effects, event_lines, initial_choices};
use crate::timeline::timeline_style;
use crate::{Caption, Chart, Show, Telling, Timeline};
use serde_json::json;
use verdict::{Ending, PartVerdict};

const SCRIPT: &str = include_str!("page.js");
const STYLE: &str = include_str!("page.css");
const TIMED_STYLE: &str = include_str!("timed.css");
/// Nothing is loaded from anywhere; style and script are in the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data:; base-uri 'none'; form-action 'none'";

/// The page of a run, which may say something about a property of its Machine.
pub fn page(telling: &Telling<'_>, caption: &Caption<'_>, property: Option<usize>) -> String {
    let lines = event_lines(telling);
    let matters = slice(telling);
    let pale = matters.iter().any(|m| !m);
    let states = states::States::of(telling);
    let timed = telling.is_timed();
    let mut chart = match timed {
        true => timeline_part(telling),
        false => chart_part(telling, Show::All, "all"),
    };
    if pale && !timed {
        chart += &chart_part(telling, Show::Mattering, "mattering");
    }
    let said: Vec<String> = lines.iter().map(|l| sentence(telling, l)).collect();
    let data = json!({
        "events": lines.len(),
        "open": opens_at(telling),
        "loop": telling.loops(),
        "matters": matters,
        "said": said,
        "values": states.values,
        "when": timed.then(|| when(telling)),
    });
    let (main, head, more) = match timed {
        true => (
            "<main class=\"timed\">",
            "Time",
            format!("{}{TIMED_STYLE}", timeline_style()),
        ),
        false => ("<main>", "Messages", String::new()),
    };
    let headline = headline(telling).map_or(String::new(), |text| {
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
        &story_list(telling, &lines, &matters),
        &format!("</section>\n<section id=\"chart\" aria-labelledby=\"chart-head\">\n<h2 id=\"chart-head\">{head}</h2>\n"),
        &chart,
        "</section>\n<section id=\"state\" aria-labelledby=\"state-head\">\n<h2 id=\"state-head\">State</h2>\n",
        &states.panel(),
        &states.table(&said),
        "</section>\n</main>\n<footer id=\"claim\">\n",
        &claim::claim(telling, property),
        "</footer>\n<p id=\"said\" class=\"unseen\" aria-live=\"polite\"></p>\n",
        &format!("<script type=\"application/json\" id=\"run\">{}</script>\n", embedded(&data)),
        &format!("<script>{SCRIPT}</script>\n</body>\n</html>\n"),
    ]
    .concat()
}

/// The step that is shown first: where the claim breaks, or the end.
fn opens_at(telling: &Telling<'_>) -> usize {
    let end = telling.run.choices.len();
    match telling.explanation.map(|e| e.verdict) {
        Some(PartVerdict::FalseAfter(after)) if telling.error.is_none() => after.min(end),
        _ => end,
    }
}

fn chart_part(telling: &Telling<'_>, show: Show, id: &str) -> String {
    let chart = Chart::new(telling, &Caption::default(), show);
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

fn timeline_part(telling: &Telling<'_>) -> String {
    let timeline = Timeline::new(telling, &Caption::default());
    format!(
        "<div class=\"scroll\" id=\"chart-time\" tabindex=\"0\" role=\"group\" aria-label=\"Timeline\">\n{}</div>\n",
        timeline.part("timeline")
    )
}

/// When each event happens.
fn when(telling: &Telling<'_>) -> Vec<String> {
    let times = telling.times();
    let events = 0..telling.run.choices.len();
    events.map(|i| times.text(&telling.time(i))).collect()
}

/// Who, and what happens to it.
fn subject(telling: &Telling<'_>, line: &Line) -> String {
    let who = line.name(telling.words);
    let space = if who.is_empty() { "" } else { " " };
    format!("{who}{space}{}", line.what)
}

/// An event in one sentence.
fn sentence(telling: &Telling<'_>, line: &Line) -> String {
    let effects = effects(line);
    let comma = if effects.is_empty() { "" } else { "; " };
    let subject = subject(telling, line);
    format!("{subject}{comma}{}", effects.replace("   ", ", "))
}

/// The story: a line per event, each a link to its step.
fn story_list(telling: &Telling<'_>, lines: &[Line], matters: &[bool]) -> String {
    let timed = telling.is_timed();
    let first = match timed {
        true => vec![start(telling, &Crux::new(telling))],
        false => initial_choices(telling),
    };
    let first = first.first().map_or("the initial state", |line| &line[..]);
    let when = if timed { when(telling) } else { Vec::new() };
    let zero = if timed { "start" } else { "0" };
    // Room for the longest time, and for the mark where the claim breaks.
    let wide = when.iter().map(|w| w.chars().count()).max().unwrap_or(0) + 2;
    let mut out = format!(
        "<ol class=\"lines scroll\" style=\"--when:{wide}ch\">\n<li><a href=\"#step=0\" data-step=\"0\"><span class=\"number\">{zero}</span>\
         <span class=\"what\">{}</span></a></li>\n",
        escaped(first)
    );
    let fails = telling.explanation.is_some() || telling.error.is_some();
    let fails = fails.then(|| opens_at(telling));
    let never = matches!(
        telling.explanation.map(|e| e.verdict),
        Some(PartVerdict::NeverAfter(_))
    );
    for (i, line) in lines.iter().enumerate() {
        if telling.run.ending == Ending::Loops(i) {
            out += &format!("<li class=\"mark\">{}</li>\n", escaped(&mark(telling)));
        }
        let mut classes = Vec::new();
        if !matters[i] {
            classes.push("pale");
        }
        if fails == Some(i + 1) && !never {
            classes.push("fails");
        }
        let what = subject(telling, line);
        let effects = effects(line);
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
    for line in digest(telling) {
        out += &format!("<li class=\"end\">{}</li>\n", escaped(&line));
    }
    out + "</ol>\n"
}

/// JSON that can stand inside a page: nothing in it ends its element.
fn embedded(data: &serde_json::Value) -> String {
    data.to_string()
        .replace("</", "<\\/")
        .replace("<!", "\\u003c!")
}
