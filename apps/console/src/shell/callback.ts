/** What the identity provider adds to the address that it returns an operator to. */
export interface Callback {
  readonly state: string
  readonly code: string
  readonly iss: string
  readonly error: string
}

/** Path of the callback at the origin of the console. */
const CALLBACK_PATH = '/oidc'

/**
 * Takes the parameters of a login at the identity provider out of the address, and removes them there: a code is of no use
 * elsewhere, but neither the history nor a screenshot has to keep it. Returns undefined at another address.
 */
export function takeCallback(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  history: Pick<History, 'replaceState'>,
): Callback | undefined {
  if (pathname !== CALLBACK_PATH) return undefined
  history.replaceState(null, '', '/')
  const parameters = new URLSearchParams(search)
  const read = (name: keyof Callback) => parameters.get(name) ?? ''
  return { state: read('state'), code: read('code'), iss: read('iss'), error: read('error') }
}
