//! Parses formulas in the usual notation: `[]`, `<>`, `U`, `V` (release), `W` (weak until), `!`, `&&`, `||`, `->`,
//! `<->` and atoms `p0`, `p1`, ....

use ltl::Formula;

/// Parses a formula.
///
/// # Panics
/// If the text is not a formula.
pub fn formula(text: &str) -> Formula {
    let mut reader = Reader { text, rest: text };
    let formula = reader.equivalence();
    reader.skip();
    assert!(reader.rest.is_empty(), "{} in {text}", reader.rest);
    formula
}

struct Reader<'t> {
    text: &'t str,
    rest: &'t str,
}

impl Reader<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn takes(&mut self, sign: &str) -> bool {
        self.skip();
        let after = self.rest.strip_prefix(sign);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn equivalence(&mut self) -> Formula {
        let mut left = self.implication();
        while self.takes("<->") {
            let right = self.implication();
            let there = Formula::implies(left.clone(), right.clone());
            left = Formula::And(vec![there, Formula::implies(right, left)]);
        }
        left
    }

    fn implication(&mut self) -> Formula {
        let left = self.disjunction();
        if self.takes("->") {
            return Formula::implies(left, self.implication());
        }
        left
    }

    fn disjunction(&mut self) -> Formula {
        let mut members = vec![self.conjunction()];
        while self.takes("||") {
            members.push(self.conjunction());
        }
        alone(members, Formula::Or)
    }

    fn conjunction(&mut self) -> Formula {
        let mut members = vec![self.until()];
        while self.takes("&&") {
            members.push(self.until());
        }
        alone(members, Formula::And)
    }

    fn until(&mut self) -> Formula {
        let left = self.unary();
        if self.takes("U") {
            Formula::until(left, self.until())
        } else if self.takes("V") {
            Formula::release(left, self.until())
        } else if self.takes("W") {
            let right = self.until();
            Formula::release(right.clone(), Formula::Or(vec![left, right]))
        } else {
            left
        }
    }

    fn unary(&mut self) -> Formula {
        if self.takes("!") {
            Formula::not(self.unary())
        } else if self.takes("[]") {
            Formula::always(self.unary())
        } else if self.takes("<>") {
            Formula::eventually(self.unary())
        } else if self.takes("true") {
            Formula::True
        } else if self.takes("false") {
            Formula::False
        } else if self.takes("(") {
            let inner = self.equivalence();
            assert!(self.takes(")"), "{} in {}", self.rest, self.text);
            inner
        } else {
            assert!(self.takes("p"), "{} in {}", self.rest, self.text);
            let digits = self.rest.len() - self.rest.trim_start_matches(char::is_numeric).len();
            let (number, rest) = self.rest.split_at(digits);
            self.rest = rest;
            Formula::Atom(number.parse().expect("the number of an atom"))
        }
    }
}

fn alone(mut members: Vec<Formula>, join: impl Fn(Vec<Formula>) -> Formula) -> Formula {
    match members.len() {
        1 => members.remove(0),
        _ => join(members),
    }
}
