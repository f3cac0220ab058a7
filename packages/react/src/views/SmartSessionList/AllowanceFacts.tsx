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
import type { Texts } from '@hawser/texts/modal/texts'
import { exactDecimal } from '@hawser/ui'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useSessionsTexts } from '../../locale/useSessionsTexts.ts'
import { Fact } from '../../parts/Fact.tsx'
import { fullTime } from '../../parts/relativeTime.ts'

const SECOND = { unit: 'second', seconds: 1 } as const
const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const

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
      <Fact name={texts.limit}>{sessionsTexts.limit(format(allowed), everyText(period, sessionsTexts))}</Fact>
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
  const tag = useLocaleTag()
  const tokens = useHawserState(hawser.chain, (chain) => selectAccount(chain).tokenBalance)
  if (!token) {
    const native = requestedNetwork(hawser, networkId)?.nativeCurrency
    return (amount) =>
      native ? `${exactDecimal(formatUnits(amount, native.decimals), tag)} ${native.symbol}` : `${amount} wei`
  }
  const row = tokens.find(({ address }) => address && isSame(plainAddress(address), token))
  if (!row) return (amount) => `${amount} × ${shortenAddress(token)}`
  const decimals = tokenDecimals(row.quantity.decimals)
  return (amount) => `${exactDecimal(formatUnits(amount, decimals), tag)} ${row.symbol}`
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** Returns how often an allowance renews, in the largest unit that is exact. */
function everyText(period: number, { every }: Texts['sessions']): string {
  const { unit, seconds } = units.find(({ seconds }) => period % seconds === 0) ?? SECOND
  return every[unit](period / seconds)
}
