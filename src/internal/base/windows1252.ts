/** windows-1252, as every version of Node should decode it. */

/** Characters 80 to 9F of windows-1252; the five that it leaves undefined stay control characters. */
const upper = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

/** Replaces the C1 controls as which some versions of Node decode these characters. */
export const corrected = (text: string): string =>
  text.replace(/[\x80-\x9f]/gu, (control) => upper.charAt(control.charCodeAt(0) - 0x80))
