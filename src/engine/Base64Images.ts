/**
 * Images whose bytes stand in the text itself.
 *
 * @since 0.1.0
 */

/**
 * What stands in place of the address.
 *
 * @since 0.1.0
 * @category constants
 */
export const placeholder = "<Base64-Image-Removed>"

/**
 * Keeps each image's alternative text and puts {@link placeholder} in place of its base64 address. Linear.
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
