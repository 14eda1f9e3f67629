/** Search libraries in JavaScript, as far as they are installed in `bench/peers`. */
import type { DocumentChunk } from "docsluice/DocumentChunk"
import { Effect, Predicate } from "effect"
import { call, construct, load, member } from "../peerPackage.ts"
import { fieldsOf, type Search } from "../retrieval/rivals.ts"

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** MiniSearch as its documentation begins: every word of a query may match, whole words only, ranked by BM25+. */
const miniSearch = (library: unknown, chunks: ReadonlyArray<DocumentChunk>, limit: number): Search => {
  const index = construct(member(library, "default"), { fields: ["text", "headings", "source"] })
  call(
    index,
    "addAll",
    chunks.map((chunk, id) => ({ id, ...fieldsOf(chunk) }))
  )
  return (text) =>
    Effect.sync(() =>
      listOf(call(index, "search", text))
        .slice(0, limit)
        .flatMap((hit) => chunks[Number(member(hit, "id"))] ?? [])
    )
}

/**
 * The tokenizer of a language as Orama's documentation sets it up: its stemmer and its list of stop words, a tokenizer of its own for
 * Chinese, and the one for English where it knows no other.
 */
const tokenizerOf = async (language: string): Promise<unknown> => {
  if (language === "chinese") return call(await load("@orama/tokenizers/mandarin"), "createTokenizer")
  const own = await load(`@orama/stemmers/${language}`)
  const [known, stems] = own === undefined ? ["english", await load("@orama/stemmers/english")] : [language, own]
  const stopWords = member(await load(`@orama/stopwords/${known}`), "stopwords")
  return { language: known, stemming: true, stemmer: member(stems, "stemmer"), stopWords }
}

const orama = async (
  library: unknown,
  chunks: ReadonlyArray<DocumentChunk>,
  language: string,
  limit: number
): Promise<Search> => {
  const tokenizer = await tokenizerOf(language)
  const schema = { text: "string", headings: "string", source: "string" }
  const db = await call(library, "create", { schema, components: { tokenizer } })
  const rows = chunks.map((chunk, at) => ({ id: `c${at}`, ...fieldsOf(chunk) }))
  await call(library, "insertMultiple", db, rows)
  return (text) =>
    Effect.promise(async () => {
      const hits = member(await call(library, "search", db, { term: text, limit }), "hits")
      return listOf(hits).flatMap((hit) => {
        const id = member(hit, "id")
        return Predicate.isString(id) ? (chunks[Number(id.slice(1))] ?? []) : []
      })
    })
}

/** Searches over text, headings and source by the name of the library; `language` is a word such as `german`. */
export const searches = (
  chunks: ReadonlyArray<DocumentChunk>,
  language: string,
  limit: number
): Effect.Effect<ReadonlyArray<readonly [string, Search]>> =>
  Effect.promise(async () => {
    const [mini, full] = [await load("minisearch"), await load("@orama/orama")]
    return [
      ...(mini === undefined ? [] : [["MiniSearch", miniSearch(mini, chunks, limit)] as const]),
      ...(full === undefined ? [] : [["Orama", await orama(full, chunks, language, limit)] as const])
    ]
  })
