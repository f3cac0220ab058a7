import { connectionCookie } from '@hawser/core/cookie'
import { createKit } from '@hawser/core/testing'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { AccountButton, ConnectButton, HawserProvider, NetworkButton, useAccount } from './exports/index.ts'

const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

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

it('renders the account button of a visitor whose connection is in the cookie, on their network', () => {
  const cookie = connectionCookie({
    network: 'eip155:31338',
    accounts: [{ caipAddress: `eip155:31338:${ALICE}` }],
  })
  const { hawser, gateway } = createKit({ connectionCookie: cookie })
  const html = renderToString(
    <HawserProvider hawser={hawser} accountButton={AccountButton}>
      <ConnectButton />
      <NetworkButton />
      <Status />
      <ConnectButton.Custom>
        {({ displayName, isHydrated }) => (
          <em>
            {displayName} {String(isHydrated)}
          </em>
        )}
      </ConnectButton.Custom>
    </HawserProvider>,
  )
  expect(html).toContain('<em>0xf39F…2266<!-- --> <!-- -->false</em>')
  expect(html).toContain('data-testid="account-button"')
  expect(html).toContain('0xf39F…2266')
  expect(html).toContain('Devnet Two')
  expect(html).toContain('<output>reconnecting</output>')
  expect(html).not.toContain('Connect wallet')
  expect(gateway.requests).toEqual([])
})
