//! `check --junit FILE`: the report as JUnit XML, for build servers.

use crate::results::sentences::answer_text;
use crate::{Exit, complain};
use checks::{CheckReport, Judgement, Loaded};
use report::escaped;
use std::fmt::Write;
use std::path::Path;

/// The JUnit document: one test suite for each file.
#[derive(Default)]
pub(crate) struct Junit {
    suites: String,
    total: Tally,
}

#[derive(Clone, Copy, Default)]
struct Tally {
    tests: usize,
    failures: usize,
    errors: usize,
}

/// The test cases of one file.
#[derive(Default)]
pub(crate) struct Suite {
    cases: String,
    tally: Tally,
}

impl Suite {
    /// Adds the answers of a check: one test case for each question and each family of instances.
    pub(crate) fn check(&mut self, loaded: &Loaded, report: &CheckReport) {
        let judged = checks::judge(loaded, report);
        let seconds = report.took.as_secs_f64()
            / (report.families().len() * report.asked.len()).max(1) as f64;
        for family in report.families() {
            let (i, instance) = (family[0], &report.instances[family[0]]);
            let set: Vec<String> = instance
                .request
                .set
                .iter()
                .map(|(n, v)| format!("{n} = {v}"))
                .collect();
            for (asked, judged) in judged[i].iter().enumerate() {
                let name = format!(
                    "check {}: {} ({})",
                    report.number + 1,
                    report.asked[asked].text,
                    set.join(", ")
                );
                let text = match judged.expected {
                    Some(expected) => {
                        let found = answer_text(judged.answer, judged.value_text.as_deref());
                        let expected = answer_text(expected, judged.expected_text.as_deref());
                        format!("{found}, expected {expected}")
                    }
                    None => answer_text(judged.answer, judged.value_text.as_deref()),
                };
                self.case(&loaded.stem(), &name, seconds, judged.judgement, &text);
            }
        }
    }

    /// Adds an answer.
    pub(crate) fn case(
        &mut self,
        stem: &str,
        name: &str,
        seconds: f64,
        judgement: Judgement,
        text: &str,
    ) {
        self.tally.tests += 1;
        let body = match judgement {
            Judgement::Good => String::new(),
            Judgement::Bad => {
                self.tally.failures += 1;
                format!("<failure message=\"{}\"/>", escaped(text))
            }
            Judgement::Unknown => {
                self.tally.errors += 1;
                format!("<error message=\"{}\"/>", escaped(text))
            }
        };
        let (name, stem) = (escaped(name), escaped(stem));
        let _ = writeln!(
            self.cases,
            "    <testcase name=\"{name}\" classname=\"{stem}\" time=\"{seconds:.3}\">{body}</testcase>"
        );
    }

    /// Adds a problem of the model or the call, as a test case with an error.
    pub(crate) fn problem(&mut self, message: &str) {
        self.tally.tests += 1;
        self.tally.errors += 1;
        let message = escaped(message);
        let _ = writeln!(
            self.cases,
            "    <testcase name=\"model\" classname=\"model\"><error message=\"{message}\"/></testcase>"
        );
    }
}

impl Junit {
    /// Adds the test suite of a file.
    pub(crate) fn add(&mut self, name: &str, suite: Suite) {
        let Tally {
            tests,
            failures,
            errors,
        } = suite.tally;
        self.total.tests += tests;
        self.total.failures += failures;
        self.total.errors += errors;
        let _ = write!(
            self.suites,
            "  <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">\n{}  </testsuite>\n",
            escaped(name),
            suite.cases
        );
    }

    /// Adds a file that could not be checked, as a test suite with one error.
    pub(crate) fn problem(&mut self, name: &str, message: &str) {
        let mut suite = Suite::default();
        suite.problem(message);
        self.add(name, suite);
    }

    /// Writes the document to a file. Returns the exit code.
    pub(crate) fn write(&self, path: &Path) -> Exit {
        match crate::results::runs::write(path, &self.text()) {
            Ok(()) => Exit::Good,
            Err(error) => complain(&error),
        }
    }

    /// The text of the document.
    fn text(&self) -> String {
        let Tally {
            tests,
            failures,
            errors,
        } = self.total;
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"scrutineer\" tests=\"{tests}\" \
             failures=\"{failures}\" errors=\"{errors}\">\n{}</testsuites>\n",
            self.suites
        )
    }
}
