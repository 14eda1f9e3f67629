import { readFileSync } from "node:fs"
import * as Parse5 from "parse5"
import { fromParse5 } from "hast-util-from-parse5"
import * as Tree from "./src/engine/html/Tree.ts"
const depthMax = Number(process.argv[2])
for (const f of process.argv.slice(3)) {
  console.log("== "+f.replace(/.*\/x\//,""))
  const t = fromParse5(Parse5.parse(readFileSync(f,"utf8")))
  const walk=(n,d)=>{ let shown=0; for (const c of n.children) if (c.type==="element" && !["script","style","link","meta"].includes(c.tagName)) { const len=Tree.text(c).replace(/\s+/g," ").length; if (len<2) continue; if (shown++>9) {console.log(" ".repeat(d)+"…"); break}; console.log(" ".repeat(d)+c.tagName+(c.properties.id?"#"+c.properties.id:"")+(c.properties.className?"."+[].concat(c.properties.className).join("."):"")+(c.properties.role?"@"+c.properties.role:"")+" "+len); if(d<depthMax) walk(c,d+1) } }
  walk(Tree.find(t,"body"),0)
}
