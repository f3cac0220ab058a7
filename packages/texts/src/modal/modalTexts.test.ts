import { describe, expect, it } from 'vitest'
import { loginErrors } from '../gen/en/loginErrors.ts'
import { refusals } from '../gen/en/refusals.ts'
import { sendLabels } from '../gen/en/sendLabels.ts'
import { thrown } from '../gen/en/thrown.ts'
import { toasts } from '../gen/en/toasts.ts'
import { walletTexts } from '../gen/en/walletTexts.ts'
import { locales } from '../gen/locales.ts'
import { findLocale } from './findLocale.ts'
import type { Texts } from './texts.ts'

const exactDecimal = (decimal: string, tag: string) => new Intl.NumberFormat(tag).format(Number(decimal))
const catalogue = { toasts, walletTexts, sendLabels, thrown, loginErrors, refusals, exactDecimal }

describe.each(locales.map((locale) => [locale.tag, locale] as const))('%s', (tag, locale) => {
  it('translates toasts and errors for display, with the values in them', async () => {
    await locale.load()
    const texts = locale.texts as Texts
    const message = (english: string) => texts.message(english, catalogue)
    for (const text of [
      toasts.addressCopied,
      walletTexts.busy,
      thrown.connectFailed,
      ...Object.values(loginErrors),
    ]) {
      expect(message(text)).not.toBe(text)
    }
    const sent = message(toasts.sent('1,234.5 ETH', 'bob.hawser.id'))
    expect(sent).not.toContain('Sent')
    expect(sent).toContain(`${new Intl.NumberFormat(tag).format(1234.5)} ETH`)
    expect(sent).toContain('bob.hawser.id')
    expect(message(toasts.bought('', ''))).not.toBe(toasts.bought('', ''))
    expect(message(toasts.bought('5', 'USDC'))).toContain('5')
    expect(message('The site’s own toast')).toBe('The site’s own toast')
  })
})

describe.each(locales.map((locale) => [locale.tag, locale] as const))('a warning in %s', (_, locale) => {
  it('says what it names, isolated from its sentence', async () => {
    await locale.load()
    const { warning } = locale.texts as Texts
    const english = { severity: 'danger', subject: '', text: 'English.' } as const
    expect(warning({ ...english, phrase: 'DRAINS', value: '0xab' })).toContain('\u20680xab\u2069')
    expect(warning({ ...english, phrase: 'DRAINS', value: '' })).not.toMatch(/\{|\u2068|English/)
    expect(warning({ ...english, phrase: '', value: '' })).toBe('English.')
    expect(warning({ ...english, phrase: 'toString', value: '' })).toBe('English.')
  })
})

describe('a language is found', () => {
  it('by its tag', () => {
    expect(findLocale('de', [])?.tag).toBe('de')
    expect(findLocale('en', ['de'])).toBeUndefined()
  })

  it.each([
    [['de-AT', 'fr'], 'de'],
    [['fi', 'ar-EG'], 'ar'],
    [['en-GB', 'de'], undefined],
    [['fi', 'not a tag', ''], undefined],
    [[], undefined],
  ])('by the languages of the visitor, %j', (wanted, tag) => {
    expect(findLocale('auto', wanted)?.tag).toBe(tag)
  })
})

describe.each(locales.map((locale) => [locale.tag, locale] as const))('a reason in %s', (_, locale) => {
  it('is translated by its cause, and otherwise unchanged', () => {
    const { reason } = locale.texts as Texts
    const english = { reason: 'The account has too little SOL' }
    expect(reason({ ...english, cause: 'NATIVE_LOW' })).not.toMatch(/account|^$/)
    expect(reason({ ...english, cause: '' })).toBe(english.reason)
    expect(reason({ ...english, cause: 'toString' })).toBe(english.reason)
  })
})
