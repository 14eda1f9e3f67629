/** Joins large text that was broken into lines, such as titles, to one block. */
import * as Box from "./Box.ts"
import type { Draft, TextDraft } from "./Draft.ts"
import * as Hyphenation from "./Hyphenation.ts"
import { textOf } from "./TextLine.ts"

/** Most lines of a heading. */
const mostLines = 4

const continues = (above: TextDraft, below: TextDraft, body: number): boolean => {
  const gap = below.box.y0 - above.box.y1
  const overlap = Math.min(above.box.x1, below.box.x1) - Math.max(above.box.x0, below.box.x0)
  return (
    above.size > body * 1.14 &&
    Math.abs(above.size - below.size) <= 0.5 &&
    above.bold === below.bold &&
    above.upright === below.upright &&
    below.marker === undefined &&
    above.lines.length + below.lines.length <= mostLines &&
    overlap > 0 &&
    gap < above.size * 0.75 &&
    gap > -above.size * 0.5 &&
    !/[.!?:]$/.test(above.text) &&
    !/^\d/.test(below.text)
  )
}

const both = (above: TextDraft, below: TextDraft, words: Hyphenation.Words): TextDraft => {
  const { cut, gap } = Hyphenation.lineJoin(above.text, below.text, words)
  const upper = above.runs.map((run, at) =>
    at === above.runs.length - 1 ? { ...run, text: run.text.slice(0, run.text.length - cut) } : run
  )
  const runs = [...upper, ...(gap === "" ? [] : [{ text: gap, link: undefined }]), ...below.runs]
  return {
    ...above,
    box: Box.around([above.box, below.box]),
    runs,
    text: textOf(runs),
    lines: [...above.lines, ...below.lines],
    candidate: above.candidate || below.candidate,
    open: below.open
  }
}

/** Joins neighbours of the same size and weight, larger than the document's usual `body`, that are close below each other. */
export const join = (drafts: ReadonlyArray<Draft>, body: number, words: Hyphenation.Words): Array<Draft> => {
  const joined: Array<Draft> = []
  for (const draft of drafts) {
    const last = joined.at(-1)
    if (draft.kind === "text" && last?.kind === "text" && continues(last, draft, body))
      joined[joined.length - 1] = both(last, draft, words)
    else joined.push(draft)
  }
  return joined
}
