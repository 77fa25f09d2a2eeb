//! Robustness: no text causes a panic, and every text without errors becomes a Machine that passes verification.

use super::RING;
use super::periodic::ELECTION;
use source::{Severity, Sources};

const WORKERS: &str = "
param size: 1..3 = 2
param quick: Bool = true
enum Colour { Red, Green }
message Paint { colour: Colour, to: Option<Node>, left: 0..size }
message Done
let calm = { k in Worker: not k.busy }
let sum_sent = sum k in Worker: k.sent(Done)
node Boss {
    var colour: Colour = Red
    var best: Option<0..3> = none
    start { choose c in { Red, Green }; colour = c; send Paint { colour: c, to: none, left: 1 } to Worker }
    on Done from s when colour == Red { if best is b and b > 0 { best = b - 1 } else { halt } }
    on Done { best = 3 }
}
node Worker[size] {
    rank: 1..3
    ghost var seen: 0..9 = 0
    var told: Option<Paint> = none
    var friends: Set<Node> = { }
    var busy: Bool = any in { false }
    on Paint as p from boss {
        let before = rank
        seen = min(seen + 1, 9)
        told = p
        for j in neighbours minus { self } { friends = friends union { j } }
        if p.to is t and t != self { send p to t } else { busy = not busy; assert before <= 3 }
    }
    when rest: busy and quick { busy = false; send Done to Boss }
    every any { broadcast Done }
    ignore Done
}
network star { channel unordered; to self }
faults lose at most 2 messages of Paint
initially all k in Worker: k.rank != 2
world Small { network complete { channel fifo(size) }; faults none }
variant Lazy of Worker { var busy: Bool = false; without every; when rest: told != none { told = none } }
claim c(x: 0..9): all k in Worker: always (k.busy leads to (not k.busy until Boss.halted) or quiescent)
claim f: always ((intersect k in Worker: k.friends) subset union k in Worker: k.friends union { k })
claim d: eventually (in_flight(Paint, Boss, the k in Worker: k.rank == 1) == floor(size / 2))
claim e: always (sum_sent <= 3 and size(calm) >= 0 and (largest k in Worker by k.rank).rank > 0)
check c(3), d for rank = [1, 3] assuming (exists k in Worker: k.busy) expect holds, fails
check e, f in Small with Lazy for size in 1..3 unfair
check possible: Boss.best == 2 or Boss.colour == Green expect possible
";

const ROUNDS: &str = "
param ahead: 1..3 = 2
param slack: Duration = 1 s / 2
timing beat: round(ahead)
message Tick { n: 0..3 }
message Stop
let running = { k in Clock: not k.off }
let latest = max k in running: k.activations
node Clock[2] {
    var n: 0..3 = any
    var heard: Set<Node> = {}
    every beat {
        let most = max(n, count m in inbox: m.n > n)
        heard = senders(inbox) union heard
        for m in inbox { n = m.n }
        if inbox == {} or slack > 1 s { n = min(most, 3) }
        clear inbox
        broadcast Tick { n: n }
    }
    on Stop { halt }
}
node Judge { var done: Bool = false; when over: not done { done = true; send Stop to Clock }; ignore Tick }
network complete { delivery instant; inbox latest per sender, starts with anything; to self }
faults at most 1 Clock: off, mute from start
faults any Judge: deaf from start
world Timed { timing beat: 30 s ± 1 % fixed, jitter ± slack on the grid, first 0 s .. period }
world Quiet { faults none; timing beat: any }
claim near(d: 0..5): always (all i, j in running: latest <= 5 implies i.activations - j.activations <= d)
claim told(t: Duration): always (t < slack or all k in running: k.sent(Tick) <= 3 or k.faultless)
check least d: near(d) expect 2
check greatest t: told(t) in Timed expect below 1/2 s
check near(2), told(2 s) in Quiet for ahead in 1..2, slack = 3 s expect holds
check near(1) for every ahead expect unknown
";

#[test]
fn changed_texts() {
    for (text, seed) in [(RING, 1), (WORKERS, 2), (ELECTION, 3), (ROUNDS, 4)] {
        let tokens = tokens(text);
        assert!(passes(text), "the text itself is fine");
        let mut random = Random(seed);
        let mut accepted = 0;
        for _ in 0..600 {
            let mut changed = tokens.clone();
            for _ in 0..1 + random.below(2) {
                let at = random.below(changed.len());
                let from = random.below(tokens.len());
                match random.below(4) {
                    0 => drop(changed.remove(at)),
                    1 => changed[at] = tokens[from],
                    2 => changed.insert(at, tokens[from]),
                    _ => changed.swap(at, from.min(tokens.len() - 3)),
                }
            }
            accepted += usize::from(passes(&changed.concat()));
        }
        assert!(accepted > 10, "some changes make sense: {accepted}");
    }
}

/// Whether a text has no errors. If so, all its checks are lowered.
fn passes(text: &str) -> bool {
    let mut sources = Sources::default();
    let file = sources.add("changed.scrut", text);
    let parsed = syntax::parse(&sources, file);
    let (model, diagnostics) = model::resolve(&parsed.file, &sources);
    let mut all = parsed.diagnostics.iter().chain(&diagnostics);
    if all.any(|d| d.severity == Severity::Error) {
        return false;
    }
    for check in 0..model.checks.len() {
        let requests = lower::instances(&model, check, &[]).unwrap_or_default();
        for request in requests.iter().take(2) {
            let among = lower::candidates(&model, request, 0).unwrap_or_default();
            let value = match among {
                Some(lower::Candidates::Numbers(least, _)) => model::Constant::Int(least),
                _ => model::Constant::Int(1),
            };
            let Ok(request) = request.with(&model, &[value]) else {
                continue;
            };
            if let Ok(lowered) = lower::lower(&model, &sources, &request) {
                assert_eq!(machine::verify(&lowered.machine), Ok(()), "{text}");
            }
        }
    }
    true
}

/// Splits a text into words and single other characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        tokens.push(&rest[..end]);
        rest = &rest[end..];
    }
    tokens
}

/// A deterministic random number generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }
}
