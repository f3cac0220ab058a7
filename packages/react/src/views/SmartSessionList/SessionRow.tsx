import {
  type CaipNetworkId,
  requestedNetwork,
  revokeSmartSession,
  type SmartSession,
  showToast,
  toastMessage,
} from '@hawser/core'
import { AssetIcon, Button, ChevronDownIcon, exactDecimal, Tag } from '@hawser/ui'
import { useId, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLocaleTag } from '../../locale/shownLocale.ts'
import { useSessionsTexts } from '../../locale/useSessionsTexts.ts'
import { Fact } from '../../parts/Fact.tsx'
import { fullTime } from '../../parts/relativeTime.ts'
import { AllowanceFacts } from './AllowanceFacts.tsx'
import { ContractFacts } from './ContractFacts.tsx'

const SECONDS_PER_HOUR = 3_600
const HOURS_PER_DAY = 24

/** One session in a row; choosing it expands what it may do. */
export function SessionRow({ session }: { session: SmartSession }) {
  const sessionsTexts = useSessionsTexts()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { project, pci, status } = session
  const name = project.name || project.url || sessionsTexts.unnamed
  return (
    <li className="hw-list-item" data-testid={`smart-session-${pci}`} data-status={status}>
      <button
        type="button"
        className="hw-row"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="hw-row-icon">
          <AssetIcon name={name} shape="square" />
        </span>
        <span className="hw-row-text">
          <span className="hw-row-title" title={name} dir="auto">
            {name}
          </span>
          {project.url && (
            <span className="hw-row-subtitle">
              <bdi>{project.url}</bdi>
            </span>
          )}
        </span>
        <span className="hw-row-end">
          {status === 'revoking' && <Tag tone="warning">{sessionsTexts.revoking}</Tag>}
          <ChevronDownIcon size={18} />
        </span>
      </button>
      {isOpen && <SessionDetails id={id} session={session} />}
    </li>
  )
}

function SessionDetails({ id, session }: { id: string; session: SmartSession }) {
  const tag = useLocaleTag()
  const texts = useSessionsTexts().rows
  const sessionsTexts = useSessionsTexts()
  const network = requestedNetwork(useHawser(), session.caipNetworkId as CaipNetworkId)
  const { permissions, callsAllowed, callsMade, createdAt, expiry, status } = session
  const count = (value: number) => exactDecimal(String(value), tag)
  const hours = Math.max(1, Math.round((expiry - createdAt) / SECONDS_PER_HOUR))
  const days = Math.round(hours / HOURS_PER_DAY)
  return (
    <div id={id} className="hw-activity-details hw-session-details">
      <dl className="hw-details">
        <AllowanceFacts session={session} />
        {permissions.map(
          (permission) =>
            permission.type === 'contract-call' && (
              <ContractFacts key={JSON.stringify(permission)} permission={permission} />
            ),
        )}
        {callsAllowed > 0 && callsMade !== undefined && (
          <Fact name={texts.uses}>{sessionsTexts.spentOf(count(callsMade), count(callsAllowed))}</Fact>
        )}
        {network && <Fact name={texts.network}>{network.name}</Fact>}
        <Fact name={texts.duration}>{days < 2 ? sessionsTexts.hours(hours) : formatDays(days, tag)}</Fact>
        <Fact name={texts.expires}>{fullTime(expiry * 1_000, tag)}</Fact>
      </dl>
      {status === 'revoking' && (
        <p className="hw-activity-warning" role="status">
          {sessionsTexts.revokingText}
        </p>
      )}
      {status === 'active' && <RevokeButton session={session} />}
    </div>
  )
}

function RevokeButton({ session }: { session: SmartSession }) {
  const sessionsTexts = useSessionsTexts()
  const hawser = useHawser()
  const revoking = useHawserState(hawser.smartSessions, (state) => state.revoking)

  /** The active network may have changed since the session was granted. */
  function revoke() {
    revokeSmartSession(hawser, session).catch(() =>
      showToast(hawser, { ...toastMessage('smartSessionRevokeFailed'), variant: 'error' }),
    )
  }
  return (
    <Button
      wide
      variant="danger"
      loading={revoking === session.pci}
      disabled={revoking !== undefined && revoking !== session.pci}
      data-testid="smart-session-revoke-button"
      onClick={revoke}
    >
      {sessionsTexts.revoke}
    </Button>
  )
}

function formatDays(days: number, tag: string): string {
  return new Intl.NumberFormat(tag, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days)
}
