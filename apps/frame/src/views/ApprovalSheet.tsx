import {
  type ApprovalView,
  loadPreview,
  type Preview,
  type PreviewOptions,
  type Sheet,
} from '@hawser/frame/wallet'
import { useEffect, useState } from 'preact/hooks'
import { loadNetwork, type NetworkInfo, unknownNetwork } from '../networks.ts'
import { visibleText } from '../plain.ts'
import { CallsContent } from './CallsContent.tsx'
import { PreviewContent } from './PreviewContent.tsx'
import { SolanaContent } from './SolanaContent.tsx'
import { shorten } from './shorten.ts'
import { TypedDataContent } from './TypedDataContent.tsx'
import { guardNotice, useGuard } from './useGuard.ts'

interface Props {
  readonly sheet: Extract<Sheet, { kind: 'approval' }>
  /** The site's own name for itself. */
  readonly siteName: string
  readonly calls: PreviewOptions
}

const titles: Record<ApprovalView['content']['kind'], string> = {
  message: 'Sign a message',
  typedData: 'Sign data',
  calls: 'Send a transaction',
  revocation: 'End a permission',
  solanaTransactions: 'Sign a transaction',
}

/** Reports whether the effect of a request is simulated. Messages of Solana have none. */
function isSimulated({ chainId, content: { kind } }: ApprovalView): boolean {
  if (kind === 'message') return chainId.startsWith('eip155:')
  return kind !== 'revocation'
}

/** What a request would do, with the buttons that approve and reject it. */
export function ApprovalSheet({ sheet: { view, approve, reject }, siteName, calls }: Props) {
  const { sheet, state, guarded } = useGuard()
  const [isPending, setPending] = useState(false)
  const [network, setNetwork] = useState<NetworkInfo>(unknownNetwork(view.chainId))
  useEffect(() => {
    loadNetwork(calls.projectId, view.chainId).then(setNetwork)
    loadPreview(calls, view).then((loaded) => setPreview(loaded ?? 'absent'))
  }, [calls, view])
  const [preview, setPreview] = useState<Preview | 'absent'>()
  const notice = guardNotice(state)

  return (
    <main class="sheet" ref={sheet} data-state={state} aria-labelledby="title">
      <header>
        <h1 id="title">{titles[view.content.kind]}</h1>
        <p class="site">
          {siteName && <span class="name">{visibleText(siteName)}</span>}
          <strong>{view.site}</strong>
        </p>
      </header>
      <dl class="facts">
        <dt>Account</dt>
        <dd title={view.address}>{shorten(view.address)}</dd>
        <dt>Network</dt>
        <dd>{visibleText(network.name)}</dd>
      </dl>
      <section class="content">
        {preview === undefined && <p role="status">Looking at what this would do...</p>}
        {preview === 'absent' && isSimulated(view) && (
          <p class="warning">This could not be simulated: it may do more than is shown.</p>
        )}
        {typeof preview === 'object' && <PreviewContent preview={preview} network={network} />}
        <Content view={view} network={network} isPreviewed={typeof preview === 'object'} />
      </section>
      <footer>
        <p class="notice" role="status">
          {notice}
        </p>
        <div class="buttons">
          <button type="button" onClick={reject}>
            Reject
          </button>
          <button
            type="button"
            class="primary"
            disabled={state !== 'armed' || isPending}
            onClick={guarded(() => {
              setPending(true)
              approve()
            })}
          >
            {isPending ? 'Approving...' : 'Approve'}
          </button>
        </div>
      </footer>
    </main>
  )
}

function Content({
  view: { address, content },
  network,
  isPreviewed,
}: {
  readonly view: ApprovalView
  readonly network: NetworkInfo
  readonly isPreviewed: boolean
}) {
  switch (content.kind) {
    case 'message':
      return content.text === undefined ? (
        <>
          <p class="warning">This message is not text: what it means cannot be shown.</p>
          <pre>{content.hex}</pre>
        </>
      ) : (
        <pre>{visibleText(content.text)}</pre>
      )
    case 'typedData':
      return <TypedDataContent data={content.data} />
    case 'calls':
      return <CallsContent content={content} network={network} />
    case 'revocation':
      return (
        <p>
          The site can no longer act for you
          {content.delegate && (
            <>
              {' '}
              through the account <span class="address">{content.delegate}</span>
            </>
          )}
          . It ends at once here, and on the network when an operation of your account is in a block.
        </p>
      )
    case 'solanaTransactions':
      return (
        <SolanaContent
          transactions={content.transactions}
          account={address}
          network={network}
          isPreviewed={isPreviewed}
        />
      )
  }
}
