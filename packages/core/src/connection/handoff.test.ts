import { describe, expect, it, vi } from 'vitest'
import { closeModal, openModal } from '../modal/modal.ts'
import { createPairingKit, type PairingKit } from '../testing/createPairingKit.ts'
import { settle } from '../testing/fakeClock.ts'
import { walletError } from '../testing/fakeWallet.ts'
import type { RecentWallet, WaitingRequest } from '../types/connector.ts'

import { disconnect } from './disconnect.ts'
import { confirmHandoff } from './handoff.ts'
import { cancelPairing, pair } from './pairing.ts'
import { watchSilence } from './silence.ts'

const metamask: RecentWallet = {
  id: 'aa'.repeat(32),
  name: 'MetaMask',
  browserLink: 'https://link.metamask.test/dapp/{location}',
}

/** Starts a hand-off and waits until its page is offered. */
async function started({ hawser, phone, state }: PairingKit, wallet: RecentWallet | undefined = metamask) {
  const attempt = pair(hawser, { connector: phone.connector, wallet, isHandoff: true })
  attempt.catch(() => undefined)
  await vi.waitFor(() => expect(state().wcUri).toBe(phone.handoffs.at(-1)?.uri))
  return { attempt, handoff: phone.handoffs.at(-1) as PairingKit['phone']['handoffs'][number] }
}

/** Connects a wallet by a hand-off. */
async function connected(kit: PairingKit, wallet?: RecentWallet) {
  const { attempt, handoff } = await started(kit, wallet)
  handoff.open('123456')
  await vi.waitFor(() => expect(kit.state().handoff).toBeDefined())
  confirmHandoff(kit.hawser)
  handoff.approve()
  await attempt
}

describe('a hand-off', () => {
  it('offers a page, then digits, and connects once both screens have confirmed them', async () => {
    const kit = createPairingKit()
    const { attempt, handoff } = await started(kit)
    expect(kit.state()).toMatchObject({ wcUri: 'https://gateway.test/open/0', status: 'disconnected' })
    confirmHandoff(kit.hawser)
    expect(handoff.isConfirmed).toBe(false)
    handoff.open('012345')
    await settle()
    expect(kit.state().handoff).toMatchObject({ digits: '012345', isConfirmed: false })
    expect(handoff.isConfirmed).toBe(false)
    confirmHandoff(kit.hawser)
    expect(handoff.isConfirmed).toBe(true)
    expect(kit.state().handoff).toMatchObject({ isConfirmed: true })
    handoff.approve()
    await attempt
    expect(kit.state()).toMatchObject({ status: 'connected', wcUri: undefined, handoff: undefined })
    expect(kit.hawser.connectors.getState().recentWallets[0]).toEqual(metamask)
  })

  it('replaces a pairing, and is replaced by one', async () => {
    const kit = createPairingKit()
    const first = pair(kit.hawser, { connector: kit.phone.connector })
    first.catch(() => undefined)
    await vi.waitFor(() => expect(kit.state().wcUri).toBe('wc:0@2'))
    const { attempt } = await started(kit)
    await expect(first).rejects.toMatchObject({ kind: 'superseded' })
    expect(kit.phone.pairings[0]?.isCancelled).toBe(true)
    pair(kit.hawser, { connector: kit.phone.connector }).catch(() => undefined)
    await expect(attempt).rejects.toMatchObject({ kind: 'superseded' })
    expect(kit.phone.handoffs[0]?.isCancelled).toBe(true)
  })

  it('that is cancelled tells the wallet, and shows no digits that come later', async () => {
    const kit = createPairingKit()
    const { attempt, handoff } = await started(kit)
    cancelPairing(kit.hawser)
    handoff.open('123456')
    await expect(attempt).rejects.toMatchObject({ kind: 'superseded' })
    expect(handoff.isCancelled).toBe(true)
    expect(kit.state().handoff).toBeUndefined()
  })

  it('that is declined in the wallet has no digits left', async () => {
    const kit = createPairingKit()
    const { attempt, handoff } = await started(kit)
    handoff.open('123456')
    await settle()
    handoff.reject(walletError(5000, 'No.'))
    await expect(attempt).rejects.toMatchObject({ kind: 'rejected' })
    expect(kit.state().handoff).toBeUndefined()
  })

  it('says that another device opened its page as well', async () => {
    const kit = createPairingKit()
    const { handoff } = await started(kit)
    handoff.open('123456')
    await settle()
    expect(kit.state().handoff).toMatchObject({ hasSecondScan: false })
    handoff.scanAgain()
    await settle()
    expect(kit.state().handoff).toMatchObject({ digits: '123456', hasSecondScan: true, isConfirmed: false })
    cancelPairing(kit.hawser)
    await settle()
    const another = await started(kit)
    another.handoff.open('234567')
    await settle()
    expect(kit.state().handoff).toMatchObject({ digits: '234567', hasSecondScan: false })
  })

  it('shows the digits of the page that was opened first', async () => {
    const kit = createPairingKit()
    const { handoff } = await started(kit)
    pair(kit.hawser, { connector: kit.phone.connector, isHandoff: true }).catch(() => undefined)
    kit.hawser.connecting.pairing?.offer()
    await vi.waitFor(() => expect(kit.phone.handoffs).toHaveLength(2))
    handoff.open('111111')
    await settle()
    kit.phone.handoffs[1]?.open('222222')
    await settle()
    confirmHandoff(kit.hawser)
    expect(kit.state().handoff?.digits).toBe('111111')
    expect(kit.phone.handoffs.map(({ isConfirmed }) => isConfirmed)).toEqual([true, false])
  })
})

/** A request that waits in the page of a wallet. */
function createRequest() {
  const request = { pings: 0, isAwake: false, answer: () => {} }
  const waiting: WaitingRequest = {
    id: 1,
    topic: 'ab'.repeat(32),
    answered: new Promise<void>((resolve) => {
      request.answer = resolve
    }),
    ping: async () => {
      request.pings += 1
      if (!request.isAwake) throw new Error('no answer')
    },
  }
  return { request, waiting }
}

describe('a page that does not answer', () => {
  const silent = { href: 'https://link.metamask.test/dapp/gateway.test/open/0', name: 'MetaMask' }

  it('is to be opened again after a few seconds, until it answers', async () => {
    const kit = createPairingKit()
    await connected(kit)
    openModal(kit.hawser)
    const { request, waiting } = createRequest()
    watchSilence(kit.hawser, waiting)
    await kit.clock.advance(6_999)
    expect(kit.state().silentWallet).toBeUndefined()
    await kit.clock.advance(1)
    expect(kit.state().silentWallet).toEqual({ ...silent, isOpenedForIt: false })
    request.isAwake = true
    await kit.clock.advance(8_000)
    expect(kit.state().silentWallet).toBeUndefined()
    request.isAwake = false
    await kit.clock.advance(40_000)
    expect(kit.state().silentWallet).toBeDefined()
    request.answer()
    await settle()
    expect(kit.state().silentWallet).toBeUndefined()
    expect(kit.hawser.modal.getState().open).toBe(true)
    await kit.clock.advance(600_000)
    expect(request.pings).toBe(3)
  })

  it('opens the modal to say so, and closes it when it answers', async () => {
    const kit = createPairingKit()
    await connected(kit)
    const { request, waiting } = createRequest()
    watchSilence(kit.hawser, waiting)
    await kit.clock.advance(7_000)
    expect(kit.hawser.modal.getState().open).toBe(true)
    request.answer()
    await settle()
    expect(kit.hawser.modal.getState().open).toBe(false)
  })

  it('opens the modal once: the visitor may close it', async () => {
    const kit = createPairingKit()
    await connected(kit)
    const { waiting } = createRequest()
    watchSilence(kit.hawser, waiting)
    await kit.clock.advance(7_000)
    closeModal(kit.hawser)
    await kit.clock.advance(300_000)
    expect(kit.hawser.modal.getState().open).toBe(false)
  })

  it('that shows the request is left alone', async () => {
    const kit = createPairingKit()
    await connected(kit)
    const { request, waiting } = createRequest()
    request.isAwake = true
    watchSilence(kit.hawser, waiting)
    await kit.clock.advance(300_000)
    expect(kit.state().silentWallet).toBeUndefined()
    expect(request.pings).toBe(4)
  })

  it('has the link of the page itself for a wallet without one', async () => {
    const kit = createPairingKit()
    await connected(kit, { id: 'bb'.repeat(32), name: 'Other' })
    watchSilence(kit.hawser, createRequest().waiting)
    await kit.clock.advance(7_000)
    expect(kit.state().silentWallet).toMatchObject({ href: 'https://gateway.test/open/0', name: 'Other' })
  })

  it('is not asked after a pairing, and after the wallet was disconnected', async () => {
    const kit = createPairingKit()
    await connected(kit)
    await disconnect(kit.hawser)
    const first = createRequest()
    watchSilence(kit.hawser, first.waiting)
    const attempt = pair(kit.hawser, { connector: kit.phone.connector })
    await vi.waitFor(() => expect(kit.phone.pairings).toHaveLength(1))
    kit.phone.pairings[0]?.approve()
    await attempt
    const second = createRequest()
    watchSilence(kit.hawser, second.waiting)
    await kit.clock.advance(300_000)
    expect([first.request.pings, second.request.pings]).toEqual([0, 0])
  })
})
