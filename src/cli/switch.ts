/** `docsluice switch TARGET`: search the generation that was filled. */
import * as GenerationList from "./GenerationList.ts"

export const command = GenerationList.changing("switch", {
  name: "switch",
  summary: "search the generation that was filled",
  description:
    "Changes over to the generation that ingest --beside filled, in one step; the former one stays for a rollback. Refused while it lacks a document that the searched one has.",
  exits: "0 done, 1 there is no state, 2 refused or could not, 64 wrong usage",
  examples: ["docsluice switch libsql:store.db"]
})
