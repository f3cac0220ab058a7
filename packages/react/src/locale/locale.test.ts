import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { alerts, thrown, toasts, walletTexts } from '@hawser/core'
import { expect, it } from 'vitest'

/** Returns all texts of a catalogue at any depth, except those that are built from parts. */
function textsOf(catalogue: object): string[] {
  return Object.values(catalogue).flatMap((entry: unknown) => {
    if (typeof entry === 'string') return [entry]
    return typeof entry === 'object' && entry !== null ? textsOf(entry) : []
  })
}

const source = fileURLToPath(new URL('..', import.meta.url))
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
)

it('writes no text of the catalogue out a second time', () => {
  const texts = textsOf([alerts, thrown, toasts, walletTexts]).filter((text) => text.includes(' '))
  expect(texts.length).toBeGreaterThan(50)
  const repeated = files.flatMap((file) => {
    const code = readFileSync(source + file, 'utf8')
    return texts.filter((text) => code.includes(`'${text}'`)).map((text) => `${file}: ${text}`)
  })
  expect(repeated).toEqual([])
})
