import { ed25519 } from '@noble/curves/ed25519'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1'
import { hmac } from '@noble/hashes/hmac'
import { ripemd160 } from '@noble/hashes/legacy'
import { sha256, sha512 } from '@noble/hashes/sha2'
import { keccak_256 } from '@noble/hashes/sha3'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils'
import { base58, bech32, bech32m } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { entropyToMnemonic, mnemonicToEntropy, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english'

/** Private keys of a wallet, one per namespace: 32 bytes each. */
export interface Keys {
  readonly eip155: Uint8Array
  /** Ed25519 seed. */
  readonly solana: Uint8Array
  /** BIP-84, pay to witness public key hash. */
  readonly bitcoin: Uint8Array
  /** BIP-86, pay to taproot; not tweaked. */
  readonly taproot: Uint8Array
}

/** Public addresses of a wallet. */
export interface Addresses {
  /** EIP-55. */
  readonly eip155: string
  /** Base 58. */
  readonly solana: string
  /** Bech32 on the main network. */
  readonly bitcoin: string
  /** Bech32m on the main network. */
  readonly taproot: string
}

/** Hardened child numbers of SLIP-0010: m/44'/501'/0'/0'. */
const SOLANA_PATH = [44, 501, 0, 0]
const HARDENED = 0x80000000

/** Returns the 24 words of BIP-39 for 32 bytes of entropy. */
export function mnemonicOf(entropy: Uint8Array): string {
  return entropyToMnemonic(entropy, wordlist)
}

/** Returns the entropy of a BIP-39 mnemonic; undefined when its words or its checksum are wrong. */
export function entropyOf(mnemonic: string): Uint8Array | undefined {
  const words = mnemonic.normalize('NFKD').trim().toLowerCase().replace(/\s+/g, ' ')
  return validateMnemonic(words, wordlist) ? mnemonicToEntropy(words, wordlist) : undefined
}

/**
 * Derives the keys of a wallet: BIP-39 without a passphrase, BIP-44 for EVM, SLIP-0010 for Solana, BIP-84 and BIP-86 for Bitcoin.
 *
 * @param entropy 16 to 32 bytes
 */
export async function deriveKeys(entropy: Uint8Array): Promise<Keys> {
  const seed = await seedOf(mnemonicOf(entropy))
  const root = HDKey.fromMasterSeed(seed)
  const keyAt = (path: string) => {
    const { privateKey } = root.derive(path)
    if (!privateKey) throw new Error(`no private key at ${path}`)
    return privateKey
  }
  const keys = {
    eip155: keyAt("m/44'/60'/0'/0/0"),
    solana: slip10(seed, SOLANA_PATH),
    bitcoin: keyAt("m/84'/0'/0'/0/0"),
    taproot: keyAt("m/86'/0'/0'/0/0"),
  }
  seed.fill(0)
  root.wipePrivateData()
  return keys
}

/** Returns the addresses of keys. */
export function addressesOf(keys: Keys): Addresses {
  return {
    eip155: evmAddress(keys.eip155),
    solana: base58.encode(ed25519.getPublicKey(keys.solana)),
    bitcoin: witnessAddress(keys.bitcoin),
    taproot: taprootAddress(keys.taproot),
  }
}

/** Overwrites the keys with zeros. */
export function wipeKeys(keys: Keys): void {
  for (const key of Object.values(keys) as Uint8Array[]) key.fill(0)
}

/** Returns the seed of BIP-39, by WebCrypto, which takes 20 ms. JavaScript takes more than half a second. */
async function seedOf(mnemonic: string): Promise<Uint8Array> {
  const password = await crypto.subtle.importKey('raw', new TextEncoder().encode(mnemonic), 'PBKDF2', false, [
    'deriveBits',
  ])
  const parameters = {
    name: 'PBKDF2',
    hash: 'SHA-512',
    salt: new TextEncoder().encode('mnemonic'),
    iterations: 2048,
  }
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, password, 512))
}

function slip10(seed: Uint8Array, path: readonly number[]): Uint8Array {
  let node = hmac(sha512, utf8ToBytes('ed25519 seed'), seed)
  for (const child of path) {
    const data = new Uint8Array(37)
    data.set(node.subarray(0, 32), 1)
    new DataView(data.buffer).setUint32(33, HARDENED + child)
    node = hmac(sha512, node.subarray(32), data)
  }
  return node.slice(0, 32)
}

function evmAddress(key: Uint8Array): string {
  const hex = bytesToHex(keccak_256(secp256k1.getPublicKey(key, false).subarray(1)).subarray(12))
  const hash = bytesToHex(keccak_256(utf8ToBytes(hex)))
  const checked = [...hex].map((digit, at) =>
    Number.parseInt(hash[at] ?? '0', 16) > 7 ? digit.toUpperCase() : digit,
  )
  return `0x${checked.join('')}`
}

function witnessAddress(key: Uint8Array): string {
  const program = ripemd160(sha256(secp256k1.getPublicKey(key, true)))
  return bech32.encode('bc', [0, ...bech32.toWords(program)])
}

function taprootAddress(key: Uint8Array): string {
  const { lift_x, pointToBytes, taggedHash } = schnorr.utils
  const internal = schnorr.getPublicKey(key)
  const tweak = BigInt(`0x${bytesToHex(taggedHash('TapTweak', internal))}`)
  const output = lift_x(BigInt(`0x${bytesToHex(internal)}`)).add(
    secp256k1.ProjectivePoint.BASE.multiply(tweak),
  )
  return bech32m.encode('bc', [1, ...bech32m.toWords(pointToBytes(output))])
}
