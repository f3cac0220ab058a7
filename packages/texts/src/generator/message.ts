/** How a value is written: a number with the digits grouped, an integer as it is, or a text in lower case. */
type ValueFormat = 'number' | 'integer' | 'lower'

/** A value in a text: `{name}`, `{name, integer}`. */
interface ValuePart {
  readonly type: 'value'
  readonly name: string
  readonly format: ValueFormat | undefined
}

/**
 * Forms of a text, of which one is shown: `{count, plural, one {1 pool} other {{count, integer} pools}}` by the plural category of a number (CLDR) or the number
 * itself (`=1`), `{why, select, none {} other {: {why}}}` by whether a value is empty.
 */
export interface ChoicePart {
  readonly type: 'plural' | 'select'
  readonly name: string
  readonly forms: ReadonlyMap<string, Message>
}

type Part = string | ValuePart | ChoicePart

/** A parsed text. */
export type Message = readonly Part[]

const formats: ReadonlySet<string> = new Set(['number', 'integer', 'lower'] satisfies ValueFormat[])

/**
 * Parses a text of a language.
 *
 * @throws SyntaxError that says what is wrong
 */
export function parseMessage(text: string): Message {
  const reader = { text, at: 0 }
  const message = readMessage(reader)
  if (reader.at < text.length) throw new SyntaxError(`"}" without "{" in: ${text}`)
  return message
}

/** Returns the values of a text, each once, in the order in which they are first named. */
export function valuesOf(message: Message): readonly string[] {
  const names = message.flatMap((part) => {
    if (typeof part === 'string') return []
    if (part.type === 'value') return [part.name]
    return [part.name, ...[...part.forms.values()].flatMap(valuesOf)]
  })
  return [...new Set(names)]
}

/** Returns the places that a page fills with a link or another element, `<name/>`, sorted. */
export function placesOf(text: string): readonly string[] {
  return [...text.matchAll(/<(\w+)\/>/g)].map(([, name = '']) => name).sort()
}

/** Reports whether a value is a number, which any text that formats or counts it says. */
export function isNumber(message: Message, name: string): boolean {
  return message.some((part) => {
    if (typeof part === 'string') return false
    if (part.type === 'value') return part.name === name && ['number', 'integer'].includes(part.format ?? '')
    return (
      (part.type === 'plural' && part.name === name) ||
      [...part.forms.values()].some((form) => isNumber(form, name))
    )
  })
}

interface Reader {
  readonly text: string
  at: number
}

function readMessage(reader: Reader): Message {
  const parts: Part[] = []
  while (reader.at < reader.text.length && reader.text[reader.at] !== '}') {
    parts.push(reader.text[reader.at] === '{' ? readPart(reader) : take(reader, /[^{}]+/y))
  }
  return parts
}

function readPart(reader: Reader): ValuePart | ChoicePart {
  take(reader, /\{/y)
  const name = take(reader, /[a-z]\w*/iy)
  const kind = reader.text[reader.at] === ',' ? take(reader, /, \w+/y).slice(2) : undefined
  if (kind !== 'plural' && kind !== 'select') {
    take(reader, /\}/y)
    if (kind !== undefined && !formats.has(kind))
      throw new SyntaxError(`unknown format ${kind} in: ${reader.text}`)
    return { type: 'value', name, format: kind as ValueFormat | undefined }
  }
  take(reader, /,/y)
  const forms = new Map<string, Message>()
  while (reader.text[reader.at] === ' ') {
    const selector = take(reader, / (=\d+|[a-z]+) \{/y).slice(1, -2)
    forms.set(selector, readMessage(reader))
    take(reader, /\}/y)
  }
  take(reader, /\}/y)
  return { type: kind, name, forms }
}

/** Takes what a sticky expression matches here. */
function take(reader: Reader, expression: RegExp): string {
  expression.lastIndex = reader.at
  const [found] = expression.exec(reader.text) ?? []
  if (found === undefined) throw new SyntaxError(`unexpected character ${reader.at + 1} in: ${reader.text}`)
  reader.at += found.length
  return found
}
