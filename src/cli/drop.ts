/** `docsluice drop TARGET`: delete the generation that is not searched. */
import * as GenerationList from "./GenerationList.ts"

export const command = GenerationList.changing("drop", {
  name: "drop",
  summary: "delete the generation that is not searched",
  description:
    "Deletes the generation of a store that is not searched, whether it is a former one or one that is being filled.",
  exits: "0 done, 1 there is no state, 2 refused or could not, 64 wrong usage",
  examples: ["docsluice drop libsql:store.db"]
})
