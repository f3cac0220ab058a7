const LINE_CONTROLS = /[\t\n\v\f\r\u0085]/g
/** Control and format characters (bidi controls and zero-width ones among them), lone surrogates, private and unassigned ones. */
const HIDDEN = /\p{C}/gu
const WHITE_SPACE = /\s+/gu

/**
 * Cleans a text that a stranger may have written, before it is shown: what cannot be seen is left out, such as characters that turn
 * the direction of writing around, and each run of white space becomes one space.
 */
export function plainText(text: string): string {
  return text.replace(LINE_CONTROLS, ' ').replace(HIDDEN, '').replace(WHITE_SPACE, ' ')
}

/**
 * Reads JSON whose texts, names of members aside, are cleaned by {@link plainText}. All that a gateway answers passes here.
 *
 * @throws SyntaxError
 */
export function parsePlainJson(text: string): unknown {
  return JSON.parse(text, (_, value) => (typeof value === 'string' ? plainText(value) : value))
}
