import { expect, it } from 'vitest'
import { shortWeiText, weiText } from './amount.ts'

it('amounts are exact, and short where there is no room', () => {
  expect(weiText('1234567890123456789', 'ETH')).toBe('1.234567890123456789 ETH')
  expect(shortWeiText('1234567890123456789', 'ETH')).toBe('1.234567 ETH')
  expect(shortWeiText('999999999999999999', 'ETH')).toBe('0.999999 ETH')
  expect(shortWeiText('90071992547409930000000000000', '')).toBe('90071992547.40993')
})

it('nothing is not almost nothing', () => {
  expect(shortWeiText('0', 'ETH')).toBe('0 ETH')
  expect(shortWeiText('1', 'ETH')).toBe('<0.000001 ETH')
})
