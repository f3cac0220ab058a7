import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { receiptOf } from '@hawser/devnet/receipt'
import { createPublicClient, createWalletClient, encodePacked, http, pad, parseAbi, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { assertThemeAccessible, assertWalletAccessible } from '../kit/accessibility.mjs'
import { eventually } from '../kit/eventually.mjs'
import {
  addressOf,
  frameOf,
  fund,
  newEmail,
  newProfile,
  nodeUrl,
  openAccount,
  openSite,
  projectId,
  shop,
  signIn,
} from '../kit/frame.mjs'
import { press } from '../kit/press.mjs'
import { site } from '../kit/site.mjs'
import { openScreen } from '../kit/walletAccount.mjs'

const patience = { timeout: 120_000 }
const DAY = 86_400
const to = /** @type {const} */ (`0x${'e5'.repeat(20)}`)
const client = createPublicClient({ transport: http(nodeUrl) })
const abi = parseAbi(['function redeemDelegations(bytes[] contexts, bytes32[] modes, bytes[] executions)'])

/** Signs in at a site with a funded wallet. */
async function visitShop() {
  const { context } = await newProfile()
  const page = await openSite(context, shop)
  await signIn(page, newEmail())
  const address = await addressOf(page)
  await fund(address, parseEther('1'))
  return { context, page, address }
}

/** Returns a key of a site, whose account can pay for transactions. */
async function newDelegate() {
  const delegate = privateKeyToAccount(generatePrivateKey())
  await fund(delegate.address, parseEther('1'))
  return delegate
}

/**
 * Requests that an account may spend 0.01 ETH a day.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} delegate
 * @returns {Promise<{ context: `0x${string}`, delegationManager: `0x${string}`, permission: { data: { periodAmount: string } } }[]>}
 */
async function requestAllowance(page, delegate) {
  const { timestamp } = await client.getBlock()
  const start = Number(timestamp)
  return /** @type {any} */ (
    page.evaluate(
      (params) => window.wallet.request({ method: 'wallet_requestExecutionPermissions', params }),
      [
        {
          chainId: '0x7a69',
          to: delegate,
          permission: {
            type: 'native-token-periodic',
            isAdjustmentAllowed: true,
            data: {
              periodAmount: '0x2386f26fc10000',
              periodDuration: DAY,
              startTime: start,
              justification: 'A coffee a day',
            },
          },
          rules: [{ type: 'expiry', data: { timestamp: start + 7 * DAY } }],
        },
      ],
    )
  )
}

/**
 * Spends from an allowance as its delegate.
 *
 * @param {import('viem').PrivateKeyAccount} delegate
 * @param {{ context: `0x${string}`, delegationManager: `0x${string}` }} granted
 * @param {bigint} value
 */
async function spend(delegate, { context, delegationManager }, value) {
  const wallet = createWalletClient({ account: delegate, transport: http(nodeUrl) })
  const execution = encodePacked(['address', 'uint256', 'bytes'], [to, value, '0x'])
  const hash = await wallet.writeContract({
    address: delegationManager,
    abi,
    functionName: 'redeemDelegations',
    args: [[context], [pad('0x')], [execution]],
    chain: null,
  })
  const { status } = await receiptOf(client, hash)
  assert.equal(status, 'success')
}

describe('a site that requests an allowance', () => {
  test('spends within the limit that the user lowered, until the user ends it', patience, async () => {
    const { page } = await visitShop()
    const delegate = await newDelegate()
    const requesting = requestAllowance(page, delegate.address)
    const frame = frameOf(page)
    await frame.getByRole('heading', { name: 'Let this site act for you' }).waitFor()
    await frame.getByText('The site says: A coffee a day').waitFor()
    await frame.getByText('Your account becomes a smart account').waitFor()
    const limit = frame.getByLabel('Spending limit in ETH, every day')
    const allow = frame.getByRole('button', { name: 'Allow' })
    assert.equal(await limit.inputValue(), '0.01')
    await limit.fill('0.02')
    await frame.getByText('You can lower a limit, but not raise it.').waitFor()
    assert.ok(await allow.isDisabled())
    // As the keyboard of an Arabic phone types it.
    await limit.fill('٠٫٠٠٤')
    await press(allow)
    const [granted] = await requesting
    assert.ok(granted)
    assert.equal(BigInt(granted.permission.data.periodAmount), parseEther('0.004'))

    await spend(delegate, granted, parseEther('0.003'))
    await assert.rejects(spend(delegate, granted, parseEther('0.002')), /transfer-amount-exceeded/)
    await assert.rejects(spend(await newDelegate(), granted, 1n))
    await spend(delegate, granted, parseEther('0.001'))

    const listGranted = () =>
      page.evaluate(() =>
        window.wallet.request({ method: 'wallet_getGrantedExecutionPermissions', params: [] }),
      )
    assert.deepEqual(await listGranted(), [granted])
    const supported = await page.evaluate(() =>
      window.wallet.request({ method: 'wallet_getSupportedExecutionPermissions', params: [] }),
    )
    assert.ok(Object.hasOwn(/** @type {object} */ (supported), 'native-token-periodic'))

    const revoking = page.evaluate(
      (permissionContext) =>
        window.wallet.request({
          method: 'wallet_revokeExecutionPermission',
          params: [{ permissionContext }],
        }),
      granted.context,
    )
    await frame.getByRole('heading', { name: 'Revoke a permission' }).waitFor()
    await frame.getByText('Maximum network fee').waitFor()
    await press(frame.getByRole('button', { name: 'Approve' }))
    await revoking
    assert.deepEqual(await listGranted(), [])
    await assert.rejects(spend(delegate, granted, 1n))
  })

  test('is granted nothing by a rejection, or by a click that the page steals', patience, async () => {
    const { page } = await visitShop()
    const delegate = await newDelegate()
    const requesting = requestAllowance(page, delegate.address).catch((error) => String(error))
    const allow = frameOf(page).getByRole('button', { name: 'Allow' })
    await frameOf(page).locator('[data-state=armed]').waitFor()
    const inside = await allow.evaluate((button) => {
      const { left, top, width, height } = button.getBoundingClientRect()
      return { x: left + width / 2, y: top + height / 2 }
    })
    const { left, top } = await page.evaluate(() => {
      const frame = /** @type {HTMLElement} */ (document.querySelector('#hawser-frame'))
      frame.style.opacity = '0.02'
      return frame.getBoundingClientRect()
    })
    await sleep(1_000)
    await page.mouse.click(left + inside.x, top + inside.y)
    await page.evaluate(() => {
      const frame = /** @type {HTMLElement} */ (document.querySelector('#hawser-frame'))
      frame.style.opacity = '1'
    })
    await frameOf(page).getByRole('button', { name: 'Reject' }).click()
    assert.match(String(await requesting), /User rejected the request/)
  })

  test('shows a sheet in which axe finds nothing', patience, async () => {
    const { page } = await visitShop()
    const requesting = requestAllowance(page, (await newDelegate()).address).catch(() => undefined)
    await frameOf(page).locator('[data-state=armed]').waitFor()
    await frameOf(page).getByLabel('Until').waitFor()
    const frame = page.frames().find((candidate) => candidate.url().startsWith(site.frameOrigin))
    assert.ok(frame)
    await assertWalletAccessible(page, frame)
    await frameOf(page).getByRole('button', { name: 'Reject' }).click()
    await requesting
  })
})

/**
 * Grants a smart session of the service, as a site does: 0.01 ETH a day, used by a key of the site and the co-signer's.
 *
 * @param {import('playwright-core').Page} page
 * @param {`0x${string}`} address
 * @param {() => Promise<void>} allow
 */
async function grantSession(page, address, allow) {
  const privateKey = generatePrivateKey()
  const { timestamp } = await client.getBlock()
  const start = Number(timestamp)
  const terms = {
    expiry: start + 7 * DAY,
    permissions: [
      {
        type: 'native-token-recurring-allowance',
        data: { allowance: '0x2386f26fc10000', start, period: DAY },
      },
    ],
    policies: [],
  }
  const own = { type: 'secp256k1', publicKey: privateKeyToAccount(privateKey).publicKey }
  const created = await call(page, `/v1/sessions/eip155:31337:${address}`, {
    ...terms,
    signer: { type: 'keys', data: { keys: [own] } },
    v: '2',
  })
  const signer = {
    type: 'keys',
    data: { keys: [...(created.coSigned ? [created.key] : []), own] },
  }
  const granting = page.evaluate(
    (params) => window.wallet.request({ method: 'wallet_grantPermissions', params }),
    [{ ...terms, chainId: '0x7a69', address, signer }],
  )
  await allow()
  const granted = /** @type {any} */ (await granting)
  const { pci } = created
  const { permissions, policies, expiry, context } = granted
  await call(page, `/v1/sessions/eip155:31337:${address}/activate`, {
    pci,
    expiry,
    signer,
    permissions,
    policies,
    context,
  })
  return { pci, privateKey, permissions }
}

/**
 * Calls the gateway from a page of the site.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>}
 */
function call(page, path, body) {
  return page.evaluate(
    async ({ url, body }) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${response.status} ${text}`)
      return JSON.parse(text)
    },
    { url: `${site.gatewayUrl}${path}?projectId=${projectId}`, body },
  )
}

/**
 * Sends wei by a smart session.
 *
 * @param {import('playwright-core').Page} page
 * @param {`0x${string}`} from
 * @param {{ pci: string, privateKey: `0x${string}` }} session
 * @param {bigint} value
 */
async function buy(page, from, { pci, privateKey }, value) {
  /** @param {string} method @param {object} params */
  const rpc = async (method, params) => {
    const { result, error } = await call(page, '/v1/wallet', {
      jsonrpc: '2.0',
      id: 1,
      method,
      params: [params],
    })
    if (error) throw new Error(error.message)
    return result
  }
  const prepared = await rpc('wallet_prepareCalls', {
    from,
    chainId: '0x7a69',
    calls: [{ to, value: `0x${value.toString(16)}`, data: '0x' }],
    capabilities: { permissions: { context: pci } },
  })
  const [{ preparedCalls, signatureRequest, context }] = prepared
  const signature = await sign({ hash: signatureRequest.hash, privateKey, to: 'hex' })
  await rpc('wallet_sendPreparedCalls', { preparedCalls, signature, context })
}

describe('at the account page, a visitor', () => {
  test('sees what a site may do and has done, and ends it', patience, async () => {
    const { page, address } = await visitShop()
    const frame = frameOf(page)
    const session = await grantSession(page, address, async () => {
      await frame.getByLabel('Spending limit in ETH, every day').fill('0.004')
      await press(frame.getByRole('button', { name: 'Allow' }))
    })
    assert.equal(BigInt(session.permissions[0].data.allowance), parseEther('0.004'))
    const before = await client.getBalance({ address: to })
    await buy(page, address, session, parseEther('0.003'))
    await eventually(async () => {
      assert.equal(await client.getBalance({ address: to }), before + parseEther('0.003'))
    }, 20_000)
    await assert.rejects(buy(page, address, session, parseEther('0.003')))

    const account = await openAccount(page)
    await openScreen(account, 'Site permissions')
    await account.getByText('0.003 ETH of 0.004 ETH').waitFor()
    await assertThemeAccessible(account)
    await account.screenshot({ path: '.hawser/e2e/sites.png', fullPage: true })
    await account.getByRole('button', { name: /^Revoke permissions of / }).click()
    await account.getByText('Maximum network fee').waitFor()
    await assertThemeAccessible(account)
    await press(account.getByRole('button', { name: 'Revoke', exact: true }))
    await account.getByText('No site permissions found.').waitFor()
    await assert.rejects(buy(page, address, session, 1n))

    const others = [await grantSession(page, address, allow), await grantSession(page, address, allow)]
    async function allow() {
      await press(frame.getByRole('button', { name: 'Allow' }))
    }
    const delegate = await newDelegate()
    const requesting = requestAllowance(page, delegate.address)
    await allow()
    const [granted] = await requesting
    assert.ok(granted)
    await spend(delegate, granted, 1n)
    await account.reload()
    await openScreen(account, 'Site permissions')
    await account.getByText('Granted in this browser').waitFor()
    assert.equal(await account.getByRole('button', { name: /^Revoke permissions of / }).count(), 3)
    await account.getByRole('button', { name: 'Revoke all' }).click()
    // Accounts of the second network cannot run code.
    await account.getByText('Maximum network fee').first().waitFor()
    assert.equal(await account.getByText('Maximum network fee').count(), 1)
    await press(account.getByRole('button', { name: 'Revoke', exact: true }))
    await account.getByText('No site permissions found.').waitFor()
    for (const other of others) await assert.rejects(buy(page, address, other, 1n))
    await assert.rejects(spend(delegate, granted, 1n))
  })
})
