import { hexToU8a } from '@polkadot/util'
import {
  blake2AsHex,
  blake2AsU8a,
  ed25519Verify,
  secp256k1Verify,
  sr25519Verify,
} from '@polkadot/util-crypto'
import { RpcError } from '../jsonRpcServer.mjs'
import { genesisHash, registry, runtimeVersion } from './runtime.mjs'

/**
 * A signed extrinsic of version 4.
 * @typedef {object} Extrinsic
 * @property {string} hex
 * @property {string} hash BLAKE2b-256
 * @property {string} signer public key of the account, hex
 * @property {number} nonce
 * @property {bigint} tip
 * @property {((blockNumber: number) => number) | undefined} birth returns the block in which the era begins that a block is in; undefined for one without an end
 * @property {number} mode whether a hash of the metadata was signed; 0 for not
 * @property {string} call such as `balances.transferKeepAlive`
 * @property {any[]} args of the call
 * @property {(birthHash: string) => boolean} isSignedFor whether the signature is right, over the hash of the block in which the era begins
 */

/** Longer payloads are signed by their hash. */
const longestPayload = 256

/**
 * Decodes a signed extrinsic by the chain's metadata.
 *
 * @param {unknown} hex
 * @returns {Extrinsic}
 * @throws {RpcError} for anything else
 */
export function decodeExtrinsic(hex) {
  if (typeof hex !== 'string' || !/^0x([0-9a-f]{2})+$/.test(hex)) throw invalidParams('expected hex')
  const extrinsic = decode(hex)
  // Bytes that decode to the same value in two ways would have two hashes.
  if (extrinsic.toHex() !== hex || extrinsic.version !== 0x84) throw undecodable()
  const { signer, era, method } = extrinsic
  if (signer.type !== 'Id') throw undecodable()
  return {
    hex,
    hash: blake2AsHex(hexToU8a(hex), 256),
    signer: signer.value.toHex(),
    nonce: extrinsic.nonce.toNumber(),
    tip: BigInt(extrinsic.tip.toString()),
    birth: era.isMortalEra ? (blockNumber) => era.asMortalEra.birth(blockNumber) : undefined,
    mode: extrinsic.mode.toNumber(),
    call: `${method.section}.${method.method}`,
    args: [...method.args],
    isSignedFor: (birthHash) => verify(extrinsic, birthHash),
  }
}

/**
 * @param {string} hex
 * @returns {any}
 */
function decode(hex) {
  try {
    return registry.createType('Extrinsic', hex, { isSigned: true, version: 4 })
  } catch {
    throw undecodable()
  }
}

/**
 * @param {any} extrinsic
 * @param {string} blockHash
 */
function verify(extrinsic, blockHash) {
  const { method, era, nonce, tip, mode, signature, signer } = extrinsic
  const payload = registry
    .createType(
      'ExtrinsicPayload',
      {
        method: method.toHex(),
        era: era.toHex(),
        nonce,
        tip,
        mode,
        metadataHash: null,
        blockHash: era.isMortalEra ? blockHash : genesisHash,
        genesisHash,
        specVersion: runtimeVersion.specVersion,
        transactionVersion: runtimeVersion.transactionVersion,
      },
      { version: 4 },
    )
    .toU8a({ method: true })
  const signed = payload.length > longestPayload ? blake2AsU8a(payload, 256) : payload
  const key = signer.value.toU8a(true)
  const { multiSignature: kind } = extrinsic.inner.signature
  const bytes = signature.toU8a(true)
  if (kind.isSr25519) return sr25519Verify(signed, bytes, key)
  if (kind.isEd25519) return ed25519Verify(signed, bytes, key)
  return kind.isEcdsa && secp256k1Verify(signed, bytes, key, 'blake2')
}

function undecodable() {
  return new RpcError(
    1002,
    'Verification Error: Runtime error: Execution failed',
    'RuntimeApi("Failed to decode")',
  )
}

/** @param {string} message */
export function invalidParams(message) {
  return new RpcError(-32602, `Invalid params: ${message}`)
}
