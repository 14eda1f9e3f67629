/**
 * Entry module of a lane's process.
 *
 * @since 0.1.0
 */
import * as Entry from "#entry"
import { guard } from "./lanes/guard.ts"

guard(Entry.entryBeside("parserEntry", import.meta.url))
