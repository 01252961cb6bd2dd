//! Fonts of the system for the scripts that the fonts of the views lack: looked for once a text needs them, and never
//! while a frame waits.
//!
//! Thread: window; the search has one of its own.

use crate::threads::await_end;
use egui::{Context, FallbackRequest, FontFamily, FontInsert, FontProvider, Id};
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long the end may take at most.
const PATIENCE: Duration = Duration::from_millis(400);
/// The time between two checks for results during a search.
const LOOK: Duration = Duration::from_millis(100);

/// Makes what knows the fonts, on the thread of the search: it reads them all.
type Make = Arc<dyn Fn() -> Box<dyn FontProvider> + Send + Sync>;

/// The results of a search for fonts.
#[derive(Default)]
struct Found {
    /// By character; `None` during the search, and if no font has it.
    fonts: BTreeMap<char, Option<FontInsert>>,
    /// How many are looked for.
    open: usize,
    has_news: bool,
}

/// Returns the fonts found so far, and requests the search for others.
pub(super) struct Foreign {
    found: Arc<Mutex<Found>>,
    search: Mutex<Option<Search>>,
    make: Make,
}

impl Foreign {
    pub(super) fn new(make: impl Fn() -> Box<dyn FontProvider> + Send + Sync + 'static) -> Self {
        Self { found: Arc::default(), search: Mutex::new(None), make: Arc::new(make) }
    }

    /// Says whether anybody looks for it.
    fn ask(&self, wanted: char) -> bool {
        let mut search = lock(&self.search);
        if search.is_none() {
            *search = Search::new(Arc::clone(&self.make), Arc::clone(&self.found)).ok();
        }
        let asks = search.as_ref().and_then(|search| search.asks.as_ref());
        asks.is_some_and(|asks| asks.send(wanted).is_ok())
    }
}

impl FontProvider for Foreign {
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        let wanted = request.cluster.chars().next()?;
        let mut found = lock(&self.found);
        if let Some(known) = found.fonts.get(&wanted) {
            return known.clone();
        }
        found.fonts.insert(wanted, None);
        // The search answers only once this is let go.
        found.open += usize::from(self.ask(wanted));
        None
    }
}

struct Search {
    /// Gone when it ends.
    asks: Option<Sender<char>>,
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Search {
    fn new(make: Make, found: Arc<Mutex<Found>>) -> io::Result<Self> {
        let (asks, asked) = channel::<char>();
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let thread = thread::Builder::new().name("fonts".into()).spawn(move || {
            let fonts = make();
            for wanted in asked {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let cluster = wanted.to_string();
                let family = &FontFamily::Proportional;
                let font = fonts.font_for(&FallbackRequest { cluster: &cluster, family });
                let mut found = lock(&found);
                found.open = found.open.saturating_sub(1);
                found.has_news |= font.is_some();
                found.fonts.insert(wanted, font);
            }
        })?;
        Ok(Self { asks: Some(asks), is_over, thread })
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.asks = None;
        await_end(&self.thread, PATIENCE);
    }
}

fn id() -> Id {
    Id::unique("foreign fonts")
}

/// From now on the texts of a context may have them.
pub(super) fn install(context: &Context, foreign: Foreign) {
    let foreign = Arc::new(foreign);
    context.data_mut(|data| data.insert_temp(id(), Arc::clone(&foreign)));
    give(context, foreign);
}

/// Makes the context ask again for all the letters that it lacks.
fn give(context: &Context, foreign: Arc<Foreign>) {
    let provider: Arc<dyn FontProvider> = foreign;
    context.set_font_providers(vec![provider]);
}

/// Runs once a frame: fonts found since the last frame are there from the next on.
pub(super) fn follow(context: &Context) {
    let known = context.data(|data| data.get_temp::<Arc<Foreign>>(id()));
    let Some(foreign) = known else { return };
    // A context that lays out text asks while it is locked itself: neither lock is held while the other is taken.
    if lock(&foreign.found).open > 0 {
        context.request_repaint_after(LOOK);
        return;
    }
    let has_news = std::mem::take(&mut lock(&foreign.found).has_news);
    if has_news {
        give(context, foreign);
    }
}

fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fonts::ICONS;
    use crate::icons;
    use egui::{FontData, FontId, RawInput};
    use std::time::Instant;

    /// Whether the letters of the views have it.
    fn is_there(context: &Context, letter: char) -> bool {
        let mut is_there = false;
        let mut output = context.run_ui(RawInput::default(), |ui| {
            let font = FontId::proportional(12.0);
            is_there = ui.ctx().fonts_mut(|fonts| fonts.has_glyph(&font, letter));
        });
        output.textures_delta.clear();
        is_there
    }

    /// A system that has one font: the one of the icons, which the letters of the views lack.
    fn with_icons() -> (Context, Arc<Foreign>) {
        let context = Context::default();
        crate::install(&context);
        let make = || -> Box<dyn FontProvider> {
            Box::new(|request: &FallbackRequest<'_>| {
                let has_it = request.cluster.starts_with(icons::PLAY);
                has_it.then(|| FontInsert::new("foreign", FontData::from_static(ICONS), Vec::new()))
            })
        };
        install(&context, Foreign::new(make));
        let foreign = context.data(|data| data.get_temp::<Arc<Foreign>>(id())).unwrap();
        (context, foreign)
    }

    fn await_answer(foreign: &Foreign) {
        let end = Instant::now() + Duration::from_secs(60);
        while lock(&foreign.found).open > 0 {
            assert!(Instant::now() < end, "the search goes on");
            thread::yield_now();
        }
    }

    #[test]
    fn a_letter_that_a_font_of_the_system_has_is_there_once_the_search_is_done() {
        let (context, foreign) = with_icons();
        assert!(lock(&foreign.search).is_none(), "nothing was missing");
        assert!(is_there(&context, 'a') && lock(&foreign.search).is_none());
        assert!(!is_there(&context, icons::PLAY), "no frame waits for it");
        await_answer(&foreign);
        follow(&context);
        assert!(is_there(&context, icons::PLAY));
    }

    #[test]
    fn a_letter_that_no_font_has_is_looked_for_once() {
        let (context, foreign) = with_icons();
        assert!(!is_there(&context, '\u{3042}'));
        await_answer(&foreign);
        follow(&context);
        assert!(!is_there(&context, '\u{3042}'));
        let found = lock(&foreign.found);
        assert!(found.open == 0 && !found.has_news && found.fonts.len() == 1);
    }
}
