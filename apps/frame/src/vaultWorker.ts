import { createExclusive, fetchFor, openDeviceStore, openVaults, serveVault } from '@hawser/vault'
import type { VaultStart } from './vaultHost.ts'

let vaults: ReturnType<typeof openVaults> | undefined
const reportSignedOut = new Set<() => void>()

/** Each message brings a port on which the vault is served; the first one opens it. */
self.onmessage = ({ data, ports: [port] }: MessageEvent<VaultStart>) => {
  if (!port) return
  vaults ??= open(data)
  const vault = vaults.then((serve) => serve(data.mustOpen))
  reportSignedOut.add(serveVault(vault, port))
}

async function open({ projectId, pageOrigin, device }: VaultStart) {
  return openVaults({
    projectId,
    origin: self.location.origin,
    device,
    store: await openDeviceStore(projectId),
    fetch: fetchFor(pageOrigin, (input, init) => fetch(input, init)),
    now: Date.now,
    exclusively: createExclusive(`hawser-wallet-${projectId}`, navigator.locks),
    signedOut: () => {
      for (const report of reportSignedOut) report()
    },
  })
}
