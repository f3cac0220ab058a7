import type { GrantView, Limits, PreviewOptions, Session, Sheet } from '@hawser/frame/wallet'
import { useEffect, useState } from 'preact/hooks'
import { formatUnits, parseUnits } from 'viem/utils'
import { loadNetwork, type NetworkInfo } from '../networks.ts'
import { visibleText } from '../plain.ts'
import { loadToken, type TokenInfo } from '../tokens.ts'
import { FunctionList } from './FunctionList.tsx'
import { shorten } from './shorten.ts'
import { guardNotice, useGuard } from './useGuard.ts'

interface Props {
  readonly sheet: Extract<Sheet, { kind: 'grant' }>
  /** The site's own name for itself. */
  readonly siteName: string
  readonly calls: PreviewOptions
}

/** What a site may do without further approvals, with limits that the user can lower, and the buttons that approve and reject it. */
export function GrantSheet({ sheet: { view, approve, reject }, siteName, calls }: Props) {
  const { sheet, state, guarded } = useGuard()
  const [network, setNetwork] = useState<NetworkInfo>()
  const [token, setToken] = useState<TokenInfo>()
  const [limits, setLimits] = useState<Limits | undefined>(limitsOf(view.session))
  const [isPending, setPending] = useState(false)
  const { token: allowance } = view.session
  useEffect(() => {
    loadNetwork(calls.projectId, view.chainId).then(setNetwork)
    if (allowance) loadToken(calls, view.chainId, allowance.token).then(setToken)
  }, [calls, view, allowance])
  const isLoaded = network !== undefined && (!allowance || token !== undefined)

  return (
    <main class="sheet" ref={sheet} data-state={state} aria-labelledby="title">
      <header>
        <h1 id="title">Let this site act for you</h1>
        <p class="site">
          {siteName && <span class="name">{visibleText(siteName)}</span>}
          <strong>{view.site}</strong>
        </p>
      </header>
      <dl class="facts">
        <dt>Account</dt>
        <dd title={view.address}>{shorten(view.address)}</dd>
        <dt>Network</dt>
        <dd>{visibleText(network?.name ?? view.chainId)}</dd>
      </dl>
      <section class="content">
        <p>
          Within these limits the site needs no approval from you. You can end it at any time in your account.
        </p>
        {view.justification && (
          <p class="hint">The site says: {visibleText(view.justification).slice(0, 200)}</p>
        )}
        {isLoaded ? (
          <LimitsForm view={view} network={network} token={token} changed={setLimits} />
        ) : (
          <p role="status">Please wait a moment.</p>
        )}
        {view.upgrade && network && (
          <p class="warning">
            Your account becomes a smart account on this network first. It then runs the code at{' '}
            <span class="address">{view.upgrade.delegate}</span>
            {view.upgrade.maxFee > 0n &&
              `, for at most ${formatUnits(view.upgrade.maxFee, network.decimals)} ${network.symbol} of fees`}
            .
          </p>
        )}
        <p class="hint">
          The site acts through the account <span class="address">{view.delegate}</span>
        </p>
      </section>
      <footer>
        <p class="notice" role="status">
          {guardNotice(state) ?? (limits ? undefined : 'A limit can be lowered, not raised.')}
        </p>
        <div class="buttons">
          <button type="button" onClick={reject}>
            Reject
          </button>
          <button
            type="button"
            class="primary"
            disabled={state !== 'armed' || !isLoaded || !limits || isPending}
            onClick={guarded(() => {
              if (!limits) return
              setPending(true)
              approve(limits)
            })}
          >
            {isPending ? 'Allowing...' : 'Allow'}
          </button>
        </div>
      </footer>
    </main>
  )
}

function limitsOf({ expiry, calls, native, token }: Session): Limits {
  return { expiry, calls, native: native?.amount ?? 0n, token: token?.amount ?? 0n }
}

/** The limits of a session, as fields where the site accepts lower ones. Reports them with every change, undefined while one is not valid. */
function LimitsForm({
  view: { session, isAdjustable },
  network,
  token,
  changed,
}: {
  readonly view: GrantView
  readonly network: NetworkInfo
  readonly token: TokenInfo | undefined
  readonly changed: (limits: Limits | undefined) => void
}) {
  const requested = limitsOf(session)
  const end = localTime(session.expiry)
  const [native, setNative] = useState(formatUnits(requested.native, network.decimals))
  const [spent, setSpent] = useState(token ? formatUnits(requested.token, token.decimals) : '')
  const [calls, setCalls] = useState(String(session.calls))
  const [until, setUntil] = useState(end)
  const chosen: { readonly [K in keyof Limits]?: Limits[K] | undefined } = {
    ...(session.native ? { native: amountOf(native, network.decimals, requested.native) } : {}),
    ...(session.token && token ? { token: amountOf(spent, token.decimals, requested.token) } : {}),
    calls: countOf(calls, requested.calls),
    expiry: until === end ? session.expiry : timeOf(until, session.expiry),
  }
  const isValid = Object.values(chosen).every((limit) => limit !== undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields are what the limits are made of
  useEffect(() => {
    changed(isValid ? { ...requested, ...(chosen as Limits) } : undefined)
  }, [native, spent, calls, until])
  const field = { disabled: !isAdjustable, autocomplete: 'off' }

  return (
    <>
      {session.native && (
        <label>
          {`Spend at most, in ${visibleText(network.symbol)}, ${every(session.native.period)}`}
          <input
            {...field}
            inputMode="decimal"
            value={native}
            onInput={({ currentTarget }) => setNative(currentTarget.value)}
          />
        </label>
      )}
      {session.token && token && (
        <label>
          {`Spend at most, in ${visibleText(token.symbol)}, ${every(session.token.period)}`}
          <input
            {...field}
            inputMode="decimal"
            value={spent}
            onInput={({ currentTarget }) => setSpent(currentTarget.value)}
          />
          <span class="address">{session.token.token}</span>
        </label>
      )}
      <FunctionList session={session} network={network} />
      <label>
        Uses, at most
        <input
          {...field}
          inputMode="numeric"
          value={calls}
          onInput={({ currentTarget }) => setCalls(currentTarget.value)}
        />
      </label>
      <label>
        Until
        <input
          {...field}
          type="datetime-local"
          max={end}
          value={until}
          onInput={({ currentTarget }) => setUntil(currentTarget.value)}
        />
      </label>
    </>
  )
}

function amountOf(text: string, decimals: number, requested: bigint): bigint | undefined {
  if (!/^\d{1,60}(\.\d*)?$/.test(text)) return undefined
  const amount = parseUnits(text, decimals)
  return amount > 0n && amount <= requested ? amount : undefined
}

function countOf(text: string, requested: number): number | undefined {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  return count > 0 && count <= requested ? count : undefined
}

function timeOf(text: string, requested: number): number | undefined {
  const seconds = new Date(text).getTime() / 1_000
  return seconds > Date.now() / 1_000 && seconds <= requested ? seconds : undefined
}

/** Returns a time as its field has it: in the visitor's time zone, without seconds. */
function localTime(seconds: number): string {
  const date = new Date(seconds * 1_000)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const units = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3_600 },
  { name: 'minute', seconds: 60 },
  { name: 'second', seconds: 1 },
]

/** Returns how often an allowance renews. */
function every(period: number): string {
  const unit = units.find(({ seconds }) => period % seconds === 0) ?? { name: 'second', seconds: 1 }
  const count = period / unit.seconds
  return count === 1 ? `every ${unit.name}` : `every ${count} ${unit.name}s`
}
