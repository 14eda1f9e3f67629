/**
 * Templates: a family of styles and a kind of document. Those to judge by share neither the family nor the kind with those to learn
 * from, so a rule or model that fits them has learned more than these documents.
 */
import * as Chance from "./chance.ts"
import { columnsFrom, kinds, type KindName, running } from "./kinds.ts"
import * as Languages from "./languages/all.ts"
import type { Language } from "./languages/language.ts"
import type { Document } from "./model.ts"
import * as Parts from "./parts.ts"
import { families, type FamilyName } from "./style.ts"
import type { Truth } from "./truth.ts"

export interface Template {
  readonly name: string
  readonly split: Truth["split"]
  readonly family: FamilyName
  readonly kind: KindName
}

const crossed = (
  split: Truth["split"],
  families: ReadonlyArray<FamilyName>,
  kinds: ReadonlyArray<KindName>
): ReadonlyArray<Template> =>
  families.flatMap((family) => kinds.map((kind): Template => ({ name: `${family}-${kind}`, split, family, kind })))

export const templates: ReadonlyArray<Template> = [
  ...crossed(
    "learn",
    ["classic", "corporate", "plain", "dense", "airy"],
    ["report", "article", "manual", "letter", "form", "slides"]
  ),
  ...crossed("judge", ["lettered", "quiet", "magazine", "typed"], ["legal", "invoice", "newsletter", "minutes"])
]

/** Slides are wide and in large print. */
const slide = { page: { width: 720, height: 405, margin: 40, edge: 16 }, columns: 1, size: 16, leading: 1.3 } as const

/** The document of a template and a seed, in a language or in one that is drawn: always the same. */
export const document = ({ family, kind, name }: Template, seed: number, asked?: Language): Document => {
  const chance = Chance.make(name, seed)
  const drawnLanguage = Languages.pick(chance)
  const language = asked ?? drawnLanguage
  const drawn = families[family](chance)
  const factor = slide.size / drawn.size
  const larger = <H extends { readonly size: number; readonly above: number; readonly below: number }>(
    heading: H
  ): H => ({
    ...heading,
    size: heading.size * factor
  })
  const [one, two, three, four] = drawn.headings
  const style =
    kind === "slides"
      ? {
          ...drawn,
          ...slide,
          title: larger(drawn.title),
          headings: [larger(one), larger(two), larger(three), larger(four)] as const
        }
      : drawn
  const parts = Parts.make(chance, language, style)
  const blocks = kinds[kind](parts)
  return {
    template: name,
    seed,
    language,
    style,
    running: running(parts, blocks),
    blocks,
    columns: style.columns,
    columnsFrom: columnsFrom(blocks)
  }
}
