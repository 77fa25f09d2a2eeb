//! Tests of what a larger time makes of a claim.

use super::*;

fn made(claim: &str) -> Result<Larger, String> {
    let machine = |x: i64| {
        let text = format!("(kind P 1) (var P a bool (is true)) (var P b bool (is true)) {claim}");
        let text = text.replace("2x", &(2 * x).to_string());
        machine::parse(&text.replace('x', &x.to_string())).expect("a machine")
    };
    larger(&machine(0), &machine(3), &Rational::from(3))
}

const A: &str = "(var a (node 1))";

#[test]
fn a_time_makes_a_claim_weaker_or_stronger() {
    use Larger::*;
    let claim = |e: &str| made(&format!("(claim c (always (state {e})))"));
    assert_eq!(claim(&format!("(implies {A} (now <= x))")), Ok(Weaker));
    assert_eq!(claim(&format!("(implies (now >= x) {A})")), Ok(Weaker));
    assert_eq!(claim(&format!("(implies {A} (now > x))")), Ok(Stronger));
    assert_eq!(claim("(and (now <= x) (not (now > x)))"), Ok(Weaker));
    assert!(claim("(or (now <= x) (now > x))").is_err());
    assert!(claim("(now = x)").is_err());
    assert!(claim("(= (now <= x) true)").is_err());
    assert!(claim("(now <= 2x)").is_err());
    assert!(claim(A).is_err());
    assert!(claim("(> 5 x)").is_err(), "it stands elsewhere");
    assert!(made("(claim c (eventually (state (now > x))))").is_err());
}

#[test]
fn what_must_follow_within_more_is_weaker() {
    let one = format!("(response {A} {A} x)");
    let claim = "(claim c (always (state (not (overdue 0)))))";
    assert_eq!(made(&format!("{one} {claim}")), Ok(Larger::Weaker));
    assert_eq!(made(&format!("{one} {one} {claim}")), Ok(Larger::Weaker));
    let both = "(claim c (always (state (and (not (overdue 0)) (now < x)))))";
    assert!(made(&format!("{one} {both}")).is_err());
}

#[test]
fn in_the_end_now_is_behind_every_time() {
    let machine = |x: i64| {
        let text = format!(
            "(kind P 1) (var P a bool (is true)) (claim c (always (state (implies {A} (now <= {x})))))"
        );
        machine::parse(&text).expect("a machine")
    };
    let question = in_the_end(&machine(0), &machine(1)).expect("a question");
    let text = format!(
        "(kind P 1) (var P a bool (is true)) (claim c (eventually (always (state (implies {A} false)))))"
    );
    assert_eq!(
        question,
        machine::parse(&text).expect("a machine").properties[0]
    );
}
