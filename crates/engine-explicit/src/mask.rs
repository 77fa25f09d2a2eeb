//! Fields of records that make no difference: they are kept at their first value.

use crate::codec::Codec;
use machine::{RecordId, Type};
use verdict::Matters;

/// The fields of a record that do not matter: their weights and places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mask(Vec<(i64, i64)>);

impl Mask {
    /// For values of a type of which something matters.
    pub(crate) fn new(codec: Codec<'_>, ty: &Type, matters: &Matters) -> Result<Mask, String> {
        let Type::Record(record) = ty else {
            return Ok(Mask::default());
        };
        Mask::of_record(codec, *record, matters)
    }

    /// For a record of which something matters.
    pub(crate) fn of_record(
        codec: Codec<'_>,
        record: RecordId,
        matters: &Matters,
    ) -> Result<Mask, String> {
        let fields = codec.machine.records[record.index()]
            .fields
            .iter()
            .enumerate();
        let left_out = fields.filter(|(f, _)| !matters.has(*f as u32));
        let part = |(f, (_, ty)): (usize, &(String, Type))| {
            Ok((codec.weight(record, f as u32)?, codec.places(ty)? as i64))
        };
        Ok(Mask(left_out.map(part).collect::<Result<_, String>>()?))
    }

    /// The record's number with those fields at their first value.
    pub(crate) fn of(&self, number: i64) -> i64 {
        let parts = self.0.iter();
        let parts = parts.map(|(weight, places)| number / weight % places * weight);
        number - parts.sum::<i64>()
    }
}
