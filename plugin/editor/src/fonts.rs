//! Font installation. One variable Inter file serves three weights; tabular figures are baked into it (see
//! `assets/build_fonts.py`). Missing characters come from fonts of the system.

mod foreign;

use egui::epaint::text::{FontData, FontDefinitions, FontTweak, VariationCoords};
use egui::{Context, FontFamily};
use egui_system_font_provider::SystemFontProvider;
use foreign::Foreign;
use std::sync::Arc;

static INTER: &[u8] = include_bytes!("../assets/InterDeskhand.ttf");
static MONO: &[u8] = include_bytes!("../assets/JetBrainsMono.ttf");
static ICONS: &[u8] = include_bytes!("../assets/PhosphorRegular.ttf");
static ICONS_FILL: &[u8] = include_bytes!("../assets/PhosphorFill.ttf");

pub(crate) fn icon_family(filled: bool) -> FontFamily {
    FontFamily::Name(if filled { "icons-fill" } else { "icons" }.into())
}

pub(crate) fn install(ctx: &Context) {
    let mut defs = FontDefinitions::empty();
    add(&mut defs, "inter-400", inter(400.0), FontFamily::Proportional);
    add(&mut defs, "inter-500", inter(500.0), FontFamily::Name("medium".into()));
    add(&mut defs, "inter-600", inter(600.0), FontFamily::Name("semibold".into()));
    add(&mut defs, "mono", FontData::from_static(MONO), FontFamily::Monospace);
    add(&mut defs, "icons", FontData::from_static(ICONS), icon_family(false));
    add(&mut defs, "icons-fill", FontData::from_static(ICONS_FILL), icon_family(true));
    ctx.set_fonts(defs);
    foreign::install(ctx, Foreign::new(|| Box::new(SystemFontProvider::new())));
}

/// Runs once a frame: system fonts that were found for the shown text are used from the next frame on.
pub(crate) fn follow(ctx: &Context) {
    foreign::follow(ctx);
}

fn inter(weight: f32) -> FontData {
    FontData::from_static(INTER).tweak(FontTweak {
        coords: VariationCoords::new([(b"wght", weight)]),
        ..Default::default()
    })
}

fn add(defs: &mut FontDefinitions, name: &str, data: FontData, family: FontFamily) {
    defs.font_data.insert(name.to_owned(), Arc::new(data));
    defs.families.entry(family).or_default().push(name.to_owned());
}
