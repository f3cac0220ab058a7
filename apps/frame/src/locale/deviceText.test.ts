import { expect, it } from 'vitest'
import { deviceText, factorLabel } from './deviceText.ts'
import { en } from './en.ts'
import { loadLanguage } from './loadLanguage.ts'
import type { Texts } from './texts.ts'

const textsIn = async (tag: string): Promise<Texts> => (await loadLanguage(tag))?.texts ?? en

it.each([
  ['en', 'Chrome 156 on Linux', 'Chrome 156 on Linux'],
  ['de', 'Chrome 156 on Linux', 'Chrome 156 auf Linux'],
  ['ja', 'Passkey on Chrome 156 on Linux', 'Chrome 156（Linux）'],
  ['fr', 'Unknown browser on Unknown system', 'Navigateur inconnu sur Système inconnu'],
  ['de', 'Password', 'Passwort'],
  ['de', 'iPhone', 'iPhone'],
  ['de', '__proto__', '__proto__'],
])('in %s the label %j is %j', async (tag, label, expected) => {
  expect(factorLabel(label, await textsIn(tag)).replace(/[\u2068\u2069]/g, '')).toBe(expected)
})

it.each([
  ['en', 'this machine', 'This computer itself'],
  ['de', 'this machine', 'Dieses Gerät selbst'],
  ['de', 'Unknown system', 'Unbekanntes System'],
  ['de', '192.0.2.0/24', '192.0.2.0/24'],
])('in %s a device with %j has %j', async (tag, text, expected) => {
  expect(deviceText(text, await textsIn(tag))).toBe(expected)
})
