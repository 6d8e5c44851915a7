//! Does anybody listen? One TCP connect, nothing sent.
//!
//! Only a refused connect, or a network that says there is no way, proves absence (spec/gateway.md 10). Silence proves
//! nothing, and a name that does not resolve may be a resolver that is down. An accepted connect proves a listener, not
//! a gateway.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::model::owner::Connect;

use super::endpoint::Endpoint;

/// How long a listener has to accept.
pub const TIMEOUT: Duration = Duration::from_secs(1);

/// Connects to every address of the endpoint until one accepts. Takes `timeout` for looking the name up and `timeout`
/// for all addresses together.
pub fn connect(endpoint: &Endpoint, timeout: Duration) -> Connect {
    open(endpoint, timeout).map_or_else(|failed| failed, |_| Connect::Accepted)
}

/// The socket of the first address that accepts; times as in [`connect`].
///
/// # Errors
/// What the addresses said; never [`Connect::Accepted`].
pub fn open(endpoint: &Endpoint, timeout: Duration) -> Result<TcpStream, Connect> {
    connect_any(&lookup(endpoint, timeout).map_err(Connect::NotTried)?, timeout)
}

fn connect_any(addresses: &[SocketAddr], timeout: Duration) -> Result<TcpStream, Connect> {
    let deadline = Instant::now() + timeout;
    let mut result: Option<Connect> = None;
    for address in addresses {
        let left = deadline.saturating_duration_since(Instant::now());
        // A zero timeout is an error of the call, not an answer.
        let one = match TcpStream::connect_timeout(address, left.max(Duration::from_millis(1))) {
            Ok(stream) => return Ok(stream),
            Err(e) => classify(&e),
        };
        result = Some(match result {
            Some(before) => weightier(before, one),
            None => one,
        });
    }
    Err(result.unwrap_or_else(|| Connect::NotTried("the name has no address".to_owned())))
}

/// What one failed connect says.
fn classify(error: &io::Error) -> Connect {
    match error.kind() {
        ErrorKind::ConnectionRefused => Connect::Refused,
        // AddrNotAvailable: this host has no such family (`::1` with IPv6 off).
        ErrorKind::HostUnreachable
        | ErrorKind::NetworkUnreachable
        | ErrorKind::NetworkDown
        | ErrorKind::AddrNotAvailable => Connect::Unreachable(error.to_string()),
        ErrorKind::TimedOut | ErrorKind::WouldBlock => Connect::TimedOut,
        _ => Connect::NotTried(error.to_string()),
    }
}

/// How little a result says for absence: a listener over unclear over silent over refused over unreachable.
pub fn weight(result: &Connect) -> u8 {
    match result {
        Connect::Unreachable(_) => 0,
        Connect::Refused => 1,
        Connect::TimedOut => 2,
        Connect::NotTried(_) => 3,
        Connect::Accepted => 4,
    }
}

/// The result that says less for absence.
fn weightier(a: Connect, b: Connect) -> Connect {
    if weight(&b) > weight(&a) { b } else { a }
}

/// Addresses of the host. Names are looked up in a thread: the system's resolver has no time limit of its own.
fn lookup(endpoint: &Endpoint, timeout: Duration) -> Result<Vec<SocketAddr>, String> {
    if let Some(ip) = endpoint.address() {
        return Ok(vec![SocketAddr::new(ip, endpoint.port)]);
    }
    let (host, port) = (endpoint.host.clone(), endpoint.port);
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let found = (host.as_str(), port).to_socket_addrs().map(Iterator::collect::<Vec<_>>);
        // The receiver may have given up.
        let _ = sender.send(found);
    });
    match receiver.recv_timeout(timeout) {
        Ok(Ok(addresses)) => Ok(addresses),
        Ok(Err(e)) => Err(format!("{} does not resolve: {e}", endpoint.host)),
        Err(_) => Err(format!("{} does not resolve in time", endpoint.host)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn at(host: &str, port: u16) -> Endpoint {
        Endpoint { tls: false, host: host.to_owned(), port, path: "/".to_owned(), origin: "test".to_owned() }
    }

    /// A port on which nothing listens.
    fn closed_port() -> u16 {
        TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
    }

    #[test]
    fn a_listener_that_never_answers_still_accepts() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        assert_eq!(connect(&at("127.0.0.1", port), TIMEOUT), Connect::Accepted);
        assert_eq!(connect(&at("localhost", port), TIMEOUT), Connect::Accepted, "one of its addresses accepts");
    }

    #[test]
    fn a_closed_port_is_refused() {
        let port = closed_port();
        assert_eq!(connect(&at("127.0.0.1", port), TIMEOUT), Connect::Refused);
        assert_eq!(connect(&at("localhost", port), TIMEOUT), Connect::Refused, "with or without IPv6");
    }

    #[test]
    fn a_name_that_does_not_resolve_is_not_a_proof() {
        assert!(matches!(connect(&at("name.invalid", 1), TIMEOUT), Connect::NotTried(_)));
    }

    #[test]
    fn errors_have_the_documented_classes() {
        let class = |kind: ErrorKind| classify(&io::Error::from(kind));
        assert_eq!(class(ErrorKind::ConnectionRefused), Connect::Refused);
        assert_eq!(class(ErrorKind::TimedOut), Connect::TimedOut);
        assert!(matches!(class(ErrorKind::HostUnreachable), Connect::Unreachable(_)));
        assert!(matches!(class(ErrorKind::NetworkUnreachable), Connect::Unreachable(_)));
        assert!(matches!(class(ErrorKind::PermissionDenied), Connect::NotTried(_)), "a firewall is no proof");
        assert!(matches!(class(ErrorKind::ConnectionReset), Connect::NotTried(_)), "something reset it");
    }

    #[test]
    fn the_least_certain_address_decides() {
        let unreachable = || Connect::Unreachable("no route".to_owned());
        assert_eq!(weightier(unreachable(), Connect::Refused), Connect::Refused);
        assert_eq!(weightier(Connect::Refused, unreachable()), Connect::Refused);
        assert_eq!(weightier(Connect::Refused, Connect::TimedOut), Connect::TimedOut);
        assert_eq!(connect_any(&[], TIMEOUT).unwrap_err(), Connect::NotTried("the name has no address".to_owned()));
    }
}
