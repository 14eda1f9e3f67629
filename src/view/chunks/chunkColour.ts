/** Colours of chunks: neighbours, and chunks a few apart, differ. */

const hues = [212, 28, 152, 282, 184, 340] as const

/** CSS class of a chunk's colour. */
export const hue = (index: number): string => `k${index % hues.length}`

/** Rules for every class: `--h`, the hue. */
export const chunkColours: string = hues.map((degrees, index) => `.k${index}{--h:${degrees}}`).join("")
