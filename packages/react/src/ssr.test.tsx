import { createKit } from '@hawser/core/testing'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { AccountButton, ConnectButton, HawserProvider, NetworkButton, useAccount } from './exports/index.ts'

function Status() {
  return <output>{useAccount().status}</output>
}

it('renders on a server: the buttons of a visitor who is not connected, no modal, no request', () => {
  expect('window' in globalThis).toBe(false)
  const { hawser, gateway } = createKit()
  const html = renderToString(
    <HawserProvider hawser={hawser}>
      <ConnectButton />
      <NetworkButton />
      <AccountButton />
      <Status />
    </HawserProvider>,
  )
  expect(html).toContain('Connect wallet')
  expect(html).toContain('Devnet')
  expect(html).toContain('<output>disconnected</output>')
  expect(html).not.toContain('<dialog')
  expect(gateway.requests).toEqual([])
})
