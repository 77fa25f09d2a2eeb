//! Simple numbers, compared with expected values and with enumeration; and slack of rows.

use crate::random::{Clock, Random, schedule};
use lp::{
    Answer, Ends, Linear, Preference, Problem, Range, Slack, Solver, check_infeasible, check_point,
    simple_point, tightened, widest_slack,
};
use rational::Rational;

fn number(text: &str) -> Rational {
    text.parse().unwrap()
}

fn range(least: &str, most: &str) -> Range {
    let end = |text: &str| (!text.is_empty()).then(|| number(text));
    Range {
        least: end(least),
        most: end(most),
    }
}

fn steps(texts: &[&str], ends: Ends) -> Preference {
    Preference {
        steps: texts.iter().map(|text| number(text)).collect(),
        ends,
    }
}

#[test]
fn the_preferred_number() {
    let clock = steps(&["10", "1", "1/2", "1/10"], Ends::Avoid);
    for (least, most, wanted) in [
        ("3", "57", "10"),
        ("10", "57", "20"),
        ("10", "20", "11"),
        ("10", "10", "10"),
        ("41", "49.5", "42"),
        ("41", "42", "83/2"),
        ("41", "41.5", "411/10"),
        ("41", "41.1", "452/11"),
        ("1/3", "1/3", "1/3"),
        ("", "", "0"),
        ("", "-3", "-10"),
        ("", "0", "-10"),
        ("0", "", "10"),
        ("-1", "", "0"),
        ("-57", "-3", "-10"),
        ("-5", "5", "0"),
        ("7/10", "8/10", "3/4"),
    ] {
        let picked = clock.pick(&range(least, most));
        assert_eq!(picked, number(wanted), "from {least} to {most}");
    }
    let ends = steps(&["10", "1"], Ends::Allow);
    for (least, most, wanted) in [
        ("10", "20", "10"),
        ("0", "", "0"),
        ("-3", "0", "0"),
        ("41", "42", "41"),
        ("41.2", "42", "42"),
        ("41.2", "41.9", "83/2"),
        ("41.5", "41.9", "83/2"),
        ("-41.9", "-41.5", "-83/2"),
    ] {
        let picked = ends.pick(&range(least, most));
        assert_eq!(picked, number(wanted), "from {least} to {most}");
    }
}

/// Compares the picked number with an enumeration of denominators and numerators.
#[test]
fn the_simplest_number_is_found() {
    let mut random = Random(6);
    for _ in 0..2_000 {
        let (a, b) = (random.number(), random.number() / Rational::from(7));
        let (least, most) = (a.clone().min(b.clone()), a.max(b));
        if least == most {
            continue;
        }
        for ends in [Ends::Avoid, Ends::Allow] {
            let inside = |x: &Rational| match ends {
                Ends::Avoid => least < *x && *x < most,
                Ends::Allow => least <= *x && *x <= most,
            };
            let wanted = (1..)
                .find_map(|denominator: i64| {
                    let reach = 10 * denominator;
                    (-reach..=reach)
                        .map(|top| Rational::new(top.into(), denominator.into()))
                        .filter(inside)
                        .min_by_key(|x| (x.abs(), x.is_negative()))
                })
                .unwrap();
            let found = steps(&[], ends).pick(&Range {
                least: Some(least.clone()),
                most: Some(most.clone()),
            });
            assert_eq!(found, wanted, "from {least} to {most}");
        }
    }
}

#[test]
fn ranges_of_unknowns() {
    let mut problem = Problem::new();
    let [x, y] = std::array::from_fn(|_| problem.unknown());
    problem.at_least(x, 1);
    problem.at_least(Linear::difference(y, x), 2);
    problem.at_most(Linear::difference(y, x), 5);
    let mut solver = Solver::new(problem.clone());
    assert_eq!(solver.range(x), Ok(range("1", "")));
    assert_eq!(solver.range(y), Ok(range("3", "")));
    problem.at_most(y, 7);
    let mut solver = Solver::new(problem.clone());
    assert_eq!(solver.range(x), Ok(range("1", "5")));
    assert_eq!(solver.range(y), Ok(range("3", "7")));
    problem.at_most(x, 0);
    let reason = Solver::new(problem.clone()).range(y).unwrap_err();
    assert_eq!(check_infeasible(&problem, &reason), Ok(()));
    assert_eq!(
        simple_point(&problem, &[], &Preference::default()),
        Answer::Infeasible(reason)
    );
}

#[test]
fn the_order_decides() {
    let mut problem = Problem::new();
    let [x, y] = std::array::from_fn(|_| problem.unknown());
    problem.at_least(x, 3);
    problem.at_least(Linear::difference(y, x), 4);
    problem.at_most(Linear::difference(y, x), 6);
    let tens = steps(&["10", "1"], Ends::Avoid);
    let point = |order: &[_]| match simple_point(&problem, order, &tens) {
        Answer::Point(point) => format!("{point:?}"),
        Answer::Infeasible(reason) => panic!("{reason:?}"),
    };
    assert_eq!(point(&[x, y]), "[10, 15]");
    assert_eq!(point(&[y, x]), "[5, 10]");
    assert_eq!(point(&[]), "[10, 15]");
    assert_eq!(point(&[y, y]), "[5, 10]");
}

#[test]
fn schedules_get_simple_numbers() {
    let mut random = Random(8);
    let tens = steps(&["10", "1", "1/2", "1/10"], Ends::Avoid);
    for clock in [Clock::Free, Clock::Drifting, Clock::OnGrid] {
        for _ in 0..5 {
            let run = schedule(&mut random, 3, 5, clock, false);
            let mut solver = Solver::new(run.problem.clone());
            let first = solver.simple_point(&run.unknowns, &tens);
            assert_eq!(*solver.problem(), run.problem);
            // The result does not depend on the current point of the solver.
            solver.maximise(&run.unknowns[0].into());
            assert_eq!(first, solver.simple_point(&run.unknowns, &tens));
            let Answer::Point(point) = first else {
                panic!("a run that was real");
            };
            assert_eq!(check_point(&run.problem, &point), Ok(()));
            // The expected values: the preferred number of each complete range, computed with a new solver.
            let mut fixed = run.problem.clone();
            for unknown in &run.unknowns {
                let range = Solver::new(fixed.clone()).range(*unknown).unwrap();
                let value = tens.pick(&range);
                assert_eq!(point[unknown.0 as usize], value);
                fixed.equal(*unknown, value);
            }
        }
    }
}

#[test]
fn room_between_rows() {
    let mut problem = Problem::new();
    let [a, b, c] = std::array::from_fn(|_| problem.unknown());
    problem.at_least(a, 0);
    let first = problem.at_least(Linear::difference(b, a), 0);
    let second = problem.at_most(Linear::difference(b, c), 0);
    let whole = problem.at_most(Linear::difference(c, a), 5);
    let Slack::Most {
        slack,
        point,
        limits,
    } = widest_slack(&problem, &[first, second], &100.into())
    else {
        panic!("there is room");
    };
    assert_eq!(slack, number("5/2"));
    assert_eq!(limits, [first, second, whole]);
    assert_eq!(
        check_point(&tightened(&problem, &[first, second], &slack), &point),
        Ok(())
    );
    let more = tightened(&problem, &[first, second], &number("2.6"));
    assert!(matches!(Solver::new(more).solve(), Answer::Infeasible(_)));

    let capped = widest_slack(&problem, &[first, second], &2.into());
    assert!(matches!(capped, Slack::Most { slack, limits, .. }
        if slack == 2.into() && limits.is_empty()));

    let equation = problem.equal(Linear::difference(b, a), 1);
    let none = widest_slack(&problem, &[first, equation], &2.into());
    assert!(matches!(none, Slack::Most { slack, limits, .. }
        if slack.is_zero() && limits == [equation]));

    problem.at_least(Linear::difference(c, a), 6);
    let Slack::Infeasible(reason) = widest_slack(&problem, &[first, whole], &2.into()) else {
        panic!("there is no solution");
    };
    assert_eq!(check_infeasible(&problem, &reason), Ok(()));
}

#[test]
fn room_on_random_problems() {
    let mut random = Random(9);
    for _ in 0..500 {
        let problem = random.problem();
        let rows: Vec<lp::Row> = (0..problem.rows().len() as u32)
            .map(lp::Row)
            .filter(|row| problem.constraint(*row).relation != lp::Relation::Equal)
            .filter(|_| random.below(2) == 0)
            .collect();
        let cap = Rational::from(3);
        match widest_slack(&problem, &rows, &cap) {
            Slack::Most { slack, point, .. } => {
                let tight = tightened(&problem, &rows, &slack);
                assert_eq!(check_point(&tight, &point), Ok(()));
                let more = slack.clone() + Rational::new(1, 1000);
                let tighter = tightened(&problem, &rows, &more);
                let ends = slack == cap || !crate::oracle::feasible(&tighter);
                assert!(ends, "{problem:?} {rows:?} {slack}");
            }
            Slack::Infeasible(reason) => {
                assert_eq!(check_infeasible(&problem, &reason), Ok(()));
            }
        }
    }
}
