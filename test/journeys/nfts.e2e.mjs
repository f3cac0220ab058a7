import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { devnet, freshAddress } from '../kit/chain.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'

describe('the NFTs of an account', () => {
  mainJourney('are shown with pictures from the gateway only', {}, async ({ page, modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openTab('nfts')
    for (const id of ['ANCHOR-1', 'ANCHOR-2', 'ANCHOR-5', 'MOOR-1']) {
      await modal.find(`nft-${id}`).scrollIntoViewIfNeeded()
      await modal.find(`nft-${id}`).locator('[data-state="shown"] img').waitFor()
    }
    await modal.find('nft-ANCHOR-4').locator('[data-state="broken"]').waitFor()
    assert.notEqual(await page.title(), 'ran')
  })

  journey('are hidden with a reason when their name has a link', {}, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openTab('nfts')
    await modal.find('nft-ANCHOR-1').waitFor()
    assert.equal(await modal.find('nft-CLAIM-1').count(), 0)
    await modal.press('show-hidden')
    await modal.find('nft-CLAIM-1').waitFor()
    await modal.card.getByText('Name advertises a website').waitFor()
  })

  journey('show their description', {}, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openTab('nfts')
    await modal.press('nft-ANCHOR-1')
    await modal.shows('NftDetail')
    for (const text of ['Drawn on the chain itself.', 'Fathoms', '12', 'ERC-721'])
      await modal.card.getByText(text, { exact: true }).waitFor()
  })
})

describe('sending an NFT', () => {
  journey('that is one of its kind gives it away', {}, async ({ modal, wallet }) => {
    const to = freshAddress()
    await modal.connect(wallet)
    await modal.openTab('nfts')
    await modal.press('nft-ANCHOR-2')
    await modal.press('nft-send-button')
    await modal.shows('WalletSendNft')
    await modal.find('send-address-input').fill(to)
    await modal.readyToReview()
    await modal.press('send-review-button')
    await modal.shows('WalletSendPreview')
    assert.equal(await modal.find('send-preview-amount').textContent(), 'Anchor #2')
    await modal.press('send-confirm-button')
    await modal.isSent()
    await eventually(async () => assert.equal(await devnet.nftOwner('ANCHOR', 2n), to))
    await modal.find('nft-ANCHOR-1').waitFor()
    await modal.find('nft-ANCHOR-2').waitFor({ state: 'detached' })
  })

  journey('keeps the draft when the wallet declines', { account: 1 }, async ({ modal, wallet }) => {
    const to = freshAddress()
    await modal.connect(wallet)
    await modal.openTab('nfts')
    await modal.press('nft-MOOR-1')
    await modal.press('nft-send-button')
    await modal.find('send-amount-input').fill('1')
    await modal.find('send-address-input').fill(to)
    await modal.readyToReview()
    await modal.press('send-review-button')
    wallet.approvals.rejectNext()
    await modal.press('send-confirm-button')
    await modal.says('You declined. Nothing was sent.')
    await modal.shows('WalletSendPreview')
    assert.equal(await devnet.nftCount('MOOR', 1n, to), 0n)
    await modal.press('send-cancel-button')
    await modal.shows('WalletSendNft')
    assert.equal(await modal.find('send-address-input').inputValue(), to)
  })

  journey('can be sent in any count', { account: 1 }, async ({ modal, wallet }) => {
    const to = freshAddress()
    await modal.connect(wallet)
    await modal.openTab('nfts')
    await modal.press('nft-MOOR-1')
    await modal.press('nft-send-button')
    await modal.find('send-amount-input').fill('3')
    await modal.sendButtonSays('Insufficient balance')
    await modal.find('send-amount-input').fill('2')
    await modal.find('send-address-input').fill(to)
    await modal.readyToReview()
    await modal.press('send-review-button')
    await modal.press('send-confirm-button')
    await modal.isSent()
    await eventually(async () => assert.equal(await devnet.nftCount('MOOR', 1n, to), 2n))
  })
})
