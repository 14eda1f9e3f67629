/** Style sheet of a report: light and dark, for screen and paper. */
export const css = `
:root{color-scheme:light dark;--ground:#fbfbfa;--panel:#fff;--ink:#1c1c20;--dim:#595962;--line:#dcdce0;--link:#1d4ed8;--good:#14663a;--good-bar:#3f9d68;--warn:#8a3b00;--warn-ground:#fff4e0;--bad:#a11320;--bad-bar:#cf3b49;--calm-bar:#b9b9c2;--bar:#3b74d1}
@media screen and (prefers-color-scheme:dark){:root{--ground:#141417;--panel:#1c1c21;--ink:#e8e8ec;--dim:#a6a6b2;--line:#35353d;--link:#93b4ff;--good:#7fd3a2;--good-bar:#3f9d68;--warn:#ffc27a;--warn-ground:#33230d;--bad:#ff9aa2;--bad-bar:#d9525e;--calm-bar:#5b5b66;--bar:#6c9bea}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{max-width:76rem;margin:0 auto;padding:1.75rem 2rem 4rem}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,.wide:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:3px}
h1,h2,h3{line-height:1.25;margin:0;overflow-wrap:anywhere}
h1{font-size:1.6rem}h2{font-size:1.25rem;margin:2.25rem 0 .5rem}h3{font-size:1rem;margin:1.75rem 0 .5rem}
p{margin:.25rem 0}
.dim,small{color:var(--dim)}small{font-size:.85rem}
.verdict{font-weight:600}.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(8rem,1fr));gap:.6rem;margin:1rem 0 0}
.facts div{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.5rem .8rem;min-width:0}
.facts dt{color:var(--dim);font-size:.8rem}.facts dd{margin:0;font-size:1.05rem;font-weight:600;overflow-wrap:anywhere}
.facts small{display:block;font-weight:400;font-size:.8rem}
.wide{overflow-x:auto;background:var(--panel);border:1px solid var(--line);border-radius:8px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:.35rem .75rem;border-bottom:1px solid var(--line)}
tbody tr:last-child>*{border-bottom:0}
thead>tr>*{font-size:.8rem;color:var(--dim);font-weight:600;white-space:nowrap}
tbody th{font-weight:500}
.number{text-align:right;white-space:nowrap}
.name{overflow-wrap:anywhere;min-width:12rem}
.time,.result{white-space:nowrap}
.message{overflow-wrap:anywhere;min-width:14rem}
.share{min-width:7rem;width:18%}
.share svg{display:block;width:100%;height:.75rem;margin-top:.35rem}
.sizes{max-width:44rem}.sizes .share{width:60%}.sizes th{white-space:nowrap}
.dense{font-size:.9rem}.dense th,.dense td{padding:.35rem}.dense .name{min-width:6rem}.dense .share{min-width:3rem;width:12%}
.bar{fill:var(--bar)}.stored{fill:var(--good-bar)}.same{fill:var(--calm-bar)}.failed{fill:var(--bad-bar)}
.key{display:inline-block;width:.75rem;height:.75rem;border-radius:2px;margin:0 .3rem 0 .9rem;vertical-align:-.05rem}
.key rect{width:100%;height:100%}
.figures{display:flex;flex-wrap:wrap;gap:1rem;margin-top:.75rem}figure{margin:0;width:22rem;max-width:100%}figcaption{color:var(--dim);font-size:.85rem}
.curves{display:block;width:100%;background:var(--panel);border:1px solid var(--line);border-radius:8px}.curves text{font-size:10px;fill:var(--dim)}.grid{stroke:var(--line)}
polyline{fill:none;stroke:var(--own);stroke-width:2}circle{fill:var(--own)}.key[class*=line] rect{fill:var(--own)}.line0{--own:#3b74d1}.line1{--own:#c2571a}.line2{--own:#2f8f5b}.line3{--own:#a8388f}.line4{--own:#8a6d00}.line5{--own:#0e8a96}.line6{--own:#cf3b49}.line7{--own:#6b5bd2}
.notice{background:var(--warn-ground);border-left:4px solid var(--warn);border-radius:0 8px 8px 0;padding:.6rem 1rem;margin:1rem 0 0;overflow-wrap:anywhere}
.failure{border-left:4px solid var(--bad-bar);padding-left:1rem;margin-top:1.25rem}
.failure h4{margin:0;font-size:1rem;overflow-wrap:anywhere}
.failure p{margin:.1rem 0 .5rem}
.look{white-space:nowrap}.look details{display:inline-block}.look details[open]{display:block;width:16rem;white-space:normal}.look summary{white-space:nowrap}
.look>*+*{margin-left:.6rem}
summary{cursor:pointer;color:var(--link)}
code{font:.85em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere}
bdi{unicode-bidi:isolate}
.sign{font:600 .8em/1 system-ui,sans-serif;color:var(--warn);background:var(--warn-ground);border-radius:3px;padding:0 .2em;unicode-bidi:isolate}
@media (max-width:40rem){main{padding:1rem}.facts{grid-template-columns:repeat(auto-fill,minmax(7.5rem,1fr))}th,td{padding:.3rem .5rem}}
@media print{html{font-size:11px}body{background:#fff;font-size:11px;print-color-adjust:exact;-webkit-print-color-adjust:exact}main{max-width:none;padding:0}.wide{overflow:visible;border:0}tr{break-inside:avoid}h2,h3,h4{break-after:avoid}.facts{grid-template-columns:repeat(8,1fr)}.facts div{padding:.25rem .4rem}th,td{padding:.15rem .35rem}.name,.message{min-width:0}thead{display:table-header-group}.look{display:none}}
`
