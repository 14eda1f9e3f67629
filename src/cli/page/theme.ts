/** Style sheet of the page: light and dark, for screen and paper. */

/** Hues of chunks: neighbours, and chunks a few apart, differ. */
const hues = [212, 28, 152, 282, 184, 340] as const

/** CSS class of a chunk's colour. */
export const hue = (index: number): string => `k${index % hues.length}`

const palette = hues.map((degrees, index) => `.k${index}{--h:${degrees}}`).join("")

export const css = `
:root{color-scheme:light dark;--ground:#fbfbfa;--panel:#fff;--ink:#1c1c20;--dim:#595962;--line:#dcdce0;--link:#1d4ed8;--warn:#8a3b00;--warn-ground:#fff4e0;
--tint:95%;--edge:42%;--block:#b9b9c2;--deep:85%}
@media screen and (prefers-color-scheme:dark){:root{--ground:#141417;--panel:#1c1c21;--ink:#e8e8ec;--dim:#a6a6b2;--line:#35353d;--link:#93b4ff;--warn:#ffc27a;--warn-ground:#33230d;
--tint:15%;--edge:64%;--block:#5b5b66;--deep:28%}}
${palette}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,nav:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:3px}
h1,h2,h3{line-height:1.25;margin:0;overflow-wrap:anywhere}
h1{font-size:1.6rem}h2{font-size:1.15rem;margin:2rem 0 .75rem}h3{font-size:1rem}
bdi{unicode-bidi:isolate}
.skip{position:absolute;left:-99rem;background:var(--panel);padding:.5rem 1rem;z-index:2}
.skip:focus{left:1rem;top:1rem}
.frame{display:grid;grid-template-columns:17rem minmax(0,1fr);max-width:96rem;margin:0 auto}
.body{padding:1.75rem 2rem 4rem;min-width:0}
.index{position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto;padding:1.75rem .5rem 2rem 1.25rem;border-right:1px solid var(--line);font-size:.85rem}
.index h2{margin:0 0 .5rem;font-size:.85rem}
.index ol{list-style:none;margin:0;padding:0}
.index a{display:grid;grid-template-columns:2.1rem minmax(0,1fr) 2.3rem;gap:.3rem;padding:.1rem .35rem;border-left:3px solid hsl(var(--h) 60% var(--edge));color:inherit;text-decoration:none;margin-bottom:1px}
.index a:hover{background:hsl(var(--h) 60% var(--tint))}
.index b{font-weight:500;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.index i{font-style:normal;color:var(--dim);text-align:right;font-variant-numeric:tabular-nums}
.source{color:var(--dim);margin:.25rem 0 0;overflow-wrap:anywhere}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(10.5rem,1fr));gap:.6rem;margin:1.25rem 0 0}
.facts div{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.55rem .8rem;min-width:0}
.facts dt{color:var(--dim);font-size:.8rem}.facts dd{margin:0;font-size:1.05rem;font-weight:600;overflow-wrap:anywhere}
.facts small{display:block;font-weight:400;font-size:.8rem;color:var(--dim)}
.warnings{background:var(--warn-ground);border-left:4px solid var(--warn);border-radius:0 8px 8px 0;padding:.6rem 1rem;margin:1.25rem 0 0}
.warnings h2{margin:0;font-size:1rem;color:var(--warn)}.warnings ul{margin:.25rem 0 0;padding-left:1.2rem;overflow-wrap:anywhere}
.bars{display:block;width:100%;height:7.5rem;background:var(--panel);border:1px solid var(--line);border-radius:8px}
.bars rect{fill:hsl(var(--h) 60% var(--edge))}.bars a:hover rect{opacity:.6}
.bars line{stroke:var(--dim);stroke-dasharray:4 3;vector-effect:non-scaling-stroke}
.note{color:var(--dim);font-size:.85rem;margin:.35rem 0 0}
.pages{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr));gap:1rem}
.page{margin:0}.page svg{display:block;width:100%;height:auto;border:1px solid var(--line)}
.page figcaption{font-size:.75rem;color:var(--dim);text-align:center}
.sheets{position:absolute}
.sheet{fill:var(--panel)}
.block{fill:none;stroke:var(--block);stroke-width:3}
.held{fill:hsl(var(--h) 70% 52%/.32);stroke:hsl(var(--h) 60% var(--edge));stroke-width:5}
.page a:hover .held,.page a:focus-visible .held{fill:hsl(var(--h) 70% 52%/.65)}
.page text{font:700 64px system-ui,sans-serif;fill:var(--ink)}
article{display:grid;grid-template-columns:minmax(0,1fr) 8rem;gap:0 1.25rem;background:var(--panel);border:1px solid var(--line);border-left:6px solid hsl(var(--h) 60% var(--edge));border-radius:4px 8px 8px 4px;margin:0 0 .9rem;padding:.8rem 1rem 1rem;content-visibility:auto;contain-intrinsic-size:auto 22rem}
article.plain{grid-template-columns:minmax(0,1fr)}
article:target{outline:3px solid hsl(var(--h) 60% var(--edge));outline-offset:2px}
.head{grid-column:1/-1;display:flex;flex-wrap:wrap;gap:.15rem .9rem;align-items:baseline;margin-bottom:.5rem}
.head h3 a{color:inherit;text-decoration:none}.head h3 a:hover{text-decoration:underline}
.path{color:var(--dim);overflow-wrap:anywhere;flex:1 1 12rem}
.tokens{display:inline-flex;gap:.45rem;align-items:center;font-variant-numeric:tabular-nums}
.gauge{display:inline-block;width:5rem;height:.5rem;border-radius:.25rem;background:var(--line);overflow:hidden}
.gauge i{display:block;height:100%;background:hsl(var(--h) 60% var(--edge))}
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
details{grid-column:1/-1;margin-top:.5rem;font-size:.85rem}summary{cursor:pointer;color:var(--dim)}
details dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.15rem 1rem;margin:.5rem 0 0}
details dt{color:var(--dim)}details dd{margin:0;overflow-wrap:anywhere}
.notes{color:var(--warn);font-size:.85rem;margin:.4rem 0 0}
@media (max-width:62rem){.frame{grid-template-columns:minmax(0,1fr)}.index{position:static;max-height:16rem;border-right:0;border-bottom:1px solid var(--line);padding:1rem}.body{padding:1rem}}
@media (max-width:40rem){article{grid-template-columns:minmax(0,1fr)}.side{grid-template-columns:repeat(auto-fill,7rem);margin-top:.6rem}}
@media print{.index,.skip{display:none}.frame{display:block}.body{padding:0}article{content-visibility:visible;break-inside:auto}.head{break-after:avoid}body{background:#fff;print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`
