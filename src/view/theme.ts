/** Style sheet of all pages: colours, text, and the small parts that they share. Light and dark, for screen and paper. */
import { chunkColours } from "./chunks/chunkColour.ts"
import { typeColours } from "./pages/blockTypes.ts"

export const theme = `
:root{color-scheme:light dark;--ground:#f7f7f5;--panel:#fff;--ink:#1c1c20;--dim:#5d5d66;--line:#dededf;--link:#1f4fd8;--warn:#8a3b00;--warn-ground:#fff4e0;--bad:#b3261e;--bad-ground:#fdeceb;
--tint:95%;--edge:42%;--block:#b9b9c2;--deep:85%;--hover:#ececea;--shade:0 1px 2px #0000000f,0 4px 14px #0000000d}
@media screen and (prefers-color-scheme:dark){:root{--ground:#131316;--panel:#1b1b20;--ink:#e8e8ec;--dim:#a4a4b0;--line:#33333b;--link:#93b4ff;--warn:#ffc27a;--warn-ground:#33230d;--bad:#ff9d94;--bad-ground:#3a1715;
--tint:15%;--edge:64%;--block:#5b5b66;--deep:28%;--hover:#26262c;--shade:0 1px 2px #0006,0 4px 14px #0004}}
${chunkColours}${typeColours}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:3px}
h1,h2,h3{line-height:1.25;margin:0;overflow-wrap:anywhere}
h1{font-size:1.6rem}h2{font-size:1.15rem}h3{font-size:1rem}
bdi{unicode-bidi:isolate}
.dim{color:var(--dim);font-weight:400}.warn{color:var(--warn)}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(10.5rem,1fr));gap:.6rem;margin:1.25rem 0 0}
.facts div{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.55rem .8rem;min-width:0}
.facts dt{color:var(--dim);font-size:.8rem}.facts dd{margin:0;font-size:1.05rem;font-weight:600;overflow-wrap:anywhere}
.facts small{display:block;font-weight:400;font-size:.8rem;color:var(--dim)}
.warnings{background:var(--warn-ground);border-left:4px solid var(--warn);border-radius:0 8px 8px 0;padding:.6rem 1rem;margin:1.25rem 0 0}
.warnings h2,.warnings h3{margin:0;font-size:1rem;color:var(--warn)}.warnings ul{margin:.25rem 0 0;padding-left:1.2rem;overflow-wrap:anywhere}
.meter{display:inline-block;width:5rem;height:.5rem;border-radius:.25rem;overflow:hidden;vertical-align:middle}
.meter .whole{fill:var(--line)}.meter .part{fill:hsl(var(--h,212) 60% var(--edge))}.meter.over .part{fill:var(--bad)}
.bars{display:block;width:100%;height:6rem;background:var(--panel);border:1px solid var(--line);border-radius:8px;margin-top:1rem}
.bars rect{fill:hsl(var(--h) 60% var(--edge))}.bars a:hover rect{opacity:.6}
.bars line{stroke:var(--dim);stroke-dasharray:4 3;vector-effect:non-scaling-stroke}
.note{color:var(--dim);font-size:.85rem;margin:.35rem 0 0}
.chunk{display:grid;grid-template-columns:minmax(0,1fr) 8rem;gap:0 1.25rem;background:var(--panel);border:1px solid var(--line);border-left:6px solid hsl(var(--h) 60% var(--edge));border-radius:4px 8px 8px 4px;margin:0 0 .9rem;padding:.8rem 1rem 1rem}
.chunk.plain{grid-template-columns:minmax(0,1fr)}
.chunk:target{outline:3px solid hsl(var(--h) 60% var(--edge));outline-offset:2px}
.head{grid-column:1/-1;display:flex;flex-wrap:wrap;gap:.15rem .9rem;align-items:baseline;margin-bottom:.5rem}
.head h3 a{color:inherit;text-decoration:none}.head h3 a:hover{text-decoration:underline}
.path{color:var(--dim);overflow-wrap:anywhere;flex:1 1 12rem}
.tokens{display:inline-flex;gap:.45rem;align-items:center;font-variant-numeric:tabular-nums}
.tokens.over{color:var(--bad)}
.where{color:var(--dim);font-variant-numeric:tabular-nums}
pre{margin:0;font:13px/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono","Noto Sans Mono CJK SC",monospace;white-space:pre-wrap;overflow-wrap:anywhere;tab-size:4;text-align:start;unicode-bidi:plaintext}
pre code{font:inherit;unicode-bidi:inherit}
.text{background:hsl(var(--h) 60% var(--tint));border-radius:4px;padding:.55rem .75rem}
.around{color:var(--dim);padding:.1rem .75rem}
.around span.is,.gap .is{font:600 .75rem/1.5 system-ui,sans-serif;color:var(--dim);display:block}
.overlap{color:inherit;background:repeating-linear-gradient(135deg,hsl(var(--h) 50% var(--deep)) 0 6px,transparent 6px 12px);border-bottom:2px dotted hsl(var(--h) 60% var(--edge))}
.sign{font:600 .8em/1 system-ui,sans-serif;color:var(--warn);background:var(--warn-ground);border-radius:3px;padding:0 .2em;unicode-bidi:isolate}
.gap{border:1px dashed var(--block);border-radius:6px;margin:0 0 .9rem .5rem;padding:.35rem .75rem .45rem}
.gap pre{color:var(--dim)}
.side{display:grid;gap:.6rem;align-content:start}
.chunk details{grid-column:1/-1;margin-top:.5rem;font-size:.85rem}.chunk summary{cursor:pointer;color:var(--dim)}
.chunk details dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.15rem 1rem;margin:.5rem 0 0}
.chunk details dt{color:var(--dim)}.chunk details dd{margin:0;overflow-wrap:anywhere}
.notes{color:var(--warn);font-size:.85rem;margin:.4rem 0 0}
@media print{body{background:#fff;print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`
