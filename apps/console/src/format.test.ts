import { expect, it } from 'vitest'
import { agoText, bytesText, dayText, durationText, shortText } from './format.ts'

it('a duration has its two largest units', () => {
  const texts = [0n, 59n, 60n, 3_661n, 90_000n, 86_400n].map(durationText)
  expect(texts).toEqual(['0 s', '59 s', '1 min', '1 h 1 min', '1 d 1 h', '1 d'])
})

it('a time is told by how long ago it was', () => {
  const now = 1_800_000_000_000
  const ago = (seconds: number) => agoText(BigInt(now / 1000 - seconds), now)
  expect([ago(5), ago(120), ago(7_200), ago(86_400), ago(10 * 86_400)]).toEqual([
    'just now',
    '2 minutes ago',
    '2 hours ago',
    'yesterday',
    '10 days ago',
  ])
})

it('a day is that of UTC in every time zone', () => {
  expect(dayText('2026-01-31')).toBe('31 Jan')
})

it('bytes have a unit', () => {
  expect([bytesText(0n), bytesText(1023n), bytesText(1536n), bytesText(5n << 30n)]).toEqual([
    '0 B',
    '1023 B',
    '1.5 KiB',
    '5.0 GiB',
  ])
})

it('only a long text is shortened', () => {
  expect(shortText('short')).toBe('short')
  expect(shortText('0123456789abcdef')).toBe('012345…cdef')
})
