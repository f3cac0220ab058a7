import type { Doubt } from '../activity/counterparties.ts'
import type { ChangeReadiness, NameChange, NameRecord, NameTarget } from '../types/names.ts'
import { recordKinds, recordProblem, writtenRecords } from './attributes.ts'

/**
 * Returns what keeps a change from being signed.
 *
 * @param own address of the account that owns the name.
 * @param doubt why the target has to be chosen: see `targetDoubt`.
 */
export function changeReadiness(
  { draft }: NameChange,
  record: NameRecord,
  own: string,
  doubt?: Doubt,
): ChangeReadiness {
  switch (draft.kind) {
    case 'records': {
      const attributes = { ...record.attributes, ...draft.attributes }
      const isWrong = recordKinds.some((kind) => recordProblem(kind, attributes[kind.key] ?? ''))
      if (isWrong) return 'invalidRecord'
      return isSameText(writtenRecords(attributes), record.attributes) ? 'unchanged' : 'ready'
    }
    case 'address': {
      const before = record.addresses[draft.coinType]?.address
      return before && isSame(before, draft.target.address)
        ? 'unchanged'
        : targetReadiness(draft.target, doubt)
    }
    case 'transfer':
      return isSame(draft.target.address, own) ? 'ownAddress' : targetReadiness(draft.target, doubt)
    case 'release':
      return draft.typed.trim().toLowerCase() === record.name ? 'ready' : 'typeName'
    case 'accept':
      return 'ready'
  }
}

function targetReadiness({ status }: NameTarget, doubt: Doubt | undefined): ChangeReadiness {
  if (status === 'empty') return 'addAddress'
  if (status === 'valid') return doubt ? 'doubtfulAddress' : 'ready'
  return status === 'unchecked' || status === 'resolving' ? 'checking' : 'invalidAddress'
}

function isSame(address: string, other: string): boolean {
  return address.toLowerCase() === other.toLowerCase()
}

function isSameText(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key])
}
