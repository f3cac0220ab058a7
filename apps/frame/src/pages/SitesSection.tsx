import type { Vault, VaultUser } from '@hawser/frame/wallet'
import { useEffect, useState } from 'preact/hooks'
import { amountText } from '../locale/amount.ts'
import { textFor } from '../locale/texts.ts'
import { useTag, useTexts } from '../locale/useLanguage.ts'
import { visibleText } from '../plain.ts'
import { useAction } from '../views/useAction.ts'
import type { Network } from './network.ts'
import { endAllSites, endSite, loadSites, type Row, type Sites } from './sites.ts'

/** What sites may do without an approval, on every network, each with a button that ends it. */
export function SitesSection({
  vault,
  user,
  network,
}: {
  readonly vault: Vault
  readonly user: VaultUser
  readonly network: Network
}) {
  const { sites: texts, failure } = useTexts()
  const [sites, setSites] = useState<Sites>()
  const { error, isPending, run } = useAction()
  const options = { vault, network, address: user.addresses?.eip155 as `0x${string}` }
  const reload = async () => setSites(await loadSites(options))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the vault of a page does not change
  useEffect(() => {
    // An installation may have no sessions.
    reload().catch(() => undefined)
  }, [])
  const finish = (ending: () => Promise<void>) => run(() => ending().finally(reload))
  async function endAll(shown: Sites) {
    const failed = await endAllSites(options, shown)
    if (failed.length > 0) throw new Error(failure.notAllEnded(visibleText(failed.join(', '))))
  }

  if (!sites || sites.chains.length === 0) return null
  return (
    <section>
      <h2>{texts.title}</h2>
      {sites.isComplete ? (
        sites.rows.length === 0 && <p>{texts.none}</p>
      ) : (
        <p class="warning">{texts.incomplete}</p>
      )}
      <ul class="rows">
        {sites.rows.map((row) => (
          <SiteRow
            key={row.key}
            row={row}
            isPending={isPending}
            end={() => finish(() => endSite(options, row))}
          />
        ))}
      </ul>
      <p class="hint">{texts.endAllText}</p>
      <button type="button" disabled={isPending} onClick={() => finish(() => endAll(sites))}>
        {texts.endAll}
      </button>
      <p class="notice" role="alert">
        {error}
      </p>
    </section>
  )
}

function SiteRow({
  row: { session, grant, network, tokens },
  isPending,
  end,
}: {
  readonly row: Row
  readonly isPending: boolean
  readonly end: () => void
}) {
  const texts = useTexts()
  const tag = useTag()
  const { sites } = texts
  const { project, allowances = [], state = '' } = session ?? {}
  const expiry = session?.expiry ?? grant?.expiry ?? 0
  const site = project?.url || project?.name || grant?.site || sites.unnamed
  const date = new Date(expiry * 1_000).toLocaleString(tag)
  const amount = (value: string, token: string) =>
    amountText(BigInt(value), tokens.get(token) ?? network, texts, tag)
  return (
    <li>
      <div>
        <strong>
          <bdi>{visibleText(site)}</bdi>
        </strong>
        <p class="hint">
          {sites.until(visibleText(network.name), date)}{' '}
          {session ? textFor(sites.state, state) : sites.unlisted}
        </p>
        {allowances.map(({ permission = 0, allowed = '0', spent, token = '' }) => (
          <p key={permission}>
            {spent
              ? sites.spent(amount(spent, token), amount(allowed, token))
              : sites.atMost(amount(allowed, token))}
          </p>
        ))}
      </div>
      <button type="button" aria-label={sites.endOf(visibleText(site))} disabled={isPending} onClick={end}>
        {isPending ? sites.ending : sites.end}
      </button>
    </li>
  )
}
