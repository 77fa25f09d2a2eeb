//! The canvas: collects the texts and shapes of a picture, and looks for free space for texts.

use crate::draw::measure::{shortened, width};
use crate::draw::shapes::{Kind, Layer, Shape, Text, is_bold};

/// The space that [`Canvas::put`] keeps free left and right of a text, in pixels.
const AIR: f64 = 2.0;

/// A position for a text: the x coordinate of its left edge and the y coordinate of its base line.
pub(crate) type Spot = (f64, f64);

/// The texts and shapes of a picture that is being laid out.
pub(crate) struct Canvas {
    /// The width of the picture.
    pub(crate) width: f64,
    pub(crate) texts: Vec<Text>,
    pub(crate) shapes: Vec<Shape>,
    /// Areas in which [`Canvas::put`] places no text, each as left, top, right and bottom.
    obstacles: Vec<[f64; 4]>,
}

impl Canvas {
    /// An empty canvas.
    pub(crate) fn new(width: f64) -> Canvas {
        Canvas {
            width,
            texts: Vec::new(),
            shapes: Vec::new(),
            obstacles: Vec::new(),
        }
    }

    /// Adds a text without a check for free space. An empty text is not added.
    pub(crate) fn text(&mut self, x: f64, y: f64, size: f64, class: &'static str, text: &str) {
        if !text.is_empty() {
            self.texts.push(Text::new(x, y, size, class, text));
        }
    }

    /// Adds a text, shortened to the width `most`. If it is shortened, its tooltip is the whole text.
    pub(crate) fn short(
        &mut self,
        (x, y): Spot,
        size: f64,
        class: &'static str,
        text: &str,
        most: f64,
    ) {
        let short = shortened(text, size, is_bold(class), most);
        self.text(x, y, size, class, &short);
        if short != text
            && let Some(last) = self.texts.last_mut()
        {
            last.full = Some(text.into());
        }
    }

    /// Adds a text at the first of the spots with free space, moved into the picture if it would cross the edge.
    /// Returns whether there is such a spot.
    pub(crate) fn put(
        &mut self,
        spots: &[Spot],
        size: f64,
        class: &'static str,
        text: &str,
    ) -> bool {
        for (x, y) in spots {
            let wide = width(text, size, is_bold(class));
            let x = x.clamp(4.0, (self.width - wide - 4.0).max(4.0));
            let area = [x - AIR, y - 0.95 * size, x + wide + AIR, y + 0.27 * size];
            if self.is_free(area) && area[0] >= 0.0 && area[2] <= self.width {
                self.text(x, *y, size, class, text);
                return true;
            }
        }
        false
    }

    /// Whether no text and no obstacle overlaps this area (left, top, right, bottom).
    fn is_free(&self, area: [f64; 4]) -> bool {
        let texts = self.texts.iter().map(Text::bounds);
        let mut things = texts.chain(self.obstacles.iter().copied());
        !things.any(|[l, t, r, b]| area[0] < r && l < area[2] && area[1] < b && t < area[3])
    }

    /// Excludes an area (left, top, right, bottom) from later calls of [`Canvas::put`].
    pub(crate) fn reserve(&mut self, area: [f64; 4]) {
        self.obstacles.push(area);
    }

    /// Adds a shape.
    pub(crate) fn shape(&mut self, layer: Layer, class: impl Into<String>, kind: Kind) {
        self.shapes.push(Shape {
            layer,
            class: class.into(),
            kind,
            title: None,
        });
    }

    /// Sets or removes the tooltip of the last shape.
    pub(crate) fn title_last(&mut self, title: Option<String>) {
        self.shapes.last_mut().expect("a shape").title = title;
    }

    /// Sets the tooltip of all shapes from index `first` on.
    pub(crate) fn title_since(&mut self, first: usize, title: &str) {
        for shape in &mut self.shapes[first..] {
            shape.title = Some(title.into());
        }
    }

    /// Sets or removes the tooltip of the last text.
    pub(crate) fn full_last(&mut self, full: Option<String>) {
        self.texts.last_mut().expect("a text").full = full;
    }
}
