/** Sentences of an answer's warning about parts of a document that are not read. */

/** For equations that are embedded objects of another program. */
export const equations = (count: number): ReadonlyArray<string> =>
  count === 0
    ? []
    : [
        `${count === 1 ? "1 equation is an object" : `${count} equations are objects`} of Equation Editor or MathType and not in the text; convert them to Office equations.`
      ]
