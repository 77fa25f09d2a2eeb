//! The setup of a single run: the model as written, optionally in a world and with variants, or as a check configures
//! it.

use crate::call::load::Loaded;
use crate::check::families::requests;
use lower::{Define, Lowered, Request};
use model::{Check, Question, VariantId, WorldId, nearest};
use source::{Diagnostic, Span, codes};

/// The setup that the command line selects.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The number of a check, counted from 1.
    pub check: Option<usize>,
    /// The name of a world, if the command line names one.
    pub world: Option<String>,
    /// The names of variants.
    pub variants: Vec<String>,
    /// Parameter values from `-D name=value`.
    pub defines: Vec<Define>,
}

/// A setup, from which a Machine can be lowered for each instance.
pub struct Setup {
    /// The number of the check that `setup` adds to the model; it has no question.
    number: usize,
    /// The world and the variants as text, such as ` in Lossy with Careless`; empty if there are none.
    pub name: String,
    /// The instances (parameter values and graph); at least one.
    pub requests: Vec<Request>,
}

/// The reason why a setup cannot be made.
#[derive(Debug)]
pub enum NoSetup {
    /// The user's request is wrong; the text is the message.
    Call(String),
    /// The model has errors with these parameter values.
    Model(Vec<Diagnostic>),
}

/// Builds the setup that `wanted` selects. Adds a check without a question to the model.
pub fn setup(loaded: &mut Loaded, wanted: &Wanted) -> Result<Setup, NoSetup> {
    let check = without_question(loaded, wanted).map_err(NoSetup::Call)?;
    let name = name(loaded, &check);
    let number = loaded.model.checks.len();
    loaded.model.checks.push(check);
    let requests = requests(loaded, number, &wanted.defines).and_then(|requests| {
        let requests = requests.iter();
        requests.map(|one| of_one_size(loaded, one)).collect()
    });
    Ok(Setup {
        number,
        name,
        requests: requests.map_err(NoSetup::Model)?,
    })
}

/// The request of an instance. A request for every size becomes that of the least size, because a run has a fixed
/// number of nodes.
fn of_one_size(loaded: &Loaded, request: &Request) -> Result<Request, Vec<Diagnostic>> {
    let least = { request.every.first() }.and_then(|param| request.params[param.index()].as_int());
    match least {
        Some(least) => request.at(&loaded.model, least),
        None => Ok(request.clone()),
    }
}

impl Setup {
    /// The Machine for one instance.
    pub fn lower(&self, loaded: &Loaded, request: &Request) -> Result<Lowered, Vec<Diagnostic>> {
        let lowered = lower::lower(&loaded.model, &loaded.sources, request);
        let there = self.others(loaded);
        lowered.map_err(|problems| {
            let elsewhere = |d: &Diagnostic| {
                let codes = [codes::NO_NETWORK, codes::NO_NEXT, codes::NOT_IN_VARIANT];
                codes.contains(&d.code) && !there.is_empty()
            };
            let problems = problems.into_iter();
            let noted = problems.map(|d| match elsewhere(&d) {
                true => d.note(format!(
                    "this is the model as it stands; what else can be run: {there}"
                )),
                false => d,
            });
            noted.collect()
        })
    }

    /// The diagnostic for a Machine for which no initial state was found.
    pub fn refused(
        &self,
        loaded: &Loaded,
        lowered: &Lowered,
        why: simulate::NoInitial,
    ) -> Diagnostic {
        crate::call::refused::no_initial(loaded, self.number, lowered, why)
    }

    /// The options for worlds and variants that the model has, as a list; empty if the setup already has a world or
    /// variant.
    fn others(&self, loaded: &Loaded) -> String {
        if !self.name.is_empty() {
            return String::new();
        }
        let worlds = loaded.model.worlds.iter();
        let worlds = worlds.map(|w| format!("`--in {}`", w.name));
        let variants = loaded.model.variants.iter();
        let variants = variants.map(|v| format!("`--with {}`", v.name));
        let all: Vec<String> = worlds.chain(variants).take(6).collect();
        all.join(", ")
    }
}

/// The check for the run, without a question: a copy of the named check, or one with the named world and variants.
fn without_question(loaded: &Loaded, wanted: &Wanted) -> Result<Check, String> {
    let nothing = Question::Claims(Vec::new());
    let nowhere = Span::new(loaded.file, 0, 0);
    let Some(number) = wanted.check else {
        return Ok(Check {
            question: nothing,
            world: world(loaded, wanted)?,
            variants: variants(loaded, wanted)?,
            settings: Vec::new(),
            assuming: None,
            unfair: false,
            expect: Vec::new(),
            span: nowhere,
        });
    };
    let model = &loaded.model;
    let file = loaded.sources.name(loaded.file);
    let found = number.checked_sub(1).and_then(|n| model.checks.get(n));
    let check = found.ok_or_else(|| match model.checks.len() {
        0 => format!("{file} has no check; without --check the model runs as it stands"),
        1 => format!("{file} has 1 check; there is no check {number}"),
        count => format!("{file} has {count} checks; there is no check {number}"),
    })?;
    Ok(Check {
        question: nothing,
        ..check.clone()
    })
}

fn world(loaded: &Loaded, wanted: &Wanted) -> Result<Option<WorldId>, String> {
    let Some(name) = &wanted.world else {
        return Ok(None);
    };
    let names = || loaded.model.worlds.iter().map(|w| &w.name[..]);
    match names().position(|n| n == name) {
        Some(index) => Ok(Some(WorldId(index as u32))),
        None => Err(format!(
            "there is no world `{name}`{}",
            known(name, names(), "it has no worlds")
        )),
    }
}

fn variants(loaded: &Loaded, wanted: &Wanted) -> Result<Vec<VariantId>, String> {
    let names = || loaded.model.variants.iter().map(|v| &v.name[..]);
    let mut found: Vec<VariantId> = Vec::new();
    for name in &wanted.variants {
        let Some(index) = names().position(|n| n == name) else {
            return Err(format!(
                "there is no variant `{name}`{}",
                known(name, names(), "it has no variants")
            ));
        };
        let id = VariantId(index as u32);
        let variant = |id: VariantId| &loaded.model.variants[id.index()];
        let of = variant(id).of;
        if let Some(other) = found.iter().find(|other| variant(**other).of == of) {
            let (other, kind) = (&variant(*other).name, &loaded.model.kinds[of.index()].name);
            return Err(format!(
                "`{other}` and `{name}` are both variants of `{kind}`: a node is one of them"
            ));
        }
        found.push(id);
    }
    Ok(found)
}

/// The end of the message about an unknown name: a similar name, or all known names.
fn known<'n>(name: &str, names: impl Iterator<Item = &'n str>, none: &str) -> String {
    let names: Vec<&str> = names.collect();
    match nearest(name, names.iter().copied()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None if names.is_empty() => format!(" in the model: {none}"),
        None => format!("; there is {}", names.join(", ")),
    }
}

fn name(loaded: &Loaded, check: &Check) -> String {
    let mut name = String::new();
    if let Some(world) = check.world {
        name += &format!(" in {}", loaded.model.worlds[world.index()].name);
    }
    let variants = check.variants.iter();
    let variants: Vec<&str> = variants
        .map(|v| &loaded.model.variants[v.index()].name[..])
        .collect();
    if !variants.is_empty() {
        name += &format!(" with {}", variants.join(" and "));
    }
    name
}
