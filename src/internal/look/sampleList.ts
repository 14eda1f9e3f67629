/** The documents that come with the page, to try it with. */

/** A document for visitors who have none at hand. */
export interface Sample {
  /** Name of its file. */
  readonly name: string
  readonly title: string
}

/** In the order in which they are offered. */
export const samples: ReadonlyArray<Sample> = [
  { name: "handbook.pdf", title: "A handbook: headings, lists, a table, running heads" },
  { name: "rainfall.xlsx", title: "A workbook with figures" },
  { name: "network.html", title: "A web page" }
]
