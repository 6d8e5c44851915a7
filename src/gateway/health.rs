//! `GET /healthz` (spec/gateway.md 11): is there an HTTP server, and does it say that it lives? No secret is sent.
//!
//! It proves an HTTP server and not whose: anything may answer. So it is shown, and decides nothing.

use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

use crate::context::Cancel;
use crate::model::gateway::Health;

use super::endpoint::Endpoint;
use super::stream::{Stopped, Stream, Watch};
use super::tls::{self, Pin};
use super::{probe, wire};

/// How long connect and answer may take, each.
pub const TIMEOUT: Duration = Duration::from_secs(2);
/// More than the answer of a gateway has, bytes.
const LONGEST: u64 = 16 * 1024;

/// Asks.
pub fn ask(endpoint: &Endpoint, pin: Option<&Pin>, timeout: Duration, cancel: &Cancel) -> Health {
    match answer(endpoint, pin, wire::until(Instant::now() + timeout, cancel), timeout) {
        Ok(text) => read(&text),
        Err(why) => Health::None(why),
    }
}

fn answer(endpoint: &Endpoint, pin: Option<&Pin>, watch: Watch, timeout: Duration) -> Result<Vec<u8>, String> {
    let tls = if endpoint.tls { Some(tls::session(&endpoint.host, pin)?) } else { None };
    let tcp = probe::open(endpoint, timeout).map_err(|_| "it does not accept a connection any more".to_owned())?;
    let mut stream = Stream::new(tcp, tls, watch);
    let request = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", endpoint.authority());
    let mut text = Vec::new();
    let done = stream.write_all(request.as_bytes()).and_then(|()| stream.flush());
    // What came before the other side went away counts: not every server closes as it should.
    match done.and_then(|()| stream.take(LONGEST).read_to_end(&mut text)) {
        Ok(_) => Ok(text),
        Err(_) if text.starts_with(b"HTTP/") => Ok(text),
        Err(e) => Err(Stopped::of(&e).map_or_else(|| "it closed the connection".to_owned(), |s| s.to_string())),
    }
}

fn read(text: &[u8]) -> Health {
    let text = String::from_utf8_lossy(text);
    let status = text.strip_prefix("HTTP/1.").and_then(|rest| rest.split(' ').nth(1)?.parse().ok());
    match status {
        Some(200) if text.contains(r#""ok":true"#) => Health::Live,
        Some(status) => Health::Status(status),
        None if text.is_empty() => Health::None("it closed the connection".to_owned()),
        None => Health::None("its answer is no HTTP".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_gateways_answer_is_live() {
        let live = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"ok\":true,\"status\":\"live\"}";
        assert_eq!(read(live), Health::Live);
        assert_eq!(read(b"HTTP/1.1 200 OK\r\n\r\n<html>"), Health::Status(200));
        assert_eq!(read(b"HTTP/1.0 503 Busy\r\n\r\n"), Health::Status(503));
        assert!(matches!(read(b"SSH-2.0-OpenSSH"), Health::None(_)));
        assert!(matches!(read(b""), Health::None(_)));
    }
}
