/** Sentences of a text, as Unicode separates them. */

const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" })

/** The sentences in order, with the blanks after them; the end of a line does not end one. */
export const sentences = (text: string): ReadonlyArray<string> =>
  Array.from(segmenter.segment(text.replaceAll(/[\r\n]/gu, " ")), ({ index, segment }) =>
    text.slice(index, index + segment.length)
  )
