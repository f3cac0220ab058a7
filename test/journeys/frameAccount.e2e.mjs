import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { createPublicClient, http, parseEther, verifyMessage } from 'viem'
import { assertWalletAccessible } from '../kit/accessibility.mjs'
import { eventually } from '../kit/eventually.mjs'
import {
  addressOf,
  findInMail,
  frameOf,
  fund,
  market,
  newEmail,
  newProfile,
  nodeUrl,
  openAccount,
  openSite,
  projectId,
  shop,
  sign,
  signIn,
  startSigning,
  visitSite,
  walletPages,
} from '../kit/frame.mjs'
import { press } from '../kit/press.mjs'
import { site } from '../kit/site.mjs'
import { openScreen, readWords, shownWords, showScreen, submitPassword } from '../kit/walletAccount.mjs'

const patience = { timeout: 90_000 }
const PASSWORD = 'correct horse battery staple'

/** Signs in at a site, and opens the wallet's account page from there. */
async function visitAccount() {
  const { context } = await newProfile()
  const page = await openSite(context, shop)
  const email = newEmail()
  await signIn(page, email)
  const account = await openAccount(page)
  // No button is cut off.
  await account.setViewportSize({ width: 800, height: 2_400 })
  return { context, page, email, account }
}

/**
 * Enters the code of the newest mail to an address.
 *
 * @param {import('playwright-core').Page} account
 * @param {string} email
 */
async function enterCode(account, email) {
  const field = account.getByLabel(`Code that we sent to ${email}`)
  await field.waitFor()
  await field.fill(await findInMail(email, /Your code is (\d{6})\n\nIt (?:confirms|makes)/))
  await account.getByRole('button', { name: 'Continue' }).click()
}

/**
 * Opens the wallet on the way from the screen of identities, which is shown again.
 *
 * @param {import('playwright-core').Page} account
 */
async function openFromIdentities(account) {
  await account.getByRole('button', { name: 'Open your wallet' }).click()
  await account.getByRole('heading', { name: 'Open your wallet' }).waitFor()
  await press(account.getByRole('button', { name: 'Open your wallet' }))
  await account.getByRole('heading', { name: 'How you sign in' }).waitFor()
}

describe('at the account page, a visitor', () => {
  test('adds a social account and a Farcaster account, which sign in from then on', patience, async () => {
    const { context, page, account } = await visitAccount()
    const address = await addressOf(page)
    await showScreen(account, 'How you sign in')
    // Without the wallet's signature an account waits, and can be canceled.
    const openingFirst = account.waitForEvent('popup')
    await press(account.getByRole('button', { name: 'Add GitHub' }))
    await (await openingFirst).getByTestId('person-bob').click()
    await account.getByText('Signs in from').waitFor()
    await press(account.getByRole('button', { name: 'Cancel GitHub' }))
    await account.getByText('GitHub: ').waitFor({ state: 'detached' })

    await openFromIdentities(account)
    for (const { name, person } of [
      { name: 'Google', person: 'person-bob' },
      { name: 'Farcaster', person: 'person-bob' },
    ]) {
      const opening = account.waitForEvent('popup')
      await press(account.getByRole('button', { name: `Add ${name}` }))
      const provider = await opening
      await provider.getByTestId(person).click()
      await account.getByText(`${name}: `).waitFor()
    }

    const other = await openSite((await newProfile()).context, shop)
    const { url } = await other.evaluate(() => window.wallet.getFarcasterUri())
    const app = await other.context().newPage()
    await app.goto(url)
    const connecting = other.evaluate(() => window.wallet.connectFarcaster())
    await app.getByTestId('person-bob').click()
    assert.deepEqual(await connecting, { userName: 'bob' })
    assert.equal(await addressOf(other), address)

    await showScreen(account, 'Recent changes')
    await account.getByText('Google was added').waitFor()

    // Without the wallet's signature a removal waits, and can be canceled. The page opens the wallet itself, although the frame has.
    await account.reload()
    await showScreen(account, 'How you sign in')
    await account.getByRole('button', { name: 'Open your wallet' }).waitFor()
    await press(account.getByRole('button', { name: 'Remove Google' }))
    await account.getByText('Signs in until').waitFor()
    await press(account.getByRole('button', { name: 'Keep Google' }))
    await account.getByText('Signs in until').waitFor({ state: 'detached' })
    await openFromIdentities(account)
    await press(account.getByRole('button', { name: 'Remove Google' }))
    await account.getByText('Google: ').waitFor({ state: 'detached' })
    await showScreen(account, 'Recent changes')
    await account.getByText('Google was removed').waitFor()
    await context.close()
  })

  test('changes the email by the codes of both mailboxes', patience, async () => {
    const { email, account } = await visitAccount()
    const changed = newEmail()
    const field = account.getByLabel('New email')
    await showScreen(account, 'How you sign in')
    await account.getByRole('button', { name: 'Change the email' }).click()
    await field.fill(changed)
    await account.getByRole('button', { name: 'Continue' }).click()
    await enterCode(account, email)
    await enterCode(account, changed)
    await account.getByText(`Email: ${changed}`).waitFor()
    await account.getByText('Signs in until').waitFor()
    await showScreen(account, 'Recent changes')
    await account.getByText('Your email was changed').waitFor()
    await showScreen(account, 'How you sign in')
    await findInMail(email, /(now sign in with)/)

    // A login undoes it, and the new email ends a day later.
    await press(account.getByRole('button', { name: `Keep ${email}` }))
    await account.getByRole('button', { name: `Keep ${email}` }).waitFor({ state: 'detached' })
    await account.getByRole('button', { name: `Keep ${changed}` }).waitFor()
  })

  test('removes a password, and opens the wallet by one on another device', patience, async () => {
    const { page, email, account } = await visitAccount()
    const address = await addressOf(page)
    await openScreen(account, 'Back up your wallet')
    await account.getByRole('button', { name: /^Add a password/ }).click()
    await submitPassword(account, PASSWORD, 'Add a password')
    await account.getByRole('button', { name: /^Add a password.*Done$/ }).waitFor()

    const other = await openSite((await newProfile()).context, shop)
    await signIn(other, email)
    const signing = startSigning(other, 'hello')
    const frame = frameOf(other)
    await press(frame.getByRole('button', { name: 'Approve' }))
    await frame.getByLabel('Password').fill('an incorrect password')
    await frame.getByRole('button', { name: 'Open with your password' }).click()
    await frame.getByText('The password is wrong').waitFor()
    await frame.getByLabel('Password').fill(PASSWORD)
    await frame.getByRole('button', { name: 'Open with your password' }).click()
    assert.ok(await verifyMessage({ address, message: 'hello', signature: await signing }))

    await showScreen(account, 'Ways to open your wallet')
    await press(account.getByRole('button', { name: 'Remove Password' }))
    await account.getByRole('button', { name: 'Remove Password' }).waitFor({ state: 'detached' })
    await showScreen(account, 'Recent changes')
    await account.getByText('A way to open your wallet was removed').waitFor()
  })

  test('ends the smart account', patience, async () => {
    const { page, account } = await visitAccount()
    const address = await addressOf(page)
    await fund(address, parseEther('1'))
    const sending = page.evaluate(
      ({ from, to }) =>
        window.wallet.request({
          method: 'wallet_sendCalls',
          params: [
            {
              version: '2.0.0',
              from,
              chainId: '0x7a69',
              atomicRequired: true,
              calls: [{ to, value: '0x1' }],
            },
          ],
        }),
      { from: address, to: `0x${'c3'.repeat(20)}` },
    )
    await press(frameOf(page).getByRole('button', { name: 'Approve' }))
    await sending
    const client = createPublicClient({ transport: http(nodeUrl) })
    await eventually(async () => assert.match(String(await client.getCode({ address })), /^0xef0100/), 20_000)

    await account.reload()
    await openScreen(account, 'Smart account')
    await account.getByRole('button', { name: /^Turn off the smart account on/ }).click()
    await account.getByText('Maximum network fee').waitFor()
    await account.getByText('A sponsor sends it and pays the network fee.').waitFor()
    await press(account.getByRole('button', { name: 'Turn off', exact: true }))
    await eventually(async () => assert.equal(await client.getCode({ address }), undefined), 20_000)
    await account.getByText('Your account isn’t a smart account on any network.').waitFor()
  })

  test('saves a recovery kit, which opens the wallet where nothing else does', patience, async () => {
    const { page, email, account } = await visitAccount()
    const address = await addressOf(page)
    await account.getByText('It opens only in browsers you’ve used.').waitFor()
    await openScreen(account, 'Back up your wallet')
    const words = await readWords(account)
    await showScreen(account, 'Back up your wallet')
    await account.getByRole('button', { name: /^Save a recovery kit/ }).click()
    const downloading = account.waitForEvent('download')
    await submitPassword(account, PASSWORD, 'Save a recovery kit')
    const kit = await (await downloading).path()
    assert.ok(!readFileSync(kit, 'utf8').includes(words[0] ?? ''))
    await showScreen(account, 'Site permissions')
    await account.goBack()
    await account.getByText('It opens only in browsers you’ve used.').waitFor({ state: 'detached' })

    // On another device, without a login.
    const { context, requests } = await newProfile()
    const recover = await context.newPage()
    await recover.goto(`${site.frameOrigin}/recover`)
    await recover.getByLabel('Recovery kit').setInputFiles(kit)
    const sent = requests.length
    await recover.getByLabel('Password').fill('another password')
    await recover.getByRole('button', { name: 'Show the 24 words' }).click()
    await recover.getByText('The password does not open this recovery kit').waitFor()
    await recover.getByLabel('Password').fill(PASSWORD)
    await recover.getByRole('button', { name: 'Show the 24 words' }).click()
    assert.deepEqual(await shownWords(recover), words)
    assert.deepEqual(
      requests.slice(sent).filter((request) => request.method() !== 'GET'),
      [],
    )

    // On another site, whose storage has no factor.
    const other = await openSite(context, market)
    await signIn(other, email)
    const opening = await openAccount(other)
    await showScreen(opening, 'Ways to open your wallet')
    await opening.getByText('Open it with a recovery kit').click()
    await opening.getByLabel('Recovery kit').setInputFiles(kit)
    const openForm = opening.locator('form', {
      has: opening.getByRole('button', { name: 'Open with the recovery kit' }),
    })
    await openForm.getByLabel('Password').fill(PASSWORD)
    await openForm.getByRole('button').click()
    await opening.getByRole('heading', { name: 'Ways to open your wallet' }).waitFor()
    await visitSite(other, market)
    assert.ok(await verifyMessage({ address, message: 'again', signature: await sign(other, 'again') }))
  })
})

describe('axe finds nothing', () => {
  test('in the sheets of the frame', patience, async () => {
    const { context } = await newProfile()
    const page = await openSite(context, shop)
    await signIn(page, newEmail())
    const address = await addressOf(page)
    await fund(address, parseEther('1'))
    const to = `0x${'d4'.repeat(20)}`
    const data = {
      domain: { name: 'Shop', chainId: 31337 },
      types: { Order: [{ name: 'item', type: 'string' }] },
      primaryType: 'Order',
      message: { item: 'a lamp' },
    }
    const requests = [
      { method: 'personal_sign', params: ['hello', address] },
      { method: 'eth_signTypedData_v4', params: [address, JSON.stringify(data)] },
      { method: 'eth_sendTransaction', params: [{ from: address, to, value: '0x1', data: '0x1234' }] },
      {
        method: 'wallet_sendCalls',
        params: [{ from: address, chainId: '0x7a69', calls: [{ to, value: '0x1' }] }],
      },
    ]
    const frame = frameOf(page)
    for (const request of requests) {
      const answered = page.evaluate(
        (request) => window.wallet.request(request).catch(() => undefined),
        request,
      )
      await frame.locator('[data-state=armed]').waitFor()
      await assertWalletAccessible(page, walletFrame(page))
      await frame.getByRole('button', { name: 'Reject' }).click()
      await answered
    }
  })

  test('in the sheets that open and secure a wallet', patience, async () => {
    const { context } = await newProfile({ storage: false })
    const page = await openSite(context, shop)
    const email = newEmail()
    const signingIn = signIn(page, email)
    const create = frameOf(page).getByRole('button', { name: 'Create a passkey' })
    await create.waitFor()
    await assertWalletAccessible(page, walletFrame(page))
    await create.click()
    await signingIn
    await visitSite(page, shop)
    await signIn(page, email)
    const signing = startSigning(page, 'hello')
    await press(frameOf(page).getByRole('button', { name: 'Approve' }))
    await frameOf(page).getByRole('button', { name: 'Use your passkey' }).waitFor()
    await assertWalletAccessible(page, walletFrame(page))
    await frameOf(page).getByRole('button', { name: 'Use your passkey' }).click()
    await signing
  })

  test('in the pages of the wallet', patience, async () => {
    const { context } = await newProfile()
    const page = await context.newPage()
    for (const path of walletPages) {
      await page.goto(`${site.frameOrigin}${path}?projectId=${projectId}`)
      await assertWalletAccessible(page)
    }
    await visitSite(page, shop)
    await signIn(page, newEmail())
    const account = await openAccount(page)
    await account.getByText('Back up your wallet').waitFor()
    await assertWalletAccessible(account)
    await showScreen(account, 'Back up your wallet')
    await account.getByRole('button', { name: 'Open your wallet' }).waitFor()
    await assertWalletAccessible(account)
    await press(account.getByRole('button', { name: 'Open your wallet' }))
    for (const [row, text] of [
      ['Back up your wallet', 'Save a recovery kit'],
      ['Ways to open your wallet', 'Browser: '],
      ['Site permissions', 'No site permissions found.'],
      ['Smart account', 'Your account isn’t a smart account on any network.'],
      ['Where you’re signed in', 'Sign out everywhere'],
      ['Delete your wallet', 'Confirmation'],
    ]) {
      await showScreen(account, String(row))
      await account.getByText(String(text)).waitFor()
      await assertWalletAccessible(account)
    }
    for (const row of ['Add a password', 'Save a recovery kit', 'Show the 24 words']) {
      await showScreen(account, 'Back up your wallet')
      await account.getByRole('button', { name: new RegExp(`^${row}`) }).click()
      await account.getByRole('button', { name: row, exact: true }).waitFor()
      await assertWalletAccessible(account)
    }
    await readWords(account)
    await assertWalletAccessible(account)
    await showScreen(account, 'How you sign in')
    await account.getByRole('button', { name: 'Change the email' }).click()
    await account.getByLabel('New email').fill(newEmail())
    await assertWalletAccessible(account)
    await account.getByRole('button', { name: 'Continue' }).click()
    await account.getByLabel(/^Code that we sent to/).waitFor()
    await assertWalletAccessible(account)
    await showScreen(account, 'Recent changes')
    await account.getByText('A change of your email was started').waitFor()
    await assertWalletAccessible(account)
  })

  test('in the sheet that changes the email', patience, async () => {
    const page = await openSite((await newProfile()).context, shop)
    await signIn(page, newEmail())
    const changed = newEmail()
    const refused = page.evaluate(
      (email) => window.wallet.updateEmail(email).catch((error) => String(error)),
      changed,
    )
    const frame = frameOf(page)
    await frame.locator('[data-state=armed]').waitFor()
    await frame.getByText(changed).waitFor()
    await assertWalletAccessible(page, walletFrame(page))
    await frame.getByRole('button', { name: 'Reject' }).click()
    assert.match(String(await refused), /rejected/)
  })
})

/**
 * Returns the frame of the wallet, as a document of its own.
 *
 * @param {import('playwright-core').Page} page
 */
function walletFrame(page) {
  const frame = page.frames().find((candidate) => candidate.url().startsWith(site.frameOrigin))
  if (!frame) throw new Error('the page has no frame of the wallet')
  return frame
}
