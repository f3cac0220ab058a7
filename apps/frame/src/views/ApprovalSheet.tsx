import {
  type ApprovalView,
  loadPreview,
  localWarnings,
  type Preview,
  type PreviewOptions,
  type Sheet,
} from '@hawser/frame/wallet'
import { useEffect, useState } from 'preact/hooks'
import { fill } from '../locale/fill.tsx'
import { useTexts } from '../locale/useLanguage.ts'
import { loadNetwork, type NetworkInfo } from '../networks.ts'
import { visibleText } from '../plain.ts'
import { loadNativePrice } from '../prices.ts'
import { CallsContent } from './CallsContent.tsx'
import { PreviewContent } from './PreviewContent.tsx'
import { RequestFooter, SheetFrame } from './SheetFrame.tsx'
import { SheetHeader } from './SheetHeader.tsx'
import { SolanaContent } from './SolanaContent.tsx'
import { TypedDataContent } from './TypedDataContent.tsx'
import { UncheckedBox } from './UncheckedBox.tsx'
import { guardNotice, useGuard } from './useGuard.ts'
import { Warnings } from './Warnings.tsx'

interface Props {
  readonly sheet: Extract<Sheet, { kind: 'approval' }>
  /** The site's own name for itself. */
  readonly siteName: string
  readonly calls: PreviewOptions
}

/** The outcomes of a request that was checked. Of a transaction of Solana that fails nothing was seen: another one can make it succeed before it is sent. */
function checkedOutcomes({ content }: ApprovalView): readonly string[] {
  const outcomes = ['OUTCOME_SUCCEEDS', 'OUTCOME_MESSAGE']
  return content.kind === 'solanaTransactions' ? outcomes : [...outcomes, 'OUTCOME_REVERTS']
}

/** Returns the warnings of the frame that a preview does not have: all of them without one. */
function warningsBeside(view: ApprovalView, preview: Preview | undefined) {
  const all = localWarnings(view)
  if (!preview) return all
  // A server that calls foreign code known is not believed.
  const isSaid = (preview.warnings ?? []).some(({ phrase }) => phrase === 'PHRASE_UNKNOWN_CODE')
  return isSaid ? [] : all.filter(({ phrase }) => phrase === 'PHRASE_UNKNOWN_CODE')
}

/** What a request would do, with the buttons that approve and reject it. */
export function ApprovalSheet({ sheet: { view, approve, reject }, siteName, calls }: Props) {
  const texts = useTexts()
  const [loaded, setLoaded] = useState<{ readonly preview: Preview | undefined }>()
  const { watched, state, guarded } = useGuard<HTMLElement>(loaded)
  const [isPending, setPending] = useState(false)
  const [isConfirmed, setConfirmed] = useState(false)
  const [network, setNetwork] = useState<NetworkInfo>()
  const [price, setPrice] = useState<number>()
  useEffect(() => {
    loadNetwork(calls.projectId, view.chainId).then(setNetwork)
    loadNativePrice(calls, view.chainId).then(setPrice)
    loadPreview(calls, view).then((preview) => setLoaded({ preview }))
  }, [calls, view])
  const preview = loaded?.preview
  const isChecked =
    view.content.kind === 'revocation' || checkedOutcomes(view).includes(preview?.outcome ?? '')

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
          isDisabled={!loaded || !network || isPending || !(isChecked || isConfirmed)}
          isSettling={state !== 'armed'}
          label={isPending ? texts.sheet.approving : texts.sheet.approve}
        />
      }
    >
      {(!loaded || !network) && (
        <p class="hint" role="status">
          {texts.approval.simulating}
        </p>
      )}
      {loaded && !isChecked && (
        <UncheckedBox
          preview={preview}
          isConfirmed={isConfirmed}
          isSettling={state !== 'armed'}
          toggle={guarded(() => setConfirmed(!isConfirmed))}
        />
      )}
      {loaded && <Warnings warnings={warningsBeside(view, preview)} />}
      {preview && network && <PreviewContent preview={preview} network={network} />}
      {network && <Content view={view} network={network} price={price} preview={preview} />}
    </SheetFrame>
  )
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
  const texts = useTexts().approval
  switch (content.kind) {
    case 'message':
      return content.text === undefined ? (
        <>
          <p class="warning">{texts.notText}</p>
          <pre>{content.hex}</pre>
        </>
      ) : (
        <pre>{visibleText(content.text)}</pre>
      )
    case 'typedData':
      return <TypedDataContent data={content.data} />
    case 'calls':
      return <CallsContent content={content} network={network} price={price} preview={preview} />
    case 'revocation':
      return (
        <p>
          {content.delegate
            ? fill(texts.revocationOf, { account: <span class="address">{content.delegate}</span> })
            : texts.revocation}
        </p>
      )
    case 'solanaTransactions':
      return (
        <SolanaContent
          transactions={content.transactions}
          account={address}
          network={network}
          price={price}
          isPreviewed={preview !== undefined}
        />
      )
  }
}
