//! The server over the standard streams: stdout carries only the protocol.

use crate::desk::Desk;
use crate::host_program::Door;
use crate::options::{McpError, Options};
use crate::server::Server;
use rmcp::ServiceExt;
use std::time::Duration;

/// Serves one client over stdin and stdout until it closes stdin.
///
/// # Errors
/// When the session cannot be opened, or the client speaks no MCP.
pub fn serve_stdio(door: impl Door, options: Options) -> Result<(), McpError> {
    let desk = Desk::new(door, options)?;
    let runtime = runtime()?;
    let served = runtime.block_on(async {
        let server = Server::new(desk);
        let running = server.serve(rmcp::transport::io::stdio_pipes()).await;
        let running = running.map_err(|error| McpError::Client(error.to_string()))?;
        running.waiting().await.map_err(|error| McpError::Client(error.to_string()))
    });
    // A blocked read of stdin must not hold up the end.
    runtime.shutdown_timeout(Duration::from_millis(200));
    served.map(drop)
}

pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, McpError> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let builder = builder.worker_threads(2).thread_name("deskhand-mcp").enable_all();
    builder.build().map_err(McpError::Runtime)
}
