//! Shows and stores runs, for all commands.

use crate::args::PictureArgs;
use crate::console::lines;
use checks::{AuditedRun, Loaded, RunFile};
use lower::Request;
use report::{Caption, ReplayedRun, Words, chart, page};
use std::path::Path;
use verdict::{Ending, Run};

/// The largest number of events for which an HTML page is written beside a stored run. Longer pages are slow in a
/// browser. `show --html` has no limit.
const MAX_PAGE_EVENTS: usize = 2_000;

/// An audited run with everything that its rendering needs.
pub(crate) fn replayed<'a>(
    words: Words<'a>,
    run: &'a Run,
    part: &'a AuditedRun,
) -> ReplayedRun<'a> {
    let (states, error) = (&part.replayed.states, &part.replayed.error);
    ReplayedRun::new(words, run, states, error.as_ref())
        .explained(part.explanation.as_ref(), &part.waiting)
}

/// The last line of the story of a random or interactive run that was stopped; `None` if the run has ended.
pub(crate) fn open_end(run: &Run) -> Option<String> {
    let events = lines::many(run.choices.len() as u64, "event");
    (run.ending == Ending::Open).then(|| format!("stopped here after {events}"))
}

/// The parameters that the check or the call sets, and the graph of the network. Example: `n = 3, m = 4, graph 1-2,
/// 2-3`.
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

/// All parameters and the graph of the network; the parameters that have their declared values come last.
pub(crate) fn all_settings(loaded: &Loaded, request: &Request) -> String {
    let parts = [
        settings(request),
        default_settings(loaded, request, |_| true),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|p| !p.is_empty()).collect();
    parts.join(", ")
}

/// The parameters with their declared value, of those that `shown` accepts by their names.
pub(crate) fn default_settings(
    loaded: &Loaded,
    request: &Request,
    shown: impl Fn(&str) -> bool,
) -> String {
    let params = loaded.model.params.iter().zip(&request.params);
    let unset = params.filter(|(param, _)| {
        let set = request.set.iter().any(|(name, _)| *name == param.name);
        !set && shown(&param.name)
    });
    let values =
        unset.map(|(param, value)| format!("{} = {}", param.name, value.text(&loaded.model)));
    checks::with_defaults(&values.collect::<Vec<_>>())
}

/// The parameters and the frozen values of a run, such as `n = 3; ids: node 1 #2, …`.
pub(crate) fn place(settings: String, words: Words<'_>, run: &Run) -> String {
    let parts = [settings, words.frozen(&run.frozen)];
    let parts: Vec<String> = parts.into_iter().filter(|p| !p.is_empty()).collect();
    parts.join("; ")
}

/// The variants and the world of a check as the end of a question, such as ` with Careless in Lossy`.
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

/// The title of a stored run.
pub(crate) fn title(what: &str, place: &str) -> String {
    format!("{what}   {place}").trim_end().to_string()
}

/// Splits a title at its three spaces into title and subtitle.
pub(crate) fn caption(title: &str) -> Caption<'_> {
    let (title, subtitle) = title.split_once("   ").unwrap_or((title, ""));
    Caption { title, subtitle }
}

/// The error that a run or its page could not be stored.
pub(crate) struct NotStored {
    /// Whether the run was stored and only its page is missing (true), or the run was not stored (false).
    pub(crate) but_the_run: bool,
    /// The error message.
    pub(crate) why: String,
}

/// Stores a run, and its HTML page beside it unless the run is too long. Returns a line with the paths.
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

/// Writes the pictures that the call asks for, and prints their paths. The error is a message.
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

/// Writes a file, atomically if it is new or a regular file. Other targets, such as a pipe, are written directly.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    match path.symlink_metadata() {
        Ok(there) if !there.is_file() => std::fs::write(path, text)
            .map_err(|error| format!("cannot write {}: {error}", path.display())),
        _ => checks::write_whole(path, text),
    }
}
