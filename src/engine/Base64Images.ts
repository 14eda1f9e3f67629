/**
 * Removes images whose bytes are part of the text.
 *
 * @since 0.1.0
 */

/**
 * Replacement of the address.
 *
 * @since 0.1.0
 * @category constants
 */
export const placeholder = "<Base64-Image-Removed>"

/**
 * Replaces each image's base64 address by {@link placeholder}; keeps the alternative text. Linear.
 *
 * @since 0.1.0
 * @category transformations
 */
export const remove = (markdown: string): string =>
  markdown.includes("data:image")
    ? markdown.replaceAll(
        /\]\(<?data:image\/[\w.+-]*[^\s,<>()]*,[A-Za-z0-9+/=%\s]*>?(?:\s+"[^"\n]*")?\)/g,
        `](${placeholder})`
      )
    : markdown
