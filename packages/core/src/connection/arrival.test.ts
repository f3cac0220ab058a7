// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openModal } from '../modal/modal.ts'
import { settle } from '../testing/fakeClock.ts'
import { createFakeWallet, type FakeWallet } from '../testing/fakeWallet.ts'
import { createKit, offer } from '../testing/kit.ts'

beforeEach(() => history.replaceState({ site: 1 }, '', '/shop?item=1&hawser-connect=1#pay'))

/** Opens the page of a link in the browser of wallets. */
async function arrive(wallets: readonly FakeWallet[]) {
  const kit = createKit({ connectors: wallets.map(offer) })
  const unmount = kit.hawser.mount()
  await vi.waitFor(() => expect(location.search).toBe('?item=1'))
  const view = () => kit.hawser.router.getState().view
  const isOpen = () => kit.hawser.modal.getState().open
  return { ...kit, view, isOpen, unmount }
}

const wallet = (name: string) => createFakeWallet({ id: name, name, info: { rdns: name, uuid: name } })

describe('a page that a link opened in the browser of a wallet', () => {
  it('connects the wallet, and keeps the rest of its URL and its state', async () => {
    const { hawser, clock, view, isOpen } = await arrive([wallet('Harbor')])
    expect(location.href).toMatch(/\/shop\?item=1#pay$/)
    expect(history.state).toEqual({ site: 1 })
    await clock.advance(300)
    expect([isOpen(), view()]).toEqual([true, 'ConnectingExternal'])
    expect(hawser.router.getState().data?.connector?.name).toBe('Harbor')
  })

  it('shows the list of wallets when there are several', async () => {
    const { clock, view, isOpen } = await arrive([wallet('Harbor'), wallet('Beacon')])
    await clock.advance(300)
    expect([isOpen(), view()]).toEqual([true, 'Connect'])
  })

  it('waits for a wallet that announces itself late, and no longer than three seconds', async () => {
    const { clock, view, isOpen } = await arrive([])
    await clock.advance(2_999)
    expect(isOpen()).toBe(false)
    await clock.advance(1)
    expect([isOpen(), view()]).toEqual([true, 'Connect'])
  })

  it('leaves a modal alone that was opened meanwhile', async () => {
    const { hawser, clock, view } = await arrive([wallet('Harbor')])
    openModal(hawser, { view: 'WhatIsAWallet' })
    await clock.advance(3_000)
    expect(view()).toBe('WhatIsAWallet')
  })

  it.each([
    ['a wallet that is there', [wallet('Harbor')]],
    ['one that announces itself later', []],
  ])('waits no longer for %s once the provider is unmounted', async (_, wallets) => {
    const { hawser, clock, isOpen, unmount } = await arrive(wallets)
    unmount()
    hawser.connectors.setState({ connectors: [wallet('Beacon').connector] })
    await clock.advance(5_000)
    expect(isOpen()).toBe(false)
  })

  it('is connected by the provider that replaces one before the code is loaded', async () => {
    const { hawser, clock } = createKit({ connectors: [offer(wallet('Harbor'))] })
    hawser.mount()()
    hawser.mount()
    await vi.waitFor(() => expect(location.search).toBe('?item=1'))
    await clock.advance(300)
    expect(hawser.router.getState().view).toBe('ConnectingExternal')
  })

  it('does nothing without the parameter', async () => {
    history.replaceState(null, '', '/shop')
    const { hawser, clock } = createKit({ connectors: [offer(wallet('Harbor'))] })
    hawser.mount()
    await settle()
    await clock.advance(5_000)
    expect(hawser.modal.getState().open).toBe(false)
  })
})
