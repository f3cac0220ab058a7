import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../kit/eventually.mjs'
import { newEmail, newProfile, projectId, shop, signIn, startSigning } from '../kit/frame.mjs'
import { site } from '../kit/site.mjs'
import { missingPrograms, openWindow } from '../kit/windows.mjs'

const skip = missingPrograms.length > 0 && `not installed: ${missingPrograms.join(', ')}`
const patience = { timeout: 120_000, skip }
/** Longer than the guard of a button takes to arm. */
const SETTLED_MS = 1_500

const frame = { left: 100, top: 20, width: 360, height: 600 }
/** The middle of Approve in the page: at the right of the lower edge of the frame. */
const approve = { x: frame.left + 260, y: frame.top + frame.height - 45 }

/** Opens a window with the shop, signed in. */
async function visitShop() {
  const { context } = await newProfile()
  const opened = await openWindow(`${shop}/wallet.js`)
  await opened.evaluate(
    ({ frameOrigin, projectId, frame }) => {
      const wallet = window.createEmbeddedWallet({
        frameOrigin,
        projectId,
        chainId: 'eip155:31337',
      })
      wallet.on('approval', () => wallet.show({ ...frame, radius: 24 }))
      wallet.on('approvalEnd', () => wallet.hide())
      window.wallet = wallet
    },
    { frameOrigin: site.frameOrigin, projectId, frame },
  )
  // The harness uses of a page what runs a function in it, and the profile that approves the device.
  const page = /** @type {import('playwright-core').Page} */ (
    /** @type {unknown} */ ({ ...opened, context: () => context })
  )
  await signIn(page, newEmail())
  return { ...opened, page, at: await approveOnScreen(opened) }
}

/**
 * Returns where Approve is on the screen.
 *
 * @param {import('../kit/windows.mjs').WindowPage} window
 */
async function approveOnScreen({ evaluate, xdotool }) {
  /** @type {[number, number] | undefined} */
  let offset
  evaluate(
    () =>
      new Promise((resolve) => {
        const hear = (/** @type {MouseEvent} */ { screenX, screenY, clientX, clientY }) =>
          resolve([screenX - clientX, screenY - clientY])
        addEventListener('mousemove', hear, { once: true })
      }),
  ).then((found) => {
    offset = /** @type {[number, number]} */ (found)
  })
  // The page may listen only after the first moves.
  await eventually(async () => {
    await xdotool('mousemove', 300, 300, 'mousemove', 310, 310)
    assert.ok(offset)
  })
  const [x, y] = offset ?? [0, 0]
  return { x: x + approve.x, y: y + approve.y }
}

describe('in real windows', () => {
  test(
    'a click that closes a window over the frame, and the next one, do not approve',
    patience,
    async () => {
      const { page, evaluate, xdotool, at } = await visitShop()
      let isSigned = false
      startSigning(page, 'all that I have').then(() => {
        isSigned = true
      })
      await sleep(SETTLED_MS)
      await evaluate(({ x, y }) => {
        const size = `width=260,height=160,left=${x - 130},top=${y - 80}`
        window.popup = window.open('/cover', 'cover', `popup,${size}`)
      }, at)
      await sleep(SETTLED_MS)
      await xdotool('mousemove', at.x, at.y, 'click', '--repeat', 2, '--delay', SETTLED_MS, 1)
      await eventually(async () => assert.equal(await evaluate(() => window.popup?.closed), true))
      await sleep(1_000)
      assert.equal(isSigned, false)

      // The same place is that of Approve: a click after a look approves.
      await eventually(async () => {
        await xdotool(
          'mousemove',
          at.x - 20,
          at.y,
          'sleep',
          1,
          'mousemove',
          at.x,
          at.y,
          'click',
          1,
          'sleep',
          0.5,
        )
        assert.equal(isSigned, true)
      }, 20_000)
    },
  )
})
