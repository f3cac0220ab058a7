import { describe, expect, it } from 'vitest'
import { connect, selectConnector } from '../connection/connect.ts'
import { closeModal, openModal } from '../modal/modal.ts'
import { updateFeatures } from '../options/options.ts'
import { ALICE } from '../testing/fakeWallet.ts'
import { createKit, type Kit } from '../testing/kit.ts'

const analytics = { features: { analytics: true } }
const sent = ({ gateway }: Kit) => gateway.counted.flatMap(({ events }) => events)
const names = (kit: Kit) => sent(kit).map(({ event }) => event)

describe('with the feature analytics', () => {
  it('events are sent together, with how a wallet was connected and nothing else', async () => {
    const kit = createKit(analytics)
    kit.hawser.mount()
    openModal(kit.hawser)
    selectConnector(kit.hawser, kit.wallet.connector)
    await connect(kit.hawser, { connector: kit.wallet.connector })
    expect(kit.gateway.counted).toHaveLength(0)
    await kit.clock.advance(2_000)
    expect(kit.gateway.counted).toHaveLength(1)
    expect(sent(kit)).toEqual([
      { event: 'INITIALIZE' },
      { event: 'MODAL_OPEN' },
      { event: 'SELECT_WALLET', properties: { platform: 'browser' } },
      { event: 'CONNECT_SUCCESS', properties: { method: 'browser' } },
      { event: 'MODAL_CLOSE' },
    ])
    expect(JSON.stringify(kit.gateway.counted)).not.toContain(ALICE)
  })

  it('nothing is sent before the visitor does something', async () => {
    const kit = createKit(analytics)
    kit.hawser.mount()()
    await kit.clock.advance(10_000)
    expect(kit.gateway.counted).toEqual([])
  })

  it('what is left is sent when the page is left', () => {
    const kit = createKit(analytics)
    const unmount = kit.hawser.mount()
    openModal(kit.hawser)
    unmount()
    expect(names(kit)).toEqual(['INITIALIZE', 'MODAL_OPEN'])
  })

  it('no request has more than fifty events', async () => {
    const kit = createKit(analytics)
    kit.hawser.mount()
    for (let count = 0; count < 60; count += 1) {
      openModal(kit.hawser)
      closeModal(kit.hawser)
    }
    await kit.clock.advance(2_000)
    expect(kit.gateway.counted.map(({ events }) => events.length)).toEqual([50, 50, 21])
  })

  it('a gateway that does not answer is left alone', async () => {
    const kit = createKit(analytics)
    kit.gateway.status = 503
    kit.hawser.mount()
    openModal(kit.hawser)
    await kit.clock.advance(60_000)
    expect(kit.gateway.requests.filter((request) => request.includes('/v1/events'))).toHaveLength(1)
  })
})

describe('without it', () => {
  it('nothing is sent, and the site still receives its events', async () => {
    const kit = createKit({ features: { analytics: false } })
    kit.hawser.mount()
    openModal(kit.hawser)
    await kit.clock.advance(10_000)
    expect(kit.gateway.counted).toEqual([])
    expect(kit.eventNames()).toEqual(['MODAL_OPEN'])
  })

  it('what was not sent yet is dropped', async () => {
    const kit = createKit(analytics)
    kit.hawser.mount()
    openModal(kit.hawser)
    updateFeatures(kit.hawser, { analytics: false })
    await kit.clock.advance(10_000)
    expect(kit.gateway.counted).toEqual([])
  })
})
