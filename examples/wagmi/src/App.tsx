import { ConnectButton } from '@hawser/react'
import { formatUnits } from 'viem'
import { useBalance, useConnect, useConnection, useConnectors, useDisconnect, useSignMessage } from 'wagmi'

/** A page that uses wagmi only, except for the Hawser button at its top. */
export function App() {
  const { address, chain } = useConnection()
  return (
    <main>
      <ConnectButton />
      <h1>{chain?.name ?? 'Not connected'}</h1>
      {address ? <Account address={address} /> : <Connect />}
    </main>
  )
}

function Connect() {
  const { mutate: connect, isPending, error } = useConnect()
  const [connector] = useConnectors()
  if (!connector) return null
  return (
    <>
      <button type="button" disabled={isPending} onClick={() => connect({ connector })}>
        Connect by wagmi
      </button>
      {error && <p role="alert">{error.message}</p>}
    </>
  )
}

function Account({ address }: { address: `0x${string}` }) {
  // The account of the last visit is shown before the wallet has answered.
  const { isConnected } = useConnection()
  const { data: balance } = useBalance({ address })
  const { data: signature, mutate: sign, error } = useSignMessage()
  const { mutate: disconnect } = useDisconnect()
  return (
    <>
      <p>{address}</p>
      <p>{balance && `${formatUnits(balance.value, balance.decimals)} ${balance.symbol}`}</p>
      <button type="button" disabled={!isConnected} onClick={() => sign({ message: 'Hello' })}>
        Sign
      </button>
      <button type="button" disabled={!isConnected} onClick={() => disconnect()}>
        Disconnect by wagmi
      </button>
      {signature && <output>{signature}</output>}
      {error && <p role="alert">{error.message}</p>}
    </>
  )
}
