import { connectVault, describeDevice, type Vault } from '@hawser/vault'
import workerUrl from './vaultWorker.ts?worker&url'

/** What the worker of the vault is started with. */
export interface VaultStart {
  readonly projectId: string
  /** Origin of the page that embeds the frame; undefined for a page that is not framed. */
  readonly pageOrigin: string | undefined
  readonly device: ReturnType<typeof describeDevice>
  /** Whether the page on the port has to open the wallet itself before it makes changes: every page but the frame of a site. */
  readonly mustOpen: boolean
}

/** The worker that has the keys, and the vault that it serves. */
export interface VaultHost {
  readonly vault: Vault
  /** Serves the same vault at another page of this origin. */
  serve(port: MessagePort): void
}

/** Starts the worker of a vault. */
export function startVault(
  { projectId, pageOrigin }: Pick<VaultStart, 'projectId' | 'pageOrigin'>,
  signedOut: () => void,
): VaultHost {
  const worker = new Worker(trustedWorkerUrl(), { type: 'module' })
  const start = {
    projectId,
    pageOrigin,
    device: describeDevice(navigator.userAgent, pageOrigin ?? location.origin),
  }
  const serve = (port: MessagePort, mustOpen: boolean) =>
    worker.postMessage({ ...start, mustOpen } satisfies VaultStart, [port])
  const { port1, port2 } = new MessageChannel()
  serve(port2, pageOrigin === undefined)
  return { vault: connectVault(port1, signedOut), serve: (port) => serve(port, true) }
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string }
}

/**
 * Returns the URL of the worker as the Trusted Types policy `hawser` allows it: the one script that this page
 * starts itself.
 */
function trustedWorkerUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  if (!trustedTypes) return workerUrl
  const policy = trustedTypes.createPolicy('hawser', {
    createScriptURL(url) {
      if (url !== workerUrl) throw new TypeError('script is not allowed')
      return url
    },
  })
  return policy.createScriptURL(workerUrl)
}
