import { RpcError } from '@hawser/client'
import { walletTexts } from '@hawser/texts/en/walletTexts'
import { type Message, messagesOf } from '@hawser/texts/message'

/** Why a wallet did not fulfil a request, according to its error. */
export type WalletFailure = keyof typeof walletTexts

/** Error codes of EIP-1193, EIP-1474, EIP-3085, EIP-3326, EIP-5792, JSON-RPC and the Sign protocol of wallet-connect. */
const failures: Readonly<Record<number, WalletFailure>> = {
  4001: 'declined',
  4100: 'unauthorized',
  4200: 'unsupported',
  4900: 'offline',
  4901: 'offline',
  4902: 'unknownNetwork',
  5000: 'declined',
  5001: 'unsupportedNetwork',
  5002: 'unsupported',
  5100: 'unsupportedNetwork',
  5101: 'unsupported',
  5700: 'unsupported',
  5710: 'unsupportedNetwork',
  5720: 'busy',
  5730: 'unknownBatch',
  5740: 'batchTooLarge',
  5750: 'declined',
  5760: 'unsupported',
  32603: 'internal',
  [-32002]: 'busy',
  [-32601]: 'unsupported',
  [-32603]: 'internal',
}

/** A wallet's response is invalid. The message is for developers. */
export class WalletError extends Error {
  override readonly name = 'WalletError'

  constructor(
    readonly failure: WalletFailure,
    message: string,
  ) {
    super(message)
  }
}

/** Codes of libraries that a wallet may be behind. */
const codeOfName: Readonly<Record<string, number>> = { ACTION_REJECTED: 4001, UNSUPPORTED_OPERATION: 4200 }

/** What wallets write in errors whose code is missing or says something else; the first that matches counts. */
const codeOfText: readonly (readonly [RegExp, number])[] = [
  [/\buser.{0,24}\b(reject|den(y|ied)|declin|cancel|abort|refus)/i, 4001],
  [/\b(reject|den(y|ied)|declin|cancel|abort|refus)\w*\b.{0,24}\bby( the)? user/i, 4001],
  [/^(the )?(\w+ ){0,2}((was|is|has been) )?(reject|den(y|ied)|declin|cancel)\w*[.!]?$/i, 4001],
  [/unrecogni[sz]ed (chain|network)|unknown chain|wallet_addEthereumChain/i, 4902],
  [/\b(chain|network)\b.{0,40}\bnot (been )?(added|configured)/i, 4902],
  [/already (pending|processing)|request.{0,40}\bpending/i, -32002],
  [/not been authorized by the user|must call eth_requestAccounts|wallet is locked/i, 4100],
]

const noFunds = /insufficient (funds|balance|lamports)|not enough (funds|balance|gas)|exceeds (the )?balance/i

/** The reason that a contract gives is not the wallet's. */
const reverted = /revert/i

/** How many errors inside of each other are read. */
const DEPTH = 8

interface ErrorPart {
  readonly code?: unknown
  readonly message?: unknown
  readonly data?: unknown
  readonly error?: unknown
  readonly info?: unknown
  readonly originalError?: unknown
  readonly cause?: unknown
}

/**
 * Returns an error and those inside of it, the innermost first, as wallets and the libraries in front of them nest
 * them: `cause`, `data`, `data.originalError`, `error`, `info`. Leaves out errors of a node, whose codes have other
 * meanings.
 */
function partsOf(error: unknown, depth = DEPTH): readonly ErrorPart[] {
  if (error instanceof RpcError || depth === 0) return []
  if (typeof error === 'string') return [{ message: error }]
  if (typeof error !== 'object' || error === null) return []
  const part = error as ErrorPart
  const inner = [part.originalError, part.data, part.error, part.info, part.cause].filter(
    (each) => typeof each === 'object' && each !== null,
  )
  return [...inner.flatMap((each) => partsOf(each, depth - 1)), part]
}

function codeIn({ code }: ErrorPart): number | undefined {
  if (typeof code === 'number') return code
  if (typeof code !== 'string') return undefined
  return /^-?\d{1,6}$/.test(code.trim()) ? Number(code) : codeOfName[code]
}

function textCode({ message }: ErrorPart): number | undefined {
  if (typeof message !== 'string' || reverted.test(message)) return undefined
  return codeOfText.find(([form]) => form.test(message.trim()))?.[1]
}

/**
 * Returns the code of an EIP-1193 error: that which says most of all that a wallet put into it as a number or a text,
 * or the one that its message stands for. Undefined for an error of a node, whose codes have other meanings.
 */
export function walletErrorCode(error: unknown): number | undefined {
  const parts = partsOf(error)
  const codes = parts.flatMap((part) => codeIn(part) ?? [])
  const isExact = (code: number) => (failures[code] ?? 'internal') !== 'internal'
  const written = parts.flatMap((part) => textCode(part) ?? [])
  return codes.find(isExact) ?? written[0] ?? codes[0]
}

/** Returns why a wallet failed; undefined when the error is not a wallet's or does not say so in a known form. */
export function walletFailure(error: unknown): WalletFailure | undefined {
  const parts = partsOf(error)
  const ours = parts.find((part) => part instanceof WalletError)
  if (ours instanceof WalletError) return ours.failure
  const failure = failures[walletErrorCode(error) ?? 0]
  const isExact = failure !== undefined && failure !== 'internal'
  return !isExact && parts.some(hasNoFunds) ? 'insufficientFunds' : failure
}

function hasNoFunds({ code, message }: ErrorPart): boolean {
  if (code === 'INSUFFICIENT_FUNDS') return true
  return typeof message === 'string' && noFunds.test(message) && !reverted.test(message)
}

/** Makes the message of a wallet's failure. */
export const walletText = messagesOf('walletTexts', walletTexts)

/**
 * Returns the text to show for an error. The wallet's own message is never shown.
 *
 * @param otherwise the text for an error that gives no reason.
 */
export function walletMessage(error: unknown, otherwise: string): string {
  return walletFailureMessage(error, { message: otherwise }).message
}

/** Returns the message of {@link walletMessage}, for every language. */
export function walletFailureMessage(error: unknown, otherwise: Message): Message {
  const failure = walletFailure(error)
  return failure ? walletText(failure) : otherwise
}

/** Reports whether the visitor declined the request in the wallet. */
export function isUserRejection(error: unknown): boolean {
  return walletFailure(error) === 'declined'
}
