/** Printable ASCII and the no-break space, which have no letter that runs from right to left. */
const ASCII = /^[\x20-\x7e\xa0]*$/

/**
 * Wraps the functions of a catalogue so that each text put into a sentence is isolated from the direction of the sentence (FIRST STRONG
 * ISOLATE): neither does an address lose its order in an Arabic sentence, nor does a name in Hebrew change the order of an English one.
 *
 * @param direction of the sentences.
 */
export function isolateValues<Catalogue>(catalogue: Catalogue, direction: 'ltr' | 'rtl'): Catalogue {
  if (typeof catalogue === 'function') {
    return ((...values: unknown[]) =>
      catalogue(...values.map((value) => isolated(value, direction)))) as Catalogue
  }
  if (typeof catalogue !== 'object' || catalogue === null) return catalogue
  if (Array.isArray(catalogue)) return catalogue.map((text) => isolateValues(text, direction)) as Catalogue
  return Object.fromEntries(
    Object.entries(catalogue).map(([key, text]) => [key, isolateValues(text, direction)]),
  ) as Catalogue
}

function isolated(value: unknown, direction: 'ltr' | 'rtl'): unknown {
  if (typeof value !== 'string' || value === '') return value
  return direction === 'ltr' && ASCII.test(value) ? value : `\u2068${value}\u2069`
}
