import { expect, it } from 'vitest'
import { parsePlainJson, plainText } from './plainText.ts'

it.each([
  ['\u202eCDSU\u202c', 'CDSU'],
  ['US\u200bDC\u2060\ufeff', 'USDC'],
  ['\u2066a\u2067b\u2068c\u2069', 'abc'],
  ['a\u0000b\u001b[31mc\u009d', 'ab[31mc'],
  ['one\r\n\ttwo\u2028three\u0085four', 'one two three four'],
  ['\ud800x', 'x'],
  ['Grüße 日本 😀', 'Grüße 日本 😀'],
])('removes invisible characters from %j', (text, plain) => {
  expect(plainText(text)).toBe(plain)
})

it('removes all hidden characters of any text, and is idempotent', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % below
  }
  const nasty = [0x202e, 0x2066, 0x200b, 0x200f, 0x85, 0x1b, 0x0a, 0xfeff, 0xe0001, 0xd800, 0x2029, 0x61]
  for (let round = 0; round < 2_000; round += 1) {
    const points = Array.from({ length: random(24) }, () =>
      random(2) ? (nasty[random(nasty.length)] ?? 0) : random(0x110000),
    )
    const plain = plainText(points.map((point) => String.fromCodePoint(point)).join(''))
    expect(plain).not.toMatch(/[\p{C}\u2028\u2029]/u)
    expect(plainText(plain)).toBe(plain)
  }
})

it('cleans every text of an answer, however deep, and nothing else', () => {
  const answer = { name: 'a\u202eb', list: [{ symbol: '\u200bX' }], n: 1, yes: true, none: null }
  expect(parsePlainJson(JSON.stringify(answer))).toEqual({
    name: 'ab',
    list: [{ symbol: 'X' }],
    n: 1,
    yes: true,
    none: null,
  })
})
