const LINE_CONTROLS = /[\t\n\v\f\r\u0085]/g
/** Control and format characters (bidi controls and zero-width ones among them), lone surrogates, private and unassigned ones. */
const HIDDEN = /\p{C}/gu
const WHITE_SPACE = /\s+/gu

/**
 * Cleans text from an untrusted source before it is shown: removes characters that cannot be seen, such as those that change the
 * direction of writing, and replaces each run of white space by one space.
 */
export function plainText(text: string): string {
  return text.replace(LINE_CONTROLS, ' ').replace(HIDDEN, '').replace(WHITE_SPACE, ' ')
}

/**
 * Parses JSON and cleans its string values by {@link plainText}, names of members aside.
 *
 * @throws SyntaxError
 */
export function parsePlainJson(text: string): unknown {
  return JSON.parse(text, (_, value) => (typeof value === 'string' ? plainText(value) : value))
}
