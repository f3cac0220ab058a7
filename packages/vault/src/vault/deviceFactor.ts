import { toBase64 } from '../factors/factorKey.ts'
import { newDeviceFactor, type Owner } from '../factors/factors.ts'
import type { Addresses } from '../keys/derive.ts'
import { CallError } from '../session/api.ts'
import { sendFactor } from './addFactor.ts'
import type { Custody } from './custody.ts'
import type { OpenWallet } from './openWallet.ts'

/** Key of the half of earlier releases, which had one for all users of a browser. */
const ONLY_DEVICE_FACTOR = 'deviceFactor'
const keyOf = (userId: string) => `${ONLY_DEVICE_FACTOR}:${userId}`

/** The device's half of the key, as it is stored. */
interface DeviceFactor extends Owner {
  readonly id: string
  /** Base 64. */
  readonly half: string
  /** Derived on this device, so that the server cannot replace them. */
  readonly addresses: Addresses
}

/** Returns the half of the signed-in user that this device has stored. */
export async function storedDeviceFactor({ userId, store }: Custody): Promise<DeviceFactor | undefined> {
  const user = await userId()
  const own = await store.get<DeviceFactor>(keyOf(user))
  if (own) return own
  const only = await store.get<DeviceFactor>(ONLY_DEVICE_FACTOR)
  return only?.userId === user ? only : undefined
}

/** Returns a factor for this device, to be sent to the server, and what stores its half once the server has it. */
export async function prepareDevice({ keys, deviceLabel, store }: Custody, wallet: OpenWallet, of: Owner) {
  const { factor, half } = await newDeviceFactor(wallet.dek(), of, keys.storage, deviceLabel)
  const { addresses } = wallet
  const stored: DeviceFactor = { ...of, id: factor.id ?? '', half: toBase64(half), addresses }
  return { factor, keep: () => store.put(keyOf(of.userId), stored) }
}

/** Adds a factor for this device, where it can store one, and the wallet has room for it. */
export async function rememberDevice(custody: Custody, wallet: OpenWallet, of: Owner): Promise<void> {
  if (!custody.store.persistent) return
  const device = await prepareDevice(custody, wallet, of)
  try {
    await sendFactor(custody, device.factor)
  } catch (error) {
    // The wallet is open, and its factors can be removed.
    if (error instanceof CallError && error.reason === 'FACTORS_FULL') return
    throw error
  }
  await device.keep()
}

/** Deletes this device's half of the wallet of a user. */
export async function forgetDevice({ store }: Custody, userId: string): Promise<void> {
  await store.delete(keyOf(userId))
  const only = await store.get<DeviceFactor>(ONLY_DEVICE_FACTOR)
  if (only?.userId === userId) await store.delete(ONLY_DEVICE_FACTOR)
}
