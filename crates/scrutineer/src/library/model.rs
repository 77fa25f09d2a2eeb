//! Models and their checks.

use crate::library::convert;
use crate::library::diagnostic::Diagnostic;
use crate::library::error::Error;
use crate::library::options::Options;
use crate::library::results::Report;
use checks::{CheckError, Loaded};
use std::path::Path;

/// The name in diagnostics of a model that is not read from a file.
const TEXT: &str = "model";

/// A parsed and resolved model without errors.
pub struct Model {
    loaded: Loaded,
}

impl Model {
    /// Parses the text of a model. The error contains the diagnostics, with lines and columns.
    pub fn parse(text: &str) -> Result<Model, Error> {
        Model::parse_named(TEXT, text)
    }

    /// Parses the text of a model. `name` is its file name in diagnostics.
    pub fn parse_named(name: &str, text: &str) -> Result<Model, Error> {
        Model::of(checks::load_text(name, text))
    }

    /// Reads and parses a model file.
    pub fn read(path: impl AsRef<Path>) -> Result<Model, Error> {
        Model::of(checks::load(path.as_ref()).map_err(Error::Read)?)
    }

    fn of(loaded: Loaded) -> Result<Model, Error> {
        if loaded.has_errors() {
            let diagnostics = Diagnostic::all(&loaded.sources, &loaded.diagnostics);
            return Err(Error::Model(diagnostics));
        }
        Ok(Model { loaded })
    }

    /// The warnings about the model.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        Diagnostic::all(&self.loaded.sources, &self.loaded.diagnostics)
    }

    /// The names of the claims, in the order of the text.
    pub fn claims(&self) -> Vec<&str> {
        let claims = self.loaded.model.claims.iter();
        claims.map(|claim| claim.name.as_str()).collect()
    }

    /// The checks, in the order of the text.
    pub fn checks(&self) -> Vec<Check<'_>> {
        let numbers = 0..self.loaded.model.checks.len();
        numbers
            .map(|number| Check {
                model: self,
                number,
            })
            .collect()
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model")
            .field("name", &self.loaded.sources.name(self.loaded.file))
            .field("checks", &self.loaded.model.checks.len())
            .finish_non_exhaustive()
    }
}

/// One check of a model.
#[derive(Clone, Copy, Debug)]
pub struct Check<'m> {
    model: &'m Model,
    number: usize,
}

impl Check<'_> {
    /// The number of the check in the text, counted from 1.
    pub fn number(&self) -> usize {
        self.number + 1
    }

    /// The line of the check in the text, counted from 1.
    pub fn line(&self) -> usize {
        let loaded = &self.model.loaded;
        loaded.sources.line(loaded.model.checks[self.number].span)
    }

    /// The claims that the check asks about, or the condition of `possible`, as in the model text.
    pub fn asks(&self) -> Vec<String> {
        let asked = checks::asked(&self.model.loaded, self.number);
        asked.into_iter().map(|asked| asked.text).collect()
    }

    /// Answers the check. Every run in the report has been replayed on the reference interpreter.
    pub fn run(&self, options: &Options) -> Result<Report, Error> {
        let loaded = &self.model.loaded;
        let mut watcher = |progress: &verdict::Progress| options.report(progress);
        let options_of_checks = options.of_checks();
        if let Some((define, nearest)) =
            checks::unknown_parameter(loaded, &options_of_checks.defines)
        {
            let why = format!(
                "there is no parameter `{}` in the model{}",
                define.name,
                hint(nearest)
            );
            return Err(Error::Options(why));
        }
        let answered = checks::check(
            loaded,
            self.number,
            &options_of_checks,
            options.flag(),
            &mut watcher,
        );
        match answered {
            Ok(Some(report)) => Ok(convert::check(loaded, &report)),
            Ok(None) => Err(Error::Options(self.no_claim(&options_of_checks))),
            Err(CheckError::Problems(problems)) => {
                Err(Error::Model(Diagnostic::all(&loaded.sources, &problems)))
            }
            Err(CheckError::Contradiction(found)) => Err(Error::Contradiction(found.to_string())),
        }
    }

    /// The message that the check does not ask about the claim that the options select.
    fn no_claim(&self, options: &checks::Options) -> String {
        let only = options.claim.as_deref().unwrap_or_default();
        let nearest = model::nearest(only, self.model.claims());
        let hint = hint(nearest.filter(|near| *near != only));
        format!(
            "check {} does not ask about a claim `{only}`{hint}",
            self.number()
        )
    }
}

/// The end of an error message that suggests a similar name; empty if there is none.
fn hint(nearest: Option<&str>) -> String {
    match nearest {
        Some(near) => format!("; did you mean `{near}`?"),
        None => String::new(),
    }
}
