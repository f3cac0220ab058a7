import { readFileSync } from 'node:fs'
import { Reason } from '@hawser/client/fault'
import { Cause, Phrase } from '@hawser/client/preview'
import { describe, expect, it } from 'vitest'
import { type Catalogue, type Entry, entriesOf } from './generator/compile.ts'
import { generate, readLanguage, readLanguages } from './generator/generate.ts'
import { type Message, parseMessage, placesOf, valuesOf } from './generator/message.ts'

/** English texts that a language has as well: names and signs, `*`, and words that it uses itself. */
const sameAsEnglish = JSON.parse(
  readFileSync(new URL('../languages/sameAsEnglish.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly string[]>>

/** Returns all texts of a catalogue by their path, at any depth. */
function textsOf(catalogue: Catalogue, path: string): [path: string, text: string][] {
  return entriesOf(catalogue).flatMap(([key, entry]) => textsIn(entry, `${path}.${key}`))
}

function textsIn(entry: Entry, path: string): [path: string, text: string][] {
  if (typeof entry === 'string') return [[path, entry]]
  if (Array.isArray(entry)) return entry.flatMap((each, at) => textsIn(each, `${path}.${at}`))
  return textsOf(entry as Catalogue, path)
}

/** Returns the selectors of the plurals in a text. */
function pluralsIn(message: Message): (readonly string[])[] {
  return message.flatMap((part) => {
    if (typeof part === 'string' || part.type === 'value') return []
    const inner = [...part.forms.values()].flatMap(pluralsIn)
    return part.type === 'plural' ? [[...part.forms.keys()], ...inner] : inner
  })
}

/** Returns the selectors of the choices by an empty value in a text. */
function selectsIn(message: Message): (readonly string[])[] {
  return message.flatMap((part) => {
    if (typeof part === 'string' || part.type === 'value') return []
    const inner = [...part.forms.values()].flatMap(selectsIn)
    return part.type === 'select' ? [[...part.forms.keys()], ...inner] : inner
  })
}

const english = readLanguage('en')
const translatedAreas = ['modal', 'core', 'frame', 'handoff', 'asks'] as const
const originals = new Map(translatedAreas.flatMap((area) => textsOf(english[area], area)))

/** The names of an enum of the gateway that have texts. */
const namesOf = (names: object) =>
  Object.keys(names).filter((name) => Number.isNaN(Number(name)) && name !== 'UNSPECIFIED')

it('the modules are those of the languages: npm run generate -w @hawser/texts', () => {
  for (const [path, text] of generate())
    expect.soft(readFileSync(new URL(`gen/${path}`, import.meta.url), 'utf8'), path).toBe(text)
})

it('the reasons of failed logins are those of the gateway and of the wallet', () => {
  const ofWallet = [
    ...Object.keys(english.frame.walletErrors as Catalogue),
    'declined',
    'emailLoginUnavailable',
  ]
  const described = Object.keys(english.core.loginErrors as Catalogue).map((key) => key.slice(1))
  expect(described.filter((key) => !(key in Reason) && !ofWallet.includes(key))).toEqual([])
})

it('English chooses by the plural categories of English', () => {
  for (const [path, text] of originals)
    for (const selectors of pluralsIn(parseMessage(text)))
      expect.soft(selectors, path).toEqual(['one', 'other'])
})

const others = Object.entries(readLanguages()).filter(([tag]) => tag !== 'en')

describe.each(others)('%s', (tag, { name }) => {
  const language = readLanguage(tag)
  const { loginErrors, ...core } = language.core
  const texts = translatedAreas.flatMap((area) => textsOf(area === 'core' ? core : language[area], area))
  const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories

  it('has every text of English and no other', () => {
    expect(texts.map(([path]) => path).sort()).toEqual([...originals.keys()].sort())
    for (const [path, text] of texts) expect.soft(text === '', path).toBe(originals.get(path) === '')
  })

  it('names the same values, and has the same places for links', () => {
    for (const [path, text] of texts) {
      const original = originals.get(path) ?? ''
      const values = valuesOf(parseMessage(text))
      expect.soft([...values].sort(), path).toEqual([...valuesOf(parseMessage(original))].sort())
      expect.soft(placesOf(text), path).toEqual(placesOf(original))
    }
  })

  it('chooses by plural categories that it has, and always has a form', () => {
    for (const [path, text] of texts) {
      const message = parseMessage(text)
      for (const selectors of pluralsIn(message)) {
        const unknown = selectors.filter(
          (each) => !/^=\d+$/.test(each) && !categories.includes(each as never),
        )
        expect.soft(unknown, path).toEqual([])
        expect.soft(selectors, path).toContain('other')
      }
      for (const selectors of selectsIn(message)) expect.soft(selectors, path).toEqual(['none', 'other'])
    }
  })

  it('has a form for one wherever English has', () => {
    for (const [path, text] of texts) {
      const isCounted = pluralsIn(parseMessage(originals.get(path) ?? '')).length > 0
      if (!isCounted || !categories.includes('one')) continue
      for (const selectors of pluralsIn(parseMessage(text)))
        expect.soft(selectors.includes('one') || selectors.includes('=1'), path).toBe(true)
    }
  })

  it('is exported for sites, and listed in the documentation', () => {
    const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
    expect(read(`packages/react/src/locales/${tag}.ts`)).toContain(`'@hawser/texts/locales/${tag}'`)
    expect(read('docs/languages.md')).toMatch(
      new RegExp(`^\\| ${name}.* \`@hawser/react/locales/${tag}\` `, 'm'),
    )
  })

  it('has no English left', () => {
    const same = [...(sameAsEnglish['*'] ?? []), ...(sameAsEnglish[tag] ?? [])]
    const left = texts.filter(([path, text]) => {
      const isPlain = valuesOf(parseMessage(text)).length === 0
      return isPlain && text === originals.get(path) && !same.includes(text)
    })
    expect(left).toEqual([])
  })

  it('has every reason of a failed login, and its English is that of who refuses', () => {
    const described = Object.keys(english.core.loginErrors as Catalogue).map((key) => key.replace(/^@/, ''))
    expect(Object.keys(loginErrors as Catalogue).sort()).toEqual(described.sort())
    expect(entriesOf(english.core.loginErrors as Catalogue)).toEqual([])
    for (const [key, text] of entriesOf(loginErrors as Catalogue)) expect.soft(text, key).not.toBe('')
  })

  it('has every sentence and cause of a preview, with its value', () => {
    const { sentences, causes, unknownAccount } = language.preview as unknown as Catalogues
    expect(Object.keys(sentences).sort()).toEqual(namesOf(Phrase).sort())
    expect(Object.keys(causes).sort()).toEqual(namesOf(Cause).sort())
    expect(unknownAccount).not.toBe('')
    const known = english.preview as unknown as Catalogues
    for (const [phrase, sentence] of Object.entries(known.sentences))
      expect.soft(placesOf(sentences[phrase] ?? ''), phrase).toEqual(placesOf(sentence))
  })
})

/** The texts of previews. */
interface Catalogues {
  readonly unknownAccount: string
  readonly sentences: Readonly<Record<string, string>>
  readonly causes: Readonly<Record<string, string>>
}
