import { parseGwei, recoverTransactionAddress } from 'viem'
import { expect, it } from 'vitest'
import { addressesOf, deriveKeys } from './derive.ts'
import { signWith } from './signer.ts'

it.each([
  { type: 'legacy', gasPrice: parseGwei('1') },
  { type: 'eip1559', maxFeePerGas: parseGwei('2'), maxPriorityFeePerGas: parseGwei('1') },
] as const)('signs a transaction of type $type that its account is recovered from', async (fees) => {
  const keys = await deriveKeys(new Uint8Array(32).fill(7))
  const fields = { chainId: 31337, nonce: 1, gas: 21_000n, value: 5n, data: '0x' } as const
  const transaction = { ...fields, to: `0x${'ab'.repeat(20)}`, ...fees } as const
  const serialized = signWith(keys, { kind: 'transaction', transaction })
  const address = await recoverTransactionAddress({ serializedTransaction: serialized as `0x02${string}` })
  expect(address).toBe(addressesOf(keys).eip155)
})
