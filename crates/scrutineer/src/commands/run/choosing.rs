//! The choices before a run by hand: parameter values, frozen values, initial state.

use crate::Exit;
use crate::commands::run::Running;
use crate::commands::run::offering::{Offer, is_number, print_lines};
use crate::console::lines;
use crate::console::question::{Console, Input};
use crate::results::runs::all_settings;
use lower::{Lowered, Request};
use machine::random::Rng;
use machine::{Frozen, Instance, State, Type};
use report::Words;
use simulate::{InitialSampler, NoInitial};

/// The largest number of frozen choices of which all are listed; of more choices, a random sample is listed.
const LISTED: u128 = 10_000;

/// Lets the user pick the instance, if the setup has several.
pub(crate) fn request(
    running: &Running<'_>,
    console: &Console,
    rng: &mut Rng,
) -> Result<Request, Exit> {
    let requests = Offer::all(running.setup.requests.clone());
    let words = |r: &Request| all_settings(running.loaded, r);
    pick(console, rng, requests, "Which parameters?", words)
}

/// Lets the user pick the frozen values and the initial state.
pub(crate) fn beginning(
    running: &Running<'_>,
    console: &Console,
    rng: &mut Rng,
    lowered: &Lowered,
) -> Result<(Frozen, State), Exit> {
    let machine = &lowered.machine;
    let words = Words {
        machine,
        labels: &lowered.labels,
    };
    simulate::can_draw(machine).map_err(|why| running.refuse(lowered, why))?;
    let count = machine.frozen_count();
    let question = match (&machine.frozen_vars[..], machine.node_faults.is_empty()) {
        ([], _) => "Who is faulty?",
        (frozen_vars, true) if frozen_vars.iter().all(|r| r.ty == Type::Id) => "Who has which id?",
        _ => "Who has what?",
    };
    let text = |frozen: &Frozen| match words.frozen(frozen) {
        nothing if nothing.is_empty() => "nobody".into(),
        something => something,
    };
    loop {
        let frozen_vars = match count <= LISTED {
            true => Offer::all(machine.frozen_choices().collect()),
            false => Offer::some(
                count,
                |rng| machine.sample_frozen(&mut |n| rng.below(n)),
                rng,
            ),
        };
        let mut frozen = pick(console, rng, frozen_vars, question, text)?;
        if frozen.periods.is_empty() {
            frozen.periods = machine.sample_periods(&mut |n| rng.below(n)); // periods are drawn, because there are too many to list
        }
        let why = match states(console, lowered, &frozen, rng) {
            Ok(states) => {
                let words = |s: &State| words.first_values(s);
                let state = pick(console, rng, states, "How does it begin?", words)?;
                return Ok((frozen, state));
            }
            Err(why) => why,
        };
        let text = match why {
            NoInitial::NotFound => "no state was found that can begin a run with these",
            NoInitial::Nowhere => "no state can begin a run with these",
            NoInitial::Wrong(_) | NoInitial::TooLarge(_) | NoInitial::Interrupted => {
                return Err(running.refuse(lowered, why));
            }
        };
        if count == 1 {
            return Err(running.refuse(lowered, why));
        }
        anstream::println!("  {text}; pick others");
    }
}

/// The initial states from which the user picks; at least one.
fn states<'a>(
    console: &Console,
    lowered: &'a Lowered,
    frozen: &Frozen,
    rng: &mut Rng,
) -> Result<Offer<'a, State>, NoInitial> {
    let machine = &lowered.machine;
    let instance = Instance { machine, frozen };
    let count = instance.initial_bound(&|_| true);
    if count <= simulate::MOST_LISTED {
        let initial_parts = InitialSampler::new(machine, Some(frozen));
        let stop = &mut || console.interrupted();
        let numbers = 0..initial_parts.count(stop)?;
        let states = numbers.map(|number| Ok(initial_parts.numbered(number, stop)?.1));
        return Ok(Offer::all(states.collect::<Result<_, NoInitial>>()?));
    }
    // Verifies that there is an initial state before a sample is drawn.
    simulate::begin(machine, Some(frozen), rng)?;
    let frozen = frozen.clone();
    let draw = move |rng: &mut Rng| Some(simulate::begin(machine, Some(&frozen), rng).ok()?.1);
    Ok(Offer::some(count, draw, rng))
}

/// Lets the user pick one of several items. A single item is picked without a question. The error is the exit code if
/// the user ends the program.
fn pick<T: PartialEq + Clone>(
    console: &Console,
    rng: &mut Rng,
    mut offer: Offer<'_, T>,
    question: &str,
    words: impl Fn(&T) -> String,
) -> Result<T, Exit> {
    if let Some(only) = offer.only() {
        return Ok(only);
    }
    lines::question(question);
    print_lines(&offer.lines(&words, rng));
    anstream::println!("A number picks one, Enter the first, `r` any.");
    loop {
        let text = match console.ask() {
            Input::Line(text) => text,
            Input::End => return Err(Exit::Good),
            Input::Interrupt => return Err(Exit::Unknown),
        };
        let picked = match &text[..] {
            "" => offer.numbered("1"),
            "r" | "random" => offer.any(rng).ok_or_else(|| "none was found".to_string()),
            "more" => {
                print_lines(&offer.lines(&words, rng));
                continue;
            }
            "q" | "quit" => return Err(Exit::Good),
            number if is_number(number) => offer.numbered(number),
            other => Err(format!(
                "`{other}` cannot be picked; a number, Enter, `r`, `more` or `quit`"
            )),
        };
        match picked {
            Ok(item) => return Ok(item),
            Err(why) => anstream::println!("  {why}"),
        }
    }
}
