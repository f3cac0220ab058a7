import { useAccount, useTokens } from '@hawser/react'
import { Amount, AssetIcon, Button, CoinsIcon, EmptyState } from '@hawser/ui'
import { Panel } from '../page/Panel.tsx'

/** The tokens of the account, to the last digit. */
export function TokensSection() {
  const { isConnected } = useAccount()
  const { tokens, isLoading, isLoaded, refresh } = useTokens()
  return (
    <Panel
      wide
      title="Tokens"
      hint="The tokens of useTokens, with every digit."
      end={
        <Button size="small" disabled={!isConnected} loading={isLoading} onClick={() => void refresh()}>
          Refresh
        </Button>
      }
    >
      {tokens.length === 0 ? (
        <EmptyState
          icon={<CoinsIcon size={26} />}
          title={isConnected && isLoaded ? 'No tokens' : 'Nothing yet'}
        >
          {isConnected ? 'No tokens loaded yet. Press Refresh.' : 'Connect a wallet first.'}
        </EmptyState>
      ) : (
        <ul className="tokens">
          {tokens.map((token) => (
            <li key={token.address ?? token.symbol}>
              <AssetIcon name={token.symbol} src={token.iconUrl || undefined} size={32} />
              <span className="token-name" title={token.name}>
                {token.name}
              </span>
              <Amount value={token.quantity.numeric} symbol={token.symbol} precision="exact" />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
