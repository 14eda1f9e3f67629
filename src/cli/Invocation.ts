/** The words after the program's name, as they were typed. */
import * as Context from "effect/Context"

export class Invocation extends Context.Tag("docsluice/cli/Invocation")<Invocation, ReadonlyArray<string>>() {}
