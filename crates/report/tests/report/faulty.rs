//! Runs with delays, timers and faults: scripted and random ones.

use crate::walks::{Dice, Walk, walk_of};
use machine::{
    Abstraction, Choice, Event, Frozen, Instance, Machine, NodeId, Origin, RunError, State,
    StepError, Value,
};
use rational::Rational;
use testkit::{Size, random_timed_machine};
use verdict::{Ending, Explanation, Fact, Label, Labels, PartVerdict, Run, Why};

const RETRY: &str = include_str!("../data/retry.machine");
const BROADCAST: &str = include_str!("../data/broadcast.machine");
const REBOOT: &str = include_str!("../data/reboot.machine");
const HEARTBEAT: &str = include_str!("../data/heartbeat.machine");
const AGREEMENT: &str = include_str!("../data/agreement.machine");

fn labels(machine: &Machine, unit: Option<&str>, texts: &[(usize, &str)]) -> Labels {
    let nodes = machine.nodes().map(|node| {
        let kind = &machine.kinds[machine.kind_of(node).index()];
        match kind.count {
            1 => kind.name.clone(),
            _ => format!("{} {}", kind.name, machine.place_in_kind(node) + 1),
        }
    });
    let mut origins = vec![
        Label {
            text: "it".into(),
            file: "m.scrut".into(),
            line: 1,
        };
        200
    ];
    for (origin, text) in texts {
        origins[*origin].text = (*text).into();
    }
    Labels {
        nodes: nodes.collect(),
        ids: Vec::new(),
        blocks: Vec::new(),
        unit: unit.map(str::to_string),
        origins,
    }
}

struct Player {
    machine: Machine,
    frozen: Frozen,
    choices: Vec<Choice>,
    states: Vec<State>,
    error: Option<RunError>,
}

impl Player {
    fn new(text: &str, first: impl Fn(&State) -> bool) -> Player {
        let machine = machine::parse(text).expect("a machine");
        let frozen = machine.frozen_choices().next().expect("something frozen");
        let instance = Instance {
            machine: &machine,
            frozen: &frozen,
        };
        let mut states = instance
            .initial_states()
            .expect("initial states")
            .into_iter();
        let initial = states.find(|s| first(s)).expect("this initial state");
        Player {
            machine,
            frozen,
            choices: Vec::new(),
            states: vec![initial],
            error: None,
        }
    }

    fn instance(&self) -> Instance<'_> {
        Instance {
            machine: &self.machine,
            frozen: &self.frozen,
        }
    }

    fn now(&self) -> &State {
        self.states.last().expect("a state")
    }

    /// Fires a choice at the given time.
    fn fire(&mut self, mut choice: Choice, time: Rational) {
        choice.time = Some(time);
        match self.instance().step(self.now(), &choice) {
            Ok(next) => self.states.push(next),
            Err(StepError::Error(error)) => self.error = Some(error),
            Err(StepError::NotEnabled) => panic!("{}", self.machine.show_choice(&choice)),
        }
        self.choices.push(choice);
    }

    fn wait(&mut self, time: Rational) {
        let choice = Choice {
            event: Event::Wait,
            picks: Vec::new(),
            time: None,
        };
        self.fire(choice, time);
    }

    /// Fires the choices of a script. Each line has a time and a choice.
    fn play(mut self, script: &str) -> Player {
        for line in script.lines().map(str::trim).filter(|l| !l.is_empty()) {
            let (time, wanted) = line.split_once(' ').expect("a time");
            let time: Rational = time.parse().expect("a time");
            if wanted == "wait" {
                self.wait(time);
                continue;
            }
            let shown = |choice: &Choice| {
                let mut choice = choice.clone();
                choice.time = None;
                self.machine.show_choice(&choice)
            };
            let choices = self.instance().choices(self.now());
            let texts: Vec<String> = choices.iter().map(shown).collect();
            let place = texts.iter().position(|text| text == wanted);
            let place = place.unwrap_or_else(|| panic!("{wanted} in {texts:#?}"));
            self.fire(choices[place].clone(), time);
        }
        self
    }

    fn walk(self, labels: Labels, why: Option<Why>) -> Walk {
        let explanation = why.filter(|_| self.error.is_none()).map(|why| Explanation {
            every_bound: false,
            also: Vec::new(),
            verdict: PartVerdict::FalseAfter(self.choices.len()),
            why,
        });
        let ending = match &self.error {
            Some(error) => Ending::Error(error.clone()),
            None => Ending::Open,
        };
        Walk {
            labels,
            run: Run {
                frozen: self.frozen,
                initial: self.states[0].clone(),
                choices: self.choices,
                ending,
            },
            states: self.states,
            error: self.error,
            explanation,
            machine: self.machine,
        }
    }
}

fn fact(origin: u32, value: Value, of: Option<NodeId>) -> Fact {
    Fact {
        origin: Origin(origin),
        value,
        timely: None,
        or_more: false,
        of: of.map(Value::Node),
        meaning: None,
        given: Vec::new(),
        wanted: None,
        stays: false,
    }
}

/// The first question is lost, the timer expires, and the second answer comes too late.
pub fn retry() -> Walk {
    let player = Player::new(RETRY, |_| true).play(
        r#"
        0 run 1 start
        3 deliver 1->2 (new Ask 0) lost by 1
        10 expire 1 "on retry"
        23/2 deliver 1->2 (new Ask 1) by "on Ask"
        13 wait
        "#,
    );
    let texts = [(5, "Client.phase == Done"), (4, "Client.phase")];
    let labels = labels(&player.machine, Some("ms"), &texts);
    let phase = player.now().nodes[0].vars[1].clone();
    let why = Why {
        part: Some(Origin(5)),
        bindings: vec![],
        facts: vec![fact(4, phase, None)],
    };
    player.walk(labels, Some(why))
}

/// A retry that is answered in time: the timer is cancelled.
pub fn answered() -> Walk {
    let player = Player::new(RETRY, |_| true).play(
        r#"
        0 run 1 start
        4 deliver 1->2 (new Ask 0) by "on Ask"
        5 deliver 2->1 (new Answer 0) by "on Answer"
        "#,
    );
    let labels = labels(&player.machine, Some("ms"), &[]);
    player.walk(labels, None)
}

/// The leader crashes in the middle of its broadcast; one member gets the message.
pub fn broadcast() -> Walk {
    let player = Player::new(BROADCAST, |_| true).play(
        r#"
        1 crash by 1 during run 1 "every 2 .. 3" pick (set 0)
        5/2 deliver 1->2 (new Go) by "on Go"
        6 wait
        "#,
    );
    let texts = [(6, "i.went == j.went"), (4, "i.went"), (5, "j.went")];
    let labels = labels(&player.machine, None, &texts);
    let why = Why {
        part: Some(Origin(6)),
        bindings: vec![
            ("i".into(), Value::Node(NodeId(1))),
            ("j".into(), Value::Node(NodeId(2))),
        ],
        facts: vec![
            fact(4, Value::Bool(true), None),
            fact(5, Value::Bool(false), None),
        ],
    };
    player.walk(labels, Some(why))
}

/// The sensor stops and restarts; meanwhile the timer of the watch expires.
pub fn reboot() -> Walk {
    let player = Player::new(REBOOT, |_| true).play(
        r#"
        0 run 2 start
        0 run 1 "every 10 ms .. 12 ms"
        3 deliver 1->2 (new Ping 1) by "on Ping"
        5 deliver 2->1 (new Pong 1) by "on Pong"
        9 stop 2 by 1
        10 run 1 "every 10 ms .. 12 ms"
        13 deliver 1->2 (new Ping 2) dropped
        20 run 1 "every 10 ms .. 12 ms"
        22 restart 2
        26 deliver 1->2 (new Ping 3) by "on Ping"
        30 expire 1 "on patience"
        "#,
    );
    let texts = [(6, "not Watch.halted"), (5, "Watch.halted")];
    let labels = labels(&player.machine, Some("ms"), &texts);
    let why = Why {
        part: Some(Origin(6)),
        bindings: vec![],
        facts: vec![fact(5, Value::Bool(true), None)],
    };
    player.walk(labels, Some(why))
}

/// A time-lock: a timer that is set again, with duration 0, whenever it expires.
pub fn no_more_time() -> Walk {
    let text = "(kind A 1)
(edges)
(channel unordered)
(delay 0 1)
(timer A t)
(block A start start (set-timer t (time 0) (time 0)))
(block A \"on t\" (timer t) (set-timer t (time 0) (time 0)))
(claim c (always (state true)))
";
    let player = Player::new(text, |_| true).play("0 run 1 start\n0 expire 1 \"on t\"\n0 wait");
    let labels = labels(&player.machine, None, &[]);
    player.walk(labels, None)
}

/// A random run of the agreement algorithm up to the time `until`. Its claim is false if a process still runs then.
pub fn agreement(seed: u64, until: i128) -> Walk {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let inputs: Vec<Value> = (0..3).map(|_| Value::Int(dice.below(2) as i64)).collect();
    let mut player = Player::new(AGREEMENT, |s| {
        s.nodes.iter().zip(&inputs).all(|(n, v)| n.vars[0] == *v)
    });
    let until = Rational::from(until);
    loop {
        let ended = |n: &machine::NodeState| !n.mode.runs();
        if player.now().nodes.iter().all(ended)
            || !random_step(&mut player, &mut dice, Some(&until))
        {
            break;
        }
    }
    let texts = [
        (42, "now <= 14"),
        (41, "exists i in Proc: not i.halted and not i.crashed"),
        (36, "i.halted"),
    ];
    let labels = labels(&player.machine, None, &texts);
    let mut why = None;
    let running = player.now().nodes.iter().position(|n| n.mode.runs());
    if let Some(node) = running {
        let latest = player.instance().deadline(player.now());
        if latest.is_none_or(|latest| latest >= until) {
            player.wait(until);
        }
        why = Some(Why {
            part: Some(Origin(42)),
            bindings: vec![("i".into(), Value::Node(NodeId(node as u32)))],
            facts: vec![fact(36, Value::Bool(false), None)],
        });
    }
    player.walk(labels, why)
}

/// Fires one random event before the time `until`. Returns false if there is no such event or if it is an error.
fn random_step(player: &mut Player, dice: &mut Dice, until: Option<&Rational>) -> bool {
    let instance = player.instance();
    let mut choices = instance.choices(player.now());
    let rare = |c: &Choice| {
        matches!(
            c.event,
            Event::Crash(..) | Event::CrashDuring(..) | Event::Stop(..)
        )
    };
    choices.retain(|c| c.event != Event::Wait && (!rare(c) || dice.below(40) == 0));
    while !choices.is_empty() {
        let choice = choices.remove(dice.below(choices.len()));
        let Some((from, to)) = instance.enabled_interval(player.now(), &choice.event) else {
            continue;
        };
        let to = to.unwrap_or_else(|| &from + Rational::from(5));
        let part = Rational::new(dice.below(3) as i128, 2);
        let time = &from + (&to - &from) * part;
        if until.is_some_and(|until| time >= *until) {
            continue;
        }
        player.fire(choice, time);
        return player.error.is_none();
    }
    false
}

/// A random run of at most `most` events of one of five models.
pub fn random(seed: u64, most: usize) -> Walk {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (text, unit, node, part) = match seed % 5 {
        0 => (RETRY, Some("ms"), 0, 5),
        1 => (BROADCAST, None, 1, 6),
        2 => (REBOOT, Some("ms"), 0, 6),
        3 => (HEARTBEAT, None, 1, 6),
        _ => (AGREEMENT, None, 0, 42),
    };
    let mut player = Player::new(text, |_| true);
    while player.choices.len() < most && random_step(&mut player, &mut dice, None) {}
    if player.error.is_none() && dice.below(2) == 0 {
        let instance = player.instance();
        let now = player.now().clock.as_ref().expect("a clock").now.clone();
        let until = instance.deadline(player.now());
        player.wait(until.unwrap_or_else(|| now + Rational::from(7)));
    }
    let labels = labels(&player.machine, unit, &[(part, "what is claimed")]);
    let why = Why {
        part: Some(Origin(part as u32)),
        bindings: vec![("k".into(), Value::Node(NodeId(node)))],
        facts: Vec::new(),
    };
    player.walk(labels, (dice.below(4) > 0).then_some(why))
}

/// A random run of a random machine with times; `None` if the machine has no initial state.
pub fn random_machine(seed: u64, most: usize) -> Option<Walk> {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut machine = random_timed_machine(seed, &Size::default());
    let frozen = machine.frozen_choices().next()?;
    machine.abstraction = Abstraction::Exact;
    let instance = Instance {
        machine: &machine,
        frozen: &frozen,
    };
    let initial = instance.initial_states().ok()?.into_iter().next()?;
    let mut player = Player {
        machine,
        frozen,
        choices: Vec::new(),
        states: vec![initial],
        error: None,
    };
    while player.choices.len() < most && random_step(&mut player, &mut dice, None) {}
    let labels = labels(&player.machine, None, &[]);
    Some(player.walk(labels, None))
}

/// A random run of a random digitised machine, whose events have no times.
pub fn random_on_grid(seed: u64, most: usize) -> Option<Walk> {
    walk_of(random_timed_machine(seed, &Size::default()), seed, most)
}
