//! TLS for `wss://`: against the certificate authorities of the system, or against one pinned certificate.
//!
//! A pin replaces the usual check, as in the gateway's own client: gateways make certificates for themselves that no
//! authority signed, and a name or a date in such a certificate proves nothing. What is compared is the SHA-256 of the
//! whole certificate; that the other side holds its key is still proven by the handshake's signature.
//!
//! # Performance
//! Nothing here runs unless a `wss://` connection is opened; the authorities are read from disk only then.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, RootCertStore, SignatureScheme};
use sha2::{Digest, Sha256};

/// SHA-256 of the one certificate that is accepted.
#[derive(Clone, PartialEq, Eq)]
pub struct Pin([u8; 32]);

impl Pin {
    /// Reads a fingerprint: hex digits in any case, with or without separators and a `sha256:` prefix.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        let text = ["sha256:", "sha-256:", "sha256="].iter().find_map(|p| text.strip_prefix(p)).unwrap_or(&text);
        let digits: String = text.chars().filter(|c| !matches!(c, ':' | '-' | ' ')).collect();
        let bytes = data_encoding::HEXLOWER.decode(digits.as_bytes()).ok()?;
        bytes.try_into().ok().map(Self)
    }

    /// The fingerprint of the first certificate of a PEM file; `None` if there is no such file or no certificate in it.
    pub fn of_file(path: &Path) -> Option<Self> {
        let bytes = std::fs::read(path).ok()?;
        CertificateDer::from_pem_slice(&bytes).ok().map(|certificate| Self::of(&certificate))
    }

    fn of(certificate: &CertificateDer<'_>) -> Self {
        Self(Sha256::digest(certificate.as_ref()).into())
    }
}

impl fmt::Debug for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&data_encoding::HEXLOWER.encode(&self.0))
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A TLS session to `host`, not yet begun.
///
/// # Errors
/// A host that is no name, or a system without certificate authorities where no pin is given. One fragment of text.
pub fn session(host: &str, pin: Option<&Pin>) -> Result<ClientConnection, String> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|e| e.to_string())?;
    let config = match pin {
        Some(pin) => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Pinned { pin: pin.clone(), provider }))
            .with_no_client_auth(),
        None => builder.with_root_certificates(authorities()?).with_no_client_auth(),
    };
    let name =
        ServerName::try_from(host.to_owned()).map_err(|_| "the host is no name that a certificate has".to_owned())?;
    ClientConnection::new(Arc::new(config), name).map_err(|e| e.to_string())
}

fn authorities() -> Result<RootCertStore, String> {
    let mut store = RootCertStore::empty();
    // One bad certificate of the system is no reason not to use the others.
    let (added, _) = store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if added == 0 {
        return Err(
            "this system has no certificate authorities; pin the certificate with --gateway-tls-fingerprint".into()
        );
    }
    Ok(store)
}

/// Accepts one certificate.
#[derive(Debug)]
struct Pinned {
    pin: Pin,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if Pin::of(certificate) == self.pin {
            return Ok(ServerCertVerified::assertion());
        }
        Err(rustls::Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure))
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_has_many_spellings() {
        let hex = "ab".repeat(32);
        let colons = ["AB"; 32].join(":");
        for text in
            [hex.clone(), format!("sha256:{hex}"), colons.clone(), format!("SHA-256:{colons}"), format!(" {hex}\n")]
        {
            assert_eq!(Pin::parse(&text).unwrap().to_string(), hex, "{text}");
        }
        for text in ["", "ab", "sha256:", &"zz".repeat(32), &"ab".repeat(33)] {
            assert!(Pin::parse(text).is_none(), "{text}");
        }
    }
}
