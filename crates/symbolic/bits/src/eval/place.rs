//! Functional update: computes a value with one part replaced.

use crate::Unsupported;
use crate::eval::evaluator::Evaluator;
use crate::values::merge::ite;
use crate::values::value::Bits;
use machine::PlaceStep;
use sat::Lit;

impl Evaluator<'_> {
    /// `whole` with the part at the end of `path` replaced by `part`. Adds an error if the part does not exist.
    pub(crate) fn with_part(
        &mut self,
        whole: &Bits,
        path: &[PlaceStep],
        part: &Bits,
    ) -> Result<Bits, Unsupported> {
        let Some((first, rest)) = path.split_first() else {
            return Ok(part.clone());
        };
        Ok(match (whole, first) {
            (Bits::Record(alternatives), PlaceStep::Field(field)) => {
                let mut alternatives = alternatives.clone();
                if let Some(record) = alternatives.first_mut() {
                    let old = &record.fields[*field as usize];
                    record.fields[*field as usize] = self.with_part(old, rest, part)?;
                }
                Bits::Record(alternatives)
            }
            (Bits::Array(values), PlaceStep::Index(ty, index)) => {
                let index = self.value(index)?;
                let places = self.places(ty, &index)?;
                let mut values = values.clone();
                for (value, here) in values.iter_mut().zip(places) {
                    if here != Lit::FALSE {
                        let new = self.under(here, |this| this.with_part(value, rest, part))?;
                        *value = ite(self.aig, here, &new, value);
                    }
                }
                Bits::Array(values)
            }
            (Bits::Option(present, value), PlaceStep::Unwrap) => {
                self.fail_if(!*present);
                Bits::Option(*present, Box::new(self.with_part(value, rest, part)?))
            }
            (other, step) => unreachable!("verified to have the part {step:?}: {other:?}"),
        })
    }
}
