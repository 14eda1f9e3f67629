/** `node --import tsx --conditions=docsluice:source test/docs/writeErrors.ts` brings the tables of `docs/errors.md` up to the sources. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { rewritten } from "./errorTables.ts"
import { read, root } from "./pages.ts"

writeFileSync(join(root, "docs/errors.md"), rewritten(read("docs/errors.md")))
