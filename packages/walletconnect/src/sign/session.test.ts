import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readPeer } from './session.ts'

it('reads how a peer introduces itself', () => {
  const metadata = {
    name: 'Wallet',
    description: 'On a phone',
    url: 'https://wallet.test',
    icons: ['https://wallet.test/icon.png'],
    redirect: { native: 'wallet://' },
  }
  expect(readPeer({ publicKey: 'ab', metadata })).toEqual({ publicKey: 'ab', metadata })
})

it('cuts what is too long, and leaves out icons that are', () => {
  const { name, icons } = readPeer({
    metadata: { name: 'x'.repeat(1_000), icons: ['y'.repeat(20_000), 'z', 1, 'a', 'b', 'c', 'd'] },
  }).metadata
  expect(name).toHaveLength(128)
  expect(icons).toEqual(['z', 'a', 'b', 'c'])
})

it('reads any value', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const { metadata } = readPeer({ metadata: value })
      expect(Object.values(metadata).every((field) => typeof field !== 'number')).toBe(true)
      expect(readPeer(value).metadata.icons).toBeInstanceOf(Array)
    }),
  )
})
