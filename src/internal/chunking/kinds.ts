import type { Kind } from "./Settings.ts"

/** Markdown: chunks follow its sections. */
export const markdown: Kind = {
  sections: true,
  pageBoundaries: "soft",
  pages: "auto",
  blocks: false,
  furniture: true,
  minConfidence: 0
}
