/** `docsluice generations TARGET`: the generations of a store. */
import * as GenerationList from "./GenerationList.ts"

export const command = GenerationList.listing({
  name: "generations",
  summary: "the generations of a store",
  description:
    "Shows the generation of a store that is searched and the one next to it: its model, its chunks, and how many documents it lacks or has as they were before. Changes nothing.",
  exits: "0 done, 2 could not, 64 wrong usage",
  examples: ["docsluice generations libsql:store.db"]
})
