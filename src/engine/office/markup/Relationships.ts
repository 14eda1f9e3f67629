/** Relationships of a part of an Office Open XML package. Source: ECMA-376 part 2, 9.3. */
import { posix } from "node:path"
import * as Tags from "./Tags.ts"

/**
 * Names of the target parts by the id of the relationship; `folder` is that of the part. With a kind, such as `chart`, those whose type
 * ends with it.
 */
export const targets = (xml: string, folder: string, kind?: string): ReadonlyMap<string, string> =>
  new Map(
    Array.from(Tags.named(xml, ["Relationship"]), (tag) => Tags.attributes(xml, tag))
      .filter((attributes) => kind === undefined || attributes.get("Type")?.endsWith(`/${kind}`))
      .map((attributes) => {
        const target = attributes.get("Target") ?? ""
        return [attributes.get("Id") ?? "", target.startsWith("/") ? target.slice(1) : posix.join(folder, target)]
      })
  )

/** Relationships of a part, as {@link targets} reads them. */
export const ofPart = (
  read: (part: string) => Uint8Array | undefined,
  part: string,
  kind: string
): ReadonlyMap<string, string> => {
  const folder = posix.dirname(part)
  const relations = read(`${folder}/_rels/${posix.basename(part)}.rels`)
  return relations === undefined ? new Map() : targets(Buffer.from(relations).toString("utf8"), folder, kind)
}
