import { approve } from './approval.ts'
import type { PolkadotWalletOptions } from './offerPolkadotWallet.ts'
import { hexOf, sign } from './sign.ts'
import { type SignerPayload, signedBytes } from './signedBytes.ts'

const MEMORY_KEY = 'hawser-lab/polkadot-wallet'

/**
 * Opens a wallet that needs no extension: it signs for real with well-known keys, one of each kind, and shows
 * what it is about to sign.
 *
 * @throws the error of an extension whose visitor declines.
 */
export async function openPolkadotWallet({ accounts, features }: PolkadotWalletOptions) {
  if (features.connectError) throw new Error('Rejected')
  if (!localStorage.getItem(MEMORY_KEY)) {
    const rows = accounts.map(({ type, address }): [string, string] => [type, address])
    await approve({ title: 'Share accounts', action: 'Connect', rows })
    localStorage.setItem(MEMORY_KEY, 'connected')
  }
  const shared = accounts.map(({ address, type }) => ({ address, type, name: `Test account (${type})` }))

  function accountOf(address: string) {
    const account = accounts.find((each) => each.address === address)
    if (!account) throw new Error('The account is not known')
    return account
  }

  return {
    accounts: {
      get: async () => shared,
      subscribe: () => () => undefined,
    },
    signer: {
      async signRaw({ address, data }: { address: string; data: string }) {
        if (features.signError) throw new Error('Cancelled')
        const account = accountOf(address)
        const text = new TextDecoder().decode(bytesOf(data))
        await approve({ title: 'Sign a message', action: 'Sign', rows: [['Account', address]], text })
        const bytes = new TextEncoder().encode(`<Bytes>${text}</Bytes>`)
        return { id: 1, signature: `0x${hexOf((await sign(account, bytes)).subarray(1))}` }
      },

      async signPayload(payload: SignerPayload) {
        if (features.sendError) throw new Error('Cancelled')
        const account = accountOf(payload.address)
        await approve({
          title: 'Sign a transaction',
          action: 'Sign',
          rows: [
            ['Account', payload.address],
            ['Chain', payload.genesisHash],
            ['Nonce', String(Number(payload.nonce))],
            ['Tip', String(BigInt(payload.tip))],
            ['Call', payload.method],
          ],
        })
        return { id: 1, signature: `0x${hexOf(await sign(account, signedBytes(payload)))}` }
      },
    },
  }
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
