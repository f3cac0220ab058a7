import { plainText } from '@hawser/client'
import type { Asset, SimulateResponse } from '@hawser/client/preview'
import { type AccountOwner, activeOwner } from '../account/owner.ts'
import { formatUnits } from '../amounts/units.ts'
import { selectAccount } from '../chain/selectors.ts'
import { previewClient } from '../gateway/clients.ts'
import { importModule } from '../importModule.ts'
import type { UnsendableError } from '../send/unsendable.ts'
import type { ContractCall } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'
import type { NativeCurrency } from '../types/network.ts'
import type { Preview, PreviewAmount, PreviewState } from '../types/preview.ts'

/** What the wallet is about to be requested to sign. */
export type PreviewSubject =
  /** Calls of the account, in order. */
  | { readonly calls: readonly ContractCall[] }
  /** JSON (EIP-712). */
  | { readonly typedData: string }
  /** Text of `personal_sign`. */
  | { readonly message: string }
  /** Transaction of Solana in base64. */
  | { readonly transaction: string }

const nothing = { changes: [], approvals: [], warnings: [] }

/** Returns the account whose wallet shows no preview of its own; undefined for an embedded wallet, and without an account. */
export function previewedOwner(hawser: Hawser): AccountOwner | undefined {
  const { connectedWalletInfo } = selectAccount(hawser.chain.getState())
  return connectedWalletInfo?.type === 'AUTH' ? undefined : activeOwner(hawser)
}

/**
 * Reads what a request would do. Never throws: `unavailable` when the gateway does not answer, or the request cannot be
 * built; `reverts` when it would fail, as the chain shows before it is built.
 *
 * @param build returns the request that is about to be signed.
 */
export async function readPreview(
  hawser: Hawser,
  { address: account, network }: AccountOwner,
  signal: AbortSignal,
  build: () => PreviewSubject | Promise<PreviewSubject>,
): Promise<PreviewState> {
  try {
    const [client, subject] = await Promise.all([previewClient(hawser), build()])
    const request = { chainId: network.caipNetworkId, account, origin: originOf(), ...fieldsOf(subject) }
    const response = await client.simulate(request, { signal })
    return await previewOf(response, network.nativeCurrency)
  } catch (error) {
    if (isUnsendable(error))
      return { ...nothing, outcome: 'reverts', reason: error.message, reasonKey: error.key, cause: '' }
    return 'unavailable'
  }
}

/** Reports whether a transfer would fail. It does without the class, which would be one more file to load with the modal. */
function isUnsendable(error: unknown): error is UnsendableError {
  return error instanceof Error && error.name === 'UnsendableError'
}

function fieldsOf(subject: PreviewSubject) {
  if ('typedData' in subject || 'transaction' in subject) return subject
  if ('message' in subject) return { message: hexOf(subject.message) }
  return { calls: subject.calls.map(({ to, data, value }) => ({ to, data, value: value.toString() })) }
}

function originOf(): string {
  return globalThis.location?.origin ?? ''
}

function hexOf(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

async function previewOf(response: SimulateResponse, native: NativeCurrency): Promise<Preview> {
  const { AssetKind, Cause, Outcome, Phrase, Severity } = await importModule(
    () => import('@hawser/client/preview'),
    'PreviewService',
  )
  const outcomes = {
    [Outcome.UNSPECIFIED]: 'notSimulated',
    [Outcome.SUCCEEDS]: 'succeeds',
    [Outcome.REVERTS]: 'reverts',
    [Outcome.NOT_SIMULATED]: 'notSimulated',
    [Outcome.MESSAGE]: 'message',
  } as const
  const severities = {
    [Severity.UNSPECIFIED]: 'caution',
    [Severity.NOTICE]: 'notice',
    [Severity.CAUTION]: 'caution',
    [Severity.DANGER]: 'danger',
  } as const

  function amountOf(asset: Asset | undefined, amount: string): PreviewAmount {
    const isNative = asset?.kind === AssetKind.NATIVE
    const { symbol, decimals } = isNative ? native : { symbol: asset?.symbol, decimals: asset?.decimals ?? 0 }
    return {
      amount: amount === '' ? undefined : formatUnits(BigInt(amount), decimals),
      symbol: plainText(symbol ?? '').trim() || (asset?.contract ?? ''),
      tokenId: asset?.tokenId ?? '',
    }
  }
  const { descriptions } = response
  const described =
    descriptions.length > 0 &&
    (await importModule(() => import('./descriptions.ts'), 'describe')).describe(descriptions, amountOf)
  return {
    outcome: outcomes[response.outcome] ?? 'notSimulated',
    reason: plainText(response.reason),
    cause: response.cause ? (Cause[response.cause] ?? '') : '',
    changes: response.changes.map(({ asset, amount, outgoing, counterparty }) => ({
      ...amountOf(asset, amount || '0'),
      contract: asset?.contract ?? '',
      isOutgoing: outgoing,
      counterparty,
    })),
    approvals: response.approvals.map(({ asset, amount, spender, expiresAt, revoked }) => ({
      ...amountOf(asset, amount),
      contract: asset?.contract ?? '',
      spender,
      expiresAt: Number(expiresAt) || undefined,
      isRevoked: revoked,
    })),
    ...(described && { descriptions: described }),
    warnings: response.warnings.map(({ severity, text, phrase, value, subject }) => ({
      severity: severities[severity] ?? 'caution',
      text: plainText(text),
      phrase: phrase === Phrase.UNSPECIFIED ? '' : (Phrase[phrase] ?? ''),
      value: plainText(value),
      subject,
    })),
  }
}
