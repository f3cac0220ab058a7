import { Amount, Skeleton, shortDecimal } from '@hawser/ui'
import { useAccount } from '../../hooks/useAccount.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { formatUsd, usdParts } from '../../parts/fiat.ts'
import { totalValue } from '../../parts/tokenValue.ts'

/** The total value of the account above its native balance; the native balance alone without prices. */
export function AccountBalance() {
  const tag = useLocaleTag()
  const texts = useTexts()
  const { balance, balanceSymbol, balanceLoading, tokenBalance, tokenBalanceLoaded, tokenBalanceLoading } =
    useAccount()
  const total = totalValue(tokenBalance)
  const waiting = (!tokenBalanceLoaded && tokenBalanceLoading) || (balance === undefined && balanceLoading)

  if (waiting) {
    return (
      <div className="hw-balance" role="status">
        <span className="hw-visually-hidden">{texts.account.loadingTokens}</span>
        <Skeleton width={160} height={36} />
        <Skeleton width={96} height={16} />
      </div>
    )
  }
  const worth = formatUsd(total, tag)
  if (worth === undefined) {
    return (
      <div className="hw-balance">
        {balance === undefined ? (
          <p className="hw-balance-native">{texts.account.balanceUnavailable}</p>
        ) : (
          <p className="hw-balance-total" data-length={lengthOf(shortDecimal(balance, tag))}>
            <Amount value={balance} symbol={balanceSymbol} />
          </p>
        )}
      </div>
    )
  }
  return (
    <div className="hw-balance">
      <p className="hw-balance-total" title={texts.account.total} data-length={lengthOf(worth)}>
        <Dollars parts={usdParts(total, tag) ?? []} />
      </p>
      <p className="hw-balance-native">
        {balance === undefined ? '\u00a0' : <Amount value={balance} symbol={balanceSymbol} />}
      </p>
    </div>
  )
}

/** Returns the length class of an amount: long numbers use a smaller font, so that they are not truncated. */
function lengthOf(text: string): 'short' | 'medium' | 'long' {
  return text.length > 20 ? 'long' : text.length > 12 ? 'medium' : 'short'
}

/** Cents are drawn in a lighter colour. */
function Dollars({ parts }: { parts: readonly Intl.NumberFormatPart[] }) {
  return parts.map(({ type, value }) =>
    type === 'decimal' || type === 'fraction' ? (
      <span key={type} className="hw-balance-cents">
        {value}
      </span>
    ) : (
      value
    ),
  )
}
