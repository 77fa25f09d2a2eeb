//! Where texts of a timeline can stand without meeting anything.

use super::sketch::{Sketch, WIDTH};
use crate::Text;
use crate::draw::measure::{shortened, width};

/// Around texts.
const AIR: f64 = 2.0;

/// A place for a text: its left edge and its base line.
pub(crate) type Spot = (f64, f64);

impl Sketch<'_> {
    /// Writes a text, whatever is there.
    pub(crate) fn text(&mut self, x: f64, y: f64, size: f64, class: &'static str, text: &str) {
        if !text.is_empty() {
            self.texts.push(Text {
                x,
                y,
                size,
                bold: class.contains("sc-b"),
                text: text.into(),
                full: None,
                row: None,
                class,
            });
        }
    }

    /// Writes a text no wider than this, with all of it for those who point at it.
    pub(crate) fn short(
        &mut self,
        (x, y): Spot,
        size: f64,
        class: &'static str,
        text: &str,
        most: f64,
    ) {
        let short = shortened(text, size, class.contains("sc-b"), most);
        self.text(x, y, size, class, &short);
        if short != text
            && let Some(last) = self.texts.last_mut()
        {
            last.full = Some(text.into());
        }
    }

    /// Writes a text at the first of these spots at which there is room, if there is one.
    pub(crate) fn put(
        &mut self,
        spots: &[Spot],
        size: f64,
        class: &'static str,
        text: &str,
    ) -> bool {
        for (x, y) in spots {
            let wide = width(text, size, class.contains("sc-b"));
            let x = x.clamp(4.0, (WIDTH - wide - 4.0).max(4.0));
            let area = [x - AIR, y - 0.95 * size, x + wide + AIR, y + 0.27 * size];
            if self.is_free(area) {
                self.text(x, *y, size, class, text);
                return true;
            }
        }
        false
    }

    /// No text and no wall meets this area: left, top, right, bottom.
    pub(crate) fn is_free(&self, area: [f64; 4]) -> bool {
        let texts = self.texts.iter().map(Text::bounds);
        let mut things = texts.chain(self.walls.iter().copied());
        !things.any(|[l, t, r, b]| area[0] < r && l < area[2] && area[1] < b && t < area[3])
            && area[0] >= 0.0
            && area[2] <= WIDTH
    }

    /// Nothing may be written here from now on.
    pub(crate) fn wall(&mut self, area: [f64; 4]) {
        self.walls.push(area);
    }
}
