//! Lists from which the user picks, printed one page at a time.

use machine::random::Rng;

/// The number of items on a page.
pub(crate) const SHOWN: usize = 20;

/// Draws a random item; `None` if the draw fails.
type Draw<'a, T> = dyn Fn(&mut Rng) -> Option<T> + 'a;

/// A list of items from which the user picks one by its number.
pub(crate) struct Offer<'a, T> {
    /// The items that have a number so far. [`draw`](Offer::draw) may add more.
    items: Vec<T>,
    /// The total number of items.
    total: u128,
    /// Draws a random item, if there are too many to list them all.
    draw: Option<Box<Draw<'a, T>>>,
    /// The number of items printed so far.
    shown: usize,
}

impl<'a, T: PartialEq + Clone> Offer<'a, T> {
    /// A list of all items.
    pub(crate) fn all(items: Vec<T>) -> Offer<'a, T> {
        Offer {
            total: items.len() as u128,
            items,
            draw: None,
            shown: 0,
        }
    }

    /// A random sample of `total` items, which are too many to list.
    pub(crate) fn some(
        total: u128,
        draw: impl Fn(&mut Rng) -> Option<T> + 'a,
        rng: &mut Rng,
    ) -> Offer<'a, T> {
        let mut offer = Offer {
            total,
            items: Vec::new(),
            draw: Some(Box::new(draw)),
            shown: 0,
        };
        offer.draw_more(rng);
        offer
    }

    /// The only item, if there is exactly one.
    pub(crate) fn only(&self) -> Option<T> {
        match &self.items[..] {
            [only] if self.draw.is_none() => Some(only.clone()),
            _ => None,
        }
    }

    /// Whether no item has been printed yet.
    pub(crate) fn is_fresh(&self) -> bool {
        self.shown == 0
    }

    /// The lines of the next page: each item with its number, then the number of items left.
    pub(crate) fn lines(&mut self, words: impl Fn(&T) -> String, rng: &mut Rng) -> Vec<String> {
        if self.shown > 0 && self.draw.is_some() {
            self.draw_more(rng);
        }
        let end = (self.shown + SHOWN).min(self.items.len());
        let mut lines: Vec<String> = (self.shown..end)
            .map(|i| format!("{:>3}  {}", i + 1, words(&self.items[i])))
            .collect();
        if lines.is_empty() {
            return vec!["  that was all".into()];
        }
        self.shown = end;
        lines.extend(self.left());
        lines
    }

    /// The item with this number, counted from 1. The error is a message.
    pub(crate) fn numbered(&self, number: &str) -> Result<T, String> {
        let known = number.parse().ok().and_then(|n: usize| n.checked_sub(1));
        let item = known.and_then(|n| self.items.get(n));
        let end = self.items.len();
        item.cloned().ok_or_else(|| match end {
            1 => format!("there is no {number}: only 1 can be picked"),
            _ => format!("there is no {number}: pick 1 to {end}"),
        })
    }

    /// A random item; `None` if there is none or the draw fails.
    pub(crate) fn any(&self, rng: &mut Rng) -> Option<T> {
        match &self.draw {
            Some(draw) => draw(rng),
            None if self.items.is_empty() => None,
            None => Some(self.items[rng.below(self.items.len())].clone()),
        }
    }

    fn left(&self) -> Option<String> {
        if self.draw.is_some() {
            return Some(format!(
                "  …  drawn from {}; `more` draws others",
                count(self.total)
            ));
        }
        match self.items.len() - self.shown {
            0 => None,
            left => Some(format!("  …  and {left} more, which `more` lists")),
        }
    }

    fn draw_more(&mut self, rng: &mut Rng) {
        let Some(draw) = &self.draw else {
            return;
        };
        for _ in 0..SHOWN {
            if let Some(item) = draw(rng)
                && !self.items.contains(&item)
            {
                self.items.push(item);
            }
        }
    }
}

/// Whether a text is a whole number, in any range.
pub(crate) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

/// Prints the lines of a page.
pub(crate) fn print_lines(lines: &[String]) {
    for line in lines {
        anstream::println!("{line}");
    }
}

/// A number as text; a large one only approximately.
fn count(number: u128) -> String {
    match number {
        0..1_000_000 => number.to_string(),
        1_000_000..1_000_000_000_000 => format!("about {} million", number / 1_000_000),
        _ => "more than a million million".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screenful_at_a_time() {
        let mut rng = Rng(1);
        let mut offer = Offer::all((1..=30).collect());
        let lines = offer.lines(|n: &usize| format!("item {n}"), &mut rng);
        assert_eq!(lines.len(), SHOWN + 1);
        assert_eq!(lines[0], "  1  item 1");
        assert_eq!(lines[SHOWN], "  …  and 10 more, which `more` lists");
        let lines = offer.lines(|n| format!("item {n}"), &mut rng);
        assert_eq!(lines.len(), 10);
        assert_eq!(lines[9], " 30  item 30");
        assert_eq!(offer.lines(usize::to_string, &mut rng), ["  that was all"]);
        assert_eq!(offer.numbered("30"), Ok(30));
        for bad in ["0", "31", "-1", "99999999999999999999"] {
            let error = offer.numbered(bad).expect_err(bad);
            assert_eq!(error, format!("there is no {bad}: pick 1 to 30"));
        }
        assert!(offer.any(&mut rng).is_some_and(|n| n <= 30));
    }

    #[test]
    fn a_few_of_very_many() {
        let mut rng = Rng(1);
        let draw = |rng: &mut Rng| Some(rng.below(1_000_000_000));
        let mut offer = Offer::some(1_000_000_000, draw, &mut rng);
        let lines = offer.lines(usize::to_string, &mut rng);
        assert_eq!(lines.len(), SHOWN + 1);
        assert_eq!(
            lines[SHOWN],
            "  …  drawn from about 1000 million; `more` draws others"
        );
        let first = offer.numbered("1");
        let lines = offer.lines(usize::to_string, &mut rng);
        assert!(lines[0].starts_with(" 21  "), "{}", lines[0]);
        assert_eq!(offer.numbered("1"), first, "numbers stay");
    }
}
