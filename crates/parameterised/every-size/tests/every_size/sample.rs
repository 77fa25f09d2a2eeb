//! Random periodic protocols: nothing that is proved for every number of nodes fails in a small network.

use crate::protocols::{audited, direct, protocol};
use every_size::{Answer, analyse};
use verdict::Unlimited;

/// The number of protocols of the sample, unless the environment says another one, and its seed.
const SAMPLE: u64 = 8;
const SEED: u64 = 1;

/// The bounds of each claim.
const BOUNDS: [u32; 4] = [0, 2, 4, 6];

/// Random choices.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound as u64) as usize
    }

    fn of<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len())]
    }
}

/// A condition of the code, or of a claim if `k` is the name of its node.
fn condition(random: &mut Random, depth: u32, code: bool) -> String {
    let node = if code { "self" } else { "k" };
    if depth > 0 && random.below(3) == 0 {
        let a = condition(random, depth - 1, code);
        let b = condition(random, depth - 1, code);
        return match random.below(3) {
            0 => format!("(and {a} {b})"),
            1 => format!("(or {a} {b})"),
            _ => format!("(not {a})"),
        };
    }
    let own = [
        "(var a N)",
        "(var b N)",
        "(in N (var s N))",
        "(all x (var s N) (not (fault off x)))",
        "(all x (nodes Node) (implies (faultless x) (in x (var s N))))",
    ];
    let heard = [
        "(exists m (inbox Note self) (field Note a m))",
        "(all m.2 (inbox Note self) (field Note b m.2))",
        "(exists m.3 (inbox Note self) (> (field Note id m.3) (frozen id self)))",
        "(all m.4 (inbox Note self) (in self (field Note s m.4)))",
        "true",
    ];
    let text = match code && random.below(2) == 0 {
        true => random.of(&heard),
        false => match code {
            true => random.of(&own[..3]),
            false => random.of(&own),
        },
    };
    text.replace('N', node)
        .replace(&format!("{node}ode"), "Node")
        .replace(&format!("{node}ote"), "Note")
}

fn set(random: &mut Random) -> &'static str {
    random.of(&[
        "(senders self)",
        "(union (set node self) (senders self))",
        "(set node self)",
        "(filter x (var s self) (all m.5 (inbox Note self) (in x (field Note s m.5))))",
        "(filter x (nodes Node) (exists m.6 (inbox Note self) (in x (field Note s m.6))))",
        "(intersect (var s self) (senders self))",
    ])
}

fn random_protocol(random: &mut Random) -> String {
    let fault = random.of(&[
        "",
        "(faulty off)\n",
        "(faulty at-most 1 off mute)\n",
        "(faulty at-most 1 deaf)\n",
        "(faulty isolated)\n",
    ]);
    let inbox = random.of(&["latest ", "latest ", ""]);
    let start = random.of(&["one-from-each", "one-from-each", "anything", ""]);
    let channel = random.of(&[
        "(channel instant)",
        "(channel instant)",
        "(channel unordered)\n(delay 0 3)",
    ]);
    let self_edges = random.of(&["", " to-self"]);
    let mut body = String::new();
    let mut statements = Vec::new();
    statements.push(format!("(:= a {})", condition(random, 1, true)));
    statements.push(format!("(:= b {})", condition(random, 1, true)));
    statements.push(format!("(:= s {})", set(random)));
    for _ in 0..3 {
        let place = random.below(statements.len());
        body += &statements.swap_remove(place);
    }
    let reads = match random.below(4) {
        0 => format!("{body} (clear-inbox)"),
        1 => format!("(if (var r self) (do {body} (clear-inbox)))"),
        _ => format!("(if (var r self) (do {body} (clear-inbox))) (:= r (not (var r self)))"),
    };
    let send = "(send (new Note (frozen id self) (var a self) (var b self) (var s self)) (neighbours self))";
    let code = match random.below(4) {
        0 => format!("{send} {reads}"),
        _ => format!("{reads} {send}"),
    };
    let init = |random: &mut Random| random.of(&["any", "any", "(is true)", "(is false)"]);
    let (a, b) = (init(random), init(random));
    let mut text = format!(
        "(every p 1)\n(open Node)\n(extra-ids 0)\n(joined complete{self_edges})\n\
         (message Note (id id) (a bool) (b bool) (s (set node)))\n(kind Node 0)\n{channel}\n(inbox {inbox}{start})\n{fault}\
         (frozen Node id id arrangement)\n(var Node a bool {a})\n(var Node b bool {b})\n(var Node s (set node) any)\n\
         (var Node r bool any)\n(persistent-ghost Node activations (int 0 9) (is 0))\n\
         (block Node \"every 9 ms .. 11 ms\" (every 9 11 (first 0 11))\n(locals (self node) (m (record Note)) (m.2 (record Note)) \
         (m.3 (record Note)) (m.4 (record Note)) (m.5 (record Note)) (m.6 (record Note)) (x node))\n\
         (:= activations (min (+ (var activations self) 1) 9)) {code})\n"
    );
    let conditions: Vec<String> = (0..3).map(|_| condition(random, 1, false)).collect();
    for (i, condition) in conditions.iter().enumerate() {
        for bound in BOUNDS {
            text += &format!(
                "(claim c{i}-{bound} (locals (k node) (x node)) (always (state (all k (nodes Node) \
                 (implies (and (not (fault off k)) (>= (var activations k) {bound})) {condition})))))\n"
            );
        }
    }
    text
}

#[test]
fn nothing_that_is_proved_fails_in_a_small_network() {
    let (mut claims, mut proofs) = (0, 0);
    let sample = std::env::var("SAMPLE")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(SAMPLE);
    for number in 0..sample {
        let mut random = Random(SEED + number);
        random.below(2);
        let text = random_protocol(&mut random);
        let open = protocol(&text, &[]);
        let Ok(found) = analyse(&open, &open.base.properties, cadical::BACKEND, &Unlimited) else {
            continue;
        };
        audited(&open, &open.base.properties, &found);
        let holds = |answer: &Answer| matches!(answer, Answer::Holds(_));
        claims += found.answers.len();
        proofs += found.answers.iter().filter(|answer| holds(answer)).count();
        // Of the bounds of one condition, the least one that is proved says the most.
        for (condition, bounds) in found.answers.chunks(BOUNDS.len()).enumerate() {
            let Some(least) = bounds.iter().position(holds) else {
                continue;
            };
            let claim = condition * BOUNDS.len() + least;
            for n in 1..=3 {
                let fails = direct(&open, n, claim) == Some(false);
                assert!(!fails, "claim {claim} with {n} nodes of\n{text}");
            }
        }
    }
    println!("{claims} claims, {proofs} proved");
    assert!(proofs > 0);
}
