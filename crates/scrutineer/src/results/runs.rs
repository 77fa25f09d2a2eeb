//! The rendering and storage of a run, for every command.

use crate::args::PictureArgs;
use crate::console::lines;
use checks::{AuditedRun, Loaded, RunFile};
use lower::Request;
use report::{Caption, ReplayedRun, Words, chart, page};
use std::path::Path;
use verdict::{Ending, Run};

/// The number of events up to which a page is written with a run: longer pages are slow in a browser and too long to
/// read. `show --html` has no limit.
const MAX_PAGE_EVENTS: usize = 2_000;

/// The replay of an audited run, ready to be rendered.
pub(crate) fn replayed<'a>(
    words: Words<'a>,
    run: &'a Run,
    part: &'a AuditedRun,
) -> ReplayedRun<'a> {
    let (states, error) = (&part.replayed.states, &part.replayed.error);
    ReplayedRun::new(words, run, states, error.as_ref())
        .explained(part.explanation.as_ref(), &part.waiting)
}

/// The last line of a run that shows no property, if it does not end by itself.
pub(crate) fn open_end(run: &Run) -> Option<String> {
    let events = lines::many(run.choices.len() as u64, "event");
    (run.ending == Ending::Open).then(|| format!("stopped here after {events}"))
}

/// The parameters that a check or the call sets, and the graph of the network: `n = 3, m = 4, graph 1-2, 2-3`.
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

/// All parameters, including those with a value in the text.
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

/// The instance of a run: `n = 3; ids: node 1 #2, …`.
pub(crate) fn place(settings: String, words: Words<'_>, run: &Run) -> String {
    let parts = [settings, words.frozen(&run.frozen)];
    let parts: Vec<String> = parts.into_iter().filter(|p| !p.is_empty()).collect();
    parts.join("; ")
}

/// The world and the variants of a check, as a suffix to the question: ` with Careless in Lossy`.
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

/// The heading of a stored story.
pub(crate) fn title(what: &str, place: &str) -> String {
    format!("{what}   {place}").trim_end().to_string()
}

/// The two parts of the heading.
pub(crate) fn caption(title: &str) -> Caption<'_> {
    let (title, subtitle) = title.split_once("   ").unwrap_or((title, ""));
    Caption { title, subtitle }
}

/// A run or a page that could not be stored.
pub(crate) struct NotStored {
    /// Whether the run is stored and only its page is missing.
    pub(crate) but_the_run: bool,
    /// The error message.
    pub(crate) why: String,
}

/// Stores a run, with its page beside it unless the run is too long; returns a line with the paths.
pub(crate) fn store(
    file: &RunFile,
    replayed: &ReplayedRun<'_>,
    path: &Path,
) -> Result<String, NotStored> {
    file.write(path).map_err(|error| NotStored {
        but_the_run: false,
        why: error.0,
    })?;
    let at = path.display();
    let run = format!("the whole run: scrutineer show {at}");
    let html = path.with_extension("html");
    let events = replayed.event_count();
    if events > MAX_PAGE_EVENTS {
        let _ = std::fs::remove_file(html); // an existing page belongs to another run
        return Ok(format!("{run}   no picture: {events} events are too many"));
    }
    let page = page(replayed, &caption(&file.title), file.property);
    checks::write_whole(&html, &page).map_err(|why| {
        let _ = std::fs::remove_file(&html); // an existing page belongs to another run
        NotStored {
            but_the_run: true,
            why: format!("the run is stored at {at}; its page is not: {why}"),
        }
    })?;
    Ok(format!("{run}   picture: {}", html.display()))
}

/// Writes the pictures that the call asks for, and prints their paths.
pub(crate) fn draw(
    args: &PictureArgs,
    replayed: &ReplayedRun<'_>,
    title: &str,
    property: Option<usize>,
) -> Result<(), String> {
    if let Some(path) = &args.itf {
        let trace = report::itf::itf(replayed, title);
        write(path, &format!("{trace:#}\n"))?;
        lines::aside(&format!("trace: {}", path.display()));
    }
    if let Some(path) = &args.svg {
        write(path, &chart(replayed, &caption(title)))?;
        lines::aside(&format!("chart: {}", path.display()));
    }
    if let Some(path) = &args.html {
        write(path, &page(replayed, &caption(title), property))?;
        lines::aside(&format!("page: {}", path.display()));
    }
    Ok(())
}

/// Writes a picture. A target that is no plain file, such as a pipe, is written directly.
fn write(path: &Path, text: &str) -> Result<(), String> {
    match path.symlink_metadata() {
        Ok(there) if !there.is_file() => std::fs::write(path, text)
            .map_err(|error| format!("cannot write {}: {error}", path.display())),
        _ => checks::write_whole(path, text),
    }
}
