import { walletErrors } from '@hawser/texts/en/walletErrors'

/** The key of an error of the wallet's own code, by which pages translate it. */
export type FailureKey = keyof typeof walletErrors

/** An error of the wallet's own code that is shown to users. */
export interface OwnFailure {
  readonly key: FailureKey
  /** In English. */
  readonly message: string
}

/** The errors of the wallet's own code that are shown to users, by their keys. */
export const failures = Object.fromEntries(
  Object.entries(walletErrors).map(([key, message]) => [key, { key, message }]),
) as Readonly<Record<FailureKey, OwnFailure>>

/** An error that is shown to users: one of the wallet's own code, or with the text of a service or a node. */
export class FailureError extends Error {
  /** Undefined for a text of a service or a node. */
  readonly key: FailureKey | undefined

  constructor(failure: OwnFailure | string, options?: ErrorOptions) {
    const { message, key }: Partial<OwnFailure> = typeof failure === 'string' ? { message: failure } : failure
    super(message, options)
    this.key = key
  }
}
