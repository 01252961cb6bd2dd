//! About: what Deskhand is, and the licenses of its parts.

use crate::kit::choice::{SegmentedChoice, segmented};
use crate::kit::{Cx, rows};
use crate::theme::{Theme, Type};
use egui::{Id, Sense, Ui, vec2};

const FONTS: [(&str, &str); 3] = [
    ("Inter", include_str!("../../assets/LICENSE-Inter-OFL.txt")),
    ("JetBrains Mono", include_str!("../../assets/LICENSE-JetBrainsMono-OFL.txt")),
    ("Phosphor icons", include_str!("../../assets/LICENSE-Phosphor-MIT.txt")),
];

pub(super) fn show(ui: &mut Ui) {
    let version = format!("Deskhand {}", env!("CARGO_PKG_VERSION"));
    let what = "Ask for a change, check the plan, hear it, then apply. MIT or Apache-2.0.";
    rows::heading(ui, &version, what);
    rows::section(ui, "Licenses of fonts");
    let key = Id::unique("license");
    let shown: usize = ui.data(|data| data.get_temp(key)).unwrap_or_default();
    let size = vec2(ui.available_width(), 28.0);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let choice = |(label, _): (&'static str, _)| SegmentedChoice {
        label,
        key: "",
        is_planned: false,
        why_not: None,
    };
    let all = FONTS.map(choice);
    if let Some(taken) = segmented(&Cx::new(ui), rect, &all, Some(shown), "license") {
        ui.data_mut(|data| data.insert_temp(key, taken));
    }
    ui.add_space(12.0);
    // The fonts hold no other marks than these texts need.
    let theme = Theme::of(ui.visuals());
    rows::para(ui, FONTS[shown].1, (Type::CODE, theme.text_2));
}
