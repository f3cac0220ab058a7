// A new operator's first day, in order, in a browser: docs/operate/first-day.md. Only the link that signs in is printed by the CLI.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { browser } from '../kit/browser.mjs'
import { eventually } from '../kit/eventually.mjs'
import { serveSnippet, startSecondNode } from '../kit/firstDay.mjs'

const secondNode = await startSecondNode()
const pages = await serveSnippet()
after(async () => {
  await secondNode.stop()
  await pages.stop()
})
// The stack that the kit starts reads it.
process.env.HAWSER_CONFIG = secondNode.config

const { consoleUrl, isLoaded, openScreen, printLink } = await import('../kit/console.mjs')
const { logIn, newEmail } = await import('../kit/embedded.mjs')
const { journey } = await import('../kit/journey.mjs')
const { Modal } = await import('../kit/modal.mjs')
const { site } = await import('../kit/site.mjs')
const { installWallet } = await import('../kit/wallet/install.mjs')
const { walletOf } = await import('../kit/wallets.mjs')
secondNode.forwardTo(site.devnet.chains[1]?.rpcUrl ?? '')

const operator = {
  site: () => consoleUrl,
  wallets: () => [],
  browser: { viewport: { width: 1440, height: 900 }, acceptDownloads: true },
  expectedErrors: /status of 40[013]/,
}

journey('a first day is done in a browser', operator, async ({ page, context }) => {
  const begun = Date.now()
  /** @param {string} name */
  const button = (name) => page.getByRole('button', { name, exact: true })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(await printLink('mary'))
  await page.getByTestId('healthy').waitFor()

  await openScreen(page, '#/projects', 'Projects')
  await button('New project').click()
  await page.getByLabel('Name').fill('First shop')
  await page.getByLabel('Origins').fill(pages.origin)
  await button('Create project').click()
  await page.getByRole('heading', { level: 1, name: 'First shop' }).waitFor()

  await button('Design it in the theme studio').click()
  await isLoaded(page)
  await page.getByLabel('Accent', { exact: true }).last().fill('#0c7350')
  const code = page.getByTestId('theme-code')
  await code.getByRole('radio', { name: 'Script tag' }).check()
  await eventually(async () => assert.match((await code.textContent()) ?? '', /#0c7350/))
  await code.getByRole('button', { name: 'Copy code' }).click()
  pages.show(await page.evaluate(() => navigator.clipboard.readText()))

  const email = newEmail()
  await visit(async (scene) => {
    const wallet = walletOf()
    await installWallet(scene.context, wallet)
    await scene.page.goto(pages.origin)
    await scene.modal.connectButton.click()
    const accent = await scene.page
      .locator('dialog[open]')
      .evaluate((dialog) => getComputedStyle(dialog).getPropertyValue('--hw-color-accent'))
    assert.equal(accent.trim(), '#0c7350')
    await scene.modal.press(`wallet-selector-${wallet.info.rdns}`)
    await scene.modal.accountButton.waitFor()
    await scene.modal.isClosed()
  })
  await visit(async (scene) => {
    await scene.page.goto(pages.origin)
    await logIn(scene, email)
  })

  await secondNode.stop()
  await openScreen(page, '#/', 'Overview')
  const problems = page.getByTestId('problems')
  await problems.getByText(/^node 2 of eip155:31338/).waitFor()
  const runbook = problems.getByRole('link').first()
  assert.match((await runbook.getAttribute('href')) ?? '', /runbooks\.md#hawser/)

  await openScreen(page, '#/users', 'Users')
  await page.getByLabel('Email, address or id').fill(email)
  await button('Find').click()
  await page.getByRole('heading', { level: 1, name: email }).waitFor()
  await page.getByText(pages.origin, { exact: true }).waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), button('Export data').click()])
  assert.ok(readFileSync(await download.path(), 'utf8').includes(email))
  await button('Delete user').click()
  await page.getByTestId('confirm-typed').fill(email)
  await page.getByTestId('confirm').click()
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
  await page.getByLabel('Email, address or id').fill(email)
  await button('Find').click()
  await page.getByText('Nobody was found').waitFor()
  console.log(`The first day took ${((Date.now() - begun) / 1000).toFixed(1)} seconds.`)
})

/**
 * Plays a visitor of the site, in a browser profile without history.
 *
 * @param {(scene: Pick<import('../kit/journey.mjs').Scene, 'context' | 'page' | 'modal'>) => Promise<void>} body
 */
async function visit(body) {
  const context = await (await browser()).newContext({ reducedMotion: 'reduce', colorScheme: 'dark' })
  try {
    const page = await context.newPage()
    /** @type {string[]} */
    const errors = []
    page.on('pageerror', ({ message }) => errors.push(message))
    await body({ context, page, modal: new Modal(page) })
    assert.deepEqual(errors, [], 'the page reported errors')
  } finally {
    await context.close()
  }
}
