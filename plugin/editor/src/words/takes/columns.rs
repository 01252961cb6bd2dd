//! The takes of one phrase in columns.

use crate::action::{Action, Actions};
use crate::describe::hue_of;
use crate::kit::controls::{Button, Kind, State, hint, icon_button_in, whole_name};
use crate::kit::cx::mix;
use crate::kit::{Cut, Cx};
use crate::live::{Audition, SoundOutput};
use crate::scene::Scene;
use crate::theme::{Theme, Type, radius, space};
use crate::waves::Waves;
use crate::words::calls;
use crate::words::takes::view::{Group, letter, told};
use crate::words::word_diff::{plain, same_words};
use crate::{clip_facts, icons, kit};
use deskhand_session::{PhraseId, Playing, Session, Spoken};
use egui::epaint::text::{LayoutJob, TextFormat};
use egui::{Rect, Role, ScrollArea, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2};

/// The least width of a column: three fit in the plugin too.
const LEAST: f32 = 160.0;
/// Height of the waveform.
const WAVE: f32 = 72.0;
/// The tallest a take is drawn, and one that is narrower than this: its words take more lines.
const TALLEST: f32 = 360.0;
const NARROW: f32 = 220.0;
const TALLEST_NARROW: f32 = 480.0;
/// The most facts of a take that are listed.
const FACTS: usize = 4;

/// Draws the takes of a phrase. Returns the place of the chosen one.
pub(super) fn show(
    ui: &mut Ui,
    scene: Scene<'_>,
    waves: &dyn Waves,
    (group, playing): (&Group, &Playing),
    rect: Rect,
    out: &mut Actions,
) -> Option<usize> {
    let mut rest = rect;
    let cx = Cx::new(ui);
    if !group.takes.reason.is_empty() {
        let place = group.takes.takes.iter().position(|take| *take == group.takes.chosen);
        let words = format!("{}: {}", letter(place.unwrap_or(0)), group.takes.reason);
        let row = rest.cut_top(32.0);
        let color = if group.plan.is_some() { cx.t.accent } else { cx.t.text_2 };
        let room = row.width() - 24.0;
        cx.elided(row.left_mid(space::M), &words, Type::SMALL, color, room);
        let node = cx.label(row, "reason", &words);
        whole_name(&cx, node, &words, (Type::SMALL, room));
    }
    drop(cx);
    let count = group.takes.takes.len().max(1);
    let room = rest.width() - space::S;
    let width = (room / count as f32).max(LEAST);
    let tallest = if width < NARROW { TALLEST_NARROW } else { TALLEST };
    rest.max.y = rest.max.y.min(rest.min.y + tallest);
    let mut child = ui.new_child(UiBuilder::new().max_rect(rest.pad(4.0, 4.0)).id_salt("takes"));
    let mut chosen = None;
    ScrollArea::horizontal().id_salt("takes").auto_shrink(false).show(&mut child, |ui| {
        let size = vec2(width * count as f32, ui.available_height());
        let (all, _) = ui.allocate_exact_size(size, Sense::hover());
        for (place, take) in group.takes.takes.iter().enumerate() {
            let left = all.left() + width * place as f32;
            let column = Rect::from_min_size(pos2(left, all.top()), vec2(width, all.height()));
            let column = column.pad(4.0, 0.0);
            let of = (group, playing);
            if one(ui, scene, waves, of, (place, *take), column, out) {
                chosen = Some(place);
            }
        }
    });
    chosen
}

/// Draws a take; says whether it was chosen.
fn one(
    ui: &mut Ui,
    scene: Scene<'_>,
    waves: &dyn Waves,
    (group, playing): (&Group, &Playing),
    (place, take): (usize, PhraseId),
    rect: Rect,
    out: &mut Actions,
) -> bool {
    let Some(spoken) = scene.session.spoken(take) else { return false };
    let cx = Cx::new(ui);
    let is_chosen = group.takes.chosen == take;
    cx.fill(rect, radius::CARD, cx.t.panel);
    cx.border(rect, radius::CARD, if is_chosen { cx.t.text_2 } else { cx.t.line });
    let mut rest = rect.pad(space::M, space::S);
    let told = told(scene, playing, take, &spoken);
    head(&cx, group, place, is_chosen, &told, rest.cut_top(56.0));
    let foot = rest.cut_bottom(36.0);
    let is_taken = buttons(&cx, scene, &spoken, group, (place, take), foot, out);
    let sound = rest.cut_bottom(WAVE.min(rest.height() * 0.4));
    wave(&cx, scene, waves, (place, &spoken), sound.pad(0.0, 4.0));
    drop(cx);
    let mut child = ui.new_child(UiBuilder::new().max_rect(rest).id_salt(("take", place)));
    ScrollArea::vertical().id_salt("words").auto_shrink(false).show(&mut child, |ui| {
        words(ui, scene, group, take, &spoken);
        facts(ui, scene, group, take);
    });
    is_taken
}

/// The name of the take, whether it plays, and two more lines in `told`. The hint has all of it if it is
/// cut.
fn head(cx: &Cx<'_>, group: &Group, place: usize, is_chosen: bool, told: &[String; 2], rect: Rect) {
    let mut rows = rect;
    let first = rows.cut_top(20.0);
    let name = format!("Take {}", letter(place));
    let right = cx.left(first.left_mid(0.0), &name, Type::BODY_STRONG, cx.t.text).right();
    let (state, color) = match (is_chosen, group.plan) {
        (false, _) => ("", cx.t.text_2),
        (true, Some(_)) => ("recommended", cx.t.accent),
        (true, None) => ("plays", cx.t.text_2),
    };
    let at = pos2(right + space::S, first.center().y);
    cx.elided(at, state, Type::SMALL, color, rect.right() - at.x);
    let mut is_cut = false;
    for line in told {
        let at = rows.cut_top(18.0).left_mid(0.0);
        cx.elided(at, line, Type::CAPTION, cx.t.text_3, rect.width());
        is_cut |= cx.width(line, Type::CAPTION) > rect.width();
    }
    let node = cx.interact(rect, ("told", place), Sense::hover());
    let words = if state.is_empty() { name } else { format!("{name} {state}") };
    let told = told.join(" · ");
    node.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{words}, {told}")));
    if is_cut {
        hint(node, &told);
    }
}

/// Draws a take, and how much of it was heard: its audition is drawn completely, with its cut words too.
fn wave(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    waves: &dyn Waves,
    (place, spoken): (usize, &Spoken),
    rect: Rect,
) {
    cx.fill(rect, 2.0, cx.t.well);
    let node = cx.interact(rect, ("wave", place), Sense::hover());
    let name = format!("Waveform of take {}", letter(place));
    node.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    let count = rect.width().floor().max(2.0) as usize;
    let length = (spoken.end - spoken.start).0.max(1) as f64;
    let session = scene.session;
    let clip = session.clips.values().find(|clip| clip.source == spoken.source);
    let hue = cx.t.hues[hue_of(clip.map(|clip| clip.track), session)];
    match waves.columns(spoken.source, spoken.start, length / count as f64, count) {
        Some(columns) => {
            let peak = mix(hue.soft, hue.strong, 0.48);
            kit::wave::paint(&cx.clip(rect), rect.pad(0.0, 4.0), &columns, 1.0, peak, hue.strong);
        }
        None => cx.hline(rect.left(), rect.right(), rect.center().y, cx.t.text_3),
    }
    if let Some(alone) = scene.live.audition.filter(|it| is_heard(it, spoken)) {
        let share = (alone.at - spoken.start).0 as f64 / length;
        let x = rect.left() + rect.width() * share.clamp(0.0, 1.0) as f32;
        cx.vline(x, rect.top(), rect.bottom(), cx.t.playhead);
    }
}

fn is_heard(alone: &Audition, spoken: &Spoken) -> bool {
    (alone.source, alone.from, alone.to) == (spoken.source, spoken.start, spoken.end)
}

/// Hear and choose, in one row; says whether it was chosen.
fn buttons(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    spoken: &Spoken,
    group: &Group,
    (place, take): (usize, PhraseId),
    rect: Rect,
    out: &mut Actions,
) -> bool {
    let name = letter(place);
    let is_settled = group.plan.is_none() && group.takes.chosen == take;
    let label = format!("Choose {name}");
    let state = if is_settled { State::Disabled } else { State::Normal };
    // The button applies a plan.
    let kind = match group.plan {
        Some(_) if group.takes.chosen == take && group.others.is_empty() => Kind::Apply,
        Some(_) | None => Kind::Secondary,
    };
    let button = Button::new(kind, &label).state(state);
    let width = button.width(cx);
    let cell = rect.row_box(rect.right() - width, vec2(width, 28.0));
    hear(cx, scene, spoken, name, rect.with_max_x(cell.left() - space::S), out);
    let mut response = button.show(cx, cell);
    if is_settled {
        response = response.on_hover_text("It plays already");
    }
    response.clicked() && !is_settled
}

/// Plays a take alone, or stops it. Without room the button has no words.
fn hear(cx: &Cx<'_>, scene: Scene<'_>, spoken: &Spoken, name: char, room: Rect, out: &mut Actions) {
    let is_heard = scene.live.audition.is_some_and(|alone| is_heard(&alone, spoken));
    let (label, icon) = if is_heard {
        (format!("Stop {name}"), icons::STOP)
    } else {
        (format!("Hear {name}"), icons::PLAY)
    };
    let state = if scene.live.has_voice() { State::Normal } else { State::Disabled };
    let button = Button::new(Kind::Secondary, &label).icon(icon).state(state);
    let width = button.width(cx);
    let mut response = if width <= room.width() {
        button.show(cx, room.row_box(room.left(), vec2(width, 28.0)))
    } else {
        let cell = room.row_box(room.left(), vec2(28.0, 28.0));
        icon_button_in(cx, cell, icon, true, &label, state)
    };
    if let SoundOutput::None { why } = &scene.live.output {
        response = response.on_hover_text(why);
    }
    if response.clicked() && state == State::Normal {
        let stretch = (spoken.start, spoken.end);
        let heard = calls::audition(scene, spoken.source, stretch);
        out.extend(if is_heard { Some(Action::Audition(None)) } else { heard });
    }
}

/// The words of a take; those that the take it is compared with does not say are underlined.
fn words(ui: &mut Ui, scene: Scene<'_>, group: &Group, take: PhraseId, spoken: &Spoken) {
    let against = if group.takes.chosen == take {
        group.takes.others().next()
    } else {
        Some(group.takes.chosen)
    };
    let other = against.and_then(|id| scene.session.spoken(id)).map(|it| it.text);
    let split = |text: &str| text.split_whitespace().map(plain).collect::<Vec<String>>();
    let same = same_words(&split(&spoken.text), &split(other.as_deref().unwrap_or_default()));
    let mut job = LayoutJob::default();
    let mut marked = Vec::new();
    for (word, is_same) in spoken.text.split_whitespace().zip(same) {
        let [format, space] = looks(Theme::of(ui.visuals()), is_same);
        if !is_same {
            marked.push(word);
        }
        job.append(word, 0.0, format);
        job.append(" ", 0.0, space);
    }
    let response = ui.add(egui::Label::new(job).wrap());
    response.widget_info(|| {
        let apart = if marked.is_empty() {
            String::new()
        } else {
            format!(". Only here: {}", marked.join(", "))
        };
        WidgetInfo::labeled(Role::Label, true, format!("{}{apart}", spoken.text))
    });
}

/// The look of a word, and of the space after it.
fn looks(theme: &Theme, is_same: bool) -> [TextFormat; 2] {
    let space = TextFormat {
        font_id: Type::BODY.font(),
        line_height: Some(22.0),
        color: if is_same { theme.text_2 } else { theme.text },
        ..TextFormat::default()
    };
    if is_same {
        return [space.clone(), space];
    }
    let underline = Stroke::new(1.5, theme.text);
    [TextFormat { background: theme.zone, underline, ..space.clone() }, space]
}

/// The measurements of a take, without those that all takes share.
fn facts(ui: &mut Ui, scene: Scene<'_>, group: &Group, take: PhraseId) {
    let theme = Theme::of(ui.visuals());
    let others = group.takes.takes.iter().filter(|other| **other != take);
    let others: Vec<Vec<String>> = others.map(|other| measured(scene.session, *other)).collect();
    let is_shared =
        |line: &String| !others.is_empty() && others.iter().all(|other| other.contains(line));
    let own = measured(scene.session, take).into_iter().filter(|line| !is_shared(line));
    for line in own.take(FACTS) {
        ui.colored_label(theme.text_3, egui::RichText::new(line).font(Type::SMALL.font()));
    }
}

/// All that was measured of a take, a line each.
fn measured(session: &Session, take: PhraseId) -> Vec<String> {
    let segments = session.phrases.get(&take).into_iter().flat_map(|phrase| &phrase.segments);
    let segments = segments.filter_map(|id| session.segments.get(id));
    segments.flat_map(clip_facts::of_segment).collect()
}
