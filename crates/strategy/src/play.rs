//! The execution of the table: selects the rows for a question and merges their reports.

use crate::event_order_search::{self, Ordered};
use crate::log::{Attempt, Log, Meter};
use crate::table::{Effort, FIRST_SEARCH, Row, Step, TABLE, Turn, accepted_by_none};
use crate::{circuit_search, explicit_search, random_search};
use digitisation::Say;
use machine::{Machine, Property};
use rational::Rational;
use verdict::{
    Answer, Budget, Contradiction, Opinion, Progress, Question, Refusal, Report, StateLimited,
};

/// Answers a question by those rows of the table that the caller allows. The runs have not been audited.
pub(crate) fn play(
    question: &Question<'_>,
    say: Say<'_>,
    allows: &dyn Fn(&Row) -> bool,
    budget: &dyn Budget,
    log: &Log,
) -> Result<Report, Refusal> {
    let mut play = Play {
        fair: question.fair,
        machine: question.machine.clone(),
        say,
        budget,
        ordered: None,
        report: None,
        limited: false,
        refused: None,
        finished: false,
    };
    for row in TABLE {
        if allows(row) && row.accepts.accepts(question) && play.has_turn(row.turn) {
            play.try_row(row, log)?;
        }
        if play.finished {
            break;
        }
    }
    play.end()
}

/// The execution of the table for one question.
pub(crate) struct Play<'a> {
    fair: bool,
    /// The Machine with the properties that the event-order engine has left open.
    machine: Machine,
    say: Say<'a>,
    budget: &'a dyn Budget,
    /// The results of the event-order engine for each property of the whole Machine, after its row has run.
    ordered: Option<Vec<Option<Ordered>>>,
    /// The report about `machine` so far.
    report: Option<Report>,
    /// Whether the first search ended at its own limit.
    limited: bool,
    /// The reason why the explicit search cannot represent the Machine.
    refused: Option<Refusal>,
    /// Whether the execution ends without a further row.
    finished: bool,
}

impl Play<'_> {
    fn try_row(&mut self, row: &Row, log: &Log) -> Result<(), Refusal> {
        let open = self.open();
        let meter = Meter::new(self.budget);
        let result = match row.step {
            Step::SearchUpToIsomorphism => self.search_up_to_isomorphism(&meter),
            Step::EventOrder => self.event_order(&meter),
            Step::FirstSearch => self.first_search(row.effort, &meter),
            Step::RandomRuns => self.random_runs(&meter),
            Step::Circuits => self.circuits(row.effort, &meter),
            Step::OnlyCircuits => self.only_circuits(&meter),
            Step::WholeSearch => self.whole_search(&meter),
            Step::Digitisation => self.digitisation(&meter),
        };
        // A small search may end before it asks the budget for the first time.
        let searches = !matches!(
            row.step,
            Step::RandomRuns | Step::Circuits | Step::EventOrder
        );
        let counted = self.report.as_ref().filter(|_| searches);
        let counted = counted.map_or(0, |report| report.counts.states);
        log.add(Attempt {
            method: row.method,
            effort: row.effort.to_string(),
            questions: 1,
            open,
            decided: open.saturating_sub(self.open()),
            time: meter.time(),
            states: meter.states().max(counted),
        });
        result.map_err(|refusal| self.of_whole(refusal))
    }

    /// A refusal about the open properties, as one about all properties: a contradiction names its property by its place.
    fn of_whole(&self, refusal: Refusal) -> Refusal {
        match (refusal, &self.ordered) {
            (Refusal::Contradiction(mut found), Some(known)) => {
                let mut open = (0..known.len()).filter(|place| known[*place].is_none());
                found.property = open.nth(found.property).unwrap_or(found.property);
                Refusal::Contradiction(found)
            }
            (refusal, _) => refusal,
        }
    }

    fn question(&self) -> Question<'_> {
        Question {
            machine: &self.machine,
            fair: self.fair,
        }
    }

    /// The number of open properties.
    fn open(&self) -> u64 {
        match &self.report {
            Some(report) => report.answers.iter().filter(|a| a.is_open()).count() as u64,
            None => self.machine.properties.len() as u64,
        }
    }

    fn has_turn(&self, turn: Turn) -> bool {
        // A question without properties is asked once: the search still reports errors and the events that happen.
        let open = self.report.as_ref().is_none_or(Report::has_open);
        let more = Progress {
            states: FIRST_SEARCH + 1,
            ..Progress::default()
        };
        match turn {
            Turn::Open => open,
            Turn::Longer => open && self.budget.ask(&more).is_none(),
            Turn::Continue => {
                open && self.refused.is_none() && self.limited && self.budget.ask(&more).is_none()
            }
            Turn::Refused => open && self.refused.is_some(),
        }
    }

    /// One report about all properties.
    fn end(self) -> Result<Report, Refusal> {
        if let Some(refusal) = self.refused
            && self.report.as_ref().is_none_or(Report::has_open)
        {
            return Err(refusal);
        }
        let known = self.ordered.as_deref().unwrap_or_default();
        let mut report = match self.report {
            Some(report) => report,
            None if self.machine.properties.is_empty() && !known.is_empty() => {
                event_order::nothing()
            }
            None => Report::unanswered(&self.machine, accepted_by_none(&self.machine)),
        };
        if let Some(known) = self.ordered {
            event_order_search::insert(&mut report, known);
        }
        Ok(report)
    }

    /// Row: explicit search in which the numbering of the graph's nodes is no part of the question.
    fn search_up_to_isomorphism(&mut self, budget: &dyn Budget) -> Result<(), Refusal> {
        let report = explicit_search::answer_on_a_graph(&self.question(), budget)?;
        self.report = Some(report);
        self.finished = true;
        Ok(())
    }

    /// Row: the order of events, property by property.
    fn event_order(&mut self, budget: &dyn Budget) -> Result<(), Refusal> {
        let known = event_order_search::known(&self.question(), &Rational::ONE, budget);
        let all = std::mem::take(&mut self.machine.properties);
        let open = all.into_iter().zip(&known);
        let open: Vec<Property> = open
            .filter_map(|(property, known)| known.is_none().then_some(property))
            .collect();
        let decided_all = open.is_empty() && !known.is_empty();
        self.machine.properties = open;
        self.ordered = Some(known);
        if decided_all {
            self.finished = true;
        } else if let Some(spent) = budget.ask(&Progress::default()) {
            // After an interrupted method no other method starts.
            let answer = Answer::Unknown(spent.to_string());
            self.report = Some(Report {
                answers: vec![answer; self.machine.properties.len()],
                ..event_order::nothing()
            });
            self.finished = true;
        }
        Ok(())
    }

    /// Row: the explicit search, up to a number of states.
    fn first_search(&mut self, effort: Effort, budget: &dyn Budget) -> Result<(), Refusal> {
        let Effort::States(most) = effort else {
            return self.whole_search(budget);
        };
        let limited = StateLimited::together(budget, most);
        let report = match search(&self.question(), &limited) {
            Err(refusal @ Refusal::Unsupported(_)) => {
                self.refused = Some(refusal.clone());
                let Refusal::Unsupported(why) = refusal else {
                    unreachable!("matched above");
                };
                Report::unanswered(&self.machine, &why)
            }
            other => other?,
        };
        self.limited = limited.reached();
        self.report = Some(report);
        Ok(())
    }

    /// Row: random simulation for the open properties.
    fn random_runs(&mut self, budget: &dyn Budget) -> Result<(), Refusal> {
        let Some(report) = &mut self.report else {
            return Ok(());
        };
        let properties = report.answers.iter_mut().zip(&self.machine.properties);
        for (answer, property) in properties.filter(|(answer, _)| answer.is_open()) {
            if let Some(found) = random_search::look(&self.machine, property, budget) {
                *answer = found;
            }
        }
        Ok(())
    }

    /// Row: circuits for the open properties.
    fn circuits(&mut self, effort: Effort, budget: &dyn Budget) -> Result<(), Refusal> {
        let (Some(mut report), Effort::Queries(most)) = (self.report.take(), effort) else {
            return Ok(());
        };
        circuit_search::complete(&self.question(), &mut report, most, budget);
        self.report = Some(report);
        Ok(())
    }

    /// Row: circuits for all properties, where the explicit search cannot represent the Machine.
    fn only_circuits(&mut self, budget: &dyn Budget) -> Result<(), Refusal> {
        self.finished = true;
        match circuit_search::answer(&self.question(), None, budget) {
            Ok(report) if !report.answers.iter().all(Answer::is_open) => {
                self.report = Some(report);
                self.refused = None;
            }
            _ => {}
        }
        Ok(())
    }

    /// Row: the explicit search without a limit of its own, about all properties, so that its counts are those of the
    /// model.
    fn whole_search(&mut self, budget: &dyn Budget) -> Result<(), Refusal> {
        let whole = search(&self.question(), budget)?;
        self.report = Some(match self.report.take() {
            Some(first) => continued(first, whole)?,
            None => whole,
        });
        Ok(())
    }

    /// Row: digitisation, times as multiples of a unit.
    fn digitisation(&mut self, budget: &dyn Budget) -> Result<(), Refusal> {
        let engine = &explicit_search::answer;
        let found = digitisation::answer(&self.question(), self.say, engine, budget)?;
        let Some(report) = &mut self.report else {
            self.report = Some(found);
            return Ok(());
        };
        for (answer, second) in report.answers.iter_mut().zip(found.answers) {
            if answer.is_open() && !second.is_open() {
                *answer = second;
                report.abstraction = found.abstraction.clone();
            }
        }
        Ok(())
    }
}

/// The explicit search; for periodic nodes it runs inside the CEGAR loop.
fn search(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    match question.machine.has_time() {
        false => explicit_search::answer(question, budget),
        true => cegar::answer(question, &Rational::ONE, &explicit_search::answer, budget),
    }
}

/// The report of the whole search, with the answers that were decided before it. If the whole search was stopped
/// before the depth of the first search, the bounds come from the first search.
fn continued(first: Report, mut whole: Report) -> Result<Report, Refusal> {
    agree(&first, &whole)?;
    if whole.counts.states < first.counts.states && !whole.findings.complete {
        for (answer, before) in whole.answers.iter_mut().zip(&first.answers) {
            if let (Answer::Unknown(_), Answer::Unknown(why)) = (&answer, before) {
                *answer = Answer::Unknown(why.clone());
            }
        }
        whole.counts = first.counts;
        whole.findings.explored = first.findings.explored;
    }
    whole.evidence.resize(whole.answers.len(), None);
    whole.findings.by.resize(whole.answers.len(), None);
    for (p, answer) in whole.answers.iter_mut().enumerate() {
        if answer.is_open() && !first.answers[p].is_open() {
            *answer = first.answers[p].clone();
            whole.evidence[p] = first.evidence_of(p).cloned();
            whole.findings.by[p] = first.findings.by.get(p).copied().flatten();
        }
    }
    Ok(whole)
}

/// Compares two reports about the same properties: contradicting answers end the whole call.
pub(crate) fn agree(first: &Report, second: &Report) -> Result<(), Refusal> {
    let answers = first.answers.iter().zip(&second.answers);
    let Some(property) = answers.clone().position(|(a, b)| a.contradicts(b)) else {
        return Ok(());
    };
    let opinion = |report: &Report| Opinion {
        method: report
            .findings
            .by
            .get(property)
            .copied()
            .flatten()
            .unwrap_or(report.method),
        answer: report.answers[property].clone(),
        evidence: report.evidence_of(property).cloned(),
    };
    Err(Refusal::Contradiction(Box::new(Contradiction {
        property,
        first: opinion(first),
        second: opinion(second),
    })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdict::Unlimited;

    /// The search refuses the Machine, and another row decides what the event order has left open.
    #[test]
    fn answers_of_the_event_order_keep_their_places_after_a_refused_search() {
        let text =
            "(kind P 1) (var P a bool (is false)) (claim c (always (state (var a (node 1)))))";
        let machine = machine::parse(text).expect("a machine");
        let mut report = Report::unanswered(&machine, "");
        report.answers = vec![Answer::Impossible];
        let play = Play {
            fair: true,
            machine,
            say: &Rational::to_string,
            budget: &Unlimited,
            ordered: Some(vec![
                Some(Ordered {
                    answer: Answer::Holds,
                    premise: None,
                    evidence: None,
                }),
                None,
            ]),
            report: Some(report),
            limited: false,
            refused: Some(Refusal::Unsupported("a type".into())),
            finished: false,
        };
        let report = play.end().expect("everything is decided");
        assert_eq!(report.answers, [Answer::Holds, Answer::Impossible]);
    }
}
