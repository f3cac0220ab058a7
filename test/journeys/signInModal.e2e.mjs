import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { eventually } from '../kit/eventually.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'

const required = { query: '?signIn=required' }

/** @param {import('../kit/journey.mjs').Scene} scene */
async function selectWallet({ modal, wallet }) {
  await modal.connectButton.click()
  await modal.press(`wallet-selector-${wallet.info.rdns}`)
  await modal.shows('ConnectingSiwe')
}

describe('a site that visitors sign in to', () => {
  mainJourney('requests one signature, and none after a reload', required, async (scene) => {
    const { page, modal, wallet } = scene
    await selectWallet(scene)
    await modal.press('w3m-connecting-siwe-sign')
    await modal.isClosed()
    await page.reload()
    await modal.accountButton.waitFor()
    // The session is read with the account; a sign-in would open the modal at once.
    await page.waitForTimeout(1_000)
    await modal.isClosed()
    const signed = wallet.requests.filter(({ method }) => method === 'personal_sign')
    assert.equal(signed.length, 1)
  })

  journey('says that the visitor declined, and disconnects on Cancel', required, async (scene) => {
    const { modal, wallet } = scene
    await selectWallet(scene)
    wallet.approvals.rejectNext()
    await modal.press('w3m-connecting-siwe-sign')
    await modal.says('Signature declined')
    await modal.press('w3m-connecting-siwe-cancel')
    await modal.isClosed()
    await modal.connectButton.waitFor()
  })

  journey('cannot be entered by closing the modal', required, async (scene) => {
    const { page, modal } = scene
    await selectWallet(scene)
    await page.keyboard.press('Escape')
    await modal.shows('ConnectingSiwe')
    await page.reload()
    await modal.shows('ConnectingSiwe')
  })

  journey('can let visitors skip it', { query: '?signIn=optional' }, async (scene) => {
    const { modal } = scene
    await selectWallet(scene)
    await modal.press('w3m-connecting-siwe-cancel')
    await modal.isClosed()
    await modal.accountButton.waitFor()
  })

  journey('requests a signature again after the visitor disconnected', required, async (scene) => {
    const { modal } = scene
    await selectWallet(scene)
    await modal.press('w3m-connecting-siwe-sign')
    await modal.isClosed()
    await modal.openAccount()
    await modal.press('account-settings-button')
    await modal.press('disconnect-button')
    await modal.connectButton.waitFor()
    await selectWallet(scene)
  })
})

describe('analytics', () => {
  journey(
    'are counted at the gateway alone, without anything of the visitor',
    {},
    async ({ page, modal, wallet }) => {
      const bodies = countedBy(page)
      await modal.connect(wallet)
      await eventually(async () => {
        const events = bodies.flatMap((body) => JSON.parse(body).events)
        assert.ok(events.some(({ event }) => event === 'CONNECT_SUCCESS'))
      })
      assert.ok(!bodies.join().toLowerCase().includes(wallet.address.toLowerCase()))
      assert.ok(!bodies.join().includes('http'))
    },
  )

  journey('are silent when the site turns them off', {}, async ({ page, modal, wallet }) => {
    const bodies = countedBy(page)
    await modal.press('feature-analytics')
    await modal.connect(wallet)
    await page.waitForTimeout(2_500)
    assert.deepEqual(bodies, [])
  })
})

/**
 * @param {import('playwright-core').Page} page
 * @returns {string[]} the bodies of the requests that count events
 */
function countedBy(page) {
  /** @type {string[]} */
  const bodies = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/v1/events') bodies.push(request.postData() ?? '')
  })
  return bodies
}
