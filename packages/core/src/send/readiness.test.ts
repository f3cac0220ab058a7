import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { baseUnits, formatUnits } from '../amounts/units.ts'
import { DOLLAR, ETHER, GWEI } from '../testing/fakeGateway.ts'
import { BOB } from '../testing/fakeWallet.ts'
import type { FeeQuote } from '../types/adapter.ts'
import type { SendState } from '../types/state.ts'
import { gasCost, isSameToken, maxSendAmount, sendAmountInBaseUnits } from './amount.ts'
import { initialSend } from './draft.ts'
import { SEND_LABELS, sendReadiness } from './readiness.ts'

const ONE_ETHER = 10n ** 18n

function gasOf(gasPrice: bigint, dataFee = 0n): FeeQuote {
  const gasLimit = 21_000n
  const amount = gasPrice * gasLimit + dataFee
  return { amount, terms: { namespace: 'eip155', gasPrice, gasLimit, dataFee } }
}

const complete: SendState = {
  ...initialSend,
  token: ETHER,
  sendTokenAmount: '0.5',
  receiverAddress: BOB,
  receiverStatus: 'valid',
  fee: gasOf(GWEI),
  networkBalance: ONE_ETHER,
  tokenBalances: [ETHER, DOLLAR],
}

const someDollars = { token: DOLLAR, sendTokenAmount: '1' }

describe('the send button', () => {
  it.each<[string, string, Partial<SendState>]>([
    ['Select token', 'no token', { token: undefined, sendTokenAmount: '', receiverStatus: 'empty' }],
    ['Enter amount', 'no amount', { sendTokenAmount: '', receiverStatus: 'empty' }],
    ['Incorrect value', 'nothing to send', { sendTokenAmount: '0', receiverStatus: 'invalid' }],
    ['Incorrect value', 'a negative amount', { sendTokenAmount: '-1' }],
    ['Incorrect value', 'an exponent', { sendTokenAmount: '1e-7' }],
    ['Incorrect value', 'too many decimals', { sendTokenAmount: '0.0000000000000000001' }],
    ['Insufficient balance', 'one wei too much', { sendTokenAmount: '1.000000000000000001' }],
    [
      'Insufficient balance for network fee',
      'no wei left for gas',
      { sendTokenAmount: '1', receiverStatus: 'empty' },
    ],
    ['Insufficient balance for network fee', 'a token and no ether', { ...someDollars, networkBalance: 0n }],
    [
      'Insufficient balance for network fee',
      'a token and too little ether',
      { ...someDollars, networkBalance: 20_999n * GWEI },
    ],
    ['Enter address', 'no receiver', { receiverStatus: 'empty' }],
    ['Invalid address', 'a wrong receiver', { receiverStatus: 'invalid' }],
    [
      'For another network',
      'a receiver that names another network',
      {
        receiverStatus: 'invalid',
        receiverObjection: { kind: 'elsewhere', text: 'x', network: 'Base', target: undefined },
      },
    ],
    [
      'For another network',
      'a payment on another network',
      { receiverStatus: 'invalid', receiverObjection: { kind: 'otherNetwork', network: 'Base' } },
    ],
    [
      'For another network',
      'an address of another namespace',
      { receiverStatus: 'invalid', receiverKind: 'bip122' },
    ],
    [
      'Invalid address',
      'a wrong checksum',
      { receiverStatus: 'invalid', receiverObjection: { kind: 'wrongChecksum' } },
    ],
    ['Network fee unavailable', 'a node that fails', { isGasUnavailable: true, fee: undefined }],
    ['Review send', 'everything in place', {}],
  ])('says "%s" with %s', (label, _, change) => {
    expect(SEND_LABELS[sendReadiness({ ...complete, ...change })]).toBe(label)
  })

  it('is ready only when everything is known', () => {
    expect(sendReadiness(complete)).toBe('ready')
    expect(sendReadiness({ ...complete, receiverStatus: 'unchecked' })).toBe('loading')
    expect(sendReadiness({ ...complete, fee: undefined })).toBe('loading')
  })

  it('reports no missing gas before the balance is known', () => {
    expect(
      sendReadiness({ ...complete, token: DOLLAR, sendTokenAmount: '1', networkBalance: undefined }),
    ).toBe('ready')
  })

  it('requires no gas of a smart account', () => {
    const broke = { ...complete, token: DOLLAR, sendTokenAmount: '1', networkBalance: 0n }
    expect(sendReadiness(broke, { isSmartAccount: true })).toBe('ready')
  })
})

describe('sending everything', () => {
  it('keeps the gas of a native transfer, to the wei', () => {
    expect(maxSendAmount(complete)).toBe(ONE_ETHER - 21_000n * GWEI)
    expect(maxSendAmount({ ...complete, fee: gasOf(GWEI, 5n) })).toBe(ONE_ETHER - 21_000n * GWEI - 5n)
  })

  it('takes all of another token', () => {
    expect(maxSendAmount({ ...complete, token: DOLLAR })).toBe(12_500_000n)
  })

  it('is nothing when gas would take it all', () => {
    expect(maxSendAmount({ ...complete, networkBalance: 1n })).toBe(0n)
  })

  it('is unknown before gas is', () => {
    expect(maxSendAmount({ ...complete, fee: undefined })).toBeUndefined()
  })

  it('can always be paid for, whatever the balance and the price of gas', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 200n), fc.bigInt(1n, 10n ** 15n), (networkBalance, gasPrice) => {
        const send = { ...complete, networkBalance, fee: gasOf(gasPrice) }
        const max = maxSendAmount(send) ?? -1n
        if (max === 0n) {
          expect(networkBalance).toBeLessThanOrEqual(gasCost(send) as bigint)
          return
        }
        const all = { ...send, sendTokenAmount: formatUnits(max, 18) }
        expect(sendReadiness(all)).toBe('ready')
        expect(sendReadiness({ ...all, sendTokenAmount: formatUnits(max + 1n, 18) })).toBe('insufficientGas')
      }),
    )
  })
})

describe('an amount', () => {
  it('is exact for a token of 36 decimals', () => {
    const token = {
      ...DOLLAR,
      quantity: { decimals: '36', numeric: '1.000000000000000000000000000000000001' },
    }
    const sendTokenAmount = '1.000000000000000000000000000000000001'
    expect(sendAmountInBaseUnits({ ...complete, token, sendTokenAmount })).toBe(10n ** 36n + 1n)
    expect(baseUnits(token)).toBe(10n ** 36n + 1n)
    expect(sendReadiness({ ...complete, token, sendTokenAmount })).toBe('ready')
  })
})

it('compares tokens by contract, ignoring the case of the address', () => {
  expect(isSameToken(DOLLAR, { ...DOLLAR, address: DOLLAR.address?.toLowerCase() ?? '', price: 2 })).toBe(
    true,
  )
  expect(isSameToken(ETHER, DOLLAR)).toBe(false)
  expect(isSameToken(ETHER, { ...ETHER, chainId: 'eip155:1' })).toBe(false)
})
