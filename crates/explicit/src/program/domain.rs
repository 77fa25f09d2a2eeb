//! Evaluation of domains and quantifiers by enumeration of elements.

use crate::program::expression::{Code, Context, Domain, NoValue, Visitor};
use crate::state::partial_value;
use machine::{NodeId, Quantifier};

impl Context<'_> {
    /// Calls `visit` with each element in order, until `visit` returns `false`. An unknown element is
    /// `NoValue::Unknown`.
    pub(crate) fn each(
        &self,
        domain: &Domain,
        locals: &mut [i64],
        visit: &mut Visitor<'_, Self>,
    ) -> Result<(), NoValue> {
        self.walk(domain, false, locals, visit)
    }

    /// Calls `visit` with each element, until `visit` returns `false`. If `in_part` is set, elements with unknown
    /// fields are visited too; then the order is arbitrary and elements may repeat.
    fn walk(
        &self,
        domain: &Domain,
        in_part: bool,
        locals: &mut [i64],
        visit: &mut Visitor<'_, Self>,
    ) -> Result<(), NoValue> {
        // The number of elements of one quantifier is bounded, but nested quantifiers may enumerate any number.
        if self.compiled.token.is_ended() {
            return Err(NoValue::Broken);
        }
        match domain {
            Domain::Between(lo, hi) => {
                let (lo, hi) = (self.eval(lo, locals)?, self.eval(hi, locals)?);
                for number in lo..=hi {
                    if !visit(self, locals, number)? {
                        break;
                    }
                }
            }
            Domain::Mask(mask, first) => {
                let mut rest = self.eval(mask, locals)?;
                while rest != 0 {
                    let place = i64::from(rest.trailing_zeros());
                    rest &= rest - 1;
                    if !visit(self, locals, place + first)? {
                        break;
                    }
                }
            }
            Domain::Neighbours(table, node) => {
                let node = self.eval(node, locals)?;
                for target in &table[node as usize] {
                    if !visit(self, locals, *target)? {
                        break;
                    }
                }
            }
            Domain::Inbox(types, node, copies) => {
                let node = NodeId(self.eval(node, locals)? as u32);
                let number = |message: i64| {
                    let (plain, unknown) = partial_value::split(message);
                    types.iter().find_map(|(record, begin)| {
                        let (first, end) = self.compiled.messages.ranges[record.index()];
                        let number = partial_value::record(begin + plain - first, unknown);
                        (first <= plain && plain < end).then_some(number)
                    })
                };
                let entries = self.layout.inbox(self.slots, node).iter();
                if let Some(part) = self.compiled.undecided_in(node, entries.clone(), false) {
                    return Err(NoValue::Undecided(part));
                }
                let messages = entries.map(|entry| self.compiled.received(*entry).1);
                let mut messages: Vec<i64> = messages.filter_map(number).collect();
                if !in_part && !messages.iter().all(|m| partial_value::is_known(*m)) {
                    return Err(NoValue::Unknown);
                }
                if !copies {
                    messages.sort_unstable();
                    messages.dedup();
                }
                for message in messages {
                    if !visit(self, locals, message)? {
                        break;
                    }
                }
            }
            Domain::Senders(record, node) => {
                let node = NodeId(self.eval(node, locals)? as u32);
                let entries = self.layout.inbox(self.slots, node).iter();
                let sure = record.is_none();
                if let Some(part) = self.compiled.undecided_in(node, entries.clone(), sure) {
                    return Err(NoValue::Undecided(part));
                }
                let received = entries.map(|entry| self.compiled.received(*entry));
                let wanted = received
                    .filter(|(_, m)| record.is_none_or(|r| self.compiled.record_of(*m) == r));
                let mut senders: Vec<i64> = wanted.map(|(from, _)| i64::from(from.0)).collect();
                senders.dedup();
                for sender in senders {
                    if !visit(self, locals, sender)? {
                        break;
                    }
                }
            }
            Domain::Filter(inner, local, condition) => {
                // The enumeration continues after `visit` returns `false`, so that an error in the condition is found
                // for every element.
                let mut wanted = true;
                self.walk(inner, in_part, locals, &mut |context, locals, element| {
                    locals[*local as usize] = element;
                    if context.eval(condition, locals)? != 0 && wanted {
                        wanted = visit(context, locals, element)?;
                    }
                    Ok(true)
                })?;
            }
            Domain::Gathered(parts, items, false) => {
                let mut wanted = true;
                for part in parts {
                    if wanted {
                        self.walk(part, in_part, locals, &mut |context, locals, element| {
                            wanted = visit(context, locals, element)?;
                            Ok(wanted)
                        })?;
                    }
                }
                for item in items {
                    if wanted {
                        let item = match in_part {
                            true => self.known_in_part(item, locals)?,
                            false => self.eval(item, locals)?,
                        };
                        wanted = visit(self, locals, item)?;
                    }
                }
            }
            Domain::Gathered(parts, items, true) => {
                let mut elements = Vec::new();
                for part in parts {
                    self.each(part, locals, &mut |_, _, element| {
                        elements.push(element);
                        Ok(true)
                    })?;
                }
                for item in items {
                    elements.push(self.eval(item, locals)?);
                }
                elements.sort_unstable();
                elements.dedup();
                for element in elements {
                    if !visit(self, locals, element)? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    pub(crate) fn quantified(
        &self,
        (quantifier, total): (Quantifier, bool),
        local: u32,
        domain: &Domain,
        body: &Code,
        locals: &mut [i64],
    ) -> Result<i64, NoValue> {
        use Quantifier::*;
        let mut result = match quantifier {
            All => Some(1),
            Exists | Count | Sum | Union => Some(0),
            The | Max | Min | Intersect => None,
        };
        let in_part = matches!(quantifier, All | Exists | Union | Intersect | Max | Min);
        let mut unknown = false;
        self.walk(domain, in_part, locals, &mut |context, locals, element| {
            locals[local as usize] = element;
            let value = match context.eval(body, locals) {
                Err(NoValue::Unknown) if total && matches!(quantifier, All | Exists) => {
                    unknown = true; // another element may determine the result
                    return Ok(true);
                }
                Err(NoValue::Broken) if unknown => return Err(NoValue::Unknown),
                value => value?,
            };
            match (quantifier, result) {
                (All, _) if value == 0 => {
                    (result, unknown) = (Some(0), false);
                    return Ok(false);
                }
                (Exists, _) if value != 0 => {
                    (result, unknown) = (Some(1), false);
                    return Ok(false);
                }
                (The, Some(one)) if value != 0 && one != element => return Err(NoValue::Broken),
                (The, _) if value != 0 => result = Some(element),
                (All | Exists | The, _) => {}
                (Count, Some(sum)) => result = Some(sum + i64::from(value != 0)),
                (Sum, Some(sum)) => result = Some(sum.checked_add(value).ok_or(NoValue::Broken)?),
                (Union, Some(all)) => result = Some(all | value),
                (Intersect, Some(all)) => result = Some(all & value),
                (Max, Some(best)) => result = Some(best.max(value)),
                (Min, Some(best)) => result = Some(best.min(value)),
                (Count | Sum | Union | Intersect | Max | Min, None) => result = Some(value),
            }
            Ok(true)
        })?;
        match unknown {
            true => Err(NoValue::Unknown),
            false => result.ok_or(NoValue::Broken),
        }
    }
}
