/** Standard input as text. */
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Stream from "effect/Stream"

/** All of it. */
export const text = Stream.mkString(Stream.decodeText(NodeStream.stdin))
