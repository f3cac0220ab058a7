import { ExternalIcon } from '@hawser/ui'
import { useLoginTexts } from '../../locale/useLoginTexts.ts'
import { useLogins } from '../../parts/logins/useLogins.ts'

/** Leads to the page on which the user exports the keys. */
export function UpgradeEmailWalletView() {
  const texts = useLoginTexts().upgrade
  const { accountUrl } = useLogins()
  return (
    <div className="hw-login">
      <p>{texts.follow}</p>
      <a
        className="hw-button"
        data-variant="neutral"
        data-size="medium"
        href={accountUrl}
        target="_blank"
        rel="noopener opener"
        data-testid="w3m-secure-website-button"
      >
        <span className="hw-button-label">{accountUrl && new URL(accountUrl).host}</span>
        <ExternalIcon size={18} />
      </a>
      <p className="hw-note">{texts.reconnect}</p>
    </div>
  )
}
