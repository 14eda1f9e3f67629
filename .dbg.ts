import { readFileSync } from "node:fs"
import * as Parse5 from "parse5"
import { fromParse5 } from "hast-util-from-parse5"
import * as Tree from "./src/engine/html/Tree.ts"
import * as MainContent from "./src/engine/html/MainContent.ts"
for (const f of process.argv.slice(2)) { console.log("==",f.replace(/.*\/x\//,""))
 const t=fromParse5(Parse5.parse(readFileSync(f,"utf8"),{scriptingEnabled:false})); const els=Tree.elements(t)
 const {dropped}=MainContent.choose(t,els,{onlyMainContent:true,includeTags:[],excludeTags:[],blockAds:true})
 for(const d of dropped) console.log("  -",d.tagName,d.properties.className,d.properties.id??"",JSON.stringify(Tree.text(d).replace(/\s+/g," ").slice(0,110)), Tree.text(d).length) }
