/** Style sheet of the page of chunks, after the one that all pages share. */
import { theme } from "../../view/theme.ts"

export const css = `${theme}
h2{margin:2rem 0 .75rem}
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
.outlines{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr));gap:1rem}
.outline{margin:0}.outline svg{display:block;width:100%;height:auto;border:1px solid var(--line)}
.outline figcaption{font-size:.75rem;color:var(--dim);text-align:center}
.sheets{position:absolute}
.leaf{fill:var(--panel)}
.held-by-none{fill:none;stroke:var(--block);stroke-width:3}
.held{fill:hsl(var(--h) 70% 52%/.32);stroke:hsl(var(--h) 60% var(--edge));stroke-width:5}
.outline a:hover .held,.outline a:focus-visible .held{fill:hsl(var(--h) 70% 52%/.65)}
.outline text{font:700 64px system-ui,sans-serif;fill:var(--ink)}
.chunk{content-visibility:auto;contain-intrinsic-size:auto 22rem}
@media (max-width:62rem){.frame{grid-template-columns:minmax(0,1fr)}.index{position:static;max-height:16rem;border-right:0;border-bottom:1px solid var(--line);padding:1rem}.body{padding:1rem}}
@media (max-width:40rem){.chunk{grid-template-columns:minmax(0,1fr)}.side{grid-template-columns:repeat(auto-fill,7rem);margin-top:.6rem}}
@media print{.index,.skip{display:none}.frame{display:block}.body{padding:0}.chunk{content-visibility:visible;break-inside:auto}.head{break-after:avoid}}
`
