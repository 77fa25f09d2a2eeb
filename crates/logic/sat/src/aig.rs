//! And-inverter graphs with structural hashing: two gates with the same operands are one gate.

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use std::ops::Not;

/// A literal of an [`Aig`]: a gate or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The constant `false`.
    pub const FALSE: Lit = Lit(0);
    /// The constant `true`.
    pub const TRUE: Lit = Lit(1);

    /// The constant with this value.
    pub fn constant(value: bool) -> Lit {
        Lit(u32::from(value))
    }

    /// The number of the gate.
    pub fn gate(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the literal is the negation of its gate.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The positive literal of the same gate.
    pub fn positive(self) -> Lit {
        Lit(self.0 & !1)
    }

    /// The positive literal of a gate.
    pub fn of_gate(gate: u32) -> Lit {
        Lit(gate << 1)
    }

    /// The value of the literal if it is a constant; otherwise none.
    pub fn known(self) -> Option<bool> {
        match self {
            Lit::FALSE => Some(false),
            Lit::TRUE => Some(true),
            _ => None,
        }
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.known() {
            Some(value) => write!(f, "{value}"),
            None => write!(
                f,
                "{}{}",
                if self.is_negated() { "!" } else { "" },
                self.gate()
            ),
        }
    }
}

/// A gate of an [`Aig`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// The constant `false`.
    False,
    /// An input; inputs are numbered from 0.
    Input(u32),
    /// The conjunction of two literals.
    And(Lit, Lit),
}

/// A structural hash table: the gate of each conjunction that has been created.
type Made = HashMap<(Lit, Lit), Lit, foldhash::fast::FixedState>;

/// The number of parts of the structural hash table is 2 to this power. A part that grows is copied without a poll, and
/// both copies need memory meanwhile; so each part holds only a small share of the entries.
const PARTS: u32 = 6;

/// A combinational circuit. The operands of a gate have smaller numbers than the gate; gate 0 is the constant `false`.
#[derive(Clone, Debug)]
pub struct Aig {
    gates: Vec<Gate>,
    inputs: u32,
    /// The structural hash table, in parts by a hash of the operands.
    made: Vec<Made>,
}

impl Default for Aig {
    fn default() -> Self {
        Aig::new()
    }
}

impl Aig {
    /// A circuit with the constant as its only gate.
    pub fn new() -> Aig {
        Aig {
            gates: vec![Gate::False],
            inputs: 0,
            made: vec![Made::default(); 1 << PARTS],
        }
    }

    /// The number of gates, the constant included.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Whether the constant is the only gate.
    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }

    /// The number of inputs.
    pub fn inputs(&self) -> u32 {
        self.inputs
    }

    /// The gate with a number.
    pub fn gate(&self, gate: u32) -> Gate {
        self.gates[gate as usize]
    }

    /// Adds an input.
    pub fn input(&mut self) -> Lit {
        cancellation::claim_next(&self.gates);
        self.gates.push(Gate::Input(self.inputs));
        self.inputs += 1;
        Lit::of_gate(self.gates.len() as u32 - 1)
    }

    /// The conjunction, simplified by local rewriting.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        cancellation::poll();
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        // Two-level rewriting, if one side is a conjunction or a negated conjunction: the rules compare the other side
        // with its operands.
        for (outer, inner) in [(a, b), (b, a)] {
            if let Gate::And(x, y) = self.gate(inner.gate()) {
                if inner.is_negated() {
                    if outer == !x || outer == !y {
                        return outer;
                    }
                    if outer == x {
                        return self.and(outer, !y);
                    }
                    if outer == y {
                        return self.and(outer, !x);
                    }
                } else {
                    if outer == x || outer == y {
                        return inner;
                    }
                    if outer == !x || outer == !y {
                        return Lit::FALSE;
                    }
                }
            }
        }
        let made = &mut self.made[part(a, b)];
        let made = match made.entry((a, b)) {
            Entry::Occupied(made) => return *made.get(),
            Entry::Vacant(made) => made,
        };
        cancellation::claim_next(&self.gates);
        let lit = Lit::of_gate(self.gates.len() as u32);
        self.gates.push(Gate::And(a, b));
        made.insert(lit);
        lit
    }

    /// The disjunction.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// The implication.
    pub fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }

    /// The exclusive disjunction.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        !self.iff(a, b)
    }

    /// The equivalence.
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        let only_a = self.and(a, !b);
        let only_b = self.and(!a, b);
        self.and(!only_a, !only_b)
    }

    /// The multiplexer: `then` if the condition is true, else `otherwise`.
    pub fn ite(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if then == otherwise {
            return then;
        }
        let yes = self.and(condition, then);
        let no = self.and(!condition, otherwise);
        self.or(yes, no)
    }

    /// The conjunction of all literals.
    pub fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        self.tree(lits.into_iter().collect())
    }

    /// The disjunction of all literals.
    pub fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.tree(lits.into_iter().map(|lit| !lit).collect())
    }

    /// A balanced tree of conjunctions.
    fn tree(&mut self, mut lits: Vec<Lit>) -> Lit {
        lits.sort_unstable();
        lits.dedup();
        while lits.len() > 1 {
            let pairs = lits.chunks(2);
            lits = pairs
                .map(|pair| match pair {
                    [a, b] => self.and(*a, *b),
                    rest => rest[0],
                })
                .collect();
        }
        lits.first().copied().unwrap_or(Lit::TRUE)
    }

    /// By gate: its value for these values of the inputs.
    pub fn simulate(&self, inputs: &[bool]) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.gates.len());
        for gate in &self.gates {
            let of = |lit: Lit| values[lit.gate() as usize] != lit.is_negated();
            let value = match gate {
                Gate::False => false,
                Gate::Input(input) => inputs[*input as usize],
                Gate::And(a, b) => of(*a) && of(*b),
            };
            values.push(value);
        }
        values
    }

    /// The cone of influence of literals: their gates and all gates on which these depend, operands first.
    pub fn cone(&self, lits: impl IntoIterator<Item = Lit>) -> Vec<u32> {
        let mut seen = vec![false; self.gates.len()];
        let mut open: Vec<u32> = lits.into_iter().map(Lit::gate).collect();
        while let Some(gate) = open.pop() {
            if std::mem::replace(&mut seen[gate as usize], true) {
                continue;
            }
            if let Gate::And(a, b) = self.gate(gate) {
                open.extend([a.gate(), b.gate()]);
            }
        }
        (0..self.gates.len() as u32)
            .filter(|gate| seen[*gate as usize])
            .collect()
    }
}

/// The part of the structural hash table for the conjunction of two literals.
fn part(a: Lit, b: Lit) -> usize {
    let mixed = (a.0 ^ b.0.rotate_left(16)).wrapping_mul(0x9E37_79B1);
    (mixed >> (u32::BITS - PARTS)) as usize
}
