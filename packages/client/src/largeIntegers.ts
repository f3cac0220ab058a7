/** Texts, which may hold digits, and numbers. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Writes the integers of a JSON text that a JavaScript number cannot hold exactly as strings. */
export function quoteLargeIntegers(json: string): string {
  if (!/\d{16}/.test(json)) return json
  return json.replace(tokens, (token) =>
    /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  )
}
