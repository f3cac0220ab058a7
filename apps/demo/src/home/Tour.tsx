import { type Hawser, openModal, openOnramp, openRegisterName, openSend, openSwap } from '@hawser/core'
import { useAccount, useHawser } from '@hawser/react'

const stops: readonly { title: string; text: string; open: (hawser: Hawser) => void }[] = [
  {
    title: 'Account',
    text: 'Tokens with their value, NFTs and activity, pushed within a second of the block.',
    open: (hawser) => openModal(hawser),
  },
  {
    title: 'Send',
    text: 'Exact to 18 decimals, reviewed in full, followed until it is confirmed.',
    open: (hawser) => openSend(hawser),
  },
  {
    title: 'Receive',
    text: 'A QR code, the full address, and the networks it works on.',
    open: (hawser) => openModal(hawser, { view: 'WalletReceive' }),
  },
  {
    title: 'Swap',
    text: 'The best route over on-chain pools, with its distance from the optimum.',
    open: (hawser) => openSwap(hawser),
  },
  {
    title: 'Buy',
    text: 'Sellers’ quotes side by side. Try a test card; no money moves.',
    open: (hawser) => openOnramp(hawser),
  },
  {
    title: 'Names',
    text: 'alice.your-zone.org with one signature. Free, and resolved by any ENS client.',
    open: openRegisterName,
  },
]

/** The features of the modal, each as a card that opens its view. */
export function Tour() {
  const hawser = useHawser()
  const { isConnected } = useAccount()
  return (
    <section className="band" aria-labelledby="tour-title">
      <h2 id="tour-title">Everything a visitor does with a wallet</h2>
      <ul className="cards">
        {stops.map(({ title, text, open }) => (
          <li key={title}>
            <button
              type="button"
              className="card card-button"
              data-testid={`tour-${title.toLowerCase()}`}
              onClick={() => (isConnected ? open(hawser) : openModal(hawser))}
            >
              <h3>{title}</h3>
              <p>{text}</p>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
