//! Tests of monotonicity: the effect of a larger time on a claim.

use super::*;

fn effect(claim: &str) -> Result<Monotone, NotMonotone> {
    let machine = |x: i64| {
        let text = format!("(kind P 1) (var P a bool (is true)) (var P b bool (is true)) {claim}");
        let text = text.replace("2x", &(2 * x).to_string());
        machine::parse(&text.replace('x', &x.to_string())).expect("a machine")
    };
    monotone(&machine(0), &machine(3), &Rational::from(3))
}

const A: &str = "(var a (node 1))";

#[test]
fn a_time_makes_a_claim_weaker_or_stronger() {
    use Monotone::*;
    let claim = |e: &str| effect(&format!("(claim c (always (state {e})))"));
    assert_eq!(claim(&format!("(implies {A} (now <= x))")), Ok(Weaker));
    assert_eq!(claim(&format!("(implies (now >= x) {A})")), Ok(Weaker));
    assert_eq!(claim(&format!("(implies {A} (now > x))")), Ok(Stronger));
    assert_eq!(claim("(and (now <= x) (not (now > x)))"), Ok(Weaker));
    assert!(claim("(or (now <= x) (now > x))").is_err());
    assert!(claim("(now = x)").is_err());
    assert!(claim("(= (now <= x) true)").is_err());
    assert!(claim("(now <= 2x)").is_err());
    assert!(claim(A).is_err());
    assert!(claim("(> 5 x)").is_err(), "the time occurs elsewhere");
    assert!(effect("(claim c (eventually (state (now > x))))").is_err());
}

#[test]
fn a_longer_deadline_makes_a_response_weaker() {
    let one = format!("(response {A} {A} x)");
    let claim = "(claim c (always (state (not (overdue 0)))))";
    assert_eq!(effect(&format!("{one} {claim}")), Ok(Monotone::Weaker));
    assert_eq!(
        effect(&format!("{one} {one} {claim}")),
        Ok(Monotone::Weaker)
    );
    let both = "(claim c (always (state (and (not (overdue 0)) (now < x)))))";
    assert!(effect(&format!("{one} {both}")).is_err());
}

#[test]
fn in_the_limit_now_is_later_than_every_time() {
    let machine = |x: i64| {
        let text = format!(
            "(kind P 1) (var P a bool (is true)) (claim c (always (state (implies {A} (now <= {x})))))"
        );
        machine::parse(&text).expect("a machine")
    };
    let question = limit_claim(&machine(0), &machine(1)).expect("a question");
    let text = format!(
        "(kind P 1) (var P a bool (is true)) (claim c (eventually (always (state (implies {A} false)))))"
    );
    assert_eq!(
        question,
        machine::parse(&text).expect("a machine").properties[0]
    );
}
