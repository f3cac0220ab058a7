import { visibleText } from '@hawser/texts/format/visibleText'
import type { FrameTexts } from '@hawser/texts/frame/texts'
import {
  BundlerError,
  createSmartAccounts,
  type PreparedRemoval,
  type Vault,
  type VaultUser,
} from '@hawser/vault'
import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../locale/useLanguage.ts'
import { loadNetwork, type NetworkInfo } from '../networks.ts'
import { useAction } from '../views/useAction.ts'
import { FeeConfirmation } from './FeeConfirmation.tsx'
import { type FeeStep, viewOf } from './feeStep.ts'
import type { Network } from './network.ts'

interface Delegated {
  readonly chainId: string
  readonly shown: NetworkInfo
}

/** What the user is asked before it is signed. */
interface Asked extends FeeStep {
  readonly chainId: string
  readonly prepared: PreparedRemoval
  /** Whether a sponsor refused to pay. */
  readonly isRefused: boolean
}

const POLL_MS = 1_000
/** Status of calls that are not in a block yet (EIP-5792). */
const PENDING = 100
const CONFIRMED = 200

/** Returns what is signed, or who pays for it; nothing for a transaction that the account pays for as always. */
function noteOf({ prepared, isRefused }: Asked, texts: FrameTexts['smartAccount']): string | undefined {
  if (!prepared.operation) return texts.sponsored
  return isRefused ? texts.notSponsored : undefined
}

/** The networks on which the account runs the code of a smart account (EIP-7702), each with a button that ends it. */
export function SmartAccountSection({
  vault,
  user,
  network,
}: {
  readonly vault: Vault
  readonly user: VaultUser
  readonly network: Network
}) {
  const { smartAccount: texts, failure, wait } = useTexts()
  const [delegated, setDelegated] = useState<readonly Delegated[]>()
  const [asked, setAsked] = useState<Asked>()
  const { error, isPending, run } = useAction()
  const account = user.addresses?.eip155 as `0x${string}`

  async function reload() {
    const accounts = createSmartAccounts(network)
    const found = (await accounts.chains()).map(async ({ chainId = '', delegation }) => {
      if (!delegation || !(await accounts.isDelegated(chainId, account))) return []
      return [{ chainId, shown: await loadNetwork(network.projectId, chainId) }]
    })
    setDelegated((await Promise.all(found)).flat())
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the vault of a page does not change
  useEffect(() => {
    // An installation may have no bundler, and then no smart accounts.
    reload().catch(() => setDelegated([]))
  }, [])

  async function ask({ chainId, shown }: Delegated, isRefused = false) {
    const payer = isRefused ? 'account' : 'sponsor'
    const prepared = createSmartAccounts(network).prepareRemoval(chainId, account, payer)
    const view = await viewOf(network.node, chainId, prepared)
    setAsked({ chainId, network: shown, view, prepared: await prepared, isRefused })
  }

  async function remove({ chainId, network: shown, prepared }: Asked) {
    const accounts = createSmartAccounts(network)
    const sending = accounts.sendRemoval(prepared, (request) => vault.sign(request))
    const id = await sending.catch((error) => {
      if (prepared.operation || !(error instanceof BundlerError)) throw error
      return undefined
    })
    // The account may pay itself, which is another question.
    if (id === undefined) return ask({ chainId, shown }, true)
    let status = PENDING
    while (status === PENDING) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      status = (await accounts.status(account, id)).status
    }
    if (status !== CONFIRMED) throw new Error(failure.smartAccountStays)
    await reload()
    setAsked(undefined)
  }

  async function confirm(confirmed: Asked) {
    try {
      await remove(confirmed)
    } catch (error) {
      setAsked(undefined)
      throw error
    }
  }

  if (asked)
    return (
      <FeeConfirmation
        // Another question needs its own click.
        key={String(asked.isRefused)}
        title={texts.endOn(visibleText(asked.network.name))}
        text={texts.endText}
        note={noteOf(asked, texts)}
        steps={[asked]}
        label={isPending ? texts.ending : texts.end}
        isPending={isPending}
        cancel={() => setAsked(undefined)}
        confirm={() => run(() => confirm(asked))}
      />
    )
  if (!delegated) return <p role="status">{wait}</p>
  if (delegated.length === 0) return <p>{texts.none}</p>
  return (
    <>
      <p>{texts.text}</p>
      <ul class="rows">
        {delegated.map((row) => (
          <li key={row.chainId}>
            <bdi>{visibleText(row.shown.name)}</bdi>
            <button
              type="button"
              aria-label={texts.endOn(visibleText(row.shown.name))}
              disabled={isPending}
              onClick={() => run(() => ask(row))}
            >
              {texts.end}
            </button>
          </li>
        ))}
      </ul>
      <p class="notice" role="alert">
        {error}
      </p>
    </>
  )
}
