import { serveChild } from "../../../src/engine/lanes/serveChild.ts"
import { handlers } from "./misbehave.ts"

serveChild(handlers)
