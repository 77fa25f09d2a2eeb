//! Reads formulas, one per line, and prints for each the size of its automaton and the translation time in
//! microseconds, for comparison with other translators. The formula itself is printed in the syntax of Spin and in that
//! of LBT.

#[path = "../tests/laws/text.rs"]
mod text;

use ltl::Formula;
use std::time::Instant;

fn main() {
    for line in std::io::stdin().lines() {
        let line = line.expect("text");
        let formula = text::formula(&line);
        let (mut spin, mut prefix) = (String::new(), String::new());
        print(&formula, &mut spin, &mut prefix);
        let begin = Instant::now();
        let automaton = ltl::translate(&formula);
        let time = begin.elapsed().as_micros();
        let size = match automaton {
            Ok(automaton) => {
                let cubes: usize = automaton.states.iter().map(|s| s.edges.len()).sum();
                let mut arcs: Vec<_> = (automaton.states.iter().enumerate())
                    .flat_map(|(q, s)| s.edges.iter().map(move |e| (q, e.target, e.marks)))
                    .collect();
                arcs.sort_unstable();
                arcs.dedup();
                let (states, marks) = (automaton.states.len(), automaton.acceptance);
                format!("{states}\t{}\t{cubes}\t{marks}", arcs.len())
            }
            Err(why) => format!("-\t-\t-\t{why}"),
        };
        println!("{size}\t{time}\t{spin}\t{prefix}");
    }
}

/// Appends the formula in infix form with all parentheses (Spin) to `infix`, and in prefix form (LBT) to `prefix`.
fn print(formula: &Formula, infix: &mut String, prefix: &mut String) {
    let mut list = |sign: &str, short: &str, members: &[&Formula]| {
        infix.push('(');
        for _ in 1..members.len() {
            prefix.push_str(short);
        }
        for (m, member) in members.iter().enumerate() {
            if m > 0 || members.len() == 1 {
                infix.push_str(sign);
            }
            if members.len() == 1 {
                prefix.push_str(short);
            }
            print(member, infix, prefix);
        }
        infix.push(')');
    };
    match formula {
        Formula::True => (*infix += "true", *prefix += " t").0,
        Formula::False => (*infix += "false", *prefix += " f").0,
        Formula::Atom(a) => (*infix += &format!("p{a}"), *prefix += &format!(" p{a}")).0,
        Formula::Not(of) => list("!", " !", &[of]),
        Formula::And(of) => list(" && ", " &", &of.iter().collect::<Vec<_>>()),
        Formula::Or(of) => list(" || ", " |", &of.iter().collect::<Vec<_>>()),
        Formula::Implies(a, b) => list(" -> ", " i", &[a, b]),
        Formula::Always(of) => list("[]", " G", &[of]),
        Formula::Eventually(of) => list("<>", " F", &[of]),
        Formula::Until(a, b) => list(" U ", " U", &[a, b]),
        Formula::Release(a, b) => list(" V ", " V", &[a, b]),
    }
}
