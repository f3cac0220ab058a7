import { getDynamicBuilder, getLookupFn, type LookupEntry } from '@polkadot-api/metadata-builders'
import { decAnyMetadata, unifyMetadata } from '@polkadot-api/substrate-bindings'
import type { NetworkAccess } from '../types/adapter.ts'
import type { CaipNetworkId } from '../types/network.ts'
import { addressOf } from './address.ts'
import { bytesOf, concat } from './bytes.ts'
import type { DispatchError } from './dispatchError.ts'

/** The parts of a chain's runtime that concern accounts, transfers and events, read from its metadata. */
export interface Runtime {
  /** Hex. */
  readonly genesisHash: string
  readonly specVersion: number
  readonly transactionVersion: number
  /** Prefix of the chain's own addresses (SS58). */
  readonly prefix: number
  /** Plancks below which an account does not exist. */
  readonly existentialDeposit: bigint
  /** The extensions of a signed extrinsic, in the order of their data. */
  readonly extensions: readonly Extension[]
  /** Returns the call that moves plancks to an account and keeps the sender's account alive. */
  transferCall(to: Uint8Array, amount: bigint): Uint8Array
  /** Returns the storage key of an account. */
  accountKey(id: Uint8Array): string
  /** Reads a value of `accountKey`; null for an account that does not exist. */
  readAccount(value: string | null): AccountBalance
  /** The storage key of a block's events. */
  readonly eventsKey: string
  /** Returns the outcome of an extrinsic from the events of its block; undefined when they do not have it. */
  outcomeOf(events: string, index: number): ExtrinsicOutcome | undefined
}

/** Plancks of an account. */
export interface AccountBalance {
  readonly free: bigint
  readonly reserved: bigint
  /** The part of the balance that may not be spent, of both together. */
  readonly frozen: bigint
}

export interface Extension {
  readonly identifier: string
  /** Whether it adds nothing, neither to the extrinsic nor to what is signed. */
  readonly isEmpty: boolean
}

export type ExtrinsicOutcome = 'success' | DispatchError

type Loaded = Omit<Runtime, 'genesisHash' | 'transactionVersion'>

/** Reads the runtimes of networks; one that has not been upgraded since keeps its metadata. */
export class Runtimes {
  /** By network and version, so that requests at once wait for the same metadata. */
  readonly #loaded = new Map<
    CaipNetworkId,
    { readonly specVersion: number; readonly runtime: Promise<Loaded> }
  >()

  /**
   * Reads the runtime of a network.
   *
   * @throws Error when the node belongs to another chain, or the metadata lacks what transfers need.
   */
  async read(access: NetworkAccess, signal?: AbortSignal): Promise<Runtime> {
    const { caipNetworkId, node } = access
    const [genesisHash, { specVersion, transactionVersion }] = (await Promise.all([
      node('chain_getBlockHash', [0], signal),
      node('state_getRuntimeVersion', [], signal),
    ])) as [string, { specVersion: number; transactionVersion: number }]
    const reference = caipNetworkId.slice(caipNetworkId.indexOf(':') + 1)
    if (!genesisHash.startsWith(`0x${reference}`)) throw new Error('The node is on another chain')
    const loaded = this.#loaded.get(caipNetworkId)
    const runtime = loaded?.specVersion === specVersion ? loaded.runtime : this.#load(access, specVersion)
    return { ...(await runtime), genesisHash, transactionVersion }
  }

  /** Loads metadata without a signal, because other callers may wait for it. Failures are not kept. */
  #load({ caipNetworkId, node }: NetworkAccess, specVersion: number): Promise<Loaded> {
    const runtime = node('state_getMetadata', []).then((metadata) => load(metadata, specVersion))
    this.#loaded.set(caipNetworkId, { specVersion, runtime })
    runtime.catch(() => {
      if (this.#loaded.get(caipNetworkId)?.runtime === runtime) this.#loaded.delete(caipNetworkId)
    })
    return runtime
  }
}

/** A value of the `System.Account` map. The older form splits frozen balances by their purpose. */
interface AccountData {
  readonly free: bigint
  readonly reserved: bigint
  readonly frozen?: bigint
  readonly misc_frozen?: bigint
  readonly fee_frozen?: bigint
}

interface EventRecord {
  readonly phase: { readonly type: string; readonly value?: unknown }
  readonly event: {
    readonly type: string
    readonly value: {
      readonly type: string
      readonly value: { readonly dispatch_error?: DispatchErrorValue }
    }
  }
}

/** An enum as the codecs have it; a module's error has the error of its pallet inside. */
interface DispatchErrorValue {
  readonly type: string
  readonly value?: { readonly type?: string; readonly value?: { readonly type?: string } }
}

function load(encoded: unknown, specVersion: number): Loaded {
  const metadata = unifyMetadata(decAnyMetadata(bytesOf(encoded)))
  if (!metadata.extrinsic.version.includes(4)) throw new Error('The chain takes no extrinsics of version 4')
  const lookup = getLookupFn(metadata)
  const builder = getDynamicBuilder(lookup)
  const constant = (pallet: string, name: string) => {
    const found = metadata.pallets
      .find((each) => each.name === pallet)
      ?.constants.find((each) => each.name === name)
    if (!found) throw new Error(`The chain has no constant ${pallet}.${name}`)
    return builder.buildConstant(pallet, name).dec(found.value)
  }
  const prefix: number = constant('System', 'SS58Prefix')
  const transfer = builder.buildCall('Balances', 'transfer_keep_alive')
  const accounts = builder.buildStorage('System', 'Account')
  const events = builder.buildStorage('System', 'Events')

  return {
    specVersion,
    prefix,
    existentialDeposit: constant('Balances', 'ExistentialDeposit'),
    extensions: (metadata.extrinsic.extensionsByVersion[0] ?? []).map(
      ({ identifier, type, additionalSigned }) => ({
        identifier,
        isEmpty: isEmpty(lookup(type)) && isEmpty(lookup(additionalSigned)),
      }),
    ),

    transferCall(to, amount) {
      const dest = { type: 'Id', value: addressOf(to, prefix) }
      return concat(Uint8Array.from(transfer.location), transfer.codec.enc({ dest, value: amount }))
    },

    accountKey: (id) => accounts.keys.enc(addressOf(id, prefix)),

    readAccount(value) {
      if (value === null) return { free: 0n, reserved: 0n, frozen: 0n }
      const { data } = accounts.value.dec(bytesOf(value)) as { data: AccountData }
      const { free, reserved, misc_frozen = 0n, fee_frozen = 0n } = data
      return { free, reserved, frozen: data.frozen ?? larger(misc_frozen, fee_frozen) }
    },

    eventsKey: events.keys.enc(),

    outcomeOf(encodedEvents, index) {
      const records = events.value.dec(bytesOf(encodedEvents)) as readonly EventRecord[]
      for (const { phase, event } of records) {
        if (phase.type !== 'ApplyExtrinsic' || phase.value !== index || event.type !== 'System') continue
        const { type, value } = event.value
        if (type === 'ExtrinsicSuccess') return 'success'
        if (type === 'ExtrinsicFailed') return describeError(value.dispatch_error)
      }
      return undefined
    },
  }

  /** Returns the names of an error, and its description in the chain's documentation. */
  function describeError(error: DispatchErrorValue | undefined): DispatchError {
    if (error?.type !== 'Module') return { kind: error?.type ?? '', name: error?.value?.type ?? '', docs: '' }
    const pallet = metadata.pallets.find(({ name }) => name === error.value?.type)
    const name = error.value?.value?.type ?? ''
    const errors = pallet?.errors && lookup(pallet.errors.type)
    const docs = errors?.type === 'enum' ? (errors.innerDocs[name] ?? []) : []
    return { kind: pallet?.name ?? '', name, docs: docs.join(' ').trim() }
  }
}

export function larger(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}

/** Reports whether values of a type have no bytes. */
function isEmpty(type: LookupEntry): boolean {
  if (type.type === 'void') return true
  if (type.type === 'tuple') return type.value.every(isEmpty)
  return type.type === 'struct' && Object.values(type.value).every(isEmpty)
}
