//! The look of the page. Everything is in it: no script, no font, no request.

/// The style sheet.
pub const CSS: &str = r#"
:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--text:#1c2330;--muted:#5c6675;--line:#dfe3ea;--user:#e7f0ff;
--user-line:#b9d0f7;--accent:#2457c5;--code:#f0f2f6;--bad:#b3261e;--bad-bg:#fdecea;--warn:#8a5a00;--warn-bg:#fff5e0}
@media (prefers-color-scheme:dark){:root{--bg:#12151b;--card:#1a1f28;--text:#e4e8ef;--muted:#98a3b3;--line:#2b3240;
--user:#1b2a45;--user-line:#2e4a7d;--accent:#8ab4ff;--code:#10141b;--bad:#ff9a92;--bad-bg:#3a1d1c;--warn:#f2c572;--warn-bg:#33280f}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main,header,footer{max-width:54rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2.5rem}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 1rem;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem;margin:0 0 1rem;font-size:.9rem}
dt{color:var(--muted)}dd{margin:0;overflow-wrap:anywhere}
.notice{background:var(--warn-bg);color:var(--warn);border-radius:.5rem;padding:.5rem .8rem;margin:.5rem 0;font-size:.9rem}
article{background:var(--card);border:1px solid var(--line);border-radius:.7rem;padding:.8rem 1rem;margin:1rem 0}
article.user{background:var(--user);border-color:var(--user-line);margin-left:clamp(0rem,6vw,4rem)}
article.failed,details.failed{border-color:var(--bad)}
.head{display:flex;flex-wrap:wrap;gap:.15rem .7rem;align-items:baseline;font-size:.85rem;color:var(--muted);margin-bottom:.35rem}
.head b{color:var(--text);font-size:.95rem}
.head a{color:inherit;text-decoration:none;margin-left:auto;white-space:nowrap}
.head a:hover,.head a:focus-visible{color:var(--accent);text-decoration:underline}
.badge{border-radius:1rem;padding:0 .55rem;background:var(--code)}
.badge.bad{background:var(--bad-bg);color:var(--bad)}
.text{white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext}
.text+.text,.text+details,details+.text,details+details{margin-top:.5rem}
.text strong.h{display:inline-block;font-size:1.05em;margin-top:.3em}
code,pre{font:.86em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
code{background:var(--code);border-radius:.3rem;padding:.08em .3em;overflow-wrap:anywhere}
pre{background:var(--code);border:1px solid var(--line);border-radius:.5rem;padding:.6rem .8rem;margin:.5rem 0;overflow-x:auto;
white-space:pre-wrap;overflow-wrap:anywhere;max-height:32rem;overflow-y:auto;unicode-bidi:plaintext}
pre code{background:none;padding:0;font-size:1em}
details{border:1px solid var(--line);border-radius:.5rem;background:var(--card);padding:0 .8rem}
main>details{margin:.6rem 0 .6rem 1.2rem}
summary{cursor:pointer;padding:.4rem 0;font-size:.9rem;color:var(--muted);overflow-wrap:anywhere}
summary b{color:var(--text);font-weight:600}
summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:.3rem}
.thinking .text{color:var(--muted);font-size:.93rem}
details>.text,details>.head{padding-bottom:.6rem}
img{display:block;max-width:100%;height:auto;border-radius:.5rem;border:1px solid var(--line);margin:.5rem 0}
.image{color:var(--muted);border:1px dashed var(--line);border-radius:.5rem;padding:.4rem .7rem;margin:.5rem 0;font-size:.9rem}
.error{color:var(--bad);background:var(--bad-bg);border-radius:.5rem;padding:.4rem .7rem;margin-top:.5rem;overflow-wrap:anywhere;
white-space:pre-wrap}
.remark{color:var(--muted);font-size:.85rem;text-align:center;margin:.7rem 0;overflow-wrap:anywhere}
.divider{border:0;border-top:2px dashed var(--line);background:none;border-radius:0;margin:1.6rem 0;padding:.2rem 0}
.branch{border-left:4px solid var(--warn);margin:1rem 0 1rem .6rem}
.branch>summary{color:var(--warn)}
footer{color:var(--muted);font-size:.8rem;padding:1.5rem 1.25rem 3rem}
@media print{body{background:#fff}article,details{break-inside:avoid}pre{max-height:none}}
"#;
