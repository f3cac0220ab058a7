import { describe, expect, it } from 'vitest'
import { closeModal } from '../modal/modal.ts'
import { settle } from '../testing/fakeClock.ts'
import { DOLLAR, DOLLAR_ADDRESS, ETHER } from '../testing/fakeGateway.ts'
import { ALICE, BOB, deferred, walletError } from '../testing/fakeWallet.ts'
import type { Kit } from '../testing/kit.ts'
import { previewing, sent, transferData } from '../testing/previewing.ts'
import { setSendAmount } from './edit.ts'
import { sendReadiness } from './readiness.ts'
import { SendError, sendToken } from './sendToken.ts'

const HASH = `0x${'ab'.repeat(32)}`

describe('sending the native token', () => {
  it('asks the wallet for exactly the amount, for no more gas than was shown', async () => {
    const kit = await previewing(ETHER, '0.500000000000000001')
    expect(await sendToken(kit.hawser)).toBe(HASH)
    expect(sent(kit)).toEqual([
      {
        method: 'eth_sendTransaction',
        params: [
          {
            from: ALICE,
            to: BOB,
            data: '0x',
            value: '0x6f05b59d3b20001',
            chainId: '0x7a69',
            gasPrice: '0x3b9aca00',
            gas: '0x5208',
          },
        ],
      },
    ])
  })

  it('shows the account while the wallet asks, then "Transaction started", and clears the draft', async () => {
    const kit = await previewing(ETHER, '0.5')
    const prompt = deferred<string>()
    kit.wallet.answers.eth_sendTransaction = () => prompt.promise
    const sending = sendToken(kit.hawser)
    expect(kit.hawser.router.getState().view).toBe('Account')
    expect(kit.hawser.send.getState().status).toBe('sending')

    prompt.resolve(HASH)
    await sending
    await kit.clock.advance(150)
    expect(kit.hawser.router.getState().history).toEqual(['Account'])
    expect(kit.hawser.toast.getState()).toMatchObject({
      message: 'Transaction started',
      variant: 'success',
      open: true,
    })
    expect(kit.hawser.send.getState()).toMatchObject({
      status: 'success',
      token: undefined,
      sendTokenAmount: '',
      receiverAddress: '',
      transactionHash: HASH,
    })
    expect(kit.eventNames()).toContain('SEND_SUCCESS')
  })

  it('refuses a second send while one is open', async () => {
    const kit = await previewing(ETHER, '0.5')
    kit.wallet.answers.eth_sendTransaction = () => new Promise(() => undefined)
    void sendToken(kit.hawser)
    await expect(sendToken(kit.hawser)).rejects.toBeInstanceOf(SendError)
    await settle()
    expect(sent(kit).length).toBeLessThanOrEqual(1)
  })

  it('refuses a draft that is not ready', async () => {
    const kit = await previewing(ETHER, '0.5')
    setSendAmount(kit.hawser, '2')
    await expect(sendToken(kit.hawser)).rejects.toThrow('insufficientFunds')
    expect(sent(kit)).toEqual([])
  })

  it('is not signed on a network the visitor did not see', async () => {
    const kit = await previewing(ETHER, '0.5')
    kit.wallet.answers.eth_chainId = () => '0x1'
    expect(await sendToken(kit.hawser)).toBeUndefined()
    expect(sent(kit)).toEqual([])
    expect(kit.eventNames()).toContain('SEND_ERROR')
  })
})

describe('sending a token', () => {
  it('calls transfer on its contract, and reads no answer of it', async () => {
    const kit = await previewing(DOLLAR, '12.5')
    await sendToken(kit.hawser)
    expect(sent(kit)[0]?.params).toEqual([
      {
        from: ALICE,
        to: DOLLAR_ADDRESS,
        data: transferData(BOB, 12_500_000n),
        value: '0x0',
        chainId: '0x7a69',
      },
    ])
    expect(kit.events.find(({ event }) => event === 'SEND_SUCCESS')).toMatchObject({
      properties: { token: DOLLAR_ADDRESS, amount: '12.5', network: 'eip155:31337', hash: HASH },
    })
  })
})

describe('a send that fails', () => {
  it('says "Something went wrong" and stays on the account', async () => {
    const kit = await previewing(ETHER, '0.5')
    kit.wallet.answers.eth_sendTransaction = () => {
      throw walletError(-32000, 'nonce too low')
    }
    expect(await sendToken(kit.hawser)).toBeUndefined()
    await kit.clock.advance(150)
    expect(kit.hawser.toast.getState()).toMatchObject({ message: 'Something went wrong', variant: 'error' })
    expect(kit.hawser.router.getState().view).toBe('Account')
    expect(kit.hawser.send.getState().status).toBe('error')
    expect(kit.events.at(-1)).toMatchObject({ event: 'SEND_ERROR', properties: { message: 'nonce too low' } })
  })

  it('says that the visitor declined and that nothing was sent', async () => {
    const kit = await previewing(ETHER, '0.5')
    kit.wallet.answers.eth_sendTransaction = () => {
      throw walletError(4001, 'User rejected the request.')
    }
    await sendToken(kit.hawser)
    await kit.clock.advance(150)
    expect(kit.hawser.toast.getState()).toMatchObject({
      message: 'You declined. Nothing was sent.',
      variant: 'neutral',
    })
  })

  it('says what to do when the wallet is busy, not what it wrote', async () => {
    const kit = await previewing(ETHER, '0.5')
    kit.wallet.answers.eth_sendTransaction = () => {
      throw walletError(-32002, 'Request of type eth_sendTransaction already pending')
    }
    await sendToken(kit.hawser)
    await kit.clock.advance(150)
    expect(kit.hawser.toast.getState()).toMatchObject({
      message: 'Your wallet is already asking. Open it to continue.',
      variant: 'error',
    })
  })

  it('goes back to the preview with the draft when the visitor declined', async () => {
    const kit = await previewing(ETHER, '0.5')
    kit.wallet.answers.eth_sendTransaction = () => {
      throw walletError(4001, 'User rejected the request.')
    }
    await sendToken(kit.hawser)
    expect(kit.hawser.router.getState()).toMatchObject({ view: 'WalletSendPreview', transactionStack: [] })
    expect(kit.hawser.send.getState()).toMatchObject({
      status: 'draft',
      token: ETHER,
      sendTokenAmount: '0.5',
      receiverAddress: BOB,
    })
    expect(sendReadiness(kit.hawser.send.getState())).toBe('ready')
  })

  it('shows no preview of a draft that was dropped in the meantime', async () => {
    const kit = await previewing(ETHER, '0.5')
    const prompt = deferred<string>()
    kit.wallet.answers.eth_sendTransaction = () => prompt.promise
    const sending = sendToken(kit.hawser)
    await settle()
    kit.wallet.tell('accountsChanged', [BOB])
    prompt.reject(walletError(4001, 'User rejected the request.'))
    await sending
    expect(kit.hawser.router.getState().history).toEqual(['Account'])
  })

  it('does not open what the visitor closed in the meantime', async () => {
    const kit = await previewing(ETHER, '0.5')
    const prompt = deferred<string>()
    kit.wallet.answers.eth_sendTransaction = () => prompt.promise
    const sending = sendToken(kit.hawser)
    await settle()
    closeModal(kit.hawser)
    prompt.reject(walletError(4001, 'User rejected the request.'))
    await sending
    expect(kit.hawser.modal.getState().open).toBe(false)
    expect(kit.hawser.router.getState().transactionStack).toEqual([])
  })
})

describe('after a send', () => {
  const balanceRequests = ({ gateway }: Kit) =>
    gateway.requests.filter((request) => request.includes('/balance?')).map(decodeURIComponent)

  it('reads the balances again once the transaction is in a block', async () => {
    const kit = await previewing(DOLLAR, '1')
    const before = balanceRequests(kit).length
    let receipt: unknown = null
    kit.gateway.node.eth_getTransactionReceipt = () => receipt
    await sendToken(kit.hawser)
    await kit.clock.advance(5_000)
    expect(balanceRequests(kit)).toHaveLength(before)
    receipt = { status: '0x1' }
    await kit.clock.advance(10_000)
    expect(balanceRequests(kit).at(-1)).toContain(`forceUpdate=eip155:31337:${DOLLAR_ADDRESS}`)
  })

  it('says so when the transaction reverted', async () => {
    const kit = await previewing(DOLLAR, '1')
    kit.gateway.node.eth_getTransactionReceipt = () => ({ status: '0x0' })
    await sendToken(kit.hawser)
    await kit.clock.advance(300)
    expect(kit.hawser.toast.getState()).toMatchObject({ message: 'Transaction reverted', variant: 'error' })
  })

  it('stops asking after two minutes, and asks less and less often', async () => {
    const kit = await previewing(DOLLAR, '1')
    kit.gateway.node.eth_getTransactionReceipt = () => null
    await sendToken(kit.hawser)
    const asked = () =>
      kit.gateway.rpcCalls.filter(({ method }) => method === 'eth_getTransactionReceipt').length
    await kit.clock.advance(121_000)
    const total = asked()
    expect(total).toBeGreaterThan(5)
    expect(total).toBeLessThan(20)
    await kit.clock.advance(600_000)
    expect(asked()).toBe(total)
  })

  it('goes on asking when the node fails in between', async () => {
    const kit = await previewing(DOLLAR, '1')
    let answers = 0
    kit.gateway.node.eth_getTransactionReceipt = () => {
      answers += 1
      if (answers === 1) throw new Error('node down')
      return { status: '0x0' }
    }
    await sendToken(kit.hawser)
    await kit.clock.advance(2_000)
    expect(answers).toBe(2)
  })
})
