import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { receiptOf } from '@hawser/devnet/receipt'
import { MINIMUM_BALANCES } from '@hawser/vault'
import { createPublicClient, http, parseEther, verifyMessage, verifyTypedData } from 'viem'
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
  secondNodeUrl,
  shop,
  sign,
  signIn,
  startSigning,
  visitSite,
} from '../kit/frame.mjs'
import { press } from '../kit/press.mjs'
import { site } from '../kit/site.mjs'
import { addPasskey, openScreen, readWords, showScreen } from '../kit/walletAccount.mjs'

const patience = { timeout: 90_000 }

describe('a visitor who signs in by email', () => {
  test('has a wallet that signs after a click in the frame, and after a reload', patience, async () => {
    const { context } = await newProfile()
    const page = await openSite(context, shop)
    const email = newEmail()
    await signIn(page, email)
    const user = await page.evaluate(() => window.wallet.getUser())
    assert.equal(user.email, email)
    assert.equal(user.chainId, 'eip155:31337')
    const address = await addressOf(page)
    assert.ok(await verifyMessage({ address, message: 'hello', signature: await sign(page, 'hello') }))

    await visitSite(page, shop)
    assert.equal(await page.evaluate(() => window.wallet.isConnected()), true)
    assert.ok(await verifyMessage({ address, message: 'again', signature: await sign(page, 'again') }))
  })

  test('sends a transaction', patience, async () => {
    const { context } = await newProfile()
    const page = await openSite(context, shop)
    await signIn(page, newEmail())
    const address = await addressOf(page)
    await fund(address, parseEther('1'))
    const to = /** @type {const} */ (`0x${'ab'.repeat(20)}`)
    const sending = page.evaluate(
      ({ address, to }) =>
        window.wallet.request({
          method: 'eth_sendTransaction',
          params: [{ from: address, to, value: '0x2386f26fc10000' }],
        }),
      { address, to },
    )
    const frame = frameOf(page)
    await frame.getByLabel('Balance changes').getByText('0.01 ETH').waitFor()
    await frame.getByText(to).first().waitFor()
    await press(frame.getByRole('button', { name: 'Approve' }))
    const hash = /** @type {`0x${string}`} */ (await sending)
    const client = createPublicClient({ transport: http(nodeUrl) })
    const receipt = await receiptOf(client, hash)
    assert.equal(receipt.status, 'success')
    assert.equal(await client.getBalance({ address: to }), parseEther('0.01'))
  })

  test('is warned about a signature that gives all of a token away', patience, async () => {
    const { context } = await newProfile()
    const page = await openSite(context, shop)
    await signIn(page, newEmail())
    const address = await addressOf(page)
    const field = (/** @type {string} */ name, /** @type {string} */ type) => ({ name, type })
    const data = {
      domain: { name: 'Token', version: '1', chainId: 31337, verifyingContract: `0x${'7'.repeat(40)}` },
      types: {
        Permit: [
          field('owner', 'address'),
          field('spender', 'address'),
          field('value', 'uint256'),
          field('nonce', 'uint256'),
          field('deadline', 'uint256'),
        ],
      },
      primaryType: 'Permit',
      message: {
        owner: address,
        spender: `0x${'8'.repeat(40)}`,
        value: `${2n ** 256n - 1n}`,
        nonce: '0',
        deadline: '99999999999',
      },
    }
    const signing = page.evaluate(
      ({ address, data }) =>
        window.wallet
          .request({ method: 'eth_signTypedData_v4', params: [address, JSON.stringify(data)] })
          .catch(({ code }) => code),
      { address, data },
    )
    const frame = frameOf(page)
    await frame.getByRole('alert').first().waitFor()
    await frame
      .getByLabel('Spending permissions')
      .getByText(`0x${'8'.repeat(40)}`)
      .waitFor()
    const inner = page.frames().find((each) => each.url().startsWith(site.frameOrigin))
    await assertWalletAccessible(page, inner)
    const approve = frame.getByRole('button', { name: 'Approve anyway' })
    assert.ok(await approve.isDisabled())
    await press(frame.getByRole('checkbox', { name: 'I understand the risk' }))
    await eventually(async () => assert.ok(await approve.isEnabled()))
    await frame.getByRole('button', { name: 'Reject' }).click()
    assert.equal(await signing, 4001)
  })

  test('confirms a second time what could not be checked', patience, async () => {
    const { context } = await newProfile()
    await context.route('**/hawser.preview.v1.PreviewService/**', (route) =>
      route.fulfill({ status: 503, body: '{}' }),
    )
    const page = await openSite(context, shop)
    await signIn(page, newEmail())
    const address = await addressOf(page)
    const message = `bank.example wants you to sign in with your Ethereum account:\n${address}\n`
    const signing = startSigning(page, message)
    const frame = frameOf(page)
    const approve = frame.getByRole('button', { name: 'Approve' })
    const box = frame.getByRole('checkbox', { name: 'I understand that this couldn’t be checked' })
    await frame.getByText(/^This signs in at .?bank\.example/).waitFor()
    assert.ok(await approve.isDisabled())
    await frame.locator('[data-state=armed]').waitFor()
    const inner = page.frames().find((each) => each.url().startsWith(site.frameOrigin))
    await assertWalletAccessible(page, inner)
    await press(box)
    assert.ok(await box.isChecked())
    await press(approve)
    assert.ok(await verifyMessage({ address, message, signature: await signing }))
  })

  test('signs typed data, and can reject it', patience, async () => {
    const { context } = await newProfile()
    const page = await openSite(context, shop)
    await signIn(page, newEmail())
    const address = await addressOf(page)
    const data = {
      domain: { name: 'Shop', chainId: 31337 },
      types: { Order: [{ name: 'item', type: 'string' }] },
      primaryType: /** @type {const} */ ('Order'),
      message: { item: 'a lamp' },
    }
    const request = () =>
      page.evaluate(
        ({ address, data }) =>
          window.wallet
            .request({ method: 'eth_signTypedData_v4', params: [address, JSON.stringify(data)] })
            .catch(({ code, message }) => ({ code, message })),
        { address, data },
      )
    const frame = frameOf(page)
    const rejected = request()
    await frame.getByText('a lamp').waitFor()
    await frame.getByRole('button', { name: 'Reject' }).click()
    assert.deepEqual(await rejected, { code: 4001, message: 'User rejected the request' })
    const approved = request()
    await press(frame.getByRole('button', { name: 'Approve' }))
    assert.ok(
      await verifyTypedData({ address, ...data, signature: /** @type {`0x${string}`} */ (await approved) }),
    )
  })

  test('sees why calls would fail, before anything is sent', patience, async () => {
    const page = await openSite((await newProfile()).context, shop)
    await signIn(page, newEmail())
    const address = await addressOf(page)
    await fund(address, parseEther('1'))
    // The deployment proxy reverts for what is no code.
    const call = { to: '0x4e59b44847b379578588920cA78FbF26c0B4956C', data: '0x12' }
    const request = (/** @type {string} */ method, /** @type {object} */ params) =>
      page.evaluate(
        ({ method, params }) =>
          window.wallet
            .request({ method, params: [params] })
            .catch(({ code, message }) => ({ code, message })),
        { method, params },
      )
    const frame = frameOf(page)
    const sending = request('eth_sendTransaction', { from: address, ...call })
    await frame
      .getByText(/^This would fail/)
      .first()
      .waitFor()
    await frame.getByRole('button', { name: /^Approve/ }).waitFor()
    await frame.getByRole('button', { name: 'Reject' }).click()
    assert.deepEqual(await sending, { code: 4001, message: 'User rejected the request' })

    const atOnce = { version: '2.0.0', from: address, chainId: '0x7a69', atomicRequired: true, calls: [call] }
    const sendingAtOnce = request('wallet_sendCalls', atOnce)
    await frame
      .getByText(/^This would fail/)
      .first()
      .waitFor()
    assert.ok(await frame.getByRole('button', { name: /^Approve/ }).isDisabled())
    await frame.getByRole('button', { name: 'Reject' }).click()
    const refused = /** @type {{ code: number }} */ (await sendingAtOnce)
    assert.equal(refused.code, -32521)
  })

  test('sends calls at once, as a smart account at the same address', patience, async () => {
    const { context } = await newProfile()
    const page = await openSite(context, shop)
    await signIn(page, newEmail())
    const address = await addressOf(page)
    await fund(address, parseEther('1'))
    const user = await page.evaluate(() => window.wallet.getUser())
    assert.deepEqual(user.accounts, [
      { address, type: 'smartAccount' },
      { address, type: 'eoa' },
    ])
    assert.ok(
      (await page.evaluate(() => window.wallet.getSmartAccountEnabledNetworks())).includes('eip155:31337'),
    )

    const calls = ['c1', 'c2'].map((byte) => ({ to: `0x${byte.repeat(20)}`, value: '0x1' }))
    const sending = page.evaluate(
      ({ from, calls }) => {
        const params = [{ version: '2.0.0', from, chainId: '0x7a69', atomicRequired: true, calls }]
        return window.wallet.request({ method: 'wallet_sendCalls', params })
      },
      { from: address, calls },
    )
    const frame = frameOf(page)
    await frame.getByText('2 calls, all or nothing').waitFor()
    await frame.getByText('Your account becomes a smart account').waitFor()
    const leaves = frame.getByLabel('Balance changes')
    await leaves.getByText('0.000000000000000001 ETH').first().waitFor()
    await press(frame.getByRole('button', { name: 'Approve' }))
    const { id } = /** @type {{ id: string }} */ (await sending)

    // The id is known to the server, so that it works after a reload.
    await visitSite(page, shop)
    await eventually(async () => {
      const status = await page.evaluate(
        (id) => window.wallet.request({ method: 'wallet_getCallsStatus', params: [id] }),
        id,
      )
      assert.equal(/** @type {{ status: number }} */ (status).status, 200)
    }, 20_000)
    const client = createPublicClient({ transport: http(nodeUrl) })
    for (const { to } of calls)
      assert.equal(await client.getBalance({ address: /** @type {`0x${string}`} */ (to) }), 1n)
    assert.ok(
      await client.getCode({ address: MINIMUM_BALANCES }),
      'the balances after the calls were checked',
    )
    assert.equal((await page.evaluate(() => window.wallet.getUser())).smartAccountDeployed, true)
  })

  test('has a smart account of another address where accounts cannot delegate', patience, async () => {
    const { context } = await newProfile()
    const page = await openSite(context, shop)
    await signIn(page, newEmail())
    const owner = await addressOf(page)
    await page.evaluate(() => window.wallet.switchNetwork('eip155:31338'))
    const user = await page.evaluate(() => window.wallet.getUser())
    assert.notEqual(user.address, owner)
    assert.deepEqual(user.accounts, [
      { address: user.address, type: 'smartAccount' },
      { address: owner, type: 'eoa' },
    ])
    assert.equal(user.smartAccountDeployed, false)
    const statuses = await page.evaluate(
      (addresses) => {
        const of = (/** @type {string} */ address) =>
          window.wallet.request({ method: 'wallet_getCapabilities', params: [address, ['0x7a6a']] })
        return Promise.all(addresses.map(of))
      },
      [user.address, owner],
    )
    assert.deepEqual(statuses, [
      { '0x7a6a': { atomic: { status: 'supported' }, paymasterService: { supported: true } } },
      { '0x7a6a': { atomic: { status: 'unsupported' } } },
    ])

    await fund(user.address, parseEther('1'), secondNodeUrl)
    const to = `0x${'c3'.repeat(20)}`
    const sending = page.evaluate(
      ({ from, to }) =>
        window.wallet.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] }),
      { from: user.address, to },
    )
    await press(frameOf(page).getByRole('button', { name: 'Approve' }))
    const client = createPublicClient({ transport: http(secondNodeUrl) })
    const receipt = await client.getTransactionReceipt({ hash: /** @type {`0x${string}`} */ (await sending) })
    assert.equal(receipt.status, 'success')
    assert.equal(await client.getBalance({ address: /** @type {`0x${string}`} */ (to) }), 1n)
    assert.equal((await page.evaluate(() => window.wallet.getUser())).smartAccountDeployed, true)

    const signature = await sign(page, 'hello')
    const address = /** @type {`0x${string}`} */ (user.address)
    assert.ok(await client.verifyMessage({ address, message: 'hello', signature }))
  })

  test('sees that a code is wrong, and can sign out', patience, async () => {
    const { context } = await newProfile()
    const page = await openSite(context, shop)
    const email = newEmail()
    await assert.rejects(signIn(page, email, '000000'), /code/i)
    const code = await findInMail(email, /\b(\d{6})\b/)
    await page.evaluate((code) => window.wallet.connectOtp(code), code)
    await page.evaluate(() => window.wallet.signOut())
    assert.equal(await page.evaluate(() => window.wallet.isConnected()), false)
    await assert.rejects(
      page.evaluate(() =>
        window.wallet.request({ method: 'personal_sign', params: ['0x61', `0x${'1'.repeat(40)}`] }),
      ),
      /Sign in to continue/,
    )
  })
})

describe('a login by email', () => {
  test('needs one code for a new email, and the approval of a new device afterwards', patience, async () => {
    const { context } = await newProfile()
    const page = await openSite(context, shop)
    const email = newEmail()
    const start = () => page.evaluate((email) => window.wallet.connectEmail(email), email)
    assert.deepEqual(await start(), { action: 'VERIFY_OTP' })
    const code = await findInMail(email, /Your code is (\d{6})/)
    await page.evaluate((code) => window.wallet.connectOtp(code), code)
    await visitSite(page, market)
    const { action, words } = await start()
    assert.equal(action, 'VERIFY_DEVICE')
    assert.match(String(words), /^\S+ \S+$/)
  })
})

describe('the wallet on another site', () => {
  test(
    'is opened by a passkey that the account page added, and then by that site alone',
    patience,
    async () => {
      const { context, requests } = await newProfile()
      const page = await openSite(context, shop)
      const email = newEmail()
      await signIn(page, email)
      const address = await addressOf(page)
      await sign(page, 'first')

      const account = await openAccount(page)
      await openScreen(account, 'Back up your wallet')
      const words = (await readWords(account)).join(' ')
      assert.equal(words.split(' ').length, 24)
      await addPasskey(account)
      await showScreen(account, 'Ways to open your wallet')
      await account.getByText(/^Passkey: Chrome \d+ on Linux/).waitFor()

      // The same browser, so the same authenticator; another site, so the frame has another storage.
      await visitSite(account, market)
      assert.equal(await account.evaluate(() => window.wallet.isConnected()), false)
      await signIn(account, email)
      const signing = startSigning(account, 'second')
      await press(frameOf(account).getByRole('button', { name: 'Approve' }))
      await frameOf(account).getByRole('button', { name: 'Use your passkey' }).click()
      assert.ok(await verifyMessage({ address, message: 'second', signature: await signing }))

      await visitSite(account, market)
      assert.ok(await verifyMessage({ address, message: 'third', signature: await sign(account, 'third') }))
      assert.ok(await verifyMessage({ address, message: 'fourth', signature: await sign(page, 'fourth') }))

      const devices = await openAccount(page)
      const here = new RegExp(`^Sign out Chrome \\d+ on Linux, .*${new URL(market).host}$`)
      await showScreen(devices, 'Where you’re signed in')
      await press(devices.getByRole('button', { name: here }))
      await devices.getByRole('button', { name: here }).waitFor({ state: 'detached' })

      const sent = requests.map((request) => `${request.url()} ${request.postData() ?? ''}`).join('\n')
      assert.ok(!sent.includes(words))
      assert.ok(!sent.includes(words.split(' ').slice(0, 3).join(' ')))
    },
  )

  test('cannot be opened without a factor that works there', patience, async () => {
    const { context } = await newProfile()
    const page = await openSite(context, shop)
    const email = newEmail()
    await signIn(page, email)
    await visitSite(page, market)
    await signIn(page, email)
    const signing = startSigning(page, 'hello').catch((error) => error)
    await press(frameOf(page).getByRole('button', { name: 'Approve' }))
    assert.match(String(await signing), /This browser cannot open your wallet/)
  })
})

describe('where the browser denies storage', () => {
  test('a new wallet is secured by a passkey, which opens it after a reload', patience, async () => {
    const { context } = await newProfile({ storage: false })
    const page = await openSite(context, shop)
    const email = newEmail()
    const signingIn = signIn(page, email)
    const create = frameOf(page).getByRole('button', { name: 'Create a passkey' })
    await create.waitFor()
    await answerAfterPasskey(page)
    await create.click()
    await signingIn
    const address = await addressOf(page)
    assert.ok(await verifyMessage({ address, message: 'hello', signature: await sign(page, 'hello') }))

    await visitSite(page, shop)
    assert.equal(await page.evaluate(() => window.wallet.isConnected()), false)
    await signIn(page, email)
    const signing = startSigning(page, 'again')
    await press(frameOf(page).getByRole('button', { name: 'Approve' }))
    await frameOf(page).getByRole('button', { name: 'Use your passkey' }).click()
    assert.ok(await verifyMessage({ address, message: 'again', signature: await signing }))
  })
})

/**
 * Keeps calls to the server waiting until the frame creates a passkey: Safari does that only while it handles a click.
 *
 * @param {import('playwright-core').Page} page
 */
async function answerAfterPasskey(page) {
  const frame = page.frames().find((frame) => frame.url().startsWith(site.frameOrigin))
  const isCreating = frame?.evaluate(() => {
    const { create } = CredentialsContainer.prototype
    return new Promise((resolve) => {
      CredentialsContainer.prototype.create = function (options) {
        resolve(undefined)
        return create.call(this, options)
      }
    })
  })
  await page.context().route('**/hawser.wallet.v1.*/**', async (route) => {
    await isCreating
    await route.continue()
  })
}

describe('the frame', () => {
  test('keeps keys that cannot be exported, and storage that the site cannot read', patience, async () => {
    const { context } = await newProfile()
    const page = await openSite(context, shop)
    await signIn(page, newEmail())
    assert.deepEqual(await page.evaluate(() => indexedDB.databases()), [])
    const frame = page.frames().find((frame) => frame.url().startsWith(site.frameOrigin))
    const extractable = await frame?.evaluate(async () => {
      const [{ name = '' } = {}] = await indexedDB.databases()
      const opening = indexedDB.open(name)
      const database = await new Promise((resolve) => {
        opening.onsuccess = () => resolve(opening.result)
      })
      const reading = database.transaction('values').objectStore('values').get('deviceKeys')
      const { proof, storage } = await new Promise((resolve) => {
        reading.onsuccess = () => resolve(reading.result)
      })
      return [proof.privateKey.extractable, storage.extractable]
    })
    assert.deepEqual(extractable, [false, false])
  })

  test('loads nothing from another host, and breaks no rule of its policy', patience, async () => {
    const { context, requests } = await newProfile()
    const page = await context.newPage()
    /** @type {string[]} */
    const complaints = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await visitSite(page, shop)
    await signIn(page, newEmail())
    await sign(page, 'hello')
    const hosts = new Set(requests.map((request) => new URL(request.url()).host))
    assert.deepEqual([...hosts].sort(), [new URL(shop).host, new URL(site.frameOrigin).host].sort())
    assert.deepEqual(complaints, [])
  })
})
