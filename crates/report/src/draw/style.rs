//! The style sheets of charts, timelines and histograms. The colours come from the palettes.

use crate::draw::palette::{DARK, LIGHT, Palette};

/// The rules that set no colour, for all pictures.
const STYLE: &str = "\
.sc-t{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}\
.sc-t.sc-b{font-weight:700}\
.sc-t.sc-halo{stroke-width:5px;stroke-linejoin:round;paint-order:stroke}\
.sc-line{fill:none;stroke-width:1.6px;stroke-linecap:round}\
.sc-mpale{stroke-width:1.2px}\
.sc-dash{stroke-dasharray:2 4}\
.sc-open{fill:none;stroke-width:1.6px}\
.sc-lane{fill:none;stroke-width:1.5px}\
.sc-lane-off{fill:none;stroke-width:1.2px;stroke-dasharray:1 5;stroke-linecap:round}\
.sc-bar{fill:none;stroke-width:3.5px}\
.sc-round{fill:none;stroke-width:2px}\
.sc-ring,.sc-ring-pale{stroke-width:1.6px}\
.sc-cross{fill:none;stroke-width:2.6px;stroke-linecap:round}\
.sc-box,.sc-box-pale{stroke-width:1px}\
.sc-row{fill:transparent}";

/// The style sheet of all pictures. It uses the dark palette on screens that prefer dark colours, otherwise (and in
/// print) the light one.
pub(crate) fn style() -> String {
    let (light, dark) = (LIGHT.rules(), DARK.rules());
    format!("{STYLE}{light}@media screen and (prefers-color-scheme:dark){{{dark}}}")
}

/// Additional rules for timelines and histograms.
pub(crate) fn timeline_style() -> String {
    let colours = |p: &Palette| {
        format!(
            ".sc-tick{{stroke:{hair}}}.sc-brace{{stroke:{soft}}}.sc-brace-wrong{{stroke:{wrong}}}\
             .sc-timer,.sc-now{{stroke:{soft}}}.sc-now-wrong{{stroke:{wrong}}}\
             .sc-window{{fill:{faint};opacity:.6}}.sc-crash{{stroke:{ink}}}",
            hair = p.hair,
            faint = p.faint,
            ink = p.ink,
            soft = p.soft,
            wrong = p.wrong
        )
    };
    format!(
        ".sc-tick{{fill:none;stroke-width:1px}}.sc-brace,.sc-brace-wrong{{fill:none;stroke-width:1.4px}}\
         .sc-timer{{fill:none;stroke-width:1.4px}}.sc-now,.sc-now-wrong{{fill:none;stroke-width:1.6px}}\
         .sc-crash{{fill:none;stroke-width:3.4px;stroke-linecap:round}}\
         {}@media screen and (prefers-color-scheme:dark){{{}}}",
        colours(&LIGHT),
        colours(&DARK)
    )
}
