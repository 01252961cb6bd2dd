//! `deskhand-app`: Deskhand in a window of its own.
//!
//! Thread: window. See the library for the others.

#![forbid(unsafe_code)]

use clap::Parser;
use deskhand_session::PlanId;
use deskhand_standalone::{App, Kept, Start, icon};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Ask for changes to a session, check the plan, apply.
#[derive(Parser)]
#[command(name = "deskhand-app", version)]
struct Args {
    /// The session folder; without it the window asks
    dir: Option<PathBuf>,
    /// Bring this plan into view
    #[arg(long)]
    plan: Option<PlanId>,
    /// Light instead of dark
    #[arg(long)]
    light: bool,
}

fn main() -> ExitCode {
    // The decode child is this same program in a hidden mode: nothing else may run before it.
    if let Some(code) = deskhand_media::child::run_if_asked() {
        return code;
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Started from a desktop nobody reads it; from a terminal somebody does.
            drop(writeln!(std::io::stderr(), "error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let args = Args::parse();
    let file = Kept::file();
    let mut kept = file.as_deref().map(Kept::load).unwrap_or_default();
    kept.is_light |= args.light;
    let [width, height] = kept.size.unwrap_or([1440.0, 900.0]);
    let size = egui::vec2(width, height);
    let viewport = egui::ViewportBuilder::default()
        .with_title("Deskhand")
        .with_app_id("deskhand")
        .with_icon(icon())
        .with_inner_size(size)
        .with_min_inner_size(egui::vec2(900.0, 600.0))
        .with_maximized(kept.is_maximized);
    // Windows shows a window where a screen was that is gone, and nobody finds it; other systems move it.
    let place = kept.place.filter(|_| !cfg!(windows));
    let viewport = match place {
        Some(place) => viewport.with_position(place),
        None => viewport,
    };
    let options = eframe::NativeOptions {
        viewport,
        renderer: eframe::Renderer::Glow,
        ..eframe::NativeOptions::default()
    };
    let made = move |context: &eframe::CreationContext<'_>| {
        deskhand_editor::install(&context.egui_ctx);
        let start = Start { dir: args.dir, plan: args.plan, kept, file };
        let app = App::new(&context.egui_ctx, start);
        Ok(Box::new(app) as Box<dyn eframe::App>)
    };
    eframe::run_native("Deskhand", options, Box::new(made))
        .map_err(|error| anyhow::anyhow!("no window could be opened: {error}"))
}
