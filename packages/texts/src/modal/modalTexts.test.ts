import { describe, expect, it } from 'vitest'
import { toasts } from '../gen/en/toasts.ts'
import { locales } from '../gen/locales.ts'
import { messagesOf, translated } from '../message.ts'
import { findLocale } from './findLocale.ts'
import type { Texts } from './texts.ts'

const toast = messagesOf('toasts', toasts)

describe.each(locales.map((locale) => [locale.tag, locale] as const))('%s', (tag, locale) => {
  const format = (decimal: string) => new Intl.NumberFormat(tag).format(Number(decimal))

  it('translates what core says by its key, with the values in it', async () => {
    await locale.load()
    const { core } = locale.texts as Texts
    const copied = toast('addressCopied')
    expect(translated(copied, core, format)).toBe(core.toasts.addressCopied)
    expect(core.toasts.addressCopied).not.toBe(copied.message)
    const sent = translated(toast('sent', { amount: '1,234.5', unit: 'ETH' }, 'bob.hawser.id'), core, format)
    expect(sent).not.toContain('Sent')
    expect(sent).toContain(`${format('1234.5')} ETH`)
    expect(sent).toContain('bob.hawser.id')
    expect(translated(toast('bought', '', ''), core, format)).not.toBe(toasts.bought('', ''))
    expect(translated(toast('bought', { amount: '5', unit: '' }, 'USDC'), core, format)).toContain('5')
  })

  it('translates a failed login by the reason of the gateway or of the wallet', async () => {
    await locale.load()
    const { core } = locale.texts as Texts
    const failed = (reason: string) =>
      translated({ message: 'In English', key: `loginErrors.${reason}` }, core, format)
    expect(failed('CODE_WRONG')).toBe(core.loginErrors.CODE_WRONG)
    expect(failed('CODE_WRONG')).not.toBe('In English')
    expect(failed('NAME_TAKEN')).toBe('In English')
    expect(failed('toString')).toBe('In English')
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
    expect(['', english.reason]).not.toContain(reason({ ...english, cause: 'NATIVE_LOW' }))
    expect(reason({ ...english, cause: '' })).toBe(english.reason)
    expect(reason({ ...english, cause: 'toString' })).toBe(english.reason)
  })
})
