import assert from 'node:assert/strict'
import { eventually } from '../kit/eventually.mjs'
import { journey } from '../kit/journey.mjs'
import { site } from '../kit/site.mjs'

journey(
  'a page begins the traces of what it sends, and reads without a header of its own',
  { account: 7 },
  async ({ page, modal, wallet }) => {
    /** @type {import('playwright-core').Request[]} */
    const requests = []
    page.on('request', (request) => {
      if (request.url().startsWith(`${site.gatewayUrl}/hawser.`)) requests.push(request)
    })
    await modal.connect(wallet)
    await modal.openAccount()
    const sent = () => requests.filter((request) => request.method() === 'POST')
    const read = () => requests.filter((request) => request.method() === 'GET')
    await eventually(() => {
      assert.ok(sent().length > 0, 'nothing was sent')
      assert.ok(read().length > 0, 'nothing was read')
    }, 10_000)
    const traces = await Promise.all(sent().map((request) => request.headerValue('traceparent')))
    for (const trace of traces) assert.match(trace ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
    assert.equal(new Set(traces).size, traces.length, 'two calls have one trace')
    for (const request of read()) assert.equal(await request.headerValue('traceparent'), null, request.url())
  },
)
