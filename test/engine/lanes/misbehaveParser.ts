import { serveThread } from "../../../src/engine/lanes/serveThread.ts"
import { handlers } from "./misbehave.ts"

serveThread(handlers)
