import { FrameError, providerErrorCode } from './frameError.ts'

/** Returns the positional parameters of a request. */
export function list(params: unknown): readonly unknown[] {
  return Array.isArray(params) ? params : []
}

/** Returns a named parameter of a request, whose object may be the first of a list. */
export function field(params: unknown, name: string): unknown {
  const named = Array.isArray(params) ? params[0] : params
  return typeof named === 'object' && named !== null && Object.hasOwn(named, name)
    ? (named as Record<string, unknown>)[name]
    : undefined
}

/** Reports whether a value is an EVM address. */
export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)

/** Reports whether two addresses are of one account. */
export const isSameAddress = (a: unknown, b: string | undefined): boolean =>
  isAddress(a) && a.toLowerCase() === b?.toLowerCase()

/**
 * Requires that a value is an address of the user.
 *
 * @throws FrameError 4100 for an address that is not among the given ones.
 */
export function expectAddress(value: unknown, ...own: readonly (string | undefined)[]): void {
  if (!own.some((address) => isSameAddress(value, address)))
    throw new FrameError('The account is not one of this wallet', providerErrorCode.unauthorized)
}
