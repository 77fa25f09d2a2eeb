//! The documents of the semantics suite, read from Markdown: headings, prose, models and expectations.

/// A document of the suite.
pub struct Document {
    /// The file name.
    pub name: String,
    /// The sentences, one for each `##` heading.
    pub sentences: Vec<Sentence>,
}

/// A sentence about the language, with the models that confirm it.
pub struct Sentence {
    /// The text of the heading: the sentence.
    pub heading: String,
    /// The models below the heading.
    pub models: Vec<Model>,
}

/// A model with its expectations.
pub struct Model {
    /// The text of the model.
    pub text: String,
    /// Whether the tool must refuse the model (` ```scrut-error `).
    pub refused: bool,
    /// The lines of the `expect` block after the model.
    pub expectations: Vec<Expectation>,
}

/// A line of an `expect` block.
#[derive(Debug, PartialEq, Eq)]
pub enum Expectation {
    /// `error E0312`.
    Error(String),
    /// `warning E0409`.
    Warning(String),
    /// An expectation about a check. Checks are numbered from 0 here, and from 1 in the text.
    Of(usize, Fact),
}

/// An expectation about a check.
#[derive(Debug, PartialEq, Eq)]
pub enum Fact {
    /// `states 4, 11, 60 up to rotation`: one number for each instance.
    Count {
        /// What is counted.
        what: Counted,
        /// The expected numbers.
        numbers: Vec<u64>,
        /// Whether frozen choices are counted up to rotation.
        up_to_rotation: bool,
    },
    /// `answers error`: one answer for each question.
    Answers(Vec<String>),
    /// `differs`: no answer is as the check expects.
    Differs,
    /// `vacuous`: the premises of all claims are never true.
    Vacuous,
}

/// What can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Choices of frozen values, such as ids and constants.
    Instances,
    /// Initial states.
    Initial,
    /// Reachable states.
    States,
    /// Enabled events with their choices, including those that end in an error.
    Transitions,
    /// Enabled events that end in an error.
    Errors,
    /// States without enabled events.
    Final,
}

impl Counted {
    /// All of them with their words in documents.
    pub const ALL: [(Counted, &str); 6] = [
        (Counted::Instances, "instances"),
        (Counted::Initial, "initial"),
        (Counted::States, "states"),
        (Counted::Transitions, "transitions"),
        (Counted::Errors, "errors"),
        (Counted::Final, "final"),
    ];

    /// The word in documents.
    pub fn word(self) -> &'static str {
        let mut all = Counted::ALL.iter();
        all.find(|(c, _)| *c == self).expect("all are listed").1
    }
}

impl Document {
    /// Reads a document. The error names the problem and its place.
    pub fn read(name: &str, text: &str) -> Result<Document, String> {
        let mut document = Document {
            name: name.into(),
            sentences: Vec::new(),
        };
        let mut reader = Reader::default();
        for line in text.lines() {
            if let Some(finished) = reader.line(line).map_err(|e| reader.place(name, &e))? {
                document.sentences.push(finished);
            }
        }
        document
            .sentences
            .extend(reader.finish().map_err(|e| reader.place(name, &e))?);
        Ok(document)
    }
}

/// The state of the reader while it reads a document line by line.
#[derive(Default)]
struct Reader {
    heading: Option<String>,
    has_prose: bool,
    models: Vec<Model>,
    /// The language and the text of the open code block.
    fence: Option<(String, String)>,
    /// Text that precedes all models of the document (` ```scrut-common ` before the first heading).
    common: String,
}

impl Reader {
    fn place(&self, name: &str, problem: &str) -> String {
        match &self.heading {
            Some(heading) => format!("{name}, \u{201c}{heading}\u{201d}: {problem}"),
            None => format!("{name}: {problem}"),
        }
    }

    /// Reads a line. Returns the sentence that ends before this line, if any.
    fn line(&mut self, line: &str) -> Result<Option<Sentence>, String> {
        match (&mut self.fence, line.strip_prefix("```")) {
            (Some(_), Some(_)) => self.close()?,
            (Some((_, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, Some(language)) => {
                let common = language.trim() == "scrut-common";
                match (&self.heading, common) {
                    (None, false) => return Err("a block before the first heading".into()),
                    (Some(_), true) => {
                        return Err("what is common stands before the first heading".into());
                    }
                    _ => {}
                }
                self.fence = Some((language.trim().into(), String::new()));
            }
            (None, None) => match line.strip_prefix("## ") {
                Some(heading) => {
                    let finished = self.finish()?;
                    self.heading = Some(heading.trim().into());
                    return Ok(finished);
                }
                None => self.has_prose |= !line.trim().is_empty(),
            },
        }
        Ok(None)
    }

    /// Ends the open code block.
    fn close(&mut self) -> Result<(), String> {
        let (language, text) = self.fence.take().expect("an open fence");
        match language.as_str() {
            "scrut-common" => self.common.push_str(&text),
            "scrut" | "scrut-error" => self.models.push(Model {
                text: format!("{}{text}", self.common),
                refused: language == "scrut-error",
                expectations: Vec::new(),
            }),
            "expect" => {
                let model = self.models.last_mut();
                let model = model.ok_or("an `expect` block without a model before it")?;
                if !model.expectations.is_empty() {
                    return Err("two `expect` blocks for one model".into());
                }
                let lines = text.lines().filter(|line| !line.trim().is_empty());
                model.expectations = lines.map(expectation).collect::<Result<_, _>>()?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Ends the current sentence.
    fn finish(&mut self) -> Result<Option<Sentence>, String> {
        if self.fence.is_some() {
            return Err("a block is not closed".into());
        }
        let has_prose = std::mem::take(&mut self.has_prose);
        let models = std::mem::take(&mut self.models);
        let Some(heading) = self.heading.clone() else {
            return Ok(None);
        };
        if !has_prose {
            return Err("there is no prose".into());
        }
        if models.is_empty() {
            return Err("there is no model".into());
        }
        self.heading = None;
        Ok(Some(Sentence { heading, models }))
    }
}

/// Parses a line of an `expect` block.
fn expectation(line: &str) -> Result<Expectation, String> {
    let line = line.split("//").next().unwrap_or_default().trim();
    let bad = || format!("not an expectation: `{line}`");
    if let Some(code) = line.strip_prefix("error ") {
        return Ok(Expectation::Error(code.trim().into()));
    }
    if let Some(code) = line.strip_prefix("warning ") {
        return Ok(Expectation::Warning(code.trim().into()));
    }
    let (check, rest) = match line.strip_prefix("check ") {
        None => (1, line),
        Some(rest) => {
            let (number, rest) = rest.split_once(':').ok_or_else(bad)?;
            (number.trim().parse().map_err(|_| bad())?, rest.trim())
        }
    };
    let fact = fact(rest).ok_or_else(bad)?;
    let check = usize::checked_sub(check, 1).ok_or_else(bad)?;
    Ok(Expectation::Of(check, fact))
}

fn fact(text: &str) -> Option<Fact> {
    match text {
        "differs" => return Some(Fact::Differs),
        "vacuous" => return Some(Fact::Vacuous),
        _ => {}
    }
    let (word, values) = text.split_once(' ')?;
    let (values, up_to_rotation) = match values.strip_suffix("up to rotation") {
        Some(values) => (values, true),
        None => (values, false),
    };
    let mut values = values.split(',').map(str::trim);
    if word == "answers" {
        return Some(Fact::Answers(values.map(String::from).collect()));
    }
    let (what, _) = *Counted::ALL.iter().find(|(_, w)| *w == word)?;
    let numbers = values.try_fold(Vec::new(), |mut all, value| {
        all.push(value.parse().ok()?);
        Some(all)
    })?;
    Some(Fact::Count {
        what,
        numbers,
        up_to_rotation,
    })
}
