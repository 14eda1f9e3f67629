// usage: .eval.ts real|gen  [libs]
import { readFileSync, readdirSync, statSync, existsSync } from "node:fs"
import { createRequire } from "node:module"
import * as Parse5 from "parse5"
import { fromParse5 } from "hast-util-from-parse5"
import { selectAll } from "hast-util-select"
import * as Tree from "./src/engine/html/Tree.ts"
import * as PageParser from "./src/engine/html/PageParser.ts"
const require = createRequire("/tmp/web/peers/package.json")
const { Readability } = require("@mozilla/readability")
const { parseHTML } = require("linkedom")
const args = process.argv.slice(2)
const per = Number(process.env.PER ?? 8)
const blocks = new Set("address article aside blockquote br dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table td th tr ul option button select caption details".split(" "))
const skip = new Set("script style template noscript head svg".split(" "))
const textOf = (root, no = new Set()) => { const out=[]; const w=(n)=>{ for(const c of n.children) if(c.type==="text") out.push(c.value); else if(c.type==="element"&&!skip.has(c.tagName)&&!no.has(c)){ const b=blocks.has(c.tagName); if(b)out.push("\n"); w(c); if(b)out.push("\n") } }; w(root); return out.join("") }
const parse=(s)=>fromParse5(Parse5.parse(s,{scriptingEnabled:false}))
const words=(t)=>{const m=new Map(); let n=0; for(const w of t.toLowerCase().match(/[\p{L}\p{N}]+/gu)??[]){m.set(w,(m.get(w)??0)+1);n++} return {m,n}}
const f1=(a,b)=>{let i=0; for(const [w,c] of a.m) i+=Math.min(c,b.m.get(w)??0); const p=a.n?i/a.n:0,r=b.n?i/b.n:0; return {p,r,f:p+r?2*p*r/(p+r):(a.n===b.n?1:0)}}
const outermost=(sel)=>{const s=new Set(sel); const kids=new Set(); for(const e of sel) for(const d of Tree.elements(e)) kids.add(d); return sel.filter(e=>!kids.has(e))}
const truthOf=(src,sel,no)=>{const t=parse(src); const found=outermost(selectAll(sel,t)); if(!found.length) return undefined; const nos=new Set(no?selectAll(no,t):[]); return textOf({type:"root",children:found.filter(f=>!nos.has(f))},nos)}
const engines={
  ours: async (src)=>{const r=await PageParser.parse({kind:"html",bytes:new TextEncoder().encode(src),extension:"html",members:["html"],onlyMainContent:true,includeTags:[],excludeTags:[],removeBase64Images:true,blockAds:true}); return r.html},
  all: async (src)=>{const r=await PageParser.parse({kind:"html",bytes:new TextEncoder().encode(src),extension:"html",members:["html"],onlyMainContent:false,includeTags:[],excludeTags:[],removeBase64Images:true,blockAds:false}); return r.html},
}
if(args.includes("libs")){
  engines.readability=async(src)=>{const {document}=parseHTML(src); const r=new Readability(document).parse(); return r? `<h1>${r.title??""}</h1>`+r.content:""}
  const {Defuddle}=await import("/tmp/web/peers/node_modules/defuddle/dist/node.js")
  engines.defuddle=async(src)=>{const r=await Defuddle(parseHTML(src).document,"http://x.test/",{}); return `<h1>${r.title??""}</h1>`+r.content}
}
const walk=(d,out=[])=>{ if(statSync(d).isFile()){out.push(d);return out} for(const e of readdirSync(d,{withFileTypes:true})) if(e.isDirectory()) walk(d+"/"+e.name,out); else if(/\.x?html?$/.test(e.name)) out.push(d+"/"+e.name); return out}
const cases=[]
import * as T from "./bench/web/templates.ts"
if(args[0]==="gen"){ for(const n of Object.keys(T.templates)){ const got=[]; for(let i=0;i<per;i++){ const p=T.page(n,1000+i*37); const t=truthOf(p.marked,"[data-t]","[data-f]"); got.push({src:p.html,t:t??"",file:n+i}) } cases.push({s:T.learned.has(n)?"learn":"judge",n,got}) } }
else for(const g of JSON.parse(readFileSync("/tmp/web/eval/real.json","utf8"))){ const fs=g.d.flatMap(d=>existsSync("/tmp/web/deb/x/"+d)?walk("/tmp/web/deb/x/"+d):[]).filter(f=>existsSync(f)&&statSync(f).isFile()&&statSync(f).size>3000&&statSync(f).size<200000).sort(); const step=Math.max(1,Math.floor(fs.length/(per*2))); const got=[]; for(let i=0;i<fs.length&&got.length<per;i+=step){ const src=readFileSync(fs[i],"utf8"); const t=truthOf(src,g.sel,g.no); if(t&&words(t).n>60) got.push({src,t,file:fs[i]})} if(!got.length) console.log("no pages",g.n); cases.push({...g,got}) }
const sum={}
const only=process.env.ONLY?.split(",")
for(const g of cases){ if(only&&!only.includes(g.n)) continue; const line=[]; for(const [name,run] of Object.entries(engines)){ let P=0,R=0,F=0; const t0=process.cpuUsage(); for(const c of g.got){ let html=""; try{html=await run(c.src)??""}catch(e){html=""} const r=f1(words(textOf(parse(html))),words(c.t)); P+=r.p;R+=r.r;F+=r.f; if(process.env.V&&name==="ours") console.log("   ",r.p.toFixed(3),r.r.toFixed(3),c.file.replace(/.*\/x\//,"")) } const cpu=process.cpuUsage(t0); const n=g.got.length||1; line.push(`${name} P${(100*P/n).toFixed(1)} R${(100*R/n).toFixed(1)} F${(100*F/n).toFixed(1)}`); const k=(g.s)+"|"+name; (sum[k]??=[]).push({f:F/n,p:P/n,r:R/n,ms:(cpu.user+cpu.system)/1000/n}) } console.log(g.s,g.n.padEnd(14),g.got.length,line.join("  ")) }
for(const [k,v] of Object.entries(sum)) console.log(k, "F", (100*v.reduce((a,b)=>a+b.f,0)/v.length).toFixed(2),"P",(100*v.reduce((a,b)=>a+b.p,0)/v.length).toFixed(2),"R",(100*v.reduce((a,b)=>a+b.r,0)/v.length).toFixed(2),"cpuMs",(v.reduce((a,b)=>a+b.ms,0)/v.length).toFixed(1))
