// A child process as docsluice starts one for its parsers.
import { guard } from "../node_modules/docsluice/dist/src/engine/lanes/guard.js"

guard(new URL("parser.mjs", import.meta.url))
