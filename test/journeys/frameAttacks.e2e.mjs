import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  evil,
  frameOf,
  newEmail,
  newProfile,
  openSite,
  projectId,
  shop,
  signIn,
  startSigning,
  walletPages,
} from '../kit/frame.mjs'
import { press } from '../kit/press.mjs'
import { site } from '../kit/site.mjs'

const patience = { timeout: 90_000 }
/** Longer than the guard of a button takes to arm. */
const SETTLED_MS = 1_500

const frameUrl = `${site.frameOrigin}/?projectId=${projectId}&chainId=eip155:1&version=5&enableLogger=false`

/** Opens a page with a frame of the wallet in it, without the site's half. */
async function openRaw(url = shop, { html = '<iframe id="wallet"></iframe>', src = frameUrl } = {}) {
  const { context } = await newProfile()
  const page = await context.newPage()
  await page.goto(url)
  await page.evaluate(
    ({ html, src }) => {
      document.body.innerHTML = html
      const frame = /** @type {HTMLIFrameElement} */ (document.querySelector('#wallet'))
      return new Promise((resolve) => {
        frame.onload = () => resolve(undefined)
        frame.src = src
      })
    },
    { html, src },
  )
  return page
}

/**
 * Sends a hello to the frame from a window of the page, and reports whether it is answered within a second.
 *
 * @param {import('playwright-core').Page} page
 * @param {{ target?: string, sender?: string }} [options] where it is sent to, and the frame that sends it
 */
function hello(page, { target = site.frameOrigin, sender = '' } = {}) {
  return page.evaluate(
    ({ target, sender }) => {
      const frame = /** @type {HTMLIFrameElement} */ (document.querySelector('#wallet'))
      const { port1, port2 } = new MessageChannel()
      window.port = port1
      const answered = new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data.type)
        setTimeout(() => resolve('nothing'), 1_000)
      })
      const message = { type: '@hawser/hello', version: 5 }
      if (sender) {
        const sibling = /** @type {any} */ (document.querySelector(sender))
        sibling.contentWindow.wallet = frame.contentWindow
        sibling.contentWindow.eval(`(message, target, port) => wallet.postMessage(message, target, [port])`)(
          message,
          target,
          port2,
        )
      } else frame.contentWindow?.postMessage(message, target, [port2])
      return answered
    },
    { target, sender },
  )
}

describe('a hello', () => {
  test('of the page that embeds the frame is answered once', patience, async () => {
    const page = await openRaw()
    assert.equal(await hello(page), '@w3m-frame/READY')
    assert.equal(await hello(page), 'nothing')
  })

  test('of a frame beside it is not answered, and does not take its place', patience, async () => {
    const page = await openRaw(shop, {
      html: '<iframe id="wallet"></iframe><iframe id="sibling" srcdoc="<p>"></iframe>',
    })
    assert.equal(await hello(page, { sender: '#sibling' }), 'nothing')
    assert.equal(await hello(page), '@w3m-frame/READY')
  })

  test('of a frame inside a page of another origin is not answered', patience, async () => {
    const page = await openRaw(shop, {
      html: `<iframe id="outer" sandbox="allow-scripts" srcdoc="
        <iframe id='wallet' src='${frameUrl.replaceAll('&', '&amp;')}'></iframe>
        <script>
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => parent.postMessage('answered', '*')
          document.querySelector('#wallet').onload = () => {
            document.querySelector('#wallet').contentWindow.postMessage({ type: '@hawser/hello', version: 5 }, '*', [port2])
            setTimeout(() => parent.postMessage('silent', '*'), 1000)
          }
        </script>"></iframe><iframe id="wallet"></iframe>`,
    })
    const outcome = await page.evaluate(
      () => new Promise((resolve) => window.addEventListener('message', ({ data }) => resolve(data))),
    )
    assert.equal(outcome, 'silent')
  })
})

describe('a page', () => {
  test('that the project does not list cannot embed the frame', patience, async () => {
    const { context } = await newProfile()
    const page = await context.newPage()
    /** @type {string[]} */
    const complaints = []
    page.on('console', (message) => complaints.push(message.text()))
    await page.goto(evil)
    await page.evaluate((src) => {
      const frame = document.body.appendChild(document.createElement('iframe'))
      frame.src = src
    }, frameUrl)
    await page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()))
    assert.ok(complaints.some((text) => /frame-ancestors/.test(text)))
  })

  for (const path of walletPages)
    test(`that may embed the frame cannot embed ${path}`, patience, async () => {
      const { context } = await newProfile()
      const page = await context.newPage()
      await page.goto(shop)
      const refused = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()))
      await page.evaluate((src) => {
        const frame = document.body.appendChild(document.createElement('iframe'))
        frame.src = src
      }, `${site.frameOrigin}${path}?projectId=${projectId}`)
      await refused
    })

  test(
    'that sends malformed messages is not answered, and its next valid message is answered',
    patience,
    async () => {
      const page = await openRaw()
      await hello(page)
      const answers = await page.evaluate(async () => {
        const port = /** @type {MessagePort} */ (window.port)
        /** @type {{ type: string, id: string, payload: { message?: string, isConnected?: boolean } }[]} */
        const answers = []
        port.onmessage = ({ data }) => answers.push(data)
        for (const type of ['constructor', '__proto__', 'toString', 'NOTHING'])
          port.postMessage({ type: `@w3m-app/${type}`, id: type })
        for (const data of [
          null,
          1,
          [],
          new Map(),
          { type: 1 },
          {
            type: '@w3m-app/RPC_REQUEST',
            id: 'a',
            payload: { method: 'constructor', params: 'a'.repeat(1 << 20) },
          },
        ])
          port.postMessage(data)
        port.postMessage({ type: '@w3m-app/RPC_REQUEST', id: 'b', payload: { method: 'constructor' } })
        port.postMessage({ type: '@w3m-app/IS_CONNECTED', id: 'c' })
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        return answers
      })
      assert.deepEqual(
        answers.map(({ type, id, payload }) => [type, id, payload.message ?? payload.isConnected]).sort(),
        [
          ['@w3m-frame/IS_CONNECTED_SUCCESS', 'c', false],
          ['@w3m-frame/RPC_REQUEST_ERROR', 'b', 'Requested RPC call is not allowed'],
        ],
      )
    },
  )
})

describe('a click that a page steals does not approve', () => {
  /** @param {(page: import('playwright-core').Page) => Promise<void>} attack */
  const attackedBy = (attack) => async () => {
    const { context } = await newProfile()
    const page = await openSite(context, shop)
    await signIn(page, newEmail())
    let isSigned = false
    startSigning(page, 'all that I have').then(
      () => {
        isSigned = true
      },
      () => undefined,
    )
    await frameOf(page).getByRole('button', { name: 'Approve' }).waitFor()
    await attack(page)
    await sleep(500)
    assert.equal(isSigned, false)
  }

  /** Returns where the button is, in the viewport of the page. @param {import('playwright-core').Page} page */
  async function buttonAt(page) {
    const inside = await frameOf(page)
      .getByRole('button', { name: 'Approve' })
      .evaluate((button) => {
        const { left, top, width, height } = button.getBoundingClientRect()
        return { x: left + width / 2, y: top + height / 2 }
      })
    const { left, top, scale } = await page.evaluate(() => {
      const frame = /** @type {HTMLElement} */ (document.querySelector('#hawser-frame'))
      const { left, top, width } = frame.getBoundingClientRect()
      return { left, top, scale: width / frame.offsetWidth }
    })
    return { x: left + inside.x * scale, y: top + inside.y * scale }
  }

  /** Comes to where the button is, and clicks after the guard had time to arm. @param {import('playwright-core').Page} page */
  async function clickButton(page) {
    const { x, y } = await buttonAt(page)
    await page.mouse.move(x - 4, y)
    await sleep(SETTLED_MS)
    await page.mouse.click(x, y)
  }

  /**
   * Changes the style of the frame, and clicks the button.
   *
   * @param {Record<string, string>} style
   */
  const styled = (style) =>
    attackedBy(async (page) => {
      await page.evaluate((style) => {
        Object.assign(/** @type {HTMLElement} */ (document.querySelector('#hawser-frame')).style, style)
      }, style)
      await clickButton(page)
    })

  test('in a frame that is nearly transparent', patience, styled({ opacity: '0.02' }))
  test('in a frame that is scaled down', patience, styled({ transform: 'scale(0.3)' }))
  test('in a frame with a filter', patience, styled({ filter: 'blur(8px)' }))
  test('in a frame that is cut off', patience, styled({ clipPath: 'inset(560px 0 0 0)' }))
  test('in a frame that is half outside the window', patience, styled({ top: '-300px' }))
  test('in a small frame', patience, styled({ width: '240px', height: '240px' }))

  test(
    'below a layer that lets clicks through',
    patience,
    attackedBy(async (page) => {
      await page.evaluate(() => {
        const layer = document.createElement('div')
        layer.style.cssText = 'position:fixed;inset:0;background:white;pointer-events:none;z-index:2147483647'
        document.querySelector('dialog')?.append(layer)
      })
      await clickButton(page)
    }),
  )

  test('twice in a moment, for a frame that appears below the pointer', patience, async () => {
    const { context } = await newProfile()
    const page = await openSite(context, shop)
    await signIn(page, newEmail())
    let isSigned = false
    startSigning(page, 'first').catch(() => undefined)
    const at = await buttonAt(page)
    await page.evaluate(() => window.wallet.rejectRequests())
    await page.evaluate(() => {
      document.onclick = () => {
        window.signing = window.wallet
          .getUser()
          .then(({ address }) =>
            window.wallet.request({ method: 'personal_sign', params: ['0x61', address] }),
          )
      }
    })
    // The frame appears after the first click, and half a second later a click is the user's.
    const end = performance.now() + 400
    await page.mouse.dblclick(at.x, at.y, { delay: 60 })
    while (performance.now() < end) {
      await page.mouse.click(at.x, at.y)
      await sleep(40)
    }
    page
      .evaluate(() => window.signing)
      .then(
        () => {
          isSigned = true
        },
        () => undefined,
      )
    await sleep(500)
    assert.equal(isSigned, false)
  })

  test(
    'in a frame that moves below the pointer',
    patience,
    attackedBy(async (page) => {
      const { x, y } = await buttonAt(page)
      // The pointer is above another part of the frame; the page puts something clickable there.
      await page.mouse.move(x, y - 150)
      await sleep(SETTLED_MS)
      await page.mouse.move(x, y - 151)
      await page.evaluate(() => {
        const frame = /** @type {HTMLElement} */ (document.querySelector('#hawser-frame'))
        frame.style.top = `${Number.parseFloat(frame.style.top) - 150}px`
      })
      await page.mouse.click(x, y - 150)
    }),
  )
})

describe('the worker that holds the keys', () => {
  test('reaches no other host, and evaluates no text', patience, async () => {
    /** @type {(string | undefined)[]} */
    const heard = []
    const other = createServer((request, response) => {
      heard.push(request.url)
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('content-type', 'text/javascript')
      response.end('export {}')
    })
    await new Promise((resolve) => other.listen(0, '127.0.0.1', () => resolve(undefined)))
    after(() => other.close())
    const address = other.address()
    const url = typeof address === 'object' && address ? `http://127.0.0.1:${address.port}/` : ''
    const { context } = await newProfile()
    const page = await context.newPage()
    const starting = page.waitForEvent('worker')
    await page.goto(`${site.frameOrigin}/account?projectId=${projectId}`)
    const worker = await starting
    assert.match(worker.url(), /\/assets\/vaultWorker-/)
    // What a package in the worker could do.
    const outcomes = await worker.evaluate((url) => {
      const outcomeOf = (/** @type {() => unknown} */ action) =>
        // What the debugger evaluates itself may use eval; a timer may not.
        new Promise((resolve) => setTimeout(resolve)).then(action).then(
          () => 'done',
          () => 'refused',
        )
      // biome-ignore lint/security/noGlobalEval: it has to fail
      const actions = [() => fetch('/manifest.json'), () => fetch(url), () => import(url), () => eval('1')]
      return Promise.all(actions.map(outcomeOf))
    }, url)
    assert.deepEqual(outcomes, ['done', 'refused', 'refused', 'refused'])
    assert.deepEqual(heard, [])
  })
})

test('a click of the user approves when nothing interferes', patience, async () => {
  const { context } = await newProfile()
  const page = await openSite(context, shop)
  await signIn(page, newEmail())
  const signing = startSigning(page, 'hello')
  await press(frameOf(page).getByRole('button', { name: 'Approve' }))
  assert.match(await signing, /^0x[0-9a-f]{130}$/)
})
