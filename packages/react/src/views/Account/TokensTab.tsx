import { isPaying, openOnramp, openSend, pushView, type TokenBalance } from '@hawser/core'
import { CardIcon, List, ListItem, ReceiveIcon, Tag } from '@hawser/ui'
import { useState } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { BalanceError } from '../../parts/BalanceError.tsx'
import { HiddenSwitch } from '../../parts/HiddenSwitch.tsx'
import { useOnrampOffered } from '../../parts/onramp/useOnrampOffered.ts'
import { TokenRow } from '../../parts/TokenRow.tsx'
import { TokenSkeletons } from '../../parts/TokenSkeletons.tsx'

/** The tokens of the account, or why there are none. Choosing a token opens Send. */
export function TokensTab() {
  const texts = useTexts()
  const { tokenBalance, tokenBalanceLoaded, tokenBalanceLoading, isTokenBalancePartial, lastRetry } =
    useAccount()

  if (tokenBalance.length > 0) return <TokenList tokens={tokenBalance} isPartial={isTokenBalancePartial} />
  if (lastRetry !== undefined && !tokenBalanceLoading) return <BalanceError lastRetry={lastRetry} />
  if (!tokenBalanceLoaded) return <TokenSkeletons />
  return (
    <div className="hw-account-empty" data-testid="empty-account-state">
      <div>
        <p className="hw-empty-title">{texts.account.emptyTitle}</p>
        <p className="hw-account-empty-text">{texts.account.emptyText}</p>
      </div>
      <FirstSteps />
    </div>
  )
}

/** Actions for an account without tokens. */
function FirstSteps() {
  const texts = useTexts()
  const hawser = useHawser()
  const canReceive = useHawserState(hawser.options, (options) => options.features.receive)
  const canBuy = useOnrampOffered()
  if (!canReceive && !canBuy) return null
  return (
    <List label={texts.account.firstSteps}>
      {canBuy && (
        <ListItem
          title={texts.account.buyCrypto}
          subtitle={texts.account.buyCryptoText}
          icon={
            <span className="hw-icon-tile">
              <CardIcon />
            </span>
          }
          end={<Tag tone="accent">{texts.account.popular}</Tag>}
          data-testid="buy-crypto"
          onSelect={() => openOnramp(hawser)}
        />
      )}
      {canReceive && (
        <ListItem
          title={texts.account.receiveFunds}
          subtitle={texts.account.receiveFundsText}
          icon={
            <span className="hw-icon-tile">
              <ReceiveIcon />
            </span>
          }
          data-testid="receive-funds"
          onSelect={() => pushView(hawser, 'WalletReceive')}
        />
      )}
    </List>
  )
}

/** Suspicious entries, behind a switch that says how many there are. */
function TokenList({ tokens, isPartial }: { tokens: readonly TokenBalance[]; isPartial: boolean }) {
  const texts = useTexts()
  const [showsHidden, setShowsHidden] = useState(false)
  const hidden = tokens.filter((token) => token.hidden)
  return (
    <>
      <TokenRows label={texts.account.tokens} tokens={tokens.filter((token) => !token.hidden)} />
      {hidden.length > 0 && (
        <HiddenSwitch count={hidden.length} isOn={showsHidden} onChange={setShowsHidden} />
      )}
      {showsHidden && <TokenRows label={texts.account.hiddenTokens} tokens={hidden} />}
      {isPartial && (
        <p className="hw-note" data-testid="tokens-partial">
          {texts.account.partialTokens}
        </p>
      )}
    </>
  )
}

function TokenRows({ label, tokens }: { label: string; tokens: readonly TokenBalance[] }) {
  const hawser = useHawser()
  const isOffered = useHawserState(hawser.options, (options) => options.features.send)
  const canSend = isPaying(useAccount()) && isOffered
  return (
    <List label={label} appearance="plain">
      {tokens.map((token) => (
        <TokenRow
          key={token.address ?? token.symbol}
          token={token}
          data-testid={`token-${token.symbol}`}
          {...(canSend && { onSelect: () => openSend(hawser, { token }) })}
        />
      ))}
    </List>
  )
}
