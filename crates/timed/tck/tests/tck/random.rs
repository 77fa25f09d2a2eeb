//! Random networks of two processes, compared with their region graphs.

use crate::regions::{MOST, Regions};
use std::fmt::Write;
use std::ops::Range;
use tck::defects::{Breaking, Defect};
use tck::{Query, Subsumption, cycle, parse, reach};

#[derive(Debug)]
pub struct Network {
    pub clocks: usize,
    pub processes: Vec<Process>,
}

#[derive(Debug)]
pub struct Process {
    pub locations: Vec<Location>,
    pub edges: Vec<Edge>,
}

#[derive(Debug)]
pub struct Location {
    pub is_committed: bool,
    pub is_urgent: bool,
    pub invariant: Vec<Test>,
}

#[derive(Debug)]
pub struct Edge {
    pub source: usize,
    pub target: usize,
    pub event: &'static str,
    pub tests: Vec<Test>,
    /// The value of the integer variable that the edge needs.
    pub int: Option<i64>,
    pub actions: Vec<Action>,
}

#[derive(Debug)]
pub struct Test {
    pub clock: usize,
    pub operator: &'static str,
    pub constant: i64,
}

#[derive(Debug)]
pub enum Action {
    Reset(usize, i64),
    /// `clock = offset + source`.
    Copy(usize, i64, usize),
    /// `i = (i + 1) % 3`.
    Count,
}

/// The generator of Steele, Lea and Flood (*SplitMix64*): the same seed gives the same sequence.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    fn network(&mut self) -> Network {
        let clocks = 1 + self.below(3);
        let processes = (0..2)
            .map(|process| self.process(process, clocks))
            .collect();
        Network { clocks, processes }
    }

    fn process(&mut self, process: usize, clocks: usize) -> Process {
        let locations = (0..3).map(|_| Location {
            is_committed: self.one_in(8),
            is_urgent: self.one_in(8),
            invariant: match self.one_in(3) {
                true => vec![self.test(clocks, &["<=", "<="])],
                false => Vec::new(),
            },
        });
        let locations = locations.collect();
        let number = 3 + self.below(4);
        let edges = (0..number).map(|_| {
            let event = ["alone", "alone", "both", "weak"][self.below(4)];
            // An edge over a weakly synchronised event must not have a guard.
            let has_guard = event != "weak" || process == 0;
            let tests = if has_guard { self.below(3) } else { 0 };
            let operators = ["<", "<=", ">", ">=", "=="];
            Edge {
                source: self.below(3),
                target: self.below(3),
                event,
                tests: (0..tests).map(|_| self.test(clocks, &operators)).collect(),
                int: (has_guard && self.one_in(4)).then(|| self.below(3) as i64),
                actions: (0..self.below(3)).map(|_| self.action(clocks)).collect(),
            }
        });
        Process {
            edges: edges.collect(),
            locations,
        }
    }

    fn test(&mut self, clocks: usize, operators: &[&'static str]) -> Test {
        Test {
            clock: self.below(clocks),
            operator: operators[self.below(operators.len())],
            constant: self.below(MOST as usize + 1) as i64,
        }
    }

    fn action(&mut self, clocks: usize) -> Action {
        let clock = self.below(clocks);
        match self.below(6) {
            0 => Action::Count,
            1 => Action::Copy(clock, self.below(2) as i64, self.below(clocks)),
            2 => Action::Reset(clock, self.below(3) as i64),
            _ => Action::Reset(clock, 0),
        }
    }
}

impl Network {
    fn print(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::from("system:random\nevent:alone\nevent:both\nevent:weak\n");
        writeln!(text, "clock:{}:x\nint:1:0:2:0:i", self.clocks)?;
        let test = |t: &Test| match self.clocks {
            1 => format!("x{}{}", t.operator, t.constant),
            _ => format!("x[{}]{}{}", t.clock, t.operator, t.constant),
        };
        let clock = |clock: &usize| match self.clocks {
            1 => "x".to_string(),
            _ => format!("x[{clock}]"),
        };
        for (p, process) in self.processes.iter().enumerate() {
            writeln!(text, "process:P{p}")?;
            for (l, location) in process.locations.iter().enumerate() {
                let invariant: Vec<String> = location.invariant.iter().map(test).collect();
                write!(text, "location:P{p}:l{l}{{labels:p{p}l{l}")?;
                write!(text, ":invariant:{}", invariant.join(" && "))?;
                for (key, is_set) in [
                    ("initial", l == 0),
                    ("committed", location.is_committed),
                    ("urgent", location.is_urgent),
                ] {
                    if is_set {
                        write!(text, ":{key}:")?;
                    }
                }
                writeln!(text, "}}")?;
            }
            for edge in &process.edges {
                let mut guard: Vec<String> = edge.tests.iter().map(test).collect();
                guard.extend(edge.int.map(|int| format!("i=={int}")));
                let action = |action: &Action| match action {
                    Action::Reset(x, value) => format!("{}={value}", clock(x)),
                    Action::Copy(x, offset, y) => format!("{}={offset}+{}", clock(x), clock(y)),
                    Action::Count => "if i<2 then i=i+1 else i=0 end".to_string(),
                };
                let actions: Vec<String> = edge.actions.iter().map(action).collect();
                let (guard, actions) = (guard.join(" && "), actions.join("; "));
                let Edge {
                    source,
                    target,
                    event,
                    ..
                } = edge;
                write!(text, "edge:P{p}:l{source}:l{target}:{event}")?;
                writeln!(text, "{{provided:{guard}:do:{actions}}}")?;
            }
        }
        text.push_str("sync:P0@both:P1@both\nsync:P0@weak:P1@weak?\n");
        Ok(text)
    }
}

#[test]
fn verdicts_are_those_of_the_region_graph() {
    let census = compare(0..2_000).unwrap_or_else(|why| panic!("{why}"));
    println!("{census:?}");
    let Census {
        reachable,
        cyclic,
        fewer,
    } = census;
    assert!(reachable.iter().chain(&cyclic).all(|count| *count > 1000));
    assert!(fewer > 100);
}

#[test]
fn a_copied_clock_is_tested_by_another_process() {
    copied_clock().unwrap_or_else(|why| panic!("{why}"));
}

/// The clock `y` is tested by no process, but its value, which is at least 3, is that of `x`, which Q tests.
fn copied_clock() -> Result<(), String> {
    let text = "system:copy\nevent:a\nclock:1:x\nclock:1:y\nclock:1:z\nint:1:0:1:0:n\n\
                process:P\nlocation:P:l0{initial:}\nlocation:P:l1\nlocation:P:l2\n\
                edge:P:l0:l1:a{provided:z>=3}\nedge:P:l1:l2:a{do:x=y; n=1}\n\
                process:Q\nlocation:Q:q0{initial:}\nlocation:Q:q1{labels:early}\nlocation:Q:q2{labels:late}\n\
                edge:Q:q0:q1:a{provided:n==1 && x<3}\nedge:Q:q0:q2:a{provided:n==1 && x<=3}\n";
    let system = parse(text).map_err(|error| error.to_string())?;
    for (label, expected) in [("early", false), ("late", true)] {
        let query = system.query(&[label]).expect("a label");
        let found = reach(&system, &query, Subsumption::Inclusion, &mut |_| true);
        if found.map_err(|why| why.to_string())?.is_reachable != expected {
            return Err(format!("{label} is not {expected}"));
        }
    }
    Ok(())
}

#[test]
fn every_defect_is_detected() {
    for defect in Defect::ALL {
        let _breaking = Breaking::rule(defect);
        let found = copied_clock().and_then(|()| compare(0..2_000));
        let seed = found
            .err()
            .and_then(|why| why.lines().next().map(str::to_string));
        println!("{defect:?}: {seed:?}");
        assert!(seed.is_some(), "{defect:?}");
    }
}

/// How often questions have the answers no and yes, and aLU has stored fewer states than inclusion.
#[derive(Debug, Default)]
struct Census {
    reachable: [usize; 2],
    cyclic: [usize; 2],
    fewer: usize,
}

/// Compares all questions about the networks of these seeds with the region graph.
fn compare(seeds: Range<u64>) -> Result<Census, String> {
    let mut census = Census::default();
    for seed in seeds {
        let network = Random(seed).network();
        let text = network.print().expect("a text");
        compare_one(&network, &text, &mut census)
            .map_err(|why| format!("seed {seed}: {why}\n{text}"))?;
    }
    Ok(census)
}

fn compare_one(network: &Network, text: &str, census: &mut Census) -> Result<(), String> {
    let system = parse(text).map_err(|error| error.to_string())?;
    let regions = Regions::of(network);
    let cycles = regions.cycles();
    for (first, second) in (0..9).map(|pair| (pair / 3, pair % 3)) {
        let labels = [format!("p0l{first}"), format!("p1l{second}")];
        let query = system.query(&[&labels[0], &labels[1]]).expect("labels");
        let has_both = |state: &usize| regions.states[*state].locations == [first, second];
        let expected = (0..regions.states.len()).any(|state| has_both(&state));
        census.reachable[usize::from(expected)] += 1;
        let mut stored = Vec::new();
        for subsumption in [
            Subsumption::Alu,
            Subsumption::Inclusion,
            Subsumption::Equality,
        ] {
            let found = reach(&system, &query, subsumption, &mut |_| true);
            let found = found.map_err(|why| why.to_string())?;
            if found.is_reachable != expected {
                return Err(format!(
                    "{labels:?} with {subsumption:?} are not {expected}"
                ));
            }
            if let Some(path) = &found.path {
                let run = path.run(&system, std::slice::from_ref(&query));
                run.map_err(|why| format!("{labels:?} with {subsumption:?}: {why}"))?;
            }
            stored.push(found.stored);
        }
        census.fewer += usize::from(stored[0] < stored[1]);
        let has = |state: &usize, process: usize, location: usize| {
            regions.states[*state].locations[process] == location
        };
        let one_state = cycles.iter().any(|cycle| cycle.iter().any(has_both));
        let each_label = cycles.iter().any(|cycle| {
            cycle.iter().any(|state| has(state, 0, first))
                && cycle.iter().any(|state| has(state, 1, second))
        });
        census.cyclic[usize::from(one_state)] += 1;
        let each: Vec<Query> = labels
            .iter()
            .map(|label| system.query(&[label]).expect("a label"))
            .collect();
        for (queries, expected) in [(vec![query], one_state), (each, each_label)] {
            let found = cycle(&system, &queries, &mut |_| true);
            let found = found.map_err(|why| why.to_string())?;
            if found.exists != expected {
                return Err(format!("{labels:?} with {queries:?} are not {expected}"));
            }
            if let Some(path) = &found.path {
                let run = path.run(&system, &queries);
                run.map_err(|why| format!("a cycle with {queries:?}: {why}"))?;
            }
        }
    }
    Ok(())
}
