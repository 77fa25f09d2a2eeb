//! The colours of pictures for light and dark backgrounds, chosen for contrast and for colour-blind readers.
//!
//! The hues are those of Okabe and Ito, darkened for the light background and lightened for the dark one until the
//! contrast is at least 3 for lines, 4.5 for texts, and 4 for pale texts on a coloured background. Every meaning of a
//! colour is also given by a shape or a text.

/// The colours for one background. Plain data: one field per colour.
pub(crate) struct Palette {
    /// The background.
    pub(crate) ground: &'static str,
    /// Main texts and marks.
    pub(crate) ink: &'static str,
    /// Secondary texts.
    pub(crate) soft: &'static str,
    /// Texts of events outside the slice.
    pub(crate) pale: &'static str,
    /// Lanes of nodes that do not run, and arrows of messages that do not matter.
    pub(crate) faint: &'static str,
    /// Grid lines, and borders of boxes of events that do not matter.
    pub(crate) hair: &'static str,
    /// Text and marks of the failure.
    pub(crate) wrong: &'static str,
    /// Background of the failure.
    pub(crate) wrong_ground: &'static str,
    /// Background of a box that lists the changes of a node.
    pub(crate) box_ground: &'static str,
    /// Mark of the current step of a page.
    pub(crate) here: &'static str,
    /// Background of the current step.
    pub(crate) here_ground: &'static str,
    /// Arrows of messages, by message type modulo 6.
    pub(crate) messages: [&'static str; 6],
    /// Background of lanes, by the value of the node's display variable.
    pub(crate) roles: [&'static str; 6],
}

pub(crate) const LIGHT: Palette = Palette {
    ground: "#ffffff",
    ink: "#1b2530",
    soft: "#4a5766",
    pale: "#68737f",
    faint: "#b4bec9",
    hair: "#dde3e9",
    wrong: "#a8123e",
    wrong_ground: "#fdecf0",
    box_ground: "#eef3f8",
    here: "#0b63a5",
    here_ground: "#e6f1fb",
    messages: [
        "#0068a8", "#00785a", "#a64a00", "#8a3f78", "#7a6400", "#1b2530",
    ],
    roles: [
        "#cfe3f3", "#c8e8dc", "#fbe0b5", "#ecd3e4", "#f3edb0", "#d9dde2",
    ],
};

pub(crate) const DARK: Palette = Palette {
    ground: "#14191f",
    ink: "#e8edf2",
    soft: "#b3bec9",
    pale: "#8a96a3",
    faint: "#4d5965",
    hair: "#2a323b",
    wrong: "#ff8fab",
    wrong_ground: "#3a1a24",
    box_ground: "#232c36",
    here: "#7cc4f5",
    here_ground: "#1b3044",
    messages: [
        "#56b4e9", "#3fd0a4", "#f0a04b", "#dd9cc6", "#f0e442", "#e8edf2",
    ],
    roles: [
        "#1f4763", "#1c4f40", "#5c4420", "#563a4e", "#55511f", "#3b434c",
    ],
};

impl Palette {
    /// The rules of the style sheet that set colours.
    pub(crate) fn rules(&self) -> String {
        let mut rules = format!(
            ".sc-ground{{fill:{ground}}}\
             .sc-t{{fill:{ink}}}\
             .sc-t.sc-soft{{fill:{soft}}}\
             .sc-t.sc-pale{{fill:{pale}}}\
             .sc-t.sc-wrong{{fill:{wrong}}}\
             .sc-t.sc-halo{{stroke:{ground}}}\
             .sc-t.sc-halo.sc-fails{{stroke:{wrong_ground}}}\
             .sc-lane,.sc-bar{{stroke:{soft}}}\
             .sc-lane-off{{stroke:{faint}}}\
             .sc-hair{{stroke:{hair}}}\
             .sc-dot{{fill:{ink};stroke:{ink}}}\
             .sc-ring{{fill:{ground};stroke:{ink}}}\
             .sc-cross,.sc-loop{{stroke:{wrong}}}\
             .sc-box{{fill:{box_ground};stroke:{faint}}}\
             .sc-box-pale{{fill:{ground};stroke:{hair}}}\
             .sc-band-wrong{{fill:{wrong_ground}}}\
             .sc-mark-wrong{{fill:{wrong}}}\
             .sc-round{{stroke:{soft}}}\
             .sc-round-head{{fill:{soft}}}\
             .sc-dot-pale{{fill:{faint};stroke:{faint}}}\
             .sc-ring-pale{{fill:{ground};stroke:{faint}}}\
             .sc-mpale{{stroke:{faint}}}.sc-hpale{{fill:{faint}}}",
            ground = self.ground,
            ink = self.ink,
            soft = self.soft,
            pale = self.pale,
            faint = self.faint,
            hair = self.hair,
            wrong = self.wrong,
            wrong_ground = self.wrong_ground,
            box_ground = self.box_ground,
        );
        for (i, colour) in self.messages.iter().enumerate() {
            rules += &format!(".sc-m{i}{{stroke:{colour}}}.sc-h{i}{{fill:{colour}}}");
        }
        for (i, colour) in self.roles.iter().enumerate() {
            rules += &format!(".sc-r{i}{{fill:{colour}}}");
        }
        rules
    }

    /// The colours as CSS variables of a page.
    pub(crate) fn variables(&self) -> String {
        let named = [
            ("ground", self.ground),
            ("ink", self.ink),
            ("soft", self.soft),
            ("pale", self.pale),
            ("faint", self.faint),
            ("hair", self.hair),
            ("wrong", self.wrong),
            ("wrong-ground", self.wrong_ground),
            ("box-ground", self.box_ground),
            ("here", self.here),
            ("here-ground", self.here_ground),
        ];
        let named = named.map(|(name, colour)| format!("--{name}:{colour}"));
        named.join(";")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(colour: &str) -> f64 {
        let part = |at: usize| {
            let value = u32::from_str_radix(&colour[at..at + 2], 16).expect("a colour");
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn contrast_is_enough() {
        for palette in [&LIGHT, &DARK] {
            let grounds = [palette.ground, palette.wrong_ground, palette.box_ground];
            for ground in grounds.into_iter().chain([palette.here_ground]) {
                for text in [palette.ink, palette.soft, palette.wrong] {
                    assert!(contrast(text, ground) >= 4.5, "{text} on {ground}");
                }
            }
            for ground in [palette.ground, palette.wrong_ground, palette.here_ground] {
                let c = contrast(palette.pale, ground);
                assert!(c >= 4.0, "{} on {ground}: {c}", palette.pale);
                for line in palette.messages {
                    assert!(contrast(line, ground) >= 3.0, "{line} on {ground}");
                }
            }
            assert!(contrast(palette.pale, palette.ground) >= 4.5);
            assert!(contrast(palette.here, palette.ground) >= 4.5);
        }
    }

    #[test]
    fn black_on_white_is_the_most() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
    }
}
