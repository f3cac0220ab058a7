import { expect, vi } from 'vitest'
import { fetchTokenBalance } from '../account/tokenBalance.ts'
import { openModal } from '../modal/modal.ts'
import { pushView } from '../router/navigate.ts'
import { setSwapAmount } from '../swap/edit.ts'
import { type SwapReadiness, swapReadiness } from '../swap/readiness.ts'
import { watchSwap } from '../swap/watchSwap.ts'
import type { SwapArguments } from '../types/swap.ts'
import { settle } from './fakeClock.ts'
import type { FakeWallet, WalletCall } from './fakeWallet.ts'
import { createConnectedKit, type Kit } from './kit.ts'

/** Connects a visitor and opens the swap, after the gateway's answers were prepared. */
export async function swapping(
  wanted: SwapArguments = {},
  prepare: (kit: Kit) => void = () => undefined,
  wallet?: FakeWallet,
): Promise<Kit & { stop: () => void }> {
  const kit = await createConnectedKit({}, wallet)
  prepare(kit)
  await fetchTokenBalance(kit.hawser)
  openModal(kit.hawser, { view: 'Swap' })
  const stop = watchSwap(kit.hawser, wanted)
  await vi.waitFor(() => expect(kit.hawser.swap.getState().availability).not.toBe('unknown'))
  if (kit.hawser.swap.getState().availability === 'available') {
    await vi.waitFor(() => expect(kit.hawser.swap.getState().isAtomic).not.toBe(undefined))
  }
  await kit.clock.advance(200)
  await settle()
  return { ...kit, stop }
}

/** Like `swapping`, with a quote and its preview open. */
export async function previewingSwap(
  wanted: SwapArguments,
  prepare?: (kit: Kit) => void,
  wallet?: FakeWallet,
): Promise<Kit & { stop: () => void }> {
  const kit = await swapping(wanted, prepare, wallet)
  await vi.waitFor(() => expect(readinessOf(kit)).toBe('ready'))
  pushView(kit.hawser, 'SwapPreview')
  return kit
}

export function readinessOf({ hawser }: Kit): SwapReadiness {
  return swapReadiness(hawser.swap.getState(), hawser.chain.getState())
}

/** Types an amount and waits until its quote is requested. */
export async function typeAmount(kit: Kit, text: string): Promise<void> {
  setSwapAmount(kit.hawser, text)
  await kit.clock.advance(200)
  await settle()
}

/** Requests for a path, oldest first. */
export function requestsFor({ gateway }: Kit, path: string): string[] {
  return gateway.requests.filter((request) => request.includes(path)).map(decodeURIComponent)
}

/** Hash that the wallet answers to every transaction. */
export const HASH = `0x${'ab'.repeat(32)}`

/** Returns the requests that prompt in the wallet. */
export function askedOfWallet({ wallet }: Kit): WalletCall[] {
  const silent = /^eth_(chainId|accounts|requestAccounts|call)|^wallet_get/
  return wallet.calls.filter(({ method }) => !silent.test(method))
}

/** Returns the steps of the swap as "kind state". */
export function stepsOf({ hawser }: Kit): string[] | undefined {
  return hawser.swap.getState().steps?.map(({ kind, state }) => `${kind} ${state}`)
}

/** Returns the text of the toast once one was replaced by the next. */
export async function toastAfter(kit: Kit): Promise<string> {
  await kit.clock.advance(150)
  return kit.hawser.toast.getState().message
}
