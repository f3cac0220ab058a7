import { visibleText } from '@hawser/texts/format/visibleText'
import type { Language } from '@hawser/texts/frame/language'
import type { Vault } from '@hawser/vault'
import { useEffect, useState } from 'preact/hooks'
import type { FrameConfig } from '../config.ts'
import { fill } from '../locale/fill.tsx'
import { useTexts } from '../locale/useLanguage.ts'
import { startVault } from '../vaultHost.ts'
import { DeviceButtons, DeviceFacts } from './DeviceFacts.tsx'
import { mount } from './mount.tsx'

type DeviceRequest = Awaited<ReturnType<Vault['getDeviceRequest']>>

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'waiting'; readonly request: DeviceRequest }
  | { readonly kind: 'approved' }
  | { readonly kind: 'denied' }
  | { readonly kind: 'ended' }

/** Draws the page that the link in a mail opens. It changes nothing before one of its buttons is pressed. */
export async function start({ projectId }: FrameConfig, loading: Promise<Language>): Promise<void> {
  const fragment = location.hash.slice(1)
  const token = new URLSearchParams(fragment).get('token') ?? fragment
  history.replaceState(undefined, '', location.pathname + location.search)
  const { vault } = startVault({ projectId, pageOrigin: undefined }, () => undefined)
  const language = await loading
  mount(language, language.texts.device.title, <ApproveDevice vault={vault} token={token} />)
}

function ApproveDevice({ vault, token }: { readonly vault: Vault; readonly token: string }) {
  const { device: texts, wait } = useTexts()
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
      return <p role="status">{wait}</p>
    case 'approved':
      return <p role="status">{texts.approved}</p>
    case 'denied':
      return <p role="status">{texts.denied}</p>
    case 'ended':
      return <p role="alert">{texts.ended}</p>
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
  const { device: texts } = useTexts()
  const { words = '', email = '' } = request
  return (
    <>
      <p>{fill(texts.text, { email: <strong>{visibleText(email)}</strong> })}</p>
      {words && (
        <p class="words">
          <bdi lang="en">{words}</bdi>
        </p>
      )}
      <DeviceFacts {...request} />
      <DeviceButtons decide={decide} />
    </>
  )
}
