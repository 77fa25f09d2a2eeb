//! The sentences for a search for a least or greatest value that has no result.

use super::reason;
use verdict::{Labels, NoThreshold, NotMonotone, Premise, Sought, Undecided, Unsought};

pub(super) fn unsought(unsought: &Unsought, labels: &Labels) -> String {
    match unsought {
        Unsought::EmptyRange => "there is no value to try".into(),
        Unsought::NoRange => "it has no range: `param x: 0..20 = …` gives it one".into(),
        Unsought::At {
            value,
            undecided,
            fails_before,
        } => {
            let before = match fails_before {
                true => "; it fails for every value before",
                false => "",
            };
            let value = said(value, labels);
            format!("{}{before}", at(&value, "", undecided, labels))
        }
        Unsought::Beyond {
            value,
            ascending,
            holds,
            open,
        } => {
            let (than, way) = match ascending {
                true => ("more", "up"),
                false => ("less", "down"),
            };
            let so = if *holds { "holds" } else { "fails" };
            let every = match value {
                Sought::Time(_) => "time",
                Sought::Number(_) => "value",
            };
            let value = said(value, labels);
            let open = open.as_ref().map(|(value, undecided)| {
                let (value, why) = (said(value, labels), self::undecided(undecided, labels));
                format!(", and is not decided for {value}: {why}")
            });
            format!(
                "{than} than {value}: it {so} for every {every} {way} to there{}",
                open.unwrap_or_default()
            )
        }
        Unsought::NotMonotone(why) => not_monotone(*why),
        Unsought::NoThreshold(why) => no_threshold(why, labels),
        Unsought::OnGraph {
            graph,
            value,
            undecided,
        } => {
            let graph = format!(" on the graph {graph}");
            at(&value.to_string(), &graph, undecided, labels)
        }
        Unsought::GraphsDisagree { graph, own, value } => format!(
            "on the graph {graph} the claim holds for {own}, but not for {value}, which another graph needs"
        ),
    }
}

pub(super) fn said(value: &Sought, labels: &Labels) -> String {
    match value {
        Sought::Number(number) => number.to_string(),
        Sought::Time(time) => labels.time(time),
    }
}

/// Why the claim is not decided for a value; `place` names the graph, if there are several.
fn at(value: &str, place: &str, undecided: &Undecided, labels: &Labels) -> String {
    let why = self::undecided(undecided, labels);
    match undecided {
        Undecided::Vacuous(_) => format!("for {value}{place} {why}"),
        _ => format!("not decided for {value}{place}: {why}"),
    }
}

fn undecided(undecided: &Undecided, labels: &Labels) -> String {
    match undecided {
        Undecided::Open(why) => reason(why, labels),
        Undecided::Vacuous(Premise::Never) => {
            "the claim says nothing, for its premise is never true".into()
        }
        Undecided::Vacuous(_) => {
            "the claim holds, but it is not known whether its premise can ever be true".into()
        }
        Undecided::NoModel => "the model has no meaning there".into(),
        Undecided::Error => "a run ends in an error".into(),
        Undecided::RestsOnFixedPeriods => {
            "where periods vary from gap to gap a run breaks it, so that it rests on their being fixed".into()
        }
        Undecided::JitterOnGrid => "jitter on the grid is more than bounds of gaps".into(),
    }
}

fn not_monotone(why: NotMonotone) -> String {
    match why {
        NotMonotone::WholeRuns => "the claim is about whole runs, not about every state".into(),
        NotMonotone::Elsewhere => {
            "the time stands elsewhere than behind a comparison with `now` or behind `within`"
                .into()
        }
        NotMonotone::BothForms => {
            "the time stands both behind `within` and behind a comparison with `now`".into()
        }
        NotMonotone::Arithmetic => {
            "the time is multiplied, divided or subtracted where it is compared".into()
        }
        NotMonotone::Independent => "the claim does not depend on the time".into(),
        NotMonotone::Neither => "a larger time makes the claim neither weaker nor stronger".into(),
        NotMonotone::WrongWay { greatest } => {
            let (makes, word) = match greatest {
                true => ("weaker", "greatest"),
                false => ("stronger", "least"),
            };
            format!("a larger time makes the claim {makes}: there is no {word} one to look for")
        }
    }
}

fn no_threshold(why: &NoThreshold, labels: &Labels) -> String {
    let time = |value| labels.time(value);
    match why {
        NoThreshold::Unused { parameter, here } => {
            let here = if *here { " here" } else { "" };
            format!("no time of a rhythm or of a message depends on `{parameter}`{here}")
        }
        NoThreshold::NotAffine { parameter, line } => format!(
            "a time in line {line} is not a multiple of `{parameter}` plus a constant, and no method of this version \
             finds the border then: `for {parameter} in {{ … }}` asks for single times"
        ),
        NoThreshold::Elsewhere { parameter, line } => format!(
            "`{parameter}` also stands in line {line}, not only in the times of rhythms and messages, and no method of \
             this version finds the border then: `for {parameter} in {{ … }}` asks for single times"
        ),
        NoThreshold::NotATime(parameter) => format!("`{parameter}` is not a time"),
        NoThreshold::OneValue { parameter, value } => {
            format!("the model has a meaning for `{parameter}` = {} only", time(value))
        }
        NoThreshold::OtherModel(parameter) => {
            format!("another value of `{parameter}` makes a model that differs in more than times")
        }
        NoThreshold::BothWays(parameter) => format!(
            "a larger `{parameter}` allows runs that a smaller one does not, and the other way round: there may be \
             several borders, and no method of this version finds them: `for {parameter} in {{ … }}` asks for single times"
        ),
        NoThreshold::WrongWay {
            parameter,
            greatest,
        } => {
            let (word, runs) = match greatest {
                true => ("greatest", "fewer"),
                false => ("least", "more"),
            };
            format!("a larger `{parameter}` allows {runs} runs, so that there is no {word} one to look for")
        }
        NoThreshold::WholeRuns => {
            "the claim is about whole runs, not about every state, and no method of this version finds the border then"
                .into()
        }
        NoThreshold::Between {
            fails,
            holds,
            undecided,
        } => format!(
            "it fails from {} on, and holds up to {}; between them it is not decided: {}",
            time(fails),
            time(holds),
            self::undecided(undecided, labels)
        ),
        NoThreshold::Before { fails, undecided } => format!(
            "it fails from {} on; whether it holds just before is not decided: {}",
            time(fails),
            self::undecided(undecided, labels)
        ),
        NoThreshold::AgainAndAgain(value) => format!(
            "it fails for {}, and again and again for smaller changes",
            time(value)
        ),
        NoThreshold::Rejected(why) => why.clone(),
        NoThreshold::NoTimes => "a run has no times at its own border".into(),
    }
}
