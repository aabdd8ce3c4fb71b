// The style sheet of the page: screen, narrow screen and paper.
#pragma once

namespace daelab {

// Verdict colours are tints of the Okabe-Ito palette; signs carry the same meaning in black and
// white.
inline constexpr const char* page_style = R"css(
:root { --ink: #1a1a1a; --soft: #5a5a5a; --line: #c9c9c9; --pale: #f5f5f3; --link: #005a8c; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1.25rem 4rem; color: var(--ink);
  background: #fff; font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.35rem; line-height: 1.25; margin: 3rem 0 .75rem; padding-top: .75rem;
  border-top: 2px solid var(--ink); }
h3 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
a { color: var(--link); }
a:focus-visible { outline: 3px solid #E69F00; outline-offset: 2px; }
p, ul { max-width: 46rem; }
nav ul { margin: 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
code, pre { font: .875em/1.45 ui-monospace, "SF Mono", Consolas, "DejaVu Sans Mono", monospace; }
pre { background: var(--pale); border: 1px solid var(--line); padding: .5rem .75rem; margin: .5rem 0;
  white-space: pre-wrap; overflow-wrap: anywhere; }
.kind { color: var(--soft); margin: -.5rem 0 .5rem; }
.scroll { overflow-x: auto; margin: 1rem 0 .25rem; }
table { border-collapse: collapse; font-size: .875rem; line-height: 1.4;
  border-top: 1.5px solid var(--ink); border-bottom: 1.5px solid var(--ink); }
caption { text-align: left; padding: 0 0 .4rem; font-size: .9rem; max-width: 46rem; }
th, td { padding: .28rem .7rem; text-align: left; vertical-align: top; }
thead th { border-bottom: 1px solid var(--ink); font-weight: 600; vertical-align: bottom; }
tbody tr + tr { border-top: 1px solid #e7e7e4; }
tbody th { font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.value { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.whole, .claims thead th { white-space: nowrap; }
.claims .place { min-width: 11rem; }
.claims .verdict { min-width: 10rem; }
.claims .reason { min-width: 14rem; color: var(--soft); }
.grid td { border-left: 1px solid #e7e7e4; min-width: 8.5rem; }
.grid dl { margin: 0; display: grid; grid-template-columns: auto 1fr; column-gap: .5rem; }
.grid dt { color: var(--soft); font-size: .78rem; }
.grid dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
.sign { font-weight: 700; }
.surprise { font-weight: 700; color: #8a2a00; }
.counts { display: flex; flex-wrap: wrap; gap: .5rem; padding: 0; margin: 1rem 0; list-style: none;
  max-width: none; }
.counts li { border: 1px solid var(--line); padding: .3rem .7rem; }
.counts b { font-size: 1.15rem; margin: 0 .15rem; }
.all { background: #e0f2ec; } .some { background: #e6f3fb; } .order { background: #fdf3dc; }
.differs { background: #fbe6db; } .not { background: #eeeeee; } .unknown { background: #f7e9f1; }
figure { margin: 1.5rem 0; max-width: 36rem; }
figure img { width: 100%; height: auto; display: block; }
figcaption { font-size: .9rem; margin-top: .4rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr));
  gap: 0 2.5rem; align-items: start; }
.files { font-size: .8rem; margin: .15rem 0 1rem; }
@media (max-width: 40rem) { body { padding: 1rem .75rem 3rem; font-size: 15px; }
  th, td { padding: .25rem .45rem; } }
@media print {
  @page { margin: 15mm; }
  body { max-width: none; padding: 0; font-size: 9.5pt; }
  nav, .files { display: none; }
  a { color: inherit; text-decoration: none; }
  h2, h3, caption { break-after: avoid; }
  figure, tr, pre { break-inside: avoid; }
  .scroll { overflow: visible; }
  table { font-size: 7.5pt; } th, td { padding: 1.5pt 4pt; }
  .claims .place, .claims .verdict, .claims .reason, .grid td { min-width: 0; }
  .figures { display: block; } figure { width: 85mm; max-width: 85mm; }
  td, li { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";

}  // namespace daelab
