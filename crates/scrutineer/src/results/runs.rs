//! What is told of a run, and where it is kept: the same for every verb.

use crate::args::PictureArgs;
use crate::console::lines;
use checks::{AuditedRun, Loaded, RunFile};
use lower::Request;
use report::{Caption, ReplayedRun, Words, chart, page};
use std::path::Path;
use verdict::{Ending, Run};

/// Of a longer run nobody reads a page, and no browser likes it. `show --html` makes one all the same.
const MOST_ON_A_PAGE: usize = 2_000;

/// A run that has been audited, to be told.
pub(crate) fn telling<'a>(words: Words<'a>, run: &'a Run, part: &'a AuditedRun) -> ReplayedRun<'a> {
    let (states, error) = (&part.replayed.states, &part.replayed.error);
    ReplayedRun::new(words, run, states, error.as_ref())
        .explained(part.explanation.as_ref(), &part.waiting)
}

/// What a run that shows nothing but itself ends with, if it does not end by itself.
pub(crate) fn open_end(run: &Run) -> Option<String> {
    let events = lines::many(run.choices.len() as u64, "event");
    (run.ending == Ending::Open).then(|| format!("stopped here after {events}"))
}

/// The parameters that a check or the call sets, and which graph the network is: `n = 3, m = 4, graph 1-2, 2-3`.
pub(crate) fn settings(request: &Request) -> String {
    let set = request.set.iter().map(|(n, v)| format!("{n} = {v}"));
    set.chain(graph(request)).collect::<Vec<_>>().join(", ")
}

fn graph(request: &Request) -> Option<String> {
    let graph = request.graph.as_ref()?;
    Some(match graph.edges.is_empty() {
        true => "graph of one node".into(),
        false => format!("graph {}", graph.text()),
    })
}

/// All parameters, also those that have their values from the text.
pub(crate) fn all_settings(loaded: &Loaded, request: &Request) -> String {
    let params = loaded.model.params.iter().zip(&request.params);
    let all = params.map(|(param, value)| {
        let set = request.set.iter().any(|(name, _)| *name == param.name);
        let default = if set { "" } else { " (default)" };
        format!("{} = {}{default}", param.name, value.text(&loaded.model))
    });
    let others = request.set.iter().filter(|(name, _)| {
        let mut params = loaded.model.params.iter();
        !params.any(|param| param.name == *name)
    });
    let others = others.map(|(name, value)| format!("{name} = {value}"));
    let all = all.chain(others).chain(graph(request));
    all.collect::<Vec<_>>().join(", ")
}

/// Which instance a run is of: `n = 3; ids: node 1 #2, …`.
pub(crate) fn place(settings: String, words: Words<'_>, run: &Run) -> String {
    let parts = [settings, words.frozen(&run.frozen)];
    let parts: Vec<String> = parts.into_iter().filter(|p| !p.is_empty()).collect();
    parts.join("; ")
}

/// In which world and with which variants a check asks, behind what it asks: ` with Careless in Lossy`.
pub(crate) fn world_and_variants(loaded: &Loaded, check: usize) -> String {
    let check = &loaded.model.checks[check];
    let variants = check.variants.iter();
    let variants: Vec<&str> = variants
        .map(|v| &loaded.model.variants[v.index()].name[..])
        .collect();
    let with = match variants.is_empty() {
        true => String::new(),
        false => format!(" with {}", variants.join(" and ")),
    };
    let world = check.world.map(|w| &loaded.model.worlds[w.index()].name);
    match world {
        Some(world) => format!("{with} in {world}"),
        None => with,
    }
}

/// The line above a stored story.
pub(crate) fn title(what: &str, place: &str) -> String {
    format!("{what}   {place}").trim_end().to_string()
}

/// Its two parts.
pub(crate) fn caption(title: &str) -> Caption<'_> {
    let (title, subtitle) = title.split_once("   ").unwrap_or((title, ""));
    Caption { title, subtitle }
}

/// What could not be stored of a run.
pub(crate) struct NotStored {
    /// Whether it is only the page.
    pub(crate) but_the_run: bool,
    /// What is said of it.
    pub(crate) why: String,
}

/// Stores a run, with its page beside it unless it is too long for one; says where.
pub(crate) fn store(
    file: &RunFile,
    telling: &ReplayedRun<'_>,
    path: &Path,
) -> Result<String, NotStored> {
    file.write(path).map_err(|error| NotStored {
        but_the_run: false,
        why: error.0,
    })?;
    let at = path.display();
    let run = format!("the whole run: scrutineer show {at}");
    let html = path.with_extension("html");
    let events = telling.event_count();
    if events > MOST_ON_A_PAGE {
        let _ = std::fs::remove_file(html); // if there is one, it is of another run
        return Ok(format!("{run}   no picture: {events} events are too many"));
    }
    let page = page(telling, &caption(&file.title), file.property);
    checks::write_whole(&html, &page).map_err(|why| {
        let _ = std::fs::remove_file(&html); // if there is one, it is of another run
        NotStored {
            but_the_run: true,
            why: format!("the run is stored at {at}; its page is not: {why}"),
        }
    })?;
    Ok(format!("{run}   picture: {}", html.display()))
}

/// Makes the pictures that the call asks for, and says where they are.
pub(crate) fn draw(
    args: &PictureArgs,
    telling: &ReplayedRun<'_>,
    title: &str,
    property: Option<usize>,
) -> Result<(), String> {
    if let Some(path) = &args.itf {
        let trace = report::itf::itf(telling, title);
        write(path, &format!("{trace:#}\n"))?;
        lines::aside(&format!("trace: {}", path.display()));
    }
    if let Some(path) = &args.svg {
        write(path, &chart(telling, &caption(title)))?;
        lines::aside(&format!("chart: {}", path.display()));
    }
    if let Some(path) = &args.html {
        write(path, &page(telling, &caption(title), property))?;
        lines::aside(&format!("page: {}", path.display()));
    }
    Ok(())
}

/// Writes a picture. What is no plain file, such as a pipe, is written as it is.
fn write(path: &Path, text: &str) -> Result<(), String> {
    match path.symlink_metadata() {
        Ok(there) if !there.is_file() => std::fs::write(path, text)
            .map_err(|error| format!("cannot write {}: {error}", path.display())),
        _ => checks::write_whole(path, text),
    }
}
