import { expect, it } from 'vitest'
import { shorten } from './shorten.ts'
import { visibleText } from './visibleText.ts'

it.each([
  ['plain text\n\tof two lines', 'plain text\n\tof two lines'],
  ['Привет، שלום', 'Привет، שלום'],
  ['pay\u202E001\u200B', 'pay\\u{202e}001\\u{200b}'],
  ['\u0000\u{E0041}', '\\u{0}\\u{e0041}'],
])('shows each character of %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown)
})

it('shortens an address, and nothing that is short', () => {
  expect(shorten('0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb')).toBe('0xab16a9…5Bfcdb')
  expect(shorten('0xab16a96D359eC')).toBe('0xab16a96D359eC')
})
