import { shorten } from '@hawser/texts/format/shorten'
import { visibleText } from '@hawser/texts/format/visibleText'
import type { HandoffTexts } from '@hawser/texts/handoff/language'
import { type DescriptionJson, described } from '@hawser/texts/preview/described'
import { drawDescription } from '@hawser/texts/preview/drawDescription'
import { type AsksTexts, loadAsks } from '@hawser/texts/preview/loadAsks'
import { loadWarnings } from '@hawser/texts/preview/loadWarnings'
import { reasonText, type SomeWarningTexts, warningText } from '@hawser/texts/preview/warningTexts'
import { accountsOf, chainOf } from '@hawser/walletconnect'
import { type ComponentChild, h } from 'preact'
import { callGateway } from '../gateway.ts'
import type { Network, Networks } from '../networks.ts'
import type { PendingRequest } from '../session/sessions.ts'
import { amountText } from './amount.ts'
import { messageText, type Simulation, signerOf, simulationOf } from './simulation.ts'

interface Asset {
  readonly kind?: string
  readonly contract?: string
  readonly tokenId?: string
  readonly symbol?: string
  readonly decimals?: number
}

interface Warning {
  readonly severity?: string
  readonly text?: string
  readonly phrase?: string
  readonly value?: string
}

/** The part of `hawser.preview.v1.SimulateResponse` that is shown. */
interface Response {
  readonly outcome?: string
  readonly reason?: string
  readonly cause?: string
  readonly changes?: readonly {
    readonly asset?: Asset
    readonly outgoing?: boolean
    readonly amount?: string
    readonly counterparty?: string
  }[]
  readonly approvals?: readonly {
    readonly asset?: Asset
    readonly spender?: string
    readonly amount?: string
    readonly revoked?: boolean
  }[]
  readonly warnings?: readonly Warning[]
  readonly descriptions?: readonly DescriptionJson[]
  readonly statement?: { readonly members?: readonly { readonly name?: string; readonly value?: string }[] }
}

interface Words {
  readonly tag: string
  readonly texts: HandoffTexts
  readonly network: Network
  readonly warnings: SomeWarningTexts
  readonly asks: AsksTexts
}

/** What a request would do, for its screen. */
export interface RequestPreview {
  readonly content: ComponentChild
  /** Whether the account can lose what it owns. */
  readonly isDanger: boolean
}

/** Loads what a request would do. What is not checked says so. */
export async function loadPreview(
  { session, chainId, method, params, site }: PendingRequest,
  tag: string,
  texts: HandoffTexts,
  networks: Networks,
): Promise<RequestPreview> {
  const { projectId, origin } = site
  const [warnings, asks] = await Promise.all([loadWarnings(tag), loadAsks(tag), networks.load(projectId)])
  const words = { tag, texts, network: networks.get(chainId), warnings, asks }
  const accounts = accountsOf(session.namespaces)
    .filter((each) => chainOf(each) === chainId)
    .map((each) => each.slice(chainId.length + 1))
  try {
    const simulation = simulationOf(method, params, chainId)
    if (!simulation) return { content: <Unchecked params={params} words={words} />, isDanger: false }
    const account = signerOf(method, params, accounts)
    const body = { chainId, account, origin, ...simulation }
    const response = (await callGateway(SIMULATE, body, projectId).catch(() => undefined)) as
      | Response
      | undefined
    return {
      content: <Preview simulation={simulation} response={response} words={words} />,
      isDanger: response?.warnings?.some(isDangerous) ?? false,
    }
  } catch {
    return { content: <Unchecked params={params} words={words} />, isDanger: false }
  }
}

const SIMULATE = 'hawser.preview.v1.PreviewService/Simulate'

function isDangerous({ severity }: Warning): boolean {
  return severity === 'SEVERITY_DANGER'
}

/** A request that is not previewed, as it is. */
function Unchecked({ params, words: { texts } }: { readonly params: unknown; readonly words: Words }) {
  return (
    <>
      <p class="caution">{texts.preview.unchecked}</p>
      <details>
        <summary>{texts.preview.details}</summary>
        <pre dir="ltr">{visibleText(JSON.stringify(params, null, 2) ?? '')}</pre>
      </details>
    </>
  )
}

function Preview({
  simulation,
  response,
  words,
}: {
  readonly simulation: Simulation
  readonly response: Response | undefined
  readonly words: Words
}) {
  const { texts, network, warnings } = words
  const {
    outcome,
    changes = [],
    approvals = [],
    warnings: told = [],
    descriptions = [],
    statement,
    reason = '',
    cause = '',
  } = response ?? {}
  const isChecked =
    outcome === 'OUTCOME_SUCCEEDS' || outcome === 'OUTCOME_REVERTS' || outcome === 'OUTCOME_MESSAGE'
  const why = reasonText({ reason: visibleText(reason), cause: cause.replace(/^CAUSE_/, '') }, warnings)
  const text = simulation.message === undefined ? undefined : messageText(simulation.message)
  const isSaid = ({ phrase }: Warning) => phrase === 'PHRASE_NOT_SIMULATED' || phrase === 'PHRASE_REVERTS'
  return (
    <>
      {!isChecked && (
        <p class="caution">
          {texts.preview.unchecked} {why}
        </p>
      )}
      {outcome === 'OUTCOME_REVERTS' && !told.some(({ phrase }) => phrase === 'PHRASE_REVERTS_UNKNOWN') && (
        <p class="caution">
          {texts.preview.fails} {why}
        </p>
      )}
      {told
        .filter((warning) => !isSaid(warning))
        .map((warning) => (
          <p key={warning.phrase} class={isDangerous(warning) ? 'danger' : 'caution'}>
            {sentenceOf(warning, warnings)}
          </p>
        ))}
      {simulation.message !== undefined && (
        <Box label={texts.preview.message}>
          <pre class="message" dir="auto">
            {visibleText(text ?? simulation.message)}
          </pre>
        </Box>
      )}
      {changes.map(({ asset, outgoing, amount, counterparty }) => (
        <Box
          key={`${asset?.contract}${asset?.tokenId}${outgoing}${counterparty}`}
          label={outgoing ? texts.preview.leaves : texts.preview.arrives}
        >
          <Amount amount={amount} asset={asset} words={words} />
          {outgoing && counterparty && <Address label={texts.preview.to}>{counterparty}</Address>}
        </Box>
      ))}
      {approvals.map(({ asset, spender = '', amount, revoked }) => (
        <Box
          key={`${asset?.contract}${asset?.tokenId}${spender}`}
          label={revoked ? texts.preview.mayNoLongerTake : texts.preview.mayTake}
        >
          <Amount amount={amount} asset={asset} words={words} isEnded={revoked === true} />
          <Address>{spender}</Address>
        </Box>
      ))}
      {descriptions.length > 0 && (
        <Box label={words.asks.title}>
          {descriptions.map((description) =>
            drawDescription(described(description, sayingOf(words)), h, (whole) => (
              <Address>{whole}</Address>
            )),
          )}
        </Box>
      )}
      {changes.length === 0 &&
        simulation.calls?.map(({ to, value, data }, at) => (
          <Box key={at} label={to ? texts.preview.to : texts.preview.deploys}>
            {to && <Address>{to}</Address>}
            {value !== '0' && <Amount amount={value} asset={{ kind: NATIVE }} words={words} />}
            {data !== '0x' && (
              <details>
                <summary>{texts.preview.details}</summary>
                <pre dir="ltr">{data}</pre>
              </details>
            )}
          </Box>
        ))}
      {simulation.typedData !== undefined && (
        <details open>
          <summary>{texts.preview.details}</summary>
          {statement?.members ? (
            <dl>
              {statement.members.map(({ name, value }) => (
                <div key={name}>
                  <dt dir="ltr">{visibleText(name ?? '')}</dt>
                  <dd dir="ltr">{visibleText(value ?? '')}</dd>
                </div>
              ))}
            </dl>
          ) : (
            <pre dir="ltr">{visibleText(simulation.typedData)}</pre>
          )}
        </details>
      )}
      {changes.length > 0 && <p class="muted">{network.name}</p>}
    </>
  )
}

const NATIVE = 'ASSET_KIND_NATIVE'

function sentenceOf({ text = '', phrase = '', value = '' }: Warning, warnings: SomeWarningTexts): string {
  const short = shorten(visibleText(value))
  const english = value ? visibleText(text).split(value).join(short) : visibleText(text)
  return warningText({ text: english, phrase: phrase.replace(/^PHRASE_/, ''), value: short }, warnings)
}

function Box({ label, children }: { readonly label: string; readonly children: ComponentChild }) {
  return (
    <div class="box">
      <span class="label">{label}</span>
      {children}
    </div>
  )
}

function Address({ label, children }: { readonly label?: string; readonly children: string }) {
  return (
    <>
      {label && <span class="label">{label}</span>}
      <bdi class="address" dir="ltr">
        {visibleText(children)}
      </bdi>
    </>
  )
}

function sayingOf(words: Words) {
  const { tag, asks: texts } = words
  const token = (asset: Asset | undefined) => tokenOf(asset, words)
  const digits = (value: bigint, decimals: number) => amountText(value, decimals, tag)
  return { tag, texts, clean: visibleText, digits, token, shorten }
}

function tokenOf(asset: Asset = {}, { texts, network }: Words) {
  const isNative = asset.kind === NATIVE
  const { decimals = 0, contract = '' } = asset
  const symbol = visibleText(isNative ? network.symbol : asset.symbol || shorten(contract))
  return {
    symbol: symbol || (isNative ? texts.preview.baseUnits : texts.preview.tokens),
    decimals: isNative ? network.decimals : decimals,
  }
}

/** An amount with its token; all of the token without an amount. */
function Amount({
  amount,
  asset = {},
  words,
  isEnded = false,
}: {
  readonly amount: string | undefined
  readonly asset: Asset | undefined
  readonly words: Words
  /** Whether the approval ends, so that the text has no amount. */
  readonly isEnded?: boolean
}) {
  const { tag, texts } = words
  const { tokenId } = asset
  const { symbol: name, decimals } = tokenOf(asset, words)
  const digits = amount && amountText(BigInt(amount), decimals, tag)
  const whole = tokenId ? `${name} #${tokenId}` : name
  return (
    <strong class="amount">
      <bdi>{isEnded ? whole : digits ? `${digits} ${whole}` : texts.preview.all(name)}</bdi>
    </strong>
  )
}
