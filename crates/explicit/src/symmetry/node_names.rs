//! Where nodes are named in the numbers of values, and what the number is when nodes have other names.

use crate::state::codec::Codec;
use machine::Type;

/// Where nodes are named in the number of a value.
#[derive(Clone, Debug)]
pub(crate) enum Naming {
    Node,
    /// In an option of a type that begins there.
    Option(Box<Naming>, i64),
    /// In parts of a mixed-radix number.
    Parts(Vec<Part>),
    Array(Array),
    /// In the places of a mask over a type that begins there.
    Set(Box<Naming>, i64),
    /// In messages of several types, from one number to before another.
    Several(Vec<(i64, i64, Option<Naming>)>),
}

/// A part of a record in which nodes are named.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    weight: i64,
    places: i64,
    first: i64,
    naming: Naming,
}

/// An array by whose index, or in whose elements, nodes are named; with where these types begin.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    index: Option<(Box<Naming>, i64)>,
    element: Option<(Box<Naming>, i64)>,
    count: u32,
    places: i64,
}

/// Numbers in which it is hard to see where they come from: the same for the same numbers.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let (a, b) = (a ^ 0x9e37_79b9_7f4a_7c15, b ^ 0xd1b5_4a32_d192_ed03);
    let product = u128::from(a) * u128::from(b.rotate_left(29) | 1);
    (product as u64) ^ ((product >> 64) as u64).wrapping_add(b)
}

impl Naming {
    /// Where values of a type name nodes; nothing if they name none.
    pub(crate) fn new(codec: Codec<'_>, ty: &Type) -> Result<Option<Naming>, String> {
        let inside = |inner: &Type| Naming::new(codec, inner);
        let boxed = |inner: &Type| {
            let naming = inside(inner)?;
            Ok::<_, String>(naming.map(|naming| (Box::new(naming), codec.first(inner))))
        };
        Ok(match ty {
            Type::Node => Some(Naming::Node),
            Type::Option(inner) => boxed(inner)?.map(|(inner, first)| Naming::Option(inner, first)),
            Type::Set(inner) => boxed(inner)?.map(|(inner, first)| Naming::Set(inner, first)),
            Type::Record(record) => {
                let fields = &codec.machine.records[record.index()].fields;
                let mut parts = Vec::new();
                for (f, (_, ty)) in fields.iter().enumerate() {
                    if let Some(naming) = inside(ty)? {
                        parts.push(Part {
                            weight: codec.weight(*record, f as u32)?,
                            places: codec.places(ty)? as i64,
                            first: codec.first(ty),
                            naming,
                        });
                    }
                }
                (!parts.is_empty()).then_some(Naming::Parts(parts))
            }
            Type::Array(index, element) => {
                let (over, each) = (boxed(index)?, boxed(element)?);
                match over.is_some() || each.is_some() {
                    false => None,
                    true => Some(Naming::Array(Array {
                        index: over,
                        element: each,
                        count: codec.places(index)? as u32,
                        places: codec.places(element)? as i64,
                    })),
                }
            }
            Type::OneOf(records) => {
                let mut several = Vec::new();
                for record in records {
                    let ty = Type::Record(*record);
                    let first = codec.offset(records, *record);
                    several.push((first, first + codec.places(&ty)? as i64, inside(&ty)?));
                }
                let named = several.iter().any(|(.., naming)| naming.is_some());
                named.then_some(Naming::Several(several))
            }
            Type::Bool | Type::Int(..) | Type::Counter(_) | Type::Id | Type::Enum(_) => None,
        })
    }

    /// The number of the value in which each node has another name.
    pub(crate) fn moved(&self, number: i64, to: &[u32]) -> i64 {
        match self {
            Naming::Node => i64::from(to[number as usize]),
            Naming::Option(_, _) if number == 0 => 0,
            Naming::Option(inner, first) => inner.moved(number - 1 + first, to) + 1 - first,
            Naming::Parts(parts) => parts.iter().fold(number, |all, part| {
                let old = part.of(number);
                all + (part.naming.moved(old, to) - old) * part.weight
            }),
            Naming::Array(array) => {
                let (mut rest, mut result) = (number, 0);
                for place in (0..i64::from(array.count)).rev() {
                    let mut element = rest % array.places;
                    rest /= array.places;
                    if element == 0 && array.element.is_none() {
                        continue; // it adds nothing, wherever it goes
                    }
                    if let Some((naming, first)) = &array.element {
                        element = naming.moved(element + first, to) - first;
                    }
                    let place = match &array.index {
                        Some((naming, first)) => naming.moved(place + first, to) - first,
                        None => place,
                    };
                    let behind = i64::from(array.count) - 1 - place;
                    result += element * array.places.pow(behind as u32);
                }
                result
            }
            Naming::Set(inner, first) => {
                let mut mask = 0;
                each_bit(number, |bit| {
                    mask |= 1 << (inner.moved(bit + first, to) - first);
                });
                mask
            }
            Naming::Several(types) => match several(types, number) {
                Some((first, naming)) => first + naming.moved(number - first, to),
                None => number,
            },
        }
    }

    /// Whether a value says no more than which node is at which place of it: then it says nothing about two nodes together.
    pub(crate) fn is_about_each(&self) -> bool {
        match self {
            Naming::Node => true,
            Naming::Option(inner, _) => inner.is_about_each(),
            Naming::Parts(parts) => parts.iter().all(|part| part.naming.is_about_each()),
            Naming::Set(inner, _) => matches!(**inner, Naming::Node),
            Naming::Array(array) => match (&array.index, &array.element) {
                (Some((index, _)), None) => matches!(**index, Naming::Node),
                (None, Some((element, _))) => element.is_about_each(),
                _ => false,
            },
            Naming::Several(types) => {
                let mut namings = types.iter().filter_map(|(.., naming)| naming.as_ref());
                namings.all(Naming::is_about_each)
            }
        }
    }

    /// What the value says when nodes have no names but colours. Adds to each node that it names where that is; `path` is
    /// where the value itself is.
    pub(crate) fn view(&self, number: i64, path: u64, colours: &[u64], named: &mut [u64]) -> u64 {
        match self {
            Naming::Node => {
                let node = number as usize;
                named[node] = named[node].wrapping_add(mix(path, 1));
                colours[node]
            }
            Naming::Option(_, _) if number == 0 => 2,
            Naming::Option(inner, first) => {
                let seen = inner.view(number - 1 + first, mix(path, 3), colours, named);
                mix(seen, 3)
            }
            Naming::Parts(parts) => {
                let plain = parts.iter().fold(number, |rest, part| {
                    rest - (part.of(number) - part.first) * part.weight
                });
                let mut seen = mix(plain as u64, 4);
                for (at, part) in parts.iter().enumerate() {
                    let path = mix(path, at as u64 + 5);
                    let more = part.naming.view(part.of(number), path, colours, named);
                    seen = mix(seen, more);
                }
                seen
            }
            Naming::Array(array) => {
                let (mut rest, mut seen) = (number, 0u64);
                for place in (0..i64::from(array.count)).rev() {
                    let element = rest % array.places;
                    rest /= array.places;
                    let value = match &array.element {
                        Some((naming, first)) => {
                            // Where nodes are the index that is not part of the way: the next colours will say so.
                            let at = if array.index.is_none() { place } else { 0 };
                            let path = mix(path, at as u64 + 6);
                            naming.view(element + first, path, colours, named)
                        }
                        None => element as u64,
                    };
                    let index = match &array.index {
                        Some((naming, first)) => {
                            naming.view(place + first, mix(path, value), colours, named)
                        }
                        None => place as u64,
                    };
                    seen = seen.wrapping_add(mix(index, value));
                }
                seen
            }
            Naming::Set(inner, first) => {
                let mut seen = 0u64;
                each_bit(number, |bit| {
                    let one = inner.view(bit + first, mix(path, 7), colours, named);
                    seen = seen.wrapping_add(mix(one, 7));
                });
                seen
            }
            Naming::Several(types) => match several(types, number) {
                Some((first, naming)) => {
                    let seen = naming.view(number - first, mix(path, 8), colours, named);
                    mix(seen, first as u64)
                }
                None => number as u64,
            },
        }
    }
}

impl Part {
    fn of(&self, number: i64) -> i64 {
        number / self.weight % self.places + self.first
    }
}

/// The type of a message of several types that names nodes.
fn several(types: &[(i64, i64, Option<Naming>)], number: i64) -> Option<(i64, &Naming)> {
    let (first, _, naming) = types
        .iter()
        .find(|(first, end, _)| (*first..*end).contains(&number))?;
    Some((*first, naming.as_ref()?))
}

fn each_bit(mask: i64, mut visit: impl FnMut(i64)) {
    let mut rest = mask;
    while rest != 0 {
        visit(i64::from(rest.trailing_zeros()));
        rest &= rest - 1;
    }
}
