/// The style sheet of the page in coverage_html.cpp.
#pragma once

#include <string_view>

namespace hsm::detail {

inline constexpr std::string_view coverage_style = R"(
:root { color-scheme: light dark; --paper: #f7f7f5; --card: #fff; --ink: #1d2126; --soft: #6a7280; --line: #e2e3e0;
  --good: #1a7f4b; --good-paper: #e2f4ea; --bad: #b3261e; --bad-paper: #fde8e6; --part: #9a6700; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --card: #1c2024; --ink: #e4e7ea; --soft: #98a1ac; --line: #30363d;
  --good: #5cc98d; --good-paper: #173526; --bad: #ff8a80; --bad-paper: #45201e; --part: #e0b04c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2.25rem 0 .6rem; }
code, .name, .text { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .87em; overflow-wrap: anywhere; }
.soft, .place { color: var(--soft); font-size: .87em; }
.place { margin-left: auto; padding-left: 1rem; text-align: right; overflow-wrap: anywhere; max-width: 45%; flex-shrink: 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem; margin: 1.5rem 0 0; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; }
.tile b { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
.bar { height: .4rem; border-radius: .2rem; background: var(--bad-paper); margin-top: .5rem; overflow: hidden; }
.bar i { display: block; height: 100%; background: var(--good); }
.tree, .list { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .35rem .75rem; }
.inside { margin-left: .55rem; padding-left: 1rem; border-left: 1px solid var(--line); }
.row, summary { display: flex; align-items: baseline; gap: .6rem; padding: .2rem .3rem; border-radius: .3rem; }
summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: "\25b8"; width: .8rem; margin-left: -.2rem; color: var(--soft); flex: none; align-self: center; text-align: center; }
details[open] > summary::before { transform: rotate(90deg); }
.leaf { padding-left: 1.5rem; }
.name { font-weight: 600; }
.kind { color: var(--soft); font-size: .8em; white-space: nowrap; }
.count { font-variant-numeric: tabular-nums; font-size: .8em; border-radius: .7rem; padding: 0 .55rem; background: var(--good-paper);
  color: var(--good); white-space: nowrap; flex: none; min-width: 2.2rem; text-align: center; }
.never { background: var(--bad-paper); color: var(--bad); font-weight: 600; }
.row.missing > .text, .row.missing > .name, summary.missing > .name { color: var(--bad); }
.guards { display: flex; flex-wrap: wrap; gap: .35rem; padding: 0 0 .35rem 3.7rem; }
.guard { border: 1px solid var(--line); border-radius: .3rem; padding: 0 .15rem 0 .45rem; display: inline-flex; gap: .35rem; align-items: baseline; }
.guard.missing { border-color: var(--bad); }
.all > summary { padding: .4rem .3rem; }
table { border-collapse: collapse; width: 100%; }
td { padding: .2rem .6rem .2rem .3rem; vertical-align: top; border-top: 1px solid var(--line); }
tr:first-child td { border-top: 0; }
.whose { width: 32%; }
@media (max-width: 40rem) { .place { display: none; } .guards { padding-left: 1rem; } }
)";

} // namespace hsm::detail
