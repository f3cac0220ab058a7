import { RpcError } from '@hawser/client'
import { describe, expect, it } from 'vitest'
import { walletError } from '../testing/fakeWallet.ts'
import { walletErrorTable } from '../testing/walletErrorTable.ts'
import { WalletError, walletFailure, walletMessage } from './walletFailure.ts'

const OTHERWISE = 'Something went wrong'

describe('an error of a wallet', () => {
  it.each(walletErrorTable)('%s', (_, error, failure) => {
    expect(walletFailure(error)).toBe(failure)
  })

  it('may hold itself', () => {
    const error: Error = new Error('Failed')
    error.cause = error
    expect(walletFailure(error)).toBeUndefined()
  })

  it.each([
    [4001, 'declined', 'You declined.'],
    [5750, 'declined', 'You declined.'],
    [-32002, 'busy', 'Your wallet is already asking. Open it to continue.'],
    [5720, 'busy', 'Your wallet is already asking. Open it to continue.'],
    [4902, 'unknownNetwork', 'Your wallet doesn’t know this network. Add it there, then try again.'],
    [
      4100,
      'unauthorized',
      'Your wallet hasn’t given this site access to this account. Allow it there, then try again.',
    ],
    [4200, 'unsupported', 'Your wallet doesn’t support this. Try another wallet.'],
    [-32601, 'unsupported', 'Your wallet doesn’t support this. Try another wallet.'],
    [5700, 'unsupported', 'Your wallet doesn’t support this. Try another wallet.'],
    [5760, 'unsupported', 'Your wallet doesn’t support this. Try another wallet.'],
    [4900, 'offline', 'Your wallet can’t reach the network. Check its connection, then try again.'],
    [4901, 'offline', 'Your wallet can’t reach the network. Check its connection, then try again.'],
    [5710, 'unsupportedNetwork', 'Your wallet doesn’t support this network. Choose another one.'],
    [5730, 'unknownBatch', 'Your wallet no longer knows this transaction. Check its activity.'],
    [5740, 'batchTooLarge', 'Your wallet can’t do this in one go. Try a smaller amount.'],
    [-32603, 'internal', 'Your wallet reported a problem. Open it, then try again.'],
    [32603, 'internal', 'Your wallet reported a problem. Open it, then try again.'],
  ] as const)('with the code %i says what to do next, not what the wallet wrote', (code, failure, text) => {
    const error = walletError(code, 'failed for origin http://127.0.0.1')
    expect(walletFailure(error)).toBe(failure)
    expect(walletMessage(error, OTHERWISE)).toBe(text)
    expect(walletMessage(new Error('wrapped', { cause: error }), OTHERWISE)).toBe(text)
  })

  it('with a code that no standard names says what the flow says', () => {
    expect(walletMessage(walletError(-32000, 'nonce too low'), OTHERWISE)).toBe(OTHERWISE)
    expect(walletMessage('a text', OTHERWISE)).toBe(OTHERWISE)
    expect(walletMessage(undefined, OTHERWISE)).toBe(OTHERWISE)
  })

  it('is distinguished from one of a node, which may have the same code', () => {
    expect(walletFailure(new RpcError(-32603, 'Internal error'))).toBeUndefined()
  })

  it('may be one that the page found', () => {
    const error = new WalletError('wrongNetwork', 'The wallet is on another network')
    expect(walletMessage(new Error('wrapped', { cause: error }), OTHERWISE)).toBe(
      'Your wallet is on another network. Switch it back, then try again.',
    )
  })
})
