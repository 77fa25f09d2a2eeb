//! Saturated counts: claims have the same values with saturated and with unbounded counts.

use super::Text;
use machine::{Formula, Instance, PropertyKind, Type, Value};

/// A deterministic random number generator.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len() as u64) as usize]
    }

    /// A random number expression of counts and constants.
    fn term(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(3) == 0 {
            return match self.below(5) {
                0 => self.below(7).to_string(),
                1 => "most".into(),
                2 => "i.activations".into(),
                _ => "j.activations".into(),
            };
        }
        let (a, b) = (self.term(depth - 1), self.term(depth - 1));
        match self.below(8) {
            0 => format!("({a} + {b})"),
            1..=3 => format!("({a} - {b})"),
            4 => format!("max({a}, {b})"),
            5 => format!("min({a}, {b})"),
            6 => format!("2 * {a}"),
            _ => format!("(if {} then {a} else {b})", self.bound()),
        }
    }

    /// A random comparison of a count with a number, which may bound the count.
    fn bound(&mut self) -> String {
        let count = self.pick(&[
            "i.activations",
            "j.activations",
            "most",
            "max(i.activations, j.activations)",
        ]);
        let op = self.pick(&["<=", "<", ">", ">=", "==", "!="]);
        format!("{count} {op} {}", self.below(8))
    }

    fn condition(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(4) == 0 {
            if self.below(3) == 0 {
                return self.bound();
            }
            let op = self.pick(&["<=", "<", ">", ">=", "==", "!="]);
            return format!("{} {op} {}", self.term(2), self.term(1));
        }
        let (a, b) = match self.below(2) {
            0 => (self.bound(), self.condition(depth - 1)),
            _ => (self.condition(depth - 1), self.condition(depth - 1)),
        };
        match self.below(7) {
            0 => format!("(not ({a}))"),
            1 => format!("(({a}) or ({b}))"),
            2 => format!("(({a}) and ({b}))"),
            3 => format!("((not ({a})) or ({b}))"),
            4 => format!("(if {a} then {b} else true)"),
            _ => format!("(({a}) implies ({b}))"),
        }
    }
}

#[test]
fn no_claim_can_tell_that_counts_are_cut_off() {
    let mut numbers = Numbers(7);
    let (mut accepted, mut differences) = (0, 0);
    for _ in 0..1500 {
        let condition = numbers.condition(3);
        let premise = match numbers.below(4) {
            0 => "(all k in A: k.activations < 5) implies ",
            1 => "(max k in A: k.activations) <= 4 implies ",
            _ => "",
        };
        let claim = format!("all i, j in A: {premise}({condition})");
        let text = Text::new(&format!(
            "node A[2] {{ every any {{ }} }}\nlet most = max k in A: k.activations\n\
             claim c: always ({claim})\ncheck c"
        ));
        let requests = text.instances(0, &[]).unwrap();
        let Ok(lowered) = text.lower(&requests[0]) else {
            continue;
        };
        let machine = &lowered.machine;
        let Some(Type::Int(0, end)) = machine.vars.first().map(|v| v.ty.clone()) else {
            continue;
        };
        let PropertyKind::Claim(formula) = &machine.properties[0].kind else {
            panic!("a claim");
        };
        let Formula::Always(inner) = formula.bare() else {
            panic!("an invariant");
        };
        let Formula::State(condition) = inner.bare() else {
            panic!("a condition");
        };
        accepted += 1;
        differences += u32::from(claim.contains(" - "));
        let frozen = machine.frozen_choices().next().unwrap();
        let instance = Instance {
            machine,
            frozen: &frozen,
        };
        let mut state = instance.initial_states().unwrap().remove(0);
        let mut value = |counts: [i64; 2]| {
            for (node, count) in state.nodes.iter_mut().zip(counts) {
                node.vars[0] = Value::Int(count);
            }
            instance.holds(&state, condition, &[]).unwrap()
        };
        let beyond = end.min(30) + 9;
        for (a, b) in (0..=beyond).flat_map(|a| (0..=beyond).map(move |b| (a, b))) {
            let cut = [a.min(end), b.min(end)];
            assert_eq!(
                value([a, b]),
                value(cut),
                "{claim} with {a} and {b}, cut off at {end}"
            );
        }
    }
    // With fewer accepted claims or fewer saturated counts the test would be vacuous.
    assert!(
        accepted > 300 && differences > 100,
        "{accepted} {differences}"
    );
}
