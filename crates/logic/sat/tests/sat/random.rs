//! Seeded pseudo-random numbers (xorshift, Marsaglia 2003), random clauses, and enumeration of assignments.

/// The state of the generator.
pub struct Rng(u64);

impl Rng {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A random number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % bound
    }

    /// A random literal of one of the variables `1..=variables`.
    pub fn literal(&mut self, variables: i32) -> i32 {
        let variable = 1 + self.below(variables as usize) as i32;
        if self.below(2) == 0 {
            variable
        } else {
            -variable
        }
    }

    /// Random literals, possibly with repetitions.
    pub fn literals(&mut self, length: usize, variables: i32) -> Vec<i32> {
        (0..length).map(|_| self.literal(variables)).collect()
    }
}

/// The value of a literal, if bit `v - 1` of `values` is the value of variable `v`.
pub fn holds(literal: i32, values: u32) -> bool {
    (values >> (literal.abs() - 1) & 1 == 1) == (literal > 0)
}

/// Whether the clauses are satisfiable under the assumptions, by enumeration of all assignments.
pub fn satisfiable(variables: i32, clauses: &[Vec<i32>], assumptions: &[i32]) -> bool {
    (0..1u32 << variables).any(|values| {
        let clause = |clause: &Vec<i32>| clause.iter().any(|lit| holds(*lit, values));
        clauses.iter().all(clause) && assumptions.iter().all(|lit| holds(*lit, values))
    })
}

/// The pigeonhole principle with one pigeon more than holes, which is unsatisfiable: every pigeon is in a hole, and no
/// two are in the same hole. Returns the number of variables and the clauses.
pub fn pigeons(holes: i32) -> (i32, Vec<Vec<i32>>) {
    let in_hole = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    let somewhere = (0..=holes).map(|p| (0..holes).map(|h| in_hole(p, h)).collect());
    let mut clauses: Vec<Vec<i32>> = somewhere.collect();
    for hole in 0..holes {
        for one in 0..=holes {
            for other in 0..one {
                clauses.push(vec![-in_hole(one, hole), -in_hole(other, hole)]);
            }
        }
    }
    ((holes + 1) * holes, clauses)
}
