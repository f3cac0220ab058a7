import type { Vault, VaultUser } from '@hawser/frame/wallet'
import { useEffect, useState } from 'preact/hooks'
import { formatUnits } from 'viem/utils'
import { visibleText } from '../plain.ts'
import { useAction } from '../views/useAction.ts'
import type { Network } from './network.ts'
import { endAllSites, endSite, loadSites, type Row, type Sites, states } from './sites.ts'

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

  if (!sites || sites.chains.length === 0) return null
  return (
    <section>
      <h2>What sites may do</h2>
      {sites.isComplete ? (
        sites.rows.length === 0 && <p>No site may act for you, as far as is known here.</p>
      ) : (
        <p class="warning">A network could not be read: more may be granted than is listed.</p>
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
      <p class="hint">Ending all also ends what was granted in other browsers and is not listed here.</p>
      <button type="button" disabled={isPending} onClick={() => finish(() => endAllSites(options, sites))}>
        End all of them
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
  const { project, allowances = [], state = '' } = session ?? {}
  const expiry = session?.expiry ?? grant?.expiry ?? 0
  const site = project?.url || project?.name || grant?.site || 'A site'
  const amount = (value: string, token: string) => {
    const { symbol, decimals } = tokens.get(token) ?? network
    return `${formatUnits(BigInt(value), decimals)} ${visibleText(symbol)}`
  }
  return (
    <li>
      <div>
        <strong>{visibleText(site)}</strong>
        <p class="hint">
          {visibleText(network.name)}, until {new Date(expiry * 1_000).toLocaleString()}.{' '}
          {session ? states[state] : 'Granted in this browser'}
        </p>
        {allowances.map(({ permission = 0, allowed = '0', spent, token = '' }) => (
          <p key={permission}>
            {spent
              ? `${amount(spent, token)} of ${amount(allowed, token)}`
              : `At most ${amount(allowed, token)}`}
          </p>
        ))}
      </div>
      <button type="button" aria-label={`End what ${site} may do`} disabled={isPending} onClick={end}>
        {isPending ? 'Ending...' : 'End'}
      </button>
    </li>
  )
}
