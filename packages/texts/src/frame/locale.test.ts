import { describe, expect, it } from 'vitest'
import { isolateValues } from '../format/isolateValues.ts'
import { en } from './en.ts'
import { languageOf } from './language.ts'
import { findLanguage, loadLanguage, tags } from './loadLanguage.ts'
import type { Texts } from './texts.ts'

type Leaf = string | ((...values: unknown[]) => string)

/** Returns all texts of a catalogue by their path, at any depth. */
function textsOf(catalogue: object, path = ''): [path: string, text: Leaf][] {
  return Object.entries(catalogue).flatMap(([key, text]: [string, Leaf | object]) =>
    typeof text === 'object' ? textsOf(text, `${path}.${key}`) : [[`${path}.${key}`, text] as [string, Leaf]],
  )
}

const originals = new Map(textsOf(en))

/** English words that a language uses itself. */
const loanwords: Readonly<Record<string, readonly string[]>> = {
  de: ['Browser', 'Contract', 'Login', 'Passkey', 'Smart Account', 'System', 'Token'],
  es: ['Passkey', 'Token'],
  fr: ['Passkey', 'Type'],
  'pt-BR': ['Login', 'Passkey', 'Token'],
  tr: ['Token'],
}

/** Returns the indices of the parameters that a text shows, whether they are texts or numbers. */
function shownValues(text: Leaf): number[] {
  if (typeof text === 'string') return []
  const kinds: ((index: number) => unknown)[] = [(index) => `<${index}>`, (index) => 71 + index]
  return [0, 1, 2].filter((changed) =>
    kinds.some((value) => {
      const values = [value(0), value(1), value(2)]
      return text(...values.with(changed, value(7))) !== text(...values)
    }),
  )
}

/** Returns the names of the places in a sentence, sorted. */
const placesOf = (text: Leaf) => (typeof text === 'string' ? (text.match(/\{\w+\}/g)?.sort() ?? []) : [])

describe.each(tags)('%s', (tag) => {
  async function load(): Promise<[path: string, text: Leaf][]> {
    const language = await loadLanguage(tag)
    const { warnings: _, ...texts }: Texts = language?.texts ?? en
    return textsOf(texts)
  }

  it('has every text, with the same values and places in it', async () => {
    const texts = await load()
    expect(texts.map(([path]) => path)).toEqual([...originals.keys()])
    for (const [path, text] of texts) {
      const original = originals.get(path) ?? ''
      expect.soft(shownValues(text), path).toEqual(shownValues(original))
      expect.soft(placesOf(text), path).toEqual(placesOf(original))
      if (typeof text === 'string') expect.soft(text, path).not.toBe('')
    }
  })

  it('has no English left', async () => {
    const left = (await load()).filter(([path, text]) => {
      const original = originals.get(path)
      return typeof text === 'string' && text === original && !loanwords[tag]?.includes(text)
    })
    expect(left).toEqual([])
  })

  it('names what opens and what is granted in words of their own', async () => {
    const language = await loadLanguage(tag)
    const { approval, sheet, grant } = language?.texts ?? en
    const titles = [...Object.values(approval.title), grant.title]
    expect(new Set(titles).size).toBe(titles.length)
    expect(new Set([sheet.approve, sheet.reject, grant.allow]).size).toBe(3)
  })
})

describe('a language', () => {
  it('is English for an unknown tag, and for a text that is not a tag', async () => {
    for (const tag of ['', 'en', 'xx', 'DE', '__proto__', 'toString', '../de'])
      expect(await loadLanguage(tag)).toBeUndefined()
  })

  it.each([
    [['de-AT', 'fr'], 'de'],
    [['fi', 'ar-EG'], 'ar'],
    [['pt-PT'], 'pt-BR'],
    [['zh-TW'], 'en'],
    [['en-GB', 'de'], 'en'],
    [['not a tag', ''], 'en'],
    [[], 'en'],
  ])('is the first of the visitor’s languages that there is: %j', (languages, tag) => {
    expect(findLanguage('auto', { languages })).toBe(tag)
  })

  it.each([
    ['fr', 'fr'],
    ['ko', 'de'],
    ['ko,fr', 'fr'],
    ['auto,fr', 'de'],
    ['fi,ko', 'de'],
    ['en', 'de'],
    ['', 'de'],
    ['xx', 'de'],
    ['__proto__', 'de'],
    ['../texts/fr', 'de'],
  ])('of a site that wants %j is %j, for a visitor who reads German and French', (wanted, tag) => {
    expect(findLanguage(wanted, { languages: ['de-CH', 'fr'] })).toBe(tag)
  })

  it('is English for a visitor whose languages are not available, whatever the site wants', () => {
    expect(findLanguage('auto,ko-KR', { languages: ['fi'] })).toBe('en')
    expect(findLanguage('ar', { languages: [] })).toBe('en')
  })

  it('is that of the site among several that the visitor reads', () => {
    expect(findLanguage('en', { languages: ['de', 'en-US'] })).toBe('en')
    expect(findLanguage('pt', { languages: ['en', 'pt-BR'] })).toBe('pt-BR')
    expect(findLanguage('zh-TW', { languages: ['en', 'zh-CN'] })).toBe('en')
  })

  it('runs from right to left in Arabic alone', async () => {
    const languages = await Promise.all(tags.map(loadLanguage))
    expect(languages.filter((found) => found?.direction === 'rtl').map((found) => found?.tag)).toEqual(['ar'])
  })
})

describe('a value in a sentence', () => {
  const sentence = (site: string) => `At ${site}.`

  it('is isolated from a sentence that runs from right to left', () => {
    expect(isolateValues({ sentence }, 'rtl').sentence('0xab')).toBe('At \u20680xab\u2069.')
  })

  it('is isolated in every language when its own letters could run from right to left', () => {
    expect(isolateValues({ sentence }, 'ltr').sentence('אב')).toBe('At \u2068אב\u2069.')
    expect(isolateValues({ sentence }, 'ltr').sentence('0xab')).toBe('At 0xab.')
    expect(isolateValues({ sentence }, 'ltr').sentence('1\u00a0ETH')).toBe('At 1\u00a0ETH.')
    expect(languageOf('en', en).texts.grant.justification('אב')).toBe('The site says: \u2068אב\u2069')
  })
})
