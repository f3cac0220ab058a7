// @vitest-environment jsdom
import { openSend } from '@hawser/core'
import { BOB, createConnectedKit, walletError } from '@hawser/core/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { findView, type OpenKit, renderPage } from '../../testing/openKit.tsx'

let kit: OpenKit

const field = () => screen.getByTestId<HTMLTextAreaElement>('send-address-input')
const outcome = () => screen.getByTestId('send-address-outcome')
const follow = () => screen.queryByTestId('send-follow-receiver')

async function enter(receiver: string) {
  await kit.user.clear(field())
  await kit.user.click(field())
  await kit.user.paste(receiver)
}

describe('a receiver with its chain', () => {
  beforeEach(async () => {
    kit = renderPage(await createConnectedKit())
    act(() => openSend(kit.hawser))
    await findView('WalletSend')
  })

  it('stays as it was typed, above its address and its network', async () => {
    await enter(`eip155:31337:${BOB}`)
    await waitFor(() => expect(outcome().textContent).toContain(`${BOB}On Devnet`))
    expect(field().value).toBe(`eip155:31337:${BOB}`)
    expect(field().getAttribute('aria-invalid')).toBeNull()
  })

  it.each([
    ['moon', 'No network of this site is called moon.'],
    ['eip155:8453', 'This receiver is on eip155:8453.'],
    ['devnet#00000000', 'The checksum is wrong. Ask for the address again.'],
    ['solana', 'Enter a valid address'],
  ])('is refused on %s', async (chain, text) => {
    await enter(`${BOB}@${chain}`)
    await waitFor(() => expect(outcome().textContent).toBe(text))
    expect(field().getAttribute('aria-invalid')).toBe('true')
    expect(follow()).toBeNull()
  })

  it('on another network of the site is followed there', async () => {
    await enter(`${BOB}@devnet-two`)
    await waitFor(() => expect(outcome().textContent).toBe('This receiver is on Devnet Two.'))
    expect(follow()?.textContent).toBe('Switch to Devnet Two')
    await kit.user.click(follow() as HTMLElement)
    await waitFor(() => expect(outcome().textContent).toContain('On Devnet Two'))
    expect(kit.hawser.chain.getState().activeCaipNetwork?.name).toBe('Devnet Two')
    expect(field().value).toBe(`${BOB}@devnet-two`)
    expect(follow()).toBeNull()
  })

  it('stays when the wallet declines to switch', async () => {
    kit.wallet.answers.wallet_switchEthereumChain = () => {
      throw walletError(4001, 'declined')
    }
    await enter(`${BOB}@devnet-two`)
    await waitFor(() => expect(follow()).not.toBeNull())
    await kit.user.click(follow() as HTMLElement)
    await waitFor(() => expect(kit.hawser.toast.getState().variant).toBe('neutral'))
    expect(follow()?.getAttribute('aria-busy')).toBeNull()
    expect(field().value).toBe(`${BOB}@devnet-two`)
  })
})
