import { visibleText } from '@hawser/texts/format/visibleText'
import { textFor } from '@hawser/texts/translated'
import {
  type ApprovalView,
  codeWarnings,
  localWarnings,
  MOST_ASSETS,
  type OperationView,
  type Preview,
} from '@hawser/vault'
import type { Warning, Words } from '../locale/useLanguage.ts'
import { isAddress } from './isAddress.ts'
import { solanaConcerns } from './solanaConcerns.ts'

/** One thing that the user should know about a request. */
export interface Concern {
  /** Whether the account can lose what it owns, or nothing is known: it is approved only after a tick. */
  readonly isDanger: boolean
  readonly text: string
  /** Address that the text has in short; undefined without. */
  readonly address?: string | undefined
}

interface Options extends Words {
  readonly view: ApprovalView
  readonly preview: Preview | undefined
  /** Whether the preview says what the request does. */
  readonly isChecked: boolean
}

/** Returns what the user should know about a request: each thing once, dangers first. */
export function concernsOf({ view, preview, isChecked, ...words }: Options): readonly Concern[] {
  const { texts, reasonOf } = words
  const warnings = warningsOf(view, preview).filter((warning) => !isSaid(warning, view, preview))
  const unchecked = {
    isDanger: true,
    text: sentences(texts.approval.notSimulated, preview && reasonOf(preview)),
  }
  return dangersFirst([
    ...(isChecked ? [] : [unchecked]),
    ...concernsOfWarnings(warnings, words),
    ...failureOf(view, preview, warnings, words),
    ...ofContent(view, preview, warnings, words),
  ])
}

/** Returns the concerns of warnings. An address that an earlier one has named is not named again. */
function concernsOfWarnings(warnings: readonly Warning[], { texts, say }: Words): readonly Concern[] {
  const named = new Set<string>()
  return warnings.map((warning) => {
    const { severity, phrase = '', value = '' } = warning
    const more = named.has(value) ? textFor(texts.more, phrase.replace(/^PHRASE_/, '')) : undefined
    if (value) named.add(value)
    return {
      isDanger: severity === 'SEVERITY_DANGER',
      text: more ?? say(warning),
      address: isAddress(value) ? value : undefined,
    }
  })
}

/** Returns what the user should know about an operation of the account that a request needs besides. */
export function concernsOfOperation(
  chainId: string,
  operation: OperationView | undefined,
  words: Words,
): readonly Concern[] {
  const highFee = { isDanger: true, text: words.texts.solana.highFee }
  return [
    ...concernsOfWarnings(codeWarnings(chainId, operation?.delegate), words),
    ...(operation?.isHighFee ? [highFee] : []),
  ]
}

/** Returns the warnings of a preview, and those of the frame that it does not have: all of them without one. */
function warningsOf(view: ApprovalView, preview: Preview | undefined): readonly Warning[] {
  const all = localWarnings(view)
  if (!preview) return all
  const shown = preview.warnings ?? []
  // A server that calls foreign code known is not believed; and previews know no proofs for the service of sessions.
  const own = view.content.kind === 'typedData' ? 'PHRASE_OTHER_SITE' : 'PHRASE_UNKNOWN_CODE'
  const isKnown = shown.some(({ phrase }) => phrase === own)
  return isKnown ? shown : [...shown, ...all.filter(({ phrase }) => phrase === own)]
}

/** Reports whether the sheet says a warning at another place, or what it warns of cannot come about. */
function isSaid({ severity, phrase }: Warning, { content }: ApprovalView, preview: Preview | undefined) {
  switch (phrase) {
    // The headline.
    case 'PHRASE_NOT_SIMULATED':
      return preview?.outcome === 'OUTCOME_NOT_SIMULATED'
    // With its reason.
    case 'PHRASE_REVERTS':
      return preview?.outcome === 'OUTCOME_REVERTS'
    // What leaves is shown with its receiver.
    case 'PHRASE_HIDDEN_PART':
    case 'PHRASE_HIDDEN_NEARLY_ALL':
      return severity === 'SEVERITY_NOTICE'
    // A node refuses a transfer that the balance does not cover before any code runs.
    case 'PHRASE_DRAINS':
      return preview?.cause === 'CAUSE_NATIVE_LOW' && isTransfer(content)
    default:
      return false
  }
}

function isTransfer(content: ApprovalView['content']): boolean {
  if (content.kind !== 'calls') return false
  const [only, ...others] = content.calls
  return only !== undefined && others.length === 0 && only.data === '0x' && only.to !== undefined
}

/** Returns why a request would fail. */
function failureOf(
  { content }: ApprovalView,
  preview: Preview | undefined,
  warnings: readonly Warning[],
  { texts, reasonOf }: Words,
): readonly Concern[] {
  const failure = content.kind === 'calls' ? content.failure : undefined
  if (preview?.outcome !== 'OUTCOME_REVERTS')
    return failure === undefined
      ? []
      : [
          {
            isDanger: false,
            text: sentences(texts.approval.reverts, texts.approval.networkSays(quoted(failure))),
          },
        ]
  const reason = reasonOf(preview)
  const isSaid = warnings.some(({ phrase }) => phrase === 'PHRASE_REVERTS_UNKNOWN')
  if (!isSaid) return [{ isDanger: false, text: sentences(texts.approval.reverts, reason) }]
  return reason ? [{ isDanger: false, text: sentences(reason) }] : []
}

/** Returns what the frame itself sees in a request, beside its warnings. */
function ofContent(
  { address, content }: ApprovalView,
  preview: Preview | undefined,
  warnings: readonly Warning[],
  { texts }: Words,
): readonly Concern[] {
  switch (content.kind) {
    case 'message': {
      const isSaid = warnings.some(({ phrase }) => phrase === 'PHRASE_BLIND')
      return content.text === undefined && !isSaid ? [{ isDanger: false, text: texts.approval.notText }] : []
    }
    case 'calls': {
      // The bundler names the fee of a smart account.
      const highFee = content.isAtomic ? texts.solana.highFee : texts.calls.highFee
      const isUnchecked = content.isAtomic && (preview?.minimumBalances ?? []).length > MOST_ASSETS
      return [
        ...(content.isHighFee ? [{ isDanger: true, text: highFee }] : []),
        ...(isUnchecked ? [{ isDanger: true, text: texts.calls.manyAssets(MOST_ASSETS) }] : []),
      ]
    }
    case 'solanaTransactions': {
      // What the preview calls a danger, it says in its own words.
      const isSaid = warnings.some(({ severity }) => severity === 'SEVERITY_DANGER')
      return solanaConcerns(content.transactions, address, preview, texts).filter(
        ({ isDanger, text }) => !isDanger || !isSaid || text === texts.solana.highFee,
      )
    }
    case 'revocation':
      return content.operation?.isHighFee ? [{ isDanger: true, text: texts.solana.highFee }] : []
    case 'typedData':
      return []
  }
}

function dangersFirst(concerns: readonly Concern[]): readonly Concern[] {
  const once = concerns.filter(({ text }, at) => concerns.findIndex((other) => other.text === text) === at)
  return [...once.filter(({ isDanger }) => isDanger), ...once.filter(({ isDanger }) => !isDanger)]
}

/** Most characters of a text that a contract, a node or a bundler chose. */
const MAX_QUOTE = 200

function quoted(text: string): string {
  return visibleText(text).slice(0, MAX_QUOTE)
}

/** Joins sentences; the last one ends with a full stop, which reasons do not have. */
function sentences(...parts: readonly (string | undefined)[]): string {
  const text = parts.filter(Boolean).join(' ')
  return /[.!?。！？…]$/.test(text) ? text : `${text}.`
}
