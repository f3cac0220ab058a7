import { describe, expect, it, vi } from 'vitest'
import { loginWithEmail } from '../embedded/emailLogin.ts'
import { approveData } from '../evm/evmCalls.ts'
import { registerName, stopRegistration } from '../names/registerName.ts'
import { sendAmountInBaseUnits } from '../send/amount.ts'
import { fillMaxSendAmount, selectSendToken, setSendAmount } from '../send/edit.ts'
import { estimateSendGas } from '../send/gas.ts'
import { previewSend } from '../send/previewSend.ts'
import { setReceiver } from '../send/receiver.ts'
import { planSwap } from '../swap/planSwap.ts'
import { previewSwap, shownSwapPreview } from '../swap/previewSwap.ts'
import { swapTokens } from '../swap/swapTokens.ts'
import { settle } from '../testing/fakeClock.ts'
import { swapTokens as listed, ROUTER, swapData, typedPermit } from '../testing/fakeConversions.ts'
import { createFakeEmbeddedWallet, whenUserIsRead } from '../testing/fakeEmbeddedWallet.ts'
import { DOLLAR, DOLLAR_ADDRESS, ETHER } from '../testing/fakeGateway.ts'
import { ALICE, BOB } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit, type Kit } from '../testing/kit.ts'
import { previewing, transferData } from '../testing/previewing.ts'
import { askedOfWallet, HASH, previewingSwap, readinessOf, typeAmount } from '../testing/swapping.ts'
import type { Preview } from '../types/preview.ts'
import { dangersOf } from './dangers.ts'

/** Returns the requests that the gateway simulates, in order. */
function simulated({ gateway }: Kit) {
  const requests: unknown[] = []
  const { simulate } = gateway
  gateway.simulate = (request) => {
    requests.push(request)
    return simulate(request)
  }
  return requests
}

describe('the preview of a transfer', () => {
  it('is of the call that the wallet will be requested to send', async () => {
    const kit = await previewing(DOLLAR, '12.5')
    const requests = simulated(kit)
    await previewSend(kit.hawser)
    expect(requests).toMatchObject([
      {
        chainId: 'eip155:31337',
        account: ALICE,
        calls: [{ to: DOLLAR_ADDRESS, data: transferData(BOB, 12_500_000n) }],
      },
    ])
  })

  it('has amounts in whole tokens, with every digit, and texts without hidden characters', async () => {
    const kit = await previewing(ETHER, '0.1')
    kit.gateway.simulate = () => ({
      outcome: 'OUTCOME_SUCCEEDS',
      changes: [
        {
          asset: { kind: 'ASSET_KIND_NATIVE' },
          outgoing: true,
          amount: '100000000000000001',
          counterparty: BOB,
        },
        {
          asset: { kind: 'ASSET_KIND_ERC721', contract: DOLLAR_ADDRESS, tokenId: '7' },
          amount: '1',
          counterparty: BOB,
        },
      ],
      approvals: [
        {
          asset: {
            kind: 'ASSET_KIND_ERC20',
            contract: DOLLAR_ADDRESS,
            symbol: 't\u202eUSD',
            decimals: 6,
          },
          spender: BOB,
          expiresAt: '1700000000',
        },
      ],
      warnings: [
        {
          severity: 'SEVERITY_DANGER',
          text: 'All\u200b leaves.',
          subject: BOB,
          phrase: 'PHRASE_DRAINS',
          value: BOB,
        },
        { severity: 'SEVERITY_CAUTION', text: 'Of a newer gateway.' },
      ],
    })
    await previewSend(kit.hawser)
    expect(kit.hawser.send.getState().preview).toEqual({
      outcome: 'succeeds',
      reason: '',
      cause: '',
      changes: [
        {
          isOutgoing: true,
          contract: '',
          amount: '0.100000000000000001',
          symbol: 'ETH',
          tokenId: '',
          counterparty: BOB,
        },
        {
          isOutgoing: false,
          contract: DOLLAR_ADDRESS,
          amount: '1',
          symbol: DOLLAR_ADDRESS,
          tokenId: '7',
          counterparty: BOB,
        },
      ],
      approvals: [
        {
          contract: DOLLAR_ADDRESS,
          amount: undefined,
          symbol: 'tUSD',
          tokenId: '',
          spender: BOB,
          expiresAt: 1_700_000_000,
          isRevoked: false,
        },
      ],
      warnings: [
        { severity: 'danger', text: 'All leaves.', subject: BOB, phrase: 'DRAINS', value: BOB },
        { severity: 'caution', text: 'Of a newer gateway.', subject: '', phrase: '', value: '' },
      ],
    })
  })

  it('says in words what the call asks, with the values of the descriptor in whole tokens', async () => {
    const kit = await previewing(ETHER, '0.1')
    const asset = {
      kind: 'ASSET_KIND_ERC20',
      contract: DOLLAR_ADDRESS,
      symbol: 'tU\u202eSD',
      decimals: 6,
    } as const
    const inner = { intent: 'Return the rest', rows: [] }
    kit.gateway.simulate = () => ({
      outcome: 'OUTCOME_SUCCEEDS',
      descriptions: [
        {
          intent: 'Swap',
          sentence: [{ text: 'Pay ' }, { row: 0 }, { text: '.' }],
          rows: [
            { label: 'Pay\u0000', kind: 'VALUE_KIND_AMOUNT', value: '1500000', asset },
            { label: 'Most', kind: 'VALUE_KIND_AMOUNT', value: '2', asset, unlimited: true, message: 'All' },
            { label: 'Note', kind: 'VALUE_KIND_TEXT', value: 'a\u202eb' },
            { label: 'Count', kind: 'VALUE_KIND_NUMBER', value: '7' },
            { label: 'Final', kind: 'VALUE_KIND_FLAG', value: 'true' },
            { label: 'Data', kind: 'VALUE_KIND_BYTES', value: '0x01' },
            { label: 'To', kind: 'VALUE_KIND_ADDRESS', value: BOB },
            { label: 'Item', kind: 'VALUE_KIND_COLLECTIBLE', asset: { ...asset, tokenId: '9' } },
            { label: 'Until', kind: 'VALUE_KIND_TIME', value: '1700000000' },
            { label: 'For', kind: 'VALUE_KIND_DURATION', value: '60' },
            { label: 'Fee', kind: 'VALUE_KIND_QUANTITY', value: '30', decimals: 2, unit: '%' },
            { label: 'Then', kind: 'VALUE_KIND_CALL', value: BOB, inner },
          ],
          owner: 'Example',
          contractName: 'Router',
        },
      ],
    })
    await previewSend(kit.hawser)
    const amount = { amount: '1.5', symbol: 'tUSD', tokenId: '' }
    const most = { ...amount, amount: '0.000002' }
    const { descriptions } = kit.hawser.send.getState().preview as Preview
    expect(descriptions).toEqual([
      {
        intent: 'Swap',
        sentence: ['Pay ', 0, '.'],
        owner: 'Example, Router',
        rows: [
          { label: 'Pay', value: { kind: 'amount', amount, isUnlimited: false, message: '' } },
          { label: 'Most', value: { kind: 'amount', amount: most, isUnlimited: true, message: 'All' } },
          { label: 'Note', value: { kind: 'text', text: 'ab' } },
          { label: 'Count', value: { kind: 'number', text: '7' } },
          { label: 'Final', value: { kind: 'flag', isSet: true } },
          { label: 'Data', value: { kind: 'bytes', text: '0x01' } },
          { label: 'To', value: { kind: 'address', address: BOB } },
          { label: 'Item', value: { kind: 'token', symbol: 'tUSD', tokenId: '9' } },
          { label: 'Until', value: { kind: 'time', seconds: 1_700_000_000 } },
          { label: 'For', value: { kind: 'duration', seconds: 60 } },
          { label: 'Fee', value: { kind: 'quantity', text: '0.3', unit: '%' } },
          {
            label: 'Then',
            value: {
              kind: 'call',
              address: BOB,
              inner: { intent: 'Return the rest', sentence: [], rows: [], owner: '' },
            },
          },
        ],
      },
    ])
  })

  it.each<[string, (kit: Kit) => unknown]>([
    ['amount', ({ hawser }) => setSendAmount(hawser, '0.2')],
    ['token', ({ hawser }) => selectSendToken(hawser, DOLLAR)],
    ['receiver', ({ hawser }) => setReceiver(hawser, ALICE)],
    ['maximum', ({ hawser }) => fillMaxSendAmount(hawser)],
  ])('is dropped by an edit of the %s, also while it is read', async (_, edit) => {
    const kit = await previewing(ETHER, '0.1')
    await previewSend(kit.hawser)
    expect(kit.hawser.send.getState().preview).toMatchObject({ outcome: 'succeeds' })
    const reading = previewSend(kit.hawser)
    expect(kit.hawser.send.getState().preview).toBe('loading')
    await edit(kit)
    await reading
    expect(kit.hawser.send.getState().preview).toBeUndefined()
  })

  it('is read again when the fee changes a maximum that is under review', async () => {
    const kit = await previewing(ETHER, '0.1')
    await fillMaxSendAmount(kit.hawser)
    await previewSend(kit.hawser)
    const requests = simulated(kit)
    kit.gateway.node.eth_estimateGas = () => '0xffff'
    await estimateSendGas(kit.hawser)
    await vi.waitFor(() => expect(kit.hawser.send.getState().preview).toMatchObject({ outcome: 'succeeds' }))
    const value = sendAmountInBaseUnits(kit.hawser.send.getState())
    expect(requests).toMatchObject([{ calls: [{ to: BOB, value: String(value) }] }])
  })

  it('is unavailable for a draft that is incomplete', async () => {
    const kit = await previewing(ETHER, '0.1')
    setSendAmount(kit.hawser, '')
    await previewSend(kit.hawser)
    expect(kit.hawser.send.getState().preview).toBe('unavailable')
  })

  it('is unavailable while the gateway does not answer', async () => {
    const kit = await previewing(ETHER, '0.1')
    kit.gateway.status = 503
    await previewSend(kit.hawser)
    expect(kit.hawser.send.getState().preview).toBe('unavailable')
  })

  it('is read again after an outage, until its draft is confirmed', async () => {
    const kit = await previewing(ETHER, '0.1')
    const { hawser, clock, gateway } = kit
    gateway.status = 503
    await previewSend(hawser)
    clock.advance(1_000)
    await settle()
    expect(hawser.send.getState().preview).toBe('unavailable')
    gateway.status = 200
    gateway.simulate = () => ({ outcome: 'OUTCOME_SUCCEEDS' })
    clock.advance(4_000)
    await vi.waitFor(() => expect(hawser.send.getState().preview).toMatchObject({ outcome: 'succeeds' }))

    gateway.simulate = () => ({ outcome: 'OUTCOME_NOT_SIMULATED', cause: 'CAUSE_CHAIN_UNAVAILABLE' })
    await previewSend(hawser)
    const requests = simulated(kit)
    hawser.send.setState({ status: 'sending' })
    clock.advance(1_000)
    await settle()
    expect(requests).toEqual([])
    hawser.send.setState({ status: 'draft' })
    await previewSend(hawser)
    for (let count = 0; count < 5; count++) {
      clock.advance(10_000)
      await settle()
    }
    expect(requests).toHaveLength(4)
  })

  it('is not read for an embedded wallet, which shows its own', async () => {
    const frame = createFakeEmbeddedWallet()
    const kit = createKit({}, frame)
    frame.emailAction = 'CONNECT'
    kit.hawser.mount()
    await loginWithEmail(kit.hawser, 'ada@example.com')
    await whenUserIsRead(kit.hawser)
    const requests = simulated(kit)
    kit.hawser.send.setState({ token: ETHER, sendTokenAmount: '0.1', receiverAddress: BOB })
    await previewSend(kit.hawser)
    expect(requests).toEqual([])
    expect(kit.hawser.send.getState().preview).toBeUndefined()
  })
})

describe('the preview of a swap', () => {
  const sellDollars = { fromToken: 'tUSD', toToken: 'ETH', amount: '10' }
  const permitPlan = {
    kind: 'permit',
    approvals: [{ to: DOLLAR_ADDRESS, data: approveData(ROUTER, 10_000_000n), value: 0n }],
    typedData: '{}',
  } as const

  it('is of its approvals and of the swap, in one batch', async () => {
    const kit = await previewingSwap(sellDollars, ({ gateway }) => {
      gateway.conversions.allowance = () => '0'
      gateway.conversions.transaction = (body) => ({
        amount: '5000000000000000',
        toAmountMin: body.toAmountMin,
        ...(body.batch && { calls: [{ to: ROUTER, data: swapData(body), value: '0' }] }),
      })
    })
    const requests = simulated(kit)
    await planSwap(kit.hawser)
    expect(requests).toMatchObject([
      { calls: [{ to: DOLLAR_ADDRESS, data: approveData(ROUTER, 10_000_000n) }, { to: ROUTER }] },
    ])
    expect(kit.hawser.swap.getState().preview).toMatchObject({ outcome: 'succeeds' })
  })

  it('is of the permit, and of the swap once the permit is signed', async () => {
    const kit = await previewingSwap(sellDollars, ({ gateway, wallet }) => {
      gateway.conversions.allowance = () => '0'
      gateway.conversions.tokens = () => listed.map((token) => ({ ...token, eip2612: true }))
      gateway.conversions.permit = () => ({ typedData: JSON.stringify(typedPermit()) })
      gateway.node.eth_getCode = () => '0x'
      wallet.answers.eth_signTypedData_v4 = () => `0x${'cd'.repeat(64)}1b`
    })
    const requests = simulated(kit)
    await planSwap(kit.hawser)
    expect(requests).toMatchObject([{ typedData: expect.stringContaining('"Permit"') }])
    await swapTokens(kit.hawser)
    expect(requests[1]).toMatchObject({ calls: [{ to: ROUTER }] })
  })

  const danger = { severity: 'SEVERITY_DANGER', text: 'All leaves.', subject: ROUTER } as const

  it.each(['before', 'while'])(
    'stops before the wallet on a danger that was read %s it is confirmed',
    async (when) => {
      const kit = await previewingSwap({ fromToken: 'ETH', toToken: 'tUSD', amount: '0.5' })
      kit.gateway.simulate = () => ({ outcome: 'OUTCOME_SUCCEEDS', warnings: [danger] })
      if (when === 'before') await planSwap(kit.hawser)
      expect(await swapTokens(kit.hawser)).toBe(undefined)
      expect(askedOfWallet(kit)).toEqual([])
      expect(kit.hawser.swap.getState().status).toBe('draft')
      const shown = dangersOf(shownSwapPreview(kit.hawser.swap.getState()))
      expect(shown).toHaveLength(1)
      await vi.waitFor(() => expect(readinessOf(kit)).toBe('ready'))
      expect(await swapTokens(kit.hawser, { acceptedDangers: shown })).toBe(HASH)
    },
  )

  it('stops on the same sentence about another asset than the accepted one', async () => {
    const kit = await previewingSwap({ fromToken: 'ETH', toToken: 'tUSD', amount: '0.5' })
    kit.gateway.simulate = () => ({ outcome: 'OUTCOME_SUCCEEDS', warnings: [danger] })
    await planSwap(kit.hawser)
    const acceptedDangers = dangersOf({
      ...(kit.hawser.swap.getState().preview as Preview),
      warnings: [{ severity: 'danger', text: 'All leaves.', subject: DOLLAR_ADDRESS, phrase: '', value: '' }],
    })
    expect(await swapTokens(kit.hawser, { acceptedDangers })).toBe(undefined)
    expect(askedOfWallet(kit)).toEqual([])
  })

  it('has ended when the steps cannot be read', async () => {
    const kit = await previewingSwap(sellDollars)
    kit.hawser.swap.setState({ preview: 'loading' })
    kit.gateway.status = 503
    await planSwap(kit.hawser)
    expect(kit.hawser.swap.getState().preview).toBe('unavailable')
  })

  it('is of no other amount', async () => {
    const kit = await previewingSwap(sellDollars)
    kit.hawser.swap.setState({ preview: 'unavailable', builtPreview: 'unavailable' })
    await typeAmount(kit, '11')
    const { preview, builtPreview } = kit.hawser.swap.getState()
    expect([preview, builtPreview]).toEqual([undefined, undefined])
  })

  it.each([
    ['the approval', 'calls', 'typedData'],
    ['the permit', 'typedData', 'calls'],
  ] as const)('keeps the warnings of one request when %s cannot be previewed', async (_, lost, known) => {
    const kit = await previewingSwap(sellDollars)
    kit.gateway.simulate = (request) => {
      if ((request[lost]?.length ?? 0) > 0) throw new Error('Out of order')
      expect(request[known]?.length).toBeGreaterThan(0)
      return {
        outcome: 'OUTCOME_MESSAGE',
        warnings: [{ severity: 'SEVERITY_DANGER', text: 'All leaves.' }],
      }
    }
    await previewSwap(kit.hawser, permitPlan, kit.hawser.latest.begin('preview'))
    expect(kit.hawser.swap.getState().preview).toMatchObject({
      outcome: 'message',
      isPartial: true,
      warnings: [{ severity: 'danger', text: 'All leaves.' }],
    })
  })

  it('has the most severe warnings of all requests first, and each only once', async () => {
    const kit = await previewingSwap(sellDollars)
    const shared = {
      severity: 'SEVERITY_CAUTION',
      text: 'The account is not known.',
      subject: ROUTER,
    } as const
    kit.gateway.simulate = ({ calls }) => ({
      outcome: 'OUTCOME_SUCCEEDS',
      warnings: calls?.length
        ? [shared, { severity: 'SEVERITY_NOTICE', text: 'An approval.' }]
        : [
            { severity: 'SEVERITY_DANGER', text: 'All leaves.' },
            { ...shared, subject: DOLLAR_ADDRESS },
            shared,
          ],
    })
    await previewSwap(kit.hawser, permitPlan, kit.hawser.latest.begin('preview'))
    expect(kit.hawser.swap.getState().preview).toMatchObject({
      warnings: [
        { severity: 'danger', text: 'All leaves.' },
        { severity: 'caution', subject: ROUTER },
        { severity: 'caution', subject: DOLLAR_ADDRESS },
        { severity: 'notice', text: 'An approval.' },
      ],
    })
  })

  it('is unavailable when no request can be previewed, and whole when all can', async () => {
    const kit = await previewingSwap(sellDollars)
    await previewSwap(kit.hawser, permitPlan, kit.hawser.latest.begin('preview'))
    expect(kit.hawser.swap.getState().preview).toMatchObject({ outcome: 'succeeds', isPartial: false })
    kit.gateway.status = 503
    await previewSwap(kit.hawser, permitPlan, kit.hawser.latest.begin('preview'))
    expect(kit.hawser.swap.getState().preview).toBe('unavailable')
  })
})

describe('the statement of a name', () => {
  it('is shown with its preview before the wallet is requested to sign it', async () => {
    const kit = await createConnectedKit()
    let signedBefore = -1
    kit.gateway.simulate = () => {
      signedBefore = kit.wallet.calls.filter(({ method }) => method === 'personal_sign').length
      return { outcome: 'OUTCOME_MESSAGE' }
    }
    await registerName(kit.hawser, 'alice.hawser.id')
    expect(signedBefore).toBe(0)
    const { signing } = kit.hawser.names.getState()
    expect(signing?.text).toContain('register alice.hawser.id')
    expect(signing?.preview).toMatchObject({ outcome: 'message' })
  })

  it('is not signed once the visitor left while it was previewed', async () => {
    const kit = await createConnectedKit()
    kit.gateway.simulate = () => {
      stopRegistration(kit.hawser)
      return {}
    }
    expect(await registerName(kit.hawser, 'alice.hawser.id')).toBe(false)
    await settle()
    expect(kit.wallet.calls.some(({ method }) => method === 'personal_sign')).toBe(false)
    expect(kit.eventNames()).not.toContain('REGISTER_NAME_ERROR')
  })
})
