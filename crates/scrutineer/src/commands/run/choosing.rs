//! What a person chooses before a run by hand: parameters, what never changes, first values.

use crate::Exit;
use crate::commands::run::Running;
use crate::commands::run::offering::{Offer, is_number, tell};
use crate::console::lines;
use crate::console::question::{Console, Heard};
use crate::results::runs::all_settings;
use lower::{Lowered, Request};
use machine::random::Rng;
use machine::{Frozen, Instance, State, Type};
use report::Words;
use simulate::{InitialSampler, NoInitial};

/// So many beginnings are listed; of more some are drawn.
const LISTED: u128 = 10_000;

/// The parameters, where a check goes through several.
pub(crate) fn request(
    running: &Running<'_>,
    console: &Console,
    rng: &mut Rng,
) -> Result<Request, Exit> {
    let requests = Offer::all(running.setup.requests.clone());
    let words = |r: &Request| all_settings(running.loaded, r);
    pick(console, rng, requests, "Which parameters?", words)
}

/// What is frozen, and the initial state.
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
    let said = |frozen: &Frozen| match words.frozen(frozen) {
        nothing if nothing.is_empty() => "nobody".into(),
        something => something,
    };
    loop {
        let frozen_vars = match count <= LISTED {
            true => Offer::all(machine.frozen_choices().collect()),
            false => Offer::some(count, |rng| machine.pick_frozen(&mut |n| rng.below(n)), rng),
        };
        let mut frozen = pick(console, rng, frozen_vars, question, said)?;
        if frozen.periods.is_empty() {
            frozen.periods = machine.pick_periods(&mut |n| rng.below(n)); // nobody lists all of them
        }
        let why = match states(console, lowered, &frozen, rng) {
            Ok(states) => {
                let words = |s: &State| words.first_values(s);
                let state = pick(console, rng, states, "How does it begin?", words)?;
                return Ok((frozen, state));
            }
            Err(why) => why,
        };
        let said = match why {
            NoInitial::NotFound => "no state was found that can begin a run with these",
            NoInitial::Nowhere => "no state can begin a run with these",
            NoInitial::Wrong(_) | NoInitial::TooLarge(_) | NoInitial::Interrupted => {
                return Err(running.refuse(lowered, why));
            }
        };
        if count == 1 {
            return Err(running.refuse(lowered, why));
        }
        anstream::println!("  {said}; pick others");
    }
}

/// The initial states to pick from; at least one.
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
        let beginnings = InitialSampler::new(machine, Some(frozen));
        let stop = &mut || console.interrupted();
        let numbers = 0..beginnings.count(stop)?;
        let states = numbers.map(|number| Ok(beginnings.numbered(number, stop)?.1));
        return Ok(Offer::all(states.collect::<Result<_, NoInitial>>()?));
    }
    // Whether there is one at all must be known before any are drawn.
    simulate::begin(machine, Some(frozen), rng)?;
    let frozen = frozen.clone();
    let draw = move |rng: &mut Rng| Some(simulate::begin(machine, Some(&frozen), rng).ok()?.1);
    Ok(Offer::some(count, draw, rng))
}

/// Lets the person pick one of several; the only one picks itself.
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
    tell(&offer.lines(&words, rng));
    anstream::println!("A number picks one, Enter the first, `r` any.");
    loop {
        let text = match console.ask() {
            Heard::Line(text) => text,
            Heard::End => return Err(Exit::Good),
            Heard::Interrupt => return Err(Exit::Unknown),
        };
        let picked = match &text[..] {
            "" => offer.numbered("1"),
            "r" | "random" => offer.any(rng).ok_or_else(|| "none was found".to_string()),
            "more" => {
                tell(&offer.lines(&words, rng));
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
