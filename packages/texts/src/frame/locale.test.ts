import { describe, expect, it } from 'vitest'
import { isolateValues } from '../format/isolateValues.ts'
import { frame } from '../gen/en/frame.ts'
import { languageTags } from '../gen/languages.ts'
import { languageOf } from './language.ts'
import { findLanguage, loadLanguage } from './loadLanguage.ts'

describe.each(languageTags)('%s', (tag) => {
  it('names what opens and what is granted in words of their own', async () => {
    const language = await loadLanguage(tag)
    const { approval, sheet, grant } = language?.texts ?? frame
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
    const languages = await Promise.all(languageTags.map(loadLanguage))
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
    expect(languageOf('en', frame).texts.grant.justification('אב')).toBe('The site says: \u2068אב\u2069')
  })
})
