import type { Vault } from '@hawser/frame/wallet'
import { useEffect, useState } from 'preact/hooks'
import type { FrameConfig } from '../config.ts'
import { visibleText } from '../plain.ts'
import { startVault } from '../vaultHost.ts'
import { mount } from './mount.tsx'

type DeviceRequest = Awaited<ReturnType<Vault['getDeviceRequest']>>

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'waiting'; readonly request: DeviceRequest }
  | { readonly kind: 'approved' }
  | { readonly kind: 'denied' }
  | { readonly kind: 'ended' }

/** Draws the page that the link in a mail opens. It changes nothing before one of its buttons is pressed. */
export function start({ projectId }: FrameConfig): void {
  const fragment = location.hash.slice(1)
  const token = new URLSearchParams(fragment).get('token') ?? fragment
  history.replaceState(undefined, '', location.pathname + location.search)
  const { vault } = startVault({ projectId, pageOrigin: undefined }, () => undefined)
  mount('Approve a login', <ApproveDevice vault={vault} token={token} />)
}

function ApproveDevice({ vault, token }: { readonly vault: Vault; readonly token: string }) {
  const [state, setState] = useState<State>({ kind: 'loading' })
  useEffect(() => {
    vault.getDeviceRequest(token).then(
      (request) => setState({ kind: 'waiting', request }),
      () => setState({ kind: 'ended' }),
    )
  }, [vault, token])

  async function decide(approve: boolean) {
    setState({ kind: 'loading' })
    try {
      await vault.decideDevice(token, approve)
      setState({ kind: approve ? 'approved' : 'denied' })
    } catch {
      setState({ kind: 'ended' })
    }
  }

  switch (state.kind) {
    case 'loading':
      return <p role="status">Please wait a moment.</p>
    case 'approved':
      return (
        <p role="status">
          The login is approved. Enter the code of the next mail on the device that signs in.
        </p>
      )
    case 'denied':
      return <p role="status">The login is denied. Nobody was signed in.</p>
    case 'ended':
      return <p role="alert">This link is expired or was used.</p>
    case 'waiting':
      return <Waiting request={state.request} decide={decide} />
  }
}

function Waiting({
  request,
  decide,
}: {
  readonly request: DeviceRequest
  readonly decide: (approve: boolean) => void
}) {
  const { device, network = '', startedAt = '0', words = '', email = '' } = request
  return (
    <>
      <p>
        A device that is new to us signs in as <strong>{visibleText(email)}</strong>. Approve it only if it is
        yours, and shows these words:
      </p>
      {words && <p class="words">{words}</p>}
      <dl class="facts">
        <dt>Browser</dt>
        <dd>{visibleText(device?.browser ?? '')}</dd>
        <dt>System</dt>
        <dd>{visibleText(device?.system ?? '')}</dd>
        <dt>Site</dt>
        <dd>{visibleText(device?.site ?? '')}</dd>
        <dt>Internet address</dt>
        <dd>{network}</dd>
        <dt>Time</dt>
        <dd>{new Date(Number(startedAt) * 1_000).toLocaleString()}</dd>
      </dl>
      <div class="buttons">
        <button type="button" onClick={() => decide(false)}>
          Deny
        </button>
        <button type="button" class="primary" onClick={() => decide(true)}>
          Approve
        </button>
      </div>
    </>
  )
}
