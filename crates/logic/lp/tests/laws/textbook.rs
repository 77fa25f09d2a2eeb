//! Textbook problems, and minimal problems of each kind.

use lp::{
    Answer, Linear, Mistake, Multipliers, Optimum, Problem, Relation, Row, Solver, Unknown,
    check_infeasible, check_optimum, check_point,
};
use rational::Rational;

fn linear(terms: &[(Unknown, &str)]) -> Linear {
    let terms = terms.iter();
    terms.map(|(x, c)| (*x, c.parse().unwrap())).collect()
}

fn numbers(texts: &[&str]) -> Vec<Rational> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

#[track_caller]
fn most(problem: &Problem, form: &Linear) -> Rational {
    match Solver::new(problem.clone()).maximise(form) {
        Optimum::Most {
            value,
            point,
            multipliers,
        } => {
            assert_eq!(check_point(problem, &point), Ok(()));
            assert_eq!(check_optimum(problem, form, &value, &multipliers), Ok(()));
            value
        }
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn reason(problem: &Problem) -> Vec<u32> {
    match Solver::new(problem.clone()).solve() {
        Answer::Infeasible(reason) => {
            assert_eq!(check_infeasible(problem, &reason), Ok(()));
            reason.rows().map(|row| row.0).collect()
        }
        Answer::Point(point) => panic!("{point:?}"),
    }
}

#[test]
fn nothing_is_asked() {
    let mut solver = Solver::new(Problem::new());
    assert_eq!(solver.solve(), Answer::Point(vec![]));
    let mut one = Problem::new();
    let x = one.unknown();
    assert_eq!(
        Solver::new(one.clone()).solve(),
        Answer::Point(numbers(&["0"]))
    );
    assert_eq!(most(&one, &Linear::default()), Rational::ZERO);
    assert!(matches!(
        Solver::new(one).maximise(&x.into()),
        Optimum::Unbounded { .. }
    ));
}

#[test]
fn a_row_that_contradicts_itself() {
    for (relation, right) in [
        (Relation::AtMost, -1),
        (Relation::AtLeast, 1),
        (Relation::Equal, 1),
        (Relation::Equal, -1),
    ] {
        let mut problem = Problem::new();
        let x = problem.unknown();
        problem.at_least(x, 0);
        let nothing = linear(&[(x, "2"), (x, "-2")]);
        problem.row(nothing, relation, right.into());
        assert_eq!(reason(&problem), [1]);
    }
}

#[test]
fn two_bounds_that_cross() {
    let mut problem = Problem::new();
    let x = problem.unknown();
    problem.at_least(linear(&[(x, "-3")]), 3); // x <= -1
    problem.at_most(x, 7);
    problem.equal(linear(&[(x, "1/2")]), 4); // x = 8
    assert_eq!(reason(&problem), [0, 2]);
}

#[test]
fn the_reason_leaves_out_what_does_not_matter() {
    let mut problem = Problem::new();
    let [a, b, c, d] = std::array::from_fn(|_| problem.unknown());
    problem.at_least(Linear::difference(b, a), 2);
    problem.at_most(Linear::difference(d, a), 100);
    problem.at_least(Linear::difference(c, b), 3);
    problem.at_least(d, 0);
    problem.at_most(Linear::difference(c, a), "4.5".parse::<Rational>().unwrap());
    assert_eq!(reason(&problem), [0, 2, 4]);
}

#[test]
fn equations() {
    let mut problem = Problem::new();
    let [x, y, z] = std::array::from_fn(|_| problem.unknown());
    problem.equal(linear(&[(x, "1"), (y, "1"), (z, "1")]), 6);
    problem.equal(linear(&[(x, "2"), (y, "-1"), (z, "3")]), 9);
    problem.equal(linear(&[(x, "1"), (y, "4"), (z, "-1")]), 6);
    let once = Solver::new(problem.clone()).solve();
    assert_eq!(once, Answer::Point(numbers(&["1", "2", "3"])));
    problem.equal(linear(&[(x, "3"), (z, "4")]), 16);
    assert_eq!(reason(&problem), [0, 1, 3]);
}

/// Beale's example, on which Dantzig's pivot rule cycles.
#[test]
fn beale() {
    let mut problem = Problem::new();
    let [a, b, c, d] = std::array::from_fn(|_| problem.unknown());
    for x in [a, b, c, d] {
        problem.at_least(x, 0);
    }
    problem.at_most(linear(&[(a, "1/4"), (b, "-60"), (c, "-1/25"), (d, "9")]), 0);
    problem.at_most(linear(&[(a, "1/2"), (b, "-90"), (c, "-1/50"), (d, "3")]), 0);
    problem.at_most(c, 1);
    let form = linear(&[(a, "3/4"), (b, "-150"), (c, "1/50"), (d, "-6")]);
    assert_eq!(most(&problem, &form), Rational::new(1, 20));
}

/// Chvátal's example, on which a pivot rule cycles.
#[test]
fn chvatal() {
    let mut problem = Problem::new();
    let [a, b, c, d] = std::array::from_fn(|_| problem.unknown());
    for x in [a, b, c, d] {
        problem.at_least(x, 0);
    }
    problem.at_most(
        linear(&[(a, "1/2"), (b, "-11/2"), (c, "-5/2"), (d, "9")]),
        0,
    );
    problem.at_most(linear(&[(a, "1/2"), (b, "-3/2"), (c, "-1/2"), (d, "1")]), 0);
    problem.at_most(a, 1);
    let form = linear(&[(a, "10"), (b, "-57"), (c, "-9"), (d, "-24")]);
    assert_eq!(most(&problem, &form), Rational::ONE);
}

/// The Klee-Minty cubes, on which the simplex method can visit every vertex.
#[test]
fn klee_and_minty() {
    for n in 1..=7u32 {
        let mut problem = Problem::new();
        let unknowns: Vec<Unknown> = (0..n).map(|_| problem.unknown()).collect();
        let power = |base: i64, exponent: u32| Rational::from(base.pow(exponent));
        for (i, x) in (1..).zip(&unknowns) {
            problem.at_least(*x, 0);
            let before = (1..i).zip(&unknowns);
            let twice = before.map(|(j, y)| (*y, power(2, i - j + 1)));
            let left: Linear = twice.chain([(*x, Rational::ONE)]).collect();
            problem.at_most(left, power(5, i));
        }
        let form: Linear = (1..)
            .zip(&unknowns)
            .map(|(i, x)| (*x, power(2, n - i)))
            .collect();
        assert_eq!(most(&problem, &form), power(5, n));
    }
}

#[test]
fn numbers_larger_than_words() {
    let mut problem = Problem::new();
    let mut last = problem.unknown();
    problem.equal(last, 1);
    for _ in 0..30 {
        let next = problem.unknown();
        problem.equal(linear(&[(next, "1"), (last, "-1000003/7")]), 0);
        last = next;
    }
    problem.at_most(last, 1);
    let core = reason(&problem);
    assert_eq!(core.len(), 32);
}

#[test]
fn a_wrong_answer_is_noticed() {
    let mut problem = Problem::new();
    let [x, y] = std::array::from_fn(|_| problem.unknown());
    problem.at_least(Linear::difference(y, x), 2);
    problem.at_most(Linear::difference(y, x), 1);
    problem.equal(x, 3);
    assert_eq!(
        check_point(&problem, &numbers(&["3"])),
        Err(Mistake::Values)
    );
    let broken = |point: &[&str]| check_point(&problem, &numbers(point));
    assert_eq!(broken(&["3", "4"]), Err(Mistake::Broken(Row(0))));
    assert_eq!(broken(&["3", "5"]), Err(Mistake::Broken(Row(1))));
    let infeasible = |parts: &[(u32, i64)]| {
        let parts = parts.iter().map(|(row, by)| (Row(*row), (*by).into()));
        check_infeasible(&problem, &Multipliers(parts.collect()))
    };
    assert_eq!(infeasible(&[(0, -1), (1, 1)]), Ok(()));
    assert_eq!(infeasible(&[(0, 1), (1, -1)]), Err(Mistake::Sign(Row(0))));
    assert_eq!(infeasible(&[(1, -1)]), Err(Mistake::Sign(Row(1))));
    assert_eq!(infeasible(&[(0, -1), (1, 2)]), Err(Mistake::Left));
    assert_eq!(infeasible(&[(9, 1)]), Err(Mistake::NoRow(Row(9))));
    assert_eq!(infeasible(&[]), Err(Mistake::Right));
    let optimum = |value: i64, parts: &[(u32, i64)]| {
        let parts = parts.iter().map(|(row, by)| (Row(*row), (*by).into()));
        let parts = Multipliers(parts.collect());
        check_optimum(&problem, &y.into(), &value.into(), &parts)
    };
    assert_eq!(optimum(4, &[(1, 1), (2, 1)]), Ok(()));
    assert_eq!(optimum(3, &[(1, 1), (2, 1)]), Err(Mistake::Right));
    assert_eq!(optimum(1, &[(1, 1)]), Err(Mistake::Left));
}

#[test]
fn rows_can_be_read() {
    let mut problem = Problem::new();
    let [x, y] = std::array::from_fn(|_| problem.unknown());
    problem.at_most(linear(&[(y, "-3/2"), (x, "1")]), 4);
    problem.at_least(linear(&[(y, "2"), (x, "-1")]), Rational::new(1, 3));
    problem.equal(Linear::default(), 0);
    let texts: Vec<String> = problem.rows().iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["x0 - 3/2 x1 <= 4", "-x0 + 2 x1 >= 1/3", "0 = 0"]);
}
