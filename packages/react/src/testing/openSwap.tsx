import { openSwap as open, type SwapArguments } from '@hawser/core'
import { createConnectedKit, type Kit } from '@hawser/core/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { findView, type OpenKit, renderPage } from './openKit.tsx'

export const sold = () => screen.getByTestId<HTMLInputElement>('swap-input-token-sourceToken')
export const bought = () => screen.getByTestId('swap-input-token-toToken')
export const action = () => screen.getByTestId<HTMLButtonElement>('swap-action-button')

export const halfAnEther = { fromToken: 'ETH', toToken: 'tUSD', amount: '0.5' }

/** Opens Swap for a connected visitor; `prepare` sets up the gateway's answers. */
export async function openSwap(
  wanted: SwapArguments = {},
  prepare: (kit: Kit) => void = () => undefined,
): Promise<OpenKit> {
  const connected = await createConnectedKit()
  prepare(connected)
  const kit = renderPage(connected)
  act(() => open(kit.hawser, wanted))
  await findView('Swap')
  await waitFor(() => expect(kit.hawser.swap.getState().availability).not.toBe('unknown'))
  await kit.advance(200)
  return kit
}

/** Opens Swap with a quote. */
export async function openQuotedSwap(
  prepare?: (kit: Kit) => void,
  wanted: SwapArguments = halfAnEther,
): Promise<OpenKit> {
  const kit = await openSwap(wanted, prepare)
  await waitFor(() => expect(kit.hawser.swap.getState().isAtomic).toBe(false))
  await kit.advance(200)
  await waitFor(() => expect(action().disabled).toBe(false))
  return kit
}
