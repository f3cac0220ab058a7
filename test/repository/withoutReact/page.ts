import { injected } from '@hawser/connectors'
import { connect, createHawser, disconnect, selectAccount, selectNetwork, watchBalances } from '@hawser/core'
import { base, ethereum } from '@hawser/core/networks'

const hawser = createHawser({
  baseUrl: 'https://wallet.example.com',
  projectId: '00000000000000000000000000000001',
  networks: [ethereum, base],
  connectors: [injected()],
})
const wallets = document.createElement('p')
const status = document.createElement('output')
document.body.append(wallets, status)

function button(label: string, action: () => Promise<unknown>): HTMLButtonElement {
  const element = document.createElement('button')
  element.textContent = label
  element.onclick = () => action().catch((error: Error) => status.replaceChildren(error.message))
  return element
}

function render(): void {
  const { address, isConnected, balance, balanceSymbol } = selectAccount(hawser.chain.getState())
  const found = hawser.connectors
    .getState()
    .connectors.map((connector) => button(connector.name, () => connect(hawser, { connector })))
  wallets.replaceChildren(...(isConnected ? [button('Disconnect', () => disconnect(hawser))] : found))
  const network = selectNetwork(hawser.chain.getState())?.name
  status.textContent = isConnected ? `${address} on ${network}: ${balance ?? '…'} ${balanceSymbol ?? ''}` : ''
}

hawser.chain.subscribe(render)
hawser.connectors.subscribe(render)
hawser.mount() // finds wallets, and restores the connection of the last visit
watchBalances(hawser)
