//! Cartesian cover: describes a set of combinations of parameter values exactly, as disjoint products of sets of
//! values.

/// The largest number of products that are listed. If there is exactly one more, it is listed too.
const LISTED: usize = 4;
/// The largest number of parameters for which every parameter is tried as the first one to split by. With more
/// parameters, only the first parameter is tried.
const MOST_ORDERS: usize = 4;

/// The texts of disjoint products that cover exactly these rows, such as `a = 0, b = 0..2` and `a = 1..2, b = 0`. A row
/// is a combination of parameter values.
pub(crate) fn combinations(names: &[&str], rows: &[Vec<&str>]) -> Vec<String> {
    let order: Vec<Vec<&str>> = (0..names.len()).map(|d| values(rows, d)).collect();
    let place = |d: usize, value: &str| order[d].iter().position(|v| *v == value);
    let mut points: Vec<Point> = rows
        .iter()
        .map(|row| (0..names.len()).filter_map(|d| place(d, row[d])).collect())
        .collect();
    points.sort();
    points.dedup();
    let dimensions: Vec<usize> = (0..names.len()).collect();
    let mut products = split(&points, &dimensions);
    for one in &mut products {
        one.sort(); // in the order of the parameters
    }
    products.sort();
    let mut texts: Vec<String> = Vec::new();
    let listed = if products.len() > LISTED + 1 {
        LISTED
    } else {
        products.len()
    };
    for one in &products[..listed] {
        let ranges = one.iter().map(|(d, places)| {
            let values: Vec<&str> = places.iter().map(|place| order[*d][*place]).collect();
            format!("{} = {}", names[*d], compressed(&values))
        });
        texts.push(ranges.collect::<Vec<_>>().join(", "));
    }
    let rest: usize = products[listed..].iter().map(size).sum();
    if rest > 0 {
        texts.push(format!("and {rest} more combinations"));
    }
    texts
}

/// A combination of parameter values: for each parameter the index of its value.
type Point = Vec<usize>;

/// A product: for each parameter its number and the indices of its values.
type Product = Vec<(usize, Vec<usize>)>;

fn size(product: &Product) -> usize {
    product.iter().map(|(_, places)| places.len()).product()
}

/// Disjoint products whose union is the set of points. If two values of a parameter occur with the same combinations of
/// the other parameters, one product contains both.
fn split(points: &[Point], dimensions: &[usize]) -> Vec<Product> {
    if dimensions.is_empty() {
        return vec![Vec::new()];
    }
    let orders = if dimensions.len() > MOST_ORDERS {
        1
    } else {
        dimensions.len()
    };
    let ways = (0..orders).map(|first| {
        let dimension = dimensions[first];
        let mut rest = dimensions.to_vec();
        rest.remove(first);
        let mut alike: Vec<(Vec<Point>, Vec<usize>)> = Vec::new();
        let mut places: Vec<usize> = points.iter().map(|p| p[dimension]).collect();
        places.sort_unstable();
        places.dedup();
        for place in places {
            let slice = points.iter().filter(|p| p[dimension] == place);
            let mut slice: Vec<Point> = slice
                .map(|p| {
                    let mut p = p.clone();
                    p[dimension] = 0;
                    p
                })
                .collect();
            slice.sort();
            match alike.iter_mut().find(|(known, _)| *known == slice) {
                Some((_, places)) => places.push(place),
                None => alike.push((slice, vec![place])),
            }
        }
        let mut products = Vec::new();
        for (slice, places) in alike {
            for mut product in split(&slice, &rest) {
                product.push((dimension, places.clone()));
                products.push(product);
            }
        }
        products
    });
    // Among equally good covers the first is taken, so the order of the parameters in the text decides.
    ways.min_by_key(|products| (products.len(), products.iter().map(gaps).sum::<usize>()))
        .unwrap_or_default()
}

/// The number of places at which the value indices of a product are not consecutive.
fn gaps(product: &Product) -> usize {
    let places = product.iter().flat_map(|(_, places)| places.windows(2));
    places.filter(|pair| pair[0] + 1 < pair[1]).count()
}

/// The distinct values of one parameter. If all are numbers they are sorted, otherwise they are in order of occurrence.
fn values<'v>(rows: &[Vec<&'v str>], dimension: usize) -> Vec<&'v str> {
    let mut found: Vec<&str> = Vec::new();
    for row in rows {
        if !found.contains(&row[dimension]) {
            found.push(row[dimension]);
        }
    }
    if found.iter().all(|v| v.parse::<i64>().is_ok()) {
        found.sort_by_key(|v| v.parse::<i64>().unwrap_or_default());
    }
    found
}

/// The text of sorted values: `1..6` for consecutive numbers, `1..3, 5` for numbers with gaps, a list for other values.
pub(crate) fn compressed(values: &[&str]) -> String {
    let numbers: Option<Vec<i64>> = values.iter().map(|v| v.parse().ok()).collect();
    let Some(numbers) = numbers else {
        return values.join(", ");
    };
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let runs = runs.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}..{last}"),
    });
    runs.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(keep: impl Fn(i64, i64) -> bool, most: i64) -> String {
        let names: Vec<String> = (0..=most).map(|v| v.to_string()).collect();
        let all = (0..=most).flat_map(|a| (0..=most).map(move |b| (a, b)));
        let rows: Vec<Vec<&str>> = all
            .filter(|(a, b)| keep(*a, *b))
            .map(|(a, b)| vec![&names[a as usize][..], &names[b as usize][..]])
            .collect();
        combinations(&["a", "b"], &rows).join("; ")
    }

    #[test]
    fn a_product_is_one_range_per_parameter() {
        assert_eq!(text(|_, _| true, 2), "a = 0..2, b = 0..2");
        assert_eq!(text(|a, b| a > 0 && b == 1, 2), "a = 1..2, b = 1");
        assert_eq!(text(|a, _| a != 1, 2), "a = 0, 2, b = 0..2");
        assert_eq!(combinations(&[], &[vec![]]), [""]);
    }

    #[test]
    fn a_set_that_is_not_a_product_is_split() {
        assert_eq!(
            text(|a, b| a * b == 0, 2),
            "a = 0, b = 0..2; a = 1..2, b = 0"
        );
        assert_eq!(text(|a, b| a == b, 1), "a = 0, b = 0; a = 1, b = 1");
        assert_eq!(
            text(|a, b| a != b, 2),
            "a = 0, b = 1..2; a = 1, b = 0, 2; a = 2, b = 0..1"
        );
        // A split by the first parameter would give a range with a gap.
        assert_eq!(
            text(|a, b| if b == 0 { a < 3 } else { a == 1 }, 3),
            "a = 0..2, b = 0; a = 1, b = 1..3"
        );
    }

    #[test]
    fn further_products_are_counted() {
        assert_eq!(
            text(|a, b| a == b, 6),
            "a = 0, b = 0; a = 1, b = 1; a = 2, b = 2; a = 3, b = 3; and 3 more combinations"
        );
    }

    /// For every set of combinations of two parameters with three values each, the products are disjoint and cover
    /// exactly the set.
    #[test]
    fn the_products_partition_the_set() {
        let points: Vec<Point> = (0..9).map(|i| vec![i / 3, i % 3]).collect();
        for set in 1..1 << 9 {
            let chosen = (0..9).filter(|i| set >> i & 1 == 1);
            let chosen: Vec<Point> = chosen.map(|i| points[i].clone()).collect();
            let mut covered: Vec<Point> = Vec::new();
            for product in split(&chosen, &[0, 1]) {
                let of = |d| {
                    product
                        .iter()
                        .find(|(p, _)| *p == d)
                        .expect("one range for each parameter")
                        .1
                        .clone()
                };
                for a in of(0) {
                    covered.extend(of(1).into_iter().map(|b| vec![a, b]));
                }
            }
            covered.sort();
            assert_eq!(covered, chosen);
        }
    }

    #[test]
    fn consecutive_numbers_are_a_range() {
        assert_eq!(compressed(&["1", "2", "3", "5"]), "1..3, 5");
        assert_eq!(compressed(&["7"]), "7");
        assert_eq!(compressed(&["Red", "Blue"]), "Red, Blue");
    }
}
