import { describe, expect, it, vi } from 'vitest'
import { closeModal } from '../modal/modal.ts'
import { goBack } from '../router/navigate.ts'
import { settle } from '../testing/fakeClock.ts'
import { DOLLAR, DOLLAR_ADDRESS, ETHER } from '../testing/fakeGateway.ts'
import { ALICE, BOB, deferred, walletError } from '../testing/fakeWallet.ts'
import type { Kit } from '../testing/kit.ts'
import { previewing, sent, transferData } from '../testing/previewing.ts'
import { openSend, setSendAmount } from './edit.ts'
import { discardSend } from './lock.ts'
import { sendReadiness } from './readiness.ts'
import { setReceiver } from './receiver.ts'
import { SendError, sendToken } from './sendToken.ts'

const HASH = `0x${'ab'.repeat(32)}`

describe('sending the native token', () => {
  it('requests exactly the amount, and no more gas than was shown', async () => {
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

  it('stays on the preview while the wallet prompts, then says "Transaction started", and clears the draft', async () => {
    const kit = await previewing(ETHER, '0.5')
    kit.gateway.node.eth_getTransactionReceipt = () => null
    const prompt = deferred<string>()
    kit.wallet.answers.eth_sendTransaction = () => prompt.promise
    const sending = sendToken(kit.hawser)
    expect(kit.hawser.router.getState().view).toBe('WalletSendPreview')
    expect(kit.hawser.send.getState().status).toBe('sending')
    expect(kit.hawser.toast.getState().open).toBe(false)

    prompt.resolve(HASH)
    await sending
    expect(kit.hawser.router.getState().history).toEqual(['Account', 'TransactionStatus'])
    expect(kit.hawser.toast.getState().open).toBe(false)
    expect(kit.hawser.send.getState()).toMatchObject({
      status: 'success',
      token: undefined,
      sendTokenAmount: '',
      receiverAddress: '',
      transactionHash: HASH,
      sent: { transaction: { metadata: { hash: HASH, status: 'pending' } } },
    })
    expect(kit.eventNames()).toContain('SEND_SUCCESS')
  })

  it('goes back to the account, not to the form, while the wallet prompts', async () => {
    const kit = await previewing(ETHER, '0.5')
    kit.wallet.answers.eth_sendTransaction = () => new Promise(() => undefined)
    void sendToken(kit.hawser)
    expect(kit.hawser.router.getState().history).toEqual(['Account', 'WalletSendPreview'])
    goBack(kit.hawser)
    expect(kit.hawser.router.getState().view).toBe('Account')
  })

  it('shows the pending draft instead of starting another', async () => {
    const kit = await previewing(ETHER, '0.5')
    kit.wallet.answers.eth_sendTransaction = () => new Promise(() => undefined)
    void sendToken(kit.hawser)
    await settle()
    goBack(kit.hawser)
    openSend(kit.hawser)
    expect(kit.hawser.router.getState().view).toBe('WalletSendPreview')
    expect(kit.hawser.send.getState()).toMatchObject({ status: 'sending', sendTokenAmount: '0.5' })
    closeModal(kit.hawser)
    openSend(kit.hawser, { token: DOLLAR })
    expect(kit.hawser.router.getState().view).toBe('WalletSendPreview')
    await expect(sendToken(kit.hawser)).rejects.toBeInstanceOf(SendError)
    expect(sent(kit)).toHaveLength(1)
  })

  it('refuses a second send while one is open', async () => {
    const kit = await previewing(ETHER, '0.5')
    kit.wallet.answers.eth_sendTransaction = () => new Promise(() => undefined)
    void sendToken(kit.hawser)
    await expect(sendToken(kit.hawser)).rejects.toBeInstanceOf(SendError)
    await settle()
    expect(sent(kit)).toHaveLength(1)
  })

  it('refuses a second send to a name while one is open', async () => {
    const kit = await previewing(ETHER, '0.5')
    kit.gateway.names.resolve = () => BOB
    const typing = setReceiver(kit.hawser, 'bob.hawser.id')
    await kit.clock.advance(500)
    await typing
    kit.wallet.answers.eth_sendTransaction = () => new Promise(() => undefined)
    void sendToken(kit.hawser)
    await vi.waitFor(() => expect(sent(kit)).toHaveLength(1))
    await expect(sendToken(kit.hawser)).rejects.toBeInstanceOf(SendError)
    await settle()
    expect(sent(kit)).toHaveLength(1)
  })

  it('is discarded on demand, and still reported when it is approved later', async () => {
    const kit = await previewing(ETHER, '0.5')
    const prompt = deferred<string>()
    kit.wallet.answers.eth_sendTransaction = () => prompt.promise
    kit.gateway.node.eth_getTransactionReceipt = () => null
    const sending = sendToken(kit.hawser)
    await settle()
    discardSend(kit.hawser)
    expect(kit.hawser.router.getState().history).toEqual(['Account'])
    expect(kit.hawser.send.getState()).toMatchObject({ status: 'draft', token: undefined })
    expect(kit.hawser.toast.getState().message).toBe('If you still approve it in your wallet, it is sent.')
    prompt.resolve(HASH)
    await sending
    await kit.clock.advance(150)
    expect(kit.hawser.toast.getState()).toMatchObject({ message: 'Transaction started', variant: 'success' })
    expect(kit.hawser.activity.getState().sent).toHaveLength(1)
  })

  it('throws "Unsupported chain" on a namespace that nothing sends on', async () => {
    const kit = await previewing(ETHER, '0.5')
    kit.hawser.chain.setState({ activeChain: 'polkadot' })
    await expect(sendToken(kit.hawser)).rejects.toThrow('Unsupported chain')
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

describe('a draft that is dropped before the wallet is prompted', () => {
  it.each([
    ['is discarded', ({ hawser }: Kit) => discardSend(hawser)],
    ['is of another account', ({ wallet }: Kit) => wallet.emit('accountsChanged', [BOB])],
    ['is of another network', ({ wallet }: Kit) => wallet.emit('chainChanged', '0x7a6a')],
  ])('and %s is not sent', async (_, drop) => {
    const kit = await previewing(DOLLAR, '1')
    const decimals = deferred<string>()
    kit.wallet.answers.eth_call = () => decimals.promise
    const sending = sendToken(kit.hawser)
    await settle()
    drop(kit)
    decimals.resolve(`0x${'6'.padStart(64, '0')}`)
    expect(await sending).toBeUndefined()
    expect(sent(kit)).toEqual([])
  })
})

describe('a send that fails', () => {
  it('says "Something went wrong" and keeps the draft on its preview', async () => {
    const kit = await previewing(ETHER, '0.5')
    kit.wallet.answers.eth_sendTransaction = () => {
      throw walletError(-32000, 'nonce too low')
    }
    expect(await sendToken(kit.hawser)).toBeUndefined()
    expect(kit.hawser.toast.getState()).toMatchObject({ message: 'Something went wrong', variant: 'error' })
    expect(kit.hawser.router.getState().history).toEqual(['Account', 'WalletSend', 'WalletSendPreview'])
    expect(kit.hawser.send.getState()).toMatchObject({ status: 'error', sendTokenAmount: '0.5' })
    expect(kit.events.at(-1)).toMatchObject({ event: 'SEND_ERROR', properties: { message: 'nonce too low' } })
  })

  it.each([
    [
      'the reason of a contract',
      'execution reverted: Blacklistable: account is blacklisted',
      'The contract refused it: Blacklistable: account is blacklisted',
    ],
    ['that a contract gives no reason', 'execution reverted', 'The contract refused it and gave no reason.'],
  ])('says %s, which the wallet passes on', async (_, message, text) => {
    const kit = await previewing(DOLLAR, '1')
    kit.wallet.answers.eth_sendTransaction = () => {
      throw Object.assign(walletError(-32603, 'Internal JSON-RPC error.'), { data: { code: 3, message } })
    }
    await sendToken(kit.hawser)
    await kit.clock.advance(150)
    expect(kit.hawser.toast.getState()).toMatchObject({ message: text, variant: 'error' })
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

  it('stays on the preview with the draft when the visitor declined', async () => {
    const kit = await previewing(ETHER, '0.5')
    kit.wallet.answers.eth_sendTransaction = () => {
      throw walletError(4001, 'User rejected the request.')
    }
    await sendToken(kit.hawser)
    expect(kit.hawser.router.getState().history).toEqual(['Account', 'WalletSend', 'WalletSendPreview'])
    expect(kit.hawser.send.getState()).toMatchObject({
      status: 'declined',
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
    kit.wallet.emit('accountsChanged', [BOB])
    prompt.reject(walletError(4001, 'User rejected the request.'))
    await sending
    expect(kit.hawser.router.getState().history).toEqual(['Account'])
  })

  it('is reported when the modal was closed meanwhile, and keeps the draft', async () => {
    const kit = await previewing(ETHER, '0.5')
    const prompt = deferred<string>()
    kit.wallet.answers.eth_sendTransaction = () => prompt.promise
    const sending = sendToken(kit.hawser)
    await settle()
    closeModal(kit.hawser)
    prompt.reject(walletError(4001, 'User rejected the request.'))
    await sending
    expect(kit.hawser.modal.getState().open).toBe(false)
    expect(kit.hawser.toast.getState().message).toBe('You declined. Nothing was sent.')
    openSend(kit.hawser)
    expect(kit.hawser.router.getState().view).toBe('WalletSend')
    expect(kit.hawser.send.getState()).toMatchObject({
      status: 'draft',
      sendTokenAmount: '0.5',
      receiverAddress: BOB,
    })
  })
})

describe('after a send', () => {
  const balanceRequests = ({ gateway }: Kit) =>
    gateway.requests.filter((request) => request.includes('/GetBalance ')).map(decodeURIComponent)

  it('reads the balances again once the transaction is in a block', async () => {
    const kit = await previewing(DOLLAR, '1')
    const before = balanceRequests(kit).length
    let receipt: unknown = null
    kit.gateway.node.eth_getTransactionReceipt = () => receipt
    await sendToken(kit.hawser)
    await settle()
    await kit.clock.advance(5_000)
    expect(balanceRequests(kit)).toHaveLength(before)
    receipt = { status: '0x1' }
    await kit.clock.advance(10_000)
    expect(balanceRequests(kit).at(-1)).toContain(`"forceUpdate":"eip155:31337:${DOLLAR_ADDRESS}`)
  })

  it.each([
    ['0x1', 'confirmed'],
    ['0x0', 'failed'],
  ])('its view shows the outcome of the receipt status %s, without a toast', async (status, end) => {
    const kit = await previewing(DOLLAR, '1.25')
    kit.gateway.node.eth_getTransactionReceipt = () => ({ status })
    await sendToken(kit.hawser)
    await settle()
    await kit.clock.advance(300)
    expect(kit.hawser.send.getState().sent?.transaction.metadata.status).toBe(end)
    expect(kit.hawser.toast.getState().open).toBe(false)
  })

  it.each([
    ['0x1', 'Sent 1.25 tUSD to 0x709979…dc79C8', 'success'],
    ['0x0', 'Transaction reverted', 'error'],
  ])(
    'a toast shows the outcome of the receipt status %s once its view is left',
    async (status, message, variant) => {
      const kit = await previewing(DOLLAR, '1.25')
      let receipt: unknown = null
      kit.gateway.node.eth_getTransactionReceipt = () => receipt
      await sendToken(kit.hawser)
      await settle()
      closeModal(kit.hawser)
      receipt = { status }
      await kit.clock.advance(3_000)
      expect(kit.hawser.toast.getState()).toMatchObject({ message, variant, open: true })
    },
  )

  it('polls at growing intervals, and stops after half an hour', async () => {
    const kit = await previewing(DOLLAR, '1')
    kit.gateway.node.eth_getTransactionReceipt = () => null
    await sendToken(kit.hawser)
    await settle()
    const asked = () =>
      kit.gateway.rpcCalls.filter(({ method }) => method === 'eth_getTransactionReceipt').length
    await kit.clock.advance(121_000)
    expect(asked()).toBeGreaterThan(5)
    expect(asked()).toBeLessThan(20)
    await kit.clock.advance(1_800_000)
    const total = asked()
    expect(total).toBeLessThan(200)
    await kit.clock.advance(600_000)
    expect(asked()).toBe(total)
  })

  it('looks once more after the computer was asleep for longer than that', async () => {
    const kit = await previewing(DOLLAR, '1.25')
    kit.gateway.node.eth_getTransactionReceipt = () => null
    await sendToken(kit.hawser)
    await settle()
    kit.gateway.node.eth_getTransactionReceipt = () => ({ status: '0x1' })
    kit.clock.sleep(3_600_000)
    await kit.clock.advance(0)
    await settle()
    expect(kit.hawser.send.getState().sent?.transaction.metadata.status).toBe('confirmed')
  })

  it('continues to poll when the node fails in between', async () => {
    const kit = await previewing(DOLLAR, '1')
    let answers = 0
    kit.gateway.node.eth_getTransactionReceipt = () => {
      answers += 1
      if (answers === 1) throw new Error('node down')
      return { status: '0x0' }
    }
    await sendToken(kit.hawser)
    await settle()
    await kit.clock.advance(2_000)
    expect(answers).toBe(2)
  })
})
