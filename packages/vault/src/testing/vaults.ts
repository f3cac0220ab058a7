import { recoverMessageAddress, stringToHex } from 'viem'
import type { Secret } from '../factors/factors.ts'
import { type DeviceStore, memoryStore } from '../session/deviceStore.ts'
import { openVaults, type Vault } from '../vault/vault.ts'
import type { VaultOptions } from '../vault/vaultContext.ts'
import { type FakeWalletService, ORIGIN } from './fakeWalletService.ts'

export const EMAIL = 'ada@example.com'
export const message = stringToHex('hello')

/** Returns a store that survives the page, as IndexedDB does. */
export const persistentStore = (): DeviceStore => ({ ...memoryStore(), persistent: true })

/** Returns a passkey whose PRF is one byte repeated. */
export const passkey = (byte: number): Secret => ({
  kind: 'passkey',
  credentialId: btoa(String(byte)),
  prf: new Uint8Array(32).fill(byte),
})

/** Opens a vault, as the frame of a site uses it. */
export async function openVault(options: VaultOptions): Promise<Vault> {
  return (await openVaults(options))(false)
}

/** Opens a vault of the service, as the frame of a site uses it. */
export async function vaultOf(...of: Parameters<typeof vaultsOf>) {
  return (await vaultsOf(...of))(false)
}

/** Opens a vault of the service for several pages. */
export function vaultsOf(
  service: FakeWalletService,
  store = persistentStore(),
  signedOut = () => undefined as undefined,
  exclusively: VaultOptions['exclusively'] = (action) => action(),
) {
  return openVaults({
    projectId: '0'.repeat(32),
    origin: ORIGIN,
    device: { browser: 'Chrome 150', system: 'Linux', site: 'https://shop.example' },
    store,
    fetch: service.fetch,
    now: () => service.now,
    exclusively,
    signedOut,
  })
}

/** Signs in by email. */
export async function signIn(vault: Vault, email = EMAIL): Promise<void> {
  await vault.startEmail(email)
  await vault.waitForDevice()
  await vault.verifyCode('123456')
}

/** Signs with an open wallet, and returns the address that the signature is of. */
export async function signer(vault: Vault): Promise<string> {
  const signature = (await vault.sign({ kind: 'message', message })) as `0x${string}`
  return recoverMessageAddress({ message: { raw: message }, signature })
}
