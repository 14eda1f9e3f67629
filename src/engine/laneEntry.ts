/** Entry module of a lane's process. */
import * as Entry from "#entry"
import { guard } from "./lanes/guard.ts"

guard(Entry.entryBeside("parserEntry", import.meta.url))
