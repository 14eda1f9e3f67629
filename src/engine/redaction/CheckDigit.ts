/** Check digits of accounts, cards and national ids. All take the digits (and letters) without separators. */

const digitsOf = (text: string): ReadonlyArray<number> => Array.from(text, Number)

export const luhn = (digits: string): boolean =>
  digitsOf(digits)
    .toReversed()
    .reduce((total, digit, at) => total + (at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0) %
    10 ===
  0

/** ISO 7064 MOD 97-10 of an IBAN. */
export const iban = (text: string): boolean => {
  let rest = 0
  for (const sign of text.slice(4) + text.slice(0, 4)) {
    const value = parseInt(sign, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

/** Sum of the digits, each times its weight. */
const weighted = (digits: string, weights: ReadonlyArray<number>): number =>
  weights.reduce((total, weight, at) => total + weight * Number(digits[at] ?? 0), 0)

/** France: the key of the number of social security; Corsica's letters stand for 19 and 18. */
export const nir = (text: string): boolean => {
  const body = text.slice(0, 13).replace("2A", "19").replace("2B", "18")
  return /^\d{13}$/.test(body) && 97 - Number(BigInt(body) % 97n) === Number(text.slice(13))
}

/** Spain: the letter of DNI and NIE. */
export const nif = (text: string): boolean => {
  const upper = text.toUpperCase()
  const number = Number(upper.slice(0, -1).replace(/^[XYZ]/, (letter) => String("XYZ".indexOf(letter))))
  return "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23] === upper.at(-1)
}

const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

/** Italy: the last letter of the codice fiscale. */
export const codiceFiscale = (text: string): boolean => {
  const values = Array.from(text.toUpperCase(), (sign) => {
    const value = parseInt(sign, 36)
    return value > 9 ? value - 10 : value
  })
  const sum = values.slice(0, 15).reduce((total, value, at) => total + (at % 2 === 0 ? (odd[value] ?? 0) : value), 0)
  return sum % 26 === values[15]
}

/** Netherlands: the eleven test of a BSN, nine digits. */
export const bsn = (digits: string): boolean =>
  weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 && Number(digits) > 0

/** Germany: ISO 7064 MOD 11,10 of the tax id, eleven digits. */
export const steuerId = (digits: string): boolean => {
  let product = 10
  for (const digit of digitsOf(digits.slice(0, 10))) product = (((digit + product) % 10 || 10) * 2) % 11
  return (11 - product) % 10 === Number(digits[10])
}

/** Brazil: the two check digits of a CPF. */
export const cpf = (digits: string): boolean => {
  const first = ((weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10
  const second = ((weighted(digits, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10
  return first === Number(digits[9]) && second === Number(digits[10]) && !/^(\d)\1+$/.test(digits)
}

/** Poland: PESEL, eleven digits. */
export const pesel = (digits: string): boolean => weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0

/** Switzerland: EAN-13 of the AHV number. */
export const ean13 = (digits: string): boolean => weighted(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0
