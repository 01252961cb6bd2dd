//! Contrast of every pair of tokens that informs: WCAG ratios of 4.5 for text, 3 for edges and meters.

use crate::theme::Theme;
use egui::Color32;

fn luminance(color: Color32) -> f64 {
    let linear = |byte: u8| {
        let it = f64::from(byte) / 255.0;
        if it <= 0.04045 { it / 12.92 } else { ((it + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
}

pub(crate) fn contrast(a: Color32, b: Color32) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Pairs of colors that must be distinct: name, front, back and the least contrast ratio.
// tidy: table
fn pairs(t: &Theme) -> Vec<(String, Color32, Color32, f64)> {
    let surfaces =
        [("panel", t.panel), ("raised", t.raised), ("control", t.control), ("well", t.well)];
    let mut all = Vec::new();
    for (name, color) in [("text", t.text), ("text_2", t.text_2), ("text_3", t.text_3)] {
        for (back, surface) in surfaces {
            all.push((format!("{name} on {back}"), color, surface, 4.5));
        }
    }
    for (name, color) in
        [("accent", t.accent), ("ok", t.ok), ("warn", t.warn), ("danger", t.danger)]
    {
        for (back, surface) in [("panel", t.panel), ("raised", t.raised)] {
            all.push((format!("{name} on {back}"), color, surface, 4.5));
        }
    }
    let soft = [
        ("on_accent on accent", t.on_accent, t.accent),
        ("accent on its soft", t.accent, t.accent_soft),
        ("ok on its soft", t.ok, t.ok_soft),
        ("warn on its soft", t.warn, t.warn_soft),
        ("danger on its soft", t.danger, t.danger_soft),
        ("text on warn_soft", t.text, t.warn_soft),
        ("panel on text", t.panel, t.text),
        ("panel on text_2", t.panel, t.text_2),
        ("hint on input", crate::theme::visuals(t).weak_text_color(), t.input),
    ];
    all.extend(soft.map(|(name, front, back)| (name.to_owned(), front, back, 4.5)));
    all.extend(
        surfaces.map(|(back, surface)| (format!("disabled on {back}"), t.disabled, surface, 3.0)),
    );
    let widgets = crate::theme::visuals(t).widgets;
    let edges = [
        ("outline on raised", t.outline, t.raised),
        ("outline on panel", t.outline, t.panel),
        ("an unticked box on raised", widgets.inactive.bg_stroke.color, t.raised),
        ("an unticked box under the pointer on raised", widgets.hovered.bg_stroke.color, t.raised),
        ("a field on raised", widgets.inactive.bg_stroke.color, t.raised),
        ("the edge of a field on its ground", widgets.inactive.bg_stroke.color, t.input),
        ("focus on raised", t.focus, t.raised),
        ("meter on well", t.meter, t.well),
        ("meter_hot on well", t.meter_hot, t.well),
        ("meter_over on well", t.meter_over, t.well),
    ];
    all.extend(edges.map(|(name, front, back)| (name.to_owned(), front, back, 3.0)));
    for (index, hue) in t.hues.iter().enumerate() {
        all.push((format!("hue {index} on its soft"), hue.strong, hue.soft, 4.5));
        all.push((format!("hue {index} on raised"), hue.strong, t.raised, 4.5));
        // A clip differs from its lane by its edge, or by its body if it has no edge.
        let (front, least) = t.clip_edge(*hue).map_or((hue.soft, 1.3), |edge| (edge, 3.0));
        all.push((format!("a clip of hue {index} on its lane"), front, t.well, least));
    }
    all
}

#[test]
fn everything_that_informs_is_read_in_both_themes() {
    let mut failed = Vec::new();
    for (theme, t) in [("dark", &Theme::DARK), ("light", &Theme::LIGHT)] {
        for (name, front, back, least) in pairs(t) {
            let ratio = contrast(front, back);
            if ratio < least {
                failed.push(format!("{theme}: {name} is {ratio:.2}, wants {least}"));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn boxes_and_fields_have_an_edge_and_fields_their_own_ground() {
    for t in [&Theme::DARK, &Theme::LIGHT] {
        let visuals = crate::theme::visuals(t);
        let widgets = visuals.widgets.clone();
        for state in [widgets.inactive, widgets.hovered, widgets.active, widgets.open] {
            assert!(state.bg_stroke.color.is_opaque() && state.bg_stroke.width >= 1.0);
        }
        assert_eq!(visuals.text_edit_bg_color(), t.input);
    }
}

#[test]
fn the_ratio_is_the_one_of_wcag() {
    assert_eq!(contrast(Color32::WHITE, Color32::BLACK), 21.0);
    let grey = contrast(Color32::from_rgb(0x76, 0x76, 0x76), Color32::WHITE);
    assert!((grey - 4.54).abs() < 0.01, "{grey}");
}
