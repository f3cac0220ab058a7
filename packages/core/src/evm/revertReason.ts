import { plainText } from '@hawser/client'
import type { Hex } from 'viem'
import { decodeErrorResult, parseAbi } from 'viem/utils'

/** The most characters of a reason that are shown. */
const MOST_CHARACTERS = 160
/** How deep wallets and the libraries in front of them nest errors. */
const DEPTH = 8

/** The errors of Solidity, and custom errors that many tokens have: ERC-6093, and those of OpenZeppelin's contracts. */
const errors = parseAbi([
  'error Error(string reason)',
  'error Panic(uint256 code)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC20InvalidApprover(address approver)',
  'error ERC20InvalidSpender(address spender)',
  'error ERC721InvalidOwner(address owner)',
  'error ERC721NonexistentToken(uint256 tokenId)',
  'error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)',
  'error ERC721InvalidReceiver(address receiver)',
  'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
  'error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)',
  'error ERC1155InvalidReceiver(address receiver)',
  'error ERC1155MissingApprovalForAll(address operator, address owner)',
  'error SafeERC20FailedOperation(address token)',
  'error OwnableUnauthorizedAccount(address account)',
  'error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)',
  'error EnforcedPause()',
  'error ReentrancyGuardReentrantCall()',
  'error FailedCall()',
])

/**
 * Returns why a contract refused a call, as it says in the data of the revert, or else as the node says: text from
 * outside, without invisible characters and bounded. Empty when the contract gave no reason; undefined when the error is
 * not that of a revert.
 */
export function revertReason(error: unknown): string | undefined {
  const parts = partsOf(error, DEPTH)
  const data = parts.map(({ data }) => hexIn(data)).find(Boolean)
  const message = parts.map(({ message }) => message).find(isRevert)
  if (!data && message === undefined) return undefined
  return clipped(decoded(data) ?? written(message) ?? '')
}

interface ErrorPart {
  readonly code?: unknown
  readonly message?: unknown
  readonly data?: unknown
  readonly error?: unknown
  readonly cause?: unknown
  readonly originalError?: unknown
}

/** Returns an error and those inside of it, the innermost first. */
function partsOf(error: unknown, depth: number): readonly ErrorPart[] {
  if (typeof error !== 'object' || error === null || depth === 0) return []
  const part = error as ErrorPart
  const inner = [part.originalError, part.data, part.error, part.cause]
  return [...inner.flatMap((each) => partsOf(each, depth - 1)), part]
}

function isRevert(message: unknown): message is string {
  return typeof message === 'string' && /\brevert(ed)?\b/i.test(message)
}

/** Finds the data of a revert, which some nodes write after a word. */
function hexIn(data: unknown): Hex | undefined {
  if (typeof data !== 'string' || data.length > 100_000) return undefined
  return /^(?:reverted )?(0x(?:[0-9a-f]{2}){4,})$/i.exec(data.trim())?.[1] as Hex | undefined
}

function decoded(data: Hex | undefined): string | undefined {
  if (!data) return undefined
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: errors, data })
    if (errorName === 'Error') return String(args[0])
    return `${errorName}(${args.map(String).join(', ')})`
  } catch {
    return undefined
  }
}

/** Returns what a node writes after "execution reverted:", as geth does. */
function written(message: string | undefined): string | undefined {
  const reason = message && /\brevert(?:ed)?(?::| with reason string) *['"]?(.*?)['"]?$/is.exec(message)?.[1]
  return reason && !/^(0x)?$/.test(reason) ? reason : undefined
}

function clipped(reason: string): string {
  const characters = Array.from(plainText(reason.slice(0, 8 * MOST_CHARACTERS)).trim())
  if (characters.length <= MOST_CHARACTERS) return characters.join('')
  return `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…`
}
