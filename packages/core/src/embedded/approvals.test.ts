import { describe, expect, it } from 'vitest'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { closeModal, openModal } from '../modal/modal.ts'
import { pushView } from '../router/navigate.ts'
import { settle } from '../testing/fakeClock.ts'
import { createFakeEmbeddedWallet, whenUserIsRead } from '../testing/fakeEmbeddedWallet.ts'
import { createKit } from '../testing/kit.ts'
import { hideFrame, showFrame, watchFrameHeight, watchLoginApprovals } from './frame.ts'

const method = 'personal_sign'

async function connectedKit() {
  const frame = createFakeEmbeddedWallet()
  frame.emailAction = 'CONNECT'
  const kit = createKit({}, frame)
  kit.hawser.mount()
  const wallet = await frame.connector.getEmbeddedWallet?.()
  await wallet?.connectEmail('ada@example.com')
  await connect(kit.hawser, { connector: frame.connector })
  await whenUserIsRead(kit.hawser)
  const rejections = () => frame.namesOfCalls().filter((name) => name === 'rejectRequests').length
  return { ...kit, frame, rejections, view: () => kit.hawser.router.getState().view }
}

describe('a request that waits in the frame', () => {
  it('opens the modal, and closes it when it is answered', async () => {
    const { hawser, frame, view } = await connectedKit()
    frame.emitFrame('approval', { method })
    expect(hawser.modal.getState().open).toBe(true)
    expect(view()).toBe('ApproveTransaction')
    frame.emitFrame('approvalEnd', undefined)
    expect(hawser.modal.getState().open).toBe(false)
  })

  it('is shown on top of the view that it came from', async () => {
    const { hawser, frame, view } = await connectedKit()
    openModal(hawser)
    pushView(hawser, 'WalletSendPreview')
    frame.emitFrame('approval', { method })
    expect(view()).toBe('ApproveTransaction')
    frame.emitFrame('approvalEnd', undefined)
    expect(view()).toBe('WalletSendPreview')
  })

  it('is rejected when the modal is closed', async () => {
    const { hawser, frame, rejections } = await connectedKit()
    frame.emitFrame('approval', { method })
    closeModal(hawser)
    expect(rejections()).toBe(1)
  })

  it('is rejected when the visitor presses Escape, or beside the frame', async () => {
    const { frame, rejections } = await connectedKit()
    frame.emitFrame('approval', { method })
    frame.emitFrame('dismissed', undefined)
    expect(rejections()).toBe(1)
  })

  it('does not reject anything when another view is closed', async () => {
    const { hawser, rejections } = await connectedKit()
    openModal(hawser)
    closeModal(hawser)
    expect(rejections()).toBe(0)
  })

  it('opens nothing after a disconnect', async () => {
    const { hawser, frame } = await connectedKit()
    await disconnect(hawser)
    frame.emitFrame('approval', { method })
    expect(hawser.modal.getState().open).toBe(false)
  })

  it('shows the frame over the card', async () => {
    const { hawser, frame } = await connectedKit()
    const rectangle = { left: 1, top: 2, width: 360, height: 600, radius: 24, upperRadius: 24 }
    await showFrame(hawser, rectangle)
    expect(frame.shownAt).toEqual(rectangle)
    await hideFrame(hawser)
    expect(frame.shownAt).toBeUndefined()
  })
})

describe('the height that the frame needs', () => {
  it('is reported until its watcher leaves', async () => {
    const { hawser, frame } = await connectedKit()
    const heights: number[] = []
    const stop = watchFrameHeight(hawser, (height) => heights.push(height))
    await settle()
    frame.emitFrame('height', 420)
    stop()
    frame.emitFrame('height', 430)
    expect(heights).toEqual([420])
  })
})

describe('a request that the frame does not allow', () => {
  it('opens the modal, and says so 300 ms later', async () => {
    const { hawser, frame, clock } = await connectedKit()
    frame.emitFrame('notAllowed', { method: 'eth_sign' })
    expect(hawser.modal.getState().open).toBe(true)
    await clock.advance(299)
    expect(hawser.toast.getState().open).toBe(false)
    await clock.advance(1)
    expect(hawser.toast.getState()).toMatchObject({ message: 'Action not allowed', variant: 'error' })
  })
})

describe('a login that waits in the frame', () => {
  it('is reported to its view, and changes no view', async () => {
    const frame = createFakeEmbeddedWallet()
    const { hawser } = createKit({}, frame)
    hawser.mount()
    openModal(hawser)
    const heard: boolean[] = []
    const stop = watchLoginApprovals(hawser, (isWaiting) => heard.push(isWaiting))
    await settle()
    frame.emitFrame('approval', { method: '' })
    frame.emitFrame('dismissed', undefined)
    frame.emitFrame('approvalEnd', undefined)
    expect(heard).toEqual([true, false])
    expect(frame.namesOfCalls()).toEqual(['rejectRequests'])
    expect(hawser.router.getState().view).toBe('Connect')
    stop()
    frame.emitFrame('approval', { method: '' })
    expect(heard).toHaveLength(2)
  })
})
