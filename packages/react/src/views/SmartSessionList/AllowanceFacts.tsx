import {
  type CaipNetworkId,
  formatUnits,
  plainAddress,
  requestedNetwork,
  type SmartSession,
  type SmartSessionAllowance,
  selectAccount,
  shortenAddress,
  tokenDecimals,
} from '@hawser/core'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useSessionsTexts } from '../../locale/enSessions.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { Fact } from '../../parts/Fact.tsx'
import { fullTime } from '../../parts/relativeTime.ts'

const units: readonly [seconds: number, unit: string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]

/** How much a session may spend, and how much of it is spent. */
export function AllowanceFacts({ session }: { session: SmartSession }) {
  return session.allowances.map((allowance) => (
    <AllowanceFact
      key={allowance.token}
      allowance={allowance}
      networkId={session.caipNetworkId}
      isActive={session.status === 'active' || session.status === 'revoking'}
    />
  ))
}

interface AllowanceFactProps {
  allowance: SmartSessionAllowance
  networkId: CaipNetworkId
  isActive: boolean
}

function AllowanceFact({ allowance, networkId, isActive }: AllowanceFactProps) {
  const tag = useLocaleTag()
  const texts = useSessionsTexts().rows
  const sessionsTexts = useSessionsTexts()
  const { allowed, spent, period, renewsAt, token } = allowance
  const format = useAmounts(token, networkId)
  return (
    <>
      <Fact name={texts.type}>{texts.payments}</Fact>
      <Fact name={texts.limit}>{sessionsTexts.every(format(allowed), periodText(period))}</Fact>
      <Fact name={texts.spent} data-testid="smart-session-spent">
        {spent === undefined ? texts.spentUnknown : sessionsTexts.spentOf(format(spent), format(allowed))}
      </Fact>
      {isActive && renewsAt > 0 && <Fact name={texts.renews}>{fullTime(renewsAt * 1_000, tag)}</Fact>}
    </>
  )
}

/**
 * Returns a formatter of a token's base units, which stay unformatted if the token's decimals are not known.
 */
function useAmounts(token: string, networkId: CaipNetworkId): (amount: bigint) => string {
  const hawser = useHawser()
  const tokens = useHawserState(hawser.chain, (chain) => selectAccount(chain).tokenBalance)
  if (!token) {
    const native = requestedNetwork(hawser, networkId)?.nativeCurrency
    return (amount) => (native ? `${formatUnits(amount, native.decimals)} ${native.symbol}` : `${amount} wei`)
  }
  const row = tokens.find(({ address }) => address && isSame(plainAddress(address), token))
  if (!row) return (amount) => `${amount} × ${shortenAddress(token)}`
  const decimals = tokenDecimals(row.quantity.decimals)
  return (amount) => `${formatUnits(amount, decimals)} ${row.symbol}`
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** Returns "day", "7 days", "90 seconds": in the largest unit that is exact. */
function periodText(seconds: number): string {
  const [length, unit] = units.find(([of]) => seconds % of === 0) ?? [1, 'second']
  const count = seconds / length
  return count === 1 ? unit : `${count} ${unit}s`
}
