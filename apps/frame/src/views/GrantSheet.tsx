import { showTypedDecimal } from '@hawser/texts/format/typedDecimal'
import { visibleText } from '@hawser/texts/format/visibleText'
import type { FrameTexts } from '@hawser/texts/frame/texts'
import type { GrantView, Limits, PreviewOptions, Session, Sheet } from '@hawser/vault'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { formatUnits, parseUnits } from 'viem/utils'
import { amountText, readCount, readDecimal, symbolText, type Unit } from '../locale/amount.ts'
import { fill } from '../locale/fill.tsx'
import { useTag, useTexts, useWords } from '../locale/useLanguage.ts'
import { loadNetwork, type NetworkInfo } from '../networks.ts'
import { loadToken } from '../tokens.ts'
import { ConcernCard } from './ConcernCard.tsx'
import { type Concern, concernsOfOperation } from './concerns.ts'
import { FunctionList } from './FunctionList.tsx'
import { RequestFooter, SheetFrame } from './SheetFrame.tsx'
import { SheetHeader } from './SheetHeader.tsx'
import { guardNotice, useGuard } from './useGuard.ts'

interface Props {
  readonly sheet: Extract<Sheet, { kind: 'grant' }>
  /** The site's own name for itself. */
  readonly siteName: string
  readonly calls: PreviewOptions
}

/** What a site may do without further approvals, with limits that the user can lower, and the buttons that approve and reject it. */
export function GrantSheet({ sheet: { view, approve, reject }, siteName, calls }: Props) {
  const texts = useTexts()
  const tag = useTag()
  const [network, setNetwork] = useState<NetworkInfo>()
  const [token, setToken] = useState<Unit>()
  const [limits, setLimits] = useState<Limits | undefined>(limitsOf(view.session))
  const [isPending, setPending] = useState(false)
  const [isAccepted, setAccepted] = useState(false)
  const words = useWords()
  const { token: allowance } = view.session
  useEffect(() => {
    loadNetwork(calls.projectId, view.chainId).then(setNetwork)
    if (allowance) loadToken(calls, view.chainId, allowance.token).then(setToken)
  }, [calls, view, allowance])
  const isLoaded = network !== undefined && (!allowance || token !== undefined)
  const { watched, state, guarded } = useGuard<HTMLElement>(isLoaded)
  const concerns = [
    ...concernsOfOperation(view.chainId, view.upgrade, words),
    ...concernsOfFunctions(view.session, texts),
  ]
  const isDangerous = concerns.some(({ isDanger }) => isDanger)
  const risk = {
    label: texts.approval.accept,
    isAccepted,
    toggle: guarded(() => setAccepted(!isAccepted)),
  }

  return (
    <SheetFrame
      title={texts.grant.title}
      cancel={reject}
      sheet={watched}
      state={state}
      top={<SheetHeader siteName={siteName} view={view} network={network?.name} />}
      footer={
        <RequestFooter
          notice={guardNotice(state, texts) ?? (limits ? undefined : texts.grant.tooHigh)}
          reject={reject}
          approve={guarded(() => {
            if (!limits) return
            setPending(true)
            approve(limits)
          })}
          isDisabled={!isLoaded || !limits || isPending}
          isSettling={state !== 'armed'}
          label={isPending ? texts.grant.allowing : texts.grant.allow}
          risk={isDangerous ? risk : undefined}
        />
      }
    >
      <ConcernCard concerns={concerns} />
      <p>{texts.grant.text}</p>
      {view.justification && (
        <p class="hint">{texts.grant.justification(visibleText(view.justification).slice(0, 200))}</p>
      )}
      {isLoaded ? (
        <LimitsForm view={view} network={network} token={token} changed={setLimits} />
      ) : (
        <p role="status">{texts.wait}</p>
      )}
      {view.upgrade && network && (
        <p class="hint">
          {fill(view.upgrade.maxFee > 0n ? texts.grant.upgradeForFee : texts.grant.upgrade, {
            account: <span class="address">{view.upgrade.delegate ?? ''}</span>,
            amount: amountText(view.upgrade.maxFee, network, texts, tag),
          })}
        </p>
      )}
      <p class="hint">
        {fill(texts.grant.delegate, { account: <span class="address">{view.delegate}</span> })}
      </p>
    </SheetFrame>
  )
}

/** Returns what the functions of a session could do to the account: a known one without limits, and an unknown one in any case. */
function concernsOfFunctions({ functions }: Session, { functions: texts }: FrameTexts): readonly Concern[] {
  const effects = functions.flatMap((called) => {
    if (!called.effect) return texts.unknownEffect
    return isBounded(called) ? [] : texts.effect[called.effect]
  })
  return [...new Set(effects)].map((text) => ({ isDanger: true, text }))
}

/** Amounts from here on are no limit: contracts understand the highest numbers as all tokens. */
const UNLIMITED = 1n << 128n

/**
 * Reports whether the rules of a known function fix every account and amount. An amount that is only under another one is not fixed: no contract
 * enforces that, and where it is the id of a token, any lower id is another token.
 */
function isBounded({ signature = '', rules }: Session['functions'][number]): boolean {
  const parameters = signature.slice(signature.indexOf('(') + 1, -1).split(',')
  const isFixed = parameters.every((type, at) => {
    const value = rules.find(({ position, operator }) => position === at + 1 && operator === 'EQUAL')?.value
    if (type.includes('address')) return value !== undefined
    if (type.includes('int')) return value !== undefined && BigInt(value) < UNLIMITED
    // It allows all tokens, or ends that.
    return type !== 'bool' || (value !== undefined && BigInt(value) === 0n)
  })
  // Without an amount, a function gives all tokens.
  return isFixed && parameters.some((type) => type.includes('int') || type === 'bool')
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
  readonly token: Unit | undefined
  readonly changed: (limits: Limits | undefined) => void
}) {
  const texts = useTexts()
  const tag = useTag()
  const shown = (amount: bigint, { decimals }: Unit) => showTypedDecimal(formatUnits(amount, decimals), tag)
  const requested = limitsOf(session)
  const end = localTime(session.expiry)
  const [native, setNative] = useState(shown(requested.native, network))
  const [spent, setSpent] = useState(token ? shown(requested.token, token) : '')
  const [calls, setCalls] = useState(String(session.calls))
  const [until, setUntil] = useState(end)
  const chosen: { readonly [K in keyof Limits]?: Limits[K] | undefined } = {
    ...(session.native
      ? { native: amountOf(readDecimal(native, tag), network.decimals, requested.native) }
      : {}),
    ...(session.token && token
      ? { token: amountOf(readDecimal(spent, tag), token.decimals, requested.token) }
      : {}),
    calls: countOf(readCount(calls, tag), requested.calls),
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
        <SpendField
          {...field}
          unit={network}
          period={session.native.period}
          value={native}
          changed={setNative}
        />
      )}
      {session.token && token && (
        <SpendField {...field} unit={token} period={session.token.period} value={spent} changed={setSpent}>
          <span class="address">{session.token.token}</span>
        </SpendField>
      )}
      <FunctionList session={session} network={network} />
      <label>
        {texts.grant.uses}
        <input
          {...field}
          inputMode="numeric"
          value={calls}
          onInput={({ currentTarget }) => setCalls(currentTarget.value)}
        />
      </label>
      <label>
        {texts.grant.until}
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

/** What may be spent of a token in each period. */
function SpendField({
  unit,
  period,
  value,
  changed,
  children,
  ...field
}: {
  readonly unit: Unit
  /** In seconds. */
  readonly period: number
  readonly value: string
  readonly changed: (value: string) => void
  readonly disabled: boolean
  readonly autocomplete: string
  readonly children?: ComponentChildren
}) {
  const texts = useTexts()
  return (
    <label>
      {texts.grant.spend(symbolText(unit, texts), every(period, texts))}
      <input
        {...field}
        inputMode="decimal"
        value={value}
        onInput={({ currentTarget }) => changed(currentTarget.value)}
      />
      {children}
    </label>
  )
}

function amountOf(decimal: string | undefined, decimals: number, requested: bigint): bigint | undefined {
  if (decimal === undefined) return undefined
  const amount = parseUnits(decimal, decimals)
  return amount > 0n && amount <= requested ? amount : undefined
}

function countOf(count = 0, requested: number): number | undefined {
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

const SECOND = { name: 'second', seconds: 1 } as const
const units = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3_600 },
  { name: 'minute', seconds: 60 },
] as const

/** Returns how often an allowance renews. */
function every(period: number, { grant }: FrameTexts): string {
  const { name, seconds } = units.find(({ seconds }) => period % seconds === 0) ?? SECOND
  return grant.every[name](period / seconds)
}
