// @vitest-environment jsdom

import { ANCHORS, BOB, createConnectedKit, type Kit, MOORINGS, sent } from '@hawser/core/testing'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { findView, type OpenKit, renderPage, showView } from '../../../testing/openKit.tsx'

const owning = (...collections: readonly (typeof ANCHORS)[]) => ({ collections, backfilling: false })

async function openNfts(prepare: (kit: Kit) => void = () => undefined): Promise<OpenKit & { kit: Kit }> {
  const kit = await createConnectedKit()
  prepare(kit)
  const page = renderPage(kit)
  await showView(page, 'Account')
  await page.user.click(screen.getByTestId('tab-nfts'))
  return { ...page, kit }
}

const pictureOf = (card: HTMLElement) => card.querySelector<HTMLElement>('.hw-nft-picture')

describe('the NFTs tab', () => {
  it('groups tokens by collection, with the count of each', async () => {
    await openNfts(({ gateway }) => {
      gateway.nfts = () => owning(ANCHORS, MOORINGS)
    })
    const anchors = await screen.findByRole('list', { name: 'Anchors' })
    expect(within(anchors).getAllByRole('button')).toHaveLength(2)
    expect(screen.getByTestId('nft-MOOR-7').textContent).toContain('×3')
  })

  it('shows pictures from the gateway, and a text when there is none or it fails', async () => {
    await openNfts(({ gateway }) => {
      gateway.nfts = () => owning(ANCHORS)
    })
    const card = await screen.findByTestId('nft-ANCHOR-1')
    const image = card.querySelector('img') as HTMLImageElement
    expect(image.src).toContain('http://gateway.test/v1/nft-media/m-1?')
    expect(image.getAttribute('loading')).toBe('lazy')
    expect(pictureOf(card)?.dataset.state).toBe('loading')
    fireEvent.load(image)
    expect(pictureOf(card)?.dataset.state).toBe('shown')
    fireEvent.error(image)
    expect(pictureOf(card)?.dataset.state).toBe('broken')
    expect(pictureOf(screen.getByTestId('nft-ANCHOR-4'))?.dataset.state).toBe('broken')
  })

  it('says that there are none', async () => {
    await openNfts()
    await screen.findByTestId('empty-nfts-state')
  })

  it('says that they could not be read, and reads them on another try', async () => {
    const { kit, user } = await openNfts(({ gateway }) => {
      gateway.nfts = () => Promise.reject(new TypeError('Failed to fetch'))
    })
    const error = await screen.findByTestId('nfts-error')
    kit.gateway.nfts = () => owning(ANCHORS)
    await user.click(within(error).getByRole('button', { name: 'Try again' }))
    await screen.findByTestId('nft-ANCHOR-1')
  })

  it('hides suspicious collections behind a row with their count', async () => {
    const { user } = await openNfts(({ gateway }) => {
      gateway.nfts = () => owning(ANCHORS, { ...MOORINGS, hidden: 'link' })
    })
    await screen.findByTestId('nft-ANCHOR-1')
    expect(screen.queryByTestId('nft-MOOR-7')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Show hidden (1)' }))
    expect(screen.getByTestId('nft-MOOR-7')).toBeDefined()
    expect(screen.getByText('Name advertises a website')).toBeDefined()
  })

  it('says what is omitted', async () => {
    await openNfts(({ gateway }) => {
      gateway.nfts = () => ({ ...owning({ ...ANCHORS, owned: 1_202 }), backfilling: true, truncated: true })
    })
    expect(await screen.findByText('1,200 more owned')).toBeDefined()
    expect(screen.getByText('Still loading. More may appear.')).toBeDefined()
    expect(screen.getByText('Showing the most recent tokens only')).toBeDefined()
  })
})

describe('an NFT', () => {
  it('shows its details', async () => {
    const { user } = await openNfts(({ gateway }) => {
      gateway.nfts = () => owning(ANCHORS)
    })
    await user.click(await screen.findByTestId('nft-ANCHOR-1'))
    const view = await findView('NftDetail')
    expect(screen.getByTestId('w3m-header-text').textContent).toBe('Anchors')
    for (const text of ['Anchor #1', 'Drawn on the chain itself.', 'Sea', 'Calm', 'ERC-721'])
      expect(view.textContent).toContain(text)
  })

  it('whose metadata could not be read says so', async () => {
    const { user } = await openNfts(({ gateway }) => {
      gateway.nfts = () => owning(ANCHORS)
    })
    await user.click(await screen.findByTestId('nft-ANCHOR-4'))
    expect((await findView('NftDetail')).textContent).toContain('Couldn’t load')
  })

  it('is sent through the same preview as a token, in any count', async () => {
    const { kit, user } = await openNfts(({ gateway }) => {
      gateway.nfts = () => owning(MOORINGS)
    })
    await user.click(await screen.findByTestId('nft-MOOR-7'))
    await findView('NftDetail')
    await user.click(screen.getByTestId('nft-send-button'))
    await findView('WalletSendNft')
    const review = () => screen.getByTestId<HTMLButtonElement>('send-review-button')
    await user.clear(screen.getByTestId('send-amount-input'))
    await user.type(screen.getByTestId('send-amount-input'), '4.x')
    expect(screen.getByTestId<HTMLInputElement>('send-amount-input').value).toBe('4')
    expect(review().textContent).toBe('Insufficient balance')
    await user.clear(screen.getByTestId('send-amount-input'))
    await user.type(screen.getByTestId('send-amount-input'), '2')
    await user.click(screen.getByTestId('send-address-input'))
    await user.paste(BOB)
    await waitFor(() => expect(review().disabled).toBe(false))
    await user.click(review())
    await findView('WalletSendPreview')
    expect(screen.getByTestId('send-preview-amount').textContent).toContain('2 Berth')
    const confirm = screen.getByTestId('send-confirm-button')
    await waitFor(() => expect(confirm.getAttribute('aria-busy')).toBeNull())
    await user.click(confirm)
    await findView('TransactionStatus')
    expect(sent(kit)).toHaveLength(1)
    await waitFor(() =>
      expect(screen.getByTestId('transaction-label').textContent).toBe('Sent 2 Berth to 0x709979…dc79C8'),
    )
  })

  it('can be left on the way, back to what was looked at', async () => {
    const { user } = await openNfts(({ gateway }) => {
      gateway.nfts = () => owning(ANCHORS)
    })
    await user.click(await screen.findByTestId('nft-ANCHOR-1'))
    await findView('NftDetail')
    await user.click(screen.getByTestId('nft-send-button'))
    await findView('WalletSendNft')
    await user.click(screen.getByTestId('header-back'))
    expect((await findView('NftDetail')).textContent).toContain('Drawn on the chain itself.')
  })
})
