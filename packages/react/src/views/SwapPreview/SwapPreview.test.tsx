// @vitest-environment jsdom
import { requestQuote, type SwapArguments } from '@hawser/core'
import {
  askedOfWallet,
  BOB,
  DOLLAR_ADDRESS,
  type Kit,
  listedSwapTokens,
  quoteOf,
  Refusal,
  swapData,
  typedPermit,
  walletError,
} from '@hawser/core/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { findView, type OpenKit } from '../../testing/openKit.tsx'
import { action, halfAnEther, openQuotedSwap, sold } from '../../testing/openSwap.tsx'

const confirm = () => screen.getByTestId<HTMLButtonElement>('swap-confirm-button')

async function openPreview(prepare?: (kit: Kit) => void, wanted?: SwapArguments): Promise<OpenKit> {
  const kit = await openQuotedSwap(prepare, wanted)
  await kit.user.click(action())
  await findView('SwapPreview')
  await waitFor(() => expect(kit.hawser.swap.getState().steps).toBeDefined())
  await waitFor(() => expect(confirm().getAttribute('aria-busy')).toBeNull())
  return kit
}

describe('the preview', () => {
  it('shows both amounts to the last digit', async () => {
    await openPreview(
      ({ gateway }) => {
        gateway.conversions.quote = (question) => ({ ...quoteOf(question), toAmount: '1000000001' })
      },
      { ...halfAnEther, amount: '0.500000000000000001' },
    )
    expect(screen.getByTestId('swap-preview-sourceToken').textContent).toBe('0.500000000000000001 ETH')
    expect(screen.getByTestId('swap-preview-toToken').textContent).toBe('1,000.000001 tUSD')
    expect(confirm().textContent).toBe('Swap')
  })

  it.each([
    [0.06, 0.06, 'within 0.0006%', undefined],
    [840, 0.07, 'within 0.0007%', 'up to 9.2% more'],
    [840, null, 'within 8.4%', undefined],
  ])(
    'at %s bps from the best, %s with one exchange, says "%s"',
    async (boundBps, routerBoundBps, one, many) => {
      await openPreview(({ gateway }) => {
        gateway.conversions.quote = (question) => ({
          ...quoteOf(question),
          boundBps,
          // Absent if null: the quote has no such field.
          routerBoundBps: routerBoundBps as number,
        })
      })
      expect(screen.getByTestId('swap-bound').textContent).toContain(one)
      const more = screen.queryByTestId('swap-several-exchanges')?.textContent
      if (many) expect(more).toContain(many)
      else expect(more).toBeUndefined()
    },
  )

  it('swaps: shows how it goes, and leads back to the account', async () => {
    const kit = await openPreview()
    await kit.user.click(confirm())
    await findView('TransactionStatus')
    expect(screen.getByTestId('w3m-header-text').textContent).toBe('Swap')
    await waitFor(() =>
      expect(screen.getByTestId('transaction-label').textContent).toBe('Swapped 0.5 ETH for 1,000 tUSD'),
    )
    expect(screen.getByTestId('transaction-status').textContent).not.toContain('To')
    expect(screen.queryByTestId('wui-snackbar-message')).toBeNull()
    await kit.user.click(screen.getByTestId('transaction-done-button'))
    await findView('Account')
  })

  it('shows the steps that a token takes, and how far they have come', async () => {
    const kit = await openPreview(
      ({ gateway }) => {
        gateway.conversions.allowance = () => '0'
        gateway.node.eth_getTransactionReceipt = () => null
      },
      { fromToken: 'tUSD', toToken: 'ETH', amount: '10' },
    )
    expect(confirm().textContent).toBe('Approve and swap')
    const step = (kind: string) => screen.getByTestId(`swap-step-${kind}`)
    expect(step('approve').textContent).toContain('Approve exactly this amount')
    await kit.user.click(confirm())
    await waitFor(() => expect(step('approve').dataset.state).toBe('chain'))
    expect(step('approve').textContent).toContain('waiting for confirmation')
    expect(screen.queryByTestId('wui-snackbar-message')).toBeNull()
    expect(screen.getByTestId('swap-caution').textContent).toBe('Review transaction carefully')
    expect(step('approve').getAttribute('aria-current')).toBe('step')
    expect(step('swap').dataset.state).toBe('next')
    expect(confirm().textContent).toBe('Approve and swap')
  })

  it('shows the request to the wallet once if there is only one step', async () => {
    const kit = await openPreview(({ wallet }) => {
      wallet.answers.eth_sendTransaction = () => new Promise(() => undefined)
    })
    await kit.user.click(confirm())
    await waitFor(() =>
      expect(screen.getByTestId('swap-caution').textContent).toBe('Confirm transaction in your wallet'),
    )
    expect(confirm().textContent).toBe('Swap')
    expect(screen.queryByTestId('wui-snackbar-message')).toBeNull()
  })

  it('stays with the swap when the visitor declines', async () => {
    const kit = await openPreview(({ wallet }) => {
      wallet.answers.eth_sendTransaction = () => {
        throw walletError(4001, 'User rejected the request.')
      }
    })
    await kit.user.click(confirm())
    await kit.advance(150)
    await waitFor(() =>
      expect(screen.getByTestId('wui-snackbar-message').textContent).toBe('You declined. Nothing was sent.'),
    )
    await findView('SwapPreview')
    await waitFor(() => expect(confirm().disabled).toBe(false))
  })

  it('says that the price moved meanwhile, and waits for another confirmation', async () => {
    const kit = await openPreview(({ gateway }) => {
      gateway.conversions.transaction = () => {
        throw new Refusal(400, 'PRICE_MOVED')
      }
    })
    await kit.user.click(confirm())
    await screen.findByTestId('swap-price-moved')
    expect(kit.wallet.calls.some(({ method }) => method === 'eth_sendTransaction')).toBe(false)
  })

  it('says that the transaction could not be simulated, and asks for another confirmation', async () => {
    const kit = await openPreview(({ gateway }) => {
      const why = {
        confirmed: false,
        unconfirmedBecause: 'words of the gateway',
        unconfirmedCause: 'UNCONFIRMED_CAUSE_UNANSWERED' as const,
      }
      gateway.conversions.quote = (question) => ({ ...quoteOf(question), ...why })
      gateway.conversions.transaction = (body) => ({ amount: '1', toAmountMin: body.toAmountMin, ...why })
    })
    expect(screen.getByTestId('swap-unconfirmed').textContent).toContain(
      'simulated: no node could simulate it.',
    )
    expect(confirm().disabled).toBe(true)
    await kit.user.click(screen.getByTestId('swap-unconfirmed-accept'))
    await kit.user.click(confirm())
    await findView('TransactionStatus')
  })

  it('asks for another confirmation when only the final transaction cannot be simulated', async () => {
    const kit = await openPreview(({ gateway }) => {
      gateway.conversions.transaction = (body) => ({
        amount: '1',
        toAmountMin: body.toAmountMin,
        confirmed: false,
        unconfirmedBecause: 'words of the gateway',
        unconfirmedCause: 'UNCONFIRMED_CAUSE_FAILS_NOW',
        unconfirmedDetail: '"STF"',
      })
    })
    await kit.user.click(confirm())
    const text = 'the swap currently fails for this account (\u2068"STF"\u2069).'
    expect((await screen.findByTestId('swap-unconfirmed')).textContent).toContain(text)
    await waitFor(() => expect(confirm().disabled).toBe(true))
    expect(askedOfWallet(kit)).toEqual([])
    await kit.user.click(screen.getByTestId('swap-unconfirmed-accept'))
    await kit.user.click(confirm())
    await findView('TransactionStatus')
    expect(askedOfWallet(kit)).toHaveLength(1)
  })

  it('says in red what it refused, and that the wallet was not asked', async () => {
    const kit = await openPreview(({ gateway }) => {
      gateway.conversions.transaction = (body) => ({
        amount: '1',
        toAmountMin: body.toAmountMin,
        data: swapData(body, { recipient: BOB }),
      })
    })
    await kit.user.click(confirm())
    const refusal = await screen.findByTestId('swap-refusal')
    expect(refusal.textContent).toContain('The router pays another account. Nothing was sent to your wallet.')
    expect(askedOfWallet(kit)).toEqual([])
  })

  it('names the contract of a token in full', async () => {
    await openPreview()
    expect(screen.getByTestId('swap-contract-toToken').textContent).toContain(DOLLAR_ADDRESS)
    expect(screen.queryByTestId('swap-contract-sourceToken')).toBe(null)
  })

  it('warns of a price impact above 3 percent', async () => {
    await openPreview(({ gateway }) => {
      gateway.conversions.quote = (question) => ({ ...quoteOf(question), priceImpact: 3.2 })
    })
    expect(screen.getByTestId('swap-loss-impact').textContent).toContain('3.2%')
    expect(confirm().disabled).toBe(false)
  })

  it('asks twice above 10 percent', async () => {
    const kit = await openPreview(({ gateway }) => {
      gateway.conversions.quote = (question) => ({ ...quoteOf(question), priceImpact: 12.345 })
    })
    expect(screen.getByTestId('swap-loss-severe').textContent).toContain('12.35%')
    expect(screen.queryByTestId('swap-loss-impact')).toBeNull()
    expect(confirm().disabled).toBe(true)
    await kit.user.click(screen.getByTestId('swap-impact-accept'))
    expect(confirm().disabled).toBe(false)
  })

  it('takes the tick back when the loss of a newer quote is a step larger', async () => {
    let priceImpact = 11
    const kit = await openPreview(({ gateway }) => {
      gateway.conversions.quote = (question) => ({ ...quoteOf(question), priceImpact })
    })
    await kit.user.click(screen.getByTestId('swap-impact-accept'))
    expect(confirm().disabled).toBe(false)
    priceImpact = 60
    await act(() => requestQuote(kit.hawser))
    await waitFor(() => expect(screen.getByTestId('swap-loss-severe').textContent).toContain('60%'))
    expect(confirm().disabled).toBe(true)
  })

  it('needs a tick where the simulation shows a danger', async () => {
    const kit = await openPreview(({ gateway }) => {
      gateway.simulate = () => ({
        outcome: 'OUTCOME_SUCCEEDS',
        warnings: [{ severity: 'SEVERITY_DANGER', text: 'All leaves.' }],
      })
    })
    await screen.findByText('All leaves.')
    expect([confirm().textContent, confirm().disabled]).toEqual(['Swap anyway', true])
    await kit.user.click(screen.getByTestId('swap-danger-accept'))
    await kit.user.click(confirm())
    await findView('TransactionStatus')
    expect(askedOfWallet(kit)).toHaveLength(1)
  })

  it('ignores presses until the simulation has answered', async () => {
    const kit = await openPreview()
    act(() => kit.hawser.swap.setState({ preview: 'loading' }))
    await kit.user.click(confirm())
    expect(askedOfWallet(kit)).toEqual([])
    act(() => kit.hawser.swap.setState({ preview: 'unavailable' }))
    await kit.user.click(confirm())
    await findView('TransactionStatus')
  })

  it('shows a danger of the swap that is built after the permit, and asks for a tick', async () => {
    const kit = await openPreview(
      ({ gateway, wallet }) => {
        gateway.conversions.tokens = () => listedSwapTokens.map((token) => ({ ...token, eip2612: true }))
        gateway.conversions.allowance = () => '0'
        gateway.conversions.permit = () => ({ typedData: JSON.stringify(typedPermit()) })
        gateway.node.eth_getCode = () => '0x'
        wallet.answers.eth_signTypedData_v4 = () => `0x${'cd'.repeat(64)}1b`
        gateway.simulate = ({ calls }) =>
          calls?.length
            ? {
                outcome: 'OUTCOME_SUCCEEDS',
                warnings: [{ severity: 'SEVERITY_DANGER', text: 'All leaves.' }],
              }
            : { outcome: 'OUTCOME_MESSAGE' }
      },
      { fromToken: 'tUSD', toToken: 'ETH', amount: '10' },
    )
    const asked = () => askedOfWallet(kit).map(({ method }) => method)
    await kit.user.click(confirm())
    await screen.findByText('All leaves.')
    await waitFor(() => expect(kit.hawser.swap.getState().preview).toMatchObject({ outcome: 'message' }))
    await waitFor(() => expect(confirm().disabled).toBe(true))
    expect(asked()).toEqual(['eth_signTypedData_v4'])
    await kit.user.click(screen.getByTestId('swap-danger-accept'))
    await waitFor(() => expect(confirm().getAttribute('aria-busy')).toBeNull())
    await kit.user.click(confirm())
    await findView('TransactionStatus')
    expect(asked()).toEqual(['eth_signTypedData_v4', 'eth_signTypedData_v4', 'eth_sendTransaction'])
  })

  it('is left by Cancel with the swap kept', async () => {
    const kit = await openPreview()
    await kit.user.click(screen.getByTestId('swap-cancel-button'))
    await findView('Swap')
    expect(sold().value).toBe('0.5')
  })
})
