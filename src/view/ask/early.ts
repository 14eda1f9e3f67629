/** The search box that the page of a store has before its program is there: what is typed into it is not lost. */

/** What was typed. */
export interface Early {
  readonly query: string
  readonly selection: readonly [start: number, end: number]
  /** True when Enter was pressed. */
  readonly asked: boolean
}

const field = (): HTMLInputElement | null => document.querySelector("#early input")

let asked = false

/** Notes from now on if Enter is pressed in the box. */
export const watchEarly = (): void =>
  field()?.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") asked = true
  })

/** Null without a box. */
export const readEarly = (): Early | null => {
  const box = field()
  if (box === null) return null
  const end = box.value.length
  return { query: box.value, selection: [box.selectionStart ?? end, box.selectionEnd ?? end], asked }
}

/** Called when something stands in place of the box. */
export const removeEarly = (): void => document.getElementById("early")?.remove()
