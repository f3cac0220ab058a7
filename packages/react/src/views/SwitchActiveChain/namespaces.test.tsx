// @vitest-environment jsdom

import { type Connector, defineNetwork } from '@hawser/core'
import { ALICE, createConnectedKit, createFakeWallet, devnet } from '@hawser/core/testing'
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { findView, renderConnected, renderPage, showView } from '../../testing/openKit.tsx'

const solana = defineNetwork({
  id: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  name: 'Solana Devnet',
  chainNamespace: 'solana',
  nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
  testnet: true,
})
const networks = [devnet, solana] as const

describe('a site with networks of two namespaces', () => {
  it('lists them under headings', async () => {
    await showView(await renderConnected({ networks }), 'Networks')
    const lists = ['EVM Networks', 'Solana'].map((name) => screen.getByRole('list', { name }))
    expect(lists.map((list) => within(list).getAllByRole('listitem').length)).toEqual([1, 1])
    expect(screen.getByRole('heading', { name: 'EVM Networks' })).toBeDefined()
  })

  it('offers another wallet for a namespace that the connected one does not have', async () => {
    const kit = await renderConnected({ networks })
    await showView(kit, 'Networks')
    await kit.user.click(screen.getByTestId('w3m-network-switch-Solana Devnet'))
    const view = await findView('SwitchActiveChain')
    expect(view.textContent).toContain('Switch to Solana Devnet')
    expect(view.textContent).toContain(
      'Connected wallet doesn’t support connecting to Solana chain. You need to connect with a different wallet.',
    )
    await kit.user.click(screen.getByTestId('w3m-switch-active-chain-button'))
    await findView('Connect')
    const { activeCaipNetwork, activeChain, chains } = kit.hawser.chain.getState()
    expect([activeChain, activeCaipNetwork?.name]).toEqual(['solana', 'Solana Devnet'])
    expect(screen.queryByTestId('wallet-selector-org.example.wallet')).toBeNull()
    expect(chains.get('eip155')?.accountState.address).toBe(ALICE)
  })

  it('connects the same wallet on a namespace that it has too', async () => {
    const connected = await createConnectedKit({ networks })
    const kit = renderPage(connected)
    listTwin(connected.hawser.connectors, connected.wallet.connector)
    await showView(kit, 'Networks')
    await kit.user.click(screen.getByTestId('w3m-network-switch-Solana Devnet'))
    await findView('ConnectingExternal')
  })
})

describe('the settings of an account on a site with two namespaces', () => {
  it('show which chains are connected, and offer the others', async () => {
    const kit = await renderConnected({ networks })
    await showView(kit, 'Profile')
    const solanaRow = await screen.findByTestId('account-namespace-solana')
    expect(solanaRow.textContent).toContain('Not connected')
    expect(screen.getByTestId('account-namespace-eip155').textContent).toContain('0xf39F')
    await kit.user.click(solanaRow)
    await findView('SwitchActiveChain')
  })
})

describe('a wallet of several namespaces', () => {
  it('is connected on the one that the visitor selects, of those that the site lists', async () => {
    const { connector } = createFakeWallet()
    const wallet: Connector = {
      ...connector,
      name: 'Nimbus',
      type: 'MULTI_CHAIN',
      connectors: [connector, { ...connector, chain: 'solana' }, { ...connector, chain: 'bip122' }],
    }
    const kit = await renderConnected({ networks })
    await showView(kit, 'ConnectingMultiChain', { connector: wallet })
    expect(screen.getByText('Select a chain for Nimbus')).toBeDefined()
    expect(
      screen.getByText('Your wallet has accounts on several chains. Select the one to connect.'),
    ).toBeDefined()
    const rows = screen.getAllByTestId(/^select-chain-/)
    expect(rows.map(({ textContent }) => textContent)).toEqual(['EVM Networks', 'Solana'])
    await kit.user.click(screen.getByTestId('select-chain-solana'))
    await findView('ConnectingExternal')
    expect(kit.hawser.router.getState().data?.connector?.chain).toBe('solana')
  })
})

/** Lists the connected wallet with an entry for Solana, as discovery does. */
function listTwin(
  connectors: Awaited<ReturnType<typeof createConnectedKit>>['hawser']['connectors'],
  connector: Connector,
) {
  const twin: Connector = { ...connector, chain: 'solana' }
  connectors.setState({ connectors: [{ ...connector, type: 'MULTI_CHAIN', connectors: [connector, twin] }] })
}
