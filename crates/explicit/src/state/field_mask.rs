//! Field masks: set the fields of a record outside of the cone of influence to their first value.

use crate::state::codec::Codec;
use crate::state::partial_value::{self, UNDECIDED};
use machine::{RecordId, Type};
use verdict::Influence;

/// The fields of a record outside of the cone of influence: index, weight in the record's number, number of values.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldMask(Vec<(u32, i64, i64)>);

impl FieldMask {
    /// The mask of a type, whose fields inside the cone of influence are given by `matters`. Empty if the type is no
    /// record.
    pub(crate) fn new(
        codec: Codec<'_>,
        ty: &Type,
        matters: &Influence,
    ) -> Result<FieldMask, String> {
        let Type::Record(record) = ty else {
            return Ok(FieldMask::default());
        };
        FieldMask::of_record(codec, *record, matters)
    }

    /// The mask of a record, whose fields inside the cone of influence are given by `matters`.
    pub(crate) fn of_record(
        codec: Codec<'_>,
        record: RecordId,
        matters: &Influence,
    ) -> Result<FieldMask, String> {
        let fields = codec.machine.records[record.index()]
            .fields
            .iter()
            .enumerate();
        let left_out = fields.filter(|(f, _)| !matters.has(*f as u32));
        let part = |(f, (_, ty)): (usize, &(String, Type))| {
            let f = f as u32;
            Ok((f, codec.weight(record, f)?, codec.places(ty)? as i64))
        };
        Ok(FieldMask(
            left_out.map(part).collect::<Result<_, String>>()?,
        ))
    }

    /// The record in which all fields of the mask have their first value and are known. An undecided value stays
    /// undecided.
    pub(crate) fn of(&self, number: i64) -> i64 {
        if number == UNDECIDED {
            return number;
        }
        let (plain, unknown) = partial_value::split(number);
        let parts = self.0.iter();
        let parts = parts.map(|(_, weight, places)| plain / weight % places * weight);
        let left_out = self.0.iter().fold(0, |all, (f, ..)| all | 1 << f);
        partial_value::record(plain - parts.sum::<i64>(), unknown & !left_out)
    }
}
