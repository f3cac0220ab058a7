import type { VaultHost } from './vaultHost.ts'

/** The message of a page that uses the vault of a frame. */
const HANDOVER = '@hawser/handover'
const ANSWER_MS = 1_000

/**
 * Serves the vault of this frame to pages of its own origin. A page that a site has opened does not share the
 * storage of the frame in that site: without this, an account page could not open a wallet that has no passkey and
 * no password yet, and a popup could not learn which login the frame has started.
 */
export function acceptHandovers(host: VaultHost, site: string): void {
  window.addEventListener('message', ({ origin, data, ports: [port, answer] }: MessageEvent) => {
    if (origin !== location.origin || data !== HANDOVER || !port || !answer) return
    host.serve(port)
    answer.postMessage(site)
  })
}

/** The vault of a frame, and the origin of the site that shows the frame. */
interface Handover {
  readonly port: MessagePort
  readonly site: string
}

/** Offers a port to the frames of the page that opened this one; resolves with the port that one of them serves its vault on. */
export async function requestHandover(): Promise<Handover | undefined> {
  const opener = window.opener as Window | null
  if (!opener) return undefined
  const frames = [opener, ...Array.from({ length: opener.length }, (_, at) => opener[at] as Window)]
  const offers = frames.map(async (frame) => {
    const vault = new MessageChannel()
    const answer = new MessageChannel()
    const accepted = new Promise<MessageEvent>((resolve) => {
      answer.port1.onmessage = resolve
    })
    // Windows of other origins do not receive it.
    frame.postMessage(HANDOVER, location.origin, [vault.port2, answer.port2])
    return { port: vault.port1, site: String((await accepted).data) }
  })
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, ANSWER_MS))
  return Promise.race([...offers, timeout])
}
