import { Amount, Skeleton, shortDecimal } from '@hawser/ui'
import { useAccount } from '../../hooks/useAccount.ts'
import { en } from '../../locale/en.ts'
import { formatUsd } from '../../parts/fiat.ts'
import { totalValue } from '../../parts/tokenValue.ts'

/** The worth of the account over its native balance; the native balance alone when no price is known. */
export function AccountBalance() {
  const { balance, balanceSymbol, balanceLoading, tokenBalance, tokenBalanceLoaded, tokenBalanceLoading } =
    useAccount()
  const total = totalValue(tokenBalance)
  const waiting = (!tokenBalanceLoaded && tokenBalanceLoading) || (balance === undefined && balanceLoading)

  if (waiting) {
    return (
      <div className="hw-balance" role="status">
        <span className="hw-visually-hidden">{en.account.loadingTokens}</span>
        <Skeleton width={160} height={36} />
        <Skeleton width={96} height={16} />
      </div>
    )
  }
  const worth = formatUsd(total)
  if (worth === undefined) {
    return (
      <div className="hw-balance">
        {balance === undefined ? (
          <p className="hw-balance-native">{en.account.balanceUnavailable}</p>
        ) : (
          <p className="hw-balance-total" data-length={lengthOf(shortDecimal(balance))}>
            <Amount value={balance} symbol={balanceSymbol} />
          </p>
        )}
      </div>
    )
  }
  return (
    <div className="hw-balance">
      <p className="hw-balance-total" title={en.account.total} data-length={lengthOf(worth)}>
        <Dollars value={worth} />
      </p>
      <p className="hw-balance-native">
        {balance === undefined ? '\u00a0' : <Amount value={balance} symbol={balanceSymbol} />}
      </p>
    </div>
  )
}

/** Long numbers are set smaller, so that they are never cut. */
function lengthOf(text: string): 'short' | 'medium' | 'long' {
  return text.length > 20 ? 'long' : text.length > 12 ? 'medium' : 'short'
}

/** The cents stand back. */
function Dollars({ value }: { value: string }) {
  const [whole, cents] = value.split('.')
  return (
    <>
      {whole}
      {cents && <span className="hw-balance-cents">.{cents}</span>}
    </>
  )
}
