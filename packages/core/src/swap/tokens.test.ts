import { expect, it } from 'vitest'
import { updateAccount } from '../chain/chainState.ts'
import { createConnectedKit } from '../testing/kit.ts'
import { ETHER_ID } from '../testing/tokens.ts'
import { swapBalance } from './tokens.ts'

async function balanceOf(decimals: number, balance: string) {
  const { hawser } = await createConnectedKit()
  updateAccount(hawser.chain, 'eip155', { balance, tokenBalance: [] })
  const token = { address: ETHER_ID, name: 'Ether', symbol: 'ETH', decimals, iconUrl: '', eip2612: false }
  return swapBalance(hawser.swap.getState(), hawser.chain.getState(), token)
}

it.each([18, 6])(
  'is what the chain counts if the gateway gives the native token %s decimals',
  async (decimals) => {
    expect(await balanceOf(decimals, '1.000000000000000001')).toBe(1_000_000_000_000_000_001n)
  },
)

it('is unknown if the text has more decimals than the network', async () => {
  expect(await balanceOf(18, '1.0000000000000000001')).toBeUndefined()
})
