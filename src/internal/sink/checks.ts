/** Checks of chunks and queries before the engine sees them; each returns the problem, or null. */
import type { DocumentChunk } from "../../DocumentChunk.ts"
import { unstorable } from "../base/batch.ts"
import type { Query } from "./contract.ts"
import type { EmbeddingSpace } from "./space.ts"

/** Requirements of a sink on vectors. */
export type Vectors = "any" | "float32" | "required"

/** The problem of the first chunk that cannot be stored in the space. */
export const problemOf = (
  chunks: ReadonlyArray<DocumentChunk>,
  vectors: Vectors,
  space: EmbeddingSpace | null
): string | null => {
  for (const chunk of chunks) {
    const problem = problemOfOne(chunk, vectors, space)
    if (problem !== null) return `chunk ${chunk.id} of ${chunk.documentId}: ${problem}`
  }
  return null
}

const problemOfOne = (chunk: DocumentChunk, vectors: Vectors, space: EmbeddingSpace | null): string | null => {
  const problem = unstorable(chunk)
  if (problem !== null) return problem
  if (vectors === "any") return null
  const { embedding } = chunk
  if (embedding === undefined) {
    return vectors === "required" && space !== null ? "it has no vector, and nothing is kept here without one" : null
  }
  if (embedding.length !== space?.dimensions) {
    const prepared = space === null ? "chunks without vectors" : `${space.dimensions} (${space.model})`
    return `it has a vector of ${embedding.length} dimensions, and the store was prepared for ${prepared}`
  }
  return isSingle(embedding) ? null : "it has a vector with a component beyond 32-bit floats"
}

const isSingle = (vector: ArrayLike<number>): boolean => {
  for (let at = 0; at < vector.length; at++) if (!Number.isFinite(Math.fround(vector[at] ?? 0))) return false
  return true
}

const isCount = (value: unknown): boolean => typeof value === "number" && Number.isSafeInteger(value) && value >= 0

const shown = (value: unknown): string =>
  typeof value === "object" && value !== null ? (Array.isArray(value) ? "a list" : "an object") : String(value)

/** The first member of a query that is not of its type: plain JavaScript gives any. */
export const memberProblem = (query: { readonly [Member in keyof Query]?: unknown }): string | null => {
  const { alternatives, diversity, limit, minScore, neighbours, offset, perDocument, tenant, text, vector } = query
  const { vectorWeight, window } = query
  const wrong = (member: string, value: unknown, remedy: string) =>
    `the query's \`${member}\` is ${shown(value)}; ${remedy}`
  if (typeof text !== "string") return wrong("text", text, 'give a text, "" to search by the vector alone')
  if (vector !== undefined) {
    if (!Array.isArray(vector)) return wrong("vector", vector, "give a list of numbers, or leave it out")
    const at = vector.findIndex((component: unknown) => !Number.isFinite(component))
    if (at >= 0) return wrong(`vector[${at}]`, vector[at], "give finite numbers only")
  }
  if (tenant !== undefined && typeof tenant !== "string") return wrong("tenant", tenant, "give the name of a tenant")
  if (!isCount(limit)) return wrong("limit", limit, "give a whole number, 0 or more")
  for (const [member, value] of Object.entries({ neighbours, offset })) {
    if (value !== undefined && !isCount(value)) return wrong(member, value, "give a whole number, 0 or more")
  }
  for (const [member, value] of Object.entries({ perDocument, window })) {
    if (value !== undefined && (!isCount(value) || value === 0)) {
      return wrong(member, value, "give a whole number, 1 or more")
    }
  }
  if (diversity !== undefined && !(typeof diversity === "number" && diversity >= 0 && diversity <= 1)) {
    return wrong("diversity", diversity, "give a number from 0 to 1")
  }
  if (vectorWeight !== undefined && !(Number.isFinite(vectorWeight) && Number(vectorWeight) >= 0)) {
    return wrong("vectorWeight", vectorWeight, "give a number, 0 or more")
  }
  if (minScore !== undefined && !Number.isFinite(minScore)) return wrong("minScore", minScore, "give a finite number")
  return alternatives === undefined ? null : alternativesProblem(alternatives, wrong)
}

/** Most alternatives of a query: each is a search of its own. */
const mostAlternatives = 16

const alternativesProblem = (
  alternatives: unknown,
  wrong: (member: string, value: unknown, remedy: string) => string
): string | null => {
  if (!Array.isArray(alternatives))
    return wrong("alternatives", alternatives, "give a list of queries, or leave it out")
  if (alternatives.length > mostAlternatives) {
    return wrong("alternatives.length", alternatives.length, `give ${mostAlternatives} at most`)
  }
  for (const [at, one] of alternatives.entries()) {
    const { text, vector }: { readonly text?: unknown; readonly vector?: unknown } = Object(one)
    const problem = memberProblem({ text, vector, limit: 0 })
    if (problem !== null) return problem.replace("`", `\`alternatives[${at}].`)
  }
  return null
}

/** The problem of a query's vector that cannot be compared with the stored ones. */
export const queryProblem = (
  vector: ReadonlyArray<number> | undefined,
  vectors: Vectors,
  space: EmbeddingSpace | null
): string | null => {
  if (vectors === "any" || vector === undefined) return null
  if (space === null) return "the query has a vector, and the store holds chunks without vectors; search by text alone"
  if (vector.length !== space.dimensions) {
    return `the query's vector has ${vector.length} dimensions, and the store holds those of ${space.model} with ${space.dimensions}; embed the query with that model`
  }
  return isSingle(vector) ? null : "the query's vector has a component beyond 32-bit floats"
}

/** The problem of a replacement that holds a chunk of another document. */
export const strangerOf = (documentId: string, chunks: ReadonlyArray<DocumentChunk>): string | null => {
  const stranger = chunks.find((chunk) => chunk.documentId !== documentId)
  return stranger === undefined
    ? null
    : `chunk ${stranger.id} belongs to ${stranger.documentId}, not to ${documentId}, which is to be replaced`
}
