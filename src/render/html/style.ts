// The one style sheet: calm, readable on a phone at night, in both colour schemes, and on two sheets of paper.

export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #fafaf8; --card: #ffffff; --ink: #1d2530; --faint: #56606e; --line: #dddfe3;
  --code: #f0f1f3; --bad: #b3231b; --good: #17693a; --doubt: #805200; --calm: #7d8da6; --mark: #ffe9a8; --link: #1a56b0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12151b; --card: #191d25; --ink: #e4e8ee; --faint: #a0aaba; --line: #2f3642;
    --code: #232934; --bad: #ff8f85; --good: #7ed3a0; --doubt: #ecbf62; --calm: #6c7d98; --mark: #5a4710; --link: #8ab8ff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.25rem 1rem 3rem; max-width: 46rem; background: var(--page); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: anywhere;
}
header { border-left: .3rem solid var(--calm); padding-left: 1rem; margin-bottom: 1.75rem; }
header.bad, header.good, header.doubtful { color: inherit; }
header.bad { border-color: var(--bad); } header.good { border-color: var(--good); } header.doubtful { border-color: var(--doubt); }
h1 { font-size: 1.55rem; line-height: 1.25; margin: 0 0 .6rem; }
h1 .status { display: block; font-size: .9rem; letter-spacing: .06em; margin-bottom: .15rem; }
h1 .aside { display: block; font-size: .9rem; font-weight: 400; margin-top: .25rem; }
h2 { font-size: 1.1rem; margin: 0 0 .6rem; }
p { margin: 0 0 .6rem; } header p:last-child { margin: 0; }
section, details { margin-bottom: 1.75rem; }
ol, ul { margin: 0; padding: 0; list-style: none; }
li { display: flex; gap: .7rem; margin-bottom: .8rem; }
li > .body { flex: 1; min-width: 0; } li .body > :last-child { margin-bottom: 0; }
.number { flex: none; min-width: 1.5rem; height: 1.5rem; border-radius: .75rem; font-size: .85rem; line-height: 1.5rem; text-align: center; background: var(--code); }
.outcome { flex: none; width: 4.2rem; }
pre { margin: .35rem 0 .6rem; padding: .55rem .75rem; border-radius: .4rem; background: var(--code); white-space: pre-wrap; overflow-wrap: anywhere; }
pre, code { font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code span { display: inline-block; max-width: 100%; }
.prompt { color: var(--faint); user-select: none; }
mark { background: var(--mark); color: inherit; border-radius: .15rem; }
.bad { color: var(--bad); } .good { color: var(--good); } .doubtful { color: var(--doubt); } .faint { color: var(--faint); }
.faint { font-size: .9rem; }
a { color: var(--link); }
details { border-top: 1px solid var(--line); margin: 0; padding: .6rem 0; }
summary { cursor: pointer; font-weight: 600; padding: .2rem 0; } details[open] > summary { margin-bottom: .6rem; }
details.beside { border: 0; padding: 0; } details.beside > summary { font-weight: 400; font-size: .9rem; color: var(--faint); }
details.beside pre { color: var(--faint); } details.beside b { color: var(--ink); font-weight: 400; }
details.beside span { display: block; padding-left: 1.5em; text-indent: -1.5em; }
summary .count { font-weight: 400; color: var(--faint); }
.rest { margin-top: .75rem; border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
.picture { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin-bottom: .6rem; }
svg { display: block; width: 100%; overflow: visible; }
svg.share { margin-top: -.35rem; }
svg text { fill: var(--ink); font-size: 13px; } svg .soft { fill: var(--faint); font-size: 12px; } svg .alarm { fill: var(--bad); font-weight: 600; }
svg .step { fill: var(--calm); stroke: var(--calm); stroke-width: 2; }
svg .open { fill: none; stroke: var(--calm); stroke-width: 2; }
svg .broken { fill: var(--bad); stroke: var(--bad); stroke-width: 2; } svg .hatch { stroke: var(--card); stroke-width: 2.5; }
svg .usual { fill: none; stroke: var(--ink); stroke-width: 1.25; stroke-dasharray: 3 3; }
svg .axis { stroke: var(--line); } svg .event { stroke: var(--faint); stroke-dasharray: 1 3; } svg .knob { fill: var(--ink); }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th { text-align: left; font-weight: 600; } th, td { padding: .3rem .6rem .3rem 0; vertical-align: top; border-top: 1px solid var(--line); }
td.status { white-space: nowrap; }
footer { color: var(--faint); font-size: .85rem; }
@media (min-width: 64rem) {
  body.wide { max-width: 72rem; padding-top: 2.5rem; }
  .columns { display: grid; grid-template-columns: minmax(0, 1fr) 25rem; gap: 0 2.5rem; align-items: start; }
}
@media (max-width: 40rem) {
  table.cards thead { display: none; } table.cards tr { display: block; padding: .5rem 0; border-top: 1px solid var(--line); }
  table.cards td { display: block; border: 0; padding: 0; text-align: left; }
}
@media print {
  :root { --page: #fff; --card: #fff; --ink: #000; --faint: #444; --line: #bbb; --code: #f2f2f2; --bad: #a00; --good: #060; --doubt: #640; --calm: #888; --mark: #eee; --link: #000; }
  @page { margin: 12mm; }
  html { font-size: 8.5pt; }
  body, body.wide { max-width: none; padding: 0; }
  .columns { display: grid; grid-template-columns: minmax(0, 1fr) 20rem; gap: 0 2rem; align-items: start; }
  li, pre, .picture { break-inside: avoid; } header, section { margin-bottom: .9rem; } li { margin-bottom: .4rem; }
  svg text { font-size: 9px; } svg .soft { font-size: 8.5px; }
  body { print-color-adjust: exact; }
}
`;
