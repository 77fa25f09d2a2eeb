//! Tests and-inverter graphs with all functions of three inputs, and every solver with random circuits.

use crate::random::Rng;
use crate::{BACKENDS, go_on};
use sat::{
    Aig, Batsat, Certified, Clauses, Decision, Gate, Lit, Outcome, Sink, Solver, Tseitin, check,
};

/// By gate of a circuit with three inputs: its truth table. Bit `v` is the value if input `i` is bit `i` of `v`.
#[derive(Default)]
struct Tables(Vec<u8>);

impl Tables {
    fn of(&mut self, aig: &Aig, lit: Lit) -> u8 {
        for gate in self.0.len()..aig.len() {
            let part = |lit: Lit| match lit.is_negated() {
                true => !self.0[lit.gate() as usize],
                false => self.0[lit.gate() as usize],
            };
            let table = match aig.gate(gate as u32) {
                Gate::False => 0,
                Gate::Input(input) => [0b1010_1010, 0b1100_1100, 0b1111_0000][input as usize],
                Gate::And(a, b) => part(a) & part(b),
            };
            self.0.push(table);
        }
        let table = self.0[lit.gate() as usize];
        if lit.is_negated() { !table } else { table }
    }
}

/// The two constants, and three new inputs with their negations.
fn literals(aig: &mut Aig) -> Vec<Lit> {
    let inputs = [aig.input(), aig.input(), aig.input()];
    let positive = [Lit::TRUE].into_iter().chain(inputs);
    positive.flat_map(|lit| [lit, !lit]).collect()
}

/// By truth table: a literal of this function of three new inputs.
fn functions(aig: &mut Aig) -> Vec<Lit> {
    let inputs = [aig.input(), aig.input(), aig.input()];
    let rows: Vec<Lit> = (0..8)
        .map(|row| aig.all((0..3).map(|at| [!inputs[at], inputs[at]][row >> at & 1])))
        .collect();
    let of = |table: usize| (0..8).filter(move |row| table >> row & 1 == 1);
    (0..256)
        .map(|table| aig.any(of(table).map(|row| rows[row])))
        .collect()
}

#[test]
fn two_functions() {
    let mut aig = Aig::new();
    let functions = functions(&mut aig);
    let mut tables = Tables::default();
    for (x, &a) in (0..=255u8).zip(&functions) {
        assert_eq!(tables.of(&aig, a), x);
        assert_eq!(tables.of(&aig, !a), !x);
        for (y, &b) in (0..=255u8).zip(&functions) {
            for (made, table) in [
                (aig.and(a, b), x & y),
                (aig.or(a, b), x | y),
                (aig.xor(a, b), x ^ y),
                (aig.iff(a, b), !(x ^ y)),
                (aig.implies(a, b), !x | y),
                (aig.and(!a, b), !x & y),
                (aig.or(a, !b), x | !y),
            ] {
                assert_eq!(tables.of(&aig, made), table, "{x:08b} {y:08b}");
            }
            assert_eq!(aig.and(a, b), aig.and(b, a));
        }
    }
    // Simulation gives the same values as the truth tables.
    for row in 0..8 {
        let inputs = [0, 1, 2].map(|at| row >> at & 1 == 1);
        let values = aig.simulate(&inputs);
        assert_eq!(values.len(), aig.len());
        for (gate, value) in values.into_iter().enumerate() {
            assert_eq!(tables.0[gate] >> row & 1 == 1, value);
        }
    }
}

#[test]
fn three_functions() {
    let mut aig = Aig::new();
    let functions = functions(&mut aig);
    let mut tables = Tables::default();
    let mut rng = Rng::new(3);
    for _ in 0..20_000 {
        let [x, y, z] = [(); 3].map(|()| rng.below(256));
        let [a, b, c] = [x, y, z].map(|table| functions[table]);
        let [x, y, z] = [x, y, z].map(|table| table as u8);
        let made = aig.ite(a, b, c);
        assert_eq!(tables.of(&aig, made), (x & y) | (!x & z));
        let made = aig.all([a, b, c]);
        assert_eq!(tables.of(&aig, made), x & y & z);
        let made = aig.any([a, b, c]);
        assert_eq!(tables.of(&aig, made), x | y | z);
    }
}

#[test]
fn all_combinations_of_literals() {
    let mut aig = Aig::new();
    let literals = literals(&mut aig);
    let mut tables = Tables::default();
    assert_eq!(aig.all([]), Lit::TRUE);
    assert_eq!(aig.any([]), Lit::FALSE);
    for &a in &literals {
        let x = tables.of(&aig, a);
        assert_eq!(aig.all([a]), a);
        assert_eq!(aig.any([a]), a);
        for &b in &literals {
            let y = tables.of(&aig, b);
            for (made, table) in [
                (aig.and(a, b), x & y),
                (aig.or(a, b), x | y),
                (aig.xor(a, b), x ^ y),
                (aig.iff(a, b), !(x ^ y)),
                (aig.implies(a, b), !x | y),
            ] {
                assert_eq!(tables.of(&aig, made), table);
                // A gate of two of these literals is a constant literal exactly if its function is constant.
                assert_eq!(made.known().is_some(), [0, 255].contains(&table));
            }
            for &c in &literals {
                let z = tables.of(&aig, c);
                let made = [aig.ite(a, b, c), aig.all([a, b, c]), aig.any([a, b, c])];
                let expected = [(x & y) | (!x & z), x & y & z, x | y | z];
                assert_eq!(made.map(|lit| tables.of(&aig, lit)), expected);
                for &d in &literals {
                    let w = tables.of(&aig, d);
                    let made = [aig.all([a, b, c, d]), aig.any([a, b, c, d])];
                    let expected = [x & y & z & w, x | y | z | w];
                    assert_eq!(made.map(|lit| tables.of(&aig, lit)), expected);
                }
            }
        }
    }
}

#[test]
fn gates_are_shared() {
    let mut aig = Aig::new();
    assert!(aig.is_empty());
    let literals = literals(&mut aig);
    let build = |aig: &mut Aig| -> Vec<Lit> {
        let mut made = Vec::new();
        for &a in &literals {
            for &b in &literals {
                made.extend([aig.and(a, b), aig.xor(a, b), aig.implies(a, b)]);
                made.extend(literals.iter().map(|c| aig.ite(a, b, *c)));
            }
        }
        made
    };
    let first = build(&mut aig);
    let size = aig.len();
    assert_eq!(build(&mut aig), first);
    assert_eq!(aig.len(), size);
    assert_eq!(aig.inputs(), 3);
}

/// A circuit with inputs and random gates, and its literals.
fn random_circuit(rng: &mut Rng, inputs: usize, gates: usize) -> (Aig, Vec<Lit>) {
    let mut aig = Aig::new();
    let mut made: Vec<Lit> = (0..inputs).map(|_| aig.input()).collect();
    grow(&mut aig, &mut made, rng, gates);
    (aig, made)
}

fn grow(aig: &mut Aig, made: &mut Vec<Lit>, rng: &mut Rng, gates: usize) {
    for _ in 0..gates {
        let [a, b, c] = [(); 3].map(|()| {
            let lit = made[rng.below(made.len())];
            if rng.below(2) == 0 { lit } else { !lit }
        });
        let lit = match rng.below(6) {
            0 => aig.and(a, b),
            1 => aig.or(a, b),
            2 => aig.xor(a, b),
            3 => aig.ite(a, b, c),
            4 => aig.all([a, b, c]),
            _ => aig.implies(a, b),
        };
        made.push(lit);
    }
}

#[test]
fn the_cone_of_influence() {
    for seed in 0..50 {
        let mut rng = Rng::new(seed);
        let (aig, made) = random_circuit(&mut rng, 6, 25);
        let tops = [(); 2].map(|()| made[rng.below(made.len())]);
        let cone = aig.cone(tops);
        assert!(cone.is_sorted_by(|one, next| one < next));
        let mut expected: Vec<u32> = tops.map(Lit::gate).to_vec();
        let mut at = 0;
        while at < expected.len() {
            if let Gate::And(a, b) = aig.gate(expected[at]) {
                expected.extend([a.gate(), b.gate()]);
            }
            at += 1;
        }
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(cone, expected);
        // Inputs outside the cone have no effect.
        let in_cone = |input: &u32| cone.iter().any(|g| aig.gate(*g) == Gate::Input(*input));
        let free: Vec<u32> = (0..6).filter(|input| !in_cone(input)).collect();
        for row in 0..64 {
            let mut inputs = [0, 1, 2, 3, 4, 5].map(|at| row >> at & 1 == 1);
            let before = aig.simulate(&inputs);
            free.iter().for_each(|at| inputs[*at as usize] ^= true);
            let after = aig.simulate(&inputs);
            assert!(
                tops.iter()
                    .all(|top| { before[top.gate() as usize] == after[top.gate() as usize] })
            );
        }
    }
}

fn holds(values: &[bool], lit: Lit) -> bool {
    values[lit.gate() as usize] != lit.is_negated()
}

/// By assignment of the inputs: the values of all gates.
fn all_values(aig: &Aig) -> Vec<Vec<bool>> {
    let rows = 0..1usize << aig.inputs();
    rows.map(|row| {
        let inputs: Vec<bool> = (0..aig.inputs()).map(|at| row >> at & 1 == 1).collect();
        aig.simulate(&inputs)
    })
    .collect()
}

/// Asks a solver whether sets of literals of a growing circuit are satisfiable, and compares with simulation. Returns
/// how often the result was unsatisfiable and satisfiable.
fn ask_about_circuits(mut solver: impl Solver, seed: u64) -> [usize; 2] {
    let mut counts = [0, 0];
    let mut rng = Rng::new(seed);
    let inputs = 1 + rng.below(10);
    let gates = 5 + rng.below(25);
    let (mut aig, mut made) = random_circuit(&mut rng, inputs, gates);
    made.extend([Lit::TRUE, Lit::FALSE]);
    let mut tseitin = Tseitin::new();
    for round in 0..3 {
        grow(&mut aig, &mut made, &mut rng, 5 * round);
        let rows = all_values(&aig);
        for _ in 0..6 {
            let wanted: Vec<Lit> = (0..1 + rng.below(6))
                .map(|_| {
                    let lit = made[rng.below(made.len())];
                    if rng.below(3) == 0 { !lit } else { lit }
                })
                .collect();
            let assumed: Vec<i32> = wanted
                .iter()
                .map(|lit| tseitin.literal(&aig, *lit, &mut solver))
                .collect();
            let possible = |wanted: &[Lit]| {
                let row = |row: &Vec<bool>| wanted.iter().all(|lit| holds(row, *lit));
                rows.iter().any(row)
            };
            match solver.solve(&assumed, &mut go_on) {
                Outcome::Satisfiable => {
                    counts[0] += 1;
                    let values = aig.simulate(&tseitin.inputs(&aig, &solver));
                    assert!(wanted.iter().all(|lit| holds(&values, *lit)));
                    for gate in 0..aig.len() as u32 {
                        if let Some(literal) = tseitin.known(Lit::of_gate(gate)) {
                            assert_eq!(solver.value(literal), values[gate as usize]);
                        }
                    }
                }
                Outcome::Unsatisfiable => {
                    counts[1] += 1;
                    assert!(!possible(&wanted));
                    let core = solver.core();
                    let failed = wanted.iter().zip(&assumed);
                    let failed = failed.filter(|(_, literal)| core.contains(literal));
                    let failed: Vec<Lit> = failed.map(|(lit, _)| *lit).collect();
                    assert!(!possible(&failed));
                }
                Outcome::Stopped => panic!("stopped without a reason"),
            }
        }
    }
    counts
}

#[test]
fn every_solver_decides_random_circuits() {
    let mut counts = [0, 0];
    for seed in 0..60 {
        let [first, second] = BACKENDS.map(|backend| ask_about_circuits((backend.new)(), seed));
        assert_eq!(first, second);
        assert_eq!(first, ask_about_circuits(Certified::new(), seed));
        counts = [counts[0] + first[0], counts[1] + first[1]];
    }
    assert!(counts[0] > 100 && counts[1] > 100, "{counts:?}");
}

/// The bits of a sum, the lowest first, modulo `2^n` for n bits.
fn sum(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let mut carry = Lit::FALSE;
    let mut digits = Vec::new();
    for (a, b) in a.iter().zip(b) {
        let different = aig.xor(*a, *b);
        digits.push(aig.xor(different, carry));
        carry = aig.ite(different, carry, *a);
    }
    digits
}

fn product(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let mut digits = vec![Lit::FALSE; a.len()];
    for (shift, b) in b.iter().enumerate() {
        let row = (0..a.len()).map(|at| match at.checked_sub(shift) {
            None => Lit::FALSE,
            Some(at) => aig.and(a[at], *b),
        });
        let row: Vec<Lit> = row.collect();
        digits = sum(aig, &digits, &row);
    }
    digits
}

#[test]
fn laws_of_numbers_have_proofs() {
    let mut aig = Aig::new();
    let [a, b, c] = [(); 3].map(|()| (0..5).map(|_| aig.input()).collect::<Vec<_>>());
    let (ab, ba) = (sum(&mut aig, &a, &b), sum(&mut aig, &b, &a));
    let (bc, aba) = (sum(&mut aig, &b, &c), product(&mut aig, &a, &b));
    let (left, right) = (sum(&mut aig, &ab, &c), sum(&mut aig, &a, &bc));
    let (abc, ac) = (product(&mut aig, &a, &bc), product(&mut aig, &a, &c));
    let (bab, both) = (product(&mut aig, &b, &a), sum(&mut aig, &aba, &ac));
    let laws = [(ab, ba), (left, right), (aba.clone(), bab), (abc, both)];
    for (left, right) in laws {
        let pairs = left.iter().zip(&right);
        let different: Vec<Lit> = pairs.map(|(a, b)| aig.xor(*a, *b)).collect();
        let different = aig.any(different);
        let mut clauses = Clauses::new();
        let literal = Tseitin::new().literal(&aig, different, &mut clauses);
        clauses.clause(&[literal]);
        for backend in BACKENDS {
            match (backend.prove)(&clauses, &mut go_on) {
                Decision::Refuted(proof) => assert_eq!(check(&clauses, &proof), Ok(())),
                other => panic!("{}: {other:?}", backend.name),
            }
        }
    }
    // An equation that does not hold in general has a counterexample.
    let mut clauses = Clauses::new();
    let mut tseitin = Tseitin::new();
    let different = aig.xor(aba[2], c[2]);
    let literal = tseitin.literal(&aig, different, &mut clauses);
    clauses.clause(&[literal]);
    for backend in BACKENDS {
        let Decision::Satisfied(values) = (backend.prove)(&clauses, &mut go_on) else {
            panic!("the clauses are satisfiable")
        };
        assert!(clauses.hold(&values));
    }
}

#[test]
fn the_compact_encoding_is_equivalent() {
    let (mut plain_variables, mut fewer_variables) = (0, 0);
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let (aig, made) = random_circuit(&mut rng, 5, 20);
        let (mut solver, mut tseitin) = (Batsat::new(), Tseitin::compact(&aig));
        let (mut plainly, mut each_gate) = (Clauses::new(), Tseitin::new());
        let tops = [(); 3].map(|()| made[rng.below(made.len())]);
        let inputs = [0, 1, 2, 3, 4].map(|at| tseitin.literal(&aig, made[at], &mut solver));
        let literals = tops.map(|top| tseitin.literal(&aig, top, &mut solver));
        for top in made[..5].iter().copied().chain(tops) {
            each_gate.literal(&aig, top, &mut plainly);
        }
        plain_variables += plainly.variables();
        fewer_variables += solver.variable() - 1;
        for row in 0..32 {
            let values = [0, 1, 2, 3, 4].map(|at| row >> at & 1 == 1);
            let simulated = aig.simulate(&values);
            let assumed = inputs.iter().zip(values);
            let assumed: Vec<i32> = assumed.map(|(l, v)| if v { *l } else { -l }).collect();
            assert_eq!(solver.solve(&assumed, &mut go_on), Outcome::Satisfiable);
            for (top, literal) in tops.iter().zip(literals) {
                let expected = simulated[top.gate() as usize] != top.is_negated();
                assert_eq!(solver.value(literal), expected, "seed {seed}, row {row}");
            }
        }
    }
    assert!(fewer_variables < plain_variables);
}
