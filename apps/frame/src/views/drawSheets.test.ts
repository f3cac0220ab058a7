import { frame as en } from '@hawser/texts/en/frame'
import { type Language, languageOf } from '@hawser/texts/frame/language'
import type { Appearance, Sheet } from '@hawser/vault'
import { describe, expect, it } from 'vitest'
import { createDraw } from './drawSheets.ts'

const first = { kind: 'approval' } as Sheet
const second = { kind: 'grant' } as Sheet

const inLanguage = (locale: string): Appearance => ({
  themeMode: undefined,
  themeVariables: {},
  locale,
  siteName: 'Shop',
})

/** Creates a frame whose languages load when the test says so. */
function open() {
  const frame = {
    current: first as Sheet | undefined,
    /** What is in the page: the kind of a sheet and its language. */
    shown: undefined as string | undefined,
    draws: 0,
    loads: [] as string[],
  }
  const waiting = new Map<string, (language: Language | undefined) => void>()
  const draw = createDraw({
    approvals: { current: () => frame.current, place: () => ({ at: 1, of: 1 }) },
    loadView: async () => ({
      draw(sheet, _, language) {
        frame.draws += 1
        frame.shown = `${sheet.kind} ${language?.tag ?? 'en'}`
      },
      clear() {
        frame.shown = undefined
      },
    }),
    loadLanguage: (locale) => {
      frame.loads.push(locale)
      return new Promise((resolve) => waiting.set(locale, resolve))
    },
  })
  const answer = (locale: string, language: Language | undefined) => waiting.get(locale)?.(language)
  return Object.assign(frame, { draw, load: (tag: string) => answer(tag, languageOf(tag, en)), answer })
}

describe('a sheet', () => {
  it('is drawn once its language is loaded', async () => {
    const frame = open()
    const drawing = frame.draw(inLanguage('de'))
    expect(frame.shown).toBeUndefined()
    frame.load('de')
    await drawing
    expect(frame.shown).toBe('approval de')
  })

  it('is in the language that was named last, whichever loads first', async () => {
    const frame = open()
    const drawings = [frame.draw(inLanguage('de')), frame.draw(inLanguage('fr'))]
    frame.load('fr')
    await drawings[1]
    frame.load('de')
    await Promise.all(drawings)
    expect(frame).toMatchObject({ shown: 'approval fr', draws: 1 })
  })

  it('is removed at once when it is answered, whatever is being loaded', async () => {
    const frame = open()
    const drawing = frame.draw(inLanguage('de'))
    frame.load('de')
    await drawing
    void frame.draw(inLanguage('fr'))
    frame.current = undefined
    void frame.draw(inLanguage('fr'))
    expect(frame.shown).toBeUndefined()
  })

  it('is not left in the place of the next one, whose language is being loaded', async () => {
    const frame = open()
    const drawing = frame.draw(inLanguage('de'))
    frame.load('de')
    await drawing
    frame.current = second
    const next = frame.draw(inLanguage('fr'))
    expect(frame.shown).toBeUndefined()
    frame.load('fr')
    await next
    expect(frame.shown).toBe('grant fr')
  })

  it('is not drawn when it was answered while its language was loaded', async () => {
    const frame = open()
    const drawing = frame.draw(inLanguage('de'))
    frame.current = undefined
    await frame.draw(inLanguage('de'))
    frame.load('de')
    await drawing
    expect(frame).toMatchObject({ shown: undefined, draws: 0 })
  })
})

describe('a language', () => {
  it('is loaded once for all sheets', async () => {
    const frame = open()
    const drawing = frame.draw(inLanguage('de'))
    frame.load('de')
    await drawing
    frame.current = second
    await frame.draw(inLanguage('de'))
    expect(frame).toMatchObject({ shown: 'grant de', loads: ['de'] })
  })

  it('is loaded again after it could not be', async () => {
    const frame = open()
    const drawing = frame.draw(inLanguage('de'))
    frame.answer('de', undefined)
    await drawing
    expect(frame.shown).toBe('approval en')
    void frame.draw(inLanguage('de'))
    expect(frame.loads).toEqual(['de', 'de'])
  })

  it('is not loaded while there is no sheet', async () => {
    const frame = open()
    frame.current = undefined
    await frame.draw(inLanguage('de'))
    expect(frame.loads).toEqual([])
  })
})
