import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe } from 'node:test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { assertAccessible } from '../kit/accessibility.mjs'
import { consoleScreens, consoleUrl, isLoaded, openScreen, printLink } from '../kit/console.mjs'
import { logIn, newEmail } from '../kit/embedded.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'
import { Modal } from '../kit/modal.mjs'
import { newOwner, register } from '../kit/names.mjs'
import { site } from '../kit/site.mjs'

/** An operator at a desk. Without a session the console is told so, which the browser logs. */
const operator = {
  site: () => consoleUrl,
  wallets: () => [],
  browser: { viewport: { width: 1440, height: 900 }, acceptDownloads: true },
  expectedErrors: /status of 40[013]/,
}

/** A phone that is as narrow as any. */
const phone = { width: 320, height: 640 }

/**
 * @param {import('playwright-core').Page} page
 * @param {string} name of the operator
 * @param {Parameters<typeof printLink>[1]} [role]
 */
async function signIn(page, name, role) {
  await page.goto(await printLink(name, role))
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} what the page shows
 */
async function assertFits(page, what) {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  assert.ok(overflow <= 0, `${what} is ${overflow} px wider than the screen`)
}

/** @param {import('playwright-core').Page} page */
const button = (page, /** @type {string} */ name) => page.getByRole('button', { name, exact: true })

/**
 * Opens the console as an owner who signed in with a link in an earlier journey of this run, or does now: an address has few logins at once.
 *
 * @param {import('playwright-core').Page} page
 */
async function openAsOwner(page) {
  if (!owner) {
    await signIn(page, 'ada')
    owner = await page.context().cookies(consoleUrl)
    return
  }
  await page.context().addCookies(owner)
  await page.goto(consoleUrl)
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

/** @type {import('playwright-core').Cookie[] | undefined} */
let owner

describe('the console', () => {
  mainJourney('tells how to sign in, and a link works once', operator, async ({ page }) => {
    await page.getByText('hawser console login', { exact: true }).waitFor()
    await assertAccessible(page)
    await page.setViewportSize(phone)
    await assertFits(page, 'the sign-in page')
    await page.setViewportSize(operator.browser.viewport)

    const link = await printLink('grace')
    await page.goto(link)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    assert.equal(page.url(), `${consoleUrl}/`)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

    await button(page, 'Sign out').click()
    await page.getByText('You are signed out.').waitFor()
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('This link was used already').waitFor()
    assert.equal(page.url(), `${consoleUrl}/`)
  })

  mainJourney('signs an operator in with a passkey', operator, async ({ page, context }) => {
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const authenticator = {
      protocol: /** @type {const} */ ('ctap2'),
      transport: /** @type {const} */ ('internal'),
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    }
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: authenticator,
    })
    await signIn(page, 'hedy')
    await openScreen(page, '#/operators', 'Operators')
    await button(page, 'Add a passkey').click()
    await page.getByLabel('Name').fill('Laptop at the quay')
    await assertAccessible(page)
    await page.getByTestId('confirm').click()
    const passkeys = page.getByTestId('passkeys')
    await passkeys.getByRole('rowheader', { name: 'Laptop at the quay' }).waitFor()
    await assertAccessible(page)

    await button(page, 'Sign out').click()
    await page.getByText('You are signed out.').waitFor()
    await button(page, 'Sign in with a passkey').click()
    // The screen of the address is where the operator was.
    await page.getByRole('heading', { level: 1, name: 'Operators' }).waitFor()
    await page
      .getByRole('strong')
      .and(page.getByText('hedy', { exact: true }))
      .waitFor()

    // A copy of the passkey counts from where the copy was made.
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
    const [credential] = credentials
    assert.ok(credential && credential.signCount > 0)
    await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    const copy = await devtools.send('WebAuthn.addVirtualAuthenticator', { options: authenticator })
    await devtools.send('WebAuthn.addCredential', {
      authenticatorId: copy.authenticatorId,
      credential: { ...credential, signCount: 0 },
    })
    await button(page, 'Sign out').click()
    await button(page, 'Sign in with a passkey').click()
    await page.getByText('This passkey was not accepted.').waitFor()

    await signIn(page, 'hedy')
    await openScreen(page, '#/operators', 'Operators')
    await passkeys.getByRole('button', { name: 'Remove: Laptop at the quay' }).click()
    await page.getByTestId('confirm').click()
    await page.getByText('Add one to sign in without a link.').waitFor()
    await openScreen(page, '#/audit', 'Audit log')
    const log = page.getByTestId('audit')
    await eventually(async () => {
      const shown = (await log.textContent()) ?? ''
      for (const call of ['AddPasskey', 'FinishPasskeyLogin', 'RemovePasskey'])
        assert.match(shown, new RegExp(`PasskeyService/${call}`))
    })
  })

  mainJourney('manages a project from its creation to its deletion', operator, async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await openAsOwner(page)
    await openScreen(page, '#/projects', 'Projects')
    await button(page, 'New project').click()
    await page.getByLabel('Name').fill('Harbour shop')
    await button(page, 'Create project').click()
    await page.getByText('Name an origin, or answer pages of every origin.').waitFor()
    await page.getByLabel('Origins').fill('https://shop.example\nhttps://*.preview.shop.example')
    await button(page, 'Create project').click()
    await page.getByRole('heading', { level: 1, name: 'Harbour shop' }).waitFor()
    const id = page.url().split('/').at(-1) ?? ''
    assert.match(id, /^[0-9a-f]{32}$/)

    const snippet = page.getByTestId('snippet').locator('pre')
    await eventually(async () => {
      const code = await snippet.textContent()
      assert.match(code ?? '', new RegExp(`baseUrl: '${site.gatewayUrl}'`))
      assert.match(code ?? '', new RegExp(`projectId: '${id}'`))
    })
    await assertAccessible(page)

    await button(page, 'Design it in the theme studio').click()
    await page.getByLabel('Accent', { exact: true }).last().fill('#0c7350')
    const preview = page.frameLocator('[data-testid=preview]')
    await preview.locator('dialog[open]').waitFor()
    await eventually(async () => {
      const accent = await preview
        .locator('dialog[open]')
        .evaluate((dialog) => getComputedStyle(dialog).getPropertyValue('--hw-color-accent'))
      assert.equal(accent.trim(), '#0c7350')
    })
    const code = page.getByTestId('theme-code').locator('pre')
    await eventually(async () => assert.match((await code.textContent()) ?? '', /accent: '#0c7350'/))
    const also = page.getByRole('button', { name: /^Use this accent in the (dark|light) theme too$/ })
    await also.click()
    await also.waitFor({ state: 'detached' })
    await eventually(async () => {
      assert.equal((await code.textContent())?.match(/ accent: '#0c7350'/g)?.length, 2)
    })
    await page.getByTestId('theme-code').getByRole('button', { name: 'Copy code' }).click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    assert.match(copied, new RegExp(`projectId: '${id}'`))
    assert.match(copied, /onAccent: '#ffffff'/)

    await openScreen(page, `#/projects/${id}`, 'Harbour shop')
    await page.getByLabel('Requests per second').fill('20')
    await button(page, 'Save').click()
    await page.getByText('20 per second, burst 20').waitFor()

    await button(page, 'Disable').click()
    await page.getByTestId('confirm').click()
    await page.getByText('This project is disabled: its calls are refused.').waitFor()
    await button(page, 'Delete').click()
    assert.equal(await page.getByTestId('confirm').isDisabled(), true)
    await page.getByTestId('confirm-typed').fill('Harbour shop')
    await assertAccessible(page)
    await page.getByTestId('confirm').click()
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()

    await openScreen(page, '#/audit', 'Audit log')
    const calls = page.getByTestId('audit').getByRole('rowheader')
    await eventually(async () => {
      const shown = (await calls.allTextContents()).join('\n')
      for (const call of ['CreateProject', 'UpdateProject', 'DisableProject', 'DeleteProject'])
        assert.match(shown, new RegExp(`ProjectService/${call}[^\n]*project ${id}`))
    })
  })

  mainJourney('finds, exports and deletes a user', operator, async ({ page, context }) => {
    const tab = await context.newPage()
    await tab.goto(`${site.url}/lab`)
    const email = newEmail()
    await logIn({ context, page: tab, modal: new Modal(tab) }, email)
    await tab.close()

    await openAsOwner(page)
    await openScreen(page, '#/users', 'Users')
    await page.getByLabel('Email, address or id').fill(email.slice(0, -1))
    await button(page, 'Find').click()
    await page.getByText('Nobody was found').waitFor()
    await page.getByLabel('Email, address or id').fill(email)
    await button(page, 'Find').click()
    await page.getByRole('heading', { level: 1, name: email }).waitFor()
    assert.equal(page.url().includes(email), false)
    await page.getByText(site.url, { exact: true }).waitFor()
    await assertAccessible(page)

    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export data').click()])
    const exported = readFileSync(await download.path(), 'utf8')
    assert.match(download.suggestedFilename(), /^hawser-user-[0-9a-f]+\.json$/)
    assert.ok(JSON.stringify(JSON.parse(exported)).includes(email))

    await button(page, 'Sign out everywhere').click()
    await page.getByTestId('confirm').click()
    await page.getByText('Signed in nowhere').waitFor()

    await button(page, 'Delete user').click()
    await page.getByTestId('confirm-typed').fill(email)
    await page.getByTestId('confirm').click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    await page.getByLabel('Email, address or id').fill(email)
    await button(page, 'Find').click()
    await page.getByText('Nobody was found').waitFor()

    await openScreen(page, '#/audit', 'Audit log')
    await eventually(async () => {
      const log = (await page.getByTestId('audit').textContent()) ?? ''
      assert.match(log, /UserService\/DeleteUser/)
      assert.equal(log.includes(email), false)
    })
  })

  journey('shows each role what it may do', operator, async ({ page }) => {
    await signIn(page, 'vera', 'viewer')
    const links = page.getByRole('navigation', { name: 'Console' }).getByRole('link')
    const shown = (await links.allTextContents()).map((text) => text.replace(/\d.*$/, ''))
    assert.deepEqual(shown, [
      'Overview',
      'Analytics',
      'Nodes',
      'Suite',
      'Projects',
      'Theme studio',
      'Operators',
    ])
    await openScreen(page, '#/projects', 'Projects')
    assert.equal(await button(page, 'New project').count(), 0)
    await openScreen(page, '#/settings', 'There is no such screen')
  })

  mainJourney('takes a name back and blocks its label', operator, async ({ page }) => {
    const holder = newOwner()
    await register(holder, { bio: 'A name at the quay' })
    const [label = ''] = holder.name.split('.')
    await openAsOwner(page)
    await openScreen(page, '#/names', 'Names')
    await page.getByText('Names that are registered stay.').waitFor()
    await page.getByLabel('Name or address').fill(holder.account.address)
    await button(page, 'Find').click()
    const found = page.getByTestId('names')
    await found.getByRole('rowheader').getByText(holder.name, { exact: true }).waitFor()
    await found.getByText('Records').click()
    await found.getByText('bio: A name at the quay').waitFor()
    await assertAccessible(page)

    await page.getByRole('textbox', { name: 'Label' }).fill(holder.name)
    await button(page, 'Block').click()
    const blocked = page.getByTestId('blocked')
    await blocked.getByRole('rowheader', { name: label }).waitFor()
    await assertAccessible(page)
    await found.getByRole('button', { name: `Take back: ${holder.name}` }).click()
    await page.getByTestId('confirm-typed').fill(holder.name)
    await page.getByTestId('confirm').click()
    await page.getByText('No name was found').waitFor()
    await assert.rejects(register(holder), /reserved/i)

    await blocked.getByRole('button', { name: `Unblock: ${label}` }).click()
    await blocked.getByRole('rowheader', { name: label }).waitFor({ state: 'detached' })
    await register(holder)
  })

  mainJourney('shows what a site asked an account for', operator, async ({ page }) => {
    const { address, ...asked } = await askForSession()
    await openAsOwner(page)
    await openScreen(page, '#/sessions', 'Smart sessions')
    await page.getByRole('textbox').fill('alice@example.org')
    await button(page, 'Find sessions').click()
    await page.getByText('Enter a whole address or project id').waitFor()
    await page.getByRole('textbox').fill(address)
    await button(page, 'Find sessions').click()
    await isLoaded(page)
    const row = page.getByTestId('sessions').getByRole('row').filter({ hasText: 'eip155:31337' })
    await row.getByText('Asked for', { exact: true }).waitFor()
    await row.getByText('10,000,000,000,000,000 wei each 1 d', { exact: true }).waitFor()
    await row.getByTitle(asked.pci).waitFor()
    await assertAccessible(page)
    await page.setViewportSize(phone)
    await assertFits(page, 'the sessions')
  })

  mainJourney('shows what the bundler has to pay with', operator, async ({ page }) => {
    await openAsOwner(page)
    await openScreen(page, '#/bundler', 'Bundler')
    const chain = page.getByTestId(`bundler-${site.devnet.chains[0]?.caip2}`)
    const executor = chain.getByRole('row').filter({ hasText: 'Executor' }).first()
    await executor.getByText('Enough', { exact: true }).waitFor()
    await executor.getByText(/^\d+(\.\d{1,6})? ETH$/).waitFor()
    await chain.getByRole('row').filter({ hasText: 'Paymaster' }).waitFor()
    await chain
      .getByText(/^0\.?\d* of \d+(\.\d+)? ETH$/)
      .first()
      .waitFor()
    await assertAccessible(page)

    await page.getByRole('radio', { name: 'Waiting' }).check()
    await isLoaded(page)
    await assertAccessible(page)
    await page.setViewportSize(phone)
    await assertFits(page, 'the bundler')
  })

  mainJourney('signs an operator in at the identity provider', operator, async ({ page }) => {
    await button(page, 'Sign in at the harbour office').click()
    await page.getByTestId('person-carol').click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    assert.equal(page.url(), `${consoleUrl}/`)
    await page.getByText('carol@people.example', { exact: true }).waitFor()
    await openScreen(page, '#/settings', 'There is no such screen')
    await openScreen(page, '#/operators', 'Operators')
    await page.getByText('You sign in at localhost').waitFor()
    await assertAccessible(page)
    await button(page, 'Sign out').click()
    await page.getByText('You are signed out.').waitFor()

    await button(page, 'Sign in at the harbour office').click()
    await page.getByTestId('person-dave').click()
    await page.getByText('gives you no role').waitFor()
    assert.equal(page.url(), `${consoleUrl}/`)
    await assertAccessible(page)
    await button(page, 'Sign in at the harbour office').click()
    await page.getByTestId('cancel').click()
    await page.getByText('You cancelled the login').waitFor()
  })

  journey('ends with its session', operator, async ({ page, context }) => {
    await openAsOwner(page)
    // What the overview still reads would end the session on the page earlier.
    await isLoaded(page)
    await context.clearCookies()
    await openScreen(page, '#/nodes', 'Nodes')
    await page.evaluate(() => {
      location.hash = '#/projects'
    })
    await page.getByText('Your session has ended. Sign in again to go on.').waitFor()
  })
})

describe('axe finds nothing in the console', () => {
  for (const [size, viewport] of /** @type {const} */ ([
    ['at a desk', operator.browser.viewport],
    ['on a phone', phone],
  ])) {
    journey(size, operator, async ({ page }) => {
      await page.setViewportSize(viewport)
      await openAsOwner(page)
      for (const [route, title] of consoleScreens) {
        await openScreen(page, route, title)
        await assertAccessible(page)
        await assertFits(page, title)
      }
      for (const tab of ['Shape and type', 'Features', 'Wallets', 'Language']) {
        await openScreen(page, '#/theme', 'Theme studio')
        await page.getByRole('tab', { name: tab }).click()
        await assertAccessible(page)
      }
      await openScreen(page, '#/projects', 'Projects')
      await page.getByTestId('projects').getByRole('link').first().click()
      await isLoaded(page)
      await assertAccessible(page)
      if (viewport.width > 960) return
      await button(page, 'Menu').click()
      await page.getByRole('dialog', { name: 'Menu' }).waitFor()
      await assertAccessible(page)
      await page.keyboard.press('Escape')
      assert.equal(await page.getByRole('dialog').count(), 0)
    })
  }
})

/** Asks a new account for a smart session: 0.01 ETH a day. */
async function askForSession() {
  const { address } = privateKeyToAccount(generatePrivateKey())
  const { publicKey } = privateKeyToAccount(generatePrivateKey())
  const url = new URL(`/v1/sessions/eip155:31337:${address}`, site.gatewayUrl)
  url.searchParams.set('projectId', site.projectId)
  const now = Math.floor(Date.now() / 1000)
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(site.url).origin },
    body: JSON.stringify({
      expiry: now + 7 * 86_400,
      signer: { type: 'keys', data: { keys: [{ type: 'secp256k1', publicKey }] } },
      permissions: [
        {
          type: 'native-token-recurring-allowance',
          data: { allowance: '0x2386f26fc10000', start: now, period: 86_400 },
        },
      ],
      policies: [],
      v: '2',
    }),
  })
  assert.equal(answer.status, 200)
  return { address, .../** @type {{ pci: string }} */ (await answer.json()) }
}
