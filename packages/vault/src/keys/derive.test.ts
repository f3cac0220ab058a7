import { expect, it } from 'vitest'
import { addressesOf, deriveKeys, entropyOf, mnemonicOf, wipeKeys } from './derive.ts'

const abandon = `${'abandon '.repeat(11)}about`

it('derives the published addresses of a mnemonic', async () => {
  const keys = await deriveKeys(entropyOf(abandon) ?? new Uint8Array())
  expect(addressesOf(keys)).toEqual({
    eip155: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
    solana: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk',
    bitcoin: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    taproot: 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
  })
})

it('writes 32 bytes as the words of BIP-39, and reads them back', () => {
  const entropy = Uint8Array.from({ length: 32 }, () => 0x7f)
  const words = mnemonicOf(entropy)
  expect(words).toBe(
    `${'legal winner thank year wave sausage worth useful '.repeat(3)}`.trim().replace(/useful$/, 'title'),
  )
  expect(entropyOf(`  ${words.toUpperCase()}\n`)).toEqual(entropy)
})

it('refuses words with a wrong checksum', () => {
  expect(entropyOf('abandon '.repeat(12))).toBeUndefined()
  expect(entropyOf('')).toBeUndefined()
})

it('overwrites keys with zeros', async () => {
  const keys = await deriveKeys(new Uint8Array(32))
  wipeKeys(keys)
  for (const key of Object.values(keys) as Uint8Array[]) expect(key.every((byte) => byte === 0)).toBe(true)
})
