// @vitest-environment jsdom
import '@hawser/ui/testing'
import type { HawserEvent } from '@hawser/core'
import {
  ALICE,
  ANCHORS,
  createConnectedKit,
  createKit,
  devnetTwo,
  type Kit,
  transaction,
  UNLIMITED,
} from '@hawser/core/testing'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { HawserProvider } from '../provider/HawserProvider.tsx'
import { useAccount } from './useAccount.ts'
import { useActivity } from './useActivity.ts'
import { useApprovals } from './useApprovals.ts'
import { useDisconnect } from './useDisconnect.ts'
import { useHawser } from './useHawser.ts'
import { useHawserEvents } from './useHawserEvents.ts'
import { useModal } from './useModal.ts'
import { useNetwork } from './useNetwork.ts'
import { useNfts } from './useNfts.ts'
import { useSwitchNetwork } from './useSwitchNetwork.ts'
import { useTheme } from './useTheme.ts'
import { useToast } from './useToast.ts'
import { useTokens } from './useTokens.ts'
import { useWalletProvider } from './useWalletProvider.ts'

function inside<Value>(kit: Kit, hook: () => Value) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <HawserProvider hawser={kit.hawser}>{children}</HawserProvider>
  )
  return renderHook(hook, { wrapper }).result
}

describe('hooks', () => {
  it('throw outside a provider', () => {
    expect(() => renderHook(() => useHawser())).toThrow('useHawser must be used inside a HawserProvider')
  })

  it('useAccount and useNetwork follow the wallet', async () => {
    const kit = await createConnectedKit()
    const result = inside(kit, () => ({ account: useAccount(), network: useNetwork() }))
    expect(result.current.account).toMatchObject({ address: ALICE, isConnected: true, status: 'connected' })
    expect(result.current.network).toMatchObject({ chainId: 31337, isSupported: true })
    kit.wallet.chainId = 5
    act(() => kit.wallet.emit('chainChanged', '0x5'))
    expect(result.current.network).toMatchObject({ chainId: 5, isSupported: false })
  })

  it('useWalletProvider gives the wallet while it is connected', async () => {
    const kit = await createConnectedKit()
    const result = inside(kit, () => ({ provider: useWalletProvider(), disconnect: useDisconnect() }))
    expect(await result.current.provider?.request({ method: 'eth_accounts' })).toEqual([ALICE])
    await act(() => result.current.disconnect())
    expect(result.current.provider).toBeUndefined()
  })

  it('useSwitchNetwork switches through the wallet', async () => {
    const kit = await createConnectedKit()
    const result = inside(kit, () => useSwitchNetwork())
    await act(() => result.current(devnetTwo))
    expect(kit.wallet.chainId).toBe(31338)
  })

  it('useTokens returns the tokens and refreshes them', async () => {
    const result = inside(await createConnectedKit(), () => useTokens())
    await act(async () => void (await result.current.refresh()))
    expect(result.current.tokens.map(({ symbol }) => symbol)).toEqual(['ETH', 'tUSD'])
    expect(result.current.isLoaded).toBe(true)
  })

  it('useActivity returns the history page by page, and follows changes', async () => {
    const kit = await createConnectedKit()
    kit.gateway.history = (cursor) =>
      cursor ? { data: [transaction(1)] } : { data: [transaction(2)], next: 'c-2' }
    const result = inside(kit, () => useActivity())
    const numbers = () => result.current.transactions.map(({ metadata }) => metadata.nonce)
    await waitFor(() => expect(numbers()).toEqual([2]))
    expect(result.current.hasMore).toBe(true)
    await act(() => result.current.loadMore())
    expect(numbers()).toEqual([2, 1])
    expect(result.current.hasMore).toBe(false)
    kit.gateway.history = () => ({ data: [transaction(3)] })
    act(() => kit.hawser.push.setState({ activityChanges: 1 }))
    await waitFor(() => expect(numbers()).toEqual([3]))
  })

  it('useNfts returns the owned NFTs and the URLs of their images', async () => {
    const kit = await createConnectedKit()
    kit.gateway.nfts = () => ({ collections: [ANCHORS], backfilling: true })
    const result = inside(kit, () => useNfts())
    await waitFor(() => expect(result.current.collections).toEqual([ANCHORS]))
    expect(result.current).toMatchObject({ isLoaded: true, isBackfilling: true, hasFailed: false })
    expect(result.current.mediaUrl('m-1')).toContain('http://gateway.test/v1/nft-media/m-1')
  })

  it('useApprovals returns what others may take, and opens the review that revokes it', async () => {
    const kit = await createConnectedKit()
    kit.gateway.approvals = () => ({ approvals: [UNLIMITED], backfilling: true })
    const result = inside(kit, () => useApprovals())
    await waitFor(() => expect(result.current.approvals).toMatchObject([{ kind: 'erc20', unlimited: true }]))
    expect(result.current).toMatchObject({ isLoaded: true, isBackfilling: true, hasFailed: false })
    await act(() => result.current.revoke(result.current.approvals))
    expect(kit.hawser.modal.getState().open).toBe(true)
    expect(kit.hawser.router.getState().view).toBe('RevokeApprovals')
  })

  it('useModal opens and closes', () => {
    const result = inside(createKit(), () => useModal())
    act(() => result.current.open({ view: 'Networks' }))
    expect(result.current.isOpen).toBe(true)
    act(() => result.current.close())
    expect(result.current.isOpen).toBe(false)
  })

  it('useTheme changes the mode and the variables', () => {
    const result = inside(createKit(), () => useTheme())
    expect(result.current.themeMode).toBe('dark')
    act(() => result.current.setThemeMode('light'))
    act(() => result.current.setThemeVariables({ '--hw-color-accent': '#f60' }))
    expect(result.current).toMatchObject({
      themeMode: 'light',
      themeVariables: { '--hw-color-accent': '#f60' },
    })
  })

  it('useToast shows and hides', () => {
    const kit = createKit()
    const result = inside(kit, () => useToast())
    act(() => result.current.show({ message: 'Hello', variant: 'success' }))
    expect(kit.hawser.toast.getState()).toMatchObject({ message: 'Hello', open: true })
    act(() => result.current.hide())
    expect(kit.hawser.toast.getState().open).toBe(false)
  })

  it('useHawserEvents calls the listener with events', async () => {
    const heard: HawserEvent['event'][] = []
    const listen = ({ event }: HawserEvent) => void heard.push(event)
    const kit = createKit()
    const result = inside(kit, () => {
      useHawserEvents(listen)
      return useModal()
    })
    act(() => result.current.open())
    await waitFor(() => expect(heard).toEqual(['MODAL_OPEN']))
  })
})
