/** Roots that are addresses of object stores: their spellings, and the sources that they mean. */
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as Source from "../../Source.ts"
import * as AzureBlob from "../../source/AzureBlob.ts"
import * as S3 from "../../source/S3.ts"

/** Options of a source of any kind. */
export interface Options {
  /** `SCHEME://BUCKET/PREFIX`. */
  readonly root: string
  readonly name?: string | undefined
  readonly patterns?: ReadonlyArray<string> | undefined
  readonly filesFrom?: ReadonlyArray<string> | undefined
  readonly ignore?: ReadonlyArray<string> | undefined
  readonly types?: ReadonlyArray<string> | undefined
  readonly endpoint?: string | undefined
}

type Made = Source.Source<Source.SourceUnavailable, HttpClient.HttpClient>

/** Schemes with the sources that they mean. */
const kinds: Readonly<Record<string, (options: Options) => Made>> = { s3: S3.make, az: AzureBlob.make }

/** The schemes, for messages. */
export const schemes: ReadonlyArray<string> = Object.keys(kinds)

const schemeOf = (text: string): string => /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase() ?? ""

/** True for the address of a root that a source of this package reads. */
export const isAddress = (text: string): boolean => Object.hasOwn(kinds, schemeOf(text))

/** The source of a root; undefined for a root that is no such address. */
export const make = (options: Options): Made | undefined => kinds[schemeOf(options.root)]?.(options)
