import { List, ListItem, Tag } from '@hawser/ui'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { NetworkMark } from '../../parts/NetworkMark.tsx'

/** The networks on which the active account receives: those of its namespace. */
export function WalletCompatibleNetworksView() {
  const texts = useTexts()
  const { networks } = useNetwork()
  return (
    <div className="hw-stack">
      <p className="hw-lead">{texts.receive.compatibleText}</p>
      <List label={texts.receive.compatibleTitle} appearance="plain">
        {networks.map((network) => (
          <ListItem
            key={network.caipNetworkId}
            title={network.name}
            icon={<NetworkMark network={network} />}
            end={network.testnet && <Tag>{texts.networks.testnet}</Tag>}
            data-testid={`compatible-network-${network.name}`}
          />
        ))}
      </List>
    </div>
  )
}
