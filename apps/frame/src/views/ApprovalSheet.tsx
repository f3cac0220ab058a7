import { visibleText } from '@hawser/texts/format/visibleText'
import { type ApprovalView, loadPreview, type Preview, type PreviewOptions, type Sheet } from '@hawser/vault'
import { useEffect, useState } from 'preact/hooks'
import { type Assets, loadAssets } from '../assets.ts'
import { useTexts, useWords } from '../locale/useLanguage.ts'
import { loadNetwork, type NetworkInfo } from '../networks.ts'
import { CallsContent } from './CallsContent.tsx'
import { ConcernCard } from './ConcernCard.tsx'
import { concernsOf } from './concerns.ts'
import { Descriptions } from './Descriptions.tsx'
import { PreviewContent } from './PreviewContent.tsx'
import { RevocationContent } from './RevocationContent.tsx'
import { RequestFooter, SheetFrame } from './SheetFrame.tsx'
import { SheetHeader } from './SheetHeader.tsx'
import { SolanaContent } from './SolanaContent.tsx'
import { TypedDataContent } from './TypedDataContent.tsx'
import { guardNotice, useGuard } from './useGuard.ts'

interface Props {
  readonly sheet: Extract<Sheet, { kind: 'approval' }>
  /** The site's own name for itself. */
  readonly siteName: string
  readonly calls: PreviewOptions
}

/** How old a preview may be when the sheet is seen, in milliseconds. */
const PREVIEW_MS = 30_000

/** The outcomes of a request that was checked. Of a transaction of Solana that fails nothing was seen: another one can make it succeed before it is sent. */
function checkedOutcomes({ content }: ApprovalView): readonly string[] {
  const outcomes = ['OUTCOME_SUCCEEDS', 'OUTCOME_MESSAGE']
  return content.kind === 'solanaTransactions' ? outcomes : [...outcomes, 'OUTCOME_REVERTS']
}

/** Reports whether there is something to sign: nothing is signed for calls that the bundler refuses. */
function canBeSent({ content }: ApprovalView): boolean {
  return content.kind !== 'calls' || content.maxFee !== undefined
}

/** What a request would do, with the buttons that approve and reject it. */
export function ApprovalSheet({ sheet: { view, approve, reject }, siteName, calls }: Props) {
  const texts = useTexts()
  const words = useWords()
  const [loaded, setLoaded] = useState<{ readonly preview: Preview | undefined; readonly at: number }>()
  const { watched, state, guarded } = useGuard<HTMLElement>(loaded)
  const [isPending, setPending] = useState(false)
  const [isAccepted, setAccepted] = useState(false)
  const [network, setNetwork] = useState<NetworkInfo>()
  const [assets, setAssets] = useState<Assets>(new Map())
  useEffect(() => {
    loadNetwork(calls.projectId, view.chainId).then(setNetwork)
  }, [calls, view])
  const isLoading = loaded === undefined
  useEffect(() => {
    if (isLoading) loadPreview(calls, view).then((preview) => setLoaded({ preview, at: Date.now() }))
  }, [calls, view, isLoading])
  // A site may show its frame long after the request, when the chain has changed.
  useEffect(() => {
    if (state !== 'armed' || isPending || !loaded || Date.now() - loaded.at <= PREVIEW_MS) return
    setLoaded(undefined)
    // What the user accepted may not be what the next preview shows.
    setAccepted(false)
  }, [state, isPending, loaded])
  const preview = loaded?.preview
  useEffect(() => {
    loadAssets(calls, view.chainId, listedTokens(preview)).then(setAssets)
  }, [calls, view, preview])
  const isChecked =
    view.content.kind === 'revocation' || checkedOutcomes(view).includes(preview?.outcome ?? '')

  const concerns = loaded ? concernsOf({ view, preview, isChecked, ...words }) : []
  const isDangerous = concerns.some(({ isDanger }) => isDanger)
  const risk = {
    label: isChecked ? texts.approval.accept : texts.approval.understand,
    isAccepted,
    toggle: guarded(() => setAccepted(!isAccepted)),
  }
  const approveLabel = isDangerous ? texts.sheet.approveAnyway : texts.sheet.approve

  return (
    <SheetFrame
      title={texts.approval.title[view.content.kind]}
      cancel={reject}
      sheet={watched}
      state={state}
      top={<SheetHeader siteName={siteName} view={view} network={network?.name} />}
      footer={
        <RequestFooter
          notice={guardNotice(state, texts)}
          reject={reject}
          approve={guarded(() => {
            setPending(true)
            approve(preview)
          })}
          isDisabled={!loaded || !network || isPending || !canBeSent(view)}
          isSettling={state !== 'armed'}
          label={isPending ? texts.sheet.approving : approveLabel}
          risk={isDangerous ? risk : undefined}
        />
      }
    >
      {(!loaded || !network) && (
        <p class="hint" role="status">
          {texts.approval.simulating}
        </p>
      )}
      <ConcernCard concerns={concerns} beside={addressesOf(view, preview)} />
      {preview && network && (
        <PreviewContent preview={preview} view={view} network={network} assets={assets} />
      )}
      {preview?.descriptions && preview.descriptions.length > 0 && network && (
        <Descriptions list={preview.descriptions} network={network} />
      )}
      {network && <Content view={view} network={network} price={assets.get('')?.price} preview={preview} />}
    </SheetFrame>
  )
}

/** Returns the contracts of the tokens of a preview that the operator lists: others have the price and the icon that their makers want. */
function listedTokens(preview: Preview | undefined): readonly string[] {
  const shown = [...(preview?.changes ?? []), ...(preview?.approvals ?? [])]
  const contracts = shown.flatMap(({ asset }) => (asset?.listed && asset.contract ? asset.contract : []))
  return [...new Set(contracts)].slice(0, 20)
}

/** Returns the texts of a sheet that have addresses whole. */
function addressesOf({ content }: ApprovalView, preview: Preview | undefined): readonly string[] {
  const spenders = (preview?.approvals ?? []).map(({ spender = '' }) => spender)
  const counterparties = (preview?.changes ?? []).map(({ counterparty = '' }) => counterparty)
  const effects = [...spenders, ...counterparties]
  switch (content.kind) {
    case 'calls':
      return [...effects, ...content.calls.map(({ to = '' }) => to)]
    case 'typedData':
      return [...effects, JSON.stringify([content.data.domain, content.data.message])]
    default:
      return effects
  }
}

function Content({
  view: { address, content },
  network,
  price,
  preview,
}: {
  readonly view: ApprovalView
  readonly network: NetworkInfo
  /** Of the network's native token, in dollars, for display; undefined until it is loaded, and if it is not known. */
  readonly price: number | undefined
  /** Undefined until it is loaded, and if the gateway has none. */
  readonly preview: Preview | undefined
}) {
  switch (content.kind) {
    case 'message':
      return content.text === undefined ? <pre>{content.hex}</pre> : <pre>{visibleText(content.text)}</pre>
    case 'typedData':
      return <TypedDataContent data={content.data} />
    case 'calls':
      return <CallsContent content={content} network={network} price={price} preview={preview} />
    case 'revocation':
      return <RevocationContent content={content} network={network} price={price} />
    case 'solanaTransactions':
      return (
        <SolanaContent
          transactions={content.transactions}
          account={address}
          network={network}
          price={price}
          preview={preview}
        />
      )
  }
}
