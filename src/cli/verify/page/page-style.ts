/** The only style of the page. It has no colour but those of its palettes. */
export const PAGE_STYLE = `
:root {
  color-scheme: light;
  --page: #ffffff; --soft: #f5f6f8; --line: #d5d9df; --text: #1c2430; --quiet: #566072;
  --good: #17663a; --good-soft: #e8f4ec; --bad: #a3261b; --bad-soft: #fcedeb; --link: #1b4f8f;
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.55 system-ui, "Segoe UI", "Liberation Sans", sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
header p { margin: 0; color: var(--quiet); }
h1 { font-size: 1.1rem; font-weight: 600; margin: 0; }
h2 { font-size: 1.35rem; margin: 3rem 0 .5rem; font-weight: 600; letter-spacing: -.01em; }
h3 { font-size: 1rem; margin: 2rem 0 .4rem; font-weight: 600; }
p { margin: .5rem 0; }
.quiet { color: var(--quiet); font-size: .9rem; }
.answer { margin: 1.75rem 0 1rem; padding: 1.4rem 1.5rem; border-radius: .6rem; border-left: .35rem solid; }
.answer p { margin: 0; }
.answer .sentence { font-size: 1.5rem; line-height: 1.3; font-weight: 600; letter-spacing: -.015em; }
.answer .next { margin-top: .5rem; }
.answer a { color: inherit; }
.answer.good { background: var(--good-soft); border-color: var(--good); }
.answer.good .sentence { color: var(--good); }
.answer.bad { background: var(--bad-soft); border-color: var(--bad); }
.answer.bad .sentence { color: var(--bad); }
ol.steps { list-style: none; padding: 0; margin: .75rem 0; counter-reset: step; }
ol.steps li { counter-increment: step; position: relative; padding: .9rem 1rem .9rem 3rem; border: 1px solid var(--line); border-radius: .5rem; margin: .6rem 0; }
ol.steps li::before { content: counter(step); position: absolute; left: 1rem; top: .9rem; font-weight: 600; color: var(--quiet); }
ol.steps .who { font-weight: 600; }
ol.steps p { margin: .1rem 0; }
code { font: .88em/1.5 ui-monospace, "Cascadia Mono", "Liberation Mono", monospace; overflow-wrap: anywhere; }
pre { margin: .5rem 0 0; padding: .55rem .75rem; background: var(--soft); border-radius: .35rem; white-space: pre-wrap; overflow-wrap: anywhere; }
pre span { white-space: nowrap; }
.scroll { overflow-x: auto; margin: .75rem 0; }
.scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; }
caption { text-align: left; color: var(--quiet); font-size: .85rem; padding-bottom: .3rem; }
th, td { text-align: left; padding: .42rem .9rem .42rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { color: var(--quiet); font-weight: 500; font-size: .85rem; }
tbody th { font-weight: 500; overflow-wrap: anywhere; }
tfoot th, tfoot td { font-weight: 600; border-bottom: 0; }
th:last-child, td:last-child { padding-right: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
table.facts th { width: 13rem; color: var(--quiet); font-weight: 400; }
.hash { overflow-wrap: anywhere; }
.sign { display: grid; grid-template-columns: 2fr 1fr 2fr; gap: 2rem; margin-top: 4.5rem; }
.sign div { border-top: 1px solid var(--text); padding-top: .35rem; font-size: .85rem; color: var(--quiet); }
@media (max-width: 40rem) {
  main { padding: 1.5rem 1rem 3rem; }
  .answer .sentence { font-size: 1.25rem; }
  .scroll table.texts { min-width: 38rem; }
  .scroll .number { white-space: normal; }
  table.facts th, table.facts td { display: block; width: auto; padding-right: 0; }
  table.facts th { border-bottom: 0; padding-bottom: 0; }
  .sign { grid-template-columns: 1fr; gap: 3.5rem; }
}
@page { size: A4; margin: 16mm 15mm; }
@media print {
  :root { --text: #000000; --good-soft: #ffffff; --bad-soft: #ffffff; font-size: 11px; }
  body { font-size: 9pt; line-height: 1.35; }
  main { max-width: none; padding: 0; }
  .answer { border: 1px solid; border-left-width: .35rem; }
  h2, h3 { break-after: avoid; }
  h2 { margin-top: 1.2rem; }
  h3 { margin-top: 1rem; }
  th, td { padding-top: .2rem; padding-bottom: .2rem; }
  .answer { margin: .8rem 0; padding: .7rem 1rem; }
  ol.steps li { break-inside: avoid; }
  thead { display: table-header-group; }
  tfoot { display: table-row-group; }
  tr { break-inside: avoid; }
  .scroll { overflow: visible; }
  .sign { grid-template-columns: 2fr 1fr 2fr; gap: 2rem; margin-top: 3rem; }
}
`;
