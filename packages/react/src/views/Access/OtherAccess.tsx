import { pushView, smartSessionsOf } from '@hawser/core'
import { BoltIcon, ChevronRightIcon, ExternalIcon, List, ListItem, ShieldIcon, Tag } from '@hawser/ui'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useAccessTexts } from '../../locale/useAccessTexts.ts'
import { useWalletSettings } from './useWalletSettings.ts'

/** Access that is managed elsewhere: smart sessions, and the sites of an embedded wallet. */
export function OtherAccess() {
  const texts = useAccessTexts()
  const hawser = useHawser()
  const settings = useWalletSettings()
  const isEvm = useHawserState(hawser.chain, ({ activeChain }) => activeChain === 'eip155')
  const hasSessions = useHawserState(hawser.options, ({ features }) => features.smartSessions) && isEvm
  if (!hasSessions && !settings) return null
  return (
    <section>
      <h3 className="hw-heading hw-access-heading">{texts.more}</h3>
      <List label={texts.more}>
        {hasSessions && <SessionsRow />}
        {settings && (
          <ListItem
            title={texts.sites}
            subtitle={texts.sitesText}
            icon={
              <span className="hw-icon-tile">
                <ShieldIcon />
              </span>
            }
            end={<ExternalIcon size={18} />}
            href={settings}
            keepsOpener
            data-testid="access-sites"
          />
        )}
      </List>
    </section>
  )
}

/** Leads to the smart sessions, with how many can be used once they were read: the wallet has to sign for that. */
function SessionsRow() {
  const texts = useAccessTexts()
  const hawser = useHawser()
  const { caipAddress } = useAccount()
  const sessions = useHawserState(hawser.smartSessions, (state) => state)
  const active = smartSessionsOf(sessions, caipAddress).filter(({ status }) =>
    ['active', 'revoking'].includes(status),
  )
  const isRead = sessions.owner === caipAddress && sessions.status === 'read'
  return (
    <ListItem
      title={texts.sessions}
      subtitle={texts.sessionsText}
      icon={
        <span className="hw-icon-tile">
          <BoltIcon />
        </span>
      }
      end={
        <>
          {isRead && <Tag tone="accent">{texts.activeSessions(active.length)}</Tag>}
          <ChevronRightIcon size={18} />
        </>
      }
      data-testid="access-sessions"
      onSelect={() => pushView(hawser, 'SmartSessionList')}
    />
  )
}
