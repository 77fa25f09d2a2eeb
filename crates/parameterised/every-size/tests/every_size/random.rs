//! Random periodic protocols as text, with claims about every running node.

/// The bounds of the claims of each condition.
pub const BOUNDS: [u32; 4] = [0, 2, 4, 6];

/// The number of conditions that a protocol claims.
pub const CONDITIONS: usize = 3;

/// The constructs that a sample has to have, each with a text by which a protocol shows it.
pub const CONSTRUCTS: [(&str, &str); 32] = [
    ("a node that is off", "(faulty off)"),
    ("a node that is off or mute", "off mute)"),
    ("a deaf node", "(faulty at-most 1 deaf)"),
    ("isolated nodes", "(faulty isolated)"),
    ("latest messages", "(inbox latest"),
    ("all messages", "(inbox one"),
    ("one message from each at first", "one-from-each)"),
    ("any messages at first", "anything)"),
    ("no messages at first", "(inbox latest )"),
    ("instant delivery", "(channel instant)"),
    ("delayed delivery", "(delay 0 3)"),
    ("messages to self", "to-self)"),
    ("ids that no node has", "(extra-ids 1)"),
    ("a choice when to read", "(if (var r self)"),
    ("every second activation", "(not (var r self))"),
    ("send before the read", "9)) (send"),
    ("a flag of some message", "(field Note a m)"),
    ("a flag of all messages", "(field Note b m.2)"),
    ("a higher id", "(field Note id m.3)"),
    ("being in sets of messages", "(in self (field Note s m.4))"),
    (
        "an intersection of sets of messages",
        "(in x (field Note s m.5))",
    ),
    ("a union of sets of messages", "(in x (field Note s m.6))"),
    ("what all messages together have", "(union-of m.9"),
    (
        "what the messages with a flag have",
        "(if (field Note a m.9)",
    ),
    ("a claim about two elements", "(all z (var s k)"),
    ("senders", "(senders self)"),
    ("a count", "(:= c "),
    ("a loop over nodes", "(for x (nodes Node)"),
    ("a claim about an array", "(index node (var d k) x)"),
    ("a greatest id", "(max-of m.7"),
    ("a claim about a set and faults", "(not (fault off x))"),
    ("a claim about ids", "(largest y (nodes Node)"),
];

/// The names of the constructs of a protocol.
pub fn constructs(text: &str) -> Vec<&'static str> {
    let shown = CONSTRUCTS.iter().filter(|(_, shown)| text.contains(shown));
    shown.map(|(name, _)| *name).collect()
}

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

/// Two conditions joined, or one negated, sometimes; else one.
fn joined(random: &mut Random, one: &mut dyn FnMut(&mut Random) -> String) -> String {
    if random.below(3) > 0 {
        return one(random);
    }
    let a = one(random);
    match random.below(3) {
        0 => format!("(and {a} {})", one(random)),
        1 => format!("(or {a} {})", one(random)),
        _ => format!("(not {a})"),
    }
}

/// A condition of the code.
fn decision(random: &mut Random) -> String {
    joined(random, &mut |random| {
        let own = [
            "(var a self)",
            "(var b self)",
            "(in self (var s self))",
            "(>= (var c self) 2)",
        ];
        let heard = [
            "(exists m (inbox Note self) (field Note a m))",
            "(all m.2 (inbox Note self) (field Note b m.2))",
            "(exists m.3 (inbox Note self) (> (field Note id m.3) (frozen id self)))",
            "(all m.4 (inbox Note self) (in self (field Note s m.4)))",
            "true",
        ];
        match random.below(2) {
            0 => random.of(&own).into(),
            _ => random.of(&heard).into(),
        }
    })
}

/// A condition about the node k.
fn claimed(random: &mut Random) -> String {
    joined(random, &mut |random| {
        let greatest = "(frozen id (largest y (nodes Node) (frozen id y)))";
        let claims = [
            "(var a k)".into(),
            "(var b k)".into(),
            "(in k (var s k))".into(),
            "(all x (var s k) (not (fault off x)))".into(),
            "(all x (nodes Node) (implies (faultless x) (in x (var s k))))".into(),
            "(all x (var s k) (all z (var s k) (= x z)))".into(),
            "(all x (var s k) (all z (var s k) (or (= x z) (or (= x k) (= z k)))))".into(),
            "(<= (var c k) 1)".into(),
            "(>= (var best k) (frozen id k))".into(),
            format!("(<= (var best k) {greatest})"),
            format!("(= (var best k) {greatest})"),
            "(all x (nodes Node) (implies (fault off x) (= (index node (var d k) x) 2)))".into(),
            "(all x (nodes Node) (implies (faultless x) (<= (index node (var d k) x) 1)))".into(),
        ];
        claims[random.below(claims.len())].clone()
    })
}

fn set(random: &mut Random) -> &'static str {
    random.of(&[
        "(senders self)",
        "(union (set node self) (senders self))",
        "(set node self)",
        "(filter x (var s self) (all m.5 (inbox Note self) (in x (field Note s m.5))))",
        "(filter x (nodes Node) (exists m.6 (inbox Note self) (in x (field Note s m.6))))",
        "(intersect (var s self) (senders self))",
        "(union-of m.9 (inbox Note self) (field Note s m.9))",
        "(union-of m.9 (inbox Note self) (if (field Note a m.9) (field Note s m.9) (set node)))",
    ])
}

/// What an activation does to the variables, in some order.
fn statements(random: &mut Random) -> String {
    let greater = "(exists m.8 (inbox Note self) (> (field Note best m.8) (var best self)))";
    let greatest = "(max-of m.7 (inbox Note self) (field Note best m.7))";
    let mut all = vec![
        format!("(:= a {})", decision(random)),
        format!("(:= b {})", decision(random)),
        format!("(:= s {})", set(random)),
        format!("(if {greater} (do (:= best {greatest})))"),
        format!(
            "(:= c (if {} 0 (min (+ (var c self) 1) 3)))",
            decision(random)
        ),
    ];
    let heard = [
        "(in x (senders self))",
        "(exists m.9 (inbox Note self) (in x (field Note s m.9)))",
    ];
    let missed = "(do (:= (d (index node x)) (min (+ (index node (var d self) x) 1) 2)))";
    all.push(format!(
        "(for x (nodes Node) (if {} (do (:= (d (index node x)) 0)) {missed}))",
        random.of(&heard)
    ));
    let mut body = String::new();
    for _ in 0..3 + random.below(4) {
        let place = random.below(all.len());
        body += &all.swap_remove(place);
    }
    // Messages without code that reads them are an error of the model.
    if !["(inbox", "(senders"]
        .iter()
        .any(|read| body.contains(read))
    {
        body += "(:= a (exists m (inbox Note self) (field Note a m)))";
    }
    body
}

/// A protocol.
pub fn random_protocol(seed: u64) -> String {
    // An odd multiplier without a pattern: neighbouring seeds begin far from each other.
    let random = &mut Random((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    random.below(2);
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
    let strangers = random.below(2);
    let body = statements(random);
    let reads = match random.below(20) {
        // An error where the body demands a message.
        0 => format!("(clear-inbox) {body}"),
        1..6 => format!("{body} (clear-inbox)"),
        6..11 => format!("(if (var r self) (do {body} (clear-inbox)))"),
        _ => format!("(if (var r self) (do {body} (clear-inbox))) (:= r (not (var r self)))"),
    };
    let sent = random.of(&[
        "(var s self)",
        "(var s self)",
        "(if (var r self) (set node self) (minus (nodes Node) (set node self)))",
    ]);
    let send = format!(
        "(send (new Note (frozen id self) (var a self) (var b self) {sent} (var best self)) (neighbours self))"
    );
    let code = match random.below(4) {
        0 => format!("{send} {reads}"),
        _ => format!("{reads} {send}"),
    };
    let flag = ["any", "any", "(is true)", "(is false)"];
    let (a, b) = (random.of(&flag), random.of(&flag));
    let best = random.of(&["any", "(is (frozen id self))", "(is (frozen id self))"]);
    let mut text = format!(
        "(every p 1)\n(open Node)\n(extra-ids {strangers})\n(joined complete{self_edges})\n\
         (message Note (id id) (a bool) (b bool) (s (set node)) (best id))\n(kind Node 0)\n{channel}\n(inbox {inbox}{start})\n{fault}\
         (frozen Node id id arrangement)\n(var Node a bool {a})\n(var Node b bool {b})\n(var Node s (set node) any)\n\
         (var Node r bool any)\n(var Node c (int 0 3) any)\n(var Node best id {best})\n(var Node d (array node (int 0 2)) any)\n\
         (persistent-ghost Node activations (int 0 9) (is 0))\n\
         (block Node \"every 9 ms .. 11 ms\" (every 9 11 (first 0 11))\n(locals (self node) (m (record Note)) (m.2 (record Note)) \
         (m.3 (record Note)) (m.4 (record Note)) (m.5 (record Note)) (m.6 (record Note)) (m.7 (record Note)) \
         (m.8 (record Note)) (m.9 (record Note)) (x node))\n\
         (:= activations (min (+ (var activations self) 1) 9)) {code})\n"
    );
    for i in 0..CONDITIONS {
        let condition = claimed(random);
        for bound in BOUNDS {
            text += &format!(
                "(claim c{i}-{bound} (locals (k node) (x node) (y node) (z node)) (always (state (all k (nodes Node) \
                 (implies (and (not (fault off k)) (>= (var activations k) {bound})) {condition})))))\n"
            );
        }
    }
    text
}
