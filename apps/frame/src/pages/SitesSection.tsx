import { visibleText } from '@hawser/texts/format/visibleText'
import type { FrameTexts } from '@hawser/texts/frame/texts'
import { textFor } from '@hawser/texts/translated'
import type { Vault, VaultUser } from '@hawser/vault'
import { useEffect, useState } from 'preact/hooks'
import { amountText } from '../locale/amount.ts'
import { useTag, useTexts } from '../locale/useLanguage.ts'
import { useAction } from '../views/useAction.ts'
import { FeeConfirmation } from './FeeConfirmation.tsx'
import type { Network } from './network.ts'
import { type Ending, endAllSites, endSite, loadSites, type Row, type Sites, siteOf } from './sites.ts'

/** What the user is asked before it is signed. */
interface Asked {
  readonly title: string
  readonly text: string
  readonly ending: Ending
}

/** The sites that have the contacts, and what sites may do without an approval, on every network, each with a button that ends it. */
export function SitesSection({
  vault,
  user,
  network,
}: {
  readonly vault: Vault
  readonly user: VaultUser
  readonly network: Network
}) {
  const { sites: texts, failure, wait } = useTexts()
  const [sites, setSites] = useState<Sites>()
  const { error, isPending, run } = useAction()
  const options = { vault, network, address: user.addresses?.eip155 as `0x${string}` }
  const [contactSites, setContactSites] = useState<readonly string[]>([])
  const reload = async () => {
    setContactSites(await vault.listContactSites())
    setSites(await loadSites(options))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the vault of a page does not change
  useEffect(() => {
    // An installation may have no sessions.
    reload().catch(() => setSites({ chains: [], rows: [], isComplete: true }))
  }, [])
  const [asked, setAsked] = useState<Asked>()
  const ask = (title: string, text: string, preparing: () => Promise<Ending>) =>
    run(async () => setAsked({ title, text, ending: await preparing() }))
  const confirm = ({ ending }: Asked) =>
    run(async () => {
      try {
        const failed = await ending.finish()
        if (failed.length > 0) throw new Error(failure.notAllEnded(visibleText(failed.join(', '))))
      } finally {
        setAsked(undefined)
        await reload()
      }
    })

  if (!sites) return <p role="status">{wait}</p>
  if (asked)
    return (
      <FeeConfirmation
        title={asked.title}
        text={asked.text}
        steps={asked.ending.steps}
        label={isPending ? texts.ending : texts.end}
        isPending={isPending}
        cancel={() => setAsked(undefined)}
        confirm={() => confirm(asked)}
      />
    )
  return (
    <>
      {sites.isComplete ? (
        sites.rows.length + contactSites.length === 0 && <p>{texts.none}</p>
      ) : (
        <p class="warning">{texts.incomplete}</p>
      )}
      <ul class="rows">
        {contactSites.map((site) => (
          <ContactSiteRow
            key={site}
            site={site}
            isPending={isPending}
            end={() =>
              run(async () => {
                await vault.unshareContacts(site)
                setContactSites(await vault.listContactSites())
              })
            }
          />
        ))}
        {sites.rows.map((row) => (
          <SiteRow
            key={row.key}
            row={row}
            isPending={isPending}
            end={() => ask(texts.endOf(nameOf(row, texts)), texts.endText, () => endSite(options, row))}
          />
        ))}
      </ul>
      {sites.chains.length > 0 && (
        <>
          <p class="hint">{texts.endAllText}</p>
          <button
            type="button"
            disabled={isPending}
            onClick={() => ask(texts.endAll, texts.endAllText, () => endAllSites(options, sites))}
          >
            {texts.endAll}
          </button>
        </>
      )}
      <p class="notice" role="alert">
        {error}
      </p>
    </>
  )
}

/** Returns how the site of a row is named. */
function nameOf(row: Row, { unnamed }: FrameTexts['sites']): string {
  return visibleText(siteOf(row) ?? unnamed)
}

/** A site that reads and changes the contacts. */
function ContactSiteRow({
  site,
  isPending,
  end,
}: {
  readonly site: string
  readonly isPending: boolean
  readonly end: () => void
}) {
  const { sites } = useTexts()
  return (
    <li>
      <div>
        <strong>
          <bdi>{site}</bdi>
        </strong>
        <p class="hint">{sites.contacts}</p>
      </div>
      <button type="button" aria-label={sites.endOf(site)} disabled={isPending} onClick={end}>
        {sites.end}
      </button>
    </li>
  )
}

function SiteRow({
  row,
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
  const { session, grant, network, tokens } = row
  const { allowances = [], state = '' } = session ?? {}
  const expiry = session?.expiry ?? grant?.expiry ?? 0
  const site = nameOf(row, sites)
  const date = new Date(expiry * 1_000).toLocaleString(tag)
  const amount = (value: string, token: string) =>
    amountText(BigInt(value), tokens.get(token) ?? network, texts, tag)
  return (
    <li>
      <div>
        <strong>
          <bdi>{site}</bdi>
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
      <button type="button" aria-label={sites.endOf(site)} disabled={isPending} onClick={end}>
        {sites.end}
      </button>
    </li>
  )
}
