import {
  type ApprovalView,
  loadPreview,
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
import { guardNotice, useGuard } from './useGuard.ts'

interface Props {
  readonly sheet: Extract<Sheet, { kind: 'approval' }>
  /** The site's own name for itself. */
  readonly siteName: string
  readonly calls: PreviewOptions
}

/** Reports whether the effect of a request is simulated. Messages of Solana have none. */
function isSimulated({ chainId, content: { kind } }: ApprovalView): boolean {
  if (kind === 'message') return chainId.startsWith('eip155:')
  return kind !== 'revocation'
}

/** What a request would do, with the buttons that approve and reject it. */
export function ApprovalSheet({ sheet: { view, approve, reject }, siteName, calls }: Props) {
  const texts = useTexts()
  const { sheet, state, guarded } = useGuard()
  const [isPending, setPending] = useState(false)
  const [network, setNetwork] = useState<NetworkInfo>()
  const [price, setPrice] = useState<number>()
  useEffect(() => {
    loadNetwork(calls.projectId, view.chainId).then(setNetwork)
    loadNativePrice(calls, view.chainId).then(setPrice)
    loadPreview(calls, view).then((loaded) => setPreview(loaded ?? 'absent'))
  }, [calls, view])
  const [preview, setPreview] = useState<Preview | 'absent'>()

  return (
    <SheetFrame
      title={texts.approval.title[view.content.kind]}
      cancel={reject}
      sheet={sheet}
      state={state}
      top={<SheetHeader siteName={siteName} view={view} network={network?.name} />}
      footer={
        <RequestFooter
          notice={guardNotice(state, texts)}
          reject={reject}
          approve={guarded(() => {
            setPending(true)
            approve()
          })}
          isDisabled={state !== 'armed' || !network || isPending}
          label={isPending ? texts.sheet.approving : texts.sheet.approve}
        />
      }
    >
      {(!preview || !network) && (
        <p class="hint" role="status">
          {texts.approval.simulating}
        </p>
      )}
      {preview === 'absent' && isSimulated(view) && <p class="warning">{texts.approval.notSimulated}</p>}
      {typeof preview === 'object' && network && <PreviewContent preview={preview} network={network} />}
      {network && (
        <Content
          view={view}
          network={network}
          price={price}
          preview={typeof preview === 'object' ? preview : undefined}
        />
      )}
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
