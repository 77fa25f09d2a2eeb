//! Time for engines that know only the order of events: a abstraction that is refined until its answers are real.
//!
//! The first abstraction allows any order. A run that breaks a claim there is a candidate: it gets real times
//! (`audit::realise`), or there are none; then a rule is looked for that follows from the declared times and
//! does not allow its order, the abstraction gets that rule, and the question is asked again. What holds on a abstraction
//! holds for all exact runs, for a abstraction has at least their orders; nothing is said to fail without times.
//!
//! First only rules about a few gaps are tried: they hold for ever, and most questions need no others. When
//! they do not help any more a run at the ends of what times allow may answer (`extremes`); otherwise everything
//! begins anew with rules that count from the start, which are cheap where a question is about the first so
//! many activations.

use crate::extremes;
use audit::{Realised, Replayed};
use machine::{
    Abstraction, ChainRule, Frozen, KindId, Machine, OrderRule, Pace, Periodic, Property,
    PropertyKind, Window, chain_rule, order_rule,
};
use rational::Rational;
use verdict::{Answer, Budget, Ending, Premise, Progress, Question, Refusal, Report, Run, Spent};

/// Abstraction that are tried at most.
const MOST_RULES: usize = 200;

/// The same, where a run is known and a shorter one is looked for.
const MOST_RULES_FOR_SHORTER: usize = 40;

/// Constants and faults for which a run at extreme times is looked for, at most.
const MOST_TRIED: usize = 8;

/// An engine.
pub(crate) type Engine<'e> = &'e dyn Fn(&Question<'_>, &dyn Budget) -> Result<Report, Refusal>;

/// Answers a question about a Machine with real times by an engine that knows only orders. Times in runs
/// are simple multiples of `unit`.
pub(crate) fn answer(
    question: &Question<'_>,
    unit: &Rational,
    engine: Engine<'_>,
    budget: &dyn Budget,
) -> Result<Report, Refusal> {
    let ladder = Ladder {
        fair: question.fair,
        unit,
        engine,
        budget,
    };
    let mut rules = Rules::default();
    let mut report = ladder.climb(question.machine, &mut rules, Shown::ToPeople)?;
    ladder.meet_premises(question.machine, rules, &mut report);
    Ok(report)
}

/// From abstraction to abstraction.
struct Ladder<'a> {
    fair: bool,
    unit: &'a Rational,
    engine: Engine<'a>,
    budget: &'a dyn Budget,
}

/// The rules of a abstraction.
#[derive(Default)]
struct Rules {
    windows: Vec<OrderRule>,
    chains: Vec<ChainRule>,
    /// Some count from the start; otherwise all are about a few gaps.
    from_start: bool,
}

/// A rule that excludes a run.
enum Rule {
    Window(OrderRule),
    Chain(ChainRule),
}

impl Rules {
    fn len(&self) -> usize {
        self.windows.len() + self.chains.len()
    }

    fn add(&mut self, rule: Rule) {
        match rule {
            Rule::Window(rule) => self.windows.push(rule),
            Rule::Chain(new) => {
                // One that says the same of fewer activations is not needed any more.
                let less = |old: &ChainRule| {
                    let same = ChainRule {
                        activations: new.activations,
                        ..old.clone()
                    };
                    same == new && old.activations <= new.activations
                };
                self.chains.retain(|old| !less(old));
                self.chains.push(new);
            }
        }
    }
}

/// A budget for what is only worth a limited effort, counted in states so that the answer is the same every
/// time.
pub(crate) struct Patient<'a> {
    pub(crate) budget: &'a dyn Budget,
    /// States that are visited at most.
    pub(crate) most: u64,
}

/// States of one abstraction that are visited to find a shorter run.
const MOST_STATES_FOR_SHORTER: u64 = 50_000;

impl<'a> Patient<'a> {
    /// For a shorter run than one that is known.
    pub(crate) fn new(budget: &'a dyn Budget) -> Patient<'a> {
        let most = MOST_STATES_FOR_SHORTER;
        Patient { budget, most }
    }
}

// Nothing is kept of what is only worth a limited effort: it would be more the next time.
impl Budget for Patient<'_> {
    fn ask(&self, progress: &Progress) -> Option<Spent> {
        match progress.states > self.most {
            true => Some(Spent::Brief),
            false => self.budget.ask(progress),
        }
    }

    fn solver(&self) -> sat::Backend {
        self.budget.solver()
    }
}

/// Who sees the runs that are found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// They had better be short, with events apart from each other.
    ToPeople,
    /// Any will do.
    ToNobody,
}

impl Ladder<'_> {
    /// Answers the properties of a Machine, from a abstraction with these rules on; leaves those of the last abstraction.
    fn climb(&self, exact: &Machine, rules: &mut Rules, shown: Shown) -> Result<Report, Refusal> {
        let mut answers: Vec<Option<Answer>> = vec![None; exact.properties.len()];
        let mut premises = vec![None; exact.properties.len()];
        let mut by = vec![None; exact.properties.len()];
        // By property: of which constants and faults a run at extreme times was looked for.
        let mut tried: Vec<Vec<Frozen>> = vec![Vec::new(); exact.properties.len()];
        // Runs at extreme times: they are long, so shorter ones are looked for with a limited effort.
        let mut spare: Vec<Option<Answer>> = vec![None; exact.properties.len()];
        loop {
            let open: Vec<usize> = (0..answers.len())
                .filter(|p| answers[*p].is_none())
                .collect();
            let abstraction = at_abstraction(
                exact,
                rules,
                open.iter().map(|p| exact.properties[*p].clone()),
            );
            let asked = Question {
                machine: &abstraction,
                fair: self.fair,
            };
            let patient = Patient::new(self.budget);
            let (budget, most_rules): (&dyn Budget, _) =
                match open.iter().all(|p| spare[*p].is_some()) {
                    true => (&patient, MOST_RULES_FOR_SHORTER),
                    false => (self.budget, MOST_RULES),
                };
            let mut report = (self.engine)(&asked, budget)?;
            for (i, p) in open.iter().enumerate() {
                premises[*p] = report.findings.premises.get(i).copied().flatten();
                by[*p] = report.findings.by.get(i).copied().flatten();
            }
            let mut unreal: Vec<(usize, Unreal)> = Vec::new();
            let found = std::mem::take(&mut report.answers);
            for (i, answer) in found.into_iter().enumerate() {
                match real(&asked, exact, i, answer, self.unit) {
                    Ok(Answer::Unknown(_)) if spare[open[i]].is_some() => {
                        answers[open[i]] = spare[open[i]].take();
                    }
                    Ok(answer) => answers[open[i]] = Some(answer),
                    Err(without_times) => unreal.push((open[i], without_times)),
                }
            }
            let rule = unreal
                .last()
                .and_then(|(_, unreal)| refusing(exact, unreal, !rules.from_start));
            for (p, unreal) in &unreal {
                let due = shown == Shown::ToNobody
                    || (rule.is_none() && !rules.from_start)
                    || goes_on(&exact.properties[*p]);
                let frozen = &unreal.run.frozen;
                if due && tried[*p].len() < MOST_TRIED && !tried[*p].contains(frozen) {
                    tried[*p].push(frozen.clone());
                    let found = self.at_extremes(exact, *p, &unreal.run);
                    match shown {
                        Shown::ToPeople => spare[*p] = spare[*p].take().or(found),
                        Shown::ToNobody => answers[*p] = found,
                    }
                }
            }
            let last = match rule {
                _ if answers.iter().all(Option::is_some) => true,
                None if !rules.from_start => {
                    *rules = Rules {
                        from_start: true,
                        ..Rules::default()
                    };
                    false
                }
                Some(rule) if rules.len() < most_rules => {
                    rules.add(rule);
                    self.budget.ask(&Progress::default()).is_some()
                }
                _ => {
                    use_spare(&mut answers, &mut spare);
                    unanswered(
                        &mut answers,
                        "an order of events was found that real times do not allow, and no rule about two or three nodes excludes it",
                    );
                    true
                }
            };
            if last {
                use_spare(&mut answers, &mut spare);
                unanswered(
                    &mut answers,
                    "the limit was reached while orders that real times do not allow were being excluded",
                );
                report.answers = answers.into_iter().flatten().collect();
                report.findings.premises = premises;
                // It is about a Machine of this abstraction, and only about what was asked last.
                report.evidence.clear();
                report.findings.by = by;
                report.abstraction = Some(describe(exact, rules));
                let real_run = |run: Box<Run>| real_run(&asked, exact, &run, self.unit);
                report.findings.deadlock = report.findings.deadlock.and_then(real_run);
                report.findings.error = report.findings.error.and_then(real_run);
                return Ok(report);
            }
        }
    }

    /// A run at extreme times, from where another one began, that answers a property.
    fn at_extremes(&self, exact: &Machine, property: usize, began: &Run) -> Option<Answer> {
        let stands = |answer: &Answer| self.stands(exact, property, answer);
        let property = &exact.properties[property];
        let answer = extremes::answer(exact, property, began, self.budget, &stands)?;
        stands(&answer).then_some(answer)
    }

    /// Whether the run of an answer shows what it says, times included.
    fn stands(&self, exact: &Machine, property: usize, answer: &Answer) -> bool {
        let question = Question {
            machine: exact,
            fair: self.fair,
        };
        audit::confirm(&question, property, answer).is_ok()
    }

    /// A premise that a abstraction meets may need an order that real times do not allow. So of each claim that
    /// holds it is asked whether its premise is met by a run with times.
    fn meet_premises(&self, exact: &Machine, mut rules: Rules, report: &mut Report) {
        let on_abstraction = &mut report.findings.premises;
        let mut asking: Vec<usize> = Vec::new();
        let mut properties: Vec<Property> = Vec::new();
        for (p, property) in exact.properties.iter().enumerate() {
            let PropertyKind::Claim(claim) = &property.kind else {
                continue;
            };
            if report.answers[p] == Answer::Holds
                && on_abstraction[p] == Some(Premise::Met)
                && let Some(premise) = claim.premise()
            {
                asking.push(p);
                properties.push(Property {
                    kind: PropertyKind::Possible(premise),
                    ..property.clone()
                });
            }
        }
        if asking.is_empty() {
            return;
        }
        let exact = Machine {
            properties,
            ..exact.clone()
        };
        let answers = self.climb(&exact, &mut rules, Shown::ToNobody);
        let answers = answers.map_or(Vec::new(), |report| report.answers);
        for (i, p) in asking.into_iter().enumerate() {
            on_abstraction[p] = Some(match answers.get(i) {
                Some(answer @ Answer::Possible(_)) if self.stands(&exact, i, answer) => {
                    Premise::Met
                }
                Some(Answer::Impossible) => Premise::Never,
                _ => Premise::Open,
            });
        }
    }
}

/// Whether a property is about runs that go on for ever. How long a loop must be to have times is hard to say for
/// who knows only orders.
fn goes_on(property: &Property) -> bool {
    match &property.kind {
        PropertyKind::Claim(claim) => claim.invariant().is_none(),
        PropertyKind::Possible(_) => false,
    }
}

fn use_spare(answers: &mut [Option<Answer>], spare: &mut [Option<Answer>]) {
    for (answer, spare) in answers.iter_mut().zip(spare) {
        *answer = answer.take().or_else(|| spare.take());
    }
}

fn unanswered(answers: &mut [Option<Answer>], why: &str) {
    for answer in answers {
        answer.get_or_insert_with(|| Answer::Unknown(why.into()));
    }
}

/// The Machine on a abstraction, with these properties.
fn at_abstraction(
    exact: &Machine,
    rules: &Rules,
    properties: impl Iterator<Item = Property>,
) -> Machine {
    Machine {
        abstraction: Abstraction::Order(rules.windows.clone(), rules.chains.clone()),
        properties: properties.collect(),
        ..exact.clone()
    }
}

/// The Machine on the abstraction that allows any order.
pub(crate) fn at_abstraction_without_rules(exact: &Machine) -> Machine {
    at_abstraction(exact, &Rules::default(), exact.properties.iter().cloned())
}

/// The answer to the only property with a real run, if there is one.
pub(crate) fn real_answer(
    asked: &Question<'_>,
    exact: &Machine,
    answer: Answer,
    unit: &Rational,
) -> Option<Answer> {
    match real(asked, exact, 0, answer, unit) {
        Ok(Answer::Unknown(_)) | Err(_) => None,
        Ok(answer) => Some(answer),
    }
}

/// A run of a abstraction for which there are no times, with its states.
struct Unreal {
    run: Box<Run>,
    replayed: Replayed,
}

/// The answer with a real run; or the run for which there are no times.
fn real(
    asked: &Question<'_>,
    exact: &Machine,
    property: usize,
    answer: Answer,
    unit: &Rational,
) -> Result<Answer, Unreal> {
    let replayed = match audit::confirm(asked, property, &answer) {
        Ok(Some(replayed)) => replayed,
        Ok(None) => return Ok(answer),
        Err(rejected) => return Ok(Answer::Unknown(rejected.to_string())),
    };
    let Some(run) = answer.run() else {
        return Ok(answer);
    };
    let run = Box::new(run.clone());
    match audit::realise(exact, &run, &replayed, unit) {
        Ok(Realised::Run(run)) => Ok(answer.with_run(run)),
        Ok(Realised::Never(_)) => Err(Unreal { run, replayed }),
        Err(rejected) => Ok(Answer::Unknown(rejected.to_string())),
    }
}

/// A run with times, if it has any.
fn real_run(asked: &Question<'_>, exact: &Machine, run: &Run, unit: &Rational) -> Option<Box<Run>> {
    let replayed = audit::replay(asked.machine, run).ok()?;
    match audit::realise(exact, run, &replayed, unit) {
        Ok(Realised::Run(run)) => Some(run),
        _ => None,
    }
}

/// The cheapest rule that follows from the declared times and does not allow a run.
fn refusing(exact: &Machine, unreal: &Unreal, only_gaps: bool) -> Option<Rule> {
    let rhythms = exact.rhythms();
    let refuses = |rule: Rule| {
        let mut rules = Rules::default();
        rules.add(rule);
        let refused = is_refused(exact, &rules, unreal);
        let windows = rules.windows.pop().map(Rule::Window);
        windows
            .or(rules.chains.pop().map(Rule::Chain))
            .filter(|_| refused)
    };
    let windows = windows(unreal.run.choices.len() as u32, only_gaps);
    let window = windows.into_iter().find_map(|(window, least)| {
        rhythms.iter().find_map(|of| {
            rhythms.iter().find_map(|with| {
                let rule = one_sided(*of, *with, window, least)?;
                refuses(Rule::Window(rule))
            })
        })
    });
    if window.is_some() || only_gaps {
        return window;
    }
    let most = most_activations(exact, unreal);
    let triples = rhythms.iter().flat_map(|of| {
        let pairs = rhythms
            .iter()
            .flat_map(|with| rhythms.iter().map(move |then| (with, then)));
        pairs.map(move |(with, then)| [*of, *with, *then])
    });
    let mut tried = triples.flat_map(|kinds| LEADS.map(|leads| (kinds, leads)));
    tried.find_map(|(kinds, leads)| refuses(Rule::Chain(chain_rule(kinds, most, leads)?)))
}

/// Leads among three nodes that are tried, the strictest first.
const LEADS: [(u32, u32); 6] = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2)];

/// How many activations of one node a run has at the most.
fn most_activations(exact: &Machine, unreal: &Unreal) -> u32 {
    let choices = unreal.run.choices.iter();
    let activated: Vec<_> = choices.filter_map(|c| exact.activates(&c.event)).collect();
    let of = |node| activated.iter().filter(|n| **n == node).count() as u32;
    exact.nodes().map(of).max().unwrap_or(0)
}

/// The windows to try, the cheap ones first, with whether it is about the least or the greatest number.
fn windows(events: u32, only_gaps: bool) -> Vec<(Window, bool)> {
    let gaps = |range: std::ops::RangeInclusive<u32>, least| {
        range.map(move |gaps| (Window::Gaps { gaps, early: true }, least))
    };
    let starts = (1..=events.min(64)).map(Window::Start);
    let starts = starts.flat_map(|window| [(window, true), (window, false)]);
    let few = gaps(1..=4, true).chain(gaps(1..=2, false));
    match only_gaps {
        true => few.collect(),
        false => starts
            .chain(few)
            .chain(gaps(5..=12, true))
            .chain(gaps(3..=12, false))
            .collect(),
    }
}

/// The rule for a window with only one of its bounds, if that says anything.
fn one_sided(
    of: (KindId, &Periodic),
    with: (KindId, &Periodic),
    window: Window,
    least: bool,
) -> Option<OrderRule> {
    let both = order_rule(of, with, window);
    match least {
        true if both.least > 0 => Some(OrderRule { most: None, ..both }),
        true => None,
        false => Some(OrderRule { least: 0, ..both }),
    }
}

/// Whether rules do not allow the order of a run.
fn is_refused(exact: &Machine, rules: &Rules, unreal: &Unreal) -> bool {
    let machine = at_abstraction(exact, rules, std::iter::empty());
    let pace = Pace::of(&machine);
    let mut numbers = pace.start();
    let (run, states) = (&unreal.run, &unreal.replayed.states);
    let is_out = |numbers: &mut Vec<i64>, event: usize| {
        let runs = |state: usize| {
            let state = &states[state.min(states.len() - 1)];
            move |node: machine::NodeId| state.nodes[node.index()].mode.runs()
        };
        if let Some(node) = machine.activates(&run.choices[event].event) {
            if !pace.allows(numbers, node, &runs(event)) {
                return true;
            }
            pace.activated(numbers, node, &runs(event + 1));
        }
        pace.settle(numbers, &runs(event + 1));
        false
    };
    for event in 0..run.choices.len() {
        if is_out(&mut numbers, event) {
            return true;
        }
    }
    if let Ending::Loops(from) = run.ending {
        let mut seen = Vec::new();
        while !seen.contains(&numbers) {
            seen.push(numbers.clone());
            for event in from..run.choices.len() {
                if is_out(&mut numbers, event) {
                    return true;
                }
            }
        }
    }
    false
}

/// A abstraction in words.
fn describe(machine: &Machine, rules: &Rules) -> String {
    if rules.len() == 0 {
        return "untimed: any order of events".into();
    }
    let kind = |kind: KindId| &machine.kinds[kind.index()].name;
    let said = rules.windows.iter().map(|rule| {
        let window = match rule.window {
            Window::Gaps { gaps: 1, .. } => format!("in a gap of {}", kind(rule.of)),
            Window::Gaps { gaps, .. } => format!("in {gaps} gaps of {}", kind(rule.of)),
            Window::Start(n) => format!("before activation {n} of {}", kind(rule.of)),
        };
        let count = match rule.most {
            Some(most) => format!("at most {most}"),
            None => format!("at least {}", rule.least),
        };
        format!("{window} {count} of {}", kind(rule.with))
    });
    let chains = rules.chains.iter().map(|rule| {
        let (n, (first, second)) = (rule.activations, rule.leads);
        let (of, with, then) = (kind(rule.of), kind(rule.with), kind(rule.then));
        format!(
            "within {n} activations no {with} that a {of} was {first} ahead of is itself {second} ahead of a {then}"
        )
    });
    format!(
        "windows: {}",
        said.chain(chains).collect::<Vec<_>>().join("; ")
    )
}
