import { useAccount, useDisconnect, useModal, useNetwork, useSwitchNetwork } from '@hawser/react'
import { Amount, Button, CopyButton, Tag } from '@hawser/ui'
import type { ReactNode } from 'react'
import { Panel } from '../page/Panel.tsx'

/** The state of the account from the hooks. */
export function AccountSection() {
  const account = useAccount()
  const { chainId, network, isSupported } = useNetwork()
  const modal = useModal()
  const disconnect = useDisconnect()
  return (
    <Panel
      wide
      title="Account"
      hint="The values of useAccount and useNetwork."
      end={<Tag tone={account.isConnected ? 'success' : 'neutral'}>{account.status}</Tag>}
    >
      <dl className="facts">
        <Fact name="address" testId="w3m-address">
          {account.address && (
            <>
              {account.address} <CopyButton text={account.address} label="Copy address" />
            </>
          )}
        </Fact>
        <Fact name="caipAddress" testId="w3m-caip-address">
          {account.caipAddress}
        </Fact>
        <Fact name="network">
          {network && (
            <>
              {network.name} {!isSupported && <Tag tone="warning">not requested</Tag>}
            </>
          )}
        </Fact>
        <Fact name="chainId" testId="w3m-chain-id">
          {chainId}
        </Fact>
        <Fact name="balance" testId="w3m-balance">
          {account.balance && (
            <Amount value={account.balance} symbol={account.balanceSymbol} precision="exact" />
          )}
        </Fact>
        <Fact name="wallet" testId="w3m-wallet">
          {account.connectedWalletInfo?.name}
        </Fact>
        <Fact name="user" testId="w3m-user">
          {account.user?.email ?? account.user?.userName}
        </Fact>
      </dl>
      <div className="row">
        <Button
          variant="primary"
          size="small"
          data-testid="w3m-open-hook-button"
          onClick={() => modal.open()}
        >
          Open modal
        </Button>
        <NextNetworkButton />
        <Button
          size="small"
          disabled={!account.isConnected}
          data-testid="disconnect-hook-button"
          onClick={() => void disconnect()}
        >
          Disconnect
        </Button>
      </div>
    </Panel>
  )
}

function NextNetworkButton() {
  const { networks, network } = useNetwork()
  const switchNetwork = useSwitchNetwork()
  const index = networks.findIndex(({ caipNetworkId }) => caipNetworkId === network?.caipNetworkId)
  const next = networks[(index + 1) % networks.length]
  if (!next || next === network) return null
  return (
    <Button
      size="small"
      data-testid="switch-network-button"
      onClick={() => void switchNetwork(next).catch((error: Error) => console.error(error.message))}
    >
      Switch to {next.name}
    </Button>
  )
}

function Fact({ name, testId, children }: { name: string; testId?: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-testid={testId}>{children || <span className="nothing">—</span>}</dd>
    </div>
  )
}
