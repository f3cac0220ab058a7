import { type ChoicePart, isNumber, type Message, parseMessage, valuesOf } from './message.ts'

/** The texts of a file, at any depth. A key that starts with `@` describes the one without it. */
export type Catalogue = { readonly [key: string]: Entry }
export type Entry = string | readonly Entry[] | Catalogue

interface Options {
  /** BCP 47. */
  readonly tag: string
  /** The English texts, which have the order and the kind of the values; the catalogue itself for English. */
  readonly english: Catalogue
}

/** Returns the lines of an object literal in TypeScript with a catalogue's texts: strings, and functions of the values that they name. */
export function compileCatalogue(catalogue: Catalogue, options: Options): string[] {
  return entriesOf(catalogue).flatMap(([key, entry]) => {
    const description = options.english[`@${key}`]
    const isDescribed = catalogue === options.english && typeof description === 'string'
    const line = `${property(key)}: ${compileEntry(entry, options.english[key] ?? entry, options)},`
    return isDescribed ? [`/** ${description} */`, line] : [line]
  })
}

/** Returns the texts of a catalogue without their descriptions. */
export function entriesOf(catalogue: Catalogue): [key: string, entry: Entry][] {
  return Object.entries(catalogue).filter(([key]) => !key.startsWith('@'))
}

/** Reports whether a catalogue counts by the plural rules of its language. */
export function hasPluralRules(lines: readonly string[]): boolean {
  return lines.some((line) => line.includes('plural('))
}

function compileEntry(entry: Entry, english: Entry, options: Options): string {
  if (typeof entry === 'string') return compileText(entry, english as string, options)
  if (isList(entry)) {
    const originals = english as readonly Entry[]
    return `[${entry.map((each, at) => compileEntry(each, originals[at] ?? each, options)).join(', ')}]`
  }
  const originals = english as Catalogue
  const members = entriesOf(entry).map(
    ([key, each]) => `${property(key)}: ${compileEntry(each, originals[key] ?? each, options)}`,
  )
  return `{ ${members.join(', ')} }`
}

function isList(entry: Entry): entry is readonly Entry[] {
  return Array.isArray(entry)
}

function compileText(text: string, english: string, { tag }: Options): string {
  const message = parseMessage(text)
  const original = parseMessage(english)
  const names = valuesOf(original)
  // A page fills the places of a plain text itself.
  if (names.length === 0) return quoted(text.replace(/<(\w+)\/>/g, '{$1}'))
  const parameters = names.map((name) =>
    tag === 'en' ? `${name}: ${isNumber(original, name) ? 'number' : 'string'}` : name,
  )
  return `(${parameters.join(', ')}) => ${expression(message, tag)}`
}

function expression(message: Message, tag: string): string {
  const [only] = message
  if (only === undefined) return "''"
  if (message.length === 1 && typeof only !== 'string' && only.type !== 'value') return choice(only, tag)
  if (message.length === 1 && typeof only === 'string') return quoted(only)
  return `\`${message.map((part) => inTemplate(part, tag)).join('')}\``
}

function inTemplate(part: Message[number], tag: string): string {
  if (typeof part === 'string') return part.replace(/[`\\]|\$\{/g, '\\$&')
  if (part.type !== 'value') return `\${${choice(part, tag)}}`
  switch (part.format) {
    case 'number':
      return `\${${part.name}.toLocaleString('${tag}')}`
    case 'lower':
      return `\${${part.name}.toLowerCase()}`
    default:
      return `\${${part.name}}`
  }
}

function choice({ type, name, forms }: ChoicePart, tag: string): string {
  const form = (selector: string) => expression(forms.get(selector) ?? [], tag)
  if (type === 'select') return `${name} ? ${form('other')} : ${form('none')}`
  const exact = [...forms.keys()].filter((selector) => selector.startsWith('='))
  const categories = [...forms.keys()].filter((selector) => !selector.startsWith('='))
  const isEnglish = tag === 'en' && categories.join() === 'one,other'
  const counted = isEnglish
    ? `${name} === 1 ? ${form('one')} : ${form('other')}`
    : categories.length === 1
      ? form('other')
      : `plural(${name}, { ${categories.map((each) => `${each}: ${form(each)}`).join(', ')} })`
  return exact.reduceRight((rest, each) => `${name} === ${each.slice(1)} ? ${form(each)} : ${rest}`, counted)
}

function property(key: string): string {
  return /^[a-z_]\w*$/i.test(key) ? key : quoted(key)
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`
}
