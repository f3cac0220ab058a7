/**
 * Wraps the functions of a catalogue so that each text put into a sentence is isolated from the direction of the
 * sentence (FIRST STRONG ISOLATE): an address or an amount in an Arabic text is then not reordered.
 */
export function isolateValues<Catalogue>(catalogue: Catalogue): Catalogue {
  if (typeof catalogue === 'function') {
    return ((...values: unknown[]) => catalogue(...values.map(isolated))) as Catalogue
  }
  if (typeof catalogue !== 'object' || catalogue === null) return catalogue
  if (Array.isArray(catalogue)) return catalogue.map(isolateValues) as Catalogue
  return Object.fromEntries(
    Object.entries(catalogue).map(([key, text]) => [key, isolateValues(text)]),
  ) as Catalogue
}

function isolated(value: unknown): unknown {
  return typeof value === 'string' && value !== '' ? `\u2068${value}\u2069` : value
}
