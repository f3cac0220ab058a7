import { afterEach, describe, expect, it, vi } from 'vitest'
import { updateAccount } from '../chain/chainState.ts'
import { preferredAccountType, selectAccount } from '../chain/selectors.ts'
import { ALICE } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit } from '../testing/kit.ts'
import { isSmartAccount, setAccountTab } from './account.ts'
import { copyAddress } from './copyAddress.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('copying the address', () => {
  it('copies it and reports that', async () => {
    const writeText = vi.fn(async () => undefined)
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    const { hawser } = await createConnectedKit()
    expect(await copyAddress(hawser)).toBe(true)
    expect(writeText).toHaveBeenCalledExactlyOnceWith(ALICE)
    expect(hawser.toast.getState()).toMatchObject({ message: 'Address copied', variant: 'success' })
  })

  it('says so when the browser refuses', async () => {
    vi.stubGlobal('navigator', {})
    const { hawser } = await createConnectedKit()
    expect(await copyAddress(hawser)).toBe(false)
    expect(hawser.toast.getState()).toMatchObject({ message: 'Failed to copy', variant: 'error' })
  })
})

describe('the kind of account', () => {
  it('is the default of the namespace until the visitor chooses', async () => {
    const { hawser } = await createConnectedKit()
    expect(preferredAccountType(hawser, 'eip155')).toBe('smartAccount')
  })

  it('is never a smart account in an external wallet', async () => {
    const { hawser } = await createConnectedKit()
    expect(isSmartAccount(hawser)).toBe(false)
  })
})

it('keeps the chosen tab', () => {
  const { hawser } = createKit()
  setAccountTab(hawser, 2)
  expect(selectAccount(hawser.chain.getState()).currentTab).toBe(2)
})

describe('an account of a namespace that the site has no network of', () => {
  it('cannot be changed', () => {
    const { hawser } = createKit()
    expect(() => updateAccount(hawser.chain, 'solana', { status: 'connected' })).toThrow(
      'Chain is required to update chain account data',
    )
  })
})
