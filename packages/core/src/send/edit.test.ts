import { describe, expect, it, vi } from 'vitest'
import { openModal } from '../modal/modal.ts'
import { settle } from '../testing/fakeClock.ts'
import { DOLLAR, DOLLAR_ADDRESS, ETHER, GWEI } from '../testing/fakeGateway.ts'
import { ALICE, BOB, deferred } from '../testing/fakeWallet.ts'
import { createConnectedKit } from '../testing/kit.ts'
import { previewing, sent, transferData } from '../testing/previewing.ts'
import { fillMaxSendAmount, openSend, selectSendToken, setSendAmount } from './edit.ts'
import { estimateSendGas } from './gas.ts'
import { sendReadiness } from './readiness.ts'
import { sendToken } from './sendToken.ts'

describe('opening the send view', () => {
  it('starts a new draft and reads what the sender holds', async () => {
    const { hawser, events } = await createConnectedKit()
    setSendAmount(hawser, '9')
    openModal(hawser, { view: 'Account' })
    openSend(hawser)
    expect(hawser.router.getState().history).toEqual(['Account', 'WalletSend'])
    expect(hawser.send.getState().sendTokenAmount).toBe('')
    expect(events.at(-1)).toEqual({
      event: 'OPEN_SEND',
      properties: { network: 'eip155:31337', isSmartAccount: false },
    })
    await vi.waitFor(() =>
      expect(hawser.send.getState()).toMatchObject({
        loading: false,
        tokenBalances: [ETHER, DOLLAR],
        networkBalance: 10n ** 18n,
        networkBalanceInUSD: 2_000,
      }),
    )
  })
})

describe('gas', () => {
  it('is the price and the limit that the node names for this very transfer', async () => {
    const kit = await previewing(DOLLAR, '2.5')
    await estimateSendGas(kit.hawser)
    expect(kit.hawser.send.getState()).toMatchObject({
      gasPrice: GWEI,
      fee: { amount: 21_000n * GWEI, terms: { gasPrice: GWEI, gasLimit: 21_000n } },
    })
    expect(kit.hawser.send.getState().gasPriceInUSD).toBeCloseTo(0.042)
    expect(kit.gateway.rpcCalls.filter(({ method }) => method === 'eth_estimateGas').at(-1)).toEqual({
      chainId: 'eip155:31337',
      method: 'eth_estimateGas',
      params: [{ from: ALICE, to: DOLLAR_ADDRESS, data: transferData(BOB, 2_500_000n), value: '0x0' }],
    })
  })

  it('is that of the last requested transfer', async () => {
    const kit = await previewing(ETHER, '0.1')
    const late = deferred<string>()
    const limits: unknown[] = [late.promise, '0x5209']
    kit.gateway.node.eth_estimateGas = () => limits.shift()
    const first = estimateSendGas(kit.hawser)
    await settle()
    await estimateSendGas(kit.hawser)
    late.resolve('0xffff')
    await first
    expect(kit.hawser.send.getState().fee?.terms).toMatchObject({ gasLimit: 0x5209n })
  })

  it('includes a rollup’s fee for its base chain', async () => {
    const kit = await previewing(ETHER, '0.1')
    kit.gateway.node.eth_call = () => `0x${7n.toString(16).padStart(64, '0')}`
    await estimateSendGas(kit.hawser)
    expect(kit.hawser.send.getState().fee).toMatchObject({
      amount: 21_000n * GWEI + 7n,
      terms: { dataFee: 7n },
    })
  })

  it('is unknown when the transfer would revert', async () => {
    const kit = await previewing(DOLLAR, '1')
    kit.gateway.node.eth_estimateGas = () => {
      throw new Error('execution reverted: paused')
    }
    await estimateSendGas(kit.hawser)
    expect(sendReadiness(kit.hawser.send.getState())).toBe('refused')
    expect(kit.hawser.send.getState()).toMatchObject({ fee: undefined, refusal: { chain: 'paused' } })
    kit.gateway.node.eth_estimateGas = () => {
      throw new Error('node down')
    }
    await estimateSendGas(kit.hawser)
    expect(sendReadiness(kit.hawser.send.getState())).toBe('gasUnavailable')
    expect(kit.hawser.send.getState().refusal).toBeUndefined()
  })
})

describe('Max', () => {
  it('keeps gasPrice × gasLimit of the native token', async () => {
    const kit = await previewing(ETHER, '0.1')
    await fillMaxSendAmount(kit.hawser)
    expect(kit.hawser.send.getState().sendTokenAmount).toBe('0.999979')
  })

  it('follows a change of gas until an amount is typed', async () => {
    const kit = await previewing(ETHER, '0.1')
    await fillMaxSendAmount(kit.hawser)
    kit.gateway.node.eth_gasPrice = () => `0x${(2n * GWEI).toString(16)}`
    await estimateSendGas(kit.hawser)
    expect(kit.hawser.send.getState().sendTokenAmount).toBe('0.999958')
    setSendAmount(kit.hawser, '0.2')
    await estimateSendGas(kit.hawser)
    expect(kit.hawser.send.getState().sendTokenAmount).toBe('0.2')
  })

  it('is all of a token that pays no gas', async () => {
    const kit = await previewing(DOLLAR, '1')
    await fillMaxSendAmount(kit.hawser)
    expect(kit.hawser.send.getState().sendTokenAmount).toBe('12.5')
  })

  it('passes the estimated limit to the wallet', async () => {
    const kit = await previewing(ETHER, '0.1')
    await fillMaxSendAmount(kit.hawser)
    await sendToken(kit.hawser)
    expect(sent(kit)[0]?.params).toMatchObject([
      { gas: '0x5208', value: `0x${(10n ** 18n - 21_000n * GWEI).toString(16)}` },
    ])
  })

  it('clears when another token is chosen', async () => {
    const kit = await previewing(DOLLAR, '1')
    selectSendToken(kit.hawser, ETHER)
    expect(kit.hawser.send.getState()).toMatchObject({
      token: ETHER,
      sendTokenAmount: '',
      isMaxAmount: false,
    })
  })
})
