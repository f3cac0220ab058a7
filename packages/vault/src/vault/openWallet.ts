import { wipe } from '../factors/seal.ts'
import { type Addresses, addressesOf, deriveKeys, mnemonicOf, wipeKeys } from '../keys/derive.ts'
import { type SignRequest, signWith } from '../keys/signer.ts'
import { type OwnChange, ownerProof } from './ownerProof.ts'

/** A wallet whose keys are in memory. The code of keys and signatures is a chunk of its own, loaded with the first wallet. */
export interface OpenWallet {
  readonly addresses: Addresses
  sign(request: SignRequest): string
  /** Signs that a user of the installation holds the key of the address, or with a change, that the user makes it. */
  proveOwner(origin: string, user: string, change?: OwnChange): string
  mnemonic(): string
  /** Returns a copy of the key that encrypts the entropy, for a new factor. */
  dek(): Uint8Array<ArrayBuffer>
  /** Returns a copy of the entropy, for a recovery kit. */
  entropy(): Uint8Array<ArrayBuffer>
  /** Overwrites the keys with zeros. */
  lock(): void
}

/** Derives the keys of a wallet. It takes over both buffers. */
export async function openWallet(
  entropy: Uint8Array<ArrayBuffer>,
  dek: Uint8Array<ArrayBuffer>,
): Promise<OpenWallet> {
  const keys = await deriveKeys(entropy)
  const addresses = addressesOf(keys)
  return {
    addresses,
    sign: (request) => signWith(keys, request),
    proveOwner: (origin, user, change) =>
      signWith(keys, { kind: 'typedData', data: ownerProof(origin, user, addresses.eip155, change) }),
    mnemonic: () => mnemonicOf(entropy),
    dek: () => dek.slice(),
    entropy: () => entropy.slice(),
    lock() {
      wipeKeys(keys)
      wipe(entropy, dek)
    },
  }
}
