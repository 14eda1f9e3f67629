/** The tables of this package have no types. */
declare module "opencc-js/dict/TSCharacters" {
  /** Pairs of a traditional character and its simplified forms, divided by spaces, between `|`. */
  const pairs: string
  export default pairs
}
