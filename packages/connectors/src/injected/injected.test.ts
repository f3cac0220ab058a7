import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { list } from '../testing/listing.ts'
import { injected } from './injected.ts'

const provider = { request: async () => null }
const icon = 'data:image/svg+xml,<svg/>'
const info = { uuid: 'u-1', name: 'Example', icon, rdns: 'org.example' }

let page: EventTarget & { ethereum?: unknown }

beforeEach(() => {
  vi.useFakeTimers()
  page = new EventTarget()
  vi.stubGlobal('window', page)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function announce(detail: unknown): void {
  page.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail }))
}

describe('wallets that announce themselves', () => {
  it('are listed by their reverse domain name', async () => {
    const { connectors } = list(injected())
    announce({ info, provider })
    expect(connectors).toMatchObject([
      {
        id: 'org.example',
        name: 'Example',
        type: 'ANNOUNCED',
        chain: 'eip155',
        imageUrl: icon,
        info: { rdns: 'org.example', uuid: 'u-1' },
      },
    ])
    expect(await connectors[0]?.getProvider()).toBe(provider)
  })

  it('are requested to announce themselves, since they may have loaded before the page', () => {
    page.addEventListener('eip6963:requestProvider', () => announce({ info, provider }))
    expect(list(injected()).connectors).toHaveLength(1)
  })

  it('are listed once, however often they repeat it', () => {
    const { connectors } = list(injected())
    announce({ info, provider })
    announce({ info, provider })
    expect(connectors).toHaveLength(1)
  })

  it('are not listed after the kit was stopped', () => {
    const { connectors, stop } = list(injected())
    stop()
    announce({ info, provider })
    vi.advanceTimersByTime(10_000)
    expect(connectors).toEqual([])
  })

  it.each(['https://tracker.test/pixel.png', 'javascript:alert(1)', '', undefined])(
    'have no image when it is %j, which would contact another host',
    (icon) => {
      const { connectors } = list(injected())
      announce({ info: { ...info, icon }, provider })
      expect(connectors[0]).not.toHaveProperty('imageUrl')
    },
  )

  it('show an icon that has white space around it', () => {
    const { connectors } = list(injected())
    announce({ info: { ...info, icon: `\n  ${icon} \n` }, provider })
    expect(connectors).toMatchObject([{ imageUrl: icon }])
  })

  it.each([
    ['nothing', undefined],
    ['no provider', { info }],
    ['no info', { provider }],
    ['no name', { info: { ...info, name: '' }, provider }],
    ['no domain', { info: { ...info, rdns: undefined }, provider }],
  ])('are ignored when they announce %s', (_, detail) => {
    const { connectors } = list(injected())
    announce(detail)
    expect(connectors).toEqual([])
  })
})

describe('a wallet that does not announce itself', () => {
  it('is listed as "Browser Wallet" when no wallet announced itself', () => {
    page.ethereum = provider
    const { connectors } = list(injected())
    expect(connectors).toEqual([])
    vi.advanceTimersByTime(300)
    expect(connectors).toMatchObject([{ id: 'injected', name: 'Browser Wallet', type: 'INJECTED' }])
  })

  it('is not listed beside an announced wallet, which is usually the same', () => {
    page.ethereum = provider
    const { connectors } = list(injected())
    announce({ info, provider })
    vi.advanceTimersByTime(300)
    expect(connectors.map(({ name }) => name)).toEqual(['Example'])
  })

  it('is replaced by a wallet that announces itself late', () => {
    page.ethereum = provider
    const { connectors } = list(injected())
    vi.advanceTimersByTime(300)
    announce({ info, provider })
    expect(connectors.map(({ name }) => name)).toEqual(['Example'])
  })

  it('is not listed when there is none', () => {
    const { connectors } = list(injected())
    vi.advanceTimersByTime(300)
    expect(connectors).toEqual([])
  })
})
