import { openOnramp as open, setBuyAmount } from '@hawser/core'
import { type Browser, createConnectedKit, type Kit, stubWindows } from '@hawser/core/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { findView, type OpenKit, renderPage } from './openKit.tsx'

export const amountField = () => screen.getByTestId<HTMLInputElement>('onramp-amount-input')

/** Opens Buy for a connected visitor; `prepare` sets up the gateway's answers. */
export async function openOnramp(
  prepare: (kit: Kit) => void = () => undefined,
): Promise<OpenKit & { browser: Browser }> {
  const browser = stubWindows(window)
  const connected = await createConnectedKit()
  prepare(connected)
  const kit = renderPage(connected)
  act(() => open(kit.hawser))
  await findView('OnRampProviders')
  await waitFor(() => expect(kit.hawser.onramp.getState().isLoaded).toBe(true))
  return { ...kit, browser }
}

/** Opens Buy with offers for 100 dollars. */
export async function openOffers(prepare?: (kit: Kit) => void) {
  const kit = await openOnramp(prepare)
  act(() => setBuyAmount(kit.hawser, '100'))
  await kit.advance(400)
  await waitFor(() => expect(kit.hawser.onramp.getState().isQuoting).toBe(false))
  return kit
}

/** Opens Buy with the better offer chosen. */
export async function openPurchase(prepare?: (kit: Kit) => void) {
  const kit = await openOffers(prepare)
  await kit.user.click(screen.getByTestId('onramp-continue-quay'))
  await findView('BuyInProgress')
  await kit.advance(0)
  return kit
}
