/** Relationships of a part of an Office Open XML package. Source: ECMA-376 part 2, 9.3. */
import * as Tags from "./Tags.ts"

/** Names of the target parts by the id of the relationship; `folder` is that of the part. */
export const targets = (xml: string, folder: string): ReadonlyMap<string, string> =>
  new Map(
    Array.from(Tags.named(xml, ["Relationship"]), (tag) => {
      const attributes = Tags.attributes(xml, tag)
      const target = attributes.get("Target") ?? ""
      return [attributes.get("Id") ?? "", target.startsWith("/") ? target.slice(1) : `${folder}/${target}`]
    })
  )
