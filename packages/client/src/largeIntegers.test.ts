import { expect, it } from 'vitest'
import { quoteLargeIntegers } from './largeIntegers.ts'

it.each([
  ['{"value":9007199254740993}', '{"value":"9007199254740993"}'],
  ['[-9007199254740993,18446744073709551615]', '["-9007199254740993","18446744073709551615"]'],
  ['{"value":9007199254740991}', '{"value":9007199254740991}'],
  ['{"price":0.12345678901234567,"n":1e30}', '{"price":0.12345678901234567,"n":1e30}'],
  ['{"a":"9007199254740993 \\"9007199254740993"}', '{"a":"9007199254740993 \\"9007199254740993"}'],
])('%s is read from %s without a lost digit', (json, expected) => {
  expect(quoteLargeIntegers(json)).toBe(expected)
})
