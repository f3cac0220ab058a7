import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { encodeFunctionData, erc20Abi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { assertAccessible, assertWalletAccessible } from '../kit/accessibility.mjs'
import { devnet, freshAddress } from '../kit/chain.mjs'
import { logIn, newEmail, requestShown, walletFrame } from '../kit/embedded.mjs'
import { tabTo } from '../kit/focus.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'
import { press } from '../kit/press.mjs'
import { openScreen } from '../kit/walletAccount.mjs'
import { walletOf } from '../kit/wallets.mjs'
import { stopPolling } from '../kit/withoutPolls.mjs'

const ETHER = 10n ** 18n

/** A visitor without a wallet. */
const visitor = { query: '?devWallet=0', wallets: () => [] }

/** Returns a new account: those of the devnet have approvals of other journeys. */
function newOwner() {
  const key = generatePrivateKey()
  const owner = privateKeyToAccount(key)
  return { owner, wallets: (smart = false) => [walletOf({ privateKeys: [key], smart })] }
}

/**
 * Gives an account ether, a part of it in tUSD.
 *
 * @param {import('viem').LocalAccount} owner
 */
async function fund(owner) {
  await devnet.setBalance(owner.address, 3n * ETHER)
  await devnet.sellEther('tUSD', ETHER / 1_000n, owner)
}

/**
 * Lets somebody take any amount of tUSD, a contract as well, and somebody else every NFT of a collection.
 *
 * @param {import('viem').LocalAccount} owner
 */
async function approve(owner) {
  const [person, operator] = [freshAddress(), freshAddress()]
  const contract = /** @type {`0x${string}`} */ (devnet.routers[0])
  await devnet.approveAll('tUSD', owner, person)
  await devnet.approveAll('tUSD', owner, contract)
  await devnet.approveOperator('MOOR', owner, operator)
  return { person, contract, operator }
}

/**
 * Verifies on the chain that nobody may take anything any more.
 *
 * @param {import('viem').LocalAccount} owner
 * @param {Awaited<ReturnType<typeof approve>>} approved
 */
async function assertNothingAllowed({ address }, { person, contract, operator }) {
  assert.equal(await devnet.allowance('tUSD', address, person), 0n)
  assert.equal(await devnet.allowance('tUSD', address, contract), 0n)
  assert.equal(await devnet.isOperator('MOOR', address, operator), false)
}

describe('an approval', () => {
  const { owner, wallets } = newOwner()
  mainJourney(
    'is listed with what is at risk, and is gone with the block of its revocation',
    { wallets },
    async (scene) => {
      const { page, modal, wallet } = scene
      await fund(owner)
      const spender = freshAddress()
      await devnet.approveAll('tUSD', owner, spender)
      await stopPolling(scene)
      await modal.connect(wallet)
      await modal.openTab('access')
      const row = modal.approval(spender)
      await row.waitFor()
      const text = (await row.textContent()) ?? ''
      assert.match(text, /tUSD/)
      assert.match(text, /Unlimited/)
      assert.match(text, /Danger: not a contract/)
      assert.match((await modal.find('access-total').textContent()) ?? '', /^\$\d/)
      await assertAccessible(page)

      await row.getByRole('button', { expanded: false }).click()
      assert.match((await row.getByTestId('approval-spender').textContent()) ?? '', new RegExp(spender, 'i'))
      await assertAccessible(page)
      await row.getByTestId('approval-revoke').click()
      await modal.shows('RevokeApprovals')
      assert.equal(await devnet.allowance('tUSD', owner.address, spender), 2n ** 256n - 1n)
      await assertAccessible(page)
      await modal.confirmRevocation()
      await modal.says('Approval revoked')
      await modal.shows('Account')
      await row.waitFor({ state: 'detached' })
      await modal.find('empty-access-state').waitFor()
      assert.equal(await devnet.allowance('tUSD', owner.address, spender), 0n)
    },
  )
})

describe('an embedded wallet without ether', () => {
  journey('revokes an approval and removes its code at the cost of a sponsor', visitor, async (scene) => {
    const { context, page, modal } = scene
    await logIn(scene, newEmail())
    const text = (await modal.find('w3m-address').textContent()) ?? ''
    const address = /** @type {`0x${string}`} */ (/0x[0-9a-f]{40}/i.exec(text)?.[0])
    const spender = freshAddress()
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 5n] })
    await devnet.payAs(address, devnet.token('tUSD').address, 0n, data)
    await devnet.setBalance(address, 0n)
    await modal.openTab('access')
    const row = modal.approval(spender)
    await row.getByRole('button', { expanded: false }).click()
    await row.getByTestId('approval-revoke').click()
    await modal.confirmRevocation()
    await requestShown(page)
    await press(walletFrame(page).getByRole('button', { name: 'Approve' }))
    await modal.says('Approval revoked')
    assert.equal(await devnet.allowance('tUSD', address, spender), 0n)
    assert.equal(await devnet.balance(address), 0n)

    // The operation made the account a smart account. Its code is removed on the wallet's page.
    assert.match(String(await devnet.code(address)), /^0xef0100/)
    await modal.find('access-delegation').waitFor()
    const opened = context.waitForEvent('page')
    await modal.press('delegation-remove')
    const account = await opened
    await account.setViewportSize({ width: 800, height: 2_400 })
    await openScreen(account, 'Smart account')
    await account.getByRole('button', { name: /^Turn off the smart account on/ }).click()
    await account.getByText('A sponsor sends it and pays the network fee.').waitFor()
    await assertWalletAccessible(account)
    await press(account.getByRole('button', { name: 'Turn off', exact: true }))
    await account.getByText('Your account isn’t a smart account on any network.').waitFor()
    assert.equal(await devnet.code(address), undefined)
    assert.equal(await devnet.balance(address), 0n)
    await account.close()
    await modal.press('tab-activity')
    await modal.press('tab-access')
    await modal.find('access-delegation').waitFor({ state: 'detached' })
  })
})

describe('an approval that is given while the tab is open', () => {
  const { owner, wallets } = newOwner()
  journey('is pushed, and so is its end elsewhere', { wallets }, async (scene) => {
    const { modal, wallet } = scene
    await fund(owner)
    await stopPolling(scene)
    await modal.connect(wallet)
    await modal.openTab('access')
    await modal.find('empty-access-state').waitFor()
    const spender = freshAddress()
    await devnet.approveAll('tUSD', owner, spender)
    await modal.approval(spender).waitFor()
    await devnet.approveAll('tUSD', owner, spender, 0n)
    await modal.approval(spender).waitFor({ state: 'detached' })
  })
})

describe('several approvals', () => {
  const keyboard = newOwner()
  journey(
    'are revoked with the keyboard alone, one transaction after another',
    { wallets: keyboard.wallets },
    async ({ page, modal, wallet }) => {
      const { owner } = keyboard
      await fund(owner)
      const approved = await approve(owner)
      await modal.connect(wallet)
      await modal.openAccount()
      await modal.find('tab-tokens').focus()
      await page.keyboard.press('End')
      await modal.approval(approved.operator).waitFor()
      await modal.approval(approved.contract).waitFor()
      await tabTo(page, 'access-select-all')
      await page.keyboard.press('Space')
      await modal.find('access-revoke-button').getByText('Revoke (3)').waitFor()
      await tabTo(page, 'access-revoke-button')
      await page.keyboard.press('Enter')
      await modal.shows('RevokeApprovals')
      await page.locator('[data-testid="revocation-confirm-button"]:enabled').waitFor()
      await tabTo(page, 'revocation-confirm-button')
      await page.keyboard.press('Enter')
      await modal.says('3 approvals revoked')
      await modal.find('empty-access-state').waitFor()
      await assertNothingAllowed(owner, approved)
    },
  )

  const declining = newOwner()
  journey(
    'stay where the wallet declines, and are revoked on another try',
    { wallets: declining.wallets },
    async ({ modal, wallet }) => {
      const { owner } = declining
      await fund(owner)
      const approved = await approve(owner)
      await modal.connect(wallet)
      await modal.openTab('access')
      await modal.approval(approved.operator).getByTestId('approval-select').check()
      await modal.approval(approved.person).getByTestId('approval-select').check()
      await modal.press('access-revoke-button')
      await modal.shows('RevokeApprovals')
      wallet.approvals.rejectNext()
      await modal.confirmRevocation()
      await modal.says('You declined.')
      await modal.find('revocation-failed').waitFor()
      await modal.confirmRevocation()
      await modal.says('2 approvals revoked')
      await modal.approval(approved.person).waitFor({ state: 'detached' })
      await modal.approval(approved.contract).waitFor()
      assert.equal(await devnet.allowance('tUSD', owner.address, approved.person), 0n)
      assert.equal(await devnet.isOperator('MOOR', owner.address, approved.operator), false)
    },
  )

  const smart = newOwner()
  journey(
    'are one request to a wallet that makes several calls in one, whose code is shown then',
    { wallets: () => smart.wallets(true) },
    async ({ modal, wallet }) => {
      const { owner } = smart
      await fund(owner)
      const approved = await approve(owner)
      await modal.connect(wallet)
      await modal.openTab('access')
      await modal.approval(approved.operator).waitFor()
      await modal.find('access-select-all').check()
      await modal.press('access-revoke-button')
      await modal.shows('RevokeApprovals')
      await modal.find('revocation-requests').getByText('1', { exact: true }).waitFor()
      await modal.confirmRevocation()
      await modal.says('3 approvals revoked')
      await modal.approval(approved.operator).waitFor({ state: 'detached' })
      await assertNothingAllowed(owner, approved)
      // The wallet has delegated the account to a contract that nobody knows.
      await modal.find('access-delegation').getByText('Danger: unknown code').waitFor()
    },
  )
})

journey('a site without the feature has no such tab', { query: '?access=0' }, async ({ modal, wallet }) => {
  await modal.connect(wallet)
  await modal.openAccount()
  await modal.find('tab-activity').waitFor()
  assert.equal(await modal.find('tab-access').count(), 0)
})
