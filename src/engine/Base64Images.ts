/** Removes images whose bytes are part of the text. */

/** Replacement of the address. */
export const placeholder = "<Base64-Image-Removed>"

/** Replaces each image's base64 address by {@link placeholder}; keeps the alternative text. Linear. */
export const remove = (markdown: string): string =>
  markdown.includes("](data:image/") || markdown.includes("](<data:image/")
    ? markdown.replaceAll(
        /\]\(<?data:image\/[\w.+-]*[^\s,<>()]*,[A-Za-z0-9+/=%\s]*>?(?:\s+"[^"\n]*")?\)/g,
        `](${placeholder})`
      )
    : markdown
