//! Schedules of activations for given parameter values, and the names of their blocks.

use crate::context::lowering::Lowering;
use crate::instances::request::no_value;
use machine::{First, Jitter, Periodic, Timing};
use model::{Constant, Environment, Every, Schedule, Times, TimingError};
use rational::Rational;
use source::{Diagnostic, Span, codes};

impl<'a> Lowering<'a> {
    /// The name of an `every` block, and its schedule. `head` is the span of the head.
    pub(crate) fn schedule(&mut self, every: &'a Every, head: Span) -> (String, Timing) {
        let schedule = self.schedule_of(every);
        let (text, timing) = match schedule {
            Schedule::Any => ("any".to_string(), Timing::Any),
            Schedule::Round(None) => ("round".into(), Timing::Round(1)),
            Schedule::Round(Some(ahead)) => {
                let least = "a node must be able to be one ahead of the others";
                let ahead = self.small(ahead, 1, least).unwrap_or(1);
                (format!("round({ahead})"), Timing::Round(ahead))
            }
            Schedule::Periodic(periodic) => {
                let env = Environment::new(self.model, &self.instance.params);
                let times = periodic.times(self.model, &env);
                match times {
                    Ok(times) => (self.gap_text(&times), Timing::Periodic(timing(times))),
                    Err(error) => {
                        self.no_times(&error);
                        (String::new(), Timing::Any)
                    }
                }
            }
        };
        self.check_time_model(&timing, head);
        let name = match every {
            Every::Named(id) => self.model.timing(*id).name.clone(),
            Every::Own(_) => text,
        };
        (format!("every {name}"), timing)
    }

    /// The schedule after `every`; the world of the check may replace a named timing.
    fn schedule_of(&self, every: &'a Every) -> &'a Schedule {
        match every {
            Every::Own(schedule) => schedule,
            Every::Named(id) => {
                let world = self.check.world.map(|w| self.model.world(w));
                let replaced = world.and_then(|w| w.timings.iter().find(|(t, _)| t == id));
                replaced.map_or(&self.model.timing(*id).schedule, |(_, schedule)| schedule)
            }
        }
    }

    /// Records whether a schedule has rounds or real times; reports a check that has both.
    fn check_time_model(&mut self, timing: &Timing, head: Span) {
        match timing {
            Timing::Any => {}
            Timing::Round(_) => self.set_time_model(false, head),
            Timing::Periodic(_) => self.set_time_model(true, head),
        }
    }

    /// Records that a span has real times; reports it in a check with rounds.
    pub(crate) fn has_times(&mut self, place: Span) {
        self.set_time_model(true, place);
    }

    fn set_time_model(&mut self, sort: bool, head: Span) {
        let (timed, first) = *self.real_times.get_or_insert((sort, head));
        if timed == sort {
            return;
        }
        let here = if sort { "times" } else { "rounds" };
        let there = if sort { "rounds" } else { "times" };
        let text = format!("in one check there are rounds or real times; here are {here}");
        self.report(
            Diagnostic::error(codes::ROUND_AND_TIMES, head, text)
                .other(first, format!("and here are {there}"))
                .other(self.check.span, "this check"),
        );
    }

    pub(crate) fn no_times(&mut self, error: &TimingError) {
        let diagnostic = match error {
            TimingError::NoValue(error) => no_value(error),
            TimingError::Bad(span, text) => Diagnostic::error(
                codes::BAD_TIMING,
                *span,
                format!("with these parameters {text}"),
            )
            .other(self.check.span, "this check"),
        };
        self.report(diagnostic);
    }

    fn gap_text(&self, times: &Times) -> String {
        let text = |time: &Rational| Constant::Duration(time.clone()).text(self.model);
        match &times.gap {
            (a, b) if a == b => text(a),
            (a, b) => format!("{} .. {}", text(a), text(b)),
        }
    }
}

fn timing(times: Times) -> Periodic {
    let bound = |time: Option<Rational>| time.map_or(First::Period, First::At);
    Periodic {
        gap: times.gap,
        fixed: times.fixed,
        jitter: match times.jitter {
            None => Jitter::None,
            Some(amount) if times.on_the_grid => Jitter::OnGrid(amount),
            Some(amount) => Jitter::PerGap(amount),
        },
        first: (bound(times.first.0), bound(times.first.1)),
    }
}
