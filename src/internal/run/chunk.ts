import * as Effect from "effect/Effect"
import { type Chunked, ChunkingError } from "../../Chunker.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import { attributes, spans } from "../../Telemetry.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import { checked } from "../chunking/metadata.ts"
import type { Lease } from "./byteBudget.ts"
import type { RunContext } from "./context.ts"
import { type Ended, failedBy, type Parsed, type Prepared } from "./item.ts"

/** Splits the document, and counts the bytes that answer, chunks and their vectors hold from now on. Never fails. */
export const chunk = (
  context: RunContext,
  parsed: Parsed,
  lease: Lease
): Effect.Effect<Ended | Prepared, never, Tokenizer> => {
  const { chunker, session, trace, vectorBytes } = context
  const { attempts, document, file } = parsed
  const answer = answerBytes(document)
  session.answerBytes = Math.max(answer, Math.floor(session.answerBytes * 0.95))
  lease.resize(answer)
  const splitting = Effect.suspend(() =>
    Effect.flatMap(chunker.chunk(document), (chunked) => checked(document, chunked))
  )
  return trace.part(spans.chunk, splitting, chunkCount).pipe(
    Effect.catchAllDefect((cause) => Effect.fail(new ChunkingError({ source: file.path, reason: "Failed", cause }))),
    Effect.match({
      onFailure: (error) => failedBy(context, file, error, { attempts, contentHash: document.contentHash }),
      onSuccess: (chunked): Prepared => {
        lease.resize(answer + chunkBytes(chunked) + vectorBytes * chunked.chunks.length)
        return { ...parsed, _tag: "Prepared", chunked, lease }
      }
    })
  )
}

const chunkCount = ({ chunks }: Chunked) => ({ [attributes.chunks]: chunks.length })

/** Bytes of an answer in memory, at two bytes per character, as text outside of Latin-1 takes. */
const answerBytes = (document: ParsedDocument): number => {
  let characters = document.markdown.length
  for (const page of document.pages ?? []) characters += page.markdown.length
  for (const page of document.blocks ?? []) for (const block of page.items) characters += block.content.length + 100
  return 2 * characters
}

/** Bytes that chunks add to the answer. Their text is a slice of the Markdown; only context and object itself are new. */
const chunkBytes = ({ chunks }: Chunked): number => {
  let bytes = 0
  for (const { embedText, embedding } of chunks) bytes += 2 * embedText.length + 400 + 8 * (embedding?.length ?? 0)
  return bytes
}
