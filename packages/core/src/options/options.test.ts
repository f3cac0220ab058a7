import { describe, expect, it } from 'vitest'
import { createHawser } from '../createHawser.ts'
import { createKit, devnet } from '../testing/kit.ts'
import { isConsentMissing, setLegalCheckboxChecked, updateFeatures } from './options.ts'

describe('the defaults', () => {
  it('are those of the product, of what there is', () => {
    const hawser = createHawser({ projectId: '', baseUrl: 'http://gateway.test', networks: [devnet] })
    expect(hawser.options.getState().features).toEqual({
      swaps: true,
      onramp: true,
      receive: true,
      send: true,
      history: true,
      access: true,
      analytics: true,
      smartSessions: false,
      legalCheckbox: false,
      collapseWallets: false,
      email: true,
      socials: ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook'],
      emailShowWallets: true,
      connectMethodsOrder: undefined,
      connectorTypeOrder: [
        'recent',
        'injected',
        'walletConnect',
        'featured',
        'custom',
        'external',
        'recommended',
      ],
      walletFeaturesOrder: ['onramp', 'swaps', 'receive', 'send'],
    })
    expect(hawser.options.getState()).toMatchObject({
      enableNetworkSwitch: true,
      allowUnsupportedChain: false,
    })
    expect(hawser.options.getState().defaultAccountTypes).toEqual({
      eip155: 'smartAccount',
      solana: 'eoa',
      bip122: 'payment',
      polkadot: 'eoa',
    })
    expect(hawser.theme.getState().themeMode).toBe('dark')
  })

  it('are kept when the site sets none', () => {
    const { hawser } = createKit({ features: { swaps: false }, defaultAccountTypes: { eip155: 'eoa' } })
    updateFeatures(hawser, { send: false })
    expect(hawser.options.getState().features).toMatchObject({ swaps: false, send: false, receive: true })
    expect(hawser.options.getState().defaultAccountTypes).toMatchObject({ eip155: 'eoa', bip122: 'payment' })
  })
})

describe('the legal checkbox', () => {
  const termsConditionsUrl = 'https://site.test/terms'

  it('keeps a visitor from connecting until it is ticked', () => {
    const { hawser } = createKit({ features: { legalCheckbox: true }, termsConditionsUrl })
    expect(isConsentMissing(hawser.options.getState())).toBe(true)
    setLegalCheckboxChecked(hawser, true)
    expect(isConsentMissing(hawser.options.getState())).toBe(false)
  })

  it('is not there without a text to agree to', () => {
    const { hawser } = createKit({ features: { legalCheckbox: true } })
    expect(isConsentMissing(hawser.options.getState())).toBe(false)
  })
})
