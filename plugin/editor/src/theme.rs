//! Design tokens. Every colour, size and radius in the product comes from this file.
//!
//! One rule carries the whole palette: **accent means "the plan"** (what would
//! happen). Neutral means "now". Amber means "look", red means "wrong", green
//! means "done and measured". Track colours identify, they never judge.

use crate::kit::cx::mix;
use egui::epaint::FontColorTransferFunction;
use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, Vec2};

const fn hex(v: u32) -> Color32 {
    Color32::from_rgb((v >> 16) as u8, (v >> 8) as u8, v as u8)
}

/// Spacing scale, in points. Everything is a multiple of 4.
pub(crate) mod space {
    pub(crate) const S: f32 = 8.0;
    pub(crate) const M: f32 = 12.0;
    pub(crate) const L: f32 = 16.0;
}

/// Corner radii, in points.
pub(crate) mod radius {
    pub(crate) const CONTROL: f32 = 4.0;
    pub(crate) const CARD: f32 = 6.0;
    pub(crate) const WINDOW: f32 = 8.0;
}

/// Fixed control sizes, in points.
pub(crate) mod size {
    pub(crate) const CONTROL_H: f32 = 28.0;
    pub(crate) const ICON: f32 = 16.0;
    pub(crate) const TICK: f32 = 16.0;
    pub(crate) const TOPBAR_H: f32 = 48.0;
    pub(crate) const STATUS_H: f32 = 24.0;
    /// Gap of `void` between work areas.
    pub(crate) const GAP: f32 = 4.0;
}

/// Animation lengths, in seconds. Meters and playheads are never eased.
pub(crate) mod motion {
    pub(crate) const TOGGLE: f32 = 0.12;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Weight {
    Regular,
    Medium,
    Semibold,
    Mono,
}

/// A text style: a size and a weight. Line height is always a multiple of 4.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Type {
    pub(crate) size: f32,
    pub(crate) line: f32,
    pub(crate) weight: Weight,
}

impl Type {
    const fn new(size: f32, line: f32, weight: Weight) -> Self {
        Self { size, line, weight }
    }
    pub(crate) const TICK: Self = Self::new(10.0, 12.0, Weight::Medium);
    pub(crate) const CAPTION: Self = Self::new(11.0, 16.0, Weight::Regular);
    pub(crate) const CAPTION_STRONG: Self = Self::new(11.0, 16.0, Weight::Semibold);
    pub(crate) const SMALL: Self = Self::new(12.0, 16.0, Weight::Regular);
    pub(crate) const SMALL_STRONG: Self = Self::new(12.0, 16.0, Weight::Medium);
    pub(crate) const BODY: Self = Self::new(13.0, 20.0, Weight::Regular);
    pub(crate) const BODY_STRONG: Self = Self::new(13.0, 20.0, Weight::Semibold);
    pub(crate) const TITLE: Self = Self::new(15.0, 20.0, Weight::Semibold);
    /// The title of a page, in windows that have pages.
    pub(crate) const PAGE: Self = Self::new(18.0, 24.0, Weight::Semibold);
    pub(crate) const READOUT: Self = Self::new(18.0, 24.0, Weight::Medium);
    pub(crate) const HERO: Self = Self::new(24.0, 32.0, Weight::Semibold);
    pub(crate) const CODE: Self = Self::new(11.5, 16.0, Weight::Mono);

    pub(crate) fn font(self) -> FontId {
        FontId::new(self.size, family(self.weight))
    }
}

pub(crate) fn family(weight: Weight) -> FontFamily {
    match weight {
        Weight::Regular => FontFamily::Proportional,
        Weight::Medium => FontFamily::Name("medium".into()),
        Weight::Semibold => FontFamily::Name("semibold".into()),
        Weight::Mono => FontFamily::Monospace,
    }
}

/// One identifying colour with the tones a clip needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hue {
    /// Header strip, RMS body of the waveform.
    pub(crate) strong: Color32,
    pub(crate) soft: Color32,
}

const fn hue(strong: u32, soft: u32) -> Hue {
    Hue { strong: hex(strong), soft: hex(soft) }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    pub(crate) dark: bool,
    // Surfaces, back to front.
    pub(crate) void: Color32,
    pub(crate) panel: Color32,
    pub(crate) raised: Color32,
    pub(crate) control: Color32,
    pub(crate) hover: Color32,
    /// Sunken: lanes, meters, segmented controls.
    pub(crate) well: Color32,
    pub(crate) input: Color32,
    /// Allowed range on a scale.
    pub(crate) zone: Color32,
    // Lines.
    pub(crate) line: Color32,
    pub(crate) line_strong: Color32,
    pub(crate) outline: Color32,
    // Text.
    pub(crate) text: Color32,
    pub(crate) text_2: Color32,
    pub(crate) text_3: Color32,
    pub(crate) disabled: Color32,
    // Meaning.
    pub(crate) accent: Color32,
    pub(crate) accent_soft: Color32,
    pub(crate) on_accent: Color32,
    pub(crate) ok: Color32,
    pub(crate) ok_soft: Color32,
    pub(crate) warn: Color32,
    pub(crate) warn_soft: Color32,
    pub(crate) danger: Color32,
    pub(crate) danger_soft: Color32,
    pub(crate) focus: Color32,
    pub(crate) playhead: Color32,
    /// Over the window, below a sheet.
    pub(crate) scrim: Color32,
    // Meters.
    pub(crate) meter: Color32,
    pub(crate) meter_hot: Color32,
    pub(crate) meter_over: Color32,
    /// Identity colours for tracks, in order.
    pub(crate) hues: [Hue; 7],
}

impl Theme {
    /// The theme of the style of a `Ui`, or of a context.
    pub(crate) fn of(visuals: &egui::Visuals) -> &'static Self {
        if visuals.dark_mode { &Self::DARK } else { &Self::LIGHT }
    }

    /// The edge of a clip; `None` if its body is distinct from the lane by itself.
    pub(crate) fn clip_edge(&self, hue: Hue) -> Option<Color32> {
        (!self.dark).then(|| mix(hue.soft, hue.strong, 0.8))
    }

    pub(crate) const DARK: Self = Self {
        dark: true,
        void: hex(0x0A0B0D),
        panel: hex(0x141518),
        raised: hex(0x1B1D20),
        control: hex(0x26282C),
        hover: hex(0x303237),
        well: hex(0x0E0F11),
        input: hex(0x0E0F11),
        zone: hex(0x3A3D43),
        line: hex(0x26282C),
        line_strong: hex(0x3A3D43),
        outline: hex(0x74787F),
        text: hex(0xE5E8ED),
        text_2: hex(0xAEB1B6),
        text_3: hex(0x8C8F95),
        disabled: hex(0x6E7177),
        accent: hex(0x4FC5FC),
        accent_soft: hex(0x0F2C3A),
        on_accent: hex(0x04202D),
        ok: hex(0x6CD092),
        ok_soft: hex(0x16291E),
        warn: hex(0xE9B44C),
        warn_soft: hex(0x2B2312),
        danger: hex(0xFF7D73),
        danger_soft: hex(0x351C1A),
        focus: hex(0xE5E8ED),
        playhead: hex(0xF4F6F9),
        scrim: Color32::from_rgba_premultiplied(4, 4, 5, 158),
        meter: hex(0x5FC08B),
        meter_hot: hex(0xE9B44C),
        meter_over: hex(0xFF5A4F),
        hues: [
            hue(0xCE919E, 0x33262A),
            hue(0xAC9ACD, 0x2B2735),
            hue(0xCE9581, 0x332722),
            hue(0x68B3BB, 0x1D2E30),
            hue(0x83B28C, 0x222E25),
            hue(0xBDA06E, 0x2F281D),
            hue(0xC094BB, 0x302630),
        ],
    };

    pub(crate) const LIGHT: Self = Self {
        dark: false,
        void: hex(0xC9CCD1),
        panel: hex(0xEEEFF2),
        raised: hex(0xFAFBFC),
        control: hex(0xDCDFE4),
        hover: hex(0xCFD3D9),
        well: hex(0xE1E3E7),
        input: hex(0xFFFFFF),
        zone: hex(0xC3C8D0),
        line: hex(0xD6D9DE),
        line_strong: hex(0xB4B8C0),
        outline: hex(0x747982),
        text: hex(0x14161B),
        text_2: hex(0x42464D),
        text_3: hex(0x5D6169),
        disabled: hex(0x7B7F87),
        accent: hex(0x00699B),
        accent_soft: hex(0xD8EEFA),
        on_accent: hex(0xFFFFFF),
        ok: hex(0x00713B),
        ok_soft: hex(0xDAF1E1),
        warn: hex(0x825300),
        warn_soft: hex(0xF7EAD2),
        danger: hex(0xA8322F),
        danger_soft: hex(0xFBE2E0),
        focus: hex(0x14161B),
        playhead: hex(0x14161B),
        scrim: Color32::from_rgba_premultiplied(21, 22, 25, 89),
        meter: hex(0x1F8552),
        meter_hot: hex(0xA87008),
        meter_over: hex(0xC8322A),
        hues: [
            hue(0x844756, 0xF0DCE1),
            hue(0x645185, 0xE3DEEF),
            hue(0x844A36, 0xF0DDD6),
            hue(0x006973, 0xD2E7E9),
            hue(0x356A42, 0xD7E5DA),
            hue(0x75561B, 0xE9DFCD),
            hue(0x774A73, 0xEBDCE9),
        ],
    };
}

/// Push the tokens into egui, so stock widgets (menus, text edits, scroll bars,
/// tooltips) match the painted ones.
pub(crate) fn apply(ctx: &egui::Context, t: &Theme) {
    let preference = if t.dark { egui::Theme::Dark } else { egui::Theme::Light };
    ctx.set_theme(preference);
    let mut style = (*ctx.style_of(preference)).clone();
    style.visuals = visuals(t);
    style.spacing.item_spacing = Vec2::splat(space::S);
    style.spacing.button_padding = Vec2::new(space::M, 6.0);
    style.spacing.interact_size = Vec2::new(40.0, size::CONTROL_H);
    style.spacing.icon_width = size::TICK;
    style.spacing.menu_margin = Margin::same(4);
    style.spacing.window_margin = Margin::same(12);
    style.spacing.scroll = egui::style::ScrollStyle::floating();
    style.animation_time = motion::TOGGLE;
    style.interaction.tooltip_delay = 0.4;
    style.interaction.selectable_labels = false;
    ctx.set_style_of(preference, style);
}

pub(crate) fn visuals(t: &Theme) -> egui::Visuals {
    let mut v = if t.dark { egui::Visuals::dark() } else { egui::Visuals::light() };
    let control = CornerRadius::same(radius::CONTROL as u8);
    let set = |w: &mut egui::style::WidgetVisuals, bg: Color32, edge: Color32, fg: Color32| {
        w.bg_fill = bg;
        w.weak_bg_fill = bg;
        w.bg_stroke = Stroke::new(1.0, edge);
        w.fg_stroke = Stroke::new(1.0, fg);
        w.corner_radius = control;
        w.expansion = 0.0;
    };
    set(&mut v.widgets.noninteractive, t.panel, t.line, t.text_2);
    // An empty box, a field and a list are seen by their edge alone.
    set(&mut v.widgets.inactive, t.control, t.outline, t.text);
    set(&mut v.widgets.hovered, t.hover, t.outline, t.text);
    set(&mut v.widgets.active, t.well, t.outline, t.text);
    set(&mut v.widgets.open, t.hover, t.outline, t.text);
    // The accent belongs to the plan: selections are neutral.
    v.selection.bg_fill = t.hover;
    v.selection.stroke = Stroke::new(1.0, t.focus);
    v.panel_fill = t.panel;
    v.window_fill = t.raised;
    v.window_stroke = Stroke::new(1.0, t.line_strong);
    v.window_corner_radius = CornerRadius::same(radius::WINDOW as u8);
    v.menu_corner_radius = CornerRadius::same(radius::CARD as u8);
    v.window_shadow = shadow(t);
    v.popup_shadow = shadow(t);
    v.extreme_bg_color = t.well;
    v.text_edit_bg_color = Some(t.input);
    v.faint_bg_color = t.raised;
    v.code_bg_color = t.well;
    v.hyperlink_color = t.text;
    v.warn_fg_color = t.warn;
    v.error_fg_color = t.danger;
    // The shortcuts of entries that cannot be used are still read.
    v.disabled_alpha = 0.7;
    // The hint of a field must be as readable as its text.
    v.weak_text_color = Some(t.text_3);
    if t.dark {
        // egui's default dark curve fattens text by about one weight step.
        v.text_options.color_transfer_function = FontColorTransferFunction::Gamma(0.72);
    }
    v.text_cursor.stroke = Stroke::new(1.5, t.text);
    v
}

/// The only shadow in the product: things that float above the session.
pub(crate) fn shadow(t: &Theme) -> Shadow {
    let alpha = if t.dark { 140 } else { 40 };
    Shadow { offset: [0, 8], blur: 24, spread: 0, color: Color32::from_black_alpha(alpha) }
}
