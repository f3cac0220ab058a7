import type { Configuration } from '../types/environment.ts'
import type { Hawser } from '../types/hawser.ts'
import { type AlertName, alerts, closeAlert, raiseAlert } from './alert.ts'

/**
 * Raises "Invalid App Configuration" when a call is refused, once until a call succeeds.
 *
 * @param hawser returns the instance, which is created after its client.
 */
export function watchConfiguration(
  hawser: () => Hawser,
  fetchImpl: typeof fetch = (...args) => globalThis.fetch(...args),
): Configuration {
  let raised: AlertName | undefined

  function raise(name: AlertName | undefined): void {
    if (!name || name === raised) return
    raised = name
    hawser().served.setState({ isRefused: true })
    raiseAlert(hawser(), name, { origin: globalThis.location?.origin ?? 'of this page' })
  }

  function resolve(): void {
    if (!raised) return
    if (hawser().alert.getState().message === alerts[raised].title) closeAlert(hawser())
    raised = undefined
    hawser().served.setState({ isRefused: false })
  }

  return {
    succeeded: resolve,
    failed: ({ code, reason }) => raise(refusals[reason ?? code]),
    async fetch(...args) {
      const response = await fetchImpl(...args)
      if (isConnect(args[0])) return response
      if (response.status === 401 || response.status === 403) raise(await refusalOf(response))
      else if (response.ok) resolve()
      return response
    },
  }
}

/** Alerts by the gateway's reason, by the Connect error code, or by the HTTP status when there is neither. */
const refusals: Readonly<Record<string, AlertName>> = {
  PROJECT_UNKNOWN: 'invalidProjectId',
  ORIGIN_REFUSED: 'originNotAllowed',
  unauthenticated: 'invalidProjectId',
  permission_denied: 'originNotAllowed',
  401: 'invalidProjectId',
  403: 'originNotAllowed',
}

/** Returns the alert of a response; undefined for refusals that are not about the site, such as of a signature. */
async function refusalOf(response: Response): Promise<AlertName | undefined> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  const code = (body as { code?: unknown } | null | undefined)?.code
  return refusals[typeof code === 'string' && code ? code : response.status]
}

/** Reports whether a request is a Connect call, whose transport reports the result itself. */
function isConnect(input: RequestInfo | URL): boolean {
  return String(input).includes('/hawser.')
}
