//! Quantifiers over bits.

use crate::Unsupported;
use crate::defects::{Defect, broken};
use crate::eval::branches::Branch;
use crate::eval::elements::{Element, Elements};
use crate::eval::evaluator::Evaluator;
use crate::values::merge::{ite, select};
use crate::values::number::Number;
use crate::values::value::{Bits, Set, Sort};
use machine::{Expr, LocalId, Quantifier};
use sat::Lit;

impl Evaluator<'_> {
    pub(crate) fn quantified(
        &mut self,
        whole: &Expr,
        quantifier: Quantifier,
        local: LocalId,
        domain: &Expr,
        body: &Expr,
    ) -> Result<Bits, Unsupported> {
        let world = self.world;
        if let (Some(view), true) = (world.open(), self.is_open(domain)?) {
            return self.quantified_openly(view, quantifier, local, (domain, body));
        }
        let elements = self.elements(domain)?;
        self.log_empty(elements.list.iter().map(|element| element.present));
        match quantifier {
            Quantifier::All => self.all(elements, local, body, true),
            Quantifier::Exists => self.all(elements, local, body, false),
            Quantifier::Count => {
                let elements = elements.distinct(self.aig);
                let mut found = Vec::new();
                for (present, holds) in self.bodies(&elements, local, body)? {
                    found.push(self.aig.and(present, holds.lit()));
                }
                Ok(Bits::Number(Sort::Int, Number::count(self.aig, found)))
            }
            Quantifier::Sum => {
                let elements = elements.distinct(self.aig);
                let values = self.bodies(&elements, local, body)?;
                self.sum(&values)
            }
            Quantifier::Max | Quantifier::Min => {
                let greatest = quantifier == Quantifier::Max;
                let values = self.bodies(&elements, local, body)?;
                self.extreme(whole, &values, greatest)
            }
            Quantifier::The => self.the(whole, elements, local, body),
            Quantifier::Union => {
                let mut union = Set::Table(Vec::new());
                for (present, value) in self.bodies(&elements, local, body)? {
                    let part = { value.set() }.mapped(|_, inside| self.aig.and(present, inside));
                    union = union.union(self.aig, &part)?;
                }
                Ok(Bits::Set(union))
            }
            Quantifier::Intersect => {
                let values = self.bodies(&elements, local, body)?;
                self.intersection(&values)
            }
        }
    }

    /// Logs the branch in which the domain is empty, given the membership literals of all candidates.
    pub(crate) fn log_empty(&mut self, present: impl Iterator<Item = Lit>) {
        if self.logs_branches() {
            let some = self.aig.any(present.collect::<Vec<_>>());
            self.log_branch(Branch::Nothing, !some);
        }
    }

    /// The value of the body for each element that can be present, with the literal that is true if the element is
    /// present.
    fn bodies(
        &mut self,
        elements: &Elements,
        local: LocalId,
        body: &Expr,
    ) -> Result<Vec<(Lit, Bits)>, Unsupported> {
        let mut values = Vec::new();
        for element in elements.list.iter().filter(|e| e.present != Lit::FALSE) {
            self.bind(local, element.value.clone());
            let value = self.under(element.present, |this| {
                let value = this.value(body)?;
                if let Bits::Bool(holds) = value {
                    this.log_both(Branch::Body, holds);
                }
                Ok(value)
            })?;
            values.push((element.present, value));
        }
        Ok(values)
    }

    /// Whether the body holds for all elements (`universal`), or for some element. The interpreter stops at the first
    /// element that decides the result, so errors of later elements do not count.
    fn all(
        &mut self,
        elements: Elements,
        local: LocalId,
        body: &Expr,
        universal: bool,
    ) -> Result<Bits, Unsupported> {
        let depth = self.path.len();
        let failed = self.branch_log.failed;
        let mut decided: Vec<(Lit, Lit, Element)> = Vec::new();
        let mut logged = vec![self.logged()];
        for element in elements.list {
            self.bind(local, element.value.clone());
            let outside = self.set_errors_aside();
            if !elements.ordered {
                self.branch_log.failed = failed;
            }
            let holds = self.under(element.present, |this| {
                let holds = this.condition(body)?;
                this.log_both(Branch::Body, holds);
                Ok(holds)
            })?;
            logged.push(self.logged());
            let error = self.take_error();
            self.put_errors_back(outside);
            let decides = if universal { !holds } else { holds };
            let decides = self.aig.and(element.present, decides);
            if elements.ordered {
                self.add_error(error);
                if !broken(Defect::DecidedGoesOn) {
                    self.path.push(!decides);
                }
            }
            decided.push((decides, error, element));
        }
        self.path.truncate(depth);
        if !elements.ordered {
            self.branch_log.failed = failed;
            for (i, (_, error, here)) in decided.iter().enumerate() {
                if *error == Lit::FALSE && logged[i] == logged[i + 1] {
                    continue;
                }
                let mut earlier = Vec::new();
                let mut failed_earlier = Vec::new();
                for (j, (decides, other_error, other)) in decided.iter().enumerate() {
                    if i != j && (*decides != Lit::FALSE || *other_error != Lit::FALSE) {
                        let before = other.before(self.aig, here)?;
                        earlier.push(self.aig.and(*decides, before));
                        failed_earlier.push(self.aig.and(*other_error, before));
                    }
                }
                let earlier = self.aig.any(earlier);
                if logged[i] != logged[i + 1] {
                    let failed_earlier = self.aig.any(failed_earlier);
                    let reached = self.aig.and(!earlier, !failed_earlier);
                    self.restrict_logged(logged[i]..logged[i + 1], reached);
                }
                let error = self.aig.and(*error, !earlier);
                self.add_error(error);
                self.log_error(error);
            }
        }
        let some = self.aig.any(decided.iter().map(|(decides, ..)| *decides));
        Ok(Bits::Bool(if universal { !some } else { some }))
    }

    fn sum(&mut self, values: &[(Lit, Bits)]) -> Result<Bits, Unsupported> {
        let zero = Number::constant(0);
        let mut sum = zero.clone();
        for (present, value) in values {
            let part = Number::ite(self.aig, *present, value.number(), &zero);
            sum = sum.add(self.aig, &part);
            // The interpreter may overflow in a partial sum although the whole sum fits, so sums that might overflow
            // are refused.
            if sum.lo() < i128::from(i64::MIN) || sum.hi() > i128::from(i64::MAX) {
                return Err(Unsupported::new("a sum of large numbers"));
            }
        }
        Ok(Bits::Number(Sort::Int, sum))
    }

    fn extreme(
        &mut self,
        whole: &Expr,
        values: &[(Lit, Bits)],
        greatest: bool,
    ) -> Result<Bits, Unsupported> {
        let mut best: Option<(Lit, Sort, Number)> = None;
        for (present, value) in values {
            let Bits::Number(sort, number) = value else {
                unreachable!("verified to have an order: {value:?}")
            };
            best = Some(match best {
                None => (*present, *sort, number.clone()),
                Some((some, sort, old)) => {
                    let both = old.extreme(self.aig, number, greatest);
                    let with_old = Number::ite(self.aig, some, &both, number);
                    let next = Number::ite(self.aig, *present, &with_old, &old);
                    (self.aig.or(some, *present), sort, next)
                }
            });
        }
        match best {
            Some((some, sort, number)) => {
                self.fail_if(!some);
                Ok(Bits::Number(sort, number))
            }
            None => self.nothing(whole),
        }
    }

    /// Adds an error at the current point; the value is unspecified.
    fn nothing(&mut self, whole: &Expr) -> Result<Bits, Unsupported> {
        self.fail_if(Lit::TRUE);
        self.blank_of(whole)
    }

    fn the(
        &mut self,
        whole: &Expr,
        elements: Elements,
        local: LocalId,
        body: &Expr,
    ) -> Result<Bits, Unsupported> {
        let holds = self.bodies(&elements, local, body)?;
        let present = { elements.list.into_iter() }.filter(|e| e.present != Lit::FALSE);
        let mut found: Vec<(Lit, Bits)> = Vec::new();
        for (element, (present, holds)) in present.zip(holds) {
            let here = self.aig.and(present, holds.lit());
            if here == Lit::FALSE {
                continue;
            }
            for (other, value) in &found {
                let both = self.aig.and(here, *other);
                if both != Lit::FALSE {
                    let same = self.same(value, &element.value);
                    let differ = self.aig.and(both, !same);
                    self.fail_if(differ);
                }
            }
            found.push((here, element.value));
        }
        let some = self.aig.any(found.iter().map(|(here, _)| *here));
        self.fail_if(!some);
        match select(self.aig, &found) {
            Some(value) => Ok(value),
            None => self.blank_of(whole),
        }
    }

    fn intersection(&mut self, values: &[(Lit, Bits)]) -> Result<Bits, Unsupported> {
        let some = self.aig.any(values.iter().map(|(present, _)| *present));
        self.fail_if(!some);
        // Only elements of the union can be in the intersection.
        let mut union = Set::Table(Vec::new());
        for (present, value) in values {
            let part = { value.set() }.mapped(|_, inside| self.aig.and(*present, inside));
            union = union.union(self.aig, &part)?;
        }
        let all = union.mapped(|element, inside| {
            let mut in_all = vec![inside];
            for (present, value) in values {
                let contained = value.set().contains(self.aig, element);
                in_all.push(self.aig.implies(*present, contained));
            }
            self.aig.all(in_all)
        });
        Ok(Bits::Set(all))
    }

    /// The element with the largest or smallest key; the first one if there are several. An error if there is no
    /// element.
    pub(crate) fn extremum(
        &mut self,
        whole: &Expr,
        largest: bool,
        local: LocalId,
        domain: &Expr,
        by: &Expr,
    ) -> Result<Bits, Unsupported> {
        let world = self.world;
        if let (Some(view), true) = (world.open(), self.is_open(domain)?) {
            return self.extremum_openly(view, largest, local, (domain, by));
        }
        let elements = self.elements(domain)?;
        self.log_empty(elements.list.iter().map(|element| element.present));
        let keys = self.bodies(&elements, local, by)?;
        let present = { elements.list.iter() }.filter(|e| e.present != Lit::FALSE);
        let mut best: Option<(Element, Bits)> = None;
        for (element, (_, key)) in present.zip(keys) {
            let Some((old, old_key)) = &best else {
                best = Some((element.clone(), key));
                continue;
            };
            let (a, b) = match largest {
                true => (old_key, &key),
                false => (&key, old_key),
            };
            let mut better = a.number().less(self.aig, b.number());
            if !elements.ordered || broken(Defect::LastOfSeveral) {
                let tie = self.same(old_key, &key);
                let before = match broken(Defect::LastOfSeveral) {
                    true => Lit::TRUE,
                    false => element.before(self.aig, old)?,
                };
                let first = self.aig.and(tie, before);
                better = self.aig.or(better, first);
            }
            let better = self.aig.or(!old.present, better);
            let take = self.aig.and(element.present, better);
            let next_key = ite(self.aig, take, &key, old_key);
            best = Some((Element::ite(self.aig, take, element, old), next_key));
        }
        match best {
            Some((element, _)) => {
                self.fail_if(!element.present);
                Ok(element.value)
            }
            None => self.nothing(whole),
        }
    }
}
