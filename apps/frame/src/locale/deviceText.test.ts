import { frame as en } from '@hawser/texts/en/frame'
import { loadLanguage } from '@hawser/texts/frame/loadLanguage'
import type { FrameTexts } from '@hawser/texts/frame/texts'
import { expect, it } from 'vitest'
import { deviceText, factorText } from './deviceText.ts'

const textsIn = async (tag: string): Promise<FrameTexts> => (await loadLanguage(tag))?.texts ?? en

it.each([
  ['en', 'DEVICE', 'Chrome 156 on Linux', 'Browser: Chrome 156 on Linux'],
  ['de', 'DEVICE', 'Chrome 156 on Linux', 'Browser: Chrome 156 auf Linux'],
  ['ja', 'PASSKEY', 'Passkey on Chrome 156 on Linux', 'パスキー：Chrome 156（Linux）'],
  [
    'fr',
    'DEVICE',
    'Unknown browser on Unknown system',
    'Navigateur : Navigateur inconnu sur Système inconnu',
  ],
  ['en', 'PASSKEY', 'Passkey', 'Passkey'],
  ['ar', 'PASSKEY', 'Passkey', 'مفتاح المرور'],
  ['de', 'PASSWORD', 'Password', 'Passwort'],
  ['de', 'LOGIN', 'Login', 'Login'],
  ['de', 'DEVICE', '', 'Browser'],
  ['de', 'PASSKEY', 'iPhone', 'Passkey: iPhone'],
  ['de', 'PASSKEY', '__proto__', 'Passkey: __proto__'],
])('in %s a factor of the kind %s with the label %j is %j', async (tag, kind, label, expected) => {
  const text = factorText({ kind: `FACTOR_KIND_${kind}`, label }, await textsIn(tag))
  expect(text.replace(/[\u2066-\u2069]/g, '')).toBe(expected)
})

it('says which factor is that of this browser', async () => {
  const factor = { kind: 'FACTOR_KIND_DEVICE', label: 'Chrome 156 on Linux', currentDevice: true }
  expect(factorText(factor, en)).toBe('Browser: Chrome 156 on Linux (this browser)')
})

it.each([
  ['en', 'this machine', 'This computer itself'],
  ['de', 'this machine', 'Dieses Gerät selbst'],
  ['de', 'Unknown system', 'Unbekanntes System'],
  ['de', '192.0.2.0/24', '192.0.2.0/24'],
])('in %s a device with %j has %j', async (tag, text, expected) => {
  expect(deviceText(text, await textsIn(tag))).toBe(expected)
})
