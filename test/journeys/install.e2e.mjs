// Writes the examples by `create-hawser`, builds them with the packed packages, and visits them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { formatEther, parseEther } from 'viem'
import { devnet, freshAddress } from '../kit/chain.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey } from '../kit/journey.mjs'
import {
  buildWithVite,
  checkDeclarations,
  copyBrowserScript,
  copyExample,
  createSite,
  installPackages,
  listLocalChains,
  removeSites,
  serve,
  startNext,
} from '../kit/packedSites.mjs'
import { site } from '../kit/site.mjs'

const read = (/** @type {string} */ path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

before(installPackages, { timeout: 300_000 })
after(removeSites)

describe('a site with Vite', () => {
  before(
    () => {
      createSite('vite')
      buildWithVite('vite')
    },
    { timeout: 60_000 },
  )

  test('is the snippet of the front page', () => {
    assert.equal(read('examples/vite/src/App.tsx'), read('apps/demo/src/home/App.snippet.tsx'))
  })

  test('finds every name that the declarations of the packages import', () => checkDeclarations('vite'))

  journey('has a connect button', {}, async ({ page, modal, wallet }) => {
    await serve(page, 'vite')
    await modal.connectButton.click()
    await modal.find(`wallet-selector-${wallet.info.rdns}`).waitFor()
  })

  const refused = { expectedErrors: /requires 'TrustedHTML'|Refused to|violates the following/ }
  journey('may frame the embedded wallet alone, by its policy', refused, async ({ page }) => {
    await serve(page, 'vite')
    const blocked = await page.evaluate(async () => {
      const violation = new Promise((resolve) =>
        document.addEventListener('securitypolicyviolation', ({ blockedURI }) => resolve(blockedURI)),
      )
      const frame = document.createElement('iframe')
      frame.src = 'http://elsewhere.localhost/'
      document.body.append(frame)
      return violation
    })
    assert.equal(blocked, 'http://elsewhere.localhost')
    const answered = page.waitForResponse((answer) => answer.url().startsWith(site.frameOrigin))
    await page.evaluate(
      ({ frameOrigin, projectId }) => {
        const frame = document.createElement('iframe')
        frame.src = `${frameOrigin}/?projectId=${projectId}&chainId=eip155:31337`
        document.body.append(frame)
      },
      { frameOrigin: site.frameOrigin, projectId: site.projectId },
    )
    assert.equal((await answered).ok(), true)
  })
})

describe('the site of the quickstart', () => {
  before(
    () => {
      copyExample('quickstart')
      buildWithVite('quickstart')
    },
    { timeout: 60_000 },
  )

  journey('connects a test account, signs in and sends', {}, async ({ page, modal }) => {
    await serve(page, 'quickstart')
    await signIn(modal, 'dev-wallet')
    await send(page, modal)
  })
})

describe('a site with wagmi', () => {
  before(
    () => {
      createSite('wagmi')
      listLocalChains('wagmi', 'src/networks.ts')
      buildWithVite('wagmi')
    },
    { timeout: 60_000 },
  )

  journey('connects, reads, signs and disconnects by its hooks', {}, async ({ page, modal, wallet }) => {
    await serve(page, 'wagmi')
    await page.getByRole('button', { name: 'Connect by wagmi' }).click()
    await modal.press(`wallet-selector-${wallet.info.rdns}`)
    await page.getByText(wallet.address, { exact: true }).waitFor()
    await page.getByRole('heading', { name: site.devnet.chains[0]?.name ?? '?' }).waitFor()
    await page
      .getByText(/^\d[\d.]* ETH$/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Sign' }).click()
    assert.match((await page.locator('output').textContent()) ?? '', /^0x[0-9a-f]{130}$/)
    await page.reload()
    await page.getByRole('button', { name: 'Disconnect by wagmi' }).click()
    await modal.connectButton.waitFor()
    assert.equal(wallet.grantedOrigins.size, 0)
  })

  journey('shows what happens in the modal', {}, async ({ page, modal, wallet }) => {
    await serve(page, 'wagmi')
    await page.getByRole('button', { name: 'Connect by wagmi' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('alert').waitFor()
    await modal.connect(wallet)
    await page.getByText(wallet.address, { exact: true }).waitFor()
    await modal.openAccount()
    await modal.press('account-settings-button')
    await modal.press('disconnect-button')
    await page.getByRole('heading', { name: 'Not connected' }).waitFor()
  })
})

describe('a page without a bundler', () => {
  before(() => {
    createSite('html')
    listLocalChains('html', 'networks.js', './hawser/hawser.js')
    copyBrowserScript('html')
  })

  journey('connects, signs, switches and disconnects', {}, async ({ page, modal, wallet }) => {
    await serve(page, 'html', '.')
    await modal.connect(wallet)
    const [first, second] = site.devnet.chains
    await page.getByText(`${wallet.address} on ${first?.name}`).waitFor()
    await page.getByRole('button', { name: 'Sign' }).click()
    await page.getByText(/^0x[0-9a-f]{130}$/).waitFor()
    await modal.networkButton.click()
    await modal.press(`w3m-network-switch-${second?.name}`)
    await page.getByText(`${wallet.address} on ${second?.name}`).waitFor()
    await page.reload()
    await page.getByText(`${wallet.address} on ${second?.name}`).waitFor()
    await modal.openAccount()
    await modal.press('account-settings-button')
    await modal.press('disconnect-button')
    await page.getByText('Not connected').waitFor()
  })

  journey('draws buttons where elements are added, as their attributes say', {}, async ({ page, modal }) => {
    await serve(page, 'html', '.')
    await modal.connectButton.waitFor()
    await page.evaluate(() => {
      const added = document.createElement('hawser-button')
      added.setAttribute('label', 'Enter')
      document.body.append(added)
    })
    await page.getByRole('button', { name: 'Enter' }).click()
    await modal.shows('Connect')
    await page.keyboard.press('Escape')
    await page.evaluate(() => document.querySelector('[label]')?.setAttribute('label', 'Come in'))
    await page.getByRole('button', { name: 'Come in' }).waitFor()
    await page.evaluate(() => document.querySelector('[label]')?.remove())
    await page.getByRole('button', { name: 'Come in' }).waitFor({ state: 'detached' })
  })
})

describe('a site on Next.js', () => {
  /** @type {Awaited<ReturnType<typeof startNext>> | undefined} */
  let next
  const visitor = { account: 4, site: () => next?.url ?? site.url }
  before(
    async () => {
      createSite('next')
      listLocalChains('next', 'app/networks.ts')
      next = await startNext('next')
    },
    // Next.js builds for half a minute of CPU.
    { timeout: 600_000 },
  )
  after(() => next?.stop())

  journey('connects, signs in and sends', visitor, async ({ page, modal, wallet }) => {
    await signIn(modal, wallet.info.rdns)
    await page.getByText(`Signed in as ${wallet.address}`).waitFor()
    await send(page, modal)
  })

  journey('has the account of a connected visitor in the HTML of the server', visitor, async (scene) => {
    const { page, modal, wallet, context } = scene
    const short = `${wallet.address.slice(0, 6)}…${wallet.address.slice(-4)}`
    const html = async () => (await context.request.get(visitor.site())).text()
    assert.match(await html(), /Connect wallet/)
    await signIn(modal, wallet.info.rdns)
    assert.match(await html(), new RegExp(`data-testid="account-button".*${short}`, 's'))
    assert.doesNotMatch(await html(), /Connect wallet/)

    // React reports a page that it had to draw again as an error of the console, which fails the journey.
    const shown = await watchButton(scene)
    await page.reload()
    await page.getByText(`Signed in as ${wallet.address}`).waitFor()
    await modal.nativeBalanceIs(formatEther(await devnet.balance(wallet.address)))
    assert.deepEqual(
      [...shown].filter((text) => !text.includes(short)),
      [],
    )

    await modal.openAccount()
    await modal.press('account-settings-button')
    await modal.press('disconnect-button')
    await page.getByText('Not signed in').waitFor()
    assert.match(await html(), /Connect wallet/)
  })
})

/**
 * Connects a wallet on a site that visitors sign in to.
 *
 * @param {import('../kit/modal.mjs').Modal} modal
 * @param {string} wallet its id in the list
 */
async function signIn(modal, wallet) {
  await modal.connectButton.click()
  await modal.press(`wallet-selector-${wallet}`)
  await modal.shows('ConnectingSiwe')
  await modal.press('w3m-connecting-siwe-sign')
  await modal.isClosed()
  await modal.accountButton.waitFor()
}

/**
 * Sends a quarter of an ether by the button of the site.
 *
 * @param {import('playwright-core').Page} page
 * @param {import('../kit/modal.mjs').Modal} modal
 */
async function send(page, modal) {
  const to = freshAddress()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await modal.chooseToken('ETH')
  await modal.find('send-amount-input').fill('0.25')
  await modal.find('send-address-input').fill(to)
  await modal.readyToReview()
  await modal.press('send-review-button')
  await modal.press('send-confirm-button')
  await modal.isSent()
  await eventually(async () => assert.equal(await devnet.balance(to), parseEther('0.25')))
}

/**
 * Records every text that the button at the top of a page shows, from its first byte.
 *
 * @param {Pick<import('../kit/journey.mjs').Scene, 'page' | 'context'>} scene
 * @returns {Promise<Set<string>>}
 */
async function watchButton({ page, context }) {
  /** @type {Set<string>} */
  const shown = new Set()
  await context.exposeFunction('noteButton', (/** @type {string} */ text) => void shown.add(text))
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const button = document.querySelector('main button')
      if (button) /** @type {any} */ (window).noteButton(button.textContent)
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  return shown
}
