use serde_json::Value;

use super::*;
use crate::gateway::protocol::CLI;

/// Published test data: a fixed seed and what both generations of the gateway accepted for it.
const VECTORS: &str = include_str!("../../tests/data/gateway/device-signature-vectors.json");

fn vectors() -> Value {
    serde_json::from_str(VECTORS).unwrap()
}

fn text<'v>(vectors: &'v Value, key: &str) -> &'v str {
    vectors[key].as_str().unwrap()
}

fn identity(vectors: &Value, path: &Path) -> Identity {
    let seed: [u8; 32] = HEXLOWER.decode(text(vectors, "seedHex").as_bytes()).unwrap().try_into().unwrap();
    Identity { key: SigningKey::from_bytes(&seed), tokens: BTreeMap::new(), path: path.to_owned() }
}

#[test]
fn the_signature_is_the_one_that_gateways_accept() {
    let v = vectors();
    let identity = identity(&v, Path::new("/none"));
    assert_eq!(identity.id(), text(&v, "deviceId"));
    assert_eq!(identity.public_key(), text(&v, "publicKeyRawBase64Url"));
    let scopes: Vec<&str> = v["scopes"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
    let what = Signing {
        client: CLI,
        scopes: &scopes,
        at: v["signedAtMs"].as_i64().unwrap(),
        token: text(&v, "token"),
        nonce: text(&v, "nonce"),
        platform: text(&v, "platform"),
    };
    assert_eq!(what.payload(&identity.id()).as_str(), text(&v, "payloadV3"));
    let signed = identity.sign(&what);
    assert_eq!(signed.signature, text(&v, "signatureV3Base64Url"));
    let block = serde_json::to_value(&signed).unwrap();
    let keys: Vec<&str> = block.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["id", "publicKey", "signature", "signedAt", "nonce"]);
}

#[test]
fn an_identity_is_kept_private_and_read_back_with_its_tokens() {
    let temp = tempfile::tempdir().unwrap();
    let path = path(temp.path());
    assert!(Identity::load(&path).unwrap().is_none());
    let mut made = Identity::create(&path).unwrap();
    made.remember("ws://h:1", "issued").unwrap();
    let read = Identity::load(&path).unwrap().unwrap();
    assert_eq!(read.id(), made.id());
    assert_eq!(read.token("ws://h:1").map(Secret::expose), Some("issued"));
    assert!(read.token("ws://h:2").is_none(), "a token goes to the gateway that issued it");
    assert_ne!(Identity::create(&temp.path().join(".clawkeep/other")).unwrap().id(), made.id());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |p: &Path| p.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        let error = Identity::load(&path).unwrap_err();
        assert!(error.message.contains("others may read it"), "{error}");
        assert!(error.hints[0].starts_with("chmod 600 "), "{:?}", error.hints);
    }
}

#[test]
fn a_damaged_identity_is_an_error_that_repeats_nothing_of_it() {
    let temp = tempfile::tempdir().unwrap();
    let path = path(temp.path());
    let made = Identity::create(&path).unwrap();
    let good: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let private = text(&good, "privateKey").to_owned();
    let mut other = good.clone();
    other["deviceId"] = "0".repeat(64).into();
    let mut short = good.clone();
    short["privateKey"] = "AAAA".into();
    for bad in [other.to_string(), short.to_string(), "{}".to_owned(), String::new(), good.to_string()[..80].to_owned()]
    {
        scratch::write(&path, bad.as_bytes()).unwrap();
        let error = Identity::load(&path).unwrap_err();
        assert!(error.message.contains("is damaged") && !error.message.contains(&private), "{error}");
    }
    assert!(!format!("{made:?}").contains(&private));
}
