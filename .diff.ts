import { readFileSync } from "node:fs"
import * as PageParser from "./src/engine/html/PageParser.ts"
const f=process.argv[2]
const r=await PageParser.parse({kind:"html",bytes:readFileSync(f),extension:"html",members:["markdown"],onlyMainContent:process.argv[3]!=="all",includeTags:[],excludeTags:[],removeBase64Images:true,blockAds:true})
console.log(r.markdown)
