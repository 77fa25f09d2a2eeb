//! Tests of lowering: the Machines of models, and models that cannot be lowered.

mod counting;
mod instances;
mod messages;
mod open;
mod periodic;
mod printed;
mod robust;
mod states;
mod timed;

use lower::{Define, Lowered, Request};
use model::Model;
use source::{Diagnostic, Severity, Sources};

/// A model text with its Model.
struct Text {
    sources: Sources,
    model: Model,
}

impl Text {
    #[track_caller]
    fn new(text: &str) -> Text {
        let mut sources = Sources::default();
        let file = sources.add("test.scrut", text);
        let parsed = syntax::parse(&sources, file);
        assert_eq!(parsed.diagnostics, [], "the text cannot be read");
        let (model, mut diagnostics) = model::resolve(&parsed.file, &sources);
        diagnostics.retain(|d| d.severity == Severity::Error);
        assert_eq!(diagnostics, [], "the text is wrong");
        Text { sources, model }
    }

    /// The requests of a check; each string `x=v` of `defines` is an option `-D x=v`.
    fn instances(&self, check: usize, defines: &[&str]) -> Result<Vec<Request>, String> {
        let defines: Vec<Define> = defines
            .iter()
            .map(|d| {
                let (name, value) = d.split_once('=').expect("x=v");
                Define {
                    name: name.into(),
                    value: value.into(),
                }
            })
            .collect();
        lower::instances(&self.model, check, &defines).map_err(|e| self.show(&e))
    }

    fn lower(&self, request: &Request) -> Result<Lowered, String> {
        let lowered =
            lower::lower(&self.model, &self.sources, request).map_err(|e| self.show(&e))?;
        machine::verify(&lowered.machine).map_err(|e| e.to_string())?;
        Ok(lowered)
    }

    /// The Machine of the first request of a check.
    #[track_caller]
    fn first(&self, check: usize) -> Lowered {
        let requests = self.instances(check, &[]).unwrap_or_else(|e| panic!("{e}"));
        self.lower(&requests[0]).unwrap_or_else(|e| panic!("{e}"))
    }

    fn show(&self, diagnostics: &[Diagnostic]) -> String {
        let lines = diagnostics.iter().map(|d| {
            let span = d.primary.span;
            let text = self.sources.slice(span);
            format!(
                "{} {}: `{text}` {}\n",
                d.code,
                self.sources.line(span),
                d.message
            )
        });
        lines.collect()
    }
}

const RING: &str = include_str!("../../../../models/chang-roberts.scrut");
