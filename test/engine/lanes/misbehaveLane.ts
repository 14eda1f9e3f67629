import { guard } from "../../../src/engine/lanes/guard.ts"

guard(new URL("misbehaveParser.ts", import.meta.url))
