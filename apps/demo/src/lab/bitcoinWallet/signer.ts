import { schnorr } from '@noble/curves/secp256k1'
import { base64, hex } from '@scure/base'
import { Address, OutScript, RawWitness, Script, TEST_NETWORK, Transaction } from '@scure/btc-signer'
import type { DevnetBitcoinKey } from '../config.ts'

const regtest = { ...TEST_NETWORK, bech32: 'bcrt' }

/** Transactions of BIP-322 are never sent, and need not be what a node accepts. */
const unsent = { version: 0, allowUnknownInputs: true, allowUnknownOutputs: true }

const NO_TRANSACTION = new Uint8Array(32)
const NO_OUTPUT = 0xffffffff

/**
 * Signs inputs of a transaction (BIP-174), and returns it with the signatures.
 *
 * @throws Error when the key does not sign one of them.
 */
export function signInputs(psbt: Uint8Array, key: DevnetBitcoinKey, inputs: readonly number[]): Uint8Array {
  const transaction = Transaction.fromPSBT(psbt)
  for (const index of inputs) transaction.signIdx(hex.decode(key.privateKey), index)
  return transaction.toPSBT()
}

/** Signs a text by BIP-322 in its simple form; returns the witness. */
export function signText(text: Uint8Array, key: DevnetBitcoinKey): Uint8Array {
  const script = OutScript.encode(Address(regtest).decode(key.address))
  const hash = schnorr.utils.taggedHash('BIP0322-signed-message', text)
  const toSpend = new Transaction(unsent)
  toSpend.addOutput({ script, amount: 0n })
  const finalScriptSig = Script.encode(['OP_0', hash])
  toSpend.addInput({ txid: NO_TRANSACTION, index: NO_OUTPUT, sequence: 0, finalScriptSig })

  const toSign = new Transaction(unsent)
  toSign.addInput({
    txid: toSpend.id,
    index: 0,
    sequence: 0,
    witnessUtxo: { script, amount: 0n },
    ...(isTaproot(key) && { tapInternalKey: hex.decode(key.publicKey) }),
  })
  toSign.addOutput({ script: Script.encode(['RETURN']), amount: 0n })
  toSign.signIdx(hex.decode(key.privateKey), 0)
  toSign.finalize()
  return RawWitness.encode(toSign.getInput(0).finalScriptWitness ?? [])
}

/** Returns bytes in base64. */
export const toBase64 = (bytes: Uint8Array) => base64.encode(bytes)

/** Returns the bytes of a text in base64. @throws Error for another text. */
export const fromBase64 = (text: string) => base64.decode(text)

function isTaproot({ address }: DevnetBitcoinKey): boolean {
  return address.startsWith('bcrt1p')
}
