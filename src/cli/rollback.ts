/** `docsluice rollback TARGET`: search the former generation again. */
import * as GenerationList from "./GenerationList.ts"

export const command = GenerationList.changing("rollback", {
  name: "rollback",
  summary: "search the former generation again",
  description:
    "Changes back to the generation that was searched before the switch, in one step, with its documents as they were then; those that were removed since do not come back.",
  exits: "0 done, 1 there is no state, 2 refused or could not, 64 wrong usage",
  examples: ["docsluice rollback libsql:store.db"]
})
