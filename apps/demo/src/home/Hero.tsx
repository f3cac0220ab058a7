import { connect, openModal } from '@hawser/core'
import { useAccount, useHawser, useHawserState, useModal, useToast } from '@hawser/react'
import { Button } from '@hawser/ui'
import { useLab } from '../lab/LabContext.ts'
import { InboxLink } from '../page/InboxLink.tsx'
import { LiveModal } from './LiveModal.tsx'

const reasons = [
  ['Your server', 'One binary answers the modal: balances, history, quotes, names and access to the chains.'],
  ['No API key', 'No sign-up and no quota. Bring your own RPC nodes; everything else is included.'],
  ['No third party', 'Your visitors’ browsers talk to your gateway and to no other host.'],
] as const

/** The introduction, with the modal beside it. */
export function Hero() {
  return (
    <section className="hero" aria-labelledby="hero-title">
      <div className="hero-text">
        <h1 id="hero-title">A wallet modal you host yourself</h1>
        <p className="lead">
          Connect, balances, send, receive, swap, buy and names for your React site, answered by your own
          server.
        </p>
        <HeroButtons />
        <dl className="reasons">
          {reasons.map(([term, text]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </div>
      <LiveModal />
    </section>
  )
}

function HeroButtons() {
  const { config } = useLab()
  const modal = useModal()
  const testAccount = useTestAccount()
  return (
    <div className="hero-buttons">
      {testAccount ? (
        <Button
          variant="primary"
          data-testid="try-test-account"
          loading={testAccount.isConnecting}
          onClick={testAccount.open}
        >
          {testAccount.label}
        </Button>
      ) : (
        <Button variant="primary" onClick={() => modal.open()}>
          Connect a wallet
        </Button>
      )}
      <a className="text-link" href="#install">
        Install
      </a>
      <p className="hero-note">
        {config.devnet ? (
          <>
            Test money on a local chain. No extension needed. Or log in with any email address: its emails are
            in <InboxLink />.
          </>
        ) : (
          'No local chains are running. Use your own wallet.'
        )}
      </p>
    </div>
  )
}

interface TestAccount {
  label: string
  isConnecting: boolean
  /** Connects the account unless another one is connected, and opens the modal on it. */
  open: () => Promise<void>
}

/** Returns the account of the Dev wallet, or the one that is connected; undefined where no local chains run. */
function useTestAccount(): TestAccount | undefined {
  const hawser = useHawser()
  const { isConnected, status, connectedWalletInfo } = useAccount()
  const toast = useToast()
  const connector = useHawserState(hawser.connectors, ({ connectors }) =>
    connectors.find(({ id }) => id === 'dev-wallet'),
  )
  if (!connector) return undefined

  const isTestAccount = connectedWalletInfo?.name === connector.name
  async function open() {
    if (!connector) return
    try {
      if (!isConnected) await connect(hawser, { connector })
      openModal(hawser)
    } catch (error) {
      console.error('The test account could not be connected', error)
      toast.show({ message: 'The test account did not connect. Try again.', variant: 'error' })
    }
  }
  const connectedLabel = isTestAccount ? 'Open the test account' : 'Open your account'
  const label = isConnected ? connectedLabel : 'Try it with a test account'
  return { label, isConnecting: status === 'connecting', open }
}
