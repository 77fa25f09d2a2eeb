//! Executes the strategy table: selects the rows for a question and merges their reports.

use crate::log::{Attempt, Log, Meter};
use crate::table::{Effort, FIRST_SEARCH, Row, Step, TABLE, Turn, accepted_by_none};
use crate::{circuit_search, event_order_search, explicit_search, random_search};
use cancellation::Cancelled;
use machine::{Machine, Property};
use rational::Rational;
use verdict::{
    Answer, Budget, Cause, Contradiction, Opinion, Progress, PropertyResult, Question, Reason,
    Refusal, Report, Spent, StateLimited,
};

/// Answers a question by those rows of the table that `allows` accepts. The runs have not been audited.
pub(crate) fn play(
    question: &Question<'_>,
    allows: &dyn Fn(&Row) -> bool,
    budget: &dyn Budget,
    log: &Log,
) -> Result<Report, Refusal> {
    let mut play = Play {
        fair: question.fair,
        machine: question.machine.clone(),
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

/// The state of the execution of the table for one question.
pub(crate) struct Play<'a> {
    fair: bool,
    /// The Machine, with only the properties that the order-of-events engine has left open.
    machine: Machine,
    budget: &'a dyn Budget,
    /// For each property of the whole Machine the result of the order-of-events engine. `None` before its row has run.
    ordered: Option<Vec<Option<PropertyResult>>>,
    /// The report about the properties of `machine` so far.
    report: Option<Report>,
    /// Whether the first search ended at its own limit of states.
    limited: bool,
    /// The refusal of the explicit search, if it cannot represent the Machine.
    refused: Option<Refusal>,
    /// Whether no further row is tried.
    finished: bool,
}

impl Play<'_> {
    fn try_row(&mut self, row: &Row, log: &Log) -> Result<(), Refusal> {
        let open = self.open();
        let meter = Meter::new(self.budget);
        let result = cancellation::catch(|| match row.step {
            Step::SearchUpToIsomorphism => self.search_up_to_isomorphism(&meter),
            Step::EventOrder => self.event_order(&meter),
            Step::FirstSearch => self.first_search(row.effort, &meter),
            Step::RandomRuns => self.random_runs(&meter),
            Step::Circuits => self.circuits(row.effort, &meter),
            Step::OnlyCircuits => self.only_circuits(&meter),
            Step::WholeSearch => self.whole_search(&meter),
            Step::Digitisation => self.digitisation(&meter),
        });
        let result = result.unwrap_or_else(|Cancelled| {
            self.cancelled();
            Ok(())
        });
        // A small search may end before its first call of `Budget::ask`, so the count of the report is used too.
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

    /// Ends the execution after a row was cancelled. The results of earlier rows stay; if there are none, the limit is
    /// the reason for unknown answers.
    fn cancelled(&mut self) {
        self.finished = true;
        self.refused = None;
        if self.report.is_none() {
            let spent = self.budget.ask(&Progress::default());
            let why = Reason::limit(spent.unwrap_or(Spent::Interrupted));
            let open = Report::unanswered(&self.machine, why);
            self.report = Some(Report {
                results: open.results,
                ..event_order::nothing()
            });
        }
    }

    /// Renumbers the property in a contradiction: from its index among the open properties to its index in the whole
    /// Machine. Other refusals are unchanged.
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

    /// The number of properties that are open now.
    fn open(&self) -> u64 {
        match &self.report {
            Some(report) => report.answers().filter(|a| a.is_open()).count() as u64,
            None => self.machine.properties.len() as u64,
        }
    }

    fn has_turn(&self, turn: Turn) -> bool {
        // A question without properties is searched once: the search still reports errors and the events that occur.
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

    /// Ends the execution and merges all results into one report.
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
        // If a limit ended the rows after the first search, that limit is the reason, not the limit of the first
        // search.
        if let Some(spent) = self.budget.ask(&Progress::default()) {
            let results = report.results.iter_mut();
            results.for_each(|result| ended_by(&mut result.answer, &spent));
        }
        if let Some(known) = self.ordered {
            event_order_search::insert(&mut report, known);
        }
        Ok(report)
    }

    /// Row: explicit search of one graph that represents all numberings of its nodes.
    fn search_up_to_isomorphism(&mut self, budget: &dyn Budget) -> Result<(), Refusal> {
        let report = explicit_search::answer_on_a_graph(&self.question(), budget)?;
        self.report = Some(report);
        self.finished = true;
        Ok(())
    }

    /// Row: the order-of-events engine, one property at a time.
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
            // If a limit was reached, no other method starts.
            let open = Report::unanswered(&self.machine, Reason::limit(spent));
            self.report = Some(Report {
                results: open.results,
                ..event_order::nothing()
            });
            self.finished = true;
        }
        Ok(())
    }

    /// Row: explicit search up to a number of states.
    fn first_search(&mut self, effort: Effort, budget: &dyn Budget) -> Result<(), Refusal> {
        let Effort::States(most) = effort else {
            return self.whole_search(budget);
        };
        let limited = StateLimited::together(budget, most);
        let report = match search(&self.question(), &limited) {
            Err(Refusal::Unsupported(what)) => {
                self.refused = Some(Refusal::Unsupported(what.clone()));
                Report::unanswered(&self.machine, Reason::no_states(what))
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
        let properties = report.results.iter_mut().zip(&self.machine.properties);
        for (result, property) in properties.filter(|(result, _)| result.answer.is_open()) {
            if let Some(found) = random_search::look(&self.machine, property, budget) {
                result.answer = found;
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

    /// Row: circuits for all properties, if the explicit search cannot represent the Machine.
    fn only_circuits(&mut self, budget: &dyn Budget) -> Result<(), Refusal> {
        self.finished = true;
        match circuit_search::answer(&self.question(), None, budget) {
            Ok(report) if !report.answers().all(Answer::is_open) => {
                self.report = Some(report);
                self.refused = None;
            }
            _ => {}
        }
        Ok(())
    }

    /// Row: explicit search without a limit of its own. It searches for all properties, also the decided ones, so that
    /// its counts are those of the model.
    fn whole_search(&mut self, budget: &dyn Budget) -> Result<(), Refusal> {
        let whole = search(&self.question(), budget)?;
        self.report = Some(match self.report.take() {
            Some(first) => continued(first, whole)?,
            None => whole,
        });
        Ok(())
    }

    /// Row: digitisation, in which all times are multiples of a unit.
    fn digitisation(&mut self, budget: &dyn Budget) -> Result<(), Refusal> {
        let engine = &explicit_search::answer;
        let found = digitisation::answer(&self.question(), engine, budget)?;
        let Some(report) = &mut self.report else {
            self.report = Some(found);
            return Ok(());
        };
        for (first, second) in report.results.iter_mut().zip(found.results) {
            if first.answer.is_open() && !second.answer.is_open() {
                *first = second;
                report.abstraction = found.abstraction.clone();
            }
        }
        Ok(())
    }
}

/// The explicit search; in a Machine with time it runs inside the CEGAR loop.
fn search(question: &Question<'_>, budget: &dyn Budget) -> Result<Report, Refusal> {
    match question.machine.has_time() {
        false => explicit_search::answer(question, budget),
        true => cegar::answer(question, &Rational::ONE, &explicit_search::answer, budget),
    }
}

/// The report of the whole search, with the answers that earlier rows had decided (`first`). If the whole search was
/// interrupted after fewer states than the first one, the unknown answers and the counts come from `first`.
fn continued(first: Report, mut whole: Report) -> Result<Report, Refusal> {
    agree(&first, &whole)?;
    if whole.counts.states < first.counts.states && !whole.findings.complete {
        for (result, before) in whole.results.iter_mut().zip(first.answers()) {
            if result.answer.is_open() && before.is_open() {
                let spent = limit_of(&mut result.answer).cloned();
                result.answer = before.clone();
                if let Some(spent) = spent {
                    ended_by(&mut result.answer, &spent);
                }
            }
        }
        whole.counts = first.counts;
        whole.findings.explored = first.findings.explored;
    }
    for (result, before) in whole.results.iter_mut().zip(first.results) {
        if result.answer.is_open() && !before.answer.is_open() {
            *result = PropertyResult {
                premise: result.premise,
                latest: result.latest.take(),
                ..before
            };
        }
    }
    Ok(whole)
}

/// The limit in the reason of an unknown answer.
fn limit_of(answer: &mut Answer) -> Option<&mut Spent> {
    let Answer::Unknown(Reason::Ended { cause, .. }) = answer else {
        return None;
    };
    match cause {
        Cause::Limit(spent)
        | Cause::LimitAfter { spent, .. }
        | Cause::LimitInInfiniteRuns(spent) => Some(spent),
        Cause::CountersGrow { .. } => None,
    }
}

/// Makes `spent` the limit that ended the answer, if the answer names the limit of a first search.
fn ended_by(answer: &mut Answer, spent: &Spent) {
    if let Some(limit) = limit_of(answer)
        && *limit == Spent::Brief
    {
        *limit = spent.clone();
    }
}

/// An error if two reports about the same properties contradict each other. This ends the whole call.
pub(crate) fn agree(first: &Report, second: &Report) -> Result<(), Refusal> {
    let mut answers = first.answers().zip(second.answers());
    let Some(property) = answers.position(|(a, b)| a.contradicts(b)) else {
        return Ok(());
    };
    let opinion = |report: &Report| {
        let result = &report.results[property];
        Opinion {
            method: result.by.unwrap_or(report.method),
            answer: result.answer.clone(),
            evidence: result.evidence.clone(),
        }
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
    use verdict::{Established, Unlimited};

    /// A search that ended at this limit after so many states.
    fn ended(machine: &Machine, spent: Spent, states: u64) -> Report {
        let cause = Cause::LimitAfter {
            spent,
            states,
            depth: None,
        };
        let established = Established::Nothing;
        let mut report = Report::unanswered(machine, Reason::Ended { cause, established });
        report.counts.states = states;
        report.findings.complete = false;
        report
    }

    /// The whole search begins anew, so a limit may end it after fewer states than the first search. The answer names
    /// this limit, with the states of the first search.
    #[test]
    fn the_limit_of_the_first_search_is_no_reason() {
        let text =
            "(kind P 1) (var P a bool (is false)) (claim c (always (state (var a (node 1)))))";
        let machine = machine::parse(text).expect("a machine");
        let limit = Spent::Time(std::time::Duration::from_secs(5));
        let first = ended(&machine, Spent::Brief, 3_000_000);
        let whole = ended(&machine, limit.clone(), 1_000);
        let report = continued(first, whole).expect("no contradiction");
        let expected = ended(&machine, limit, 3_000_000);
        assert!(report.answers().eq(expected.answers()));
    }

    /// The explicit search refuses the Machine, and circuits decide the property that the order of events has left
    /// open.
    #[test]
    fn answers_of_the_event_order_keep_their_places_after_a_refused_search() {
        let text =
            "(kind P 1) (var P a bool (is false)) (claim c (always (state (var a (node 1)))))";
        let machine = machine::parse(text).expect("a machine");
        let mut report = Report::unanswered(&machine, Reason::NoMethod);
        report.results = vec![Answer::Impossible.into()];
        let play = Play {
            fair: true,
            machine,
            budget: &Unlimited,
            ordered: Some(vec![Some(Answer::Holds.into()), None]),
            report: Some(report),
            limited: false,
            refused: Some(Refusal::Unsupported("a type".into())),
            finished: false,
        };
        let report = play.end().expect("everything is decided");
        assert!(report.answers().eq(&[Answer::Holds, Answer::Impossible]));
    }
}
