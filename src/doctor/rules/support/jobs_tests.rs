use super::super::job_state::split_state;
use super::*;

fn one(job: Value, webhook: Option<&str>) -> (Value, Vec<&'static str>, Vec<String>) {
    let mut root = json!({ "version": 1, "jobs": [job] });
    let shapes = normalise(&mut root, webhook).unwrap();
    let found = shapes.issues.into_keys().chain(shapes.left.into_keys()).collect();
    (root["jobs"][0].clone(), found, shapes.manual)
}

#[test]
fn a_job_of_the_first_gateways() {
    let (job, issues, manual) = one(
        json!({
            "jobId": "j1", "name": " Morning ", "schedule": "0 8 * * *", "message": "say hi",
            "model": "openai-codex/gpt-5.5", "deliver": true, "channel": "Telegram", "to": "123", "x": 1.50
        }),
        None,
    );
    let wanted = json!({
        "id": "j1", "name": "Morning", "schedule": { "kind": "cron", "expr": "0 8 * * *" }, "x": 1.5,
        "enabled": true, "wakeMode": "now", "state": {},
        "payload": { "kind": "agentTurn", "message": "say hi", "model": "openai/gpt-5.5" },
        "sessionTarget": "isolated", "delivery": { "mode": "announce", "channel": "telegram", "to": "123" }
    });
    assert_eq!(job, wanted);
    assert_eq!(issues.len(), 5, "{issues:?}");
    assert!(manual.is_empty());
}

#[test]
fn schedules_of_every_kind() {
    for (schedule, wanted) in [
        (json!({ "atMs": 1_800_000_000_000_u64 }), json!({ "kind": "at", "at": "2027-01-15T08:00:00.000Z" })),
        (json!({ "at": "2027-01-15" }), json!({ "kind": "at", "at": "2027-01-15T00:00:00.000Z" })),
        (json!({ "at": "2027-01-15T08:00:00" }), json!({ "kind": "at", "at": "2027-01-15T08:00:00.000Z" })),
        (json!({ "kind": "every", "everyMs": "60000.7" }), json!({ "kind": "every", "everyMs": 60000, "anchorMs": 7 })),
        (
            json!({ "kind": "cron", "cron": "0 * * * *" }),
            json!({ "kind": "cron", "expr": "0 * * * *", "staggerMs": 300_000 }),
        ),
        (
            json!({ "kind": "cron", "expr": "5 * * * *", "staggerMs": 2.9 }),
            json!({ "kind": "cron", "expr": "5 * * * *", "staggerMs": 2 }),
        ),
    ] {
        let (job, ..) = one(json!({ "id": "a", "schedule": schedule, "createdAtMs": 7 }), None);
        assert_eq!(job["schedule"], wanted);
    }
}

#[test]
fn a_notify_goes_where_the_webhook_is_or_to_a_person() {
    let job = |delivery: Value| json!({ "id": "a", "name": "n", "notify": true, "text": "t", "delivery": delivery });
    let (moved, ..) = one(job(json!({ "mode": "none" })), Some("http://h"));
    assert_eq!((&moved["delivery"], moved.get("notify")), (&json!({ "mode": "webhook", "to": "http://h" }), None));
    let (kept, issues, manual) = one(job(json!({ "mode": "announce" })), Some("http://h"));
    assert_eq!((kept["notify"].clone(), manual.len()), (json!(true), 1));
    assert!(issues.contains(&"uses the webhook fallback `notify: true`"));
    assert_eq!(one(job(json!({ "mode": "none" })), None).2.len(), 1);
}

#[test]
fn a_second_pass_finds_nothing() {
    let mut root = json!({ "jobs": [
        { "jobId": 7, "schedule": "0 * * * *", "message": "m", "deliver": false },
        { "text": "t", "schedule": { "at": "2027-01-01" } },
        { "id": "d", "description": DREAM_MARK, "payload": { "kind": "systemEvent", "text": "t" } },
    ] });
    normalise(&mut root, None).unwrap();
    let state = split_state(&mut root, None, &mut Vec::new());
    let (once, states) = (root.clone(), state.clone());
    let shapes = normalise(&mut root, None).unwrap();
    assert!(shapes.issues.is_empty(), "{shapes:?}");
    assert_eq!(split_state(&mut root, Some(&state), &mut Vec::new()), states);
    assert_eq!(root, once);
}

#[test]
fn what_only_a_person_can_decide_stays() {
    for odd in [json!("false"), json!(0), json!(null)] {
        let (job, found, manual) = one(json!({ "jobId": "a", "enabled": odd, "text": "t" }), None);
        assert_eq!((&job["enabled"], manual.len()), (&odd, 1), "{job}");
        assert!(found.contains(&"has an `enabled` that is neither true nor false"), "{found:?}");
    }
    let (job, _, manual) = one(
        json!({
            "jobId": "a", "timeout": 30, "isolation": { "postToMain": true }, "message": "other",
            "payload": { "kind": "agentTurn", "message": "said" }
        }),
        None,
    );
    assert_eq!((&job["timeout"], &job["message"]), (&json!(30), &json!("other")));
    assert_eq!(job["isolation"], json!({ "postToMain": true }));
    assert_eq!(manual.len(), 3, "{manual:?}");
}

#[test]
fn jobs_of_one_id_lose_no_state() {
    let job = |n: u64| json!({ "id": "a", "text": "t", "state": { "n": n }, "updatedAtMs": n });
    let mut root = json!({ "jobs": [job(1), job(2)] });
    let shapes = normalise(&mut root, None).unwrap();
    assert_eq!(shapes.left.get("shares its `id` with another"), Some(&2));
    let state = split_state(&mut root, None, &mut Vec::new());
    assert_eq!(state["jobs"]["a"]["state"], json!({ "n": 1 }));
    assert_eq!((&root["jobs"][0]["state"], &root["jobs"][1]["state"]), (&json!({}), &json!({ "n": 2 })));
    assert_eq!(root["jobs"][1]["updatedAtMs"], json!(2));
}

#[test]
fn a_schedule_gets_its_kind() {
    for (schedule, kind) in [
        (json!({ "cron": "5 8 * * *" }), "cron"),
        (json!({ "expr": "5 8 * * *" }), "cron"),
        (json!({ "everyMs": 5 }), "every"),
    ] {
        let (job, found, _) = one(json!({ "id": "a", "text": "t", "schedule": schedule }), None);
        assert_eq!(job["schedule"]["kind"], json!(kind), "{job}");
        assert!(found.iter().any(|what| what.contains("schedule")), "{found:?}");
    }
}

#[test]
fn a_state_that_is_kept_already_wins() {
    let mut root = json!({ "jobs": [{ "id": "a", "state": { "old": 1 }, "updatedAtMs": 5, "enabled": true }] });
    let state = json!({ "version": 1, "jobs": { "a": { "state": { "new": 2 } }, "b": { "state": {} } }, "x": 1 });
    let out = split_state(&mut root, Some(&state), &mut Vec::new());
    assert_eq!(out["jobs"]["a"]["state"], json!({ "new": 2 }));
    assert_eq!(out["jobs"]["a"]["updatedAtMs"], json!(5));
    assert_eq!((&out["x"], out["jobs"].get("b").is_some()), (&json!(1), true));
    assert_eq!(root["jobs"][0], json!({ "id": "a", "state": {}, "enabled": true }));
}

#[test]
fn what_is_no_store_is_none() {
    for mut root in [json!([]), json!({}), json!({ "jobs": {} }), json!(null)] {
        assert_eq!(normalise(&mut root, None), None);
    }
}

/// The job as it was, but for what every pass adds.
fn keeps(job: &Value, wanted: &[(&str, Value)]) {
    for (pointer, value) in wanted {
        assert_eq!(job.pointer(pointer), Some(value), "{pointer} of {job:#}");
    }
}

#[test]
fn fields_of_an_agent_turn_stay_in_a_job_that_is_none() {
    for payload in [json!({ "text": "Stand up" }), json!({ "command": "x" }), json!({ "payload": null })] {
        let mut job = json!({
            "jobId": "a", "name": "rem", "schedule": "0 8 * * *", "deliver": true, "channel": "telegram", "to": "42",
            "timeoutSeconds": 30
        });
        job.as_object_mut().unwrap().extend(payload.as_object().unwrap().clone());
        let (job, found, manual) = one(job, None);
        let stays = [
            ("/deliver", json!(true)),
            ("/channel", json!("telegram")),
            ("/to", json!("42")),
            ("/timeoutSeconds", json!(30)),
        ];
        keeps(&job, &stays);
        assert!(!found.contains(&"uses top-level delivery fields"), "{found:?}");
        assert!(manual.iter().any(|line| line.contains("`to`") && line.contains("`timeoutSeconds`")), "{manual:?}");
    }
}

#[test]
fn what_is_said_in_two_ways_stays_in_both() {
    let (job, found, manual) = one(
        json!({
            "id": "b", "jobId": "c", "name": "b", "wakeMode": "now", "sessionTarget": "isolated",
            "schedule": { "kind": "cron", "expr": "0 8 * * *", "cron": "0 20 * * *" },
            "payload": { "kind": "agentTurn", "message": "m", "channel": "slack", "provider": "telegram", "to": "1" }
        }),
        None,
    );
    let stays = [
        ("/id", json!("b")),
        ("/jobId", json!("c")),
        ("/schedule/expr", json!("0 8 * * *")),
        ("/schedule/cron", json!("0 20 * * *")),
        ("/payload/channel", json!("slack")),
        ("/payload/provider", json!("telegram")),
        ("/payload/to", json!("1")),
    ];
    keeps(&job, &stays);
    assert_eq!((job.get("delivery"), manual.len()), (None, 3), "{manual:?}");
    assert!(!found.iter().any(|what| what.starts_with("uses")), "{found:?}");
}

#[test]
fn delivery_that_contradicts_itself_is_left_alone() {
    let turn = |more: Value| {
        let mut job = json!({ "id": "a", "name": "n", "payload": { "kind": "agentTurn", "message": "m" } });
        job.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        job
    };
    let payload = |field: &str, value: Value| json!({ "kind": "agentTurn", "message": "m", field: value });
    for odd in [
        json!({ "channel": "telegram", "delivery": { "mode": "announce", "channel": "slack" } }),
        json!({ "to": "1", "payload": payload("to", json!("2")) }),
        json!({ "provider": 5 }),
        json!({ "deliver": "false" }),
        json!({ "deliver": true, "delivery": { "mode": "none" } }),
        json!({ "deliver": true, "payload": payload("deliver", json!(false)) }),
        json!({ "payload": payload("deliver", json!(false)), "delivery": { "mode": "webhook", "to": "http://h" } }),
        json!({ "to": "1", "delivery": "none" }),
    ] {
        let before = turn(odd);
        let mut root = json!({ "jobs": [before.clone()] });
        normalise(&mut root, Some("http://hook")).unwrap();
        let after = root["jobs"][0].clone();
        for (field, value) in before.as_object().unwrap() {
            assert_eq!(&after[field], value, "{field} of {before}");
        }
        let again = normalise(&mut root, Some("http://hook")).unwrap();
        assert!(again.issues.is_empty() && again.manual.len() == 1, "{before}: {again:?}");
        assert_eq!(root["jobs"][0], after);
    }
    // What both say alike is one thing.
    let (job, _, manual) = one(
        turn(
            json!({ "channel": "Slack", "model": "m", "payload": { "kind": "agentTurn", "message": "m", "provider": "slack", "model": "m" } }),
        ),
        None,
    );
    assert_eq!((&job["delivery"]["channel"], job.get("model"), manual.len()), (&json!("slack"), None, 0), "{job}");
}

#[test]
fn a_value_that_goes_is_named() {
    let mut root = json!({ "jobs": [{
        "jobId": "a", "name": "n", "text": "t", "description": 5, "state": "x", "sessionTarget": "elsewhere",
        "wakeMode": "later", "schedule": { "kind": "at", "at": "2027-01-15", "staggerMs": 5 }
    }] });
    let shapes = normalise(&mut root, None).unwrap();
    for gone in [
        "`description: 5`",
        "`state: \"x\"`",
        "`sessionTarget: \"elsewhere\"`",
        "`wakeMode: \"later\"`",
        "staggerMs: 5",
    ] {
        assert!(shapes.dropped.iter().any(|line| line.contains(gone)), "{gone} of {:?}", shapes.dropped);
    }
    assert_eq!(shapes.dropped.len(), 5, "{:?}", shapes.dropped);
}
