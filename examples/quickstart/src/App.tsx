import { ConnectButton, useAccount, useModal } from '@hawser/react'

export function App() {
  const { isConnected, address } = useAccount()
  const modal = useModal()
  return (
    <main>
      <ConnectButton />
      {isConnected && <p>{address}</p>}
      {isConnected && (
        <button type="button" onClick={() => modal.open({ view: 'WalletSend' })}>
          Send
        </button>
      )}
    </main>
  )
}
