//! About: what Deskhand is, and the licenses of its parts.

use egui::Ui;

const FONTS: [(&str, &str); 3] = [
    ("Inter, SIL Open Font License 1.1", include_str!("../../assets/LICENSE-Inter-OFL.txt")),
    (
        "JetBrains Mono, SIL Open Font License 1.1",
        include_str!("../../assets/LICENSE-JetBrainsMono-OFL.txt"),
    ),
    ("Phosphor icons, MIT", include_str!("../../assets/LICENSE-Phosphor-MIT.txt")),
];

pub(super) fn show(ui: &mut Ui) {
    ui.label(format!("Deskhand {}", env!("CARGO_PKG_VERSION")));
    ui.label("Ask for a change, check the plan, hear it, then apply. MIT or Apache-2.0.");
    ui.add_space(8.0);
    for (name, license) in FONTS {
        ui.collapsing(name, |ui| {
            // The fonts hold no other marks than these texts need.
            ui.monospace(license);
        });
    }
}
