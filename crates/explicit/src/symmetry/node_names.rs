//! Node names inside the numbers of values, and the number of a value after a permutation of nodes.

use crate::state::codec::Codec;
use machine::Type;

/// The positions of node names in the number of a value.
#[derive(Clone, Debug)]
pub(crate) enum NodeNames {
    Node,
    /// In an option. The second entry is the first number of the inner type.
    Option(Box<NodeNames>, i64),
    /// In fields of a record, which is a mixed-radix number.
    Parts(Vec<NamedField>),
    Array(Array),
    /// In the elements of a set, which is a bit mask. The second entry is the first number of the element type.
    Set(Box<NodeNames>, i64),
    /// In a message of one of several types: for each type its first number, end, and positions.
    Several(Vec<(i64, i64, Option<NodeNames>)>),
}

/// A field of a record that contains node names: weight, number of values and first number of its type.
#[derive(Clone, Debug)]
pub(crate) struct NamedField {
    weight: i64,
    places: i64,
    first: i64,
    naming: NodeNames,
}

/// An array whose index or element type contains node names, each with the first number of the type; and its length and
/// the number of values of an element.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    index: Option<(Box<NodeNames>, i64)>,
    element: Option<(Box<NodeNames>, i64)>,
    count: u32,
    places: i64,
}

/// A deterministic hash of two numbers.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let (a, b) = (a ^ 0x9e37_79b9_7f4a_7c15, b ^ 0xd1b5_4a32_d192_ed03);
    let product = u128::from(a) * u128::from(b.rotate_left(29) | 1);
    (product as u64) ^ ((product >> 64) as u64).wrapping_add(b)
}

impl NodeNames {
    /// The positions of node names in values of a type; `None` if there are none.
    pub(crate) fn new(codec: Codec<'_>, ty: &Type) -> Result<Option<NodeNames>, String> {
        let inside = |inner: &Type| NodeNames::new(codec, inner);
        let boxed = |inner: &Type| {
            let naming = inside(inner)?;
            Ok::<_, String>(naming.map(|naming| (Box::new(naming), codec.first(inner))))
        };
        Ok(match ty {
            Type::Node => Some(NodeNames::Node),
            Type::Option(inner) => {
                boxed(inner)?.map(|(inner, first)| NodeNames::Option(inner, first))
            }
            Type::Set(inner) => boxed(inner)?.map(|(inner, first)| NodeNames::Set(inner, first)),
            Type::Record(record) => {
                let fields = &codec.machine.records[record.index()].fields;
                let mut parts = Vec::new();
                for (f, (_, ty)) in fields.iter().enumerate() {
                    if let Some(naming) = inside(ty)? {
                        parts.push(NamedField {
                            weight: codec.weight(*record, f as u32)?,
                            places: codec.places(ty)? as i64,
                            first: codec.first(ty),
                            naming,
                        });
                    }
                }
                (!parts.is_empty()).then_some(NodeNames::Parts(parts))
            }
            Type::Array(index, element) => {
                let (over, each) = (boxed(index)?, boxed(element)?);
                match over.is_some() || each.is_some() {
                    false => None,
                    true => Some(NodeNames::Array(Array {
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
                named.then_some(NodeNames::Several(several))
            }
            Type::Bool | Type::Int(..) | Type::Counter(_) | Type::Id | Type::Enum(_) => None,
        })
    }

    /// The number of the value after the permutation `to` of nodes.
    pub(crate) fn renamed(&self, number: i64, to: &[u32]) -> i64 {
        match self {
            NodeNames::Node => i64::from(to[number as usize]),
            NodeNames::Option(_, _) if number == 0 => 0,
            NodeNames::Option(inner, first) => inner.renamed(number - 1 + first, to) + 1 - first,
            NodeNames::Parts(parts) => parts.iter().fold(number, |all, part| {
                let old = part.of(number);
                all + (part.naming.renamed(old, to) - old) * part.weight
            }),
            NodeNames::Array(array) => {
                let (mut rest, mut result) = (number, 0);
                for place in (0..i64::from(array.count)).rev() {
                    let mut element = rest % array.places;
                    rest /= array.places;
                    if element == 0 && array.element.is_none() {
                        continue; // zero contributes nothing at any index
                    }
                    if let Some((naming, first)) = &array.element {
                        element = naming.renamed(element + first, to) - first;
                    }
                    let place = match &array.index {
                        Some((naming, first)) => naming.renamed(place + first, to) - first,
                        None => place,
                    };
                    let behind = i64::from(array.count) - 1 - place;
                    result += element * array.places.pow(behind as u32);
                }
                result
            }
            NodeNames::Set(inner, first) => {
                let mut mask = 0;
                each_bit(number, |bit| {
                    mask |= 1 << (inner.renamed(bit + first, to) - first);
                });
                mask
            }
            NodeNames::Several(types) => match several(types, number) {
                Some((first, naming)) => first + naming.renamed(number - first, to),
                None => number,
            },
        }
    }

    /// Whether a value relates no two nodes to each other: it only assigns nodes to positions, as a field, a set of
    /// nodes or an array over nodes does.
    pub(crate) fn relates_no_nodes(&self) -> bool {
        match self {
            NodeNames::Node => true,
            NodeNames::Option(inner, _) => inner.relates_no_nodes(),
            NodeNames::Parts(parts) => parts.iter().all(|part| part.naming.relates_no_nodes()),
            NodeNames::Set(inner, _) => matches!(**inner, NodeNames::Node),
            NodeNames::Array(array) => match (&array.index, &array.element) {
                (Some((index, _)), None) => matches!(**index, NodeNames::Node),
                (None, Some((element, _))) => element.relates_no_nodes(),
                _ => false,
            },
            NodeNames::Several(types) => {
                let mut namings = types.iter().filter_map(|(.., naming)| naming.as_ref());
                namings.all(NodeNames::relates_no_nodes)
            }
        }
    }

    /// The hash of the value with nodes replaced by their colours. Also adds a hash of the path to each name to `named`
    /// of that node; `path` is the hash of the path to the value itself.
    pub(crate) fn invariant_part(
        &self,
        number: i64,
        path: u64,
        colours: &[u64],
        named: &mut [u64],
    ) -> u64 {
        match self {
            NodeNames::Node => {
                let node = number as usize;
                named[node] = named[node].wrapping_add(mix(path, 1));
                colours[node]
            }
            NodeNames::Option(_, _) if number == 0 => 2,
            NodeNames::Option(inner, first) => {
                let seen = inner.invariant_part(number - 1 + first, mix(path, 3), colours, named);
                mix(seen, 3)
            }
            NodeNames::Parts(parts) => {
                let plain = parts.iter().fold(number, |rest, part| {
                    rest - (part.of(number) - part.first) * part.weight
                });
                let mut seen = mix(plain as u64, 4);
                for (at, part) in parts.iter().enumerate() {
                    let path = mix(path, at as u64 + 5);
                    let more = part
                        .naming
                        .invariant_part(part.of(number), path, colours, named);
                    seen = mix(seen, more);
                }
                seen
            }
            NodeNames::Array(array) => {
                let (mut rest, mut seen) = (number, 0u64);
                for place in (0..i64::from(array.count)).rev() {
                    let element = rest % array.places;
                    rest /= array.places;
                    let value = match &array.element {
                        Some((naming, first)) => {
                            // If the index is a node, it is not part of the path; the next refinement round of colours
                            // distinguishes it.
                            let at = if array.index.is_none() { place } else { 0 };
                            let path = mix(path, at as u64 + 6);
                            naming.invariant_part(element + first, path, colours, named)
                        }
                        None => element as u64,
                    };
                    let index = match &array.index {
                        Some((naming, first)) => {
                            naming.invariant_part(place + first, mix(path, value), colours, named)
                        }
                        None => place as u64,
                    };
                    seen = seen.wrapping_add(mix(index, value));
                }
                seen
            }
            NodeNames::Set(inner, first) => {
                let mut seen = 0u64;
                each_bit(number, |bit| {
                    let one = inner.invariant_part(bit + first, mix(path, 7), colours, named);
                    seen = seen.wrapping_add(mix(one, 7));
                });
                seen
            }
            NodeNames::Several(types) => match several(types, number) {
                Some((first, naming)) => {
                    let seen = naming.invariant_part(number - first, mix(path, 8), colours, named);
                    mix(seen, first as u64)
                }
                None => number as u64,
            },
        }
    }
}

impl NamedField {
    fn of(&self, number: i64) -> i64 {
        number / self.weight % self.places + self.first
    }
}

/// The first number and the positions of node names of the type to which a message belongs; `None` if it names no
/// nodes.
fn several(types: &[(i64, i64, Option<NodeNames>)], number: i64) -> Option<(i64, &NodeNames)> {
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
