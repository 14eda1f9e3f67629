import { serveWorker } from "../../../src/engine/lanes/serveWorker.ts"
import { handlers } from "./misbehave.ts"

serveWorker(handlers)
