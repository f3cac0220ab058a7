import { type Hawser, openModal, openOnramp, openRegisterName, openSend, openSwap } from '@hawser/core'
import { useAccount, useHawser, useModal } from '@hawser/react'
import { useEffect, useRef } from 'react'

/** Opens a view of the modal. */
type Open = (hawser: Hawser) => void

const stops: readonly { title: string; text: string; open: Open }[] = [
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
  const openConnected = useOpenConnected()
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
              onClick={() => openConnected(open)}
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

/** Returns a function that opens a view: at once with an account, else when the visitor has connected one in the modal. */
function useOpenConnected(): (open: Open) => void {
  const hawser = useHawser()
  const { isConnected } = useAccount()
  const { isOpen } = useModal()
  const wanted = useRef<Open>(undefined)

  useEffect(() => {
    if (isConnected) wanted.current?.(hawser)
    if (isConnected || !isOpen) wanted.current = undefined
  }, [hawser, isConnected, isOpen])

  return (open) => {
    if (isConnected) return open(hawser)
    wanted.current = open
    openModal(hawser)
  }
}
